import type { Exchange, ExchangeDetail } from '../contract/control/exchanges.ts'
import { ApiError } from '../contract/errors.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import type { ExchangeLog } from '../http/exchanges.ts'
import { MAX_SEALS } from '../http/text-budget.ts'
import { numberOf, type OperatorAction } from '../store/call-log.ts'
import type { Commit } from '../store/commit.ts'
import { findLeftCommits } from '../store/history.ts'
import { openInText, SEALED, type Seal } from '../store/seal.ts'
import { eachInSteps, mapInSteps, type Steps, withoutCount } from '../store/steps.ts'
import type { Store, WorldReplacement } from '../store/store.ts'
import { collectionNames, collectionOf, type World } from '../store/world.ts'
import { KeptInputs } from './kept-inputs.ts'
import type { OperatorLog } from './operator-log.ts'
import type { RecordedRequest } from './recordings/recording.ts'
import { NO_RESPONSE, type ReplayStep, type RewindGoal } from './replay.ts'

/** The record of a world: its requests and operator actions, in one order. Replayed, they produce the same world. */

/** The field names are those of a bundle's lines. */
export type RecordEntry = { readonly exchange: ExchangeDetail } | { readonly act: OperatorAction }

export interface RecordedSandbox {
  readonly store: Store
  readonly exchanges: ExchangeLog
  readonly actions: OperatorLog
  /** The commit after which the logs begin; 0 unless the world was made from another one. */
  readonly begins?: number
}

interface WorldRecord {
  /** The commit after which the record begins. */
  readonly from: number
  /** Those since this commit or a later one, without what was added after the first step. Each call reads them again. */
  readonly entriesSince: (seq: number) => Iterable<RecordEntry>
  /** It comes from a bundle, so names are masked, and are sorted differently. */
  readonly isMasked: boolean
  /** The control method that replaced the world; null if the world is the one the sandbox was created with. */
  readonly replacedBy: string | null
  /** The commits of the rewinds in the record, with the commits that they go back to. */
  readonly rewinds: Rewinds
  /** The rewind that went back before the entry, if any: what the entry did is not in the current world. */
  readonly undoneBy: (entry: RecordEntry) => WorldReplacement | undefined
  /** The logs still hold all of it. */
  readonly isComplete: boolean
}

type Rewinds = ReadonlyMap<number, number>

/**
 * The replacement with which the record begins; null if it begins with `base`.
 *
 * Assumed (invented): the record goes on over a rewind to a commit within it, so it keeps what was undone. It begins anew with a restore, a reset, an
 * import, a rewind to a commit before its beginning, and a rewind that changes more than 1,000 records.
 */
function findRecordBeginning(replacements: readonly WorldReplacement[], base: number): WorldReplacement | null {
  let begins: WorldReplacement | null = null
  for (const replacement of replacements) {
    const { seq, cause, goes_on_from, isLarge } = replacement
    if (seq <= base) continue
    if (cause.name !== 'world.rewind' || isLarge || goes_on_from < (begins?.seq ?? base)) begins = replacement
  }
  return begins
}

/** The beginning of the record, or a later commit from which on it can be replayed: rewinds must not go back before it. */
export function* findReplayableBeginning(store: Store, from: number): Steps<number> {
  return findRecordBeginning(yield* withoutCount(store.findReplacements()), from)?.seq ?? from
}

/** The record since the latest beginning, as it is at the first step. */
export function* currentRecord({
  store,
  exchanges,
  actions: acts,
  begins: made = 0,
}: RecordedSandbox): Steps<WorldRecord> {
  const { seq } = store.world
  const newestExchange = numberOf(exchanges.newestUid)
  const actions = acts.entries()
  const replacements = yield* withoutCount(store.findReplacements())
  // A world that was made from another one has its commits, but not its logs.
  const latestReplacement = findRecordBeginning(replacements, made)
  const origin = findRecordBeginning(replacements, 0)
  const findLeft = findLeftCommits(replacements)
  const begins = latestReplacement?.seq ?? made
  const logs = [
    findBeginning(exchanges.authenticated(), begins, exchanges.isComplete),
    findBeginning(actions, begins, acts.isComplete),
  ] as const
  const deletedUntil = Math.max(...logs.map((log) => (log.isComplete ? 0 : log.first)))
  const first = Math.min(logs[0].first, logs[1].first, seq)
  const oldest = deletedUntil > 0 ? deletedUntil : (latestReplacement?.seq ?? first)
  const from = findRecordBeginning(replacements, oldest)?.seq ?? oldest
  return {
    from,
    replacedBy: latestReplacement?.cause.name ?? null,
    isMasked: origin?.cause.name === 'bundles.import',
    isComplete: deletedUntil === 0,
    rewinds: new Map(
      replacements.flatMap(({ seq, cause, goes_on_from }) =>
        cause.name === 'world.rewind' ? [[seq, goes_on_from]] : [],
      ),
    ),
    undoneBy: (entry) => findLeft(seqAfter(entry)),
    entriesSince: (seq) => mergeEntries(exchanges, actions, { from: Math.max(seq, from), newestExchange }),
  }
}

/** The commit before the first log entry since `begins`, and whether earlier entries may have been deleted. */
function findBeginning(
  all: readonly Pick<OperatorAction, 'uid' | 'seq_before'>[],
  begins: number,
  hasAllEntries: boolean,
) {
  const [oldest] = all
  const first = all.find(({ seq_before }) => seq_before >= begins)
  const isComplete = !first || first !== oldest || hasAllEntries
  return { first: first?.seq_before ?? Number.POSITIVE_INFINITY, isComplete }
}

function* mergeEntries(
  exchanges: ExchangeLog,
  actions: readonly OperatorAction[],
  { from, newestExchange }: { from: number; newestExchange: number },
): Iterable<RecordEntry> {
  const pending = actions.filter(({ seq_before }) => seq_before >= from)
  const isWanted = ({ uid, seq_before }: Exchange) => seq_before >= from && numberOf(uid) <= newestExchange
  for (const exchange of exchanges.entries(isWanted)) {
    while (pending[0] && numberOf(pending[0].after) < numberOf(exchange.uid)) yield { act: pending.shift()! }
    yield { exchange }
  }
  for (const act of pending) yield { act }
}

/** The entries since a commit of the current branch, one per step. */
export function* readEntriesSince(recorded: RecordedSandbox, seq: number): Steps<RecordEntry[]> {
  const newest = recorded.store.world.seq
  if (seq > newest)
    throw new ApiError('invalidArgument', `since: the newest commit is ${newest}; there is no commit ${seq} yet`)
  const { from, entriesSince } = yield* currentRecord(recorded)
  if (seq < from)
    throw new ApiError('invalidArgument', `since: the record of the present world begins after commit ${from}`)
  return yield* mapInSteps(entriesSince(seq), (entry) => entry)
}

export function* findExchanges(
  { exchanges }: Pick<RecordedSandbox, 'exchanges'>,
  uids: readonly Uid[],
): Steps<RecordEntry[]> {
  const wanted = new Set(uids)
  const found = yield* mapInSteps(
    exchanges.entries(({ uid }) => wanted.delete(uid)),
    (exchange) => ({ exchange }),
  )
  const [missing] = wanted
  if (missing !== undefined) throw new ApiError('routeNotFound', `there is no exchange ${missing}`)
  return found
}

export const seqBefore = (entry: RecordEntry): number => ('act' in entry ? entry.act : entry.exchange).seq_before

const seqAfter = (entry: RecordEntry): number => ('act' in entry ? entry.act : entry.exchange).seq_after

/** What the commits of a rewind are found from. */
interface RecordedCommits {
  /** The commit after which the steps begin, and the counter of made records then. */
  readonly begins: number
  readonly made: number
  readonly rewinds: Rewinds
  /** Oldest first. */
  readonly commitsBetween: (from: number, to: number) => Iterable<Pick<Commit, 'seq' | 'cause' | 'changes'>>
}

export function* toSteps(entries: Iterable<RecordEntry>, seal: Seal, commits: RecordedCommits): Steps<ReplayStep[]> {
  const steps: ReplayStep[] = []
  const done: RecordEntry[] = []
  const inputs = new KeptInputs(commits)
  const inputOf = function* (act: OperatorAction): Steps<string> {
    const input = unsealText(act.input, seal)
    const kept = yield* withoutCount(inputs.of(act))
    return kept ? JSON.stringify({ ...JSON.parse(input), ...kept }) : input
  }
  try {
    for (const entry of entries) {
      steps.push(
        'exchange' in entry
          ? { request: toRequest(entry.exchange, seal), isDropped: isDropped(entry.exchange) }
          : {
              action: { ...entry.act, input: yield* inputOf(entry.act) },
              ...(yield* goalOf(entry, done, commits)),
            },
      )
      done.push(entry)
      yield steps.length
    }
  } finally {
    inputs.close()
  }
  return steps
}

function* goalOf(
  entry: RecordEntry & { act: OperatorAction },
  before: readonly RecordEntry[],
  { begins, rewinds, commitsBetween }: RecordedCommits,
): Steps<{ rewind_to?: RewindGoal }> {
  const to = entry.act.name === 'world.rewind' ? rewinds.get(seqAfter(entry)) : undefined
  if (to === undefined || to < begins) return {}
  const after_step = before.findLastIndex((it) => seqAfter(it) <= to)
  const next = before[after_step + 1]
  const from = after_step === -1 ? begins : seqAfter(before[after_step]!)
  let commits = 0
  for (const { seq, cause } of commitsBetween(from + 1, to)) {
    if (cause.door === 'time' || (next && seq > seqBefore(next))) commits++
    yield commits
  }
  return { rewind_to: { after_step, commits } }
}

/** The log has a response that did not reach the client. */
const isDropped = ({ fault = '' }: ExchangeDetail) => fault.includes('drop_after_commit')

function toRequest(exchange: ExchangeDetail, seal: Seal): RecordedRequest {
  const { method, path, at, program_uid, status, request, response, fault } = exchange
  // Without a fault, no response was sent because the sandbox ended.
  const isUnanswered = status === 0 && fault === undefined
  return {
    method,
    path: unsealText(path, seal),
    headers: request.headers,
    body: unsealText(request.body, seal),
    response: isUnanswered ? null : status === 0 ? NO_RESPONSE : { status, ...response },
    at,
    ...(program_uid === null ? {} : { program_uid }),
  }
}

/** Opens the sealed Social Security numbers of a logged text, so that it can be sent again. The log has at most MAX_SEALS of them. */
export function unsealText(text: string, seal: Seal): string {
  let seals = MAX_SEALS
  return text.replace(/sealed(:|%3A)([\w-]{22,})/gi, (sealed, colon: string, rest: string) => {
    if (--seals < 0) return '[masked]'
    const found = openInText(seal, SEALED + rest)
    if (!found) return sealed
    return colon === ':' ? found.opened + found.rest : encodeURIComponent(found.opened + found.rest)
  })
}

export function* uidsIn(world: World): Steps<Set<string>> {
  const uids = new Set<string>()
  for (const name of collectionNames)
    yield* eachInSteps<{ readonly uid: Uid }>(collectionOf(world, name).inOrder(), ({ uid }) => uids.add(uid))
  return uids
}
