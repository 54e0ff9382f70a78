import { join } from 'node:path'
import { countCalls, findOldest, type LogHeader, readLogFile, requireCommits } from './call-log.ts'
import { ChainReader } from './chain.ts'
import type { LoggedCounts } from './commit.ts'
import { fileNumber, files, listFiles } from './files.ts'
import type { OnProblem } from './journal.ts'
import { readHistory, requireNoCommits, worldPath } from './read-folder.ts'
import { readSecret, secretPath } from './secret-file.ts'
import { missingSegment, segmentPath } from './segments.ts'
import { isFileError, StoreError, unreadable, WHAT_TO_DO } from './store-error.ts'
import { digestOf, type World } from './world.ts'
import { readWorldFile } from './world-file.ts'

/**
 * Proves the files of a data folder: each line by its check, that the files of the history and of the logs follow each other, and that the
 * logs are as long as the newest commit says. Reads only. Only the newest file may end in a torn line, which a crash leaves.
 */

export interface CheckedFiles {
  readonly files: number
  /** One line each. */
  readonly problems: readonly string[]
}

export async function checkFiles(folder: string): Promise<CheckedFiles> {
  if (!files.exists(folder)) throw new StoreError(`There is no folder ${folder}`)
  const problems: string[] = []
  let count = 0
  const attempt = async <T>(path: string, work: (path: string) => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await work(path)
    } catch (error) {
      if (!(error instanceof StoreError) && !isFileError(error)) throw error
      problems.push(error instanceof StoreError ? error.message : unreadable(path, error).message)
      return undefined
    }
  }
  const prove = async <T>(path: string, work: (path: string) => T | Promise<T>) => {
    if (!files.exists(path)) return undefined
    count++
    return attempt(path, work)
  }
  const note: OnProblem = ({ message }) => void problems.push(message)

  const world = await prove(worldPath(folder), (path) => readWorldFile(path))
  if (!world) await attempt(folder, () => files.exists(worldPath(folder)) || requireNoCommits(folder))
  const history = checkHistory(folder, world, note)
  for (const path of listSnapshotFiles(folder)) await prove(path, (path) => readWorldFile(path))
  const logFiles = checkLog(join(folder, 'log'), history, note)
  await prove(secretPath(folder), () => readSecret(folder))
  return { files: count + history.files + logFiles, problems: [...new Set(problems)] }
}

/** The commits since the world file and those of the history are there, and the world file has the records that they lead to. */
function checkHistory(folder: string, world: World | undefined, note: OnProblem) {
  let logged: LoggedCounts | undefined
  let saved: string | undefined
  const { segments, reader } = readHistory(folder, note, (commit) => {
    logged = commit.logged
    if (commit.seq === world?.seq) saved = commit.digest
  })
  const { oldest, newest } = reader
  const [first] = segments
  if (world && !segments.some(({ firstSeq }) => firstSeq === world.seq + 1))
    note(missingSegment(segmentPath(folder, world.seq + 1)))
  if (first && oldest !== undefined && first.firstSeq > oldest) note(missingSegment(segmentPath(folder, oldest)))
  if (world && saved !== undefined && saved !== `${digestOf(world)}`)
    note(
      new StoreError(
        `${worldPath(folder)} does not have the records that there were after commit ${world.seq}. ${WHAT_TO_DO}`,
      ),
    )
  return { files: segments.length, newest, logged }
}

interface CheckedHistory {
  readonly newest: number | undefined
  readonly logged: LoggedCounts | undefined
}

/** No file is missing, and no commit that the entries name. Returns the number of files. */
function checkLog(folder: string, { newest, logged }: CheckedHistory, note: OnProblem): number {
  const all = listFiles(folder)
  const oldest = findOldest(all)
  const paths = all.filter((path) => fileNumber(path) >= oldest)
  const reader = new ChainReader<LogHeader>('log', note)
  let isComplete = true
  let counts: LoggedCounts = { requests: 0, actions: 0 }
  for (const path of paths) {
    const { found, header, isWhole } = readLogFile(reader, path, path === paths.at(-1))
    const calls = found.map(({ summary }) => summary)
    counts = countCalls(calls, header?.counts ?? counts)
    isComplete &&= isWhole
    if (newest !== undefined) requireCommits(newest, calls, folder, note)
  }
  if (paths[0] !== undefined && fileNumber(paths[0]) !== oldest)
    note(
      new StoreError(
        `${folder} begins with ${paths[0]}, and file ${oldest} is expected: entries are missing. ${WHAT_TO_DO}`,
      ),
    )
  if (isComplete && logged && (counts.requests < logged.requests || counts.actions < logged.actions))
    note(
      new StoreError(
        `${folder} ends with x${counts.requests} and o${counts.actions}, and the newest commit was made after x${logged.requests} and o${logged.actions}: entries are missing. ${WHAT_TO_DO}`,
      ),
    )
  return paths.length
}

export const listSnapshotFiles = (folder: string): string[] => listFiles(join(folder, 'snapshots'), /\.jsonl$/)
