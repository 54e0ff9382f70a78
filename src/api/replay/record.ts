import type { ExchangeDetail } from '../contract/control.ts'
import { ApiError } from '../contract/errors.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import type { ExchangeLog } from '../http/exchanges.ts'
import type { Seal } from '../store/seal.ts'
import type { Store } from '../store/store.ts'
import { collectionNames, collectionOf, type World } from '../store/world.ts'
import type { OperatorAction, OperatorLog } from './operator-log.ts'
import type { RecordedRequest } from './recordings/recording.ts'
import { DROPPED, type Step } from './replay.ts'

/** What came through two of the doors, in one order: requests and what the operator did. Time follows from it. */

export type Entry = { readonly exchange: ExchangeDetail } | { readonly act: OperatorAction }

export interface Recorded {
  readonly store: Store
  readonly exchanges: ExchangeLog
  readonly acts: OperatorLog
}

export interface PresentRecord {
  /** The commit after which it begins. */
  readonly from: number
  readonly entries: Iterable<Entry>
  /** It came in a bundle, so names are masked, and sort otherwise. */
  readonly isMasked: boolean
  /** What put the world in the place of another one; null when it is the one that was made with the sandbox. */
  readonly turn: string | null
  /** Nothing of it has been forgotten. */
  readonly isWhole: boolean
}

/** The record of the present line: what was before another world was put in the place of that one is of another line. */
export function presentRecord({ store, exchanges, acts }: Recorded): PresentRecord {
  const { latestReplacement: turn } = store
  const begins = turn?.seq ?? 0
  const of = { exchanges: lineOf(exchanges.summaries(), begins), acts: lineOf(acts.all(), begins) }
  const forgotten = Math.max(...[of.exchanges, of.acts].map((line) => (line.isWhole ? 0 : line.first)))
  const first = Math.min(of.exchanges.first, of.acts.first, store.world.seq)
  const from = forgotten > 0 ? forgotten : (turn?.seq ?? first)
  return {
    from,
    turn: turn?.cause.name ?? null,
    isMasked: turn?.cause.name === 'bundles.import',
    isWhole: forgotten === 0,
    entries: merged(exchanges, acts.all(), from),
  }
}

/** The commit before the first entry of the line, and whether older ones of it may have been forgotten. */
function lineOf(all: readonly Pick<OperatorAction, 'uid' | 'seq_before'>[], begins: number) {
  const [oldest] = all
  const first = all.find(({ seq_before }) => seq_before >= begins)
  const isWhole = !first || first !== oldest || numberOf(first.uid) === 1
  return { first: first?.seq_before ?? Number.POSITIVE_INFINITY, isWhole }
}

function* merged(exchanges: ExchangeLog, acts: readonly OperatorAction[], from: number): Iterable<Entry> {
  const waiting = acts.filter(({ seq_before }) => seq_before >= from)
  for (const exchange of exchanges.entries()) {
    if (exchange.seq_before < from) continue
    while (waiting[0] && numberOf(waiting[0].after) < numberOf(exchange.uid)) yield { act: waiting.shift()! }
    yield { exchange }
  }
  for (const act of waiting) yield { act }
}

/** Everything since a commit of the present line. */
export function entriesSince(recorded: Recorded, seq: number): Entry[] {
  const newest = recorded.store.world.seq
  if (seq > newest)
    throw new ApiError('invalidArgument', `since: the newest commit is ${newest}, and ${seq} has not been yet`)
  const { from, entries } = presentRecord(recorded)
  if (seq < from)
    throw new ApiError('invalidArgument', `since: the record of the present world begins after commit ${from}`)
  return [...entries].filter((entry) => seqOf(entry) >= seq)
}

export function exchangesNamed({ exchanges }: Pick<Recorded, 'exchanges'>, uids: readonly Uid[]): Entry[] {
  const wanted = new Set(uids)
  const found = [...exchanges.entries()].filter(({ uid }) => wanted.delete(uid))
  const [missing] = wanted
  if (missing !== undefined) throw new ApiError('routeNotFound', `there is no exchange ${missing}`)
  return found.map((exchange) => ({ exchange }))
}

export const seqOf = (entry: Entry): number => ('act' in entry ? entry.act : entry.exchange).seq_before

export const stepsOf = (entries: Iterable<Entry>, seal: Seal): Step[] =>
  [...entries].map((entry) =>
    'act' in entry
      ? { act: { ...entry.act, input: unsealed(entry.act.input, seal) } }
      : { request: requestOf(entry.exchange, seal), isDropped: isDropped(entry.exchange) },
  )

/** Its answer is on record, and has not reached the caller. */
const isDropped = ({ fault = '' }: ExchangeDetail) => fault.includes('drop_after_commit')

function requestOf(exchange: ExchangeDetail, seal: Seal): RecordedRequest {
  const { method, path, at, program_uid, status, request, response } = exchange
  return {
    method,
    path: unsealed(path, seal),
    headers: request.headers,
    body: unsealed(request.body, seal),
    // What was set on an answer that was never sent, nobody has read.
    answer: status === 0 ? DROPPED : { status, ...response },
    at,
    ...(program_uid === null ? {} : { program_uid }),
  }
}

/** The log keeps Social Security numbers sealed; sent again they must be what they were. */
export const unsealed = (text: string, seal: Seal) =>
  text.replace(/sealed(:|%3A)([\w-]+)/gi, (_, colon: string, rest: string) => {
    const opened = seal.open(`sealed:${rest}`)
    return colon === ':' ? opened : encodeURIComponent(opened)
  })

const numberOf = (uid: Uid | null) => (uid === null ? 0 : Number(uid.slice(1)))

export function uidsIn(world: World): Set<string> {
  return new Set(
    collectionNames.flatMap((name) =>
      collectionOf(world, name)
        .inOrder()
        .map(({ uid }) => uid),
    ),
  )
}
