import { ApiError } from '../contract/errors.ts'
import type { Change, Commit, CommitFilter, WorldDiff } from './commit.ts'
import { copyWorld } from './snapshots.ts'
import { asSubsteps, runToEnd, type Steps } from './steps.ts'
import type { Store } from './store.ts'
import { StoreError } from './store-error.ts'
import { collectionOf, type World } from './world.ts'

/** What was: the commits of the present line, and the world as it was after any of them. */

/** Commits that a rewind, a restore or a reset has left behind are kept, and are not of the present line. */
export function* currentBranch(store: Pick<Store, 'history'>, wanted?: CommitFilter): Iterable<Commit> {
  let newest = Number.POSITIVE_INFINITY
  for (const commit of store.history(wanted)) {
    if (commit.seq > newest) continue
    if (commit.goes_on_from !== undefined) newest = commit.goes_on_from
    yield commit
  }
}

/** The world as it was right after that commit, as what to change about the present one. */
export const diffBackTo = (store: Store, seq: number): WorldDiff => runToEnd(diffBackToInSteps(store, seq))

/**
 * The same, a commit at a time, for whoever gives way in between: what is committed meanwhile is taken back as well. Once
 * the commit is found the next step answers. Whoever does not go on to there has to end it.
 */
export function* diffBackToInSteps(store: Store, seq: number): Steps<WorldDiff> {
  const { world } = store
  // A long history is not read for what it cannot hold.
  if (seq < store.firstSeq) throw notKept(seq)
  const changes = new Map<string, Omit<Change, 'was'>>()
  let { clock } = world
  let origin = { seed: world.seed, start: world.start }
  const stop = store.subscribe((later) => {
    for (const change of later.changes)
      if (!changes.has(keyOf(change))) changes.set(keyOf(change), before(later, change))
  })
  try {
    for (const commit of store.history()) {
      if (commit.seq === seq) {
        yield 'last'
        const at = commit.clock?.at ?? commit.stood_at ?? commit.at
        return { seq, origin, clock: { ...clock, at }, counters: commit.counters, changes: [...changes.values()] }
      }
      for (const change of commit.changes) changes.set(keyOf(change), before(commit, change))
      clock = commit.was_clock ?? clock
      origin = commit.was_origin ?? origin
      yield
    }
  } finally {
    stop()
  }
  throw notKept(seq)
}

const notKept = (seq: number) => new StoreError(`Commit ${seq} is not kept any more`)

const keyOf = ({ collection, uid }: Change) => `${collection} ${uid}`

function before(commit: Commit, { collection, uid, was }: Change): Omit<Change, 'was'> {
  if (was === undefined) throw new StoreError(`Commit ${commit.seq} was kept without what was before it`)
  return { collection, uid, record: was }
}

/** The world as it was after a commit, as a copy of its own. */
export function* worldAt(store: Store, seq: number): Steps<World> {
  return worldOf(store, yield* asSubsteps(checkedDiffBackTo(store, seq)))
}

/** Refuses an impossible seq at once: the next request moves the world further away from it. */
export function* checkedDiffBackTo(store: Store, seq: number): Steps<WorldDiff> {
  if (seq > store.world.seq)
    throw new ApiError('invalidArgument', `seq: the newest commit is ${store.world.seq}, and ${seq} has not been yet`)
  try {
    return yield* diffBackToInSteps(store, seq)
  } catch (error) {
    if (error instanceof StoreError) throw new ApiError('invalidArgument', `seq: ${error.message}`)
    throw error
  }
}

function worldOf(store: Store, { seq, origin, clock, counters, changes }: WorldDiff): World {
  const world: World = { ...copyWorld(store.world), ...origin, seq, clock, counters }
  for (const { collection, uid } of changes) collectionOf(world, collection).set(uid, undefined)
  for (const { collection, uid, record } of changes) if (record) collectionOf(world, collection).set(uid, record)
  return world
}
