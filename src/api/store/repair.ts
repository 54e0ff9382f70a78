import { basename, dirname, join } from 'node:path'
import { type Call, fileNumber, formatLogHeader, isRequest, numberOf, parseCall } from './call-log.ts'
import { listFilesOf, listSnapshotFiles } from './check-files.ts'
import type { Commit, ImportMark, LoggedCounts } from './commit.ts'
import { createFolder, files, readText, renameDurably, writeText } from './files.ts'
import { isImportFile, NO_OFFSETS, numberedName, offsetsOf, shiftCommit } from './import-files.ts'
import { EMPTY, Journal, type Line, type ScannedLine, scanLines } from './journal.ts'
import { CURRENT_VERSION, migrate } from './migrations.ts'
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
import {
  type Header,
  readWorldFile,
  readWorldFileInfo,
  type WorldFileInfo,
  type WorldHeader,
  writeWorldFile,
} from './world-file.ts'

/**
 * Keeps what is proved to be whole, and says what it leaves out: the newest world that whole lines lead to, the history before it up to the
 * first gap, and each whole line of the logs. The new files are complete before the old ones are moved to `damaged-<n>`.
 */

export interface Repair {
  /** The newest commit of the repaired world. */
  readonly seq: number
  /** The folder with the files as they were. */
  readonly moved_to: string
  /** What was left out, one line each. */
  readonly left_out: readonly string[]
}

/** Commits of a segment that follow each other without a damaged line between them. */
interface Run {
  readonly path: string
  readonly version: number
  /** Of the segment, if it is whole. Only the first run of a segment has it. */
  readonly header: WholeHeader | undefined
  readonly from: number
  to: number
}

interface WholeHeader extends SegmentHeader {
  readonly text: string
  readonly check: number
}

interface ProvedHistory {
  /** Oldest first. */
  readonly runs: readonly Run[]
  /** Snapshots that were saved from this history. Others have the same commit numbers, but other records. */
  readonly snapshots: readonly string[]
  readonly imports: readonly Import[]
}

interface Import extends ImportMark {
  /** Its first commit. */
  readonly seq: number
}

const FILES = ['world.jsonl', 'changes', 'log']

/** The folder must be locked. */
export async function repairFolder(folder: string): Promise<Repair> {
  const interrupted = interruptedRepair(folder)
  if (interrupted !== undefined) return finishRepair(folder, interrupted)
  const left_out: string[] = []
  const draft = unusedName(folder, 'repairing')
  const history = await findHistory(folder)
  const world = await rebuildWorld(folder, history)
  createFolder(join(draft, 'changes'))
  const runs = history.runs.flatMap((run) => splitRun(run, world.seq))
  const kept = runsUpTo(world.seq, runs)
  const logged = await writeHistory(draft, world, kept)
  await writeWorldFile(worldPath(draft), captureWorld(world))
  left_out.push(...describeLostCommits(world.seq, runs, kept))
  left_out.push(...(await copyLog(join(folder, 'log'), join(draft, 'log'), world.seq, logged)))
  const moved_to = unusedName(folder, 'damaged')
  createFolder(join(moved_to, 'snapshots'))
  left_out.push(...(await moveDamagedSnapshots(folder, join(moved_to, 'snapshots'))))
  left_out.push(...moveDamagedSecret(folder, moved_to))
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

function parseLine({ text }: ScannedLine): unknown {
  try {
    return text && JSON.parse(text.toString('utf8'))
  } catch {
    return undefined
  }
}

// ── The world and its history ────────────────────────────────────────────────────────────────────────────────────

interface CommitLine {
  readonly commit: Commit
  readonly line: Line & { readonly check: number }
  readonly version: number
}

/** Yields undefined for a line that is damaged. */
async function* readCommitLines(path: string): AsyncIterable<CommitLine | undefined> {
  // Without its header a segment has the version of the present files: only these have checks that prove the lines after it.
  let version = CURRENT_VERSION
  const offsets = offsetsOf(path)
  for await (const scanned of readableLines(path)) {
    const content = parseLine(scanned) as Partial<Commit & Header> | undefined
    if (scanned.number === 1) version = content?.version ?? CURRENT_VERSION
    else if (typeof content?.seq !== 'number') yield undefined
    else {
      const commit = shiftCommit(content as Commit, offsets)
      const line = { ...scanned, text: scanned.text!.toString('utf8') }
      yield isReplacementWhole(path, commit) ? { commit, line, version } : undefined
    }
  }
}

function isReplacementWhole(path: string, commit: Commit): boolean {
  try {
    verifyReplacement(folderOf(path), commit)
    return true
  } catch (error) {
    if (error instanceof StoreError) return false
    throw error
  }
}

const folderOf = (segment: string) => dirname(dirname(segment))

async function findHistory(folder: string): Promise<ProvedHistory> {
  const runs: Run[] = []
  const unproved = listSnapshotFiles(folder).map((path) => ({ path, ...readSavedAt(path) }))
  const snapshots = new Set<string>()
  const imports: Import[] = []
  const prove = (seq: number, check: number) => {
    for (const one of unproved) if (one.seq === seq && one.journal === check) snapshots.add(one.path)
  }
  for (const { path, firstSeq } of listSegments(folder)) {
    let run: Run | undefined
    const header = await readSegmentHeader(path)
    if (header) prove(firstSeq - 1, header.check)
    for await (const found of readCommitLines(path)) {
      const seq = found?.commit.seq
      if (run && seq === run.to + 1) run.to++
      else if (seq === undefined) run = undefined
      else {
        runs.push(
          (run = { path, version: found!.version, header: seq === firstSeq ? header : undefined, from: seq, to: seq }),
        )
      }
      if (found) prove(found.commit.seq, found.line.check)
      if (found?.commit.imports) imports.push({ seq: found.commit.seq, ...found.commit.imports })
    }
  }
  runs.sort((a, b) => a.from - b.from)
  return { runs, imports, snapshots: unproved.map(({ path }) => path).filter((path) => snapshots.has(path)) }
}

/** Empty if the header is damaged. */
function readSavedAt(path: string): Partial<WorldFileInfo> {
  try {
    return readWorldFileInfo(path)
  } catch (error) {
    if (error instanceof StoreError) return {}
    throw error
  }
}

async function readSegmentHeader(path: string): Promise<WholeHeader | undefined> {
  for await (const line of readableLines(path)) {
    const header = parseLine(line) as SegmentHeader | undefined
    return header && { ...header, text: line.text!.toString('utf8'), check: line.check }
  }
  return undefined
}

/** Begins with the world file, a snapshot or the first commit: with the one that leads to the newest commit, if it is whole. */
async function rebuildWorld(folder: string, history: ProvedHistory): Promise<World> {
  const bases = [
    ...[worldPath(folder), ...history.snapshots].map((path) => ({ seq: seqOf(path), read: () => readWorldFile(path) })),
    { seq: 0, read: () => readBeginning(folder, history.runs) },
  ].map((base) => ({ ...base, reach: newestCommit(base.seq, history) }))
  const problems: string[] = []
  let best: World | undefined
  for (const { read, reach } of bases.toSorted((a, b) => b.reach - a.reach)) {
    if (best && best.seq >= reach) break
    try {
      const world = await applyUntilProblem(read, history.runs, reach)
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

/** 0 if it cannot be read. */
const seqOf = (path: string): number => readSavedAt(path).seq ?? 0

/** Ends before a commit that does not lead to the records that were saved with it. */
async function applyUntilProblem(read: () => Promise<World>, runs: readonly Run[], reach: number): Promise<World> {
  for (let newest = reach; ; ) {
    const world = await read()
    try {
      await applyRuns(world, runs, newest)
      return world
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      // This world has a part of the next commit.
      newest = world.seq
    }
  }
}

async function readBeginning(folder: string, [first]: readonly Run[]): Promise<World> {
  for await (const line of readableLines(worldPath(folder))) {
    const header = parseLine(line) as WorldHeader | undefined
    if (!header || first?.from !== 1) break
    return emptyWorld(header.seed, header.start, header.clock)
  }
  throw new StoreError('The history does not begin with commit 1')
}

/**
 * The newest commit that the runs lead to from a world. An import counts only as a whole: it ends before one that has lost a commit.
 */
function newestCommit(seq: number, { runs, imports }: ProvedHistory): number {
  let newest = seq
  for (const { from, to } of runs) if (from <= newest + 1) newest = Math.max(newest, to)
  const isWhole = ({ seq: first, commits }: Import) => newest >= first + commits
  const partial = imports.find((one) => one.seq > seq && one.seq <= newest && !isWhole(one))
  return partial ? partial.seq - 1 : newest
}

async function applyRuns(world: World, runs: readonly Run[], newest: number) {
  for (const { path, from, to: end, version } of runs) {
    const to = Math.min(end, newest)
    if (from > world.seq + 1 || to <= world.seq) continue
    const migration = migrate(version)
    for await (const found of readCommitLines(path))
      if (found && found.commit.seq >= from && found.commit.seq <= to)
        applyCommit(path, found.line, world, found.commit, migration)
  }
}

/** Ends a run at this commit, if it goes on after it. */
const splitRun = (run: Run, seq: number): Run[] =>
  run.from <= seq && seq < run.to
    ? [
        { ...run, to: seq },
        { ...run, from: seq + 1, header: undefined },
      ]
    : [run]

/** The runs that lead to a commit without a gap, oldest first. */
function runsUpTo(seq: number, runs: readonly Run[]): Run[] {
  const kept: Run[] = []
  let expected = seq
  for (const run of runs.toReversed()) {
    if (run.to !== expected) continue
    kept.unshift(run)
    expected = run.from - 1
  }
  return kept
}

/** One segment for each run, and an empty one for the commits to come. Returns the newest numbers that it names. */
async function writeHistory(folder: string, world: World, runs: readonly Run[]): Promise<LoggedCounts> {
  let before: Journal | undefined
  let logged: LoggedCounts = { requests: 0, actions: 0 }
  for (const { path, version, header, from, to } of runs) {
    const offsets = offsetsOf(path)
    const journal = new Journal(segmentPath(folder, from, offsets), EMPTY)
    const follows = offsets === NO_OFFSETS ? before?.check : undefined
    const isSame = header && (follows === undefined || header.follows === follows)
    // The same text as before, so that the snapshots of this history can still be proved.
    journal.append(isSame ? header.text : formatSegmentHeader({ follows }, version))
    for await (const found of readCommitLines(path))
      if (found && found.commit.seq >= from && found.commit.seq <= to) {
        journal.append(found.line.text)
        logged = { ...logged, ...found.commit.logged }
        logged = { ...logged, requests: Math.max(logged.requests, numberOf(found.commit.cause.exchange)) }
        if (found.commit.replacement) await copyReplacement(folderOf(path), folder, found.commit.seq)
      }
    await journal.syncInBackground()
    journal.close()
    before = journal
  }
  const next = world.seq + 1
  createSegment(segmentPath(folder, next), true, { follows: before?.check, oldest: runs[0]?.from ?? next }).close()
  files.syncFolder(join(folder, 'changes'))
  return logged
}

async function copyReplacement(from: string, to: string, seq: number) {
  const journal = new Journal(replacementPath(to, seq), EMPTY)
  for await (const { text } of scanLines(replacementPath(from, seq))) journal.append(text!.toString('utf8'))
  await journal.syncInBackground()
  journal.close()
}

function describeLostCommits(newest: number, runs: readonly Run[], kept: readonly Run[]): string[] {
  const lost = runs.filter((run) => !kept.includes(run))
  return lost.map(({ from, to, path }) => {
    if (from === newest + 1) return `Commits ${from} to ${to} of ${path}: a part of their import is lost`
    return from > newest
      ? `Commits ${from} to ${to} of ${path}: the commits between ${newest} and ${from} are lost`
      : `Commits ${from} to ${to} of ${path}, from the history: the commits after them are lost`
  })
}

// ── The log, snapshots ───────────────────────────────────────────────────────────────────────────────────────────

/** Leaves out damaged lines, entries whose commits are lost, and those that are out of place. */
async function copyLog(from: string, to: string, newest: number, logged: LoggedCounts): Promise<string[]> {
  const left_out: string[] = []
  // The others are of an import that is lost.
  const paths = listFilesOf(from).filter((path) => offsetsOf(path).commits <= newest)
  let counts: LoggedCounts = { requests: 0, actions: 0 }
  let damaged = 0
  let follows: number | undefined
  let oldest: number | undefined
  const copy = async (name: string, lines: (journal: Journal) => Promise<void>) => {
    createFolder(to)
    oldest ??= fileNumber(name)
    const journal = new Journal(join(to, name), EMPTY)
    journal.append(formatLogHeader({ ...(isImportFile(name) ? {} : { follows, oldest, counts }), isRepaired: true }))
    await lines(journal)
    await journal.syncInBackground()
    journal.close()
    follows = journal.check
  }
  for (const path of paths)
    await copy(basename(path), async (journal) => {
      for await (const { number, text } of readableLines(path)) {
        const line = text?.toString('utf8')
        if (number === 1 && line?.startsWith('{"sandbank"')) {
          counts = highest(counts, (JSON.parse(line) as { counts?: LoggedCounts }).counts)
          continue
        }
        const call = line === undefined ? undefined : readCall(path, number, line)
        const refusal = call ? reasonAgainst(call, counts, newest) : 'it is damaged'
        if (refusal) left_out.push(`${call?.uid ?? `Line ${number}`} of ${path}: ${refusal}`)
        else journal.append(line!)
        if (call) counts = countsWith(counts, call)
        else damaged++
      }
    })
  // The numbers of the entries that were left out are not used again.
  const { requests, actions } = highest(counts, logged)
  counts = { requests: requests + damaged, actions: actions + damaged }
  let number = counts.requests + counts.actions + 1
  while (files.exists(join(to, numberedName(number)))) number++
  if (paths.length > 0 || number > 1) await copy(numberedName(number), async () => {})
  for (const path of files.exists(from) ? listTracesFiles(from) : [])
    try {
      readTracesFile(path)
      createFolder(to)
      writeText(join(to, basename(path)), readText(path))
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      left_out.push(`${path}: it is damaged, so its trace ids can be used again`)
    }
  if (files.exists(to)) files.syncFolder(to)
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

const countsWith = (counts: LoggedCounts, { uid }: Call) =>
  highest(counts, { ...counts, [isRequest(uid) ? 'requests' : 'actions']: numberOf(uid) })

function readCall(path: string, number: number, line: string): Call | undefined {
  try {
    const { summary } = parseCall(path, number, line, offsetsOf(path))
    return typeof summary.seq_after === 'number' ? summary : undefined
  } catch {
    return undefined
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

/** The next start draws a new one. */
function moveDamagedSecret(folder: string, to: string): string[] {
  try {
    readSecret(folder)
    return []
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    files.rename(secretPath(folder), secretPath(to))
    return [`${secretPath(folder)}: it is damaged, so clients sign in again`]
  }
}

async function moveDamagedSnapshots(folder: string, to: string): Promise<string[]> {
  const left_out: string[] = []
  for (const path of listSnapshotFiles(folder))
    try {
      await readWorldFile(path)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      files.rename(path, join(to, basename(path)))
      left_out.push(`The snapshot ${path}: it is damaged`)
    }
  return left_out
}
