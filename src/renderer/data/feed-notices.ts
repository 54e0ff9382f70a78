import type { Exchange } from '../../api/contract/control/exchanges.ts'
import type { CommitSummary } from '../../api/contract/control/history.ts'
import type { Notice } from '../../api/contract/control/notices.ts'
import { type ClockJump, type Feed, isRefused, NO_PROGRAM, type RequestCount, withRun } from './feed.ts'

/** What notices change in the feed. */

const MAX_BEATS = 30

/** A part of the feed that is read again as a whole. */
export type Part = 'time' | 'clock' | 'programs' | 'faults' | 'jumps'

/** The changes that some notices bring, and what has to be read again because of them. */
export function digestNotices(notices: readonly Notice[], feed: Feed) {
  let { seq, progress, job, jumps, run, runs } = feed
  let everything = false
  /** Requests were left out of the log. */
  let hasGap = false
  const parts = new Set<Part>()
  const reread = (part: Part, isNeeded = true) => isNeeded && parts.add(part)
  const arrived: Exchange[] = []
  const versions = { ...feed.versions }
  const changed = new Set<string>()
  let isChangedKnown = true
  const change = (collections: readonly string[], uids: readonly string[] | null) => {
    for (const name of collections) versions[name] = (versions[name] ?? 0) + 1
    for (const uid of uids ?? []) changed.add(uid)
    isChangedKnown &&= uids !== null
    reread('programs', collections.includes('programs'))
  }
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
        const { seq, operation } = notice
        jumps = [{ seq, operation, from, to: notice.at, ran: null, left: false }, ...jumps]
        reread('jumps')
      }
      change(notice.collections, notice.uids)
      reread('time', notice.cause.door !== 'request' || notice.collections.includes('tasks'))
    }
    if (notice.type === 'omitted') {
      seq = Math.max(seq, notice.seq)
      change(notice.collections, notice.uids)
      hasGap ||= notice.requests.length > 0
      reread('faults', hasGap && feed.faults.length > 0)
      reread('time', notice.doors.some((door) => door !== 'request') || notice.collections.includes('tasks'))
      reread('jumps', notice.doors.includes('operator'))
    }
    if (notice.type === 'progress') {
      progress = notice.done ? null : notice
      reread('time', notice.done)
    }
    // Of several jobs the first is shown until it ends.
    if (notice.type === 'work' && (!job || job.uid === notice.uid)) job = notice.over ? null : notice
    reread('time', notice.type === 'task_failed')
    reread('faults', notice.type === 'faults')
    if (notice.type === 'worlds' || notice.type === 'scenarios')
      versions[notice.type] = (versions[notice.type] ?? 0) + 1
    everything ||= notice.type === 'world'
  }
  // Requests make no commit of their own.
  if (arrived.length > 0 || hasGap) change(['exchanges'], [])
  const update: Partial<Feed> = {
    seq,
    progress,
    job,
    run,
    runs,
    jumps,
    versions,
    changed: isChangedKnown ? [...changed] : null,
    ...addRequests(feed, arrived, notices),
    ...(hasGap ? { isLogComplete: false } : {}),
  }
  return { update, everything, parts, hasGap }
}

type RequestLog = Pick<Feed, 'exchanges' | 'requestTotals'>

/**
 * Counts only what arrives and what is dropped. The sandbox deletes the oldest quarter when its log is full, so up to 1.25 times its length is
 * kept here.
 */
function addRequests(feed: Feed, arrived: readonly Exchange[], notices: readonly Notice[]): Partial<Feed> {
  const left = notices.flatMap((notice) => (notice.type === 'omitted' ? notice.requests : []))
  if (arrived.length + left.length === 0) return {}
  const fresh = dropKnown(feed.exchanges, arrived)
  const merged = insert(feed.exchanges, fresh)
  const most = Math.ceil((feed.world?.log_length ?? Number.POSITIVE_INFINITY) * 1.25)
  const requestTotals = { ...feed.requestTotals }
  const count = (program_uid: string | null, n: number) => {
    const key = program_uid ?? NO_PROGRAM
    requestTotals[key] = Math.min(most, (requestTotals[key] ?? 0) + n)
  }
  for (const { program_uid } of merged.slice(most)) count(program_uid, -1)
  for (const { program_uid } of fresh) count(program_uid, 1)
  for (const { program_uid, total } of left) count(program_uid, total)
  if (merged.length <= most) return { exchanges: merged, requestTotals }
  return { exchanges: merged.slice(0, most), requestTotals, hasDeletedRequests: true }
}

/** A log that was read, and how many requests it has. */
export function countLog(exchanges: readonly Exchange[]): RequestLog {
  const requestTotals: Record<string, number> = {}
  for (const { program_uid } of exchanges)
    requestTotals[program_uid ?? NO_PROGRAM] = (requestTotals[program_uid ?? NO_PROGRAM] ?? 0) + 1
  return { exchanges, requestTotals }
}

/** Two parts of the log as one, newest first. Both may contain the same exchange: that of `known` is taken. */
export const mergeExchanges = (known: readonly Exchange[], others: readonly Exchange[]): readonly Exchange[] =>
  insert(known, dropKnown(known, others))

/** What has arrived since a part of the log was read. */
export const newerThan = ([newest]: readonly Exchange[], exchanges: readonly Exchange[]): readonly Exchange[] =>
  newest ? exchanges.filter((exchange) => numberOf(exchange) > numberOf(newest)) : exchanges

/** Those that arrive are nearly always newer than all known ones. */
const areNewer = (others: readonly Exchange[], known: readonly Exchange[]) =>
  known.length === 0 || others.length === 0 || numberOf(others.at(-1)!) > numberOf(known[0]!)

function dropKnown(known: readonly Exchange[], others: readonly Exchange[]): readonly Exchange[] {
  if (areNewer(others, known)) return others
  const uids = new Set(known.map(({ uid }) => uid))
  return others.filter(({ uid }) => !uids.has(uid))
}

function insert(known: readonly Exchange[], others: readonly Exchange[]): readonly Exchange[] {
  if (areNewer(others, known)) return [...others, ...known]
  if (areNewer(known, others)) return [...known, ...others]
  return [...others, ...known].sort((a, b) => numberOf(b) - numberOf(a))
}

/** Exchanges are numbered x1, x2, … */
const numberOf = ({ uid }: Exchange) => Number(uid.slice(1))

/** By the second of real time in which the notices arrive. */
export function countRequests(counts: readonly RequestCount[], notices: readonly Notice[]): readonly RequestCount[] {
  let [requests, refused] = [0, 0]
  for (const notice of notices) {
    if (notice.type === 'exchange') {
      requests++
      if (isRefused(notice.exchange)) refused++
    }
    for (const one of notice.type === 'omitted' ? notice.requests : []) {
      requests += one.total
      refused += one.refused
    }
  }
  if (requests === 0) return counts
  const second = Math.floor(Date.now() / 1000)
  const last = counts.at(-1)
  if (last?.second === second)
    return [...counts.slice(0, -1), { second, requests: last.requests + requests, refused: last.refused + refused }]
  return [...counts.filter((count) => count.second > second - MAX_BEATS), { second, requests, refused }]
}

/** The advances of the clock among commits that are listed newest first, also those that a rewind undid. */
export function findJumps(commits: readonly CommitSummary[]): ClockJump[] {
  return commits.flatMap(({ seq, operation, moved, cause, left_by }) => {
    if (!moved || cause.name !== 'clock.advance') return []
    const parts = commits.filter((one) => one.operation === operation)
    const isWhole = parts.some((one) => one.seq === operation)
    const ran = isWhole ? parts.filter((one) => one.cause.door === 'time').length : null
    return [{ seq, operation, ...moved, ran, left: left_by !== null }]
  })
}
