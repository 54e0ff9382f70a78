import { Har, HarEntry } from '../../contract/har.ts'
import { findExcess } from '../../http/json-size.ts'
import { runToEnd, type Steps } from '../../store/steps.ts'
import { headerOf, REMOVED, withoutSecrets, withoutTokens } from './headers.ts'
import { type FoundRequest, locateInSteps } from './locate.ts'
import {
  type HeaderList,
  type RecordedResponse,
  type Recording,
  UnreadableRecording,
  type UnusableEntry,
} from './recording.ts'
import { parseJson } from './text.ts'

/** Many small values take long to parse. In a longer file, counting them would take longer than parsing it. */
const MAX_COUNTED_LENGTH = 1 << 20
const LIMITS = { keys: 100_000, levels: 100 }

/**
 * Reads a HAR file of any browser or proxy: its requests in the order in which they were sent, with their responses. One entry
 * per step.
 */
export function* readHarInSteps(text: string): Steps<Recording> {
  if (text.length <= MAX_COUNTED_LENGTH && findExcess(text, LIMITS))
    throw new UnreadableRecording(
      `The HAR file has more than ${LIMITS.keys} values or ${LIMITS.levels} levels; no HAR file of 1 MB has that many.`,
    )
  const entries = yield* parseEntries(parseJson(text, 'The HAR file'))
  const inOrder = entries
    .map((entry, i) => ({ entry, i, sent: instantOf(entry, i) }))
    .sort((a, b) => a.sent - b.sent || a.i - b.i)
  const hasNoTokens = !entries.some(({ request }) => has(request.headers, /^authorization$/i))
  const found: (FoundRequest | UnusableEntry)[] = []
  for (const { entry, i, sent } of inOrder) {
    found.push(readEntry(entry, `entry ${i + 1}`, new Date(sent).toISOString(), hasNoTokens))
    yield
  }
  return yield* locateInSteps(found, 'The HAR file')
}

export const readHar = (text: string): Recording => runToEnd(readHarInSteps(text))

/** The first entry with another form ends it: a list of all issues of many entries would take long. */
function* parseEntries(value: unknown): Steps<HarEntry[]> {
  const { log } = (value ?? {}) as { log?: { entries?: unknown } }
  const given = typeof log === 'object' && Array.isArray(log?.entries) ? (log.entries as unknown[]) : undefined
  const whole = Har.safeParse(given ? { ...(value as object), log: { ...log, entries: [] } } : value)
  if (!whole.success) throw unreadable(whole.error, value)
  const entries: HarEntry[] = []
  for (const [i, one] of (given ?? []).entries()) {
    const { success, data, error } = HarEntry.safeParse(one)
    if (!success) throw unreadable(error, value, ['log', 'entries', i])
    entries.push(data)
    yield
  }
  return entries
}

interface FormError {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]
}

/** Describes the first issue; `at` is the place of the part that was checked. */
function unreadable({ issues }: FormError, value: unknown, at: readonly PropertyKey[] = []): UnreadableRecording {
  const [{ path: inside, message } = { path: [], message: 'another form' }] = issues
  const path = [...at, ...inside]
  const found = path.reduce<unknown>((node, key) => (node as Record<PropertyKey, unknown> | undefined)?.[key], value)
  const isVersion = path.join('.') === 'log.version'
  return new UnreadableRecording(
    `${path.length > 0 ? formatPath(path) : 'The file'}: found ${describe(found, isVersion)}, expected ${message}` +
      `${path.length < 2 ? `: no HAR file has this form` : isVersion ? ': export it as HAR 1.2' : ''}.`,
  )
}

/** `log.entries[12].request.url` */
const formatPath = (path: readonly PropertyKey[]): string =>
  path.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i > 0 ? '.' : ''}${String(key)}`)).join('')

/** Names the type, not the value, which may be a secret. Versions are shown. */
function describe(found: unknown, isVersion: boolean): string {
  if (found === undefined) return 'nothing'
  if (found === null) return 'null'
  if (Array.isArray(found)) return 'a list'
  if (typeof found === 'object') {
    const names = Object.keys(found).slice(0, 5)
    return names.length > 0 ? `an object with ${names.join(', ')}` : 'an empty object'
  }
  if (isVersion) return JSON.stringify(found).slice(0, 20)
  return typeof found === 'string' ? 'a text' : `a ${typeof found}`
}

function instantOf({ startedDateTime }: HarEntry, i: number): number {
  const ms = Date.parse(startedDateTime)
  if (!Number.isNaN(ms)) return ms
  throw new UnreadableRecording(
    `log.entries[${i}].startedDateTime: found a text that is not a date, expected one such as 2026-11-20T09:30:00.000Z.`,
  )
}

function readEntry(entry: HarEntry, place: string, at: string, hasNoTokens: boolean): FoundRequest | UnusableEntry {
  const why = whyNotSent(entry)
  if (why !== undefined) return { at: place, why }
  const body = bodyOf(entry)
  if (typeof body !== 'string') return { at: place, why: body.why }
  const { method, url, queryString } = entry.request
  const response = responseOf(entry)
  return {
    in: place,
    url: url.includes('?') || !queryString?.length ? url : `${url.replace(/#.*$/s, '')}?${encodeForm(queryString)}`,
    method: method.toUpperCase(),
    headers: headersOf(entry, hasNoTokens && response?.status !== 401),
    body,
    response,
    at,
  }
}

/** Requests that a browser or a proxy sends on its own are not requests to an API. */
function whyNotSent({ request, response, _fromCache, _resourceType }: HarEntry): string | undefined {
  const { method } = request
  if (/^connect$/i.test(method)) return "a proxy's tunnel, which is no request"
  if (/^options$/i.test(method) && (_resourceType === 'preflight' || has(request.headers, /^access-control-request-/i)))
    return "a browser's preflight"
  if (_fromCache) return "answered from the browser's cache, so that it was never sent"
  if (has(response?.headers, /^non-authoritative-reason$/i))
    return "the browser's own redirect, so that it was never sent"
  return undefined
}

type Pairs = HarEntry['request']['headers']
const has = (pairs: Pairs, name: RegExp) => pairs?.some((pair) => name.test(pair.name)) ?? false
const list = (pairs: Pairs): HeaderList => pairs?.map(({ name, value }) => [name, value ?? ''] as const) ?? []
const encodeForm = (pairs: Pairs): string =>
  new URLSearchParams(list(pairs).map(([name, value]) => [name, value])).toString()

function bodyOf({ request: { postData, bodySize, method } }: HarEntry): string | { readonly why: string } {
  const { text, params, mimeType } = postData ?? {}
  const type = mimeType?.toLowerCase() ?? ''
  if (text) {
    if (!isBase64(postData!)) return text
    return decodeUtf8(text) ?? { why: 'its body is not text' }
  }
  if (params?.length)
    return type.startsWith('multipart/')
      ? { why: 'a multipart body, which this API does not take' }
      : encodeForm(params)
  if ((bodySize ?? 0) > 0 && !/^(?:get|head)$/i.test(method))
    return { why: `its body of ${bodySize} bytes was not recorded` }
  return ''
}

type Encoding = string | null | undefined
const isBase64 = ({ encoding, _encoding }: { encoding?: Encoding; _encoding?: Encoding }) =>
  /^base64$/i.test(encoding ?? _encoding ?? '')

function decodeUtf8(base64: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
  } catch {
    return undefined
  }
}

const CONDITIONAL_HEADERS = new Set(['if-none-match', 'if-modified-since'])

/** Browsers may export without Authorization. If no request of the file has one, a response other than 401 implies one. */
function headersOf({ request, response }: HarEntry, hadToken: boolean): HeaderList {
  const headers = withoutSecrets(list(request.headers)).filter(
    ([name]) => response?.status !== 304 || !CONDITIONAL_HEADERS.has(name),
  )
  const type = request.postData?.mimeType
  const added: [string, string][] = []
  if (type && /json|urlencoded/i.test(type) && headerOf(headers, 'content-type') === undefined)
    added.push(['content-type', type])
  if (hadToken && headerOf(headers, 'authorization') === undefined) added.push(['authorization', REMOVED])
  return [...headers, ...added]
}

/** null if the response, or its body, was not recorded. With 304, browsers export the cached body. */
function responseOf({ request, response }: HarEntry): RecordedResponse | null {
  if (!response) return null
  const status = Math.max(0, response.status)
  if (status === 0) return { status, headers: [], body: '' }
  const { content } = response
  const isEmpty = status === 204 || /^head$/i.test(request.method) || (content?.size === 0 && status !== 304)
  if (!content?.text && !isEmpty) return null
  const text = content?.text ?? ''
  const body = content && isBase64(content) ? Buffer.from(text, 'base64').toString('utf8') : text
  return {
    status: status === 304 ? 200 : status,
    headers: withoutSecrets(list(response.headers)),
    body: withoutTokens(body),
  }
}
