import { basename, join } from 'node:path'
import type { Uid } from '../contract/terms/primitives.ts'
import type { Commit, Offsets } from './commit.ts'
import { files } from './files.ts'

/**
 * The files of an import are written before the numbers of its commits, requests and operator actions are known, because requests go on
 * meanwhile. So they count from 1, and the name of a file says what to add: `<first>+<commits>+<requests>+<actions>.jsonl`. The files get
 * these names in the last step, just before the commit of the import is appended. `import.new` and the files of an import without a
 * commit are what a crash leaves; the next start removes them.
 */

export const NO_OFFSETS: Offsets = { commits: 0, requests: 0, actions: 0 }

export function numberedName(first: number, offsets = NO_OFFSETS): string {
  const { commits, requests, actions } = offsets
  const added = offsets === NO_OFFSETS ? '' : `+${commits}+${requests}+${actions}`
  return `${String(first).padStart(12, '0')}${added}.jsonl`
}

/** undefined for other files. */
export function parseNumberedName(name: string): { readonly first: number; readonly offsets: Offsets } | undefined {
  const match = /^(\d{12})(?:\+(\d+)\+(\d+)\+(\d+))?\.jsonl$/.exec(name)
  if (!match) return undefined
  const [first = 0, ...added] = match.slice(1).map(Number)
  const [commits = 0, requests = 0, actions = 0] = added
  return { first, offsets: match[2] === undefined ? NO_OFFSETS : { commits, requests, actions } }
}

export const offsetsOf = (path: string): Offsets => parseNumberedName(basename(path))?.offsets ?? NO_OFFSETS

export const isImportFile = (path: string): boolean => offsetsOf(path) !== NO_OFFSETS

interface NumberedEntry {
  uid: Uid
  seq_before?: number
  seq_after?: number
  after?: Uid | null
}

/** Changes the entry of a log itself: copies of all entries would take long in the last step of an import. */
export function shiftEntry(entry: { readonly uid: Uid }, offsets: Offsets) {
  if (offsets === NO_OFFSETS) return
  const numbered: NumberedEntry = entry
  numbered.uid = shiftUid(numbered.uid, offsets)
  if (numbered.seq_before !== undefined) numbered.seq_before += offsets.commits
  if (numbered.seq_after !== undefined) numbered.seq_after += offsets.commits
  // x0 is the newest request before the import, if there was one.
  if (numbered.after)
    numbered.after = numbered.after === 'x0' && offsets.requests === 0 ? null : shiftUid(numbered.after, offsets)
}

export function shiftCommit(commit: Commit, offsets: Offsets): Commit {
  if (offsets === NO_OFFSETS) return commit
  const { exchange } = commit.cause
  return {
    ...commit,
    seq: commit.seq + offsets.commits,
    ...(commit.goes_on_from === undefined ? {} : { goes_on_from: commit.goes_on_from + offsets.commits }),
    ...(commit.part_of === undefined ? {} : { part_of: commit.part_of + offsets.commits }),
    ...(exchange === undefined ? {} : { cause: { ...commit.cause, exchange: shiftUid(exchange, offsets) } }),
  }
}

const shiftUid = (uid: Uid, { requests, actions }: Offsets): Uid =>
  `${uid[0]!}${Number(uid.slice(1)) + (uid.startsWith('x') ? requests : actions)}`

/** The name of a file of an import while it is written. */
export const temporaryName = (number: number) => `import-${number}.new`

/** Removes what an interrupted import has left. Returns whether there was anything. */
export function removeInterruptedImport(folder: string, newest: number): boolean {
  const isUnused = (name: string) =>
    /^import-\d+\.new$/.test(name) || (parseNumberedName(name)?.offsets.commits ?? 0) > newest
  const places = ['changes', 'log'].map((name) => join(folder, name)).filter((place) => files.exists(place))
  let hasFound = false
  for (const place of places) {
    const unused = files.list(place).filter(isUnused)
    for (const name of unused) files.remove(join(place, name))
    // A commit that gets the number of the interrupted one must not bring them back after a power failure.
    if (unused.length > 0) files.syncFolder(place)
    hasFound ||= unused.length > 0
  }
  return hasFound
}
