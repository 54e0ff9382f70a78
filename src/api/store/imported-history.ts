import { join } from 'node:path'
import type { CallLog, PreparedCalls } from './call-log.ts'
import type { Commit, DataPlace, ImportMark, PreparedHistory } from './commit.ts'
import { formatCommit } from './commit-format.ts'
import { files } from './files.ts'
import { NO_OFFSETS, shiftCommit, temporaryName } from './import-files.ts'
import type { Journal } from './journal.ts'
import { createSegment, segmentPath } from './segments.ts'

/** The commits of an import, as a segment of their own or in memory, with its log entries. */
export class ImportedHistory implements PreparedHistory {
  readonly #place: DataPlace | null
  readonly #log: CallLog
  readonly calls: PreparedCalls
  readonly #journal: Journal | undefined
  #isOpen: boolean
  /** undefined without a data folder, and when the file is removed, or belongs to the history. */
  #path: string | undefined
  /** Without a data folder. */
  readonly #commits: Commit[] = []
  #count = 0
  #newest: Commit | undefined
  #offsets = NO_OFFSETS

  constructor(place: DataPlace | null, log: CallLog) {
    this.#place = place
    this.#log = log
    this.calls = log.prepare()
    this.#path = place ? join(place.folder, 'changes', temporaryName(1)) : undefined
    this.#journal = place ? createSegment(this.#path!, place.sync) : undefined
    this.#isOpen = this.#journal !== undefined
  }

  get mark(): ImportMark {
    return { commits: this.#count, ...(this.#journal && this.#count > 0 ? { check: this.#journal.check } : {}) }
  }

  get last(): Commit | undefined {
    return this.#newest && shiftCommit(this.#newest, this.#offsets)
  }

  /** They have the numbers 1, 2, … and so have their requests. */
  add(commits: readonly Commit[]) {
    if (this.#journal) this.#journal.appendAll(commits.map(formatCommit))
    else for (const commit of commits) this.#commits.push(commit)
    this.#count += commits.length
    this.#newest = commits.at(-1) ?? this.#newest
  }

  place(seq: number) {
    this.#offsets = { commits: seq, ...this.#log.counts }
    this.calls.place(this.#offsets)
    if (this.#path === undefined) return
    if (this.#count === 0) return this.#removeFile()
    this.#close()
    const { folder, sync } = this.#place!
    const path = segmentPath(folder, seq + 1, this.#offsets)
    files.rename(this.#path, path)
    this.#path = path
    if (sync) files.syncFolder(join(folder, 'changes'))
  }

  adopt(): readonly Commit[] {
    this.calls.adopt()
    this.#path = undefined
    return this.#commits.map((commit) => shiftCommit(commit, this.#offsets))
  }

  remove() {
    this.calls.remove()
    this.#removeFile()
  }

  #removeFile() {
    this.#close()
    if (this.#path === undefined) return
    files.remove(this.#path)
    files.syncFolder(join(this.#place!.folder, 'changes'))
    this.#path = undefined
  }

  #close() {
    if (this.#isOpen) this.#journal!.close()
    this.#isOpen = false
  }

  /** For an import that ended before its commit. Of one whose commit failed, the store removes the files. */
  discard() {
    if (this.#offsets === NO_OFFSETS) this.remove()
  }
}
