import { join } from 'node:path'
import type { Uid } from '../contract/terms/primitives.ts'
import type { Change, Commit, Correction, Replacement, ReplacementWriter } from './commit.ts'
import { Digest } from './digest.ts'
import { files, readBytes } from './files.ts'
import { formatHeader, readHeader } from './headers.ts'
import { EMPTY, Journal, linesFromEnd, unreadableLine } from './journal.ts'
import { RecordMap } from './record-map.ts'
import { fromSlice, type Slice, toSlice } from './record-slices.ts'
import { StoreError, WHAT_TO_DO } from './store-error.ts'
import type { CollectionName, StoredRecord } from './world.ts'

/**
 * The changes of a commit that replaced most of the world, in `changes/`: a header, parts with the records before and after, and a
 * line that counts the parts. The commit names the length and the last check of this file, which is complete before the commit
 * is appended. A crash before that leaves a file that no commit names; the next start removes it.
 */

const ENDING = '.replacement.jsonl'
const TEMPORARY = 'replacement.new'

export const replacementPath = (folder: string, seq: number) =>
  join(folder, 'changes', `${String(seq).padStart(12, '0')}${ENDING}`)

interface Part {
  readonly collection: CollectionName
  /** Null where the record did not exist. Both lists are in the order of `uids`. */
  readonly uids: readonly Uid[]
  readonly was: Slice
  readonly record: Slice
  /** Set for changes that take the place of those in earlier lines. */
  readonly corrects?: true
}

export class ReplacementFileWriter implements ReplacementWriter {
  readonly #folder: string
  readonly #sync: boolean
  readonly #journal: Journal
  #path: string
  readonly #records: Partial<Record<CollectionName, number>> = {}
  readonly #digest = new Digest()
  #parts = 0
  #isFinished = false

  /** With `sync` each part reaches the disk at once, so that the end has little left to write. */
  constructor(folder: string, sync: boolean) {
    this.#folder = folder
    this.#sync = sync
    this.#path = join(folder, 'changes', TEMPORARY)
    this.#journal = new Journal(this.#path, EMPTY, sync)
    this.#journal.append(formatHeader('replacement', {}))
  }

  add(changes: readonly Change[]) {
    this.#write(changes, false)
  }

  correct(corrections: readonly Correction[]) {
    this.#write(corrections, true)
    for (const { collection, record, instead_of } of corrections) this.#digest.addChange(collection, record, instead_of)
  }

  #write(changes: readonly Change[], corrects: boolean) {
    for (const collection of new Set(changes.map((change) => change.collection))) {
      const own = changes.filter((change) => change.collection === collection)
      const [was, record] = [own.flatMap(({ was }) => was ?? []), own.flatMap(({ record }) => record ?? [])]
      const slices = { was: toSlice(collection, was), record: toSlice(collection, record) }
      const uids = own.map(({ uid }) => uid)
      const part: Part = { collection, uids, ...slices, ...(corrects ? { corrects } : {}) }
      this.#journal.append(JSON.stringify(part))
      this.#digest.addSlice(slices.record)
      this.#digest.subtractSlice(slices.was)
      this.#parts++
      this.#records[collection] = (this.#records[collection] ?? 0) + own.length
    }
  }

  finish(): Replacement {
    this.#journal.append(JSON.stringify({ end: this.#parts }))
    const { length, check } = this.#journal
    this.#journal.close()
    this.#isFinished = true
    const replacement = { records: this.#records, file: { length, check }, digest: `${this.#digest}` }
    return withReader(replacement, () => this.#path)
  }

  /** Gives the file the name of its commit, which is appended next. */
  place(seq: number) {
    const path = replacementPath(this.#folder, seq)
    files.rename(this.#path, path)
    this.#path = path
    if (this.#sync) files.syncFolder(join(this.#folder, 'changes'))
  }

  discard() {
    if (!this.#isFinished) this.#journal.close()
    files.remove(this.#journal.path)
  }
}

/** Removes replacements without a commit: those after `newest`, and those that were not finished. */
export function removeUnusedReplacements(folder: string, newest: number) {
  const changes = join(folder, 'changes')
  files.remove(join(changes, TEMPORARY))
  for (const { path, seq } of listReplacements(folder)) if (seq > newest) files.remove(path)
}

/** Removes the replacements of commits that are no longer in the history. */
export function removeOldReplacements(folder: string, first: number) {
  for (const { path, seq } of listReplacements(folder)) if (seq < first) files.remove(path)
}

export const listReplacements = (folder: string) =>
  files
    .list(join(folder, 'changes'))
    .filter((name) => /^\d{12}\.replacement\.jsonl$/.test(name))
    .map((name) => ({ path: join(folder, 'changes', name), seq: Number.parseInt(name, 10) }))

/** The commit with a reader of its replacement, if it has one. */
export function withReplacement(folder: string, commit: Commit): Commit {
  const { replacement } = commit
  return replacement
    ? { ...commit, replacement: withReader(replacement, () => replacementPath(folder, commit.seq)) }
    : commit
}

/** Reads the replacement of a commit as a whole. Throws a StoreError if it is missing or damaged. */
export function verifyReplacement(folder: string, commit: Commit) {
  const parts = withReplacement(folder, commit).replacement?.read() ?? []
  for (const _ of parts);
}

type StoredReplacement = Omit<Replacement, 'read'>

/** A function of the object is not part of its JSON. */
const withReader = (stored: StoredReplacement, path: () => string): Replacement => ({
  ...stored,
  read: (uids) => readReplacement(path(), stored, uids),
})

function* readReplacement(
  path: string,
  { file }: StoredReplacement,
  uids: readonly Uid[] | undefined,
): Iterable<readonly Change[]> {
  if (!file) throw new StoreError(`${path}: its commit does not name its length and check`)
  verifyEnd(path, file)
  const wanted = uids?.map((uid) => Buffer.from(JSON.stringify(uid)))
  const lines = linesFromEnd(path)
  try {
    readHeader(path, lines.next().value?.toString() ?? '{}', 'replacement')
    const { end } = JSON.parse(lines.next().value?.toString() ?? '{}') as { end?: number }
    // Read from the end, so corrections come before what they correct.
    const corrected = new RecordMap<true>()
    let parts = 0
    for (const line of lines) {
      parts++
      const isNeeded = !wanted || wanted.some((uid) => line.includes(uid))
      yield isNeeded ? changesOf(JSON.parse(line.toString()) as Part, corrected) : []
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

function changesOf({ collection, uids, was, record, corrects }: Part, corrected: RecordMap<true>) {
  const recordsOf = (slice: Slice) =>
    new Map((fromSlice(slice) as unknown as StoredRecord[]).map((one) => [one.uid, one]))
  const [before, after] = [recordsOf(was), recordsOf(record)]
  return uids.flatMap((uid) => {
    const key = { collection, uid }
    if (corrected.has(key)) return []
    if (corrects) corrected.set(key, true)
    const change: Change = { ...key, record: after.get(uid) ?? null, was: before.get(uid) ?? null }
    return change.record || change.was ? [change] : []
  })
}
