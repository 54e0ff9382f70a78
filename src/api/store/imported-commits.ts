import { join } from 'node:path'
import type { Commit, ImportedCommits, ImportMark, Offsets, PreparedHistory, PreparedPart } from './commit.ts'
import { formatCommit } from './commit-format.ts'
import { files } from './files.ts'
import { NO_OFFSETS, shiftCommit, temporaryName } from './import-files.ts'
import type { Journal } from './journal.ts'
import { createSegment, segmentPath } from './segments.ts'

/** The commits of an import as a segment of their own. */
export class ImportedCommitsFile implements ImportedCommits {
  readonly #folder: string
  readonly #sync: boolean
  readonly #journal: Journal
  #isOpen = true
  /** undefined when the file is removed, or belongs to the history. */
  #path: string | undefined
  #count = 0
  #newest: Commit | undefined
  #offsets = NO_OFFSETS

  constructor(folder: string, sync: boolean) {
    this.#folder = folder
    this.#sync = sync
    this.#path = join(folder, 'changes', temporaryName(1))
    this.#journal = createSegment(this.#path, sync)
  }

  get mark(): ImportMark {
    return { commits: this.#count, ...(this.#count > 0 ? { check: this.#journal.check } : {}) }
  }

  get last(): Commit | undefined {
    return this.#newest && shiftCommit(this.#newest, this.#offsets)
  }

  add(commits: readonly Commit[]) {
    this.#journal.appendAll(commits.map(formatCommit))
    this.#count += commits.length
    this.#newest = commits.at(-1) ?? this.#newest
  }

  finish() {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#journal.close()
  }

  place(offsets: Offsets) {
    this.#offsets = offsets
    if (this.#count === 0) return this.remove()
    const path = segmentPath(this.#folder, offsets.commits + 1, offsets)
    files.rename(this.#path!, path)
    this.#path = path
    if (this.#sync) files.syncFolder(join(this.#folder, 'changes'))
  }

  adopt() {
    this.#path = undefined
  }

  remove() {
    this.finish()
    if (this.#path === undefined) return
    files.remove(this.#path)
    files.syncFolder(join(this.#folder, 'changes'))
    this.#path = undefined
  }
}

/** Without a data folder. */
export class ImportedCommitsInMemory implements ImportedCommits {
  readonly #onAdopt: (commits: readonly Commit[]) => void
  readonly #commits: Commit[] = []
  #offsets = NO_OFFSETS

  constructor(onAdopt: (commits: readonly Commit[]) => void) {
    this.#onAdopt = onAdopt
  }

  get mark(): ImportMark {
    return { commits: this.#commits.length }
  }

  get last(): Commit | undefined {
    return this.#commits.at(-1)
  }

  add(commits: readonly Commit[]) {
    for (const commit of commits) this.#commits.push(commit)
  }

  finish() {}

  place(offsets: Offsets) {
    this.#offsets = offsets
  }

  adopt() {
    for (const [index, commit] of this.#commits.entries()) this.#commits[index] = shiftCommit(commit, this.#offsets)
    this.#onAdopt(this.#commits)
  }

  remove() {}
}

/** The commits of an import with its log entries. */
export class ImportedHistory implements PreparedHistory {
  readonly #commits: ImportedCommits
  readonly #logs: readonly PreparedPart[]
  readonly #numbers: () => Omit<Offsets, 'commits'>
  #isPlaced = false

  /** `numbers`: the newest numbers of the logs. */
  constructor(commits: ImportedCommits, logs: readonly PreparedPart[], numbers: () => Omit<Offsets, 'commits'>) {
    this.#commits = commits
    this.#logs = logs
    this.#numbers = numbers
  }

  get mark(): ImportMark {
    return this.#commits.mark
  }

  get last(): Commit | undefined {
    return this.#commits.last
  }

  get #parts(): readonly PreparedPart[] {
    return [...this.#logs, this.#commits]
  }

  place(seq: number) {
    this.#isPlaced = true
    const offsets = { commits: seq, ...this.#numbers() }
    for (const part of this.#parts) part.place(offsets)
  }

  adopt() {
    for (const part of this.#parts) part.adopt()
  }

  remove() {
    for (const part of this.#parts) part.remove()
  }

  /** For an import that ended before its commit. Of one whose commit failed, the store removes the files. */
  discard() {
    if (!this.#isPlaced) this.remove()
  }
}
