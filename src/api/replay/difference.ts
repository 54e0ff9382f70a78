import type { ReplayDifference } from '../contract/control.ts'
import type { Correlation } from './correlation.ts'
import { isList, isObject, type Json, pairs, parsed, uidsOf } from './json-pairs.ts'
import type { HeaderList, RecordedAnswer } from './recordings/recording.ts'

/**
 * What differs between an answer of the record and the answer of today. What must differ is understood: uids and other
 * generated values stand for one another, trace ids are mapped, time has moved on.
 */

export interface Understood {
  readonly correlation: Correlation
  /** What simulated time is ahead of the record; null when the replay keeps a time of its own. */
  readonly shift_ms: number | null
  /** The list is sorted by masked words, which have another order. */
  readonly sortsOtherwise: boolean
}

export function differences(recorded: RecordedAnswer, replayed: RecordedAnswer, understood: Understood) {
  const found: ReplayDifference[] = []
  if (recorded.status !== replayed.status)
    found.push({ at: 'status', recorded: recorded.status, replayed: replayed.status })
  found.push(...ofHeaders(recorded.headers, replayed.headers, understood))
  return [...found, ...ofBodies(recorded.body, replayed.body, understood)]
}

/** The headers that say something; the others are of the connection, the host, or the day. */
function ofHeaders(recorded: HeaderList, replayed: HeaderList, { correlation }: Understood): ReplayDifference[] {
  if (recorded.length === 0) return []
  const same: [name: string, say: (value: string, isRecorded: boolean) => string][] = [
    ['content-type', (value) => value.split(';')[0]!.trim().toLowerCase()],
    ['allow', (value) => value],
    ['retry-after', () => 'some seconds'],
    ['x-trace-id', (value, isRecorded) => (isRecorded ? correlation.trace(value) : value)],
  ]
  return same.flatMap(([name, say]) => {
    const a = headerOf(recorded, name)
    const b = headerOf(replayed, name)
    if ((a === undefined ? undefined : say(a, true)) === (b === undefined ? undefined : say(b, false))) return []
    return [{ at: `header ${name}`, recorded: a ?? null, replayed: b ?? null }]
  })
}

function ofBodies(recorded: string, replayed: string, understood: Understood): ReplayDifference[] {
  const a = parsed(recorded)
  const b = parsed(replayed)
  if (a === undefined || b === undefined)
    return recorded === replayed ? [] : [{ at: 'body', recorded: shortened(recorded), replayed: shortened(replayed) }]
  const { correlation } = understood
  const found = [...pairs(a, b, correlation.twinOf)]
    .filter((pair) => !isSame(pair.field, pair.a, pair.b, understood))
    .map((pair) => ({ at: pair.at || 'body', recorded: orAbsent(pair.a), replayed: orAbsent(pair.b) }))
  return [...found, ...(understood.sortsOtherwise ? [] : ofOrder(a, b, correlation))]
}

/** Not there is not null. */
const orAbsent = (value: Json | undefined) => (value === undefined ? '(absent)' : value)

/** The same records in another order, at any depth. */
function ofOrder(a: Json | undefined, b: Json | undefined, correlation: Correlation, at = ''): ReplayDifference[] {
  if (isObject(a) && isObject(b))
    return Object.keys(a).flatMap((name) => ofOrder(a[name], b[name], correlation, at === '' ? name : `${at}.${name}`))
  const before = uidsOf(a)?.map((uid) => correlation.twinOf(uid) ?? uid)
  const after = uidsOf(b)
  if (!before || !after || before.length !== after.length) return []
  const isMoved = before.some((uid, i) => uid !== after[i]) && before.every((uid) => after.includes(uid))
  return isMoved ? [{ at: `${at}, the order`, recorded: uidsOf(a), replayed: after }] : []
}

const SLACK_MS = 1_000
const TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/g
const DAY = /^\d{4}-\d{2}-\d{2}$/
const isTime = (text: string) => text.replace(TIME, '') === ''

function isSame(field: string, a: Json | undefined, b: Json | undefined, understood: Understood): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return a === b || (isEmpty(a) && isEmpty(b))
  const { correlation, shift_ms } = understood
  // A log takes secrets out.
  if (a === '[removed]') return b !== ''
  const today = correlation.told(a)
  if (today === b) return true
  // What came in must come back as it was.
  if (correlation.isGiven(a)) return false
  if (a !== '' && b !== '' && isTime(a) && isTime(b))
    // The record was made by a clock that ran while the request was answered.
    return shift_ms === null || Math.abs(Date.parse(a) + shift_ms - Date.parse(b)) <= SLACK_MS
  if (DAY.test(a) && DAY.test(b)) return field !== 'dob' && isThatDay(a, b, shift_ms)
  if (field.endsWith('_last_four')) return correlation.hasMoved && !correlation.isEndOfGiven(a)
  return shift_ms !== 0 && today.replace(TIME, '') === b.replace(TIME, '') && today !== today.replace(TIME, '')
}

const isEmpty = (value: Json | undefined) =>
  (isList(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0)

/** Business days are further apart over a holiday and a weekend. */
const DAY_MS = 86_400_000
const MOST_DAYS = 4
const isThatDay = (a: string, b: string, shift_ms: number | null) =>
  shift_ms === null || (shift_ms !== 0 && Math.abs(Date.parse(a) + shift_ms - Date.parse(b)) <= MOST_DAYS * DAY_MS)

const headerOf = (headers: HeaderList, wanted: string) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1]

const LONGEST = 1_000
const shortened = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
