import { runToEnd, type Steps } from '../../store/steps.ts'
import { type CurlTransfer, parseCurlArguments, shorten, UnusableLine } from './curl-arguments.ts'
import { REMOVED, withoutSecrets } from './headers.ts'
import { type FoundRequest, locateInSteps } from './locate.ts'
import { type Command, splitPosixInSteps, type Word } from './posix-shell.ts'
import { type Recording, UnreadableRecording, type UnusableEntry } from './recording.ts'

/** Reads curl lines, as browsers copy them and people write them: the requests that each would send. One command per step. */
export function* readCurlInSteps(text: string): Steps<Recording> {
  // Prose has quotes that never close, so it is refused before it is split.
  const isCurlText = /\bcurl\b/i.test(text)
  if (isCurlText && isForCmd(text)) throw new UnreadableRecording(FOR_CMD)
  const commands = isCurlText ? yield* splitPosixInSteps(text) : []
  const found: (FoundRequest | UnusableEntry)[] = []
  const remarks: UnusableEntry[] = []
  let hasCurl = false
  for (const command of commands) {
    hasCurl ||= isCurl(command)
    for (const one of readCommand(command, remarks)) found.push(one)
    yield
  }
  if (!hasCurl)
    throw new UnreadableRecording(
      `The text holds no curl line: found a line that begins with ${shorten(firstWord(text))}, ` +
        `expected one that begins with curl.`,
    )
  const { requests, unusable } = yield* locateInSteps(found, 'The text')
  return { requests, unusable: [...unusable, ...remarks] }
}

export const readCurlLines = (text: string): Recording => runToEnd(readCurlInSteps(text))

/** A caret before a quote or at the end of a line, or JSON with doubled quotes. */
const isForCmd = (text: string): boolean =>
  /^[ \t>]{0,100}(?:[^\s'"]{0,1000}[\\/>])?curl(?:\.exe)?[ \t](?:[^\n']*\^\r?\n|(?:[^\n']*[ \t])?\^")/im.test(text) ||
  (!/(?:^|[\s$])'/.test(text) && /\{""|""[:,}\]]/.test(text))
const FOR_CMD =
  'The text has curl lines for cmd of Windows: found a caret or doubled quotes, expected lines for a POSIX shell. ' +
  'In the browser, choose “Copy as cURL (bash)”.'

const PROMPT = /^[$%>❯➜]$/
const ASSIGNMENT = /^[A-Za-z_]\w*=/
const CURL = /^(?:.*[\\/>])?curl(?:\.exe)?$/i

const isCurl = (command: Command) => CURL.test(withoutPrefix(command)[0]?.text ?? '')

/** The words from the name of the command on. */
function withoutPrefix({ words }: Command): readonly Word[] {
  const name = words.findIndex(({ text }) => !PROMPT.test(text) && !ASSIGNMENT.test(text) && text !== 'time')
  return words.slice(Math.max(0, name))
}

const MAX_ARGUMENTS = 2_000

const firstWord = (text: string) => /\S{1,100}/.exec(text)?.[0] ?? 'nothing'

function readCommand(command: Command, remarks: UnusableEntry[]): (FoundRequest | UnusableEntry)[] {
  const at = `line ${command.line}`
  const [name, ...args] = withoutPrefix(command)
  if (!isCurl(command))
    return command.isPiped || ASSIGNMENT.test(name!.text)
      ? []
      : [{ at, why: `no curl line: it begins with ${shorten(name!.text)}` }]
  // One line is read in one step.
  if (args.length > MAX_ARGUMENTS)
    return [{ at, why: `a curl line with ${args.length} arguments, of which at most ${MAX_ARGUMENTS} are read` }]
  return splitAtNext(args).flatMap((words): (FoundRequest | UnusableEntry)[] => {
    try {
      const transfer = parseCurlArguments(words)
      for (const name of transfer.ignored)
        remarks.push({ at, why: `the option ${name} was ignored: it is not known here` })
      return toRequests(transfer).map((request) => ({ in: at, ...request }))
    } catch (error) {
      if (error instanceof UnusableLine) return [{ at, why: error.message }]
      throw error
    }
  })
}

/** `--next` begins another transfer on the same line. */
function splitAtNext(words: readonly Word[]): Word[][] {
  const transfers: Word[][] = [[]]
  for (const word of words)
    if (word.text === '--next' || word.text === '-:') transfers.push([])
    else transfers.at(-1)!.push(word)
  return transfers
}

function toRequests(transfer: CurlTransfer): Omit<FoundRequest, 'in'>[] {
  const { urls, isGet, isHead, data } = transfer
  if (urls.length === 0) throw new UnusableLine('a curl line without a URL')
  const body = isGet || data === undefined ? '' : data
  const method = transfer.method ?? (isHead ? 'HEAD' : data !== undefined && !isGet ? 'POST' : 'GET')
  const query = [...transfer.query, ...(isGet && data ? [data] : [])].join('&')
  const headers = headersOf(transfer)
  return urls.map((text) => {
    const url = addQuery(toUrl(text, transfer.isGlobbing), query)
    const hasUser = /^https?:\/\/[^/?#]*@/i.test(url)
    const all = [...headers, ...(hasUser ? [['authorization', REMOVED] as const] : [])]
    return { url, method, headers: withoutSecrets(withFirstOnly(all, 'authorization')), body, response: null }
  })
}

function headersOf({ headers, data, isGet, isJson }: CurlTransfer): (readonly [string, string])[] {
  const defaults: [string, string][] = isJson
    ? [
        ['content-type', 'application/json'],
        ['accept', 'application/json'],
      ]
    : data !== undefined && !isGet
      ? [['content-type', 'application/x-www-form-urlencoded']]
      : []
  const names = new Set(headers.map(([name]) => name))
  return [
    ...headers.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    ...defaults.filter(([name]) => !names.has(name)),
  ]
}

const withFirstOnly = (headers: readonly (readonly [string, string])[], wanted: string) =>
  headers.filter(([name], i) => name !== wanted || headers.findIndex(([other]) => other === wanted) === i)

/** For curl, `a{b,c}` and `[1-9]` are several URLs; with a backslash or --globoff they are characters. */
function toUrl(text: string, isGlobbing: boolean): string {
  if (
    isGlobbing &&
    /(?<!\\)(?:\{[^{},]*,[^{}]*\}|\[\w+-\w+(?::\d+)?\])/.test(text.replace(/^[^:]*:\/\/\[[^\]]*\]/, ''))
  )
    throw new UnusableLine('a URL with {…} or […], of which curl would have made several requests')
  const url = isGlobbing ? text.replaceAll(/\\([[\]{}])/g, '$1') : text
  return /^[a-z][\w+.-]*:\/\//i.test(url) ? url : `http://${url}`
}

function addQuery(url: string, query: string): string {
  if (query === '') return url
  const [withoutFragment = ''] = url.split('#')
  return `${withoutFragment}${withoutFragment.includes('?') ? '&' : '?'}${query}`
}
