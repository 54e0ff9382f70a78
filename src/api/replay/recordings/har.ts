import { Har, type HarEntry } from '../../contract/har.ts'
import { headerOf, REMOVED, withoutSecrets, withoutTokens } from './headers.ts'
import { type Found, placed } from './locate.ts'
import {
  type HeaderList,
  type RecordedAnswer,
  type Recording,
  UnreadableRecording,
  type Unusable,
} from './recording.ts'
import { parseJson } from './text.ts'

/** A HAR file of any browser or proxy: what was sent, in the order in which it was sent, and what came back. */
export function harRecording(text: string): Recording {
  const { entries } = checked(parseJson(text, 'The HAR file')).log
  const inOrder = entries
    .map((entry, i) => ({ entry, i, sent: instantOf(entry, i) }))
    .sort((a, b) => a.sent - b.sent || a.i - b.i)
  const isCleaned = !entries.some(({ request }) => has(request.headers, /^authorization$/i))
  return placed(
    inOrder.map(({ entry, i, sent }) => read(entry, `entry ${i + 1}`, new Date(sent).toISOString(), isCleaned)),
    'The HAR file',
  )
}

function checked(value: unknown): Har {
  const { success, data, error } = Har.safeParse(value)
  if (success) return data
  const [{ path, message }] = error.issues as [(typeof error.issues)[number]]
  const found = path.reduce<unknown>((held, key) => (held as Record<PropertyKey, unknown> | undefined)?.[key], value)
  const isVersion = path.join('.') === 'log.version'
  throw new UnreadableRecording(
    `${path.length > 0 ? placeOf(path) : 'The file'}: found ${described(found, isVersion)}, expected was ${message}` +
      `${path.length < 2 ? `: no HAR file has this form` : isVersion ? ': export it as HAR 1.2' : ''}.`,
  )
}

/** `log.entries[12].request.url`, counted from 0 as in the file. */
const placeOf = (path: readonly PropertyKey[]): string =>
  path.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i > 0 ? '.' : ''}${String(key)}`)).join('')

/** What kind of thing it is, and never what it says; a version is nobody's secret. */
function described(found: unknown, isVersion: boolean): string {
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
    `log.entries[${i}].startedDateTime: found a text that is no date, expected was one such as 2026-11-20T09:30:00.000Z.`,
  )
}

function read(entry: HarEntry, place: string, at: string, isCleaned: boolean): Found | Unusable {
  const why = unsendable(entry)
  if (why !== undefined) return { at: place, why }
  const body = bodyOf(entry)
  if (typeof body !== 'string') return { at: place, why: body.why }
  const { method, url, queryString } = entry.request
  const answer = answerOf(entry)
  return {
    in: place,
    url: url.includes('?') || !queryString?.length ? url : `${url.replace(/#.*$/s, '')}?${form(queryString)}`,
    method: method.toUpperCase(),
    headers: headersOf(entry, isCleaned && answer?.status !== 401),
    body,
    answer,
    at,
  }
}

/** What a browser or a proxy does by itself was never a request to an API. */
function unsendable({ request, response, _fromCache, _resourceType }: HarEntry): string | undefined {
  const { method } = request
  if (/^connect$/i.test(method)) return "a proxy's tunnel, which holds no request"
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
const form = (pairs: Pairs): string => new URLSearchParams(list(pairs).map(([name, value]) => [name, value])).toString()

function bodyOf({ request: { postData, bodySize, method } }: HarEntry): string | { readonly why: string } {
  const { text, params, mimeType } = postData ?? {}
  const type = mimeType?.toLowerCase() ?? ''
  if (text) {
    if (!isBase64(postData!)) return text
    return utf8(text) ?? { why: 'its body is no text' }
  }
  if (params?.length)
    return type.startsWith('multipart/') ? { why: 'a multipart body, which this API does not take' } : form(params)
  if ((bodySize ?? 0) > 0 && !/^(?:get|head)$/i.test(method))
    return { why: `its body of ${bodySize} bytes was not recorded` }
  return ''
}

const isBase64 = ({
  encoding,
  _encoding,
}: {
  encoding?: string | null | undefined
  _encoding?: string | null | undefined
}) => /^base64$/i.test(encoding ?? _encoding ?? '')

function utf8(base64: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
  } catch {
    return undefined
  }
}

const CONDITIONS = new Set(['if-none-match', 'if-modified-since'])

/**
 * Chrome exports without Authorization unless told otherwise, and others clean it out. Where no request of a file has
 * one, an answer other than 401 says that there was one.
 */
function headersOf({ request, response }: HarEntry, hadToken: boolean): HeaderList {
  const headers = withoutSecrets(list(request.headers)).filter(
    ([name]) => response?.status !== 304 || !CONDITIONS.has(name),
  )
  const type = request.postData?.mimeType
  const added: [string, string][] = []
  if (type && /json|urlencoded/i.test(type) && headerOf(headers, 'content-type') === undefined)
    added.push(['content-type', type])
  if (hadToken && headerOf(headers, 'authorization') === undefined) added.push(['authorization', REMOVED])
  return [...headers, ...added]
}

/**
 * null where nobody knows: nothing was recorded, or only that there was something. 304 says that what the browser had
 * was still so, and many export that with it.
 */
function answerOf({ request, response }: HarEntry): RecordedAnswer | null {
  if (!response) return null
  const status = Math.max(0, response.status)
  if (status === 0) return { status, headers: [], body: '' }
  const { content } = response
  const hasNone = status === 204 || /^head$/i.test(request.method) || (content?.size === 0 && status !== 304)
  if (!content?.text && !hasNone) return null
  const text = content?.text ?? ''
  const body = content && isBase64(content) ? Buffer.from(text, 'base64').toString('utf8') : text
  return {
    status: status === 304 ? 200 : status,
    headers: withoutSecrets(list(response.headers)),
    body: withoutTokens(body),
  }
}
