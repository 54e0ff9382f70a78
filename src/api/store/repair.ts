import { basename, dirname, join } from 'node:path'
import {
  type Call,
  countCalls,
  detailsOf,
  fileNumber,
  formatCall,
  formatLogHeader,
  isRequest,
  numberOf,
  parseCall,
} from './call-log.ts'
import { listFilesOf, listSnapshotFiles } from './check-files.ts'
import type { Commit, LoggedCounts } from './commit.ts'
import { createFolder, files, readText, renameDurably, writeText } from './files.ts'
import { parseLine, readHeader } from './headers.ts'
import { NO_OFFSETS, numberedName, offsetsOf, shiftCommit } from './import-files.ts'
import { EMPTY, Journal, type Line, type ScannedLine, scanLines, unreadableLine } from './journal.ts'
import { worldPath } from './read-folder.ts'
import { replacementPath, verifyReplacement } from './replacement-file.ts'
import { readSecret, secretPath } from './secret-file.ts'
import {
  applyCommit,
  createSegment,
  formatSegmentHeader,
  listSegments,
  type SegmentHeader,
  segmentPath,
} from './segments.ts'
import { StoreError } from './store-error.ts'
import { listTracesFiles, readTracesFile } from './traces-files.ts'
import { captureWorld, emptyWorld, type World } from './world.ts'
import { readWorldFile, readWorldFileInfo, type WorldHeader, writeWorldFile } from './world-file.ts'

/**
 * Keeps what is proved to be whole: the newest world that a world file, a snapshot or the first commit and the longest row of whole commits lead
 * to, the history before it up to the first gap, and each whole line of the log. Says what it leaves out. The new files are complete before the
 * old ones are moved to `damaged-<n>`.
 */

export interface Repair {
  /** The newest commit of the repaired world. */
  readonly seq: number
  /** The folder with the files as they were. */
  readonly moved_to: string
  /** What was left out, one line each. */
  readonly left_out: readonly string[]
}

const FILES = ['world.jsonl', 'changes', 'log']

/** The folder must be locked. */
export async function repairFolder(folder: string): Promise<Repair> {
  const interrupted = interruptedRepair(folder)
  if (interrupted !== undefined) return finishRepair(folder, interrupted)
  const draft = unusedName(folder, 'repairing')
  const history = await findHistory(folder)
  const world = await rebuildWorld(folder, history)
  createFolder(join(draft, 'changes'))
  const { logged, left_out } = await writeHistory(draft, world.seq, history.rows)
  await writeWorldFile(worldPath(draft), captureWorld(world))
  left_out.push(...(await copyLog(join(folder, 'log'), join(draft, 'log'), world.seq, logged)))
  const moved_to = unusedName(folder, 'damaged')
  createFolder(join(moved_to, 'snapshots'))
  for (const path of listSnapshotFiles(folder))
    if (!(await whole(() => readWorldFile(path)))) {
      files.rename(path, join(moved_to, 'snapshots', basename(path)))
      left_out.push(`The snapshot ${path}: it is damaged`)
    }
  if (!(await whole(() => ({ secret: readSecret(folder) })))) {
    // The next start draws a new one.
    files.rename(secretPath(folder), secretPath(moved_to))
    left_out.push(`${secretPath(folder)}: it is damaged, so clients sign in again`)
  }
  files.syncFolder(draft)
  const fresh = unusedName(folder, 'repaired')
  // From here on a repair that was interrupted is finished by the next one.
  renameDurably(draft, fresh)
  moveFiles(folder, fresh, moved_to)
  return { seq: world.seq, moved_to, left_out }
}

/** The folder with the complete new files of a repair that was interrupted while it moved them. */
export function interruptedRepair(folder: string): string | undefined {
  const name = files.list(folder).find((name) => /^repaired-\d+$/.test(name))
  return name && join(folder, name)
}

async function finishRepair(folder: string, fresh: string): Promise<Repair> {
  const moved_to = unusedName(folder, 'damaged')
  createFolder(moved_to)
  moveFiles(folder, fresh, moved_to)
  const { seq } = await readWorldFile(worldPath(folder))
  return { seq, moved_to, left_out: ['An earlier repair was interrupted. It is finished now'] }
}

function moveFiles(folder: string, fresh: string, moved_to: string) {
  for (const name of FILES) {
    if (!files.exists(join(fresh, name))) continue
    if (files.exists(join(folder, name))) files.rename(join(folder, name), join(moved_to, name))
    files.rename(join(fresh, name), join(folder, name))
  }
  for (const changed of [moved_to, folder]) files.syncFolder(changed)
  files.removeEmptyFolder(fresh)
  files.syncFolder(folder)
}

function unusedName(folder: string, name: string): string {
  for (let n = 1; ; n++) if (!files.exists(join(folder, `${name}-${n}`))) return join(folder, `${name}-${n}`)
}

/** undefined if it is damaged. */
async function whole<T>(read: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof StoreError) return undefined
    throw error
  }
}

/** None of a file that cannot be read. */
async function* readableLines(path: string): AsyncIterable<ScannedLine> {
  try {
    yield* scanLines(path)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
}

// ── The world and its history ────────────────────────────────────────────────────────────────────────────────────

/** Whole commits of a segment that follow each other. */
interface Run {
  readonly path: string
  readonly from: number
  to: number
}
/** Runs that follow each other. */
type Row = readonly Run[]

interface ProvedHistory {
  /** Oldest first, with a gap between them. */
  readonly rows: readonly Row[]
  /** Snapshots that were saved from this history. Others have the same commit numbers, but other records. */
  readonly snapshots: readonly { readonly path: string; readonly seq: number }[]
  readonly imports: readonly Commit[]
}

interface CommitLine {
  readonly commit: Commit
  readonly line: Line
}

/** The whole lines of a segment: yields its header first, undefined where it is damaged. Otherwise undefined for a damaged line. */
async function* readCommitLines(path: string): AsyncIterable<CommitLine | WholeHeader | undefined> {
  for await (const scanned of readableLines(path)) {
    const text = scanned.text?.toString('utf8')
    if (text === undefined) yield undefined
    else if (scanned.number === 1)
      yield await whole(() => ({
        text,
        check: scanned.check,
        header: readHeader<SegmentHeader>(path, text, 'changes'),
      }))
    else
      yield await whole(() => {
        const line = { ...scanned, text }
        const commit = shiftCommit(parseLine(path, line) as Commit, offsetsOf(path))
        if (!Number.isInteger(commit.seq)) throw unreadableLine(path, line.number, 'it is no commit')
        verifyReplacement(folderOf(path), commit)
        return { commit, line }
      })
  }
}

interface WholeHeader {
  readonly text: string
  readonly check: number
  readonly header: SegmentHeader
}

const folderOf = (segment: string) => dirname(dirname(segment))

async function findHistory(folder: string): Promise<ProvedHistory> {
  const runs: Run[] = []
  const imports: Commit[] = []
  const saved: { path: string; seq: number; journal: number | undefined }[] = []
  for (const path of listSnapshotFiles(folder)) {
    const info = await whole(() => readWorldFileInfo(path))
    if (info) saved.push({ path, seq: info.seq, journal: info.journal })
  }
  const snapshots = new Set<(typeof saved)[number]>()
  const prove = (seq: number, check: number) => {
    for (const one of saved) if (one.seq === seq && one.journal === check) snapshots.add(one)
  }
  for (const { path, firstSeq } of listSegments(folder)) {
    let run: Run | undefined
    for await (const found of readCommitLines(path)) {
      if (!found) run = undefined
      else if ('header' in found) prove(firstSeq - 1, found.check)
      else {
        const { seq, imports: mark } = found.commit
        if (run && seq === run.to + 1) run.to++
        else runs.push((run = { path, from: seq, to: seq }))
        prove(seq, found.line.check)
        if (mark) imports.push(found.commit)
      }
    }
  }
  const rows: Run[][] = []
  let newest = Number.NaN
  for (const { path, ...run } of runs.sort((a, b) => a.from - b.from)) {
    // A file may be there twice.
    if (run.to <= newest) continue
    const from = Math.max(run.from, (newest || 0) + 1)
    if (from !== newest + 1) rows.push([])
    rows.at(-1)!.push({ path, from, to: (newest = run.to) })
  }
  return { rows, imports, snapshots: saved.filter((one) => snapshots.has(one)) }
}

/** Begins with the world file, a snapshot or the first commit: with the one that leads to the newest commit, if it is whole. */
async function rebuildWorld(folder: string, history: ProvedHistory): Promise<World> {
  const path = worldPath(folder)
  const { seq = 0 } = (await whole(() => readWorldFileInfo(path))) ?? {}
  const bases = [
    ...[{ path, seq }, ...history.snapshots].map((saved) => ({ ...saved, read: () => readWorldFile(saved.path) })),
    { seq: 0, read: () => readBeginning(path) },
  ].map((base) => ({ ...base, row: rowAfter(base.seq, history) }))
  const problems: string[] = []
  let best: World | undefined
  for (const { read, row } of bases.toSorted((a, b) => b.row.newest - a.row.newest)) {
    if (best && best.seq >= row.newest) break
    try {
      const world = await applyRow(read, row)
      if (world.seq > (best?.seq ?? -1)) best = world
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      problems.push(error.message)
    }
  }
  if (best) return best
  throw new StoreError(
    `${folder} cannot be repaired, and nothing was changed: no world in it is whole. ${problems.join('. ')}`,
  )
}

async function readBeginning(path: string): Promise<World> {
  for await (const { text } of readableLines(path)) {
    const { seed, start, clock } = readHeader<WorldHeader>(path, text?.toString('utf8') ?? '', 'world')
    return emptyWorld(seed, start, clock)
  }
  throw new StoreError(`${path} does not say how the world began`)
}

interface ReachedRow {
  readonly runs: Row
  readonly newest: number
}

/** The commits that follow one. An import counts only as a whole: they end before one that has lost a commit. */
function rowAfter(seq: number, { rows, imports }: ProvedHistory): ReachedRow {
  const runs = rows.find((row) => row[0]!.from <= seq + 1 && row.at(-1)!.to > seq) ?? []
  const newest = runs.at(-1)?.to ?? seq
  const partial = imports.find((one) => one.seq > seq && one.seq <= newest && newest < one.seq + one.imports!.commits)
  return { runs, newest: partial ? partial.seq - 1 : newest }
}

/** Ends before a commit that does not lead to the records that were saved with it. */
async function applyRow(read: () => Promise<World>, { runs, newest }: ReachedRow): Promise<World> {
  const world = await read()
  try {
    for (const { path, to } of runs)
      if (to > world.seq)
        for await (const found of readCommitLines(path))
          if (found && 'commit' in found && found.commit.seq === world.seq + 1 && world.seq < newest)
            applyCommit(path, found.line, world, found.commit)
    return world
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    // This world has a part of the next commit.
    return applyRow(read, { runs, newest: world.seq })
  }
}

/** One segment for each run that leads to the world, and an empty one for the commits to come. Returns the newest numbers that they name. */
async function writeHistory(folder: string, newest: number, rows: readonly Row[]) {
  const kept = rows.find((row) => row[0]!.from <= newest && row.at(-1)!.to >= newest) ?? []
  const oldest = kept[0]?.from ?? newest + 1
  let follows: number | undefined
  let logged: LoggedCounts = { requests: 0, actions: 0 }
  const left_out: string[] = []
  for (const { path, from, to } of rows.flat()) {
    const last = Math.min(to, newest)
    if (from < oldest) left_out.push(`Commits ${from} to ${to} of ${path}: commits between them and ${oldest} are lost`)
    else if (to > newest)
      left_out.push(
        `Commits ${Math.max(from, newest + 1)} to ${to} of ${path}: commit ${newest + 1}, or a part of its import, is lost`,
      )
    if (from < oldest || from > newest) continue
    const offsets = offsetsOf(path)
    const journal = new Journal(segmentPath(folder, from, offsets), EMPTY)
    for await (const found of readCommitLines(path)) {
      if (journal.length === 0) {
        const own = found && 'header' in found ? found : undefined
        const place = { follows: offsets === NO_OFFSETS ? follows : undefined }
        const isSame = own && (follows === undefined || own.header.follows === place.follows)
        // The same text as before, so that the snapshots of this history can still be proved.
        journal.append(isSame ? own.text : formatSegmentHeader(place))
      }
      if (!found || 'header' in found || found.commit.seq < from || found.commit.seq > last) continue
      const { commit, line } = found
      journal.append(line.text)
      logged = highest({ ...logged, ...commit.logged }, { ...logged, requests: numberOf(commit.cause.exchange) })
      if (commit.replacement) await copyReplacement(folderOf(path), folder, commit.seq)
    }
    await journal.syncInBackground()
    journal.close()
    follows = journal.check
  }
  createSegment(segmentPath(folder, newest + 1), true, { follows, oldest }).close()
  files.syncFolder(join(folder, 'changes'))
  return { logged, left_out }
}

async function copyReplacement(from: string, to: string, seq: number) {
  const journal = new Journal(replacementPath(to, seq), EMPTY)
  for await (const { text } of scanLines(replacementPath(from, seq))) journal.append(text!.toString('utf8'))
  await journal.syncInBackground()
  journal.close()
}

// ── The log ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Leaves out damaged lines, entries whose commits are lost, and those that are out of place. */
async function copyLog(from: string, to: string, newest: number, logged: LoggedCounts): Promise<string[]> {
  const left_out: string[] = []
  // The others are of an import that is lost.
  const paths = listFilesOf(from).filter((path) => offsetsOf(path).commits <= newest)
  const first = paths[0] === undefined ? 1 : fileNumber(paths[0])
  let counts: LoggedCounts = { requests: 0, actions: 0 }
  let damaged = 0
  const create = (number: number, follows?: number) => {
    createFolder(to)
    const journal = new Journal(join(to, numberedName(number)), EMPTY)
    journal.append(formatLogHeader({ follows, oldest: first, counts, isRepaired: true }))
    return journal
  }
  const journal = create(first)
  for (const path of paths)
    for await (const { number, text } of readableLines(path)) {
      const line = text?.toString('utf8') ?? ''
      if (number === 1 && line.startsWith('{"sandbank"')) {
        counts = highest(counts, (JSON.parse(line) as { counts?: LoggedCounts }).counts)
        continue
      }
      const call = await whole(() => parseCall(path, number, line, offsetsOf(path)))
      const refusal = call ? reasonAgainst(call.summary, counts, newest) : 'it is damaged'
      if (refusal) left_out.push(`${call?.summary.uid ?? `Line ${number}`} of ${path}: ${refusal}`)
      else journal.append(formatCall({ ...call!, details: detailsOf(line) }))
      if (call) counts = countCalls([call.summary], counts)
      else damaged++
    }
  await journal.syncInBackground()
  journal.close()
  // The numbers of the entries that were left out are not used again.
  counts = highest({ requests: counts.requests + damaged, actions: counts.actions + damaged }, logged)
  const last = create(Math.max(first, counts.requests + counts.actions) + 1, journal.check)
  await last.syncInBackground()
  last.close()
  for (const path of files.exists(from) ? listTracesFiles(from) : [])
    if (await whole(() => readTracesFile(path))) writeText(join(to, basename(path)), readText(path))
    else left_out.push(`${path}: it is damaged, so its trace ids can be used again`)
  files.syncFolder(to)
  return left_out
}

function reasonAgainst({ uid, seq_after }: Call, { requests, actions }: LoggedCounts, newest: number) {
  if (seq_after > newest) return `its commit ${seq_after} is lost`
  return numberOf(uid) <= (isRequest(uid) ? requests : actions) ? 'it is out of place' : undefined
}

const highest = (a: LoggedCounts, b: LoggedCounts = a): LoggedCounts => ({
  requests: Math.max(a.requests, b.requests),
  actions: Math.max(a.actions, b.actions),
})
