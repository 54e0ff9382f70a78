import { useMemo } from 'react'
import { create } from 'zustand'
import { ControlError, operationOf } from '../../api/contract/control/client.ts'
import type { AdvanceInput, FiredTask } from '../../api/contract/control/clock.ts'
import { readStored, writeStored } from '../format/stored.ts'
import { errorText, formatShortInstant, plural } from '../format/text.ts'
import { type ClockJump, type Progress, useFeed } from './feed.ts'
import { showFailure } from './messages.ts'
import { sandbox } from './sandbox.ts'
import { shownWorld } from './world-address.ts'

/** Advancing the clock, for everything that does it: clock bar, keys, palette, the Time screen. */

/** The result of an advance that this window started. */
export interface AdvanceResult {
  readonly id: number
  readonly goal: string
  /** Null if it changed nothing. */
  readonly operation: number | null
  readonly from: string
  readonly to: string
  readonly fired: readonly FiredTask[]
  /** `lost`: the connection broke, so how it ended is unknown. */
  readonly ended: 'reached' | 'canceled' | 'broke' | 'lost'
  /** From before the window was loaded: it may be about another world at this address. */
  readonly isStored?: boolean
}

interface AdvanceState {
  /** The goal as text, set once the advance has taken long enough to be worth showing. */
  readonly goal: string | null
  readonly running: boolean
  /** While it runs: the last commit before it. */
  readonly before: number
  readonly ended: string
  /** Newest first. */
  readonly results: readonly AdvanceResult[]
}

const storageKey = () => `sandbank.advances ${shownWorld() ?? ''}`

export const useAdvance = create<AdvanceState>()(() => ({
  goal: null,
  running: false,
  before: 0,
  ended: '',
  results: readResults(),
}))

/** The advance of the sandbox that a result is about. Another world at this address may have an operation of the same number. */
export const isResultOf = ({ operation, from, isStored }: AdvanceResult, jump: ClockJump) =>
  operation === jump.operation && (!isStored || from === jump.from)

/** The results of this window that are about its world. */
export function useAdvanceResults(): readonly AdvanceResult[] {
  const results = useAdvance((state) => state.results)
  const jumps = useFeed((feed) => feed.jumps)
  return useMemo(
    () => results.filter((result) => !result.isStored || jumps.some((jump) => isResultOf(result, jump))),
    [results, jumps],
  )
}

/** A reload keeps the results of the newest advances, unless they ran very many tasks. */
const MAX_STORED = 10
const MAX_STORED_TASKS = 1_000

function readResults(): AdvanceResult[] {
  const stored = readStored('sessionStorage', storageKey())
  return Array.isArray(stored) ? stored.map((result: AdvanceResult) => ({ ...result, isStored: true })) : []
}

/**
 * A task can schedule others, so the number of remaining tasks says little about progress; the time does, if the end is
 * known.
 */
export function advanceProgress({ from, to, ran, left }: Progress, now: number): { value: number | null; max: number } {
  const [began, ends] = [Date.parse(from), Date.parse(to ?? '')]
  if (ends > began) return { value: Math.min(now, ends) - began, max: ends - began }
  return { value: left === null ? null : ran, max: ran + (left ?? 0) }
}

let isCancelRequested = false

export function cancelAdvance() {
  isCancelRequested = true
  return sandbox['clock.cancel']({})
}

/** The running advance, until its result is known. */
let currentAdvance: Promise<string | null> = Promise.resolve(null)

const SHOWN_AFTER_MS = 150
const MAX_RESULTS = 50

interface AdvanceOptions {
  /** Else the caller shows it. */
  readonly showsError?: boolean
  /** In the place of the clock's controls, also before the sandbox reports progress. */
  readonly showsGoal?: boolean
}

/** Resolves to an error text, or to null as soon as the advance is running or over. */
export async function advance(
  input: AdvanceInput,
  goal: string,
  { showsError = true, showsGoal = true }: AdvanceOptions = {},
): Promise<string | null> {
  // Buttons stay enabled until the sandbox reports an advance; another one that is started meanwhile runs next.
  while (useAdvance.getState().running) {
    if (useAdvance.getState().goal !== null) return null
    await currentAdvance
  }
  const set = useAdvance.setState
  set({ running: true, ended: '' })
  isCancelRequested = false
  const work = runAdvance(input, goal)
  if (showsError) void showFailure(work)
  currentAdvance = work.catch(errorText).finally(() => set({ running: false, goal: null }))
  setTimeout(() => {
    if (useAdvance.getState().running && showsGoal) set({ goal })
  }, SHOWN_AFTER_MS)
  const begun = new Promise<null>((resolve) => {
    const stop = useFeed.subscribe(({ progress }) => {
      if (!progress) return
      if (useAdvance.getState().running) set({ goal })
      resolve(null)
    })
    void currentAdvance.finally(stop)
  })
  return Promise.race([currentAdvance, begun])
}

async function runAdvance(input: AdvanceInput, goal: string): Promise<null> {
  const { clock } = useFeed.getState()
  const { seq: before } = await sandbox['world.describe']({})
  useAdvance.setState({ before })
  try {
    const done = await sandbox['clock.advance'](input)
    const { from, to, ran, fired } = done
    const after = await sandbox['clock.read']({})
    const broke = clock?.break_on != null && after.break_on === null
    const ended = isCancelRequested ? 'canceled' : broke ? 'broke' : 'reached'
    addResult({ goal, operation: operationOf(done), from, to, fired, ended })
    useAdvance.setState({ ended: `Clock is at ${formatShortInstant(Date.parse(to))}; ${plural(ran, 'task')} ran.` })
    return null
  } catch (error) {
    if (!(error instanceof ControlError) && clock)
      addResult({ goal, operation: null, from: clock.now, to: clock.now, fired: [], ended: 'lost' })
    throw error
  }
}

function addResult(result: Omit<AdvanceResult, 'id'>) {
  const before = useAdvance.getState().results
  const id = Math.max(0, ...before.map(({ id }) => id)) + 1
  const results = [{ id, ...result }, ...before].slice(0, MAX_RESULTS)
  useAdvance.setState({ results })
  const small = results.filter(({ fired, ended }) => fired.length <= MAX_STORED_TASKS && ended !== 'lost')
  writeStored('sessionStorage', storageKey(), small.slice(0, MAX_STORED))
}
