import { basename, join } from 'node:path'
import { type Call, countCalls, formatLogHeader, isRequest, type LogHeader, numberOf, parseCall } from './call-log.ts'
import { listSnapshotFiles } from './check-files.ts'
import type { Commit, LoggedCounts } from './commit.ts'
import { Digest } from './digest.ts'
import { createFolder, fileNumber, files, listFiles, numberedName, readBytes, renameDurably } from './files.ts'
import { parseLine, readHeader } from './headers.ts'
import { EMPTY, type FileEnd, Journal, type ScannedLine, scanLines } from './journal.ts'
import { type CommitPlace, readHistory, worldPath } from './read-folder.ts'
import { replacementPath } from './replacement-file.ts'
import { readSecret, secretPath } from './secret-file.ts'
import { applyCommit, createSegment, segmentPath } from './segments.ts'
import { StoreError } from './store-error.ts'
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
  const commits = findCommits(folder)
  const { world, history } = await chooseBase(folder, slicesOf(commits))
  for (const name of ['changes', 'log']) createFolder(join(draft, name))
  const logged = await copyHistory(draft, world, history)
  await writeWorldFile(worldPath(draft), captureWorld(world))
  const left_out = describeLost(commits, history[0]?.seq ?? world.seq + 1, world.seq)
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
function* readableLines(path: string): Iterable<ScannedLine> {
  try {
    yield* scanLines(path)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
}

// ── The world and its history ────────────────────────────────────────────────────────────────────────────────────

/** Of all segments in the order of their numbers, each once: a file may be there twice, or under the name of another one. */
function findCommits(folder: string): readonly CommitPlace[] {
  const found = new Map<number, CommitPlace>()
  readHistory(
    folder,
    () => {},
    (commit) => void found.set(commit.seq, commit),
  )
  return [...found.values()].sort((a, b) => a.seq - b.seq)
}

/** Rows of commits each of which leads on from the one before it. An import is in one as a whole or not at all. */
function slicesOf(commits: readonly CommitPlace[]): CommitPlace[][] {
  const slices: CommitPlace[][] = []
  for (const commit of commits) {
    const last = slices.at(-1)?.at(-1)
    if (last && commit.seq === last.seq + 1 && commit.before === last.digest) slices.at(-1)!.push(commit)
    else slices.push([commit])
  }
  return slices.map((slice) => {
    const cut = slice.findIndex(({ imports }, index) => index + imports >= slice.length)
    return cut < 0 ? slice : slice.slice(0, cut)
  })
}

/** The world to begin with, and the commits that lead to it and on. The one that leads furthest, if its file is whole. */
async function chooseBase(folder: string, slices: readonly (readonly CommitPlace[])[]) {
  const path = worldPath(folder)
  const bases: { seq: number; history: readonly CommitPlace[]; read: () => World | Promise<World> }[] = []
  const add = (seq: number, digest: string, read: () => World | Promise<World>, isTrusted = false) => {
    const history = slices.find(
      ([first, ...rest]) =>
        (first?.seq === seq + 1 && first.before === digest) ||
        [first, ...rest].some((commit) => commit?.seq === seq && commit.digest === digest),
    )
    if (history || isTrusted) bases.push({ seq: history?.at(-1)?.seq ?? seq, history: history ?? [], read })
  }
  for (const saved of [path, ...listSnapshotFiles(folder)]) {
    const info = await whole(() => readWorldFileInfo(saved))
    // A snapshot of lost commits has the number of a later commit, but other records.
    if (info) add(info.seq, info.digest, () => readWorldFile(saved), saved === path)
  }
  add(0, `${new Digest()}`, () => readBeginning(path))
  const problems: string[] = []
  for (const { read, history } of bases.sort((a, b) => b.seq - a.seq))
    try {
      return { world: await read(), history }
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      problems.push(error.message)
    }
  throw new StoreError(
    `${folder} cannot be repaired, and nothing was changed: no world in it is whole. ${problems.join('. ')}`,
  )
}

function readBeginning(path: string): World {
  for (const { text } of readableLines(path)) {
    const { seed, start, clock } = readHeader<WorldHeader>(path, text?.toString('utf8') ?? '', 'world')
    return emptyWorld(seed, start, clock)
  }
  throw new StoreError(`${path} does not say how the world began`)
}

/**
 * Writes the commits as segments, with an empty one for those to come, and leads the world on by those after it. Returns the newest entries of
 * the log that they name.
 */
async function copyHistory(folder: string, world: World, history: readonly CommitPlace[]): Promise<LoggedCounts> {
  const oldest = history[0]?.seq ?? world.seq + 1
  let logged: LoggedCounts = { requests: 0, actions: 0 }
  let journal = createSegment(segmentPath(folder, oldest), false, { oldest })
  const end = async () => {
    await journal.syncInBackground()
    journal.close()
  }
  let opened: { readonly path: string; readonly file: number } | undefined
  try {
    for (const { path, line, seq, parts, logged: own } of history) {
      if (opened?.path !== path) {
        if (opened) files.close(opened.file)
        opened = undefined
        opened = { path, file: files.open(path, 'r') }
      }
      const text = readBytes(opened.file, line.at, line.length).toString('utf8')
      if (parts) {
        await end()
        journal = copyParts(path, parts, replacementPath(folder, seq))
      }
      journal.append(text)
      logged = highest(logged, own)
      if (seq > world.seq) applyCommit(path, line, world, parseLine(path, { ...line, text }) as Commit)
    }
  } finally {
    if (opened) files.close(opened.file)
  }
  await end()
  const { check } = journal
  if (history.length > 0) createSegment(segmentPath(folder, world.seq + 1), true, { follows: check, oldest }).close()
  files.syncFolder(join(folder, 'changes'))
  return logged
}

/** With the header, so that the commit says where they end. */
function copyParts(from: string, { length }: FileEnd, to: string): Journal {
  const journal = new Journal(to, EMPTY)
  for (const { text, end } of scanLines(from)) {
    if (end > length) break
    journal.append(text!.toString('utf8'))
  }
  return journal
}

function describeLost(commits: readonly CommitPlace[], oldest: number, newest: number): string[] {
  const ranges: { path: string; from: number; to: number }[] = []
  for (const { path, seq } of commits) {
    const last = ranges.at(-1)
    if (seq >= oldest && seq <= newest) continue
    if (last?.path === path && last.to === seq - 1) last.to = seq
    else ranges.push({ path, from: seq, to: seq })
  }
  const before = `commits between them and ${oldest} are lost`
  const after = `commit ${newest + 1}, or a part of its import, is lost`
  return ranges.map(({ path, from, to }) => `Commits ${from} to ${to} of ${path}: ${from < oldest ? before : after}`)
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
  const traces: NonNullable<LogHeader['traces']>[number][] = []
  for (const path of paths)
    for (const { number, text } of readableLines(path)) {
      const line = text?.toString('utf8') ?? ''
      if (number === 1 && line.startsWith('{"sandbank"')) {
        const header = JSON.parse(line) as LogHeader
        counts = highest(counts, header.counts)
        traces.push(...(header.traces ?? []))
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
  journal.appendAll([formatLogHeader({ oldest: number, counts, traces }), ...lines])
  journal.close()
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
