import type { AdvanceGoal } from '../../api/contract/control/clock.ts'
import { useNow } from './feed.ts'
import { useQuery } from './sandbox.ts'

const BEAT_MS = 5_000

/** What the sandbox says about an advance, also while the clock runs; null asks nothing. */
export function useAdvancePreview(goal: AdvanceGoal | null) {
  return useQuery('clock.preview', goal, ['tasks'], { beat: useNow(BEAT_MS), every_ms: 500 })
}
