import { randomBytes } from 'node:crypto'
import type { Cause } from '../../contract/control/history.ts'
import type { LedgerCheck } from '../../contract/control/ledger.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import { pauseAll } from '../../domain/resources/webhooks.ts'
import { checkBooks } from '../../domain/rules/ledger.ts'
import { demonstrationKey } from '../../domain/seed.ts'
import { printExchange } from '../../http/exchanges.ts'
import {
  type Call,
  type CallLog,
  type ImportedCall,
  isRequest,
  numberOf,
  type OperatorAction,
  toImported,
} from '../../store/call-log.ts'
import { Clock } from '../../store/clock.ts'
import type { Commit, LoggedCounts, PrintedCommit } from '../../store/commit.ts'
import { printRest } from '../../store/commit-format.ts'
import { forkWorld, inParts } from '../../store/copies.ts'
import { diffBackToInSteps } from '../../store/history.ts'
import { MemoryWorldFile } from '../../store/memory-world-file.ts'
import { nextWorldOf, replaceWorldInSteps } from '../../store/replacement.ts'
import { MAX_CHANGES_IN_COMMIT } from '../../store/replacement-file.ts'
import { mapInSteps, type Steps, withoutCount } from '../../store/steps.ts'
import { Store } from '../../store/store.ts'
import { uidAt } from '../../store/uid.ts'
import { type CollectionName, collectionNames, collectionOf, type StoredRecord, type World } from '../../store/world.ts'
import { checkLedgerInSteps } from '../../views/books.ts'
import { showRecord } from '../../views/records.ts'
import { booksProof } from '../prove-books.ts'
import { UnreadableRecording } from '../recordings/recording.ts'
import type { Bundle, BundledCommit } from './bundle.ts'
import { isKeyOwner, isWebhook, mapCollection, mapCommitRecords, removeKeys } from './map-records.ts'
import { findMissingReference } from './references.ts'
import { describeIssue, findWrongField } from './stored-fields.ts'

/** Where a bundle is imported. */
export interface ImportPlace {
  readonly store: Store
  readonly log: CallLog
}

export interface ImportResult {
  /** The commit after which this world is the one at the beginning of the bundle's record. */
  readonly since: number
  readonly exchanges: number
  readonly acts: number
}

/** Proves the bundle in memory first. */
export function* importBundle(place: ImportPlace, bundle: Bundle): Steps<ImportResult> {
  const prepared = yield* prepareImport(addKeys(bundle, place.store.world))
  return yield* withoutCount(installBundle(place, prepared))
}

/** A bundle that is proved to be valid. */
export interface PreparedImport {
  readonly bundle: Bundle
  /** After the commits of the bundle, with a frozen clock. */
  readonly end: World
  readonly commits: readonly Commit[]
  /** The webhooks that the last of these commits pauses. */
  readonly paused: readonly Uid[]
}

export function* prepareImport(bundle: Bundle): Steps<PreparedImport> {
  const commits: Commit[] = []
  const store = yield* validateBundle(bundle, (commit) => void commits.push(commit))
  const paused = store.operate(IMPORT_CAUSE, (tx) => {
    tx.setClock({ ...tx.clock, mode: 'frozen', at: laterOf(tx.clock.at, bundle.now) })
    return pauseAll(tx)
  })
  return { bundle, end: store.world, commits, paused }
}

/**
 * Puts the world of a bundle in place, as a commit that continues from nothing before it, with the commits and the log of the
 * bundle. All of these are printed before, in steps. The last step gives them their numbers and writes them: the log, then all commits at
 * once, so the import counts as a whole or not at all.
 */
export function* installBundle({ store, log }: ImportPlace, prepared: PreparedImport): Steps<ImportResult> {
  const { bundle, end } = prepared
  const { calls, commits, ...count } = yield* printHistory(prepared)
  const world = { ...nextWorldOf(bundle.world), clock: { ...bundle.world.clock }, seq: 0 }
  let since = 0
  yield* replaceWorldInSteps(store, IMPORT_CAUSE, world, proveBeginning, () => {
    since = store.world.seq + 1
    const offsets = { commits: since - bundle.world.seq, ...log.counts }
    for (const { summary } of calls) shiftEntry(summary, offsets)
    // The import is one operation, which begins with its own commit.
    for (const { commit } of commits) shiftCommit(commit, offsets, since)
    return {
      commits,
      log: { write: () => log.addAll(calls), takeBack: () => log.takeBack(calls.length) },
      end,
    }
  })
  return { since, ...count }
}

/** What is added to the numbers of the bundle's commits, and to those of its entries, which count from 1. */
type Offsets = LoggedCounts & { readonly commits: number }

/** Changes the entry itself, as `shiftCommit` does: copies of all of them would take long in the last step. */
function shiftEntry(entry: Call, offsets: Offsets) {
  const numbered = entry as { uid: Uid; seq_before: number; seq_after: number; after?: Uid | null }
  numbered.uid = shiftUid(numbered.uid, offsets)
  numbered.seq_before += offsets.commits
  numbered.seq_after += offsets.commits
  // x0 is the newest request before the import, if there was one.
  if (numbered.after)
    numbered.after = numbered.after === 'x0' && offsets.requests === 0 ? null : shiftUid(numbered.after, offsets)
}

function shiftCommit(commit: Commit, offsets: Offsets, part_of: number) {
  const numbered = commit as { seq: number; part_of: number; goes_on_from?: number; cause: { exchange?: Uid } }
  const { cause, goes_on_from } = numbered
  numbered.seq += offsets.commits
  numbered.part_of = part_of
  if (goes_on_from !== undefined) numbered.goes_on_from = goes_on_from + offsets.commits
  if (cause.exchange !== undefined) cause.exchange = shiftUid(cause.exchange, offsets)
}

const shiftUid = (uid: Uid, { requests, actions }: LoggedCounts): Uid =>
  `${uid[0]!}${numberOf(uid) + (isRequest(uid) ? requests : actions)}`

/** Those at the end are proved when the bundle is read. */
const proveBeginning = booksProof(
  (problem) =>
    new UnreadableRecording(
      `The books at the beginning of the bundle do not balance: ${problem}. Nothing was imported`,
    ),
)

/** As if the commit of the import had the number of the one that led to the world at the beginning of the bundle. */
function* printHistory({ bundle, end, commits, paused }: PreparedImport) {
  const calls: ImportedCall[] = []
  const uids = new Map<Uid, Uid>()
  const { seq } = bundle.world
  let actions = 0
  let after = 'x0'
  const toAction = (action: Omit<OperatorAction, 'uid'>) =>
    toImported({ summary: { ...action, uid: `o${++actions}` }, details: '{}' })
  const begin = { at: bundle.world.clock.at, after, seq_before: seq - 1, seq_after: seq }
  const followed_by = bundle.entries.length + paused.length
  calls.push(toAction({ name: 'bundles.import', input: '{}', ...begin, followed_by }))
  for (const entries of inBatches(bundle.entries)) {
    for (const entry of entries)
      if ('act' in entry) calls.push(toAction({ ...entry.act, after }))
      else {
        after = `x${uids.size + 1}`
        uids.set(entry.exchange.uid, after)
        calls.push(toImported(printExchange({ ...entry.exchange, uid: after })))
      }
    yield 0
  }
  const acts = actions - 1
  // A replay must pause them, too: it sends nothing.
  const last = { at: end.clock.at, after, seq_before: end.seq - 1, seq_after: end.seq }
  for (const uid of paused)
    calls.push(toAction({ name: 'webhooks.update', input: JSON.stringify({ uid, status: 'paused' }), ...last }))
  const printed: PrintedCommit[] = []
  for (const batch of inBatches(commits)) {
    for (const commit of batch)
      printed.push({ commit: { ...commit, cause: causeWith(commit, uids), part_of: 0 }, rest: printRest(commit) })
    yield 0
  }
  return { calls, commits: printed, exchanges: uids.size, acts }
}

/** A commit of a request that is not in the bundle does not name it. */
function causeWith({ cause: { exchange, ...cause } }: Commit, uids: ReadonlyMap<Uid, Uid>): Cause {
  const uid = exchange === undefined ? undefined : uids.get(exchange)
  return uid === undefined ? cause : { ...cause, exchange: uid }
}

/** A request may have a body of a megabyte. */
const BATCH = 25
const inBatches = <T>(items: readonly T[]) => inParts(items, BATCH)

/** Applies the bundle to a copy in memory, which it returns: finds invalid commits and books that do not balance. */
function* validateBundle({ world, commits, lines }: Bundle, onCommit: (commit: Commit) => void): Steps<Store> {
  const copy = freezeClock(forkWorld(world))
  const store = new Store(copy, new Clock(copy, () => 0), new MemoryWorldFile(), checkBooks)
  store.subscribe(onCommit)
  for (const name of collectionNames)
    yield* mapInSteps(collectionOf(copy, name).inOrder(), (record) =>
      requireValid(store, name, record, lines.records[name].get(record.uid)),
    )
  for (const [i, commit] of commits.entries()) {
    const line = lines.commits[i]
    yield 1
    try {
      if (commit.goes_on_from === undefined) store.repeatCommit(commit)
      else yield* withoutCount(repeatRewind(store, commit, commit.goes_on_from))
    } catch (error) {
      throw new UnreadableRecording(
        `Line ${line} of the bundle, commit ${commit.seq}, is invalid: ${(error as Error).message}. Nothing was imported`,
      )
    }
    for (const { collection, record } of commit.changes) if (record) requireValid(store, collection, record, line)
  }
  requireUnusedUids(copy)
  const { balanced, problems } = yield* checkLedger(store)
  if (!balanced)
    throw new UnreadableRecording(`The books of the bundle do not balance: ${problems[0]}. Nothing was imported`)
  return store
}

function* repeatRewind(store: Store, { cause, clock, counters }: BundledCommit, goes_on_from: number): Steps<void> {
  const diff = yield* withoutCount(diffBackToInSteps(store, goes_on_from))
  if (diff.changes.length > MAX_CHANGES_IN_COMMIT)
    throw new Error(`a rewind changes at most ${MAX_CHANGES_IN_COMMIT} records, and this one ${diff.changes.length}`)
  store.replaceWorld(cause, { ...diff, clock: clock ?? diff.clock })
  const { uid, made } = store.world.counters
  if (uid !== counters.uid || made !== counters.made)
    throw new Error(`counters: uid ${uid} and made ${made} are expected after this rewind`)
}

/** A record that the rules or a response cannot handle must not get into the world. */
function requireValid(store: Store, collection: CollectionName, record: StoredRecord, line: number | undefined) {
  const wrong =
    findWrongField(collection, record) ??
    findWrongResponse(store, collection, record) ??
    findMissingReference(store.world, record)
  if (wrong === undefined) return
  throw new UnreadableRecording(
    `Line ${line} of the bundle is invalid: ${collection} ${record.uid}: ${wrong}. Nothing was imported`,
  )
}

/** A record created later would overwrite the one that has its uid. */
function requireUnusedUids({ seed, counters, collections }: World) {
  for (let count = counters.uid; count < counters.uid + CHECKED_UIDS; count++) {
    const uid = uidAt(seed, count)
    const used = collectionNames.find((name) => collections[name].get(uid))
    if (used)
      throw new UnreadableRecording(
        `The counter of uids in the bundle is too low: ${counters.uid} was found, but ${used} ${uid} has number ${count}. Nothing was imported`,
      )
  }
}
const CHECKED_UIDS = 1000

/** Shows the record as a response would; returns what the schema of the response refuses. */
function findWrongResponse(store: Store, collection: CollectionName, record: StoredRecord): string | undefined {
  try {
    store.read(record.program_uid, (tx) => showRecord(tx, collection, record))
    return undefined
  } catch (error) {
    const { issues } = error as Partial<Parameters<typeof describeIssue>[0]>
    return issues ? describeIssue({ issues }) : `it cannot be shown: ${(error as Error).message}`
  }
}

function* checkLedger(store: Store): Steps<Pick<LedgerCheck, 'balanced' | 'problems'>> {
  try {
    return yield* checkLedgerInSteps(store)
  } catch (error) {
    return { balanced: false, problems: [(error as Error).message] }
  }
}

/**
 * Bundles have no keys. Each Program and webhook gets the keys that it has in `present`, that of the demonstration, or a random one. The
 * clock is frozen.
 */
export function addKeys(bundle: Bundle, present: World | undefined): Bundle {
  const keys = new Map<Uid, string>()
  const addKey = (record: StoredRecord): StoredRecord => {
    if (!isKeyOwner(record)) return record
    const { programs, webhooks } = present?.collections ?? {}
    const webhook = webhooks?.get(record.uid)
    const owner = programs?.get(record.uid) ?? webhook
    const key =
      keys.get(record.uid) ?? owner?.hmac_key ?? demonstrationKey(record.uid) ?? randomBytes(24).toString('base64url')
    keys.set(record.uid, key)
    const publicKey = isWebhook(record) ? { pgp_public_key: webhook?.pgp_public_key ?? null } : {}
    return inOrderOf(owner, { ...removeKeys(record), hmac_key: key, ...publicKey })
  }
  return {
    ...bundle,
    world: freezeClock(mapCollection(mapCollection(bundle.world, 'programs', addKey), 'webhooks', addKey)),
    commits: bundle.commits.map((commit) => {
      const { clock } = commit
      const changed = commit.changes.some(({ record, was }) => hasKeys(record) || hasKeys(was))
        ? mapCommitRecords(commit, addKey)
        : commit
      return clock ? { ...changed, clock: { ...clock, mode: 'frozen' as const } } : changed
    }),
  }
}

const hasKeys = (record: StoredRecord | null) => record !== null && isKeyOwner(record)

/** A record that is the same as the one of the current world must also have its fields in the same order. */
const inOrderOf = (present: object | undefined, record: object) =>
  ({
    ...Object.fromEntries(Object.keys(present ?? {}).flatMap((name) => (name in record ? [[name, undefined]] : []))),
    ...record,
  }) as unknown as StoredRecord

const IMPORT_CAUSE: Cause = { door: 'operator', name: 'bundles.import' }

const freezeClock = (world: World): World => ({ ...world, clock: { ...world.clock, mode: 'frozen' } })
const laterOf = (a: string, b: string) => (a > b ? a : b)
