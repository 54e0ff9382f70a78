import type { RecordCommit } from '../contract/control/history.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { type Change, type Commit, changesInParts } from '../store/commit.ts'
import { changeText } from '../store/commit-format.ts'
import { currentBranch } from '../store/history.ts'
import type { Steps } from '../store/steps.ts'
import type { ReadStore } from '../store/store.ts'
import type { CollectionName } from '../store/world.ts'
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
    const what = change.record === null ? 'removed' : change.was === null ? 'made' : 'changed'
    commits.push({ seq, at, cause, what, fields: fieldsOf(change) })
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

/** The changed fields by path. */
const fieldsOf = ({ collection, was, record }: Change): RecordCommit['fields'] =>
  differingFields(collection, was, record)
    .map(({ field, before: from, after: to }) => ({ field, from, to }))
    .filter(({ from, to }) => from !== null || to !== null)
