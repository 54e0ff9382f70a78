import { rowOf } from '../contract/collections.ts'
import type { CommitSummary, MethodOutput } from '../contract/control.ts'
import type { Commit } from '../store/commit.ts'
import type { ReadStore } from '../store/store.ts'
import type { CollectionName } from '../store/world.ts'
import { nameWithStatus } from './names.ts'

/** The history as a list to go back along: every commit that is kept, also of lines that have been left behind. */

const USUAL_LIMIT = 100
const NAMED = 3

export function commitsOf(store: ReadStore, limit = USUAL_LIMIT, before?: number): MethodOutput<'world.commits'> {
  const commits: CommitSummary[] = []
  let line = Number.POSITIVE_INFINITY
  for (const commit of store.history({ before })) {
    const left = commit.seq > line
    if (!left && commit.goes_on_from !== undefined) line = commit.goes_on_from
    if (before !== undefined && commit.seq >= before) continue
    if (commits.length === limit) return { commits, more: true }
    commits.push(told(commit, left))
  }
  return { commits, more: false }
}

function told({ seq, at, cause, changes, clock, was_clock, goes_on_from }: Commit, left: boolean): CommitSummary {
  const records: Partial<Record<CollectionName, number>> = {}
  for (const { collection } of changes) records[collection] = (records[collection] ?? 0) + 1
  const from = cause.from ?? was_clock?.at
  const moved = goes_on_from === undefined && cause.door === 'operator' && clock !== undefined && clock.at !== from
  return {
    seq,
    at,
    cause,
    records,
    about: changes
      .filter(({ collection }) => goes_on_from === undefined && rowOf(collection).main)
      .slice(0, NAMED)
      .map(({ collection, uid, record, was }) => ({
        collection,
        uid,
        says: nameWithStatus(collection, (record ?? was)!),
      })),
    moved: moved && from !== undefined ? { from, to: clock.at } : null,
    goes_on_from: goes_on_from ?? null,
    left,
  }
}
