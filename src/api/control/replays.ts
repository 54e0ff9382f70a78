import type { MethodOutput, MethodParsed, ReplayInto } from '../contract/control.ts'
import { ApiError } from '../contract/errors.ts'
import { bundleFrom, linesOf, reading } from '../replay/bundles/bundle.ts'
import { type About, exportSteps, importSteps, withKeys } from '../replay/bundles/export.ts'
import type { WorldSetup } from '../replay/client.ts'
import { entriesSince, exchangesNamed, presentRecord, seqOf, stepsOf, uidsIn } from '../replay/record.ts'
import { recognise } from '../replay/recordings/recognise.ts'
import { UnreadableRecording, type Unusable } from '../replay/recordings/recording.ts'
import { type ReplayPlan, replay, type Step } from '../replay/replay.ts'
import { toTimestamp } from '../store/clock.ts'
import { createSeal } from '../store/seal.ts'
import type { Steps } from '../store/steps.ts'
import type { World } from '../store/world.ts'
import type { OperatorDoor } from './door.ts'
import type { JobHandle } from './jobs.ts'
import * as worlds from './worlds.ts'

/** Replays that the operator asks for: of our own record, or of what somebody else has recorded. */

type Input = MethodParsed<'exchanges.replay'>
type Output = MethodOutput<'exchanges.replay'>

/** What is to be sent again. */
export interface Source extends Pick<ReplayPlan, 'steps' | 'isMasked'> {
  readonly unusable: readonly Unusable[]
  /** The world as it was when the record begins; HAR files and curl lines have none. */
  readonly beginning?: () => World | Promise<World>
}

export const replayExchanges = (door: OperatorDoor, input: Input): Promise<Output> =>
  door.work.runExclusive('exchanges.replay', (underway) => replayedNow(door, input, underway))

async function replayedNow(door: OperatorDoor, input: Input, underway: JobHandle): Promise<Output> {
  const source = sourceOf(door, input, underway)
  const { steps, isMasked = false, beginning } = source
  const { into = beginning ? 'then' : 'present', gaps = into !== 'present', keep } = input
  const unusable = [...source.unusable]
  const then = await beginning?.()
  const plan = { steps, gaps, isMasked, isSameWorld: into === 'then', ...(then ? { known: uidsIn(then) } : {}) }
  const goOn = (done: number) => underway.reportProgress({ done, of: steps.length, unit: 'steps' })
  if (into !== 'present')
    return { ...(await inScratch(door, await worldOf(door, into, then), plan, keep, goOn)), unusable }
  const outcome = await replay(door.target, plan, goOn)
  if (keep !== undefined) await door.snapshots.save(keep)
  return { ...outcome, unusable }
}

function sourceOf(door: OperatorDoor, { uids, since, text }: Input, underway: JobHandle): Source {
  if (text !== undefined) return readably(() => sourceIn(text, door.store.world))
  const { store } = door
  const entries = uids ? exchangesNamed(door, uids) : entriesSince(door, since!)
  const [first] = entries
  return {
    steps: stepsOf(entries, store.seal),
    isMasked: presentRecord(door).isMasked,
    unusable: [],
    beginning: () => worlds.worldAtInJob(store, first ? seqOf(first) : store.world.seq, underway),
  }
}

/** A HAR file, curl lines or a bundle, told by what stands in it. `present` lends the Programs of a bundle its keys. */
export function sourceIn(file: string | Uint8Array, present?: World): Source {
  const recognised = recognise(file)
  if (recognised.kind !== 'bundle') {
    const { requests, unusable } = recognised.recording
    return { steps: inTime(requests.map((request) => ({ request }))), unusable }
  }
  const text = typeof file === 'string' ? file : Buffer.from(file).toString('utf8')
  const { world, entries } = withKeys(bundleFrom(text), present)
  return {
    steps: inTime(stepsOf(entries, createSeal(world.seed))),
    isMasked: true,
    unusable: [],
    beginning: () => world,
  }
}

/** Moving the clock through a thousand years takes as long as it sounds. */
const MOST_YEARS = 20
const YEAR_MS = 366 * 86_400_000

function inTime(steps: Step[]): Step[] {
  const times = steps
    .map((step) => Date.parse(('act' in step ? step.act.at : step.request.at) ?? ''))
    .filter((ms) => !Number.isNaN(ms))
  const from = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const to = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  if (to - from > MOST_YEARS * YEAR_MS)
    throw new UnreadableRecording(
      `The record goes from ${toTimestamp(from)} to ${toTimestamp(to)}, and at most ${MOST_YEARS} years are replayed`,
    )
  return steps
}

function readably<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw refused(error)
  }
}

const refused = (error: unknown) =>
  error instanceof UnreadableRecording ? new ApiError('invalidArgument', error.message) : error

async function worldOf(
  { store, snapshots }: OperatorDoor,
  into: Exclude<ReplayInto, 'present'>,
  then: World | undefined,
): Promise<World | WorldSetup> {
  if (into === 'then') {
    if (then) return then
    throw new ApiError('invalidArgument', 'into: there is no world in it; present, {snapshot} or {fresh} is expected')
  }
  if ('snapshot' in into) return worlds.readSnapshot(snapshots, into.snapshot)
  const { seed, start, clock } = store.world
  return { kind: into.fresh, seed, start, clock: { mode: 'frozen', pace: clock.pace } }
}

/** The present world as a bundle. */
export const exportBundle = (door: OperatorDoor, note: string | null): Promise<MethodOutput<'bundles.export'>> =>
  door.work.runExclusive('bundles.export', (underway) =>
    underway.runSteps(exporting(door, { made_by: door.describe().version, note }), 'steps'),
  )

function* exporting(door: OperatorDoor, about: About): Steps<MethodOutput<'bundles.export'>> {
  const bundle = yield* exportSteps(door, about)
  yield 'last'
  const acts = bundle.entries.filter((entry) => 'act' in entry).length
  return {
    name: `sandbank-${bundle.now.slice(0, 19).replaceAll(':', '-')}.sandbank`,
    text: [...linesOf(bundle)].map((line) => `${line}\n`).join(''),
    exchanges: bundle.entries.length - acts,
    acts,
    commits: bundle.commits.length,
  }
}

export const importBundle = (door: OperatorDoor, text: string): Promise<MethodOutput<'bundles.import'>> =>
  door.work.runExclusive('bundles.import', async (underway) => {
    try {
      const bundle = await underway.runSteps(reading(text), 'bytes', text.length)
      const done = await underway.runSteps(importSteps(door, bundle), 'commits', bundle.commits.length)
      const { seq, clock } = door.store.world
      return { ...done, seq, now: clock.at, note: bundle.note }
    } catch (error) {
      throw refused(error)
    }
  })

async function inScratch(
  { scratch, snapshots }: OperatorDoor,
  from: World | WorldSetup,
  plan: ReplayPlan,
  keep: string | undefined,
  goOn: (done: number) => Promise<boolean>,
) {
  const target = await scratch(from)
  try {
    const outcome = await replay(target, plan, goOn)
    if (keep !== undefined) await snapshots.save(keep, target.world())
    return outcome
  } finally {
    await target.close()
  }
}
