import type { Timestamp } from '../contract/terms/primitives.ts'
import type { Commit } from '../store/commit.ts'

/** From where to where a commit of the operator moved the clock; undefined if it did not, or time only ran meanwhile. */
export function clockJumpOf({ cause, clock, was_clock, goes_on_from }: Commit) {
  if (cause.door !== 'operator' || !clock) return undefined
  const from = cause.from ?? startOfJump(was_clock, goes_on_from)
  return from === undefined || from === clock.at ? undefined : { from, to: clock.at }
}

/** A running clock has the time at which it began to run; a freeze and the end of the sandbox save the time since. */
function startOfJump(was: Commit['was_clock'], goes_on_from: number | undefined): Timestamp | undefined {
  return was?.mode === 'running' && goes_on_from === undefined ? undefined : was?.at
}
