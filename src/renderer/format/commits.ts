import type { CommitSummary } from '../../api/contract/control/history.ts'
import { formatCount } from './numbers.ts'
import { newYork } from './time.ts'

/** Commits and suggested snapshot names as text. */

/** The simulated time as a snapshot name, `Fri 20 Nov 2026 09.04`; with a number if the name exists. */
export function suggestSnapshotName(now: number, taken: readonly string[]): string {
  const { weekday, day, month, year, time } = newYork(now)
  const name = `${weekday} ${day} ${month} ${year} ${time.slice(0, 5).replace(':', '.')}`
  if (!taken.includes(name)) return name
  let n = 2
  while (taken.includes(`${name} ${n}`)) n++
  return `${name} ${n}`
}

const operatorActions: Readonly<Record<string, string>> = {
  'clock.advance': 'advanced the clock',
  'clock.set': 'set the clock',
  'tasks.hold': 'held a task',
  'tasks.release': 'released a task',
  'programs.create': 'created a Program',
  'programs.update': 'changed a Program',
  'programs.rotate_key': 'rotated the key of a Program',
  'transactions.inject': 'injected a movement outside the application',
  'tokens.expire': 'expired the access tokens of a Program',
  'operator.create_customer': 'created a Customer',
  'webhooks.create': 'created a webhook',
  'webhooks.update': 'changed a webhook',
  'webhooks.delete': 'deleted a webhook',
  'webhooks.test': 'sent a test event to a webhook',
  'webhooks.record_attempts': 'recorded attempts to deliver events',
  'events.resend': 'resent an event',
  'events.send_example': 'sent an example of an event',
  'events.hold': 'held an event',
  'events.release': 'released an event',
  'snapshots.restore': 'restored a snapshot',
  'bundles.import': 'imported a bundle',
  'world.reset': 'reset the world',
  'world.rewind': 'rewound the world',
}

const replacements: Readonly<Record<string, string>> = {
  'world.rewind': 'a rewind',
  'world.reset': 'a reset',
  'snapshots.restore': 'a restore',
  'bundles.import': 'an import',
}

/** What went back before a request: `a rewind, commit 12`. */
export const formatReplacement = ({ seq, name }: { readonly seq: number; readonly name: string }): string =>
  `${replacements[name] ?? name}, commit ${formatCount(seq)}`

/** Commits that no request, task or operator caused. */
const internal: Readonly<Record<string, string>> = {
  'world.create': 'world created',
  close: 'sandbox closed',
}

/** What made the commit, such as `task close of day`. */
export function formatCause({
  cause: { door, name, decision },
  goes_on_from,
}: Pick<CommitSummary, 'cause' | 'goes_on_from'>): string {
  if (door === 'request') return `request ${name}`
  if (door === 'time') return `task ${name}`
  if (internal[name] !== undefined) return internal[name]
  const words = decision !== undefined ? `decided: ${decision}` : (operatorActions[name] ?? name)
  return `operator ${words}${name === 'world.rewind' && goes_on_from !== null ? `, commit ${formatCount(goes_on_from)}` : ''}`
}

/** 2 transactions, 1 task */
export const formatChanges = (records: Readonly<Record<string, number>>): string =>
  Object.entries(records)
    .sort(([, a], [, b]) => b - a)
    .map(([name, n]) => `${formatCount(n)} ${name.replaceAll('_', ' ').replace(n === 1 ? /s$/ : /$^/, '')}`)
    .join(', ')

type CommitPosition = Pick<CommitSummary, 'seq' | 'left' | 'goes_on_from'>

/** The commits of the current branch after this one. */
export const commitsAfter = <C extends CommitPosition>({ seq }: CommitPosition, commits: readonly C[]): C[] =>
  commits.filter((one) => one.seq > seq && !one.left)

/** Nothing follows, except possibly the rewind to it. */
export function isCurrentCommit(commit: CommitPosition, commits: readonly CommitPosition[]): boolean {
  const [first, ...more] = commitsAfter(commit, commits)
  return first === undefined || (more.length === 0 && first.goes_on_from === commit.seq)
}
