import type { Change, Commit, Store, Target } from './store.ts'
import { StoreTrouble } from './trouble.ts'

/** What was: the commits of the present line, and the world as it was after any of them. */

/**
 * Commits that a rewind, a restore or a reset has left behind are kept, and are not of the present line. Where texts are
 * given, commits that hold none of them may be left out.
 */
export function* presentLine(store: Store, texts?: readonly string[]): Iterable<Commit> {
  let newest = Number.POSITIVE_INFINITY
  for (const commit of store.history(texts)) {
    if (commit.seq > newest) continue
    if (commit.goes_on_from !== undefined) newest = commit.goes_on_from
    yield commit
  }
}

/** The world as it was right after that commit, as what to change about the present one. */
export function worldAfter(store: Store, seq: number): Target {
  const { world } = store
  const changes = new Map<string, Omit<Change, 'was'>>()
  let { clock } = world
  let origin = { seed: world.seed, start: world.start }
  for (const commit of store.history()) {
    if (commit.seq === seq)
      return {
        seq,
        origin,
        clock: { ...clock, at: commit.clock?.at ?? commit.stood_at ?? commit.at },
        counters: commit.counters,
        changes: [...changes.values()],
      }
    for (const { collection, uid, was } of commit.changes) {
      if (was === undefined) throw new StoreTrouble(`Commit ${commit.seq} was kept without what was before it`)
      changes.set(`${collection} ${uid}`, { collection, uid, record: was })
    }
    clock = commit.was_clock ?? clock
    origin = commit.was_origin ?? origin
  }
  throw new StoreTrouble(`Commit ${seq} is not kept any more`)
}
