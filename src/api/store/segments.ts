import { join } from 'node:path'
import type { Commit, CommitFilter } from './commit.ts'
import { formatCommit, parseCommit, readSeq } from './commit-format.ts'
import { files, readText, writeText } from './files.ts'
import { Journal, type Line, linesFromEnd, readLines } from './journal.ts'
import { type Migration, migrate, migrateCause } from './migrations.ts'
import { StoreError } from './store-error.ts'
import type { CollectionName, StoredRecord, World } from './world.ts'
import { CURRENT_VERSION, type Header, migrateRecord, namedCollection, unreadableLine } from './world-file.ts'

/** The folder `changes/`: commits, one per line, in segments that are named after their first commit. */

/** Older commits are deleted, segment by segment. */
export const HISTORY_LENGTH = 100_000

export interface Segment {
  readonly path: string
  readonly firstSeq: number
}

export const segmentPath = (folder: string, firstSeq: number) =>
  join(folder, 'changes', `${String(firstSeq).padStart(12, '0')}.jsonl`)

/** Oldest first. */
export function listSegments(folder: string): Segment[] {
  return files
    .list(join(folder, 'changes'))
    .filter((name) => /^\d{12}\.jsonl$/.test(name))
    .sort()
    .map((name) => ({ path: join(folder, 'changes', name), firstSeq: Number.parseInt(name, 10) }))
}

const HEADER: Header = { sandbank: 'changes', version: CURRENT_VERSION }
export const segmentHeader = JSON.stringify(HEADER)

export function createSegment(path: string, sync: boolean): Journal {
  const journal = new Journal(path, 0, sync)
  try {
    journal.append(segmentHeader)
  } catch (error) {
    journal.close()
    files.remove(path)
    throw error
  }
  return journal
}

/** Writes commits from before the folder existed. */
export function writeSegment(path: string, commits: readonly Commit[]) {
  const lines = [segmentHeader, ...commits.map(formatCommit)]
  writeText(path, lines.map((line) => `${line}\n`).join(''))
}

/** Deletes segments whose commits are all older than the history. */
export function deleteOldSegments(folder: string, newestSeq: number) {
  const segments = listSegments(folder)
  for (const [index, { path }] of segments.entries()) {
    const next = segments[index + 1]
    if (next && next.firstSeq <= newestSeq - HISTORY_LENGTH) files.remove(path)
  }
}

/** True if a segment holds a complete line behind its header. */
export function hasCommits({ path }: Segment): boolean {
  const text = readText(path)
  return text.indexOf('\n', text.indexOf('\n') + 1) >= 0
}

/** Applies the commits of a segment to the world; returns its version, too. Only the last segment may end in a torn line. */
export async function applySegment(path: string, world: World, isLast: boolean) {
  let migration: Migration | undefined
  let version: number | undefined
  const end = await readLines(path, (line) => {
    let content: unknown
    try {
      content = JSON.parse(line.text)
    } catch {
      if (isLast && line.last) return false
      throw unreadableLine(path, line, 'it is not JSON')
    }
    if (migration) applyCommit(path, line, world, content as Commit, migration)
    else {
      migration = migrationFor(path, line, content as Header)
      version = (content as Header).version
    }
    return true
  })
  if (end.torn > 0 && !isLast)
    throw new StoreError(
      `${path} ends in a torn line, and later files follow: nothing was changed; restore a copy of the folder`,
    )
  return { ...end, version }
}

function migrationFor(path: string, line: Line, header: Header): Migration {
  if (header.sandbank !== 'changes') throw unreadableLine(path, line, 'it is not the header of a file of changes')
  return migrate(header.version)
}

function applyCommit(path: string, line: Line, world: World, commit: Commit, migration: Migration) {
  if (commit.seq <= world.seq) return
  if (commit.seq !== world.seq + 1)
    throw unreadableLine(path, line, `it should be commit ${world.seq + 1}, and is commit ${commit.seq}`)
  for (const { collection, uid, record } of commit.changes) {
    const migrated = record ? migrateRecord(migration, collection, record) : undefined
    if (!record || migrated) namedCollection(world, path, line, collection).set(uid, migrated)
  }
  world.seq = commit.seq
  world.counters = commit.counters
  // Simulated time stops while the sandbox is closed: a running clock continues from its last commit.
  world.clock = commit.clock ?? { ...world.clock, at: commit.stood_at ?? commit.at }
  Object.assign(world, commit.origin)
}

/** Reads from the end. Lines that the filter excludes are not parsed. `open` is the segment that is being written. */
export function* readCommitsFromEnd(
  folder: string,
  open: Journal | undefined,
  filter: CommitFilter = {},
): Iterable<Commit> {
  const passes = lineFilter(filter)
  for (const { path } of listSegments(folder).reverse()) {
    // A slow caller may find that a segment was deleted meanwhile.
    if (!files.exists(path)) return
    const lines = linesFromEnd(path, path === open?.path ? open.length : undefined)
    const header = lines.next().value?.toString() ?? ''
    // A crash before the first write leaves an empty segment.
    if (header === '') {
      lines.return()
      continue
    }
    const migration = migrate((JSON.parse(header) as Header).version)
    for (const line of lines) if (passes(line)) yield migrateCommit(parseCommit(line.toString()), migration)
  }
}

const GOES_ON_FROM = Buffer.from('"goes_on_from":')

function lineFilter({ texts, before = Number.POSITIVE_INFINITY }: CommitFilter): (line: Buffer) => boolean {
  const wanted = texts?.map((text) => Buffer.from(text))
  return (line) =>
    ((readSeq(line) ?? 0) < before && wanted?.some((text) => line.includes(text)) !== false) ||
    line.includes(GOES_ON_FROM)
}

function migrateCommit(commit: Commit, migration: Migration): Commit {
  const toCurrent = (name: CollectionName, record: StoredRecord | null) =>
    record && migrateRecord(migration, name, record)!
  return {
    ...commit,
    cause: migrateCause(commit.cause),
    changes: commit.changes.map(({ collection, record, was, ...change }) => ({
      ...change,
      collection,
      record: toCurrent(collection, record),
      was: toCurrent(collection, was),
    })),
  }
}
