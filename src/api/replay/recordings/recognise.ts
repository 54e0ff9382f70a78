import { curlRecording } from './curl.ts'
import { harRecording } from './har.ts'
import { type Recording, UnreadableRecording } from './recording.ts'

/** What a file is, by what stands in it: names and endings of files say nothing. */

export type Recognised =
  | { readonly kind: 'har' | 'curl'; readonly recording: Recording }
  /** One of our own. */
  | { readonly kind: 'bundle' }

export const MOST_MEGABYTES = 100
const MOST_BYTES = MOST_MEGABYTES << 20

const EXPECTED = 'expected was a HAR 1.2 file, curl lines or a bundle of Sandbank'

export function recognise(file: string | Uint8Array): Recognised {
  const size = typeof file === 'string' ? Buffer.byteLength(file) : file.byteLength
  if (size > MOST_BYTES)
    throw new UnreadableRecording(
      `The file has ${Math.ceil(size / 2 ** 20)} MB, expected were at most ${MOST_MEGABYTES}: ` +
        `export only the requests to this API, or without the bodies of pages and pictures.`,
    )
  const text = withoutMark(typeof file === 'string' ? file : decoded(file))
  const begin = text.search(/\S/)
  if (begin < 0) throw new UnreadableRecording(`The file is empty; ${EXPECTED}.`)
  if (isBundle(text, begin)) return { kind: 'bundle' }
  if (text[begin] === '{' || text[begin] === '[') return { kind: 'har', recording: harRecording(text) }
  const other = OTHERS.find(([pattern]) => pattern.test(text.slice(begin, begin + 500)))
  if (other) throw new UnreadableRecording(`The file is ${other[1]}; ${EXPECTED}. ${other[2]}`)
  return { kind: 'curl', recording: curlRecording(text) }
}

/** What people have at hand instead, and how they get from there to what is read here. */
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

const withoutMark = (text: string) => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)

const BINARIES: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [[0x50, 0x4b, 3, 4], "a ZIP archive, as Fiddler's .saz is"],
  [[0x1f, 0x8b], 'compressed with gzip'],
]

function decoded(bytes: Uint8Array): string {
  const begins = (...wanted: readonly number[]) => wanted.every((byte, i) => bytes[i] === byte)
  const binary = BINARIES.find(([wanted]) => begins(...wanted))
  if (binary) throw new UnreadableRecording(`The file is ${binary[1]}; ${EXPECTED}. Unpack it, or export it as HAR.`)
  // Windows PowerShell writes text like this.
  if (begins(0xff, 0xfe)) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UnreadableRecording(
      `The file is no text in UTF-8; ${EXPECTED}. Tools with a format of their own export HAR.`,
    )
  }
}

/** Its first line is an object by itself; a HAR file on one line is not parsed twice. */
function isBundle(text: string, begin: number): boolean {
  const end = text.indexOf('\n', begin)
  const line = text.slice(begin, end < 0 ? undefined : end)
  if (!/^\{.{0,1000}"sandbank"\s*:\s*"bundle"/s.test(line.slice(0, 1100))) return false
  try {
    return (JSON.parse(line) as { sandbank?: unknown }).sandbank === 'bundle'
  } catch {
    return false
  }
}
