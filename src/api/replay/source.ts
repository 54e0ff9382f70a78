import { toTimestamp } from '../store/clock.ts'
import { createSeal } from '../store/seal.ts'
import { asSubsteps, runToEnd, type Steps } from '../store/steps.ts'
import type { World } from '../store/world.ts'
import { parseBundleInSteps } from './bundles/bundle.ts'
import { addKeys } from './bundles/import.ts'
import { toSteps } from './record.ts'
import { recognizeInSteps } from './recordings/recognize.ts'
import { UnreadableRecording, type UnusableEntry } from './recordings/recording.ts'
import { type ReplayPlan, type ReplayStep, timeOf } from './replay.ts'

/** What a replay sends, from the request log or from a file. */
export interface ReplaySource extends Pick<ReplayPlan, 'steps' | 'isMasked'> {
  readonly unusable: readonly UnusableEntry[]
  /** Of the sender. */
  readonly note?: string | null
  /** The world at the beginning of the record; null for HAR files and curl lines. */
  readonly beginning?: () => World | Promise<World>
}

/** Reads a HAR file, curl lines or a bundle. The Programs of a bundle get the keys that they have in `present`. */
export function* readSourceInSteps(file: string | Uint8Array, present?: World): Steps<ReplaySource> {
  const recognized = yield* recognizeInSteps(file)
  if (recognized.kind !== 'bundle') {
    const { requests, unusable } = recognized.recording
    return { steps: refuseLongSpan(requests.map((request) => ({ request }))), unusable }
  }
  const text = typeof file === 'string' ? file : Buffer.from(file).toString('utf8')
  const { world, entries, commits, note } = addKeys(yield* asSubsteps(parseBundleInSteps(text)), present)
  const rewinds = new Map(
    commits.flatMap(({ seq, goes_on_from }) => (goes_on_from === undefined ? [] : [[seq, goes_on_from]])),
  )
  const { seq: begins, counters } = world
  const commitsBetween = (from: number, to: number) => commits.slice(from - begins - 1, to - begins)
  return {
    steps: refuseLongSpan(
      yield* toSteps(entries, createSeal(world.seed), { begins, made: counters.made, rewinds, commitsBetween }),
    ),
    isMasked: true,
    unusable: [],
    note,
    beginning: () => world,
  }
}

export const readSource = (file: string | Uint8Array, present?: World): ReplaySource =>
  runToEnd(readSourceInSteps(file, present))

/** A replay advances the clock through the whole span, and each day takes time. */
const MAX_YEARS = 20
const YEAR_MS = 366 * 86_400_000

function refuseLongSpan(steps: ReplayStep[]): ReplayStep[] {
  const times = steps.map((step) => Date.parse(timeOf(step) ?? '')).filter((ms) => !Number.isNaN(ms))
  const from = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const to = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  if (to - from > MAX_YEARS * YEAR_MS)
    throw new UnreadableRecording(
      `The record goes from ${toTimestamp(from)} to ${toTimestamp(to)}, and at most ${MAX_YEARS} years are replayed`,
    )
  return steps
}
