import type { ExchangeInFull } from '../../contract/control.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import type { ExchangeLog } from '../../http/exchanges.ts'
import type { Seal } from '../../store/seal.ts'
import { collectionNames, collectionOf, type World } from '../../store/world.ts'
import type { Act, ActLog } from '../acts.ts'
import type { RecordedRequest } from '../recordings/recording.ts'
import { DROPPED, PUTS_A_WORLD_IN_PLACE, type Step } from './replay.ts'

/** What came through two of the doors, in one order: requests and what the operator did. Time follows from it. */

export type Entry = { readonly exchange: ExchangeInFull } | { readonly act: Act }

export interface Logs {
  readonly exchanges: ExchangeLog
  readonly acts: ActLog
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

/**
 * The record of the present line: what was before another world was put in the place of that one is of another line.
 */
export function presentRecord({ exchanges, acts }: Logs): PresentRecord {
  const all = acts.all()
  const turn = all.findLast(({ name }) => PUTS_A_WORLD_IN_PLACE.has(name))
  const later = all.filter(({ uid }) => !turn || numberOf(uid) > numberOf(turn.uid))
  const after = turn ? numberOf(turn.after) : 0
  const [first] = exchanges.summaries().filter(({ uid }) => numberOf(uid) > after)
  const seqs = [first?.seq_before, later[0]?.seq_before].filter((seq) => seq !== undefined)
  // The log keeps the newest: what the operator did before its first request is of no use without the requests.
  const isWhole = !first || numberOf(first.uid) === after + 1
  const from = !isWhole ? first.seq_before : turn ? turn.seq_after : Math.min(...seqs, Number.MAX_SAFE_INTEGER)
  return {
    from,
    isMasked: turn?.name === 'bundles.import',
    turn: turn?.name ?? null,
    isWhole,
    entries: merged(
      { exchanges, after },
      later.filter(({ seq_before }) => seq_before >= from),
    ),
  }
}

function* merged(
  { exchanges, after }: { exchanges: ExchangeLog; after: number },
  acts: readonly Act[],
): Iterable<Entry> {
  const waiting = [...acts]
  for (const exchange of exchanges.all()) {
    if (numberOf(exchange.uid) <= after) continue
    while (waiting[0] && numberOf(waiting[0].after) < numberOf(exchange.uid)) yield { act: waiting.shift()! }
    yield { exchange }
  }
  for (const act of waiting) yield { act }
}

/** Everything since a commit of the present line. */
export function entriesSince(logs: Logs, seq: number, newest: number): Entry[] {
  if (seq > newest)
    throw new ApiError('invalidArgument', `since: the newest commit is ${newest}, and ${seq} has not been yet`)
  const { from, entries } = presentRecord(logs)
  if (seq < from && from !== Number.MAX_SAFE_INTEGER)
    throw new ApiError('invalidArgument', `since: the record of the present world begins after commit ${from}`)
  return [...entries].filter((entry) => seqOf(entry) >= seq)
}

export function exchangesNamed({ exchanges }: Logs, uids: readonly Uid[]): Entry[] {
  const wanted = new Set(uids)
  const found = [...exchanges.all()].filter(({ uid }) => wanted.delete(uid))
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
const isDropped = ({ fault = '' }: ExchangeInFull) => fault.includes('drop_after_commit')

function requestOf(exchange: ExchangeInFull, seal: Seal): RecordedRequest {
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
