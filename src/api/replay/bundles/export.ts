import { randomBytes } from 'node:crypto'
import type { Cause, LedgerCheck } from '../../contract/control.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import { checkBooks } from '../../domain/rules/ledger.ts'
import { demonstrationKey } from '../../domain/seed.ts'
import { Clock } from '../../store/clock.ts'
import type { Commit } from '../../store/commit.ts'
import { MemoryWorldFile } from '../../store/data-folder.ts'
import { currentBranch, diffBackTo, worldAt } from '../../store/history.ts'
import { createSeal } from '../../store/seal.ts'
import { copyWorld, diffWorlds } from '../../store/snapshots.ts'
import { mapInSteps, type Steps } from '../../store/steps.ts'
import { Store } from '../../store/store.ts'
import { collectionNames, collectionOf, emptyCollections, type StoredRecord, type World } from '../../store/world.ts'
import { checkLedgerInSteps } from '../../views/books.ts'
import type { OperatorAction } from '../operator-log.ts'
import { type Entry, presentRecord, type Recorded, seqOf } from '../record.ts'
import { UnreadableRecording } from '../recordings/recording.ts'
import type { Bundle } from './bundle.ts'
import { type Mask, maskOf } from './mask.ts'

/** What is handed on, and what is made of it elsewhere. */

// ── Out ────────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface About {
  readonly made_by: string
  readonly note: string | null
}

/**
 * The present world with its record, personal data masked, as it stands at the first of the steps. Nothing of the sandbox
 * is changed.
 */
export function* exportSteps(recorded: Recorded, { made_by, note }: About): Steps<Bundle> {
  const { store } = recorded
  const now = new Date(store.clock.now()).toISOString()
  const present = presentRecord(recorded)
  const [newest, all] = [store.world.seq, [...present.entries]]
  const commits = yield* mapInSteps(currentBranch(store), (commit) => commit)
  const oldest = commits.at(-1)?.seq ?? newest
  // The history may be shorter than the record: what came before it cannot be made to happen again.
  const start = Math.min(Math.max(present.from, oldest), newest)
  return yield* masked({
    made_by,
    note,
    now,
    world: yield* worldAt(store, start),
    commits: commits.reverse().filter(({ seq }) => seq > start),
    entries: all.filter((entry) => seqOf(entry) >= start),
  })
}

/** Whoever reads it meets nobody. The key of the mask is drawn here and lost here: nobody can undo it. */
function* masked(bundle: Bundle): Steps<Bundle> {
  const { world, commits, entries, note, now } = bundle
  const mask = maskOf({ key: randomBytes(32), seal: createSeal(world.seed), span: [world.clock.at, now] })
  for (const record of recordsOf(world)) mask.learn.value(record)
  yield* mapInSteps(commits, ({ changes }) => mask.learn.value(changes))
  yield* mapInSteps(entries, (entry) =>
    'act' in entry ? mask.learn.body(entry.act.input, JSON_TYPE) : mask.learn.exchange(entry.exchange),
  )
  return {
    ...bundle,
    note: note === null ? null : mask.text(note),
    world: withRecords(world, (record) => keyless(mask.value(record))),
    commits: yield* mapInSteps(commits, (commit) => withChanges(commit, (record) => keyless(mask.value(record)))),
    entries: yield* mapInSteps(entries, (entry) => maskedEntry(entry, mask)),
  }
}

const maskedEntry = (entry: Entry, mask: Mask): Entry =>
  'act' in entry
    ? { act: { ...entry.act, input: mask.body(entry.act.input, JSON_TYPE) } }
    : { exchange: mask.exchange(entry.exchange) }

const JSON_TYPE = 'application/json'

/** A Program's settings are handed on, its keys are not. */
const keyless = (record: StoredRecord): StoredRecord => (isProgram(record) ? without(record, KEYS) : record)
const KEYS = ['hmac_key', 'former_hmac_keys']
const isProgram = (record: StoredRecord): boolean =>
  'hmac_key' in record || ('client_uid' in record && 'allowlist' in record)
const without = (record: StoredRecord, names: readonly string[]): StoredRecord =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name))) as unknown as StoredRecord

// ── In ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface Imported {
  /** The commit after which the world of the bundle stands here as it was when its record begins. */
  readonly since: number
  readonly exchanges: number
  readonly acts: number
}

/**
 * Everything happens here as it did there: the world at the beginning of the record, then commit after commit, each
 * checked again, and the record beside it. It is tried in memory first; what fails all the same is taken back.
 */
export function* importSteps(recorded: Recorded, bundle: Bundle): Steps<Imported> {
  const { store } = recorded
  const keyed = withKeys(bundle, store.world)
  yield* validateBundle(keyed)
  yield 'last'
  const before = store.world.seq
  try {
    installWorld(store, keyed.world)
    return takenIn(recorded, keyed, before)
  } catch (error) {
    // As on a full disk: the world of before takes its place again.
    if (store.world.seq > before) store.replaceWorld(CAUSE, diffBackTo(store, before))
    throw error
  }
}

/** A commit of its own, which says that nothing of what was before is part of the line that begins here. */
export const installWorld = (store: Store, world: World) =>
  store.replaceWorld(CAUSE, { ...diffWorlds(store.world, world), clock: { ...world.clock }, seq: 0 })

/** The world of the bundle stands in the store, as it was when its record begins: what came after is done again. */
export function takenIn(recorded: Recorded, bundle: Bundle, seq_before: number): Imported {
  const { store, exchanges, acts } = recorded
  const since = store.world.seq
  acts.add({
    name: 'bundles.import',
    input: '{}',
    at: store.world.clock.at,
    after: exchanges.newestUid,
    seq_before,
    seq_after: since,
  })
  return { since, ...relived(recorded, bundle) }
}

function relived(recorded: Recorded, bundle: Bundle): Omit<Imported, 'since'> {
  const { store, exchanges, acts } = recorded
  const ahead = store.world.seq - bundle.world.seq
  const uids = new Map<Uid, Uid>()
  let next = numberOf(exchanges.nextUid)
  for (const entry of bundle.entries) if ('exchange' in entry) uids.set(entry.exchange.uid, `x${next++}`)
  const here = (uid: Uid | undefined) => (uid === undefined ? undefined : uids.get(uid))
  for (const commit of bundle.commits) {
    const exchange = here(commit.cause.exchange)
    const { exchange: _, ...cause } = commit.cause
    store.repeatCommit({ ...commit, cause: { ...cause, ...(exchange === undefined ? {} : { exchange }) } })
  }
  // The clock of the bundle was moving, or had moved on, when it was made.
  store.operate(CAUSE, (tx) => tx.setClock({ ...tx.clock, mode: 'frozen', at: later(tx.clock.at, bundle.now) }))
  let newest = exchanges.newestUid
  for (const entry of bundle.entries)
    if ('act' in entry) acts.add({ ...moved(entry.act, ahead), after: newest })
    else {
      newest = here(entry.exchange.uid)!
      exchanges.addExisting({ ...moved(entry.exchange, ahead), uid: newest })
    }
  const count = bundle.entries.filter((entry) => 'act' in entry).length
  return { exchanges: bundle.entries.length - count, acts: count }
}

/** In memory: a commit that does not hold, and books that do not balance, are found before anything is changed. */
export function* validateBundle({ world, commits }: Bundle): Steps<void> {
  const copy = frozen(copyWorld(world))
  const store = new Store(copy, new Clock(copy, () => 0), new MemoryWorldFile(), checkBooks)
  yield* mapInSteps(commits, (commit) => relivedIn(store, commit))
  const { balanced, problems } = yield* proof(store)
  if (!balanced)
    throw new UnreadableRecording(`The books of the bundle do not balance: ${problems[0]}. Nothing was imported`)
}

function relivedIn(store: Store, commit: Commit) {
  try {
    store.repeatCommit(commit)
  } catch (error) {
    throw new UnreadableRecording(
      `Commit ${commit.seq} of the bundle does not hold: ${(error as Error).message}. Nothing was imported`,
    )
  }
}

function* proof(store: Store): Steps<Pick<LedgerCheck, 'balanced' | 'problems'>> {
  try {
    return yield* checkLedgerInSteps(store)
  } catch (error) {
    return { balanced: false, problems: [(error as Error).message] }
  }
}

/** The keys that these Programs have here, or new ones. A world that is looked at stands still. */
export function withKeys(bundle: Bundle, present: World | undefined): Bundle {
  const keys = new Map<Uid, string>()
  const keyed = (record: StoredRecord): StoredRecord => {
    if (!isProgram(record)) return record
    const key =
      keys.get(record.uid) ??
      present?.collections.programs.get(record.uid)?.hmac_key ??
      demonstrationKey(record.uid) ??
      randomBytes(24).toString('base64url')
    keys.set(record.uid, key)
    return { ...without(record, KEYS), hmac_key: key } as StoredRecord
  }
  return {
    ...bundle,
    world: frozen(withRecords(bundle.world, keyed)),
    commits: bundle.commits.map((commit) => {
      const { clock, ...rest } = withChanges(commit, keyed)
      return { ...rest, ...(clock ? { clock: { ...clock, mode: 'frozen' as const } } : {}) }
    }),
  }
}

export const CAUSE: Cause = { door: 'operator', name: 'bundles.import' }

const frozen = (world: World): World => ({ ...world, clock: { ...world.clock, mode: 'frozen' } })
const later = (a: string, b: string) => (a > b ? a : b)
const numberOf = (uid: Uid) => Number(uid.slice(1))
const moved = <T extends Pick<OperatorAction, 'seq_before' | 'seq_after'>>(entry: T, ahead: number): T => ({
  ...entry,
  seq_before: entry.seq_before + ahead,
  seq_after: entry.seq_after + ahead,
})

function* recordsOf(world: World): Iterable<StoredRecord> {
  for (const name of collectionNames) yield* collectionOf(world, name).inOrder()
}

function withRecords(world: World, made: (record: StoredRecord) => StoredRecord): World {
  const copy: World = { ...world, collections: emptyCollections() }
  for (const name of collectionNames)
    for (const record of collectionOf(world, name).inOrder()) collectionOf(copy, name).set(record.uid, made(record))
  return copy
}

const withChanges = (commit: Commit, made: (record: StoredRecord) => StoredRecord): Commit => ({
  ...commit,
  changes: commit.changes.map(({ record, was, ...change }) => ({
    ...change,
    record: record && made(record),
    was: was && made(was),
  })),
})
