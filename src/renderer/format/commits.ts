import type { CommitSummary } from '../../api/contract/control.ts'
import { formatCount } from './numbers.ts'
import { newYork } from './time.ts'

/** Kept worlds and commits in words. */

/** A name for what is kept now, of its simulated time: `Fri 20 Nov 2026 09.04`, and with a number where it is taken. */
export function suggestSnapshotName(now: number, taken: readonly string[]): string {
  const { weekday, day, month, year, time } = newYork(now)
  const name = `${weekday} ${day} ${month} ${year} ${time.slice(0, 5).replace(':', '.')}`
  if (!taken.includes(name)) return name
  let n = 2
  while (taken.includes(`${name} ${n}`)) n++
  return `${name} ${n}`
}

const operator: Readonly<Record<string, string>> = {
  'clock.advance': 'moved time on',
  'clock.set': 'set the clock',
  'tasks.hold': 'held a task back',
  'tasks.release': 'released a task',
  'programs.create': 'created a Program',
  'programs.update': 'changed a Program',
  'programs.rotate_key': 'gave a Program another key',
  'operator.create_customer': 'created a Customer',
  'snapshots.restore': 'restored a kept world',
  'bundles.import': 'opened the world of a bundle',
  'world.reset': 'began again',
  'world.rewind': 'went back to an earlier moment',
}

/** Of nobody's hand. */
const itself: Readonly<Record<string, string>> = {
  'world.create': 'the world was made',
  close: 'the sandbox was closed',
}

/** Who did it, and what. */
export function formatCause({
  cause: { door, name, decision },
  goes_on_from,
}: Pick<CommitSummary, 'cause' | 'goes_on_from'>): string {
  if (door === 'request') return `request ${name}`
  if (door === 'time') return `task ${name}`
  if (itself[name] !== undefined) return itself[name]
  const words = decision !== undefined ? `decided: ${decision}` : (operator[name] ?? name)
  return `operator ${words}${name === 'world.rewind' && goes_on_from !== null ? `, commit ${formatCount(goes_on_from)}` : ''}`
}

/** 2 transactions, 1 task */
export const formatChanges = (records: Readonly<Record<string, number>>): string =>
  Object.entries(records)
    .sort(([, a], [, b]) => b - a)
    .map(([name, n]) => `${formatCount(n)} ${name.replaceAll('_', ' ').replace(n === 1 ? /s$/ : /$^/, '')}`)
    .join(', ')

type Placed = Pick<CommitSummary, 'seq' | 'left' | 'goes_on_from'>

/** What came after it in the present line. */
export const commitsAfter = <C extends Placed>({ seq }: Placed, commits: readonly C[]): C[] =>
  commits.filter((one) => one.seq > seq && !one.left)

/** Nothing came after it, or only the way back to it. */
export function isCurrentCommit(commit: Placed, commits: readonly Placed[]): boolean {
  const [first, ...more] = commitsAfter(commit, commits)
  return first === undefined || (more.length === 0 && first.goes_on_from === commit.seq)
}
