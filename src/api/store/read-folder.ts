import { join } from 'node:path'
import type { Commit } from './commit.ts'
import { files } from './files.ts'
import { type ReadEnd, unreadableLine } from './journal.ts'
import {
  applyCommit,
  hasCommits,
  isImported,
  listSegments,
  missingSegment,
  readSegment,
  requireFollows,
  requireImported,
  segmentPath,
} from './segments.ts'
import { StoreError, WHAT_TO_DO } from './store-error.ts'
import type { World } from './world.ts'
import { readWorldFile } from './world-file.ts'

/** The world of a data folder as its files have it: the world file and the commits since. Changes nothing. */

export interface ReadFolder {
  readonly world: World
  /** The newest commit of the world file. */
  readonly savedSeq: number
  /** The segments that were read. */
  readonly paths: readonly string[]
  /** The segment in which the commits go on; undefined if they begin another one. */
  readonly open: { readonly path: string; readonly end: ReadEnd; readonly version: number | undefined } | undefined
  /** The check of the last line that was read. */
  readonly check: number | undefined
}

export const worldPath = (folder: string) => join(folder, 'world.jsonl')

/** A folder without a world file is a new one, unless it has commits. */
export async function requireNoCommits(folder: string) {
  for (const segment of listSegments(folder))
    if (await hasCommits(segment))
      throw new StoreError(
        `${worldPath(folder)} is missing although ${segment.path} holds changes: the world is lost. ${WHAT_TO_DO}`,
      )
}

/** Returns null if the folder holds no world. `onCommit` gets the commits since the world file. */
export async function readFolder(
  folder: string,
  onCommit: (commit: Commit) => void = () => {},
): Promise<ReadFolder | null> {
  if (!files.exists(worldPath(folder))) {
    await requireNoCommits(folder)
    return null
  }
  const world = await readWorldFile(worldPath(folder))
  const savedSeq = world.seq
  const segments = listSegments(folder)
  const first = segments.findIndex(({ firstSeq }) => firstSeq === savedSeq + 1)
  // The segment is created before the world file is written.
  if (first < 0) throw missingSegment(segmentPath(folder, savedSeq + 1))
  const wanted = segments.slice(first)
  const paths: string[] = []
  let open: ReadFolder['open']
  let check: number | undefined
  let latestImport: Commit | undefined
  for (const [index, segment] of wanted.entries()) {
    const { path, firstSeq } = segment
    const next = wanted[index + 1]
    if (isImported(segment) && world.seq < segment.offsets.commits) break
    if (firstSeq !== world.seq + 1) throw missingSegment(segmentPath(folder, world.seq + 1))
    // Before the commits of an import the one of the import itself may be torn.
    const isLast = !isImported(segment) && (!next || isImported(next))
    const { end, header } = await readSegment(path, isLast, (commit, line, migration) => {
      if (commit.imports) latestImport = commit
      applyCommit(path, line, world, commit, migration)
      if (commit.seq > savedSeq) onCommit(commit)
    })
    requireFollows(path, header, check)
    check = end.check
    if (isImported(segment)) requireImported(path, latestImport, end.check)
    if (end.torn > 0 && next && world.seq >= next.offsets.commits)
      throw unreadableLine(path, end.lines + 1, 'it is torn, although the commits of an import follow')
    const isWithoutImport = next !== undefined && isImported(next) && world.seq < next.offsets.commits
    if (isWithoutImport && wanted.slice(index + 1).some((later) => !isImported(later)))
      throw unreadableLine(path, end.lines + 1, 'the commit of an import is missing, although later commits follow')
    paths.push(path)
    if (isLast && (!next || isWithoutImport)) open = { path, end, version: header?.version }
  }
  const { seq = 0, imports } = latestImport ?? {}
  if (imports?.check !== undefined && world.seq < seq + imports.commits)
    throw missingSegment(segmentPath(folder, seq + 1))
  return { world, savedSeq, paths, open, check }
}
