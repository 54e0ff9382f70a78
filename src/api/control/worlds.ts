import type { Cause, MethodName, RecordDifference, Restored } from '../contract/control.ts'
import { ApiError } from '../contract/errors.ts'
import { backTo, worldAfter } from '../store/history.ts'
import { copied, differences, type OnRead, type Snapshots, saysTheSame, target } from '../store/snapshots.ts'
import type { Store, Target } from '../store/store.ts'
import { StoreTrouble } from '../store/trouble.ts'
import { type CollectionName, collectionOf, type Kept, type World } from '../store/world.ts'
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

export async function restore(store: Store, cause: Cause, snapshots: Snapshots, name: string, underway: Underway) {
  const world = await kept(snapshots, name, async (read, of) => {
    if (!(await underway.goOn(read, of))) throw stopped('snapshots.restore')
  })
  await underway.conclude()
  return replaced(store, cause, target(store.world, world))
}

/** Nothing of what was before is part of the line that begins here. */
export function beginAgain(store: Store, cause: Cause, fresh: World): Restored {
  return replaced(store, cause, { ...target(store.world, fresh), seq: 0 })
}

/** Requests go on while the way back is read; what they do meanwhile is left behind, too. */
export const rewind = (store: Store, cause: Cause, seq: number, underway: Underway): Promise<Restored> =>
  wayBack(store, seq, 'world.rewind', underway, (to) => replaced(store, cause, to), underway.conclude)

/** The world as it was after a commit, as one of its own. */
export const asItWas = (store: Store, seq: number): World =>
  worldOf(
    store,
    readably(() => worldAfter(store, known(store, seq))),
  )

/** The same, in the steps of `backTo`. */
export function* asItWasInSteps(store: Store, seq: number): Generator<void, World, void> {
  const back = backTo(store, known(store, seq))
  try {
    for (;;) {
      const step = readably(() => back.next())
      if (step.done) return worldOf(store, step.value)
      yield
    }
  } finally {
    back.return(undefined as never)
  }
}

/** The same, as a part of a long work. */
export const asItWasLongAgo = (store: Store, seq: number, name: MethodName, underway: Underway): Promise<World> =>
  wayBack(store, seq, name, underway, (to) => worldOf(store, to))

/** `use` is what to do with the way back: at once, as the next request leads further away. `found` comes before it. */
async function wayBack<T>(
  store: Store,
  seq: number,
  name: MethodName,
  { goOn }: Underway,
  use: (to: Target) => T,
  found: () => Promise<void> = async () => {},
): Promise<T> {
  const of = store.world.seq - known(store, seq)
  const back = backTo(store, seq)
  try {
    for (let read = 0; ; read++) {
      const step = readably(() => back.next())
      if (step.done) return use(step.value)
      if (step.value === 'found') await found()
      else if (!(await goOn(read, of))) throw stopped(name)
    }
  } finally {
    back.return(undefined as never)
  }
}

function worldOf(store: Store, { seq, origin, clock, counters, changes }: Target): World {
  const world: World = { ...copied(store.world), ...origin, seq, clock, counters }
  for (const { collection, uid } of changes) collectionOf(world, collection).set(uid, undefined)
  for (const { collection, uid, record } of changes) if (record) collectionOf(world, collection).set(uid, record)
  return world
}

function known(store: Store, seq: number): number {
  if (seq <= store.world.seq) return seq
  throw new ApiError('invalidArgument', `seq: the newest commit is ${store.world.seq}, and ${seq} has not been yet`)
}

/** Refused when the commit is not kept any more, or has never been. */
function readably<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof StoreTrouble) throw new ApiError('invalidArgument', `seq: ${error.message}`)
    throw error
  }
}

function replaced(store: Store, cause: Cause, to: Target): Restored {
  store.replace(cause, to)
  return { seq: store.world.seq, now: store.world.clock.at, changed: to.changes.length }
}

/** What is private, or left out on one side and undefined on the other, is no difference that anybody could see. */
export function compare(a: World, b: World): { differences: RecordDifference[]; total_count: number } {
  const listed: RecordDifference[] = []
  let total_count = 0
  for (const { collection, uid, a: left, b: right } of differences(a, b)) {
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
