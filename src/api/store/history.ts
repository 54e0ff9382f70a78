import { atOnce, type Steps } from './steps.ts'
import type { Change, Commit, Store, Target, WantedCommits } from './store.ts'
import { StoreTrouble } from './trouble.ts'

/** What was: the commits of the present line, and the world as it was after any of them. */

/** Commits that a rewind, a restore or a reset has left behind are kept, and are not of the present line. */
export function* presentLine(store: Store, wanted?: WantedCommits): Iterable<Commit> {
  let newest = Number.POSITIVE_INFINITY
  for (const commit of store.history(wanted)) {
    if (commit.seq > newest) continue
    if (commit.goes_on_from !== undefined) newest = commit.goes_on_from
    yield commit
  }
}

/** The world as it was right after that commit, as what to change about the present one. */
export const worldAfter = (store: Store, seq: number): Target => atOnce(backTo(store, seq))

/**
 * The same, a commit at a time, for whoever gives way in between: what is committed meanwhile is taken back as well. Once
 * the commit is found the next step answers. Whoever does not go on to there has to end it.
 */
export function* backTo(store: Store, seq: number): Steps<Target> {
  const { world } = store
  // A long history is not read for what it cannot hold.
  if (seq < store.historyFrom) throw notKept(seq)
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

const notKept = (seq: number) => new StoreTrouble(`Commit ${seq} is not kept any more`)

const keyOf = ({ collection, uid }: Change) => `${collection} ${uid}`

function before(commit: Commit, { collection, uid, was }: Change): Omit<Change, 'was'> {
  if (was === undefined) throw new StoreTrouble(`Commit ${commit.seq} was kept without what was before it`)
  return { collection, uid, record: was }
}
