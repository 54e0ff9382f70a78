import { join } from 'node:path'
import type { Uid } from '../contract/terms/primitives.ts'
import type { Change, Commit, DataPlace, Replacement } from './commit.ts'
import type { Digest } from './digest.ts'
import type { ReplacedRecords } from './draft.ts'
import { areEqual } from './equal.ts'
import { fileNumber, files, listFiles, numberedName, readBytes } from './files.ts'
import { formatHeader, readHeader } from './headers.ts'
import { createJournal, type Journal, linesFromEnd, unreadableLine } from './journal.ts'
import { RecordMap } from './record-map.ts'
import { fromSlice, type Slice, toSlice } from './record-slices.ts'
import { StoreError, WHAT_TO_DO } from './store-error.ts'
import type { CollectionName, StoredRecord } from './world.ts'

/**
 * The changes of a commit that replaced most of the world, in `changes/`: a header, parts with the records before and after, and a
 * line that counts the parts. The commit names the length and the last check of this file, which is complete before the commit
 * is appended. A crash before that leaves a file that no commit names; the next start removes it.
 */

/** Of one that is being written: there is one at a time. */
const temporaryPath = (folder: string) => join(folder, 'changes', 'replacement.new')

export const replacementPath = (folder: string, seq: number) =>
  join(folder, 'changes', numberedName(seq, '.replacement.jsonl'))

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
  #parts = 0
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
    this.#journal = createJournal(temporaryPath(folder), formatHeader('replacement', {}), sync)
    for (const part of this.#inMemory.splice(0)) this.#write(this.#journal, part)
  }

  #write(journal: Journal, { changes, corrects }: ReadPart): Part {
    const { collection } = changes[0]!
    const [was, record] = [changes.flatMap(({ was }) => was ?? []), changes.flatMap(({ record }) => record ?? [])]
    const slices = { was: toSlice(collection, was), record: toSlice(collection, record) }
    const part = { collection, uids: changes.map(({ uid }) => uid), ...slices, corrects }
    journal.append(JSON.stringify(part))
    this.#parts++
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
    this.#journal.append(JSON.stringify({ end: this.#parts }))
    const { length, check } = this.#journal
    this.#journal.close()
    this.#journal = undefined
    const path = replacementPath(this.#place!.folder, seq)
    return { changes: [], replacement: withReader({ records, file: { length, check } }, path) }
  }

  /** The commit has its file. */
  adopt() {
    this.#hasFile = false
  }

  /** Removes a file without a commit. */
  end() {
    this.#journal?.close()
    if (this.#hasFile) files.remove(temporaryPath(this.#place!.folder))
  }
}

/** Gives a finished file the name of its commit, which is appended next. */
export function placeReplacement({ folder, sync }: DataPlace, seq: number) {
  files.rename(temporaryPath(folder), replacementPath(folder, seq))
  if (sync) files.syncFolder(join(folder, 'changes'))
}

export const listReplacements = (folder: string) => listFiles(join(folder, 'changes'), /^\d{12}\.replacement\.jsonl$/)

export function removeReplacements(folder: string, isUnused: (seq: number) => boolean) {
  for (const path of listReplacements(folder)) if (isUnused(fileNumber(path))) files.remove(path)
}

/** The commit with a reader of its replacement, if it has one. */
export const withReplacement = (folder: string, commit: Commit): Commit =>
  commit.replacement
    ? { ...commit, replacement: withReader(commit.replacement, replacementPath(folder, commit.seq)) }
    : commit

/** Reads the replacement of a commit as a whole. Throws a StoreError if it is missing or damaged. */
export function verifyReplacement(folder: string, commit: Commit) {
  for (const _ of withReplacement(folder, commit).replacement?.read() ?? []);
}

/** A function of the object is not part of its JSON. */
const withReader = (stored: Omit<Replacement, 'read'>, path: string): Replacement => ({
  ...stored,
  read: (uids) => withoutCorrected(readParts(path, stored.file, uids)),
})

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

/** From the last to the first. */
function* readParts(path: string, file: Replacement['file'], uids: readonly Uid[] | undefined): Iterable<ReadPart> {
  if (!file) throw new StoreError(`${path}: its commit does not name its length and check`)
  verifyEnd(path, file)
  const wanted = uids?.map((uid) => Buffer.from(JSON.stringify(uid)))
  const lines = linesFromEnd(path)
  try {
    readHeader(path, lines.next().value?.toString() ?? '{}', 'replacement')
    const { end } = JSON.parse(lines.next().value?.toString() ?? '{}') as { end?: number }
    let parts = 0
    for (const line of lines) {
      parts++
      const isNeeded = !wanted || wanted.some((uid) => line.includes(uid))
      yield isNeeded ? changesOf(JSON.parse(line.toString()) as Part) : { changes: [], corrects: false }
    }
    if (parts !== end) throw unreadableLine(path, 1, `${String(end)} parts are expected to follow, and ${parts} do`)
  } finally {
    lines.return()
  }
}

/** The file must be the one that the commit names. */
function verifyEnd(path: string, { length, check }: NonNullable<Replacement['file']>) {
  if (!files.exists(path)) throw new StoreError(`${path} is missing: it holds the changes of a commit. ${WHAT_TO_DO}`)
  const file = files.open(path, 'r')
  try {
    const end = files.sizeOf(file) === length ? readBytes(file, length - 9, 8).toString('latin1') : ''
    if (Number.parseInt(end, 16) !== check)
      throw new StoreError(`${path} is not the file that its commit was made with. ${WHAT_TO_DO}`)
  } finally {
    files.close(file)
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
