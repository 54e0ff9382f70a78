import { ApiError } from '../contract/errors.ts'
import { type Change, type Commit, type CommitFilter, changesInParts, type WorldDiff } from './commit.ts'
import { collectionsAfter } from './copies.ts'
import { RecordMap } from './record-map.ts'
import { asSubsteps, type Steps } from './steps.ts'
import type { Store, WorldReplacement } from './store.ts'
import { StoreError } from './store-error.ts'
import { type Counters, digestOf, requireRecords, type World } from './world.ts'

/** The commits of the current branch, and the world right after any of them. */

/**
 * Without the commits that a rewind, a restore or a reset left behind; `follows`: which of these. Yields undefined where a caller can pause.
 */
export function* currentBranch(
  store: Pick<Store, 'historyInSteps'>,
  filter?: CommitFilter,
  { newest = Number.POSITIVE_INFINITY, follows = isReplacement } = {},
): Iterable<Commit | undefined> {
  for (const commit of store.historyInSteps(filter)) {
    const isCurrent = commit && commit.seq <= newest
    if (isCurrent && follows(commit)) newest = commit.goes_on_from!
    yield isCurrent ? commit : undefined
  }
}

const isReplacement = ({ goes_on_from }: Commit) => goes_on_from !== undefined

/** The history is read from its end. */
export function* findCommit(store: Pick<Store, 'historyInSteps'>, seq: number): Steps<Commit | undefined> {
  for (const commit of store.historyInSteps({ before: seq + 1, after: seq - 1 })) {
    yield
    if (commit?.seq === seq) return commit
  }
  return undefined
}

/** For each commit that is not on the current branch, the rewind, restore, reset or import that went back before it. */
export function findLeftCommits(replacements: readonly WorldReplacement[]) {
  const onBranch: WorldReplacement[] = []
  let newest = Number.POSITIVE_INFINITY
  for (const replacement of replacements.toReversed()) {
    if (replacement.seq > newest) continue
    onBranch.push(replacement)
    newest = replacement.goes_on_from
  }
  return (seq: number): WorldReplacement | undefined => {
    const by = onBranch.findLast((replacement) => replacement.seq > seq)
    return by && seq > by.goes_on_from ? by : undefined
  }
}

/**
 * What to change about the current world to get the world right after a commit, one commit per step. It also reverts what is committed while it runs. After it yields 'last', the next step
 * returns; a caller that stops before must end the generator.
 */
export function* diffBackToInSteps(store: Store, seq: number): Steps<WorldDiff> {
  const { world } = store
  const { beginning } = store
  if (seq < store.firstSeq - (seq === beginning.seq ? 1 : 0)) throw notSaved(seq)
  const changes = new RecordMap<Omit<Change, 'was'>>()
  let { clock } = world
  let origin = { seed: world.seed, start: world.start }
  const issued = new Map<string, number>()
  let oldest = world.seq + 1
  const unsubscribe = store.subscribe((later) => {
    for (const change of later.changes) if (!changes.has(change)) changes.set(change, revert(change))
  })
  try {
    for (const commit of store.history()) {
      if (commit.seq === seq) {
        yield 'last'
        const at = commit.clock?.at ?? commit.stood_at ?? commit.at
        const { counters, digest } = commit
        const issued_uids = issued.get(origin.seed) ?? counters.uid
        return { seq, origin, clock: { ...clock, at }, counters, digest, changes: [...changes.values()], issued_uids }
      }
      oldest = commit.seq
      issued.set(origin.seed, Math.max(issued.get(origin.seed) ?? 0, commit.counters.uid))
      for (const part of changesInParts(commit)) {
        for (const change of part) changes.set(change, revert(change))
        if (commit.replacement) yield 0
      }
      clock = commit.was_clock ?? clock
      origin = commit.was_origin ?? origin
      yield
    }
    if (seq === beginning.seq && oldest === seq + 1) {
      yield 'last'
      const issued_uids = issued.get(origin.seed) ?? beginning.counters.uid
      return { ...beginning, clock: { ...clock, at: beginning.clock.at }, changes: [...changes.values()], issued_uids }
    }
  } finally {
    unsubscribe()
  }
  throw notSaved(seq)
}

const notSaved = (seq: number) => new StoreError(`Commit ${seq} is no longer in the history`)

const revert = ({ collection, uid, was }: Change): Omit<Change, 'was'> => ({ collection, uid, record: was })

/**
 * How many uids of a seed were issued after a commit, in worlds that others have replaced since. The current world does not count them: after
 * a reset or an import it counts anew, and it may have another seed.
 */
export function* countIssuedUids(store: Store, wanted: string, after: number): Steps<number> {
  let { seed } = store.world
  let issued = 0
  for (const commit of store.historyInSteps({ texts: [], after })) {
    if (commit && commit.seq <= after + 1) break
    if (commit?.goes_on_from !== undefined) {
      seed = commit.was_origin?.seed ?? seed
      if (seed === wanted) issued = Math.max(issued, countersAfter(store, commit.seq - 1)?.uid ?? 0)
    }
    yield
  }
  return issued
}

export function countersAfter(store: Store, seq: number): Counters | undefined {
  const [commit] = store.commitsBetween(seq, seq)
  return commit?.counters ?? (seq === store.beginning.seq ? store.beginning.counters : undefined)
}

/** A fork of the world as it was right after a commit. It costs the size of the difference. */
export function* worldAt(store: Store, seq: number): Steps<World> {
  return yield* applyToFork(store, yield* asSubsteps(checkedDiffBackTo(store, seq)))
}

/** Refuses a commit that does not exist with an ApiError. */
export function* checkedDiffBackTo(store: Store, seq: number): Steps<WorldDiff> {
  if (seq > store.world.seq)
    throw new ApiError('invalidArgument', `seq: the newest commit is ${store.world.seq}; there is no commit ${seq} yet`)
  try {
    return yield* diffBackToInSteps(store, seq)
  } catch (error) {
    if (error instanceof StoreError) throw new ApiError('invalidArgument', `seq: ${error.message}`)
    throw error
  }
}

function* applyToFork(store: Store, { changes, origin, seq, clock, counters, digest }: WorldDiff): Steps<World> {
  const { world } = store
  const about = { ...world, ...origin, seq, clock, counters }
  const found = { ...about, collections: yield* collectionsAfter(world, changes) }
  requireRecords(digestOf(found), digest, `after commit ${seq}`)
  return found
}
