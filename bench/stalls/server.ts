import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { Client } from '../support/client.ts'
import { root, type SandboxProcess, serve } from '../support/process.ts'

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

export interface Row extends Figures {
  readonly name: string
  readonly status: number
  /** How long the caller waited, in milliseconds. */
  readonly duration: number
}

export class MeasuredSandbox {
  readonly client: Client
  readonly rows: Row[] = []
  readonly #host: SandboxProcess
  readonly #print: (line: string) => void

  private constructor(host: SandboxProcess, client: Client, print: (line: string) => void) {
    this.#host = host
    this.client = client
    this.#print = print
  }

  static async open(data: string, print: (line: string) => void, durability = 'write'): Promise<MeasuredSandbox> {
    const args = ['--clock', 'frozen', '--data', data, '--durability', durability]
    const host = serve(args, { node: MONITOR, hasChannel: true })
    return new MeasuredSandbox(host, new Client(await host.output, { withinMs: 600_000 }), print)
  }

  /** `send` returns the status, and what is to be said about it. */
  async measure(name: string, send: () => Promise<readonly [status: number, remark?: string]>) {
    await readFigures(this.#host.child)
    const began = performance.now()
    const [status, remark = ''] = await send().catch((error: Error) => [0, error.message] as const)
    const row = { name, status, duration: performance.now() - began, ...(await readFigures(this.#host.child)) }
    this.rows.push(row)
    this.#print(`${name}: ${status}, ${Math.round(row.slice)} ms ${remark}`.trimEnd())
  }

  async stop() {
    this.client.close()
    await this.#host.stop()
  }

  printRows() {
    const sorted = this.rows.toSorted((a, b) => b.slice - a.slice)
    this.#print(
      '| Call | Status | Longest slice (ms of processor time) | Longest gap at 60 Hz (ms) | Longest garbage collection (ms) | Peak memory (MB) | Duration (ms) |',
    )
    this.#print('|---|---|---|---|---|---|---|')
    for (const { name, status, slice, gap, collection, memory, duration } of sorted)
      this.#print(
        ['', name, status, ...[slice, gap, collection, memory, duration].map(Math.round), ''].join(' | ').trim(),
      )
    const slow = sorted.filter(({ slice }) => slice > 50).length
    const late = sorted.filter(({ gap }) => gap > 100).length
    this.#print(`${sorted.length} calls, ${slow} with a slice over 50 ms, ${late} with a gap over 100 ms`)
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
