import { join } from 'node:path'
import type { Uid } from '../contract/terms/primitives.ts'
import type { Change, Commit, DataPlace, Replacement } from './commit.ts'
import type { Digest } from './digest.ts'
import type { ReplacedRecords } from './draft.ts'
import { areEqual } from './equal.ts'
import { files, numberedName } from './files.ts'
import { formatHeader } from './headers.ts'
import { createJournal, type FileEnd, type Journal, linesFromEnd } from './journal.ts'
import { RecordMap } from './record-map.ts'
import { fromSlice, type Slice, toSlice } from './record-slices.ts'
import { isFileError, StoreError, WHAT_TO_DO } from './store-error.ts'
import type { CollectionName, StoredRecord } from './world.ts'

/**
 * The changes of a commit that replaced most of the world: parts with the records before and after, one per line. They are written in a file of
 * their own, while requests go on. It becomes the next segment of `changes/`, to which the commit is appended: only then do they count.
 */

/** Of one that is being written: there is one at a time. */
export const temporaryPath = (folder: string) => join(folder, 'changes', 'replacement.new')

/** The segment that begins with a replacement. Another one of this number, which has no commits, comes before it. */
export const replacementPath = (folder: string, seq: number) =>
  join(folder, 'changes', numberedName(seq, '.replacement.jsonl'))

export const isPart = (line: string) => line.startsWith('{"collection":')

interface Part {
  readonly collection: CollectionName
  /** Null where the record did not exist. Both lists are in the order of `uids`. */
  readonly uids: readonly Uid[]
  readonly was: Slice
  readonly record: Slice
  /** These changes take the place of those in earlier lines. */
  readonly corrects: boolean
}

/** The changes of one collection. */
interface ReadPart {
  readonly changes: readonly Change[]
  readonly corrects: boolean
}

/** So many changes are saved in the line of the commit; more have a file of their own. */
export const MAX_CHANGES_IN_COMMIT = 1_000

/** Collects the changes of a replacement, part by part, before its commit. Many are in a file, or without a data folder in memory. */
export class ReplacementWriter {
  readonly #place: DataPlace | null
  #journal: Journal | undefined
  /** Without a file. */
  readonly #inMemory: ReadPart[] = []
  readonly #records: Partial<Record<CollectionName, number>> = {}
  /** Of the world before, and with what was added the one that this leads to. */
  readonly digest: Digest
  #count = 0
  #hasFile = false

  constructor(place: DataPlace | null, before: Digest) {
    this.#place = place
    this.digest = before
  }

  /** `corrects`: requests have changed these records since, so these changes take the place of earlier ones. */
  add(all: readonly Change[], corrects = false) {
    this.#count += all.length
    for (const collection of new Set(all.map((change) => change.collection))) {
      const changes = all.filter((change) => change.collection === collection)
      this.#records[collection] = (this.#records[collection] ?? 0) + changes.length
      if (this.#journal) {
        const { was, record } = this.#write(this.#journal, { changes, corrects })
        if (corrects) continue
        this.digest.addSlice(record)
        this.digest.subtractSlice(was)
      } else {
        this.#inMemory.push({ changes, corrects })
        if (!corrects) for (const { was, record } of changes) this.digest.addChange(collection, was, record)
      }
    }
    if (this.#journal || !this.#place || this.#count <= MAX_CHANGES_IN_COMMIT) return
    // With `sync` each part reaches the disk at once, so that the end has little left to write.
    const { folder, sync } = this.#place
    this.#hasFile = true
    this.#journal = createJournal(temporaryPath(folder), formatHeader('changes', {}), sync)
    for (const part of this.#inMemory.splice(0)) this.#write(this.#journal, part)
  }

  #write(journal: Journal, { changes, corrects }: ReadPart): Part {
    const { collection } = changes[0]!
    const [was, record] = [changes.flatMap(({ was }) => was ?? []), changes.flatMap(({ record }) => record ?? [])]
    const slices = { was: toSlice(collection, was), record: toSlice(collection, record) }
    const part = { collection, uids: changes.map(({ uid }) => uid), ...slices, corrects }
    journal.append(JSON.stringify(part))
    return part
  }

  /** `seq`: the number of its commit. */
  finish(seq: number): ReplacedRecords {
    const records = this.#records
    const read = () => withoutCorrected(this.#inMemory.toReversed())
    if (!this.#journal)
      return this.#count <= MAX_CHANGES_IN_COMMIT
        ? { changes: [...read()].flat() }
        : { changes: [], replacement: { records, read } }
    const parts = this.#journal.end
    this.#journal.close()
    this.#journal = undefined
    const path = replacementPath(this.#place!.folder, seq)
    return { changes: [], replacement: { records, parts, read: partsReader(path, parts) } }
  }

  /** Its file is a segment. */
  adopt() {
    this.#hasFile = false
  }

  /** Removes a file without a commit. */
  end() {
    this.#journal?.close()
    if (this.#hasFile) files.remove(temporaryPath(this.#place!.folder))
  }
}

/** The commit with a reader of its replacement, if it has one. `path`: its segment. */
export const withReplacement = (path: string, commit: Commit): Commit =>
  commit.replacement
    ? { ...commit, replacement: { ...commit.replacement, read: partsReader(path, commit.replacement.parts!) } }
    : commit

/** A function of the object is not part of its JSON. */
const partsReader =
  (path: string, parts: FileEnd): Replacement['read'] =>
  (uids) =>
    withoutCorrected(readParts(path, parts, uids))

/** From the last part to the first: so corrections come before what they correct. Parts that are not needed are empty. */
function* withoutCorrected(parts: Iterable<ReadPart>): Iterable<readonly Change[]> {
  const corrected = new RecordMap<true>()
  for (const { changes, corrects } of parts)
    yield changes.filter((change) => {
      if (corrected.has(change)) return false
      if (corrects) corrected.set(change, true)
      return !corrects || !areEqual(change.record, change.was)
    })
}

/** From the last to the first. The commit follows on them, so their checks prove that they are its own. */
function* readParts(path: string, { length }: FileEnd, uids: readonly Uid[] | undefined): Iterable<ReadPart> {
  const wanted = uids?.map((uid) => Buffer.from(JSON.stringify(uid)))
  const lines = linesFromEnd(path, length)
  try {
    lines.next()
    for (const line of lines) {
      const isNeeded = !wanted || wanted.some((uid) => line.includes(uid))
      yield isNeeded ? changesOf(JSON.parse(line.toString()) as Part) : { changes: [], corrects: false }
    }
  } catch (error) {
    if (error instanceof StoreError || isFileError(error)) throw error
    // A check goes on after damage.
    throw new StoreError(`${path}: the changes of a replacement cannot be read. ${WHAT_TO_DO}`, { cause: error })
  } finally {
    lines.return()
  }
}

function changesOf({ collection, uids, was, record, corrects }: Part): ReadPart {
  const recordsOf = (slice: Slice) =>
    new Map((fromSlice(slice) as unknown as StoredRecord[]).map((one) => [one.uid, one]))
  const [before, after] = [recordsOf(was), recordsOf(record)]
  const changes = uids.map((uid) => ({
    collection,
    uid,
    record: after.get(uid) ?? null,
    was: before.get(uid) ?? null,
  }))
  return { changes, corrects }
}
