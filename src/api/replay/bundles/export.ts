import { type Keepable, leftByMask } from '../../contract/control/bundles.ts'
import { ApiError } from '../../contract/errors.ts'
import type { Timestamp } from '../../contract/terms/primitives.ts'
import type { Commit } from '../../store/commit.ts'
import { worldAt } from '../../store/history.ts'
import { createSeal } from '../../store/seal.ts'
import { type Steps, withoutCount } from '../../store/steps.ts'
import type { Store } from '../../store/store.ts'
import { type CollectionName, collectionNames, collectionOf, type StoredRecord, type World } from '../../store/world.ts'
import { currentRecord, findReplayableBeginning, type RecordEntry, type RecordedSandbox } from '../record.ts'
import { formatHeader } from './bundle.ts'
import { importedOutcomes, withOutcomes } from './forced-outcomes.ts'
import { removeKeys } from './map-records.ts'
import { Mask } from './mask.ts'
import { demoValuesInSteps } from './public-values.ts'

export interface BundleInfo {
  readonly made_by: string
  readonly note: string | null
  /** Personal values that are not masked. */
  readonly keep?: readonly Keepable[]
}

interface ExportOptions extends BundleInfo {
  /** Clients may have put keys and tokens into any field of a record. */
  readonly removeSecrets: (text: string) => string
}

export interface ExportCounts {
  /** Simulated time of the export. */
  readonly now: Timestamp
  readonly exchanges: number
  readonly acts: number
  readonly commits: number
  /** In how many places a text was too long to be masked, and was cut. A replay of its request may differ. */
  readonly cut: number
}

/**
 * The world with its record, as they are at the first step, with personal data masked. Changes nothing. The lines are written one
 * after the other and none is kept, so the record is read twice: first to learn what to mask. The mask has a dictionary of
 * random pseudonyms, which is discarded, so they cannot be reversed.
 */
export function* exportBundle(
  recorded: RecordedSandbox,
  { made_by, note, keep = [], removeSecrets }: ExportOptions,
  write: (line: string) => void,
): Steps<ExportCounts> {
  const { mask, parts, learned, world, now, commits } = yield* learnRecorded(recorded, keep)
  const left = leftByMask(keep)
  // A note may be longer than any text of a record.
  const lines = note?.split('\n').map((line) => mask.text(line))
  write(removeSecrets(formatHeader({ made_by, note: lines?.join('\n') ?? null, now, left, world })))
  let written = 0
  const counts = { commits: 0, exchanges: 0, acts: 0 }
  for (const part of parts()) {
    write(removeSecrets(JSON.stringify(yield* maskPart(part, mask))))
    written++
    if ('commit' in part) counts.commits++
    else if ('act' in part) counts.acts++
    else if ('exchange' in part) counts.exchanges++
    yield
  }
  if (counts.commits !== commits) throw changedMeanwhile('the history')
  if (counts.exchanges + counts.acts !== learned) throw changedMeanwhile('the request log')
  write(JSON.stringify({ end: written }))
  return { now, ...counts, cut: mask.cuts }
}

/** Masks what is said about the world, such as lines of a log: as a bundle of this moment would, with pseudonyms of its own. */
export function* maskValue<T>(recorded: RecordedSandbox, value: T): Steps<T> {
  const { mask } = yield* learnRecorded(recorded, [])
  return yield* mask.value(value)
}

/** The world with its record, as they are at the first step, and a mask that has learned all of it. */
function* learnRecorded(recorded: RecordedSandbox, keep: readonly Keepable[]) {
  const { store } = recorded
  const now = new Date(store.clock.now()).toISOString()
  const newest = store.world.seq
  const { from, entriesSince } = yield* currentRecord(recorded)
  const oldest = Math.min(Math.max(from, yield* oldestCommit(store, from)), newest)
  const start = yield* findReplayableBeginning(store, oldest)
  const world = yield* withoutCount(worldAt(store, start))
  const mask = new Mask({
    seal: createSeal(world.seed),
    publicValues: yield* demoValuesInSteps(),
    span: [world.clock.at, now],
    keep,
    forced: importedOutcomes(world.collections.programs.inOrder()),
  })
  const parts = function* (): Iterable<Part> {
    yield* recordsOf(world)
    for (const commit of store.commitsBetween(start + 1, newest)) yield { commit }
    yield* entriesSince(start)
  }
  let learned = 0
  for (const part of parts()) {
    yield* learnPart(part, mask)
    if ('act' in part || 'exchange' in part) learned++
    yield
  }
  return { mask, parts, learned, world, now, commits: newest - start }
}

/** A line of the bundle, before it is masked. */
type Part =
  | { readonly collection: CollectionName; readonly record: StoredRecord }
  | { readonly commit: Commit }
  | RecordEntry

function* learnPart(part: Part, mask: Mask): Steps<void> {
  if ('collection' in part) yield* mask.learn.record(part.collection, part.record)
  else if ('act' in part) yield* mask.learn.body(part.act.input, JSON_TYPE)
  else if ('exchange' in part) yield* mask.learn.exchange(part.exchange)
  // A rewind puts back what was learned before.
  else if (part.commit.goes_on_from === undefined)
    for (const { collection, record, was } of part.commit.changes) {
      if (was) yield* mask.learn.value(was)
      if (record) yield* mask.learn.record(collection, record)
    }
}

function* maskPart(part: Part, mask: Mask): Steps<object> {
  if ('collection' in part) return { ...part, record: yield* maskRecord(part.record, mask) }
  if ('exchange' in part) return { exchange: yield* mask.exchange(part.exchange) }
  if ('act' in part)
    return { act: { ...part.act, input: yield* mask.body(removePublicKey(part.act.input), JSON_TYPE) } }
  // The digest is that of the records without a mask, and the logs are parts of the bundle.
  const { action: _, digest: __, logged: ___, ...commit } = part.commit
  const changes: object[] = []
  // An import finds the changes of a rewind from the commits before it.
  for (const { record, was, ...change } of commit.goes_on_from === undefined ? commit.changes : [])
    changes.push({ ...change, record: yield* maskRecord(record, mask), was: yield* maskRecord(was, mask) })
  return { commit: { ...commit, changes } }
}

function* maskRecord(record: StoredRecord | null, mask: Mask): Steps<StoredRecord | null> {
  return record && withOutcomes(removeKeys(yield* mask.value(record)), mask.outcomes)
}

const changedMeanwhile = (what: string) =>
  new ApiError('invalidArgument', `the oldest entries of ${what} were deleted during the export: export again`)

/** The history may begin later than the record; a replay needs both. */
function* oldestCommit(store: Store, from: number): Steps<number> {
  let oldest = store.world.seq
  for (const commit of store.history()) {
    oldest = commit.seq
    if (oldest <= from) break
    yield 0
  }
  return oldest
}

const JSON_TYPE = 'application/json'

/** A mask would make it unreadable, and it names its owner. */
const removePublicKey = (input: string) =>
  /"pgp_public_key":"/.test(input) ? JSON.stringify({ ...JSON.parse(input), pgp_public_key: null }) : input

function* recordsOf(world: World) {
  for (const collection of collectionNames)
    for (const record of collectionOf(world, collection).inOrder()) yield { collection, record }
}
