import { endpoints } from '../../contract/endpoints.ts'
import { headerOf } from './headers.ts'
import { unmasked } from './masked-values.ts'
import {
  type RecordedAnswer,
  type RecordedRequest,
  type Recording,
  UnreadableRecording,
  type Unusable,
} from './recording.ts'

/**
 * Where a request of somebody else's recording belongs in this API. Hosts and base paths are theirs, so the base is
 * what is left of an address when a path of an endpoint is taken off its end; and what else went to the same base was
 * meant for this API too, even where it has no such endpoint.
 */

/** A request as it stands in a file, with its address instead of a path. */
export interface Found extends Omit<RecordedRequest, 'path'> {
  readonly in: string
  readonly url: string
}

interface Address {
  readonly host: string
  readonly path: string
  /** With its question mark, or nothing. */
  readonly query: string
}

const HTTP_URL = /^https?:\/\/(?:[^/?#]*@)?([^/?#@]+)([^?#]*)(\?[^#]*)?/i

/** Kept to the letter where that can be sent: a normalised path would be another request. */
function addressOf(url: string): Address | undefined {
  const [, host, path = '', query = ''] = HTTP_URL.exec(url) ?? []
  return host === undefined
    ? undefined
    : { host: host.toLowerCase(), path: sendable(path || '/'), query: sendable(query) }
}

const sendable = (text: string) => text.toWellFormed().replaceAll(/[^\x21-\x7e]+/gu, (part) => encodeURIComponent(part))

const withSlots = (path: string) => path.slice(1).split('/')
const isSlot = (segment: string) => segment.startsWith('{')

const templates: readonly (readonly string[])[] = [
  ...new Set(Object.values(endpoints).map(({ path }) => path as string)),
].map(withSlots)
const MOST_SEGMENTS = Math.max(...templates.map(({ length }) => length))

/** They stand beside the endpoints, on hosts of all kinds, so that they prove nothing. */
const BESIDE = /\/(?:health|openapi\.json)$/

const fits = (segments: readonly string[]) =>
  templates.some(
    (template) =>
      template.length === segments.length &&
      template.every((part, i) => (isSlot(part) ? segments[i] !== '' : part === segments[i])),
  )

/** Every base that leaves a path of an endpoint, the shortest first. A slash at the end is no segment. */
function basesOf({ host, path }: Address): string[] {
  const segments = path.replace(/\/$/, '').split('/').slice(1)
  const shortest = Math.max(0, segments.length - MOST_SEGMENTS)
  return segments.flatMap((_, i) =>
    i >= shortest && fits(segments.slice(i)) ? [[host, ...segments.slice(0, i)].join('/')] : [],
  )
}

/** Pages, scripts and pictures that a browser fetched: this API answers with JSON. A redirect may say it in HTML. */
const OF_A_PAGE = /^(?:text\/(?:html|css|javascript)|application\/(?:x-)?javascript|image\/|font\/|audio\/|video\/)/i

const isOfAPage = (answer: RecordedAnswer | null) =>
  answer !== null &&
  answer.status >= 200 &&
  answer.status < 300 &&
  OF_A_PAGE.test(headerOf(answer.headers, 'content-type') ?? '')

/** Sorts out what belongs to this API, and says of everything else why not. */
export function placed(found: readonly (Found | Unusable)[], what: string): Recording {
  const addresses = new Map(
    found.flatMap((one) => ('url' in one && !isOfAPage(one.answer) ? [[one, addressOf(one.url)] as const] : [])),
  )
  const bases = chosen([...addresses.values()].map((address) => (address ? basesOf(address) : [])))
  const hosts = new Set([...bases].map((base) => base.split('/')[0]!))

  const requests: RecordedRequest[] = []
  const unusable: Unusable[] = []
  for (const one of found) {
    if (!('url' in one)) {
      unusable.push(one)
      continue
    }
    const { in: at, url, ...rest } = one
    const address = addresses.get(one)
    const path = address && (pathBelow(address, bases) ?? besideOf(address, hosts))
    if (!METHOD.test(one.method)) unusable.push({ at, why: `${JSON.stringify(one.method)} is no method of HTTP` })
    else if (path === undefined) unusable.push({ at, why: `no endpoint of this API: ${one.method} ${shown(url)}` })
    else requests.push({ ...rest, path })
  }
  if (requests.length === 0) throw new UnreadableRecording(nothingIn(what, found, unusable))
  return { requests: unmasked(requests), unusable }
}

/**
 * Where an address can be split in two ways, the base that more requests share is the one. What lies below a resource
 * of another base is no base: /customers/7/transfers is a path that there is not, and no /transfers.
 */
function chosen(possible: readonly (readonly string[])[]): Set<string> {
  const proofs = new Map<string, number>()
  for (const base of possible.flat()) proofs.set(base, (proofs.get(base) ?? 0) + 1)
  const most = (bases: readonly string[]) =>
    bases.reduce((best, base) => (proofs.get(base)! > proofs.get(best)! ? base : best))
  const all = new Set(possible.flatMap((bases) => (bases.length > 0 ? [most(bases)] : [])))
  return new Set([...all].filter((base) => !beginnings(base).some((other) => all.has(other) && isBelow(base, other))))
}

const METHOD = /^[\w!#$%&'*+.^`|~-]+$/

const RESOURCES = new Set(templates.map(([first]) => first))
const isBelow = (base: string, other: string) => RESOURCES.has(base.slice(other.length + 1).split('/')[0]!)

/** `a/b/c` → `a`, `a/b` */
const beginnings = (path: string) => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index))

function pathBelow({ host, path, query }: Address, bases: ReadonlySet<string>): string | undefined {
  const whole = host + path
  // The longest base first: /v2/api is nearer to the request than /v2.
  const base = beginnings(whole).findLast((beginning) => bases.has(beginning))
  return base === undefined ? undefined : whole.slice(base.length) + query
}

const besideOf = ({ host, path }: Address, hosts: ReadonlySet<string>): string | undefined =>
  hosts.has(host) ? BESIDE.exec(path)?.[0] : undefined

const LONGEST_SHOWN = 100

/** Host and path, and no more: a query may hold what is nobody's business. */
function shown(url: string): string {
  const scheme = /^[a-z][\w+.-]*:/i.exec(url)?.[0].toLowerCase() ?? ''
  if (!/^(?:https?|wss?):$/.test(scheme)) return scheme || 'an address without a scheme'
  const [, host = '', path = ''] = /^[^:]+:\/\/(?:[^/?#]*@)?([^/?#@]*)([^?#]*)/.exec(url) ?? []
  const text = `${scheme}//${host}${path}`
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}

const EXPECTED =
  'expected was at least one request to a path of this API, such as /customers or /transfers, on any host'

function nothingIn(what: string, found: readonly (Found | Unusable)[], unusable: readonly Unusable[]): string {
  if (found.length === 0) return `${what} holds no requests; ${EXPECTED}.`
  const counts = new Map<string, number>()
  for (const one of found) {
    const host = 'url' in one ? addressOf(one.url)?.host : undefined
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
