import type { MethodInput, MethodOutput } from '../../api/contract/control/methods.ts'
import type { ReplayDifference, ReplayedExchange } from '../../api/contract/control/replay.ts'

/** The options of a replay, and their texts. */

export interface ImportedFile {
  readonly name: string
  readonly text: string
}

type ReplayInput = MethodInput<'exchanges.replay'>
export type ReplayOutcome = MethodOutput<'exchanges.replay'>
export type ReplaySelection = Pick<ReplayInput, 'uids' | 'since' | 'text'>
export type ReplayTargetKind = 'then' | 'copy' | 'present' | 'snapshot' | 'demo' | 'empty'

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
  return { ...what, into, gaps: keepsGaps(setup), ...(into === 'present' ? {} : { stays: true }) }
}

export function formatTarget({ place, snapshot }: ReplayOptions): string {
  switch (place) {
    case 'then':
      return 'a copy of the world at that time'
    case 'copy':
      return 'a copy of the current world'
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

/** The API writes this for a field that one of the responses lacks. */
export const ABSENT = '(absent)'

const isAbsent = ({ recorded, replayed }: ReplayDifference) =>
  [recorded, replayed].some((value) => value === undefined || value === ABSENT)

/** Changed values before those that one of the responses lacks. */
export const sortDifferences = (differences: readonly ReplayDifference[]): ReplayDifference[] => [
  ...differences.filter((one) => !isAbsent(one)),
  ...differences.filter(isAbsent),
]

/** Name of a field in all elements of a list: `data[3].name` → `data[].name`. */
const fieldOf = (at: string): string => at.replace(/\[\d+\]/g, '[]')

/** The result without the differences in these fields. A response that differs in nothing else is the same. */
export function ignoreFields(outcome: ReplayOutcome, ignored: ReadonlySet<string>): ReplayOutcome {
  if (ignored.size === 0) return outcome
  const exchanges = outcome.exchanges.map((exchange): ReplayedExchange => {
    const differences = exchange.differences.filter((one) => !ignored.has(fieldName(exchange, one)))
    const isSame = exchange.verdict === 'differs' && differences.length === 0
    return { ...exchange, differences, verdict: isSame ? 'same' : exchange.verdict }
  })
  const count = (verdict: ReplayedExchange['verdict']) => exchanges.filter((one) => one.verdict === verdict).length
  return { ...outcome, exchanges, same: count('same'), differs: count('differs') }
}

/** A body can have a field `status`, too. */
export const fieldName = (exchange: ReplayedExchange, difference: ReplayDifference): string =>
  isHttpStatus(exchange, difference) ? 'HTTP status' : fieldOf(difference.at)

const isHttpStatus = (exchange: ReplayedExchange, { at, recorded, replayed }: ReplayDifference): boolean =>
  at === 'status' && exchange.recorded?.status === recorded && exchange.replayed.status === replayed

/** The differences as a file. */
export function formatDifferences(
  { same, differs, refused, unrecorded, exchanges }: ReplayOutcome,
  about: { readonly title: string; readonly target: string; readonly ignored: readonly string[] },
): string {
  const different = exchanges
    .filter(({ differences }) => differences.length > 0)
    .map(({ index, method, path, verdict, differences }) => ({
      no: index + 1,
      method,
      path,
      verdict,
      differences: sortDifferences(differences),
    }))
  return `${JSON.stringify({ ...about, same, differs, refused, unrecorded, requests: different }, null, 2)}\n`
}
