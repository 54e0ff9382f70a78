import type { Exchange } from '../../api/contract/control/exchanges.ts'
import type { CommitSummary } from '../../api/contract/control/history.ts'
import type { Notice } from '../../api/contract/control/notices.ts'
import { type ClockJump, type Feed, isRefused, type RequestCount, type TaskRun, withRun } from './feed.ts'

/** What notices change in the feed. */

const MAX_TASK_RUNS = 200
const MAX_BEATS = 30

/** A part of the feed that is read again as a whole. */
export type Part = 'time' | 'programs' | 'faults' | 'jumps'

/** The changes that some notices bring, and what has to be read again because of them. */
export function digestNotices(notices: readonly Notice[], feed: Feed) {
  let { seq, progress, job, jumps, run, runs } = feed
  let everything = false
  const parts = new Set<Part>()
  const reread = (part: Part, isNeeded = true) => isNeeded && parts.add(part)
  const arrived: Exchange[] = []
  const taskRuns: TaskRun[] = []
  const versions = { ...feed.versions }
  const changed = new Set<string>()
  for (const notice of notices) {
    if (notice.type === 'exchange') {
      arrived.unshift(notice.exchange)
      reread('faults', notice.exchange.fault !== undefined)
    }
    if (notice.type === 'scenario') ({ run, runs } = withRun({ run, runs }, notice.run))
    if (notice.type === 'commit') {
      seq = Math.max(seq, notice.seq)
      if (notice.cause.name === 'clock.advance' && notice.cause.from !== undefined) {
        const { from } = notice.cause
        jumps = [{ seq: notice.seq, before: null, from, to: notice.at, ran: null, left: false }, ...jumps]
        reread('jumps')
      }
      if (notice.cause.door === 'time') taskRuns.unshift({ seq: notice.seq, at: notice.at, task: notice.cause.name })
      for (const name of notice.collections) versions[name] = (versions[name] ?? 0) + 1
      for (const uid of notice.uids) changed.add(uid)
      reread('time', notice.cause.door !== 'request' || notice.collections.includes('tasks'))
      reread('programs', notice.collections.includes('programs'))
    }
    if (notice.type === 'progress') {
      progress = notice.done ? null : notice
      reread('time', notice.done)
    }
    // Of several jobs the first is shown until it ends.
    if (notice.type === 'work' && (!job || job.uid === notice.uid)) job = notice.over ? null : notice
    reread('time', notice.type === 'task_failed')
    reread('faults', notice.type === 'faults')
    if (notice.type === 'worlds') versions.worlds = (versions.worlds ?? 0) + 1
    everything ||= notice.type === 'world'
  }
  const update: Partial<Feed> = {
    seq,
    progress,
    job,
    run,
    runs,
    jumps,
    versions,
    changed: [...changed],
    ...(taskRuns.length > 0 ? { taskRuns: [...taskRuns, ...feed.taskRuns].slice(0, MAX_TASK_RUNS) } : {}),
    ...(arrived.length > 0 ? { exchanges: mergeExchanges(arrived, feed.exchanges, feed.world?.log_length) } : {}),
  }
  return { update, everything, parts }
}

/**
 * A page and a notice may contain the same exchange. The sandbox deletes the oldest quarter when its log is full, so up
 * to 1.25 times its length is kept here.
 */
export function mergeExchanges(
  newer: readonly Exchange[],
  older: readonly Exchange[],
  log_length = Number.POSITIVE_INFINITY,
) {
  const known = new Set(newer.map(({ uid }) => uid))
  return [...newer, ...older.filter(({ uid }) => !known.has(uid))].slice(0, Math.ceil(log_length * 1.25))
}

export function countRequest(beats: readonly RequestCount[], exchange: Exchange): RequestCount[] {
  const second = Math.floor(Date.now() / 1000)
  const refused = isRefused(exchange) ? 1 : 0
  const last = beats.at(-1)
  if (last?.second === second)
    return [...beats.slice(0, -1), { second, requests: last.requests + 1, refused: last.refused + refused }]
  return [...beats.filter((beat) => beat.second > second - MAX_BEATS), { second, requests: 1, refused }]
}

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
