import { runToEnd, type Steps } from '../../store/steps.ts'
import { isTooLargeForHeader } from '../bundles/bundle.ts'
import { readCurlInSteps } from './curl.ts'
import { readHarInSteps } from './har.ts'
import { type Recording, UnreadableRecording } from './recording.ts'

/** Tells what a file is by its content, not by its name. */

type RecognizedFile = { readonly kind: 'har' | 'curl'; readonly recording: Recording } | { readonly kind: 'bundle' }

export const MAX_MEGABYTES = 100
const MAX_BYTES = MAX_MEGABYTES << 20

const EXPECTED = 'expected a HAR 1.2 file, curl lines or a bundle of Sandbank'

export const recognizeFile = (file: string | Uint8Array): RecognizedFile => runToEnd(recognizeInSteps(file))

export function* recognizeInSteps(file: string | Uint8Array): Steps<RecognizedFile> {
  const size = typeof file === 'string' ? Buffer.byteLength(file) : file.byteLength
  if (size > MAX_BYTES)
    throw new UnreadableRecording(
      `The file has ${Math.ceil(size / 2 ** 20)} MB, expected at most ${MAX_MEGABYTES}: ` +
        `export only the requests to this API, or without the bodies of pages and pictures.`,
    )
  const text = withoutByteOrderMark(typeof file === 'string' ? file : decode(file))
  const begin = text.search(/\S/)
  if (begin < 0) throw new UnreadableRecording(`The file is empty; ${EXPECTED}.`)
  if (isBundle(text, begin)) return { kind: 'bundle' }
  if (text[begin] === '{' || text[begin] === '[') return { kind: 'har', recording: yield* readHarInSteps(text) }
  const other = OTHERS.find(([pattern]) => pattern.test(text.slice(begin, begin + 500)))
  if (other) throw new UnreadableRecording(`The file is ${other[1]}; ${EXPECTED}. ${other[2]}`)
  return { kind: 'curl', recording: yield* readCurlInSteps(text) }
}

/** Other texts that people may have, and what to do instead. */
const OTHERS: readonly (readonly [RegExp, what: string, instead: string])[] = [
  [/^</, 'XML or HTML', 'Charles, Burp and others export HAR too.'],
  [/^(?:await )?fetch\(/, 'a call of fetch()', 'Browsers copy requests "as cURL" in the same menu.'],
  [
    /^(?:\$session\b|Invoke-(?:WebRequest|RestMethod)\b)/i,
    'PowerShell',
    'Browsers copy requests "as cURL" in the same menu.',
  ],
  [/^(?:GET|POST|PUT|DELETE|PATCH|HEAD) \S+ HTTP\/1/, 'the text of one HTTP message', 'Write it as a curl line.'],
]

const withoutByteOrderMark = (text: string) => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)

const BINARIES: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [[0x50, 0x4b, 3, 4], "a ZIP archive, as Fiddler's .saz is"],
  [[0x1f, 0x8b], 'compressed with gzip'],
]

function decode(bytes: Uint8Array): string {
  const beginsWith = (...wanted: readonly number[]) => wanted.every((byte, i) => bytes[i] === byte)
  const binary = BINARIES.find(([signature]) => beginsWith(...signature))
  if (binary) throw new UnreadableRecording(`The file is ${binary[1]}; ${EXPECTED}. Unpack it, or export it as HAR.`)
  // As Windows PowerShell writes text.
  if (beginsWith(0xff, 0xfe)) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UnreadableRecording(
      `The file is not UTF-8 text; ${EXPECTED}. Tools with their own format can export HAR.`,
    )
  }
}

/** Parses the first line only, and only if it looks like a bundle's header: a HAR file may be one long line. */
function isBundle(text: string, begin: number): boolean {
  const end = text.indexOf('\n', begin)
  const line = text.slice(begin, end < 0 ? undefined : end)
  if (!/^\{.{0,1000}"sandbank"\s*:\s*"bundle"/s.test(line.slice(0, 1100))) return false
  // The bundle's reader refuses it.
  if (isTooLargeForHeader(line)) return true
  try {
    return (JSON.parse(line) as { sandbank?: unknown }).sandbank === 'bundle'
  } catch {
    return false
  }
}
