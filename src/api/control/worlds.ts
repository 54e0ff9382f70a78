import type { Cause, MethodName, MethodOutput, RecordDifference, RestoreResult } from '../contract/control.ts'
import { ApiError } from '../contract/errors.ts'
import type { WorldDiff } from '../store/commit.ts'
import { areEqual } from '../store/equal.ts'
import { checkedDiffBackTo, worldAt } from '../store/history.ts'
import { compareRecords, diffWorlds, type SnapshotInfo, type Snapshots } from '../store/snapshots.ts'
import type { Steps } from '../store/steps.ts'
import type { Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import {
  type CollectionName,
  captureWorld,
  countRecords,
  type StoredRecord,
  type World,
  type WorldImage,
} from '../store/world.ts'
import type { OnRead } from '../store/world-file.ts'
import { flattenFields } from '../views/names.ts'
import { visible } from '../views/records.ts'
import { type JobHandle, stopped } from './jobs.ts'

/** Whole worlds: kept, compared, put in the place of the present one. */

const MOST_DIFFERENCES = 1_000

export async function readSnapshot(snapshots: Snapshots, name: string, onRead?: OnRead): Promise<World> {
  try {
    const world = await snapshots.read(name, onRead)
    if (world) return world
  } catch (error) {
    if (error instanceof StoreError) throw new ApiError('invalidArgument', error.message)
    throw error
  }
  throw new ApiError('routeNotFound', `there is no snapshot "${name}"`)
}

export const saveSnapshot = (snapshots: Snapshots, name: string, underway: JobHandle): Promise<SnapshotInfo> =>
  snapshots.save(name, undefined, async (done, of) => {
    if (!(await underway.reportProgress({ done, of, unit: 'records' }))) throw stopped('snapshots.keep')
  })

const reading =
  (name: MethodName, underway: JobHandle): OnRead =>
  async (done, of) => {
    if (!(await underway.reportProgress({ done, of, unit: 'bytes' }))) throw stopped(name)
  }

export async function restore(store: Store, cause: Cause, snapshots: Snapshots, name: string, underway: JobHandle) {
  const world = await readSnapshot(snapshots, name, reading('snapshots.restore', underway))
  await underway.finishUninterrupted()
  return replaced(store, cause, diffWorlds(store.world, world))
}

/** Nothing of what was before is part of the line that begins here. */
export function resetWorld(store: Store, cause: Cause, fresh: World): RestoreResult {
  return replaced(store, cause, { ...diffWorlds(store.world, fresh), seq: 0 })
}

/** Requests go on while the way back is read; what they do meanwhile is left behind, too. */
export const rewind = (store: Store, cause: Cause, seq: number, underway: JobHandle): Promise<RestoreResult> =>
  underway.runSteps(rewinding(store, cause, seq), 'commits', wayOf(store, seq))

function* rewinding(store: Store, cause: Cause, seq: number): Steps<RestoreResult> {
  return replaced(store, cause, yield* checkedDiffBackTo(store, seq))
}

/** The same as worldAt, as part of a job. */
export const worldAtInJob = (store: Store, seq: number, underway: JobHandle): Promise<World> =>
  underway.runSteps(worldAt(store, seq), 'commits', wayOf(store, seq))

const wayOf = ({ world }: Store, seq: number): number => Math.max(0, world.seq - seq)

function replaced(store: Store, cause: Cause, to: WorldDiff): RestoreResult {
  store.replaceWorld(cause, to)
  return { seq: store.world.seq, now: store.world.clock.at, changed: to.changes.length }
}

/** Two kept worlds, or one and the present, as it stands at this instant. */
export async function compareWorlds(
  store: Store,
  snapshots: Snapshots,
  a: string | undefined,
  b: string | undefined,
  underway: JobHandle,
) {
  const world = async (name: string | undefined) =>
    captureWorld(
      name === undefined ? store.world : await readSnapshot(snapshots, name, reading('snapshots.compare', underway)),
    )
  const [left, right] = [await world(a), await world(b)]
  return underway.runSteps(comparing(left, right), 'records', countRecords(left))
}

/** What is private, or left out on one side and undefined on the other, is no difference that anybody could see. */
function* comparing(a: WorldImage, b: WorldImage): Steps<MethodOutput<'snapshots.compare'>> {
  const listed: RecordDifference[] = []
  let total_count = 0
  for (const { collection, uid, a: left, b: right } of yield* compareRecords(a, b)) {
    yield 0
    const one = left && right && fieldsOf(collection, left, right)
    if (one?.length === 0) continue
    if (++total_count > MOST_DIFFERENCES) continue
    const what = !left ? 'only in b' : !right ? 'only in a' : 'differs'
    listed.push({ collection, uid, what, fields: one ?? fieldsOf(collection, left, right) })
  }
  return { differences: listed, total_count }
}

function fieldsOf(
  collection: CollectionName,
  a: StoredRecord | undefined,
  b: StoredRecord | undefined,
): RecordDifference['fields'] {
  const left = flattenFields(a && visible(collection, a))
  const right = flattenFields(b && visible(collection, b))
  return [...new Set([...left.keys(), ...right.keys()])]
    .map((field) => ({ field, a: left.get(field) ?? null, b: right.get(field) ?? null }))
    .filter((one) => !a || !b || !areEqual(one.a, one.b))
}
