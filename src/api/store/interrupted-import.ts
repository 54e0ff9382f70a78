import { join } from 'node:path'
import type { Commit } from './commit.ts'
import { files } from './files.ts'
import { listLogFiles, readLogFile } from './log.ts'
import { listSegments } from './segments.ts'

/**
 * An import of version 7 appended its commits, then the entries of the request log, then those of the operator log. It counts only if the
 * last of these is there; otherwise a start removes all of it.
 */

export interface ImportPlace {
  readonly path: string
  /** Where the line of its first commit begins. */
  readonly at: number
  readonly commit: Commit
}

export async function isImportLogged(folder: string, { imports }: Commit): Promise<boolean> {
  const path = listFiles(join(folder, 'acts')).at(-1)
  const found = path ? (await readLogFile(path)).found : []
  const newest = found.at(-1)?.summary.uid
  return newest !== undefined && counterOf(newest) >= counterOf(imports!.last_action!)
}

/** The journal is cut last: until then the next start finds the import again. */
export async function cutImport(folder: string, { path, at, commit }: ImportPlace) {
  for (const name of ['exchanges', 'acts']) await cutLog(join(folder, name), commit.seq)
  for (const segment of listSegments(folder)) if (segment.firstSeq > commit.seq) files.remove(segment.path)
  cutFile(path, at)
  files.syncFolder(join(folder, 'changes'))
}

/** Removes the entries since a commit, which are the last ones of the log. */
async function cutLog(folder: string, seq: number) {
  for (const path of listFiles(folder).reverse()) {
    const { found } = await readLogFile<{ readonly uid: string; readonly seq_after: number }>(path)
    const first = found.find(({ summary }) => summary.seq_after >= seq)
    if (!first) return
    if (first === found[0] && listFiles(folder).length > 1) files.remove(path)
    else cutFile(path, first.place.at)
  }
}

function cutFile(path: string, length: number) {
  const file = files.open(path, 'r+')
  try {
    files.truncate(file, length)
    files.sync(file)
  } finally {
    files.close(file)
  }
}

const listFiles = (folder: string) => (files.exists(folder) ? listLogFiles(folder) : [])

const counterOf = (uid: string) => Number(uid.slice(1))
