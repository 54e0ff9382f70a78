import { endpoints } from '../../contract/endpoints.ts'
import { runToEnd, type Steps } from '../../store/steps.ts'
import { headerOf } from './headers.ts'
import { replaceMaskedInSteps } from './masked-values.ts'
import {
  type RecordedRequest,
  type RecordedResponse,
  type Recording,
  UnreadableRecording,
  type UnusableEntry,
} from './recording.ts'

/**
 * Finds the requests of a recording that belong to this API, on any host and base path. A base is what remains of a URL
 * without the path of an endpoint. Other requests to the same base belong to this API too, even without an endpoint.
 */

/** A request with its URL instead of a path. */
export interface FoundRequest extends Omit<RecordedRequest, 'path'> {
  /** Where it is in the file. */
  readonly in: string
  readonly url: string
}

interface Address {
  readonly host: string
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
}

const HTTP_URL = /^https?:\/\/(?:[^/?#]*@)?([^/?#@]+)([^?#]*)(\?[^#]*)?/i

/** Node refuses longer request lines. */
const MAX_URL_LENGTH = 16_384
/** Each slash may end a base. */
const MAX_SLASHES = 100

/** Changes only characters that cannot be sent: a normalized path would be another request. */
function parseUrl(url: string): Address | undefined {
  if (url.length > MAX_URL_LENGTH) return undefined
  const [, host, path = '', query = ''] = HTTP_URL.exec(url) ?? []
  if (path.split('/', MAX_SLASHES + 1).length > MAX_SLASHES) return undefined
  return host === undefined ? undefined : { host: host.toLowerCase(), path: encode(path || '/'), query: encode(query) }
}

const encode = (text: string) => text.toWellFormed().replaceAll(/[^\x21-\x7e]+/gu, (part) => encodeURIComponent(part))

const isParameter = (segment: string) => segment.startsWith('{')

const templates: readonly (readonly string[])[] = [
  ...new Set(Object.values(endpoints).map(({ path }) => path as string)),
].map((path) => path.slice(1).split('/'))
const MAX_SEGMENTS = Math.max(...templates.map(({ length }) => length))

/** Paths without a base. Other hosts have them too, so they do not show that a host is this API. */
const UNBASED = /\/(?:health|openapi\.json)$/

const isEndpoint = (segments: readonly string[]) =>
  templates.some(
    (template) =>
      template.length === segments.length &&
      template.every((part, i) => (isParameter(part) ? segments[i] !== '' : part === segments[i])),
  )

/** Every base that leaves the path of an endpoint, shortest first. Ignores a slash at the end. */
function basesOf({ host, path }: Address): string[] {
  const segments = path.replace(/\/$/, '').split('/').slice(1)
  const shortest = Math.max(0, segments.length - MAX_SEGMENTS)
  return segments.flatMap((_, i) =>
    i >= shortest && isEndpoint(segments.slice(i)) ? [[host, ...segments.slice(0, i)].join('/')] : [],
  )
}

/** Types that this API never returns: what a browser fetched for a page. A redirect may have an HTML body. */
const PAGE_TYPES = /^(?:text\/(?:html|css|javascript)|application\/(?:x-)?javascript|image\/|font\/|audio\/|video\/)/i

const isPagePart = (response: RecordedResponse | null) =>
  response !== null &&
  response.status >= 200 &&
  response.status < 300 &&
  PAGE_TYPES.test(headerOf(response.headers, 'content-type') ?? '')

/** Returns the requests to this API, and for all others the reason. One entry per step. */
export function* locateInSteps(found: readonly (FoundRequest | UnusableEntry)[], what: string): Steps<Recording> {
  const addresses = new Map<FoundRequest, Address | undefined>()
  const possible: (readonly string[])[] = []
  for (const one of found) {
    if ('url' in one && !isPagePart(one.response)) {
      const address = parseUrl(one.url)
      addresses.set(one, address)
      possible.push(address ? basesOf(address) : [])
    }
    yield
  }
  const bases = yield* chooseBases(possible)
  const hosts = new Set([...bases].map((base) => base.split('/')[0]!))

  const requests: RecordedRequest[] = []
  const unusable: UnusableEntry[] = []
  for (const one of found) {
    yield
    if (!('url' in one)) {
      unusable.push(one)
      continue
    }
    const { in: at, url, ...rest } = one
    const address = addresses.get(one)
    const path = address && (pathBelow(address, bases) ?? unbasedPath(address, hosts))
    if (!METHOD.test(one.method)) unusable.push({ at, why: `${JSON.stringify(one.method)} is not an HTTP method` })
    else if (path === undefined)
      unusable.push({ at, why: `no endpoint of this API: ${one.method} ${withoutQuery(url)}` })
    else requests.push({ ...rest, path })
  }
  if (requests.length === 0) throw new UnreadableRecording(describeEmpty(what, found, unusable))
  return { requests: yield* replaceMaskedInSteps(requests), unusable }
}

export const locateRequests = (found: readonly (FoundRequest | UnusableEntry)[], what: string): Recording =>
  runToEnd(locateInSteps(found, what))

/**
 * For a URL with several possible bases, chooses the one that most requests share. A path below a resource of another base
 * is no base: /customers/7/transfers is an unknown path, not /transfers.
 */
function* chooseBases(possible: readonly (readonly string[])[]): Steps<Set<string>> {
  const counts = new Map<string, number>()
  for (const bases of possible) {
    for (const base of bases) counts.set(base, (counts.get(base) ?? 0) + 1)
    yield
  }
  const all = new Set<string>()
  for (const bases of possible) {
    if (bases.length > 0) all.add(bases.reduce((best, base) => (counts.get(base)! > counts.get(best)! ? base : best)))
    yield
  }
  const chosen = new Set<string>()
  for (const base of all) {
    if (!parentPaths(base).some((other) => all.has(other) && isBelow(base, other))) chosen.add(base)
    yield
  }
  return chosen
}

export const METHOD = /^[\w!#$%&'*+.^`|~-]+$/

const RESOURCES = new Set(templates.map(([first]) => first))
const isBelow = (base: string, other: string) => RESOURCES.has(base.slice(other.length + 1).split('/')[0]!)

/** `a/b/c` → `a`, `a/b` */
const parentPaths = (path: string) => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))

function pathBelow({ host, path, query }: Address, bases: ReadonlySet<string>): string | undefined {
  const whole = host + path
  // The longest base counts: /v2/api before /v2.
  const base = parentPaths(whole).findLast((parent) => bases.has(parent))
  return base === undefined ? undefined : whole.slice(base.length) + query
}

const unbasedPath = ({ host, path }: Address, hosts: ReadonlySet<string>): string | undefined =>
  hosts.has(host) ? UNBASED.exec(path)?.[0] : undefined

const MAX_SHOWN_LENGTH = 100

/** Host and path only: a query and a user may hold secrets. */
function withoutQuery(url: string): string {
  const scheme = /^[a-z][\w+.-]*:/i.exec(url)?.[0].toLowerCase() ?? ''
  if (!/^(?:https?|wss?):$/.test(scheme)) return scheme || 'a URL without a scheme'
  const [, host = '', path = ''] = /^[^:]+:\/\/(?:[^/?#]*@)?([^/?#@]*)([^?#]*)/.exec(url) ?? []
  const text = `${scheme}//${host}${path}`
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
}

const EXPECTED = 'expected at least one request to a path of this API, such as /customers or /transfers, on any host'

/** Of a longer recording, the hosts of so many entries are counted. */
const MAX_COUNTED = 10_000

function describeEmpty(
  what: string,
  found: readonly (FoundRequest | UnusableEntry)[],
  unusable: readonly UnusableEntry[],
): string {
  if (found.length === 0) return `${what} holds no requests; ${EXPECTED}.`
  const counts = new Map<string, number>()
  for (const one of found.slice(0, MAX_COUNTED)) {
    const host = 'url' in one ? parseUrl(one.url)?.host : undefined
    if (host) counts.set(host, (counts.get(host) ?? 0) + 1)
  }
  const hosts = [...counts].sort(([, a], [, b]) => b - a).slice(0, 3)
  const first = unusable[0]!
  const n = found.length
  const where =
    hosts.length > 0 ? `, most of them to ${hosts.map(([host, times]) => `${host} (${times})`).join(', ')}` : ''
  return (
    `${what} holds nothing that can be sent again: found ${n} ${n === 1 ? 'request' : 'requests'}${n === 1 ? '' : where}; ` +
    `${EXPECTED}. The first of them, ${first.at}: ${first.why}.`
  )
}
