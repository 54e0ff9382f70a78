import { type Change, type Commit, changesInParts } from './commit.ts'
import { Digest } from './digest.ts'
import type { StoredRecord } from './world.ts'

/**
 * A commit as one line of a segment. Most fields of a changed record stay equal, so a line holds the new record in full,
 * and of the old one only the fields that differ.
 */

type Fields = Readonly<Record<string, unknown>>
/** `before`: old values of the fields that differ; `came`: the fields that are new. */
type ShortChange = Omit<Change, 'was'> & { readonly before: Fields; readonly came?: readonly string[] }

export function formatCommit({ changes, ...about }: Commit): string {
  return `${JSON.stringify(about).slice(0, -1)},"changes":${formatChanges(changes)}}`
}

/** All but what holds numbers of commits and requests, which `formatNumbers` adds. */
export function printRest({ changes, ...about }: Commit): Buffer {
  const rest = { ...about, seq: undefined, goes_on_from: undefined, part_of: undefined, cause: undefined }
  return Buffer.from(`${JSON.stringify(rest).slice(1, -1)},"changes":${formatChanges(changes)}}`)
}

export const formatNumbers = ({ seq, goes_on_from, part_of, cause }: Commit): string =>
  `${JSON.stringify({ seq, goes_on_from, part_of, cause }).slice(0, -1)},`

const formatChanges = (changes: readonly Change[]): string => JSON.stringify(changes.map(shorten))

/** A commit as its line has it. */
type ShortCommit = Omit<Commit, 'changes'> & { readonly changes: readonly (Change | ShortChange)[] }

export const parseCommit = (line: string): Commit => restoreCommit(JSON.parse(line) as ShortCommit)

export function restoreCommit(commit: ShortCommit): Commit {
  return { ...commit, changes: commit.changes.map((change) => ('before' in change ? restore(change) : change)) }
}

/** The digest of the records before a commit follows from its changes. Each record that it has changed is read. */
export function digestBefore(commit: Commit): Digest {
  const digest = Digest.parse(commit.digest)
  for (const part of changesInParts(commit))
    for (const { collection, was, record } of part) digest.addChange(collection, record, was)
  return digest
}

/** A text that is in the line of a commit if, and only if, the commit changed this record. */
export const changeText = (collection: string, uid: string): string => JSON.stringify({ collection, uid }).slice(1, -1)

/** The number of the commit, read without parsing its line; undefined if the line does not begin with it. */
export function readSeq(line: Buffer): number | undefined {
  if (!line.subarray(0, SEQ_FIELD.length).equals(SEQ_FIELD)) return undefined
  const seq = Number.parseInt(line.toString('latin1', SEQ_FIELD.length, SEQ_FIELD.length + 16), 10)
  return Number.isNaN(seq) ? undefined : seq
}
const SEQ_FIELD = Buffer.from('{"seq":')

export const isCommit = (line: string): boolean => line.startsWith('{"seq":')

/** Plain loops, because this runs for every record of every commit. */
function shorten(change: Change): Change | ShortChange {
  const { collection, uid, record } = change
  if (!change.was || !record) return change
  const was = fieldsOf(change.was)
  const is = fieldsOf(record)
  const before: Record<string, unknown> = {}
  let came: string[] | undefined
  let common = 0
  for (const field in is) {
    const old = was[field]
    if (old === undefined) (came ??= []).push(field)
    else {
      common++
      if (old !== is[field]) before[field] = old
    }
  }
  if (common < Object.keys(was).length) for (const field in was) if (is[field] === undefined) before[field] = was[field]
  return came ? { collection, uid, record, before, came } : { collection, uid, record, before }
}

const fieldsOf = (record: StoredRecord) => record as unknown as Fields

function restore({ before, came = [], ...change }: ShortChange): Change {
  const was: Record<string, unknown> = { ...change.record, ...before }
  for (const field of came) delete was[field]
  return { ...change, was: was as unknown as StoredRecord }
}
