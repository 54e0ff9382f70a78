import type { MethodInput, MethodOutput } from '../../api/contract/control/methods.ts'

/** The options of a replay, and their texts. */

export interface ImportedFile {
  readonly name: string
  readonly text: string
}

export type ReplayInput = MethodInput<'exchanges.replay'>
export type ReplayOutcome = MethodOutput<'exchanges.replay'>
export type ReplaySelection = Pick<ReplayInput, 'uids' | 'since' | 'text'>
export type ReplayTargetKind = 'then' | 'present' | 'snapshot' | 'demo' | 'empty'

export interface ReplayOptions {
  readonly place: ReplayTargetKind
  readonly snapshot: string
  /** Null until the user chooses: then it depends on the place. */
  readonly gaps: boolean | null
}

export const keepsGaps = ({ place, gaps }: ReplayOptions): boolean => gaps ?? place !== 'present'

export function replayInput(what: ReplaySelection, setup: ReplayOptions): ReplayInput {
  const { place, snapshot } = setup
  const into = place === 'snapshot' ? { snapshot } : place === 'demo' || place === 'empty' ? { fresh: place } : place
  return { ...what, into, gaps: keepsGaps(setup) }
}

export function formatTarget({ place, snapshot }: ReplayOptions): string {
  switch (place) {
    case 'then':
      return 'a copy of the world at that time'
    case 'present':
      return 'the current world'
    case 'snapshot':
      return `snapshot ${snapshot}`
    default:
      return `a new ${place} world`
  }
}

/** Only a bundle, recognized by its first line, contains a world. */
export const isBundle = (text: string): boolean => /^\ufeff?\s*\{[^\n]{0,1000}"sandbank"\s*:\s*"bundle"/.test(text)

export class NotTextError extends Error {
  override name = 'NoText'
}

/** A file as text. Windows PowerShell writes UTF-16. Binary files are refused before they are sent. */
export async function readFileText(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new NotTextError(
      'It is not a text file. Expected: a HAR file, curl lines or a bundle. Unzip it, or export it as HAR.',
    )
  }
}

/** `data[0].status` as the lines of a body name it: `data.0.status`. */
export const toLinePath = (at: string): string => at.replace(/^body\.?/, '').replace(/\[(\d+)\]/g, '.$1')
