import type { ReplayDifference } from '../contract/control/replay.ts'
import type { Correlation } from './correlation.ts'
import { isList, isObject, type Json, pairValues, parseJsonBody, uidsOf } from './json-pairs.ts'
import { headerOf } from './recordings/headers.ts'
import type { HeaderList, RecordedResponse } from './recordings/recording.ts'

/** What two responses may differ in: generated values, trace ids, and the time. */
export interface ComparisonContext {
  readonly correlation: Correlation
  /** How far simulated time is ahead of the record; null if the times are unrelated. */
  readonly shift_ms: number | null
  /** The list is sorted by masked names, so its order differs. */
  readonly ignoresOrder: boolean
  /** The request searches for a part of a masked text, and finds other records. */
  readonly ignoresBody: boolean
}

export function compareResponses(recorded: RecordedResponse, replayed: RecordedResponse, context: ComparisonContext) {
  const found: ReplayDifference[] = []
  if (recorded.status !== replayed.status)
    found.push({ at: 'status', recorded: recorded.status, replayed: replayed.status })
  found.push(...compareHeaders(recorded.headers, replayed.headers, context))
  return context.ignoresBody ? found : [...found, ...compareBodies(recorded.body, replayed.body, context)]
}

/** Only the headers that belong to the response; the others belong to the connection, the host or the day. */
function compareHeaders(
  recorded: HeaderList,
  replayed: HeaderList,
  { correlation }: ComparisonContext,
): ReplayDifference[] {
  if (recorded.length === 0) return []
  const compared: [name: string, normalize: (value: string, isRecorded: boolean) => string][] = [
    ['content-type', (value) => value.split(';')[0]!.trim().toLowerCase()],
    ['allow', (value) => value],
    ['retry-after', () => 'any number of seconds'],
    ['x-trace-id', (value, isRecorded) => (isRecorded ? correlation.mapTraceId(value) : value)],
  ]
  return compared.flatMap(([name, normalize]) => {
    const a = headerOf(recorded, name)
    const b = headerOf(replayed, name)
    // Recorders leave out headers.
    const isEqual = a === undefined || normalize(a, true) === (b === undefined ? undefined : normalize(b, false))
    return isEqual ? [] : [{ at: `header ${name}`, recorded: a ?? null, replayed: b ?? null }]
  })
}

function compareBodies(recorded: string, replayed: string, context: ComparisonContext): ReplayDifference[] {
  const a = parseJsonBody(recorded)
  const b = parseJsonBody(replayed)
  if (a === undefined || b === undefined)
    return recorded === replayed ? [] : [{ at: 'body', recorded: shorten(recorded), replayed: shorten(replayed) }]
  const { correlation } = context
  const found = [...pairValues(a, b, correlation.currentUid)]
    .filter((pair) => !isSame(pair.field, pair.a, pair.b, context))
    .map((pair) => ({ at: pair.at || 'body', recorded: valueOrAbsent(pair.a), replayed: valueOrAbsent(pair.b) }))
  return [...found, ...(context.ignoresOrder ? [] : compareOrder(a, b, correlation))]
}

/** Absent differs from null. */
const valueOrAbsent = (value: Json | undefined) => (value === undefined ? '(absent)' : value)

/** Finds lists, at any depth, with the same records in another order. */
function compareOrder(a: Json | undefined, b: Json | undefined, correlation: Correlation, at = ''): ReplayDifference[] {
  if (isObject(a) && isObject(b))
    return Object.keys(a).flatMap((name) =>
      compareOrder(a[name], b[name], correlation, at === '' ? name : `${at}.${name}`),
    )
  const before = uidsOf(a)?.map((uid) => correlation.currentUid(uid) ?? uid)
  const after = uidsOf(b)
  if (!before || !after || before.length !== after.length) return []
  const isReordered = before.some((uid, i) => uid !== after[i]) && before.every((uid) => after.includes(uid))
  return isReordered ? [{ at: `${at}, the order`, recorded: uidsOf(a), replayed: after }] : []
}

/** True if two lists have other records, on this page or on others. */
export function findsOthers(recorded: RecordedResponse, replayed: RecordedResponse, correlation: Correlation): boolean {
  const [a, b] = [recorded, replayed].map(({ body }) => {
    const parsed = parseJsonBody(body)
    return isObject(parsed) ? { uids: uidsOf(parsed.data) ?? [], count: parsed.total_count } : undefined
  })
  const after = new Set(b?.uids)
  return (
    a?.count !== b?.count ||
    a?.uids.length !== after.size ||
    a.uids.some((uid) => !after.has(correlation.currentUid(uid) ?? uid))
  )
}

const TOLERANCE_MS = 1_000
const TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/g
const DATE = /^\d{4}-\d{2}-\d{2}$/
const isTime = (text: string) => text.replace(TIME, '') === ''

function isSame(field: string, a: Json | undefined, b: Json | undefined, context: ComparisonContext): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return a === b || (isEmpty(a) && isEmpty(b))
  const { correlation, shift_ms } = context
  // The request log removes secrets.
  if (a === '[removed]') return b !== ''
  const current = correlation.translateGenerated(a)
  if (current === b) return true
  if (correlation.isFromClient(a)) return false
  if (a !== '' && b !== '' && isTime(a) && isTime(b))
    // A running clock went on while the recorded request was handled.
    return shift_ms === null || Math.abs(Date.parse(a) + shift_ms - Date.parse(b)) <= TOLERANCE_MS
  if (DATE.test(a) && DATE.test(b)) return field !== 'dob' && isSameDate(a, b, shift_ms)
  if (field.endsWith('_last_four')) return correlation.hasNewValues && !correlation.isEndOfClientValue(a)
  const rest = current.replace(TIME, '')
  return shift_ms !== 0 && rest === b.replace(TIME, '') && rest !== current && rest !== b
}

const isEmpty = (value: Json | undefined) =>
  (isList(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0)

/** A shift over a weekend and a holiday moves business days by up to this many days. */
const MAX_DAYS = 4
const DAY_MS = 86_400_000
const isSameDate = (a: string, b: string, shift_ms: number | null) =>
  shift_ms === null || (shift_ms !== 0 && Math.abs(Date.parse(a) + shift_ms - Date.parse(b)) <= MAX_DAYS * DAY_MS)

const MAX_LENGTH = 1_000
const shorten = (text: string) => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text)
