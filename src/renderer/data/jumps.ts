import type { CommitSummary } from '../../api/contract/control/history.ts'
import type { ClockJump } from './feed.ts'

/** The advances of the clock among commits that are listed newest first, also those that a rewind undid. */
export function findJumps(commits: readonly CommitSummary[]): ClockJump[] {
  return commits.flatMap(({ seq, moved, cause, left }, at) => {
    if (!moved || cause.name !== 'clock.advance') return []
    const older = commits.slice(at + 1)
    // Its tasks have commits of their own, and so have requests that were sent meanwhile.
    const end = older.findIndex((commit) => !isDuring(commit, moved.from))
    const tasks = older.slice(0, end).filter(({ cause }) => cause.door === 'time').length
    const known = end === -1 ? { before: null, ran: null } : { before: older[end]!.seq, ran: tasks }
    return [{ seq, ...known, ...moved, left }]
  })
}

const isDuring = ({ at, cause, goes_on_from }: CommitSummary, from: string) =>
  goes_on_from === null && (at > from || (at === from && cause.door === 'time'))
