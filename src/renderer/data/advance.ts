import { create } from 'zustand'
import { type AdvanceInput, ControlError, type FiredTask } from '../../api/contract/control.ts'
import { errorText } from '../format/errors.ts'
import { plural } from '../format/numbers.ts'
import { formatShortInstant } from '../format/time.ts'
import { type Progress, useFeed } from './feed.ts'
import { sandbox } from './sandbox.ts'

/** Every hand that moves time on: the clock bar, the keys, the palette and the screen of time use these. */

/** What came of an advance that this window asked for. */
export interface AdvanceResult {
  readonly id: number
  readonly goal: string
  /** The commit before it, and the one with which it ended. */
  readonly before: number
  readonly seq: number
  readonly from: string
  readonly to: string
  readonly fired: readonly FiredTask[]
  /** `lost`: the connection was, and nobody told how it ended. */
  readonly ended: 'reached' | 'canceled' | 'broke' | 'lost'
}

interface AdvanceState {
  /** The goal in words, from the moment an advance has taken long enough to be worth showing. */
  readonly goal: string | null
  readonly running: boolean
  /** While it runs: the commit before it. */
  readonly before: number
  readonly ended: string
  readonly error: string | null
  /** Newest first. */
  readonly results: readonly AdvanceResult[]
}

export const useAdvance = create<AdvanceState>()(() => ({
  goal: null,
  running: false,
  before: 0,
  ended: '',
  error: null,
  results: [],
}))

/** For the other hands on the clock: a refusal is shown under the clock bar. */
export const showFailure = (work: Promise<unknown>) =>
  work.then(
    () => useAdvance.setState({ error: null }),
    (error: unknown) => useAdvance.setState({ error: errorText(error) }),
  )

/** The ways on that need no further word. */
export const advancePresets = {
  next: { goal: 'to the next due', input: { until: 'next' } },
  hour: { goal: '1 hour', input: { by: 'PT1H' } },
  businessDay: { goal: '1 business day', input: { business_days: 1 } },
  idle: { goal: 'until nothing is due', input: { until: 'idle' } },
} as const satisfies Readonly<Record<string, { goal: string; input: AdvanceInput }>>
export type AdvancePreset = keyof typeof advancePresets

/** Why there is nothing to advance to; null where there is. */
export function advanceBlocker(way: AdvancePreset): string | null {
  const { connection, clock } = useFeed.getState()
  if (connection !== 'live') return 'There is no connection.'
  return way === 'next' && !clock?.next ? 'Nothing is due.' : null
}

export const advanceByPreset = (way: AdvancePreset): Promise<string | null> => {
  const barred = advanceBlocker(way)
  return barred === null ? advance(advancePresets[way].input, advancePresets[way].goal) : Promise.resolve(barred)
}

/** Tasks make others, so that how many are left says little of how far it is; time does, where its end is known. */
export function advanceProgress({ from, to, ran, left }: Progress, now: number): { value: number | null; max: number } {
  const [began, ends] = [Date.parse(from), Date.parse(to ?? '')]
  if (ends > began) return { value: Math.min(now, ends) - began, max: ends - began }
  return { value: left === null ? null : ran, max: ran + (left ?? 0) }
}

let isCancelRequested = false

export function cancelAdvance() {
  isCancelRequested = true
  void showFailure(sandbox['clock.cancel']({}))
}

/** What takes long besides. */
export const cancelJob = (uid: string) => void showFailure(sandbox['work.cancel']({ uid }))

/** The advance that runs, until all that came of it is known. */
let currentAdvance: Promise<string | null> = Promise.resolve(null)

const SHOWN_AFTER_MS = 150
const KEPT = 50

/**
 * Resolves to a refusal in words, or to null as soon as the advance is under way or over. Whoever shows the words itself
 * says so, and keeps its place in the clock bar until there is nothing to refuse any more.
 */
export async function advance(input: AdvanceInput, goal: string, shows = false): Promise<string | null> {
  // As long as nothing says that one is under way the hands are there: what they do is done next, and not lost.
  while (useAdvance.getState().running) {
    if (useAdvance.getState().goal !== null) return null
    await currentAdvance
  }
  const set = useAdvance.setState
  set({ running: true, error: null, ended: '' })
  isCancelRequested = false
  currentAdvance = runAdvance(input, goal)
    .catch((error: unknown) => {
      if (!shows && error instanceof ControlError) set({ error: errorText(error) })
      return errorText(error)
    })
    .finally(() => set({ running: false, goal: null }))
  setTimeout(() => {
    if (useAdvance.getState().running && !shows) set({ goal })
  }, SHOWN_AFTER_MS)
  const underWay = new Promise<null>((resolve) => {
    const stop = useFeed.subscribe(({ progress }) => {
      if (!progress) return
      if (useAdvance.getState().running) set({ goal })
      resolve(null)
    })
    void currentAdvance.finally(stop)
  })
  return Promise.race([currentAdvance, underWay])
}

async function runAdvance(input: AdvanceInput, goal: string): Promise<null> {
  const { clock } = useFeed.getState()
  const { seq: before } = await sandbox['world.describe']({})
  useAdvance.setState({ before })
  try {
    const { from, to, ran, fired } = await sandbox['clock.advance'](input)
    const [after, { seq }] = await Promise.all([sandbox['clock.read']({}), sandbox['world.describe']({})])
    const broke = clock?.break_on != null && after.break_on === null
    const ended = isCancelRequested ? 'canceled' : broke ? 'broke' : 'reached'
    addResult({ goal, before, seq, from, to, fired, ended })
    useAdvance.setState({ ended: `Now ${formatShortInstant(Date.parse(to))}; ${plural(ran, 'task')} ran.` })
    return null
  } catch (error) {
    if (!(error instanceof ControlError) && clock)
      addResult({ goal, before, seq: before, from: clock.now, to: clock.now, fired: [], ended: 'lost' })
    throw error
  }
}

let lastId = 0
const addResult = (advanced: Omit<AdvanceResult, 'id'>) =>
  useAdvance.setState(({ results: past }) => ({ results: [{ id: ++lastId, ...advanced }, ...past].slice(0, KEPT) }))

export async function toggleClock() {
  const { clock } = useFeed.getState()
  if (clock) await showFailure(sandbox['clock.set']({ mode: clock.mode === 'running' ? 'frozen' : 'running' }))
}
