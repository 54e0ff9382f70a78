import { randomBytes } from 'node:crypto'
import { reversibleBranch, worldAt } from '../../store/history.ts'
import { createSeal } from '../../store/seal.ts'
import { mapInSteps, type Steps } from '../../store/steps.ts'
import { collectionNames, collectionOf, type StoredRecord, type World } from '../../store/world.ts'
import { currentRecord, type RecordEntry, type RecordedSandbox, seqBefore } from '../record.ts'
import type { Bundle } from './bundle.ts'
import { mergeOutcomes, withOutcomes } from './forced-outcomes.ts'
import { mapCommitRecords, mapWorldRecords, removeKeys } from './map-records.ts'
import { createMask, type Mask } from './mask.ts'

export interface BundleInfo {
  readonly made_by: string
  readonly note: string | null
}

/** The world with its record, as they are at the first step, with personal data masked. Changes nothing. */
export function* exportBundle(recorded: RecordedSandbox, { made_by, note }: BundleInfo): Steps<Bundle> {
  const { store } = recorded
  const now = new Date(store.clock.now()).toISOString()
  const { from, entries } = currentRecord(recorded)
  const [newest, all] = [store.world.seq, [...entries]]
  const commits = yield* mapInSteps(reversibleBranch(store), ({ request: _, ...commit }) => commit)
  const oldest = commits.at(-1)?.seq ?? newest
  // The history may begin later than the record; a replay needs both.
  const start = Math.min(Math.max(from, oldest), newest)
  return yield* maskBundle({
    made_by,
    note,
    now,
    world: yield* worldAt(store, start),
    commits: commits.reverse().filter(({ seq }) => seq > start),
    entries: all.filter((entry) => seqBefore(entry) >= start),
  })
}

/** Masks personal data with a random key that is discarded, so the pseudonyms cannot be reversed. */
function* maskBundle(bundle: Bundle): Steps<Bundle> {
  const { world, commits, entries, note, now } = bundle
  const mask = createMask({
    key: randomBytes(32),
    seal: createSeal(world.seed),
    span: [world.clock.at, now],
    forced: mergeOutcomes(world.collections.programs.inOrder()),
  })
  for (const record of recordsOf(world)) mask.learn.value(record)
  yield* mapInSteps(commits, ({ changes }) => mask.learn.value(changes))
  yield* mapInSteps(entries, (entry) =>
    'act' in entry ? mask.learn.body(entry.act.input, JSON_TYPE) : mask.learn.exchange(entry.exchange),
  )
  const maskRecord = (record: StoredRecord) => removeKeys(mask.value(record))
  const masked = {
    ...bundle,
    note: note === null ? null : mask.text(note),
    world: mapWorldRecords(world, maskRecord),
    commits: yield* mapInSteps(commits, (commit) => mapCommitRecords(commit, maskRecord)),
    entries: yield* mapInSteps(entries, (entry) => maskEntry(entry, mask)),
  }
  // All of them are known only now.
  const addOutcomes = (record: StoredRecord) => withOutcomes(record, mask.outcomes)
  return {
    ...masked,
    world: mapWorldRecords(masked.world, addOutcomes),
    commits: yield* mapInSteps(masked.commits, (commit) => mapCommitRecords(commit, addOutcomes)),
  }
}

const maskEntry = (entry: RecordEntry, mask: Mask): RecordEntry =>
  'act' in entry
    ? { act: { ...entry.act, input: mask.body(entry.act.input, JSON_TYPE) } }
    : { exchange: mask.exchange(entry.exchange) }

const JSON_TYPE = 'application/json'

function* recordsOf(world: World): Iterable<StoredRecord> {
  for (const name of collectionNames) yield* collectionOf(world, name).inOrder()
}
