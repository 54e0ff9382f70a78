import type { Commit, CommitFilter, CommitLog, PrintedCommit } from './commit.ts'
import type { WorldFile } from './data-folder.ts'
import { HISTORY_LENGTH } from './segments.ts'
import type { World } from './world.ts'

/** The history of a world in memory. That of a forked world begins with the history of the other one, without a copy. */

/** The log of another world, up to a commit. */
interface Base {
  readonly log: CommitLog
  readonly last: number
}

/** A fork shares full chunks and copies the last one. */
const CHUNK = 256

/** Keeps only the history. Records never change, so references are enough. */
export class MemoryWorldFile implements WorldFile {
  readonly place = null
  /** Oldest first. Nothing is appended to a chunk that another log may have. */
  readonly #chunks: Commit[][]
  #length: number
  #base: Base | undefined

  constructor(chunks: Commit[][] = [], base?: Base) {
    this.#chunks = chunks
    this.#length = chunks.reduce((sum, { length }) => sum + length, 0)
    this.#base = base
  }

  append(commit: Commit, _world: World, imported: readonly PrintedCommit[] = []) {
    this.#add(commit)
    for (const { commit } of imported) this.#add(commit)
    if (this.#length > HISTORY_LENGTH * 1.1) this.#dropOldest()
  }

  oldestFirst(from: number, to: number): Iterable<Commit> {
    const isWanted = ({ seq }: Commit) => seq >= from && seq <= to
    const own = this.#chunks.flatMap((chunk) => chunk.filter(isWanted))
    return this.#base ? concat(this.#base.log.oldestFirst(from, Math.min(to, this.#base.last)), own) : own
  }

  /** As it is now. Ignores filters of its own commits: they save parsing, and there is none here. */
  newestFirst(filter: CommitFilter = {}): Iterable<Commit | undefined> {
    const own = newestOf([...this.#chunks], this.#chunks.at(-1)?.length ?? 0)
    return this.#base ? concat(own, newestOfBase(this.#base, filter)) : own
  }

  get firstSeq(): number {
    const { log, last } = this.#base ?? {}
    const first = this.#chunks[0]?.[0]?.seq
    const ofBase = log?.firstSeq ?? Number.POSITIVE_INFINITY
    return ofBase <= (last ?? 0) ? ofBase : (first ?? 0)
  }

  /** A log that begins with the commits of this one up to a number. Later each has its own. */
  fork(last: number): MemoryWorldFile {
    const shared = this.#chunks.filter(([first]) => first!.seq <= last)
    const newest = shared.pop()
    if (newest) shared.push(newest.filter(({ seq }) => seq <= last))
    return new MemoryWorldFile(shared, this.#base && { ...this.#base, last: Math.min(this.#base.last, last) })
  }

  async save() {}
  async close() {}

  #add(commit: Commit) {
    const newest = this.#chunks.at(-1)
    if (newest && newest.length < CHUNK) newest.push(commit)
    else this.#chunks.push([commit])
    this.#length++
  }

  /** A fork keeps the chunks that it has. */
  #dropOldest() {
    this.#base = undefined
    while (this.#length - this.#chunks[0]!.length >= HISTORY_LENGTH) this.#length -= this.#chunks.shift()!.length
  }
}

/**
 * The history of a forked world: that of the other world up to a commit, then its own. Commits in memory are shared. Those in a
 * data folder are read from there when they are needed, also after the folder was closed, and end where the folder deletes its oldest.
 */
export const forkLog = (log: CommitLog, last: number): WorldFile =>
  log instanceof MemoryWorldFile ? log.fork(last) : new MemoryWorldFile([], { log, last })

function* newestOf(chunks: readonly (readonly Commit[])[], length: number): Iterable<Commit> {
  for (let i = chunks.length - 1; i >= 0; i--)
    for (let j = (i === chunks.length - 1 ? length : chunks[i]!.length) - 1; j >= 0; j--) yield chunks[i]![j]!
}

function* newestOfBase({ log, last }: Base, { texts, before, after = 0 }: CommitFilter): Iterable<Commit | undefined> {
  if (after >= last) return
  const end = Math.min(before ?? Number.POSITIVE_INFINITY, last + 1)
  for (const commit of log.newestFirst({ texts, before: end, after }))
    yield commit && commit.seq > last ? undefined : commit
}

function* concat<T>(first: Iterable<T>, second: Iterable<T>): Iterable<T> {
  yield* first
  yield* second
}
