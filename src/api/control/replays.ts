import type { MethodOutput, MethodParsed } from '../contract/control/methods.ts'
import type { ReplayInto } from '../contract/control/replay.ts'
import { ApiError } from '../contract/errors.ts'
import { hardModeOf } from '../domain/rules/hard-mode.ts'
import type { WorldSetup } from '../replay/client.ts'
import { describeRecordingInSteps } from '../replay/describe-recording.ts'
import { currentRecord, findExchanges, readEntriesSince, seqBefore, toSteps, uidsIn } from '../replay/record.ts'
import { replayRequests } from '../replay/replay.ts'
import { type ReplaySource, readSourceInSteps } from '../replay/source.ts'
import { countersAfter } from '../store/history.ts'
import { type Steps, withoutCount } from '../store/steps.ts'
import type { World } from '../store/world.ts'
import { toRecordingRefusal } from './bundles.ts'
import type { OperatorDoor } from './door.ts'
import type { JobHandle } from './jobs.ts'
import * as worlds from './worlds.ts'

/** recordings.describe, and exchanges.replay: replays the request log, or a recording, in the current world or in a scratch sandbox. */

type Input = MethodParsed<'exchanges.replay'>
type Output = MethodOutput<'exchanges.replay'>

export const replayExchanges = (door: OperatorDoor, input: Input): Promise<Output> =>
  door.jobs.runExclusive('exchanges.replay', (job) => replayInJob(door, input, job))

export function* describeRecording(
  { store }: OperatorDoor,
  { text }: MethodParsed<'recordings.describe'>,
): Steps<MethodOutput<'recordings.describe'>> {
  try {
    return yield* describeRecordingInSteps(text, store.world)
  } catch (error) {
    throw toRecordingRefusal(error)
  }
}

async function replayInJob(door: OperatorDoor, input: Input, job: JobHandle): Promise<Output> {
  const { steps, isMasked = false, beginning, unusable } = await findSource(door, input, job)
  const { into = beginning ? 'then' : 'present', gaps = into !== 'present', keep, stays = false } = input
  const onStep = (done: number) => job.reportProgress({ done, of: steps.length, unit: 'steps' })
  if (!(await onStep(0))) return { ...NOTHING_REPLAYED, left: steps.length, unusable: [...unusable] }
  const before = await beginning?.()
  const known = before && (await job.runSteps(uidsIn(before), 'steps'))
  const plan = {
    steps,
    gaps,
    isMasked,
    isSameWorld: into === 'then',
    ...(known ? { known } : {}),
  }
  const scratch =
    into === 'present'
      ? undefined
      : await door.openScratch(await worldFor(door, into, before, job), {
          stays: stays ? 'replay' : undefined,
        })
  try {
    const client = scratch ?? door.openRun('exchanges.replay')
    const outcome = await replayRequests(client, plan, onStep)
    if (keep !== undefined) await door.snapshots.save(keep, scratch?.world())
    return {
      ...outcome,
      operation: client.operation?.() ?? null,
      world: scratch?.name ?? null,
      unusable: [...unusable],
    }
  } finally {
    await scratch?.close()
  }
}

const NOTHING_REPLAYED = {
  operation: null,
  world: null,
  same: 0,
  differs: 0,
  refused: 0,
  unrecorded: 0,
  exchanges: [],
  acts: [],
}

async function findSource(door: OperatorDoor, { uids, since, text }: Input, job: JobHandle): Promise<ReplaySource> {
  const { store } = door
  if (text !== undefined)
    try {
      return await job.runSteps(withoutCount(readSourceInSteps(text, store.world)), 'steps')
    } catch (error) {
      throw toRecordingRefusal(error)
    }
  const { isMasked, rewinds } = await collect(job, currentRecord(door))
  const entries = await collect(job, uids ? findExchanges(door, uids) : readEntriesSince(door, since!))
  const [first] = entries
  const begins = first ? seqBefore(first) : store.world.seq
  const { made } = countersAfter(store, begins) ?? store.world.counters
  const commitsBetween = (from: number, to: number) => store.commitsBetween(from, to)
  return {
    steps: await collect(job, toSteps(entries, store.seal, { begins, made, rewinds, commitsBetween })),
    isMasked,
    unusable: [],
    beginning: () => worlds.worldAtInJob(store, begins, job),
  }
}

/** Runs all steps, even if the job is canceled: the result says how many requests are left. */
async function collect<T>(job: JobHandle, steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await job.reportProgress({ done: 0, of: null, unit: 'steps' })
  }
}

async function worldFor(
  { store, snapshots }: OperatorDoor,
  into: Exclude<ReplayInto, 'present'>,
  beginning: World | undefined,
  job: JobHandle,
): Promise<World | WorldSetup> {
  if (into === 'copy') return worlds.worldAtInJob(store, store.world.seq, job)
  if (into === 'then') {
    if (beginning) return beginning
    throw new ApiError(
      'invalidArgument',
      'into: there is no world in it; present, copy, {snapshot} or {fresh} is expected',
    )
  }
  if ('snapshot' in into) return worlds.readSnapshot(snapshots, into.snapshot)
  const { seed, start, clock } = store.world
  const hard_mode = hardModeOf(store.world)
  return { kind: into.fresh, seed, start, clock: { mode: 'frozen', pace: clock.pace }, hard_mode }
}
