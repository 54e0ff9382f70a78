import type { Change, Commit } from './commit.ts'
import type { StoredRecord } from './world.ts'

/**
 * A commit as a line of the journal. Most records that change keep most of what they say, so a line holds the record as
 * it is, and of what was there before only what differs. Until shape 3 it held both whole.
 */

type Fields = Readonly<Record<string, unknown>>
/** `before`: the fields that said something else; `came`: those that were not there. */
type ShortChange = Omit<Change, 'was'> & { readonly before: Fields; readonly came?: readonly string[] }

export function formatCommit(commit: Commit): string {
  return JSON.stringify({ ...commit, changes: commit.changes.map(shortened) })
}

export function parseCommit(line: string): Commit {
  const commit = JSON.parse(line) as Omit<Commit, 'changes'> & { changes: readonly (Change | ShortChange)[] }
  return { ...commit, changes: commit.changes.map((change) => ('before' in change ? whole(change) : change)) }
}

/** What a line holds when its commit changed this record, and other lines do not, however often they name it. */
export const changeText = (collection: string, uid: string): string => JSON.stringify({ collection, uid }).slice(1, -1)

/** The number of the commit, without parsing its line; undefined where that would be needed. */
export function readSeq(line: Buffer): number | undefined {
  if (!line.subarray(0, BEFORE_SEQ.length).equals(BEFORE_SEQ)) return undefined
  const seq = Number.parseInt(line.toString('latin1', BEFORE_SEQ.length, BEFORE_SEQ.length + 16), 10)
  return Number.isNaN(seq) ? undefined : seq
}
const BEFORE_SEQ = Buffer.from('{"seq":')

/** It is asked for every record of every commit: hence the plain loops. */
function shortened(change: Change): Change | ShortChange {
  const { collection, uid, record } = change
  if (!change.was || !record) return change
  const was = fieldsOf(change.was)
  const is = fieldsOf(record)
  const before: Record<string, unknown> = {}
  const came: string[] = []
  for (const field in is)
    if (was[field] === undefined) came.push(field)
    else if (was[field] !== is[field]) before[field] = was[field]
  const stayed = Object.keys(is).length - came.length
  if (stayed < Object.keys(was).length) for (const field in was) if (is[field] === undefined) before[field] = was[field]
  return came.length === 0 ? { collection, uid, record, before } : { collection, uid, record, before, came }
}

const fieldsOf = (record: StoredRecord) => record as unknown as Fields

function whole({ before, came = [], ...change }: ShortChange): Change {
  const was: Record<string, unknown> = { ...change.record, ...before }
  for (const field of came) delete was[field]
  return { ...change, was: was as unknown as StoredRecord }
}
