import type { Cause, RecordDifference, Restored } from '../contract/control.ts'
import { ApiError } from '../contract/errors.ts'
import { worldAfter } from '../store/history.ts'
import { copied, differences, type Snapshots, saysTheSame, target } from '../store/snapshots.ts'
import type { Store, Target } from '../store/store.ts'
import { StoreTrouble } from '../store/trouble.ts'
import { collectionOf, type World } from '../store/world.ts'
import { leaves } from './past.ts'
import { visible } from './shown.ts'

/** Whole worlds: kept, compared, put in the place of the present one. */

const MOST_DIFFERENCES = 1_000

export async function kept(snapshots: Snapshots, name: string): Promise<World> {
  try {
    const world = await snapshots.read(name)
    if (world) return world
  } catch (error) {
    if (error instanceof StoreTrouble) throw new ApiError('invalidArgument', error.message)
    throw error
  }
  throw new ApiError('routeNotFound', `there is no snapshot "${name}"`)
}

export function putInPlace(store: Store, cause: Cause, to: World): Restored {
  return replaced(store, cause, target(store.world, to))
}

/** Nothing of what was before is part of the line that begins here. */
export function beginAgain(store: Store, cause: Cause, fresh: World): Restored {
  return replaced(store, cause, { ...target(store.world, fresh), seq: 0 })
}

export function rewind(store: Store, cause: Cause, seq: number): Restored {
  return replaced(store, cause, after(store, seq))
}

/** The world as it was after a commit, as one of its own. */
export function asItWas(store: Store, seq: number): World {
  const { origin, clock, counters, changes } = after(store, seq)
  const world: World = { ...copied(store.world), ...origin, seq, clock, counters }
  for (const { collection, uid } of changes) collectionOf(world, collection).set(uid, undefined)
  for (const { collection, uid, record } of changes) if (record) collectionOf(world, collection).set(uid, record)
  return world
}

/** Refused when the commit is not kept any more, or has never been. */
function after(store: Store, seq: number): Target {
  if (seq > store.world.seq)
    throw new ApiError('invalidArgument', `seq: the newest commit is ${store.world.seq}, and ${seq} has not been yet`)
  try {
    return worldAfter(store, seq)
  } catch (error) {
    if (error instanceof StoreTrouble) throw new ApiError('invalidArgument', `seq: ${error.message}`)
    throw error
  }
}

function replaced(store: Store, cause: Cause, to: Target): Restored {
  store.replace(cause, to)
  return { seq: store.world.seq, now: store.world.clock.at, changed: to.changes.length }
}

export function compare(a: World, b: World): { differences: RecordDifference[]; total_count: number } {
  const found = differences(a, b)
  return {
    total_count: found.length,
    differences: found.slice(0, MOST_DIFFERENCES).map(({ collection, uid, a: left, b: right }) => {
      const before = leaves(left && visible(collection, left))
      const after = leaves(right && visible(collection, right))
      const fields = [...new Set([...before.keys(), ...after.keys()])]
        .filter((field) => !saysTheSame(before.get(field), after.get(field)))
        .map((field) => ({ field, a: before.get(field) ?? null, b: after.get(field) ?? null }))
      return { collection, uid, what: !left ? 'only in b' : !right ? 'only in a' : 'differs', fields }
    }),
  }
}
