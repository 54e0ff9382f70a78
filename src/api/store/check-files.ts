import { dirname, join } from 'node:path'
import type { Commit } from './commit.ts'
import { files } from './files.ts'
import { offsetsOf } from './import-files.ts'
import { readLines, unreadableLine } from './journal.ts'
import { listLogFiles, readLogFile } from './log.ts'
import { verifyReplacement } from './replacement-file.ts'
import {
  isImported,
  listSegments,
  missingSegment,
  readSegment,
  requireFollows,
  requireImported,
  requireSeq,
  type Segment,
  segmentPath,
} from './segments.ts'
import { StoreError, WHAT_TO_DO } from './store-error.ts'
import { readWorldFile } from './world-file.ts'

/** Proves every file of a data folder: the check of each line, and that no commit is missing. */

export interface CheckedFiles {
  readonly files: number
  /** One line each, at most one for each file. */
  readonly problems: readonly string[]
}

export const WORLD_FILE = 'world.jsonl'
export const TRACES_FILE = 'traces.jsonl'
export const LOG_FOLDERS = ['exchanges', 'acts']

export async function checkFiles(folder: string): Promise<CheckedFiles> {
  const problems: string[] = []
  let count = 0
  const check = async (path: string, work: () => Promise<unknown>) => {
    if (!files.exists(path)) return
    count++
    try {
      await work()
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      problems.push(error.message)
    }
  }
  let saved: number | undefined
  const world = join(folder, WORLD_FILE)
  await check(world, async () => {
    saved = (await readWorldFile(world)).seq
  })
  for (const path of listSnapshotFiles(folder)) await check(path, () => readWorldFile(path))
  const history = new HistoryCheck()
  const segments = listSegments(folder)
  for (const [index, segment] of segments.entries()) {
    if (isUnused(segment.path, history)) continue
    await check(segment.path, () => history.add(segment, segments[index + 1]))
  }
  problems.push(...history.missingImport(folder))
  if (saved !== undefined && !segments.some(({ firstSeq }) => firstSeq === saved! + 1))
    problems.push(missingSegment(segmentPath(folder, saved + 1)).message)
  for (const path of LOG_FOLDERS.flatMap((name) => listFilesOf(join(folder, name))))
    if (!isUnused(path, history))
      await check(path, async () => {
        const { found } = await readLogFile<LogEntry>(path)
        if (history.newest !== undefined)
          requireLoggedCommits(
            history.newest,
            found.map(({ summary }) => summary),
            path,
          )
      })
  const traces = join(folder, TRACES_FILE)
  await check(traces, () => readLines(traces, ({ text, number }) => requireJson(traces, text, number)))
  return { files: count, problems }
}

/** The next start removes the files of an import that was interrupted before its commit. */
const isUnused = (path: string, { newest }: HistoryCheck) => newest !== undefined && offsetsOf(path).commits > newest

interface LogEntry {
  readonly uid: string
  readonly seq_after: number
}

/** A change is saved before its request or action is logged, so the logs name no commit that does not exist. */
export function requireLoggedCommits(newest: number, entries: readonly LogEntry[], log: string) {
  const ahead = entries.find(({ seq_after }) => seq_after > newest)
  if (ahead)
    throw new StoreError(
      `${log} has ${ahead.uid} with commit ${ahead.seq_after}, and the newest commit in the data folder is ${newest}: changes are lost. ${WHAT_TO_DO}`,
    )
}

/** Checks one segment after the other. After a damaged one it begins anew. */
class HistoryCheck {
  #check: number | undefined
  #newest: number | undefined
  #latestImport: Commit | undefined

  /** undefined if the newest segment is damaged. */
  get newest(): number | undefined {
    return this.#newest
  }

  /** The commits of the latest import, if their file is missing. */
  missingImport(folder: string): string[] {
    const { seq = 0, imports } = this.#latestImport ?? {}
    const isMissing = imports?.check !== undefined && this.#newest !== undefined && this.#newest < seq + imports.commits
    return isMissing ? [missingSegment(segmentPath(folder, seq + 1)).message] : []
  }

  async add(segment: Segment, next: Segment | undefined) {
    const { path, firstSeq } = segment
    // Before the commits of an import the one of the import itself may be torn.
    const isLast = !isImported(segment) && (!next || isImported(next))
    const [newest, follows] = [this.#newest, this.#check]
    this.#newest = undefined
    this.#check = undefined
    let seq = firstSeq - 1
    const { end, header } = await readSegment(path, isLast, (commit, line) => {
      requireSeq(path, line, seq + 1, commit)
      verifyReplacement(dirname(dirname(path)), commit)
      seq = commit.seq
      if (commit.imports) this.#latestImport = commit
    })
    if (this.#latestImport?.seq === segment.offsets.commits) requireImported(path, this.#latestImport, end.check)
    this.#newest = seq
    this.#check = end.check
    if (newest !== undefined && newest !== firstSeq - 1)
      throw new StoreError(
        `${path} begins with commit ${firstSeq}, and commit ${newest + 1} is expected: commits are missing. ${WHAT_TO_DO}`,
      )
    requireFollows(path, header, follows)
  }
}

export function listSnapshotFiles(folder: string): string[] {
  const snapshots = join(folder, 'snapshots')
  if (!files.exists(snapshots)) return []
  return files
    .list(snapshots)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(snapshots, name))
}

export const listFilesOf = (folder: string): string[] => (files.exists(folder) ? listLogFiles(folder) : [])

function requireJson(path: string, text: string, number: number) {
  try {
    JSON.parse(text)
  } catch {
    throw unreadableLine(path, number, 'it is not JSON')
  }
}
