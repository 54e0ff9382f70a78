import { create } from 'zustand'
import { type AdvanceInput, ControlError, type FiredTask } from '../../api/contract/control.ts'
import { wordsOf } from '../format/errors.ts'
import { many } from '../format/numbers.ts'
import { shortMoment } from '../format/time.ts'
import { type Progress, useFeed } from './feed.ts'
import { sandbox } from './sandbox.ts'

/** Every hand that moves time on: the clock bar, the keys, the palette and the screen of time use these. */

/** What came of an advance that this window asked for. */
export interface Advanced {
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

interface Advancing {
  /** The goal in words, from the moment an advance has taken long enough to be worth showing. */
  readonly goal: string | null
  readonly running: boolean
  /** While it runs: the commit before it. */
  readonly before: number
  readonly ended: string
  readonly error: string | null
  /** Newest first. */
  readonly past: readonly Advanced[]
}

export const useAdvance = create<Advancing>()(() => ({
  goal: null,
  running: false,
  before: 0,
  ended: '',
  error: null,
  past: [],
}))

/** For the other hands on the clock: a refusal is shown under the clock bar. */
export const tried = (work: Promise<unknown>) =>
  work.then(
    () => useAdvance.setState({ error: null }),
    (error: unknown) => useAdvance.setState({ error: wordsOf(error) }),
  )

/** The ways on that need no further word. */
export const ways = {
  next: { goal: 'to the next due', input: { until: 'next' } },
  hour: { goal: '1 hour', input: { by: 'PT1H' } },
  businessDay: { goal: '1 business day', input: { business_days: 1 } },
  idle: { goal: 'until nothing is due', input: { until: 'idle' } },
} as const satisfies Readonly<Record<string, { goal: string; input: AdvanceInput }>>
export type Way = keyof typeof ways

/** Why there is nothing to advance to; null where there is. */
export function whyNot(way: Way): string | null {
  const { connection, clock } = useFeed.getState()
  if (connection !== 'live') return 'There is no connection.'
  return way === 'next' && !clock?.next ? 'Nothing is due.' : null
}

export const advanceBy = (way: Way): Promise<string | null> => {
  const barred = whyNot(way)
  return barred === null ? advance(ways[way].input, ways[way].goal) : Promise.resolve(barred)
}

/** Tasks make others, so that how many are left says little of how far it is; time does, where its end is known. */
export function howFar({ from, to, ran, left }: Progress, now: number): { value: number | null; max: number } {
  const [began, ends] = [Date.parse(from), Date.parse(to ?? '')]
  if (ends > began) return { value: Math.min(now, ends) - began, max: ends - began }
  return { value: left === null ? null : ran, max: ran + (left ?? 0) }
}

let asked = false

export function cancelAdvance() {
  asked = true
  void tried(sandbox['clock.cancel']({}))
}

/** What takes long besides. */
export const cancelWork = (uid: string) => void tried(sandbox['work.cancel']({ uid }))

/** The advance that runs, until all that came of it is known. */
let over: Promise<string | null> = Promise.resolve(null)

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
    await over
  }
  const set = useAdvance.setState
  set({ running: true, error: null, ended: '' })
  asked = false
  over = done(input, goal)
    .catch((error: unknown) => {
      if (!shows && error instanceof ControlError) set({ error: wordsOf(error) })
      return wordsOf(error)
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
    void over.finally(stop)
  })
  return Promise.race([over, underWay])
}

async function done(input: AdvanceInput, goal: string): Promise<null> {
  const { clock } = useFeed.getState()
  const { seq: before } = await sandbox['world.describe']({})
  useAdvance.setState({ before })
  try {
    const { from, to, ran, fired } = await sandbox['clock.advance'](input)
    const [after, { seq }] = await Promise.all([sandbox['clock.read']({}), sandbox['world.describe']({})])
    const broke = clock?.break_on != null && after.break_on === null
    const ended = asked ? 'canceled' : broke ? 'broke' : 'reached'
    keep({ goal, before, seq, from, to, fired, ended })
    useAdvance.setState({ ended: `Now ${shortMoment(Date.parse(to))}; ${many(ran, 'task')} ran.` })
    return null
  } catch (error) {
    if (!(error instanceof ControlError) && clock)
      keep({ goal, before, seq: before, from: clock.now, to: clock.now, fired: [], ended: 'lost' })
    throw error
  }
}

let ids = 0
const keep = (advanced: Omit<Advanced, 'id'>) =>
  useAdvance.setState(({ past }) => ({ past: [{ id: ++ids, ...advanced }, ...past].slice(0, KEPT) }))

export async function toggleClock() {
  const { clock } = useFeed.getState()
  if (clock) await tried(sandbox['clock.set']({ mode: clock.mode === 'running' ? 'frozen' : 'running' }))
}
