import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { HttpClient } from '../support/client.ts'
import { CLI, root, type ServeOutput, startServer } from '../support/process.ts'

/** The servers to measure, each a process, pinned to the first core where the system has taskset. */

const SERVE = [CLI, 'serve', '--port', '0', '--json']
const PEERS = join(root, 'bench/figures/peers')
const SERVER_CORE = '0'
export const pinned = spawnSync('taskset', ['-V']).status === 0

export interface Server {
  readonly origin: string
  readonly pid: number
  /** From the start of the process to its first answer. */
  readonly started_ms: number
  /** Only for Sandbank. */
  readonly output: ServeOutput | undefined
  stop(): Promise<unknown>
}

export const sandbank = (data: string) => start([...SERVE, '--clock', 'frozen', '--data', data])
export const bareExpress = (answers: string, ...journal: string[]) =>
  start([join(PEERS, 'express.mjs'), answers, ...journal])
export const bareNode = (answers: string) => start([join(PEERS, 'node.mjs'), answers])

/** Below full load the servers may use every core, for example for the garbage collector. */
export const unpinned = {
  sandbank: (data: string) => start([...SERVE, '--clock', 'frozen', '--data', data], null),
  ephemeral: (world = 'empty') => start([...SERVE, '--ephemeral', '--world', world], null),
  bareExpress: (answers: string) => start([join(PEERS, 'express.mjs'), answers], null),
}

async function start(args: readonly string[], core: string | null = SERVER_CORE): Promise<Server> {
  const began = performance.now()
  const isPinned = pinned && core !== null
  const command = [...(isPinned ? ['taskset', '-c', core] : []), process.execPath, ...args]
  const server = startServer<{ origin?: string } & Partial<ServeOutput>>(command)
  const output = await server.output
  const origin = output.origin ?? new URL(output.api!).origin
  const http = new HttpClient(origin)
  const { status } = await http.send({ method: 'GET', path: '/health' })
  if (status !== 200) throw new Error(`${args[0]} answers its first request with ${status}`)
  const started_ms = performance.now() - began
  http.close()
  return {
    origin,
    pid: server.child.pid!,
    started_ms,
    output: output.api === undefined ? undefined : (output as ServeOutput),
    stop: server.stop,
  }
}

/** Processor time of all threads since the start, in ms; 0 where the system has no /proc. */
export function processorTimeOf(pid: number): number {
  if (process.platform !== 'linux') return 0
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13)
  return (Number(user) + Number(system)) * 10
}

/** Resident memory in MB. */
export function memoryOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
  } catch {
    return Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout) / 1024
  }
}

/** Milliseconds from the start of a Node process to its end. */
export async function timeProcess(args: readonly string[]): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}`)
  return performance.now() - began
}
