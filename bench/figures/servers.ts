import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Wire } from '../support/caller.ts'
import { type Line, root } from '../support/host.ts'

/** Servers to measure, ours and others', each a process on a core of its own where the system has a way to say so. */

const CLI = join(root, 'out/main/cli.js')
const OURS = [CLI, 'serve', '--port', '0', '--json']
const PEERS = join(root, 'bench/figures/peers')
/** The first core is the servers', the rest is the load's. */
export const pinned = spawnSync('taskset', ['-V']).status === 0

export interface Server {
  readonly origin: string
  readonly pid: number
  /** From the start of the process to its first answer. */
  readonly started_ms: number
  /** Of ours alone. */
  readonly line: Line | undefined
  stop(): Promise<void>
}

export const ours = (data: string) =>
  start([CLI, 'serve', '--port', '0', '--json', '--clock', 'frozen', '--data', data])
export const ephemeral = () => start([CLI, 'serve', '--port', '0', '--json', '--ephemeral', '--world', 'empty'])
export const bareExpress = (answers: string, ...journal: string[]) =>
  start([join(PEERS, 'express.mjs'), answers, ...journal])
export const jsonServer = (file: string) => start([join(PEERS, 'json-server.mjs'), file], '/')

/** Where there is no load, every core is theirs: that of the garbage collector, too. */
export const alone = {
  ours: (data: string) => start([...OURS, '--clock', 'frozen', '--data', data], '/health', false),
  ephemeral: () => start([...OURS, '--ephemeral', '--world', 'empty'], '/health', false),
  bareExpress: (answers: string) => start([join(PEERS, 'express.mjs'), answers], '/health', false),
}

async function start(args: readonly string[], first = '/health', pin = pinned): Promise<Server> {
  const began = performance.now()
  const [command, before] = pin ? ['taskset', ['-c', '0', process.execPath]] : [process.execPath, []]
  const child = spawn(command, [...before, ...args], { stdio: ['ignore', 'pipe', 'inherit'], cwd: root })
  children.add(child)
  child.on('close', () => children.delete(child))
  const said = JSON.parse(await firstLine(child)) as { origin?: string } & Partial<Line>
  const origin = said.origin ?? new URL(said.api!).origin
  const wire = new Wire(origin)
  const { status } = await wire.send({ method: 'GET', path: first })
  if (status !== 200) throw new Error(`${args[0]} answers its first request with ${status}`)
  const started_ms = performance.now() - began
  wire.close()
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  return {
    origin,
    pid: child.pid!,
    started_ms,
    line: said.api === undefined ? undefined : (said as Line),
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}

const children = new Set<ChildProcess>()
/** Nothing of a run outlives it, also when it fails. */
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout!.on('data', (chunk) => {
      text += chunk
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    child.on('close', (code) => reject(new Error(`a server ended with ${code} before it listened`)))
  })
}

/** Resident memory in MB. */
export function memoryOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
  } catch {
    return Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout) / 1024
  }
}
