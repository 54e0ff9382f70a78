import type { Cause, MethodName, MethodOutput, RecordDifference, Restored } from '../contract/control.ts'
import { ApiError } from '../contract/errors.ts'
import { backTo } from '../store/history.ts'
import {
  copied,
  differences,
  type OnRead,
  type SnapshotInfo,
  type Snapshots,
  saysTheSame,
  target,
} from '../store/snapshots.ts'
import { asPart, type Steps } from '../store/steps.ts'
import type { Store, Target } from '../store/store.ts'
import { StoreTrouble } from '../store/trouble.ts'
import { type CollectionName, collectionOf, type Kept, type Still, sizeOf, still, type World } from '../store/world.ts'
import { leaves } from './names.ts'
import { visible } from './shown.ts'
import { stopped, type Underway } from './work.ts'

/** Whole worlds: kept, compared, put in the place of the present one. */

const MOST_DIFFERENCES = 1_000

export async function kept(snapshots: Snapshots, name: string, onRead?: OnRead): Promise<World> {
  try {
    const world = await snapshots.read(name, onRead)
    if (world) return world
  } catch (error) {
    if (error instanceof StoreTrouble) throw new ApiError('invalidArgument', error.message)
    throw error
  }
  throw new ApiError('routeNotFound', `there is no snapshot "${name}"`)
}

export const keep = (snapshots: Snapshots, name: string, underway: Underway): Promise<SnapshotInfo> =>
  snapshots.keep(name, undefined, async (done, of) => {
    if (!(await underway.goOn({ done, of, unit: 'records' }))) throw stopped('snapshots.keep')
  })

const reading =
  (name: MethodName, underway: Underway): OnRead =>
  async (done, of) => {
    if (!(await underway.goOn({ done, of, unit: 'bytes' }))) throw stopped(name)
  }

export async function restore(store: Store, cause: Cause, snapshots: Snapshots, name: string, underway: Underway) {
  const world = await kept(snapshots, name, reading('snapshots.restore', underway))
  await underway.conclude()
  return replaced(store, cause, target(store.world, world))
}

/** Nothing of what was before is part of the line that begins here. */
export function beginAgain(store: Store, cause: Cause, fresh: World): Restored {
  return replaced(store, cause, { ...target(store.world, fresh), seq: 0 })
}

/** Requests go on while the way back is read; what they do meanwhile is left behind, too. */
export const rewind = (store: Store, cause: Cause, seq: number, underway: Underway): Promise<Restored> =>
  underway.through(rewinding(store, cause, seq), 'commits', wayOf(store, seq))

function* rewinding(store: Store, cause: Cause, seq: number): Steps<Restored> {
  return replaced(store, cause, yield* wayBack(store, seq))
}

/** The world as it was after a commit, as one of its own. */
export function* asItWas(store: Store, seq: number): Steps<World> {
  return worldOf(store, yield* asPart(wayBack(store, seq)))
}

/** The same, as a part of a long work. */
export const asItWasLongAgo = (store: Store, seq: number, underway: Underway): Promise<World> =>
  underway.through(asItWas(store, seq), 'commits', wayOf(store, seq))

const wayOf = ({ world }: Store, seq: number): number => Math.max(0, world.seq - seq)

/** What is asked of the way back is asked at once: the next request leads further away. */
function* wayBack(store: Store, seq: number): Steps<Target> {
  if (seq > store.world.seq)
    throw new ApiError('invalidArgument', `seq: the newest commit is ${store.world.seq}, and ${seq} has not been yet`)
  try {
    return yield* backTo(store, seq)
  } catch (error) {
    // It is not kept any more, or has never been.
    if (error instanceof StoreTrouble) throw new ApiError('invalidArgument', `seq: ${error.message}`)
    throw error
  }
}

function worldOf(store: Store, { seq, origin, clock, counters, changes }: Target): World {
  const world: World = { ...copied(store.world), ...origin, seq, clock, counters }
  for (const { collection, uid } of changes) collectionOf(world, collection).set(uid, undefined)
  for (const { collection, uid, record } of changes) if (record) collectionOf(world, collection).set(uid, record)
  return world
}

function replaced(store: Store, cause: Cause, to: Target): Restored {
  store.replace(cause, to)
  return { seq: store.world.seq, now: store.world.clock.at, changed: to.changes.length }
}

/** Two kept worlds, or one and the present, as it stands at this instant. */
export async function compared(
  store: Store,
  snapshots: Snapshots,
  a: string | undefined,
  b: string | undefined,
  underway: Underway,
) {
  const world = async (name: string | undefined) =>
    still(name === undefined ? store.world : await kept(snapshots, name, reading('snapshots.compare', underway)))
  const [left, right] = [await world(a), await world(b)]
  return underway.through(comparing(left, right), 'records', sizeOf(left))
}

/** What is private, or left out on one side and undefined on the other, is no difference that anybody could see. */
function* comparing(a: Still, b: Still): Steps<MethodOutput<'snapshots.compare'>> {
  const listed: RecordDifference[] = []
  let total_count = 0
  for (const { collection, uid, a: left, b: right } of yield* differences(a, b)) {
    yield 0
    const one = left && right && fieldsOf(collection, left, right)
    if (one?.length === 0) continue
    if (++total_count > MOST_DIFFERENCES) continue
    const what = !left ? 'only in b' : !right ? 'only in a' : 'differs'
    listed.push({ collection, uid, what, fields: one ?? fieldsOf(collection, left, right) })
  }
  return { differences: listed, total_count }
}

function fieldsOf(collection: CollectionName, a: Kept | undefined, b: Kept | undefined): RecordDifference['fields'] {
  const left = leaves(a && visible(collection, a))
  const right = leaves(b && visible(collection, b))
  return [...new Set([...left.keys(), ...right.keys()])]
    .map((field) => ({ field, a: left.get(field) ?? null, b: right.get(field) ?? null }))
    .filter((one) => !a || !b || !saysTheSame(one.a, one.b))
}
