import { rowOf } from '../contract/collections.ts'
import type { CommitSummary } from '../contract/control/history.ts'
import type { MethodOutput } from '../contract/control/methods.ts'
import type { Commit } from '../store/commit.ts'
import { findLeftCommits } from '../store/history.ts'
import type { Steps } from '../store/steps.ts'
import type { ReadStore } from '../store/store.ts'
import type { CollectionName } from '../store/world.ts'
import { clockJumpOf } from './clock-jump.ts'
import { nameWithStatus } from './names.ts'

/** The saved commits, newest first, including those that a rewind left behind. */

const DEFAULT_LIMIT = 100
export const MAX_RECORDS_NAMED = 3

export function* commitsOf(
  store: ReadStore,
  limit = DEFAULT_LIMIT,
  before?: number,
): Steps<MethodOutput<'world.commits'>> {
  const findLeft = findLeftCommits(yield* store.findReplacements())
  const commits: CommitSummary[] = []
  for (const commit of store.historyInSteps({ before })) {
    yield
    if (!commit || (before !== undefined && commit.seq >= before)) continue
    if (commits.length === limit) return { commits, more: true }
    commits.push(summarizeCommit(commit, findLeft(commit.seq)?.seq ?? null))
  }
  return { commits, more: false }
}

export function summarizeCommit(commit: Commit, left_by: number | null): CommitSummary {
  const { seq, at, cause, changes, goes_on_from, replacement, part_of = seq } = commit
  const records: Partial<Record<CollectionName, number>> = { ...replacement?.records }
  for (const { collection } of changes) records[collection] = (records[collection] ?? 0) + 1
  return {
    seq,
    operation: part_of,
    at,
    cause,
    records,
    about: changes
      .filter(({ collection }) => goes_on_from === undefined && rowOf(collection).main)
      .slice(0, MAX_RECORDS_NAMED)
      .map(({ collection, uid, record, was }) => ({
        collection,
        uid,
        says: nameWithStatus(collection, (record ?? was)!),
      })),
    moved: goes_on_from === undefined ? (clockJumpOf(commit) ?? null) : null,
    goes_on_from: goes_on_from ?? null,
    left_by,
  }
}
