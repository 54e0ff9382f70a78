import { create } from 'zustand'
import type { AdvanceInput } from '../../api/contract/control/clock.ts'
import { errorText, formatShortInstant, plural } from '../format/text.ts'
import { type Progress, useFeed } from './feed.ts'
import { announce, showFailure } from './messages.ts'
import { sandbox } from './sandbox.ts'

/** Advancing the clock, for everything that does it: clock bar, keys, palette, the line of time. */

interface AdvanceState {
  /** The goal as text, set once the advance has taken long enough to be worth showing. */
  readonly goal: string | null
  readonly running: boolean
  /** What the last one came to. */
  readonly ended: string
}

export const useAdvance = create<AdvanceState>()(() => ({ goal: null, running: false, ended: '' }))

/**
 * A task can schedule others, so the number of remaining tasks says little about progress; the time does, if the end is
 * known.
 */
export function advanceProgress({ from, to, ran, left }: Progress, now: number): { value: number | null; max: number } {
  const [began, ends] = [Date.parse(from), Date.parse(to ?? '')]
  if (ends > began) return { value: Math.min(now, ends) - began, max: ends - began }
  return { value: left === null ? null : ran, max: ran + (left ?? 0) }
}

export const cancelAdvance = () => sandbox['clock.cancel']({})

/** The running advance, until its result is known. */
let currentAdvance: Promise<string | null> = Promise.resolve(null)

const SHOWN_AFTER_MS = 150

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
  const work = runAdvance(input)
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

const ends = {
  goal: '',
  cancel: 'Canceled before its end. ',
  break_on: 'Stopped early: the clock froze on its break condition. ',
} as const

async function runAdvance(input: AdvanceInput): Promise<null> {
  const { to, ran, stopped_by } = await sandbox['clock.advance'](input)
  const ended = `${ends[stopped_by]}Clock is at ${formatShortInstant(Date.parse(to))}; ${plural(ran, 'task')} ran.`
  useAdvance.setState({ ended })
  if (stopped_by !== 'goal') announce(ended)
  return null
}
