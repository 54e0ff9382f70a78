import { leftByMask } from '../contract/control/bundles.ts'
import type { MethodOutput } from '../contract/control/methods.ts'
import { ApiError } from '../contract/errors.ts'
import { parseBundleInSteps } from '../replay/bundles/bundle.ts'
import { type BundleInfo, exportBundle } from '../replay/bundles/export.ts'
import { importBundle } from '../replay/bundles/import.ts'
import { UnreadableRecording } from '../replay/recordings/recording.ts'
import type { OperatorDoor } from './door.ts'
import type { JobHandle, OnText } from './jobs.ts'

/** bundles.export and bundles.import: the current world as a text. */

/** With `onText` the text goes there, so that it is never in memory as a whole, and the text of the result is empty. */
export async function exportToText(
  door: OperatorDoor,
  { note, keep }: Required<Pick<BundleInfo, 'note' | 'keep'>>,
  onText?: OnText,
): Promise<MethodOutput<'bundles.export'>> {
  return door.jobs.runExclusive('bundles.export', async (job) => {
    const pieces: string[] = []
    let length = 0
    let piece = ''
    const removeSecrets = (text: string) => door.redaction.removeSecrets(text)
    const steps = exportBundle(door, { made_by: door.describe().version, note, keep, removeSecrets }, (line) => {
      piece += `${line}\n`
    })
    const passOn = () => {
      const full = piece
      piece = ''
      if (onText) return onText(full)
      if ((length += full.length) > MAX_TEXT_LENGTH) throw tooLarge()
      pieces.push(full)
      return undefined
    }
    const counts = await job.runSteps(steps, 'steps', null, () => (piece.length < PIECE_LENGTH ? undefined : passOn()))
    await passOn()
    const { now, exchanges, acts, commits, cut } = counts
    const name = `sandbank-${now.slice(0, 19).replaceAll(':', '-')}.sandbank`
    return { name, text: pieces.join(''), exchanges, acts, commits, cut, left: [...leftByMask(keep)] }
  })
}

const PIECE_LENGTH = 1 << 16
/** A text of V8 has at most 2^29 characters. */
const MAX_TEXT_LENGTH = (1 << 29) - (1 << 20)

const tooLarge = () =>
  new ApiError('invalidArgument', 'the bundle is longer than 512 MB: write it to a file with sandbank export')

export async function importFromText(
  door: OperatorDoor,
  text: string,
  job: JobHandle,
): Promise<MethodOutput<'bundles.import'>> {
  try {
    const bundle = await job.runSteps(parseBundleInSteps(text), 'bytes', text.length)
    const result = await job.runSteps(importBundle(door, bundle), 'commits', bundle.commits.length)
    const { seq, clock } = door.store.world
    return { ...result, seq, now: clock.at, note: bundle.note }
  } catch (error) {
    throw toRecordingRefusal(error)
  }
}

/** A file that cannot be read is the caller's error. */
export const toRecordingRefusal = (error: unknown) =>
  error instanceof UnreadableRecording ? new ApiError('invalidArgument', error.message) : error
