import type { MethodOutput, MethodParsed, ReplayInto } from '../contract/control.ts'
import { ApiError } from '../contract/errors.ts'
import type { World } from '../store/world.ts'
import { bundleFrom, linesOf } from './bundles/bundle.ts'
import { bundleOf, imported } from './bundles/hand-on.ts'
import type { OperatorDoor } from './methods.ts'
import { UnreadableRecording } from './recordings/recording.ts'
import { type Entry, entriesSince, exchangesNamed, presentRecord, seqOf, stepsOf, uidsIn } from './replay/record.ts'
import { type ReplayPlan, replay } from './replay/replay.ts'
import type { Beginning } from './target.ts'
import * as worlds from './worlds.ts'

/** Replays that the operator asks for: of our own record, or of what somebody else has recorded. */

type Input = MethodParsed<'exchanges.replay'>
type Output = MethodOutput<'exchanges.replay'>

export async function replayed(door: OperatorDoor, input: Input): Promise<Output> {
  const { into = 'then', gaps = into !== 'present', keep } = input
  const entries = entriesOf(door, input)
  const [first] = entries
  const begins = first ? seqOf(first) : door.store.world.seq
  const plan = { steps: stepsOf(entries, door.store.seal), gaps, isMasked: presentRecord(door).isMasked }
  if (into === 'present') {
    const outcome = await replay(door.target, plan)
    if (keep !== undefined) await door.snapshots.keep(keep)
    return { ...outcome, unusable: [] }
  }
  return { ...(await inScratch(door, await worldOf(door, into, begins), plan, keep)), unusable: [] }
}

function entriesOf(door: OperatorDoor, { uids, since }: Input): Entry[] {
  return uids ? exchangesNamed(door, uids) : entriesSince(door, since!, door.store.world.seq)
}

async function worldOf(
  { store, snapshots }: OperatorDoor,
  into: Exclude<ReplayInto, 'present'>,
  begins: number,
): Promise<World | Beginning> {
  if (into === 'then') return worlds.asItWas(store, begins)
  if ('snapshot' in into) return worlds.kept(snapshots, into.snapshot)
  const { seed, start, clock } = store.world
  return { kind: into.fresh, seed, start, clock: { mode: 'frozen', pace: clock.pace } }
}

/** The present world as a bundle. */
export function handedOn(door: OperatorDoor, note: string | null): MethodOutput<'bundles.export'> {
  const { version } = door.describe()
  const bundle = bundleOf(door, { made_by: version, note })
  const acts = bundle.entries.filter((entry) => 'act' in entry).length
  return {
    name: `sandbank-${bundle.now.slice(0, 19).replaceAll(':', '-')}.sandbank`,
    text: [...linesOf(bundle)].map((line) => `${line}\n`).join(''),
    exchanges: bundle.entries.length - acts,
    acts,
    commits: bundle.commits.length,
  }
}

export function takenIn(door: OperatorDoor, text: string): MethodOutput<'bundles.import'> {
  try {
    const bundle = bundleFrom(text)
    const done = imported(door, bundle)
    const { seq, clock } = door.store.world
    return { ...done, seq, now: clock.at, note: bundle.note }
  } catch (error) {
    if (error instanceof UnreadableRecording) throw new ApiError('invalidArgument', error.message)
    throw error
  }
}

async function inScratch(
  { scratch, snapshots }: OperatorDoor,
  from: World | Beginning,
  plan: ReplayPlan,
  keep: string | undefined,
) {
  const known = 'collections' in from ? uidsIn(from) : new Set<string>()
  const target = await scratch(from)
  try {
    const outcome = await replay(target, { ...plan, known })
    if (keep !== undefined) await snapshots.keep(keep, target.world())
    return outcome
  } finally {
    await target.close()
  }
}
