import { basename, dirname, join } from 'node:path'
import { type Call, countCalls, formatLogHeader, isRequest, numberOf, parseCall } from './call-log.ts'
import { listSnapshotFiles } from './check-files.ts'
import type { Commit, LoggedCounts } from './commit.ts'
import {
  createFolder,
  fileNumber,
  files,
  listFiles,
  numberedName,
  readBytes,
  readText,
  renameDurably,
  writeText,
} from './files.ts'
import { parseLine, readHeader } from './headers.ts'
import { EMPTY, Journal, type Line, type ScannedLine, scanLines } from './journal.ts'
import { worldPath } from './read-folder.ts'
import { replacementPath, verifyReplacement } from './replacement-file.ts'
import { readSecret, secretPath } from './secret-file.ts'
import { applyCommit, createSegment, listSegments, segmentPath } from './segments.ts'
import { StoreError } from './store-error.ts'
import { listTracesFiles, readTracesFile } from './traces-files.ts'
import { captureWorld, digestOf, emptyWorld, type World } from './world.ts'
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
  const left_out =
    interrupted === undefined ? await writeRepaired(folder) : ['An earlier repair was interrupted. It is finished now']
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
  moveFiles(folder, interruptedRepair(folder)!, moved_to)
  return { seq: readWorldFileInfo(worldPath(folder)).seq, moved_to, left_out }
}

/** The folder with the complete new files of a repair that has not moved all of them. */
export function interruptedRepair(folder: string): string | undefined {
  const name = files.list(folder).find((name) => /^repaired-\d+$/.test(name))
  return name && join(folder, name)
}

/** Returns what is left out. From its end on a repair that was interrupted is finished by the next one. */
async function writeRepaired(folder: string): Promise<string[]> {
  const draft = unusedName(folder, 'repairing')
  const history = await readHistory(folder)
  const world = await rebuildWorld(folder, history)
  for (const name of ['changes', 'log']) createFolder(join(draft, name))
  const left_out: string[] = []
  const logged = await copyHistory(draft, world.seq, history, left_out)
  await writeWorldFile(worldPath(draft), captureWorld(world))
  await copyLog(join(folder, 'log'), join(draft, 'log'), { seq: world.seq, logged }, left_out)
  files.syncFolder(draft)
  renameDurably(draft, unusedName(folder, 'repaired'))
  return left_out
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

/** A whole commit, and where its line is. */
interface CommitPlace extends Pick<Commit, 'seq' | 'digest'> {
  readonly path: string
  readonly line: Omit<Line, 'text'>
  /** So many commits of its import follow. */
  readonly imports: number
  readonly isReplacement: boolean
  /** The newest entries of the log that it names. */
  readonly logged: LoggedCounts
}

/** By their numbers: a file may be there twice, or under the name of another one. */
type History = ReadonlyMap<number, CommitPlace>

async function readHistory(folder: string): Promise<History> {
  const found: CommitPlace[] = []
  for (const { path } of listSegments(folder))
    for await (const { text, ...line } of readableLines(path)) {
      const commit = await whole(() => {
        const commit = parseLine(path, { ...line, text: text?.toString('utf8') ?? '' }) as Commit
        verifyReplacement(folder, commit)
        return commit
      })
      if (!commit || line.number === 1 || !Number.isInteger(commit.seq)) continue
      const { seq, digest, imports = 0, replacement } = commit
      const logged = highest({ requests: numberOf(commit.cause.exchange), actions: 0 }, commit.logged)
      found.push({ path, line, seq, digest, imports, isReplacement: replacement !== undefined, logged })
    }
  return new Map(found.toSorted((a, b) => a.seq - b.seq).map((one) => [one.seq, one]))
}

/** The commits from one number to another with their texts. Opens each segment once. */
function* readCommits(history: History, from: number, to: number): Generator<{ place: CommitPlace; text: string }> {
  let opened: { readonly path: string; readonly file: number } | undefined
  try {
    for (let seq = from; seq <= to; seq++) {
      const place = history.get(seq)!
      const { path } = place
      const { at, length } = place.line
      if (opened?.path !== path) {
        if (opened) files.close(opened.file)
        opened = undefined
        opened = { path, file: files.open(path, 'r') }
      }
      yield { place, text: readBytes(opened.file, at, length).toString('utf8') }
    }
  } finally {
    if (opened) files.close(opened.file)
  }
}

/** The newest commit that follows one without a gap. An import counts only as a whole. */
function newestAfter(history: History, seq: number, limit = Number.POSITIVE_INFINITY): number {
  for (;;) {
    const next = history.get(seq + 1)
    if (!next) return seq
    const end = next.seq + next.imports
    if (end > limit) return seq
    for (let n = seq + 2; n <= end; n++) if (!history.has(n)) return seq
    seq = end
  }
}

/** Begins with the world file, a snapshot or the first commit: with the one that leads to the newest commit, if it is whole. */
async function rebuildWorld(folder: string, history: History): Promise<World> {
  const path = worldPath(folder)
  const bases = [{ seq: 0, read: () => readBeginning(path) }]
  for (const saved of [...listSnapshotFiles(folder), path]) {
    const info = await whole(() => readWorldFileInfo(saved))
    if (info) bases.unshift({ seq: info.seq, read: () => readBase(saved, saved === path ? undefined : history) })
  }
  const problems: string[] = []
  let best: World | undefined
  const reached = bases.map(({ seq, read }) => ({ read, newest: newestAfter(history, seq) }))
  for (const { read, newest } of reached.toSorted((a, b) => b.newest - a.newest)) {
    if (best && best.seq >= newest) break
    try {
      const world = await applyUpTo(read, newest, history)
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

/** A snapshot of lost commits has the number of a later commit, but other records. */
async function readBase(path: string, history?: History): Promise<World> {
  const world = await readWorldFile(path)
  if (history && history.get(world.seq)?.digest !== `${digestOf(world)}`)
    throw new StoreError(`${path} has other records than commit ${world.seq}`)
  return world
}

async function readBeginning(path: string): Promise<World> {
  for await (const { text } of readableLines(path)) {
    const { seed, start, clock } = readHeader<WorldHeader>(path, text?.toString('utf8') ?? '', 'world')
    return emptyWorld(seed, start, clock)
  }
  throw new StoreError(`${path} does not say how the world began`)
}

/** Ends before a commit that does not lead to the records that were saved with it. */
async function applyUpTo(read: () => Promise<World>, newest: number, history: History): Promise<World> {
  const world = await read()
  const first = world.seq
  try {
    for (const { place, text } of readCommits(history, first + 1, newest)) {
      const line = { ...place.line, text }
      applyCommit(place.path, line, world, parseLine(place.path, line) as Commit)
    }
    return world
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    // This world has a part of the next commit.
    return applyUpTo(read, newestAfter(history, first, world.seq), history)
  }
}

/**
 * The commits that lead to the world without a gap as one segment, and an empty one for those to come. Returns the newest entries of the
 * log that they name.
 */
async function copyHistory(folder: string, newest: number, history: History, left_out: string[]) {
  let oldest = newest + 1
  while (history.has(oldest - 1)) oldest--
  left_out.push(...describeLost(history, oldest, newest))
  let logged: LoggedCounts = { requests: 0, actions: 0 }
  const journal = createSegment(segmentPath(folder, oldest), false, { oldest })
  for (const { place, text } of readCommits(history, oldest, newest)) {
    journal.append(text)
    logged = highest(logged, place.logged)
    if (place.isReplacement) await copyReplacement(dirname(dirname(place.path)), folder, place.seq)
  }
  await journal.syncInBackground()
  journal.close()
  if (oldest <= newest) createSegment(segmentPath(folder, newest + 1), true, { follows: journal.check, oldest }).close()
  files.syncFolder(join(folder, 'changes'))
  return logged
}

function describeLost(history: History, oldest: number, newest: number): string[] {
  const ranges: { path: string; from: number; to: number }[] = []
  for (const { path, seq } of history.values()) {
    const last = ranges.at(-1)
    if (seq >= oldest && seq <= newest) continue
    if (last?.path === path && last.to === seq - 1) last.to = seq
    else ranges.push({ path, from: seq, to: seq })
  }
  const [before, after] = [
    `commits between them and ${oldest} are lost`,
    `commit ${newest + 1}, or a part of its import, is lost`,
  ]
  return ranges.map(({ path, from, to }) => `Commits ${from} to ${to} of ${path}: ${from < oldest ? before : after}`)
}

async function copyReplacement(from: string, to: string, seq: number) {
  const journal = new Journal(replacementPath(to, seq), EMPTY)
  for await (const { text } of scanLines(replacementPath(from, seq))) journal.append(text!.toString('utf8'))
  await journal.syncInBackground()
  journal.close()
}

// ── The log ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Leaves out damaged lines, entries whose commits are lost, and those that are out of place. */
async function copyLog(
  from: string,
  to: string,
  { seq, logged }: { readonly seq: number; readonly logged: LoggedCounts },
  left_out: string[],
) {
  const paths = listFiles(from)
  const lines: string[] = []
  let counts: LoggedCounts = { requests: 0, actions: 0 }
  let damaged = 0
  for (const path of paths)
    for await (const { number, text } of readableLines(path)) {
      const line = text?.toString('utf8') ?? ''
      if (number === 1 && line.startsWith('{"sandbank"')) {
        counts = highest(counts, (JSON.parse(line) as { counts?: LoggedCounts }).counts)
        continue
      }
      const call = (await whole(() => parseCall(path, number, line)))?.summary
      const refusal = call ? reasonAgainst(call, counts, seq) : 'it is damaged'
      if (refusal) left_out.push(`${call?.uid ?? `Line ${number}`} of ${path}: ${refusal}`)
      else lines.push(line)
      if (call) counts = countCalls([call], counts)
      else damaged++
    }
  // The numbers of the entries that were left out are not used again.
  counts = highest({ requests: counts.requests + damaged, actions: counts.actions + damaged }, logged)
  const number = fileNumber(paths[0] ?? numberedName(1))
  const journal = new Journal(join(to, numberedName(number)), EMPTY, true)
  journal.appendAll([formatLogHeader({ oldest: number, counts }), ...lines])
  journal.close()
  for (const path of listTracesFiles(from))
    if (await whole(() => readTracesFile(path))) writeText(join(to, basename(path)), readText(path))
    else left_out.push(`${path}: it is damaged, so its trace ids can be used again`)
  files.syncFolder(to)
}

function reasonAgainst({ uid, seq_after }: Call, { requests, actions }: LoggedCounts, newest: number) {
  if (seq_after > newest) return `its commit ${seq_after} is lost`
  return numberOf(uid) <= (isRequest(uid) ? requests : actions) ? 'it is out of place' : undefined
}

const highest = (a: LoggedCounts, b: LoggedCounts = a): LoggedCounts => ({
  requests: Math.max(a.requests, b.requests),
  actions: Math.max(a.actions, b.actions),
})
