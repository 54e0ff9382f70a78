import type { WorldComparison } from '../contract/control/changes.ts'
import type { Cause } from '../contract/control/history.ts'
import type { MethodName } from '../contract/control/methods.ts'
import type { RestoreResult } from '../contract/control/snapshots.ts'
import { ApiError } from '../contract/errors.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'
import { proveBooks } from '../replay/prove-books.ts'
import type { Change } from '../store/commit.ts'
import { currentWorld, differences, forkWorld, RECORDS_PER_STEP } from '../store/copies.ts'
import { countIssuedUids, worldAt } from '../store/history.ts'
import { type NextWorld, nextWorldOf, replaceWorldInSteps, rewindInSteps } from '../store/replacement.ts'
import type { SnapshotInfo, Snapshots } from '../store/snapshots.ts'
import { checkSteps, type Steps, withoutCount } from '../store/steps.ts'
import type { Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import { sizeOf, type World } from '../store/world.ts'
import type { OnRead } from '../store/world-file.ts'
import { describeComparison } from '../views/differences.ts'
import { canceledError, type JobHandle } from './jobs.ts'

/** Methods on whole worlds: save, restore, rewind, reset, compare. */

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

export const saveSnapshot = (snapshots: Snapshots, name: string, job: JobHandle): Promise<SnapshotInfo> =>
  snapshots.save(name, undefined, async (done, of) => {
    if (!(await job.reportProgress({ done, of, unit: 'records' }))) throw canceledError('snapshots.keep')
  })

export const reportBytes =
  (name: MethodName, job: JobHandle): OnRead =>
  async (done, of) => {
    if (!(await job.reportProgress({ done, of, unit: 'bytes' }))) throw canceledError(name)
  }

export async function restore(store: Store, cause: Cause, snapshots: Snapshots, name: string, job: JobHandle) {
  const world = await readSnapshot(snapshots, name, reportBytes('snapshots.restore', job))
  const issued_uids = await job.runSteps(countIssuedUids(store, world.seed, world.seq), 'commits')
  return replaceWorld(store, cause, { ...nextWorldOf(world), issued_uids }, job)
}

/** With seq 0, the new branch contains none of the commits before. */
export const resetWorld = (store: Store, cause: Cause, fresh: World, job: JobHandle): Promise<RestoreResult> =>
  replaceWorld(store, cause, { ...nextWorldOf(fresh), seq: 0 }, job)

function replaceWorld(store: Store, cause: Cause, next: NextWorld, job: JobHandle): Promise<RestoreResult> {
  const count = sizeOf(store.world) + sizeOf(next)
  return resultOf(store, job.runSteps(replaceWorldInSteps(store, cause, next, proveBooks), 'records', count))
}

const resultOf = async (store: Store, changed: Promise<number>): Promise<RestoreResult> => ({
  changed: await changed,
  seq: store.world.seq,
  now: store.world.clock.at,
})

/** Requests go on meanwhile; what they change is reverted, too. `at`: the time, if not that of the commit. `check`: called before each step. */
export function rewind(
  store: Store,
  cause: Cause,
  seq: number,
  job: JobHandle,
  at: Timestamp | null = null,
  check = () => {},
) {
  const steps = checkSteps(rewindInSteps(store, cause, seq, proveBooks, at), check)
  return resultOf(store, job.runSteps(steps, 'commits', commitsBackTo(store, seq)))
}

export const worldAtInJob = (store: Store, seq: number, job: JobHandle): Promise<World> =>
  job.runSteps(worldAt(store, seq), 'commits', commitsBackTo(store, seq))

const commitsBackTo = ({ world }: Store, seq: number): number => Math.max(0, world.seq - seq)

/** Compares two snapshots; without a name, the current world. */
export async function compareSnapshots(
  store: Store,
  snapshots: Snapshots,
  a: string | undefined,
  b: string | undefined,
  job: JobHandle,
) {
  const worldOf = async (name: string | undefined) =>
    name === undefined
      ? forkWorld(currentWorld(store))
      : readSnapshot(snapshots, name, reportBytes('snapshots.compare', job))
  const [left, right] = [await worldOf(a), await worldOf(b)]
  return compareInJob(left, right, null, job)
}

/** `labels`: how to call two worlds that stand beside each other; null for one before and after. */
export const compareInJob = (a: World, b: World, labels: Labels, job: JobHandle): Promise<WorldComparison> =>
  job.runSteps(compareInSteps(a, b, labels), 'records', sizeOf(a) + sizeOf(b))

type Labels = readonly [string, string] | null

function* compareInSteps(a: World, b: World, labels: Labels): Steps<WorldComparison> {
  const found: Change[] = []
  for (const part of differences(a.collections, b.collections)) {
    yield RECORDS_PER_STEP
    for (const change of part) found.push(change)
  }
  const parts = yield* withoutCount(describeComparison(found, { worlds: [a, b], labels }))
  return { clock: { before: a.clock.at, after: b.clock.at }, ...parts }
}
