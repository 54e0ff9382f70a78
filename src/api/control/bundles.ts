import type { MethodOutput } from '../contract/control/methods.ts'
import { ApiError } from '../contract/errors.ts'
import { formatBundle, parseBundleInSteps } from '../replay/bundles/bundle.ts'
import { type BundleInfo, exportBundle } from '../replay/bundles/export.ts'
import { importBundle } from '../replay/bundles/import.ts'
import { UnreadableRecording } from '../replay/recordings/recording.ts'
import type { Steps } from '../store/steps.ts'
import type { OperatorDoor } from './door.ts'

/** bundles.export and bundles.import: the current world as a text. */

export const exportToText = (door: OperatorDoor, note: string | null): Promise<MethodOutput<'bundles.export'>> =>
  door.jobs.runExclusive('bundles.export', (job) =>
    job.runSteps(exportInSteps(door, { made_by: door.describe().version, note }), 'steps'),
  )

function* exportInSteps(door: OperatorDoor, info: BundleInfo): Steps<MethodOutput<'bundles.export'>> {
  const bundle = yield* exportBundle(door, info)
  yield 'last'
  const acts = bundle.entries.filter((entry) => 'act' in entry).length
  return {
    name: `sandbank-${bundle.now.slice(0, 19).replaceAll(':', '-')}.sandbank`,
    text: [...formatBundle(bundle)].map((line) => `${line}\n`).join(''),
    exchanges: bundle.entries.length - acts,
    acts,
    commits: bundle.commits.length,
  }
}

export const importFromText = (door: OperatorDoor, text: string): Promise<MethodOutput<'bundles.import'>> =>
  door.jobs.runExclusive('bundles.import', async (job) => {
    try {
      const bundle = await job.runSteps(parseBundleInSteps(text), 'bytes', text.length)
      const result = await job.runSteps(importBundle(door, bundle), 'commits', bundle.commits.length)
      const { seq, clock } = door.store.world
      return { ...result, seq, now: clock.at, note: bundle.note }
    } catch (error) {
      throw toRecordingRefusal(error)
    }
  })

/** A file that cannot be read is the caller's error. */
export const toRecordingRefusal = (error: unknown) =>
  error instanceof UnreadableRecording ? new ApiError('invalidArgument', error.message) : error
