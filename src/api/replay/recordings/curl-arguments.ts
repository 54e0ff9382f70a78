import { REMOVED } from './headers.ts'
import type { Word } from './posix-shell.ts'

/** The arguments of one curl transfer, and what they mean by curl's manual. */

/** Why a line cannot be sent again. */
export class UnusableLine extends Error {}

export interface CurlTransfer {
  method?: string
  readonly urls: string[]
  /** In order; undefined removes a header that curl would send by default. */
  readonly headers: [name: string, value: string | undefined][]
  readonly query: string[]
  data?: string
  isGet: boolean
  isHead: boolean
  isJson: boolean
  /** Whether `{…}` and `[…]` in a URL are patterns. */
  isGlobbing: boolean
  /** Options that are not known here. */
  readonly ignored: string[]
}

type SetValue = (transfer: CurlTransfer, value: string) => void
type SetFlag = (transfer: CurlTransfer) => void

export function parseCurlArguments(words: readonly Word[]): CurlTransfer {
  const transfer: CurlTransfer = {
    urls: [],
    headers: [],
    query: [],
    isGet: false,
    isHead: false,
    isJson: false,
    isGlobbing: true,
    ignored: [],
  }
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (word.text === '--') {
      for (const url of words.slice(at + 1)) addUrl(transfer, url)
      break
    }
    const value = words[at + 1]
    const ignoredBefore = transfer.ignored.length
    let taken: 0 | 1 = 0
    if (word.text.startsWith('--')) taken = setLongOption(transfer, word, value)
    else if (word.text.length > 1 && word.text.startsWith('-')) taken = setLetters(transfer, word, value)
    else addUrl(transfer, word)
    if (taken === 0 && transfer.ignored.length > ignoredBefore && value && isLikelyValue(value)) taken = 1
    at += taken
  }
  return transfer
}

/** Of an option that is not known. */
const isLikelyValue = ({ text }: Word) => text === '-' || !(text.startsWith('-') || ADDRESS.test(text))
/** With its scheme; without, if its first part has a point or a port, or is localhost. */
const ADDRESS = /^(?:https?:|(?:localhost|[\w-]+(?=:\d)|[\w-]+(?:\.[\w-]+)+)(?::\d+)?\/)/i

function addUrl(transfer: CurlTransfer, word: Word) {
  refuseExpansions(word)
  transfer.urls.push(word.text)
}

/** Returns how many of the words after it belong to it. */
function setLongOption(transfer: CurlTransfer, { text }: Word, next: Word | undefined): 0 | 1 {
  const equals = text.indexOf('=', 3)
  if (equals >= 0) {
    const name = text.slice(0, equals)
    throw new UnusableLine(`curl knows no option ${name}=…: the value of ${name} must be a word of its own`)
  }
  return setOption(transfer, text.slice(2), text, next)
}

/** `-sSL`, `-X POST`, `-XPOST` */
function setLetters(transfer: CurlTransfer, word: Word, next: Word | undefined): 0 | 1 {
  const { text } = word
  for (let at = 1; at < text.length; at++) {
    const letter = text[at]!
    const name = nameOf.get(letter) ?? letter
    const isLast = at === text.length - 1
    if (Object.hasOwn(VALUES, name) && !isLast) {
      setValue(transfer, name, text.slice(at + 1), word)
      return 0
    }
    if (isLast) return setOption(transfer, name, `-${letter}`, next)
    setFlag(transfer, name, `-${letter}`)
  }
  return 0
}

function setOption(transfer: CurlTransfer, name: string, rawName: string, next: Word | undefined): 0 | 1 {
  if (!Object.hasOwn(VALUES, name)) {
    setFlag(transfer, name, rawName)
    return 0
  }
  if (next === undefined) throw new UnusableLine(`${rawName} needs a value, and the line ends there`)
  setValue(transfer, name, next.text, next)
  return 1
}

function setValue(transfer: CurlTransfer, name: string, value: string, word: Word) {
  const isHeaderWithExpansion = name === 'header' && word.expansions.length > 0
  if (!isIgnored(name, value)) refuseExpansions(word)
  VALUES[name]!(transfer, isHeaderWithExpansion ? value.replace(/:.*$/s, `:${REMOVED}`) : value)
}

function setFlag(transfer: CurlTransfer, name: string, rawName: string) {
  const set = FLAGS[name]
  if (set) set(transfer)
  else transfer.ignored.push(shorten(rawName))
}

/** Values that are not sent, so what a shell would have made of them does not matter. */
const isIgnored = (name: string, value: string): boolean =>
  VALUES[name] === ignore ||
  VALUES[name] === setAuthorization ||
  (name === 'header' && /^\s*(?:authorization|x-trace-id|cookie)\s*:/i.test(value))

function refuseExpansions({ expansions: [first] }: Word) {
  if (first !== undefined)
    throw new UnusableLine(`the shell would have replaced ${shorten(first)}: write the value itself`)
}

const MAX_NAME_LENGTH = 20
export const shorten = (text: string) => (text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH)}…` : text)

// ── What the options do ──────────────────────────────────────────────────────────────────────────────────────────

const ignore = () => {}

function refuseFile(value: string): never {
  const file = value.slice(value.indexOf('@') + 1)
  throw new UnusableLine(
    file === '-'
      ? 'it reads its standard input, which is not in the recording: paste it into the line'
      : `the file ${file} is not in the recording: paste its content into the line`,
  )
}

const addData: SetValue = (transfer, text) => {
  transfer.data = transfer.data === undefined ? text : `${transfer.data}&${text}`
}
const addDataOrFile: SetValue = (transfer, value) =>
  value.startsWith('@') ? refuseFile(value) : addData(transfer, value)

const addJson: SetValue = (transfer, value) => {
  if (value.startsWith('@')) refuseFile(value)
  transfer.data = (transfer.data ?? '') + value
  transfer.isJson = true
}

/** `content`, `=content`, `name=content`, `@file`, `name@file` */
function urlencode(value: string): string {
  const equals = value.indexOf('=')
  if (equals < 0 && value.includes('@')) refuseFile(value)
  return equals <= 0
    ? percentEncode(value.slice(equals + 1))
    : `${value.slice(0, equals + 1)}${percentEncode(value.slice(equals + 1))}`
}

/** As curl does: everything but letters, digits and `-._~`. */
const percentEncode = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const addHeader: SetValue = (transfer, value) => {
  if (value.startsWith('@')) refuseFile(value)
  const [, name, sign, content = ''] = /^([^:;]*)([:;])?(.*)$/s.exec(value) ?? []
  if (!name?.trim() || !sign) throw new UnusableLine('a header without a colon')
  // "Name:" removes curl's own header, "Name;" sends an empty one.
  transfer.headers.push([name.trim().toLowerCase(), sign === ':' && content.trim() === '' ? undefined : content.trim()])
}
const setAuthorization: SetValue = (transfer) => void transfer.headers.unshift(['authorization', REMOVED])
const refuseMultipart: SetValue = () => {
  throw new UnusableLine('a multipart body, which this API does not take')
}

const named = <T>(names: string, set: T): Record<string, T> =>
  Object.fromEntries(names.split(' ').map((name) => [name, set]))

/** Options with a value. The last ones do not change the request, and are so usual that nothing is said about them. */
const VALUES: Readonly<Record<string, SetValue>> = {
  url: (transfer, value) => void transfer.urls.push(value),
  request: (transfer, value) => void (transfer.method = value.toUpperCase()),
  header: addHeader,
  ...named('data data-ascii data-binary', addDataOrFile),
  'data-raw': addData,
  'data-urlencode': (transfer, value) => addData(transfer, urlencode(value)),
  json: addJson,
  'url-query': (transfer, value) => void transfer.query.push(value.startsWith('+') ? value.slice(1) : urlencode(value)),
  'user-agent': (transfer, value) => void transfer.headers.push(['user-agent', value]),
  referer: (transfer, value) => void transfer.headers.push(['referer', value.replace(/;auto$/, '')]),
  range: (transfer, value) => void transfer.headers.push(['range', `bytes=${value}`]),
  ...named('user oauth2-bearer', setAuthorization),
  ...named('form form-string', refuseMultipart),
  ...named('upload-file config', (_, value) => refuseFile(value)),
  ...named(
    'cert connect-timeout continue-at cookie cookie-jar dump-header max-time output proxy retry time-cond write-out',
    ignore,
  ),
}

const FLAGS: Readonly<Record<string, SetFlag>> = Object.assign(Object.create(null), {
  get: (transfer: CurlTransfer) => void (transfer.isGet = true),
  head: (transfer: CurlTransfer) => void (transfer.isHead = true),
  globoff: (transfer: CurlTransfer) => void (transfer.isGlobbing = false),
  ...named(
    'compressed disable fail http1.0 http1.1 http2 include insecure ipv4 ipv6 location netrc no-buffer no-progress-meter ' +
      'progress-bar remote-header-name remote-name show-error silent tlsv1 verbose',
    ignore,
  ),
})

const LETTERS =
  'A user-agent b cookie c cookie-jar C continue-at d data D dump-header e referer E cert f fail F form g globoff G get H header ' +
  'i include I head J remote-header-name k insecure K config L location m max-time n netrc N no-buffer o output O remote-name ' +
  'q disable r range s silent S show-error T upload-file u user v verbose w write-out x proxy X request z time-cond ' +
  '# progress-bar 0 http1.0 1 tlsv1 4 ipv4 6 ipv6'
const nameOf = new Map([...LETTERS.matchAll(/(\S) (\S+)/g)].map(([, letter, name]) => [letter!, name!]))
