import { allEndpoints } from '../support/examples.ts'
import type { Random } from '../support/random.ts'
import { forgedAccessTokens, forgedRefreshTokens } from './forged-tokens.ts'
import { largeInputs } from './large-inputs.ts'
import { controlRequest, encoded, type FuzzRequest, JSON_TYPE, type RequestContext } from './requests.ts'
import { oddName, oddWord } from './values.ts'

const PATHS = ['/api/v1', '/api', '/api/v1//customers', '/%zz', '/api/v1/customers/%E0%A4%A']
const TEXTS = ['{', '[]', 'null', '"x"', '{"a":', '\ufeff{}', '{"a":1,}', '{}{}', '1', '[{}]', ' ']
const TYPES = ['text/plain', 'application/xml', 'multipart/form-data', 'x', 'application/json; charset=latin1']
const FORM = 'application/x-www-form-urlencoded'
const NAMES = 'name|name[]|name[a]|name[a][b]|details[address][city]|__proto__[x]|a[|a]|[]||us_dollar_amount'.split('|')

/** Unknown paths and methods, broken bodies, missing headers. */
export function malformedRequest(context: RequestContext): FuzzRequest {
  const { random, records, trace, seed } = context
  const [name, { method, path }] = random.pick(allEndpoints)
  const uid = records.uid(path.split('/')[1]!, random) ?? 'unknown'
  const known = `/api/v1${path.replace('{uid}', uid)}`
  const headers = { 'x-trace-id': trace(), ...JSON_TYPE }
  const request = { door: 'api' as const, name, method, path: known, headers }
  const at = (path: string) => ({ ...request, name: null, path })
  const withHeaders = (more: object) => ({ ...request, headers: { ...headers, ...more } })
  const withText = (text: string, type = 'application/json') => ({ ...withHeaders({ 'content-type': type }), text })
  const control = (more: object) => ({ ...controlRequest('clock.read', {}), ...more })
  return random.pickWeighted<() => FuzzRequest>([
    [2, () => at(`${known}/${encoded(oddWord(random))}`)],
    [1, () => at(`/api/v1/${encoded(oddWord(random))}`)],
    [1, () => at(random.pick(PATHS))],
    [2, () => ({ ...request, name: null, method: random.pick(['PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PUT', 'POST']) })],
    [2, () => ({ ...request, headers: {} })],
    [1, () => ({ ...request, headers: { 'x-trace-id': seed } })],
    [2, () => withHeaders({ authorization: random.pick(['', 'Bearer x', 'auth-', 'auth-a.b.c', '{}']) })],
    [3, () => withText(random.pick(TEXTS))],
    [1, () => withText(`{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`)],
    [1, () => withText(`{${Array.from({ length: 1_100 }, (_, n) => `"k${n}":1`).join()}}`)],
    [0.3, () => withText(JSON.stringify({ name: 'x'.repeat(1_100_000) }))],
    [1, () => withText('a=1', random.pick(TYPES))],
    [3, () => withText(form(random), FORM)],
    [1, () => control({ headers: { 'x-control-key': 'wrong' }, name: null })],
    [1, () => control({ path: `/control/${encoded(oddName(random))}`, name: null })],
    [1, () => control({ text: random.pick(['{', '[]', 'null', '7', '"x"']) })],
  ])()
}

function form(random: Random): string {
  const field = () => `${encoded(random.pick(NAMES))}=${encoded(oddWord(random))}`
  return Array.from({ length: random.between(1, 5) }, field).join('&')
}

// ── Callers that must be refused

const FOREIGN_HOSTS =
  'sandbank.example 10.0.0.1 127.0.0.1.sandbank.example 127.0.0.1@sandbank.example [::2] localhost.'.split(' ')
const FOREIGN_ORIGINS = ['https://sandbank.example', 'null', 'http://127.0.0.1', 'file://', 'http://localhost:1']

/** A request that is complete and correct but for its token, its Host or its Origin. */
export function forbiddenRequest(context: RequestContext): FuzzRequest {
  const { random, trace } = context
  const [name, { method, path }] = random.pick(allEndpoints.filter(([name]) => name !== 'createAccessToken'))
  const uid = context.records.uid(path.split('/')[1]!, random) ?? 'unknown'
  const headers = { 'x-trace-id': trace(), ...JSON_TYPE }
  const api: FuzzRequest = {
    door: 'api',
    name,
    method,
    path: `/api/v1${path.replace('{uid}', uid)}`,
    headers,
    isForbidden: true,
  }
  const control: FuzzRequest = { ...controlRequest('clock.read', {}), isForbidden: true }
  const one = random.chance(0.5) ? api : control
  const refresh = { ...api, name: 'createAccessToken', method: 'POST', path: '/api/v1/auth' }
  const withHeaders = (request: FuzzRequest, more: FuzzRequest['headers']) => ({
    ...request,
    headers: { ...request.headers, ...more },
  })
  return random.pickWeighted<() => FuzzRequest>([
    [4, () => ({ ...api, token: random.pick(forgedAccessTokens) })],
    [2, () => ({ ...refresh, token: random.pick(forgedRefreshTokens) })],
    [1, () => withHeaders(control, { 'x-control-key': random.pick(['', 'x', 'undefined', '__proto__']) })],
    [1, () => withHeaders(one, { host: random.pick(FOREIGN_HOSTS) })],
    [1, () => withHeaders(one, { host: ['127.0.0.1', random.pick(FOREIGN_HOSTS)] })],
    [1, () => withHeaders(control, { origin: random.pick(FOREIGN_ORIGINS) })],
  ])()
}

// ── Long and repetitive texts

const UNITS = [
  ...['eyJ', 'eyJhbGciOiJIUzUxMiJ9.', 'auth-', 'Bearer ', '078-05-1120', '9', '0 ', '1.', '-', 'ssn', 'hmac_key='],
  ...['x-api-key: ', 'a', ' ', '%41', '%', '=', 'a=&', '[]', '&&', '+', '/', '/customers', 'é', '☂', '<', "'", 'QUJD'],
]
/** Only within a body. */
const BODY_UNITS = [
  ...['"', '\\', '{"a":', '[', '\u0000', '\n', '\ud800', '- ', 'a: &a [*a]\n', "-H 'a: b' "],
  '{"collection":"customers"}\n',
]
/** Node refuses headers and paths above 16 kB, so they end below. */
const HEAD_BYTES = [500, 7_000, 15_000]
const BODY_BYTES = [7_000, 60_000, 300_000, 900_000]

/** A request with the same characters again and again, which a pattern or a parser may take quadratic time for. */
export function repetitiveRequest(context: RequestContext): FuzzRequest {
  const { random, trace } = context
  const headers = { 'x-trace-id': trace(), ...JSON_TYPE }
  const inHead = repeat(random.pick(UNITS), random.pick(HEAD_BYTES))
  const inBody = repeat(random.pick([...UNITS, ...BODY_UNITS]), random.pick(BODY_BYTES))
  const list: FuzzRequest = { door: 'api', name: null, method: 'GET', path: '/api/v1/customers', headers }
  const create: FuzzRequest = {
    ...list,
    method: 'POST',
    path: random.pick(['/api/v1/customers', '/api/v1/transfers', '/api/v1/none']),
  }
  const header = random.pick(['authorization', 'x-api-key', 'user-agent', 'cookie', 'x-trace-id', 'host', 'referer'])
  const inQuery = `/api/v1/customers?${random.pick(['external_uid=', 'uid[]=', ''])}${REPEATED}`
  const body = (text: string, more: object = {}) => ({ ...create, text, repeated: inBody, ...more })
  const input = (name: Parameters<typeof controlRequest>[0], input: object): FuzzRequest => ({
    ...controlRequest(name, input),
    name: null,
    repeated: inBody,
  })
  return random.pickWeighted<() => FuzzRequest>([
    [2, () => ({ ...list, headers: { ...headers, [header]: REPEATED }, repeated: withoutControls(inHead) })],
    [1, () => ({ ...list, path: inQuery, repeated: inUrl(inHead) })],
    [1, () => ({ ...list, path: `/api/v1/${REPEATED}`, repeated: inUrl(inHead) })],
    [3, () => body(`{"name":"${REPEATED}","email":"${REPEATED}"}`)],
    [2, () => body(REPEATED)],
    [1, () => body(`[${REPEATED}`)],
    [1, () => body(REPEATED, { headers: { ...headers, 'content-type': FORM } })],
    [1, () => input('scenarios.run', { text: REPEATED })],
    [1, () => input('bundles.import', { text: REPEATED })],
    [1, () => input('exchanges.replay', { text: REPEATED })],
    [1, () => input('exchanges.replay', { text: `curl http://127.0.0.1:4010/api/v1/customers ${REPEATED}` })],
    [1, () => input('exchanges.send', { method: 'POST', path: '/customers', body: REPEATED })],
    [1, () => input('records.search', { text: REPEATED })],
    [1, () => input('scenarios.save', { name: 'fuzz-long', text: `name: x\nsteps: ${REPEATED}` })],
  ])()
}

/** Of a recording, each request is replayed. */
const RECORDING_BYTES = [7_000, 60_000, 300_000]

/** A text of many small parts, for which a parser may take long. */
export function largeRequest({ random, trace }: RequestContext): FuzzRequest {
  const { name, door, path, headers } = random.pick(largeInputs)
  const bytes = random.pick(name.startsWith('exchanges.replay') ? RECORDING_BYTES : BODY_BYTES)
  return {
    door,
    name: null,
    method: 'POST',
    path,
    headers: { ...headers, 'x-trace-id': trace() },
    large: { name, bytes },
  }
}

export const REPEATED = '$REPEATED'
type Repeated = NonNullable<FuzzRequest['repeated']>

const repeat = (unit: string, bytes: number): Repeated => ({ unit, times: Math.ceil(bytes / Buffer.byteLength(unit)) })

const inUrl = ({ unit, times }: Repeated): Repeated => {
  const written = /^[%&=[\]+/\w.-]+$/.test(unit) ? unit : encodeURIComponent(unit)
  return { unit: written, times: Math.ceil((times * unit.length) / written.length) }
}

/** Node sends headers in Latin-1. */
const withoutControls = ({ unit, times }: Repeated): Repeated => ({ unit: unit.replaceAll(/[^ -~]/g, 'e'), times })

/** The request with its repeated or large text written out. */
export function writeOut(request: FuzzRequest): FuzzRequest {
  const { repeated, large, headers, path, text } = request
  if (large !== undefined) {
    const input = largeInputs.find(({ name }) => name === large.name)
    return { ...request, text: input?.text(large.bytes) ?? '' }
  }
  if (repeated === undefined) return request
  const all = repeated.unit.repeat(repeated.times)
  const inString = JSON.stringify(all).slice(1, -1)
  const isControl = request.door === 'control'
  const replace = (part: string, by: string) => part.replaceAll(REPEATED, () => by)
  return {
    ...request,
    path: replace(path, all),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? replace(value, all) : value]),
    ),
    ...(text === undefined ? {} : { text: replace(text, isControl || text.startsWith('{') ? inString : all) }),
  }
}
