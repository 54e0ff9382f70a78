import type { RecordCommit } from '../contract/control/history.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { type Change, type Commit, changesInParts } from '../store/commit.ts'
import { changeText } from '../store/commit-format.ts'
import { currentBranch } from '../store/history.ts'
import type { Steps } from '../store/steps.ts'
import type { ReadStore } from '../store/store.ts'
import type { CollectionName, StoredRecord } from '../store/world.ts'
import { differingFields } from './names.ts'

/** The history of a record, read from the commits. */

const DEFAULT_LIMIT = 200

export function* historyOf(
  store: ReadStore,
  collection: CollectionName,
  uid: Uid,
  limit = DEFAULT_LIMIT,
): Steps<RecordCommit[]> {
  const commits: RecordCommit[] = []
  for (const commit of currentBranch(store, { texts: [changeText(collection, uid)] })) {
    yield
    const change = commit && (yield* findChange(commit, collection, uid))
    if (!change) continue
    const { seq, at, cause } = commit
    commits.push({ seq, at, cause, what: whatOf(change.was, change.record), fields: fieldsOf(change) })
    if (commits.length === limit) break
  }
  return commits
}

function* findChange(commit: Commit, collection: CollectionName, uid: Uid): Steps<Change | undefined> {
  for (const changes of changesInParts(commit, [uid])) {
    const change = changes.find((one) => one.collection === collection && one.uid === uid)
    if (change) return change
    yield
  }
  return undefined
}

export const whatOf = (was: StoredRecord | null, record: StoredRecord | null) =>
  record === null ? 'removed' : was === null ? 'made' : 'changed'

/** The changed fields by path. */
export const fieldsOf = ({ collection, was, record }: Change): RecordCommit['fields'] =>
  differingFields(collection, was, record)
    .map(({ field, before: from, after: to }) => ({ field, from, to }))
    .filter(({ from, to }) => from !== null || to !== null)
