import type { Random } from '../support/random.ts'
import type { Body } from './calls.ts'
import type { Event } from './operations.ts'

/** Where the sandbox of a run lives: in this process on a simulated disk, or in a process of its own (process-host.ts). */

export const START = Date.parse('2026-08-14T14:00:00.000Z')

export interface Response {
  readonly status: number
  readonly body: Body
}

export interface Reply {
  readonly ok: boolean
  /** The result, or the error of a refusal. */
  readonly value: Body
}

export interface Host {
  /** For what the disk and the checks choose. */
  readonly random: Random
  /** How many calls of the disk have failed since this was set to 0. */
  injected: number
  /** Called for each commit, with whether it replaced more than 1,000 records; never if commits cannot be seen. */
  onCommit: (seq: number, isLarge: boolean) => void
  /** The process was killed. */
  readonly hasEnded: boolean
  /** Simulated time, and the newest commit, after the last answer. */
  readonly now: number
  readonly seq: number
  /** So many clients write at once while a world is replaced. */
  readonly writers: number
  /** The world is there after a restart. */
  readonly restarts: boolean
  /** Of the receiver of a webhook; undefined if there is none. */
  addressOf(id: number): string | undefined
  /** So many milliseconds pass with each reading of the time, if it is simulated: long work pauses after each step. */
  tick(ms: number): void
  /** Lets what is sent be sent and recorded, if the receivers are simulated. */
  settle(): Promise<void>
  /** Before the first start. Returns what ends it. */
  enter(): () => void
  start(isNew: boolean): Promise<void>
  stop(): Promise<void>
  kill(kind: Exclude<Event['kind'], 'error' | 'full disk'>): Promise<void>
  /** What happens from now on until `endFaults`. */
  schedule(event: Event): void
  endFaults(): void
  /** Undefined if the process was killed before it answered. */
  request(method: string, path: string, trace: string, body?: object): Promise<Response | undefined>
  /** Undefined if the process was killed before it answered. */
  call(name: string, input: object): Promise<Reply | undefined>
  /** All records, the clock and the counters, as a short text; undefined if they cannot be seen. */
  image(): string | undefined
}
