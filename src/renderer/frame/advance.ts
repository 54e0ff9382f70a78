import { create } from 'zustand'
import type { AdvanceInput } from '../../api/contract/control.ts'
import { many, shortMoment } from '../format.ts'
import { sandbox } from '../sandbox.ts'
import { wordsOf } from '../words.ts'

/** An advance that this window asked for: what was asked, and how the last one ended. */
interface Advancing {
  /** The goal in words, from the moment an advance has taken long enough to be worth showing. */
  readonly goal: string | null
  readonly running: boolean
  readonly ended: string
  readonly error: string | null
}

export const useAdvance = create<Advancing>()(() => ({ goal: null, running: false, ended: '', error: null }))

/** For the other hands on the clock: a refusal is shown under the clock bar. */
export const tried = (work: Promise<unknown>) =>
  work.then(
    () => useAdvance.setState({ error: null }),
    (error: unknown) => useAdvance.setState({ error: wordsOf(error) }),
  )

const SHOWN_AFTER_MS = 150

/**
 * Resolves to a refusal in words, or to null as soon as the advance is under way or over. Whoever shows the words itself
 * says so.
 */
export async function advance(input: AdvanceInput, goal: string, shows = false): Promise<string | null> {
  if (useAdvance.getState().running) return null
  const set = useAdvance.setState
  set({ running: true, error: null, ended: '' })
  const over = sandbox['clock.advance'](input)
    .then(
      ({ to, ran }) => {
        set({ ended: `Now ${shortMoment(Date.parse(to))}; ${many(ran, 'task')} ran.` })
        return null
      },
      (error: unknown) => wordsOf(error),
    )
    .finally(() => set({ running: false, goal: null }))
  const shown = new Promise<null>((resolve) => {
    setTimeout(() => {
      if (useAdvance.getState().running) set({ goal })
      resolve(null)
    }, SHOWN_AFTER_MS)
  })
  if (!shows) void over.then((error) => set({ error }))
  return Promise.race([over, shown])
}
