import { useEffect, useState } from 'react'
import { create } from 'zustand'
import type { Clock } from '../../api/contract/control/clock.ts'
import type { Exchange } from '../../api/contract/control/exchanges.ts'
import type { MethodOutput } from '../../api/contract/control/methods.ts'
import type { Notice } from '../../api/contract/control/notices.ts'
import type { ScenarioRun } from '../../api/contract/control/scenarios.ts'
import type { ErrorBody } from '../../api/contract/error-body.ts'
import type { Task } from '../../api/contract/resources/tasks.ts'

/** Live state of the sandbox. `feed-connection.ts` fills it: it reads everything once, then follows the notices. */

export type World = MethodOutput<'world.describe'>
export type Program = MethodOutput<'programs.list'>['programs'][number]
export type ActiveFault = MethodOutput<'faults.list'>['faults'][number]
export type Progress = Extract<Notice, { type: 'progress' }>
export type Job = Extract<Notice, { type: 'work' }>

/** Requests of one second of real time. */
export interface RequestCount {
  readonly second: number
  readonly requests: number
  readonly refused: number
}

/** A finished advance, by any client. */
export interface ClockJump {
  /** Its last commit. */
  readonly seq: number
  readonly operation: number
  readonly from: string
  readonly to: string
  /** How many tasks it ran; null if that is too far back. */
  readonly ran: number | null
  /** A rewind undid it. */
  readonly left: boolean
}

export interface Feed {
  /** `gone`: the world does not exist, or no longer. */
  readonly connection: 'opening' | 'live' | 'lost' | 'refused' | 'gone'
  readonly refusal: ErrorBody | null
  readonly world: World | null
  readonly programs: readonly Program[]
  readonly clock: Clock | null
  /** `performance.now()` when `clock` was read: a running clock continues from there. */
  readonly clockReadAt: number
  readonly tasks: readonly Task[]
  readonly seq: number
  /** Newest first. */
  readonly exchanges: readonly Exchange[]
  /** The sandbox has deleted older requests: its log has reached its length. */
  readonly hasDeletedRequests: boolean
  /** The whole request log has been read, and no request since then was left out. */
  readonly isLogComplete: boolean
  /** How many requests each Program has in the log, also those that were left out of `exchanges`; those without a valid token: `NO_PROGRAM`. */
  readonly requestTotals: Readonly<Record<string, number>>
  /** Of the running advance. */
  readonly progress: Progress | null
  /** A running job other than an advance. */
  readonly job: Job | null
  readonly faults: readonly ActiveFault[]
  /** The scenario run that was started last, by any client. */
  readonly run: ScenarioRun | null
  /** The latest run of each scenario that this window has seen, by its name. */
  readonly runs: Readonly<Record<string, ScenarioRun>>
  /** Newest first, as far as the newest commits that were read. */
  readonly jumps: readonly ClockJump[]
  readonly requestCounts: readonly RequestCount[]
  /** How often each collection has changed; `*` counts how often everything may have changed. */
  readonly versions: Readonly<Record<string, number>>
  /** The records that changed with the latest update; null if they are too many to name. */
  readonly changed: readonly string[] | null
}

export const emptyFeed: Feed = {
  connection: 'opening',
  refusal: null,
  world: null,
  programs: [],
  clock: null,
  clockReadAt: 0,
  tasks: [],
  seq: 0,
  exchanges: [],
  hasDeletedRequests: false,
  isLogComplete: false,
  requestTotals: {},
  progress: null,
  job: null,
  faults: [],
  run: null,
  runs: {},
  jumps: [],
  requestCounts: [],
  versions: {},
  changed: [],
}

export const useFeed = create<Feed>()(() => emptyFeed)

/** Simulated time, as far as this window knows it. It stops while the connection is lost. */
export function simulatedNow({ clock, clockReadAt: read_at, progress, connection }: Feed): number {
  if (!clock) return 0
  if (progress) return Date.parse(progress.now)
  const ticks = clock.mode === 'running' && connection === 'live'
  return Date.parse(clock.now) + (ticks ? performance.now() - read_at : 0)
}

export const NO_PROGRAM = ''

/** The requests that a Program sees: its own, and those without a valid token. */
export const countRequestsOf = ({ requestTotals: totals }: Feed, program_uid: string | undefined): number =>
  (totals[program_uid ?? NO_PROGRAM] ?? 0) + (program_uid === undefined ? 0 : (totals[NO_PROGRAM] ?? 0))

export const isRefused = ({ status }: Pick<Exchange, 'status'>) => status >= 400

/** The caller got no response: a fault dropped the connection. */
export const isDropped = ({ status, fault }: Pick<Exchange, 'status' | 'fault'>) =>
  status === 0 || (fault?.includes('drop_after_commit') ?? false)

/** For changes by this window that no notice reports: queries on the collection are repeated. */
export const markChanged = (collection: string) =>
  useFeed.setState(({ versions }) => ({ versions: { ...versions, [collection]: (versions[collection] ?? 0) + 1 } }))

/** A run without a result yet does not replace an earlier result. */
export function withRun({ runs }: Pick<Feed, 'run' | 'runs'>, run: ScenarioRun): Pick<Feed, 'run' | 'runs'> {
  const { name } = run
  const isNews = name !== null && (hasBegun(run) || !runs[name])
  return { run, runs: isNews ? { ...runs, [name]: run } : runs }
}

/** True once a step has run, or when the run uses the current world. */
export const hasBegun = ({ at, into }: ScenarioRun) => at > 0 || into === 'present'

/** Simulated time, in steps of the given size. It moves while the clock runs, and with each notice. */
export function useNow(stepMs = 1_000): number {
  const at = useFeed((feed) => Math.floor(simulatedNow(feed) / stepMs))
  const [, tick] = useState(0)
  const ticks = useFeed((feed) => feed.clock?.mode === 'running' && feed.connection === 'live' && !feed.progress)
  useEffect(() => {
    if (!ticks) return
    const timer = setTimeout(() => tick((n) => n + 1), (at + 1) * stepMs - simulatedNow(useFeed.getState()) + 1)
    return () => clearTimeout(timer)
  })
  return at * stepMs
}

/** Real time in seconds. */
export function useRealSeconds(wanted = true): number {
  const [second, setSecond] = useState(() => Math.floor(Date.now() / 1000))
  useEffect(() => {
    if (!wanted) return
    const timer = setInterval(() => setSecond(Math.floor(Date.now() / 1000)), 1_000)
    return () => clearInterval(timer)
  }, [wanted])
  return second
}
