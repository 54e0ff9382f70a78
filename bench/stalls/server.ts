import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { root, type ServeOutput } from '../support/process.ts'

/** The built sandbox as a process that measures its own stalls (monitor.mjs). */

/** Options of Node that load the monitor; the process also needs a channel for messages. */
export const MONITOR: readonly string[] = ['--import', join(root, 'bench/stalls/monitor.mjs')]

export interface Figures {
  /** The longest processor time in which the event loop could not run a timer, in milliseconds. */
  readonly slice: number
  /** The longest time between two ticks of a timer of 60 Hz, in milliseconds, without that in which other processes ran. */
  readonly gap: number
  /** The longest pause of the garbage collector, in milliseconds. */
  readonly collection: number
  /** The peak of the resident memory in MB. */
  readonly memory: number
}

export interface MeasuredServer {
  readonly output: ServeOutput
  /** The figures since the last call. */
  readFigures(): Promise<Figures>
  stop(): Promise<void>
}

export async function startMeasuredServer(data: string, durability = 'write'): Promise<MeasuredServer> {
  const child = spawn(
    process.execPath,
    [
      ...MONITOR,
      ...[join(root, 'out/main/cli.js'), 'serve', '--port', '0', '--json', '--clock', 'frozen', '--data', data],
      ...['--durability', durability],
    ],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  )
  const kill = () => void child.kill('SIGKILL')
  process.on('exit', kill)
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const output = await new Promise<ServeOutput>((resolve, reject) => {
    let text = ''
    child.stdout!.on('data', (chunk) => {
      text += chunk
      if (text.includes('\n')) resolve(JSON.parse(text.slice(0, text.indexOf('\n'))) as ServeOutput)
    })
    child.on('close', (code) => reject(new Error(`The sandbox ended with ${code} before it listened`)))
  })
  return {
    output,
    readFigures: () => readFigures(child),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      process.off('exit', kill)
    },
  }
}

/** The figures of a process that runs monitor.mjs, since the last call. */
export const readFigures = (child: ChildProcess): Promise<Figures> =>
  new Promise((resolve, reject) => {
    const onClose = (code: number | null, signal: string | null) =>
      reject(new Error(`The sandbox ended with ${code ?? signal}`))
    child.once('message', (figures) => {
      child.off('close', onClose)
      resolve(figures as Figures)
    })
    child.once('close', onClose)
    child.send('read')
  })
