import type { MethodName } from '../../src/api/contract/control/methods.ts'
import { JSON_TYPE } from './requests.ts'

/** Texts of up to 1 MB that took long to read: many small parts, deep nesting, what looks like secrets. */

export interface LargeInput {
  readonly name: string
  readonly door: 'api' | 'control'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The request log or the operator log may have it: an export, a recording and a replay read it again. */
  readonly isLogged: boolean
  /** A text of about so many bytes. */
  readonly text: (bytes: number) => string
}

const repeat = (unit: string, bytes: number): string => unit.repeat(Math.max(1, Math.floor(bytes / unit.length)))

/** Parts that differ, until they have so many characters. */
function parts(part: (n: number) => string, bytes: number, separator = ','): string {
  const list: string[] = []
  for (let length = 0; length < bytes; ) {
    const next = part(list.length)
    list.push(next)
    length += next.length + separator.length
  }
  return list.join(separator)
}

const nested = (open: string, inner: string, close: string, bytes: number): string => {
  const times = Math.floor(bytes / (open.length + close.length))
  return open.repeat(times) + inner + close.repeat(times)
}

// ── Bodies

/** What an export, a recording or a replay finds in a text, as often as the text has room for it. */
const TEXTS: Readonly<Record<string, (bytes: number) => string>> = {
  'words like sealed numbers': (bytes) => repeat('sealed:', bytes),
  'sealed numbers that cannot be opened': (bytes) => parts((n) => `sealed:${'a'.repeat(22)}${n}`, bytes, ' '),
  addresses: (bytes) => repeat('a@b.c ', bytes),
  'different addresses': (bytes) => parts((n) => `a${n}@b.c`, bytes, ' '),
  'phone numbers': (bytes) => parts((n) => `515-555-${1000 + (n % 9000)}`, bytes, ' '),
  // None is one of those that no response may hold (check-response.ts).
  'Social Security numbers': (bytes) => parts((n) => `512-04-${1000 + (n % 7000)}`, bytes, ' '),
  'different words': (bytes) => parts((n) => n.toString(36).replaceAll(/\d/g, 'q') + n.toString(36), bytes, ' '),
  'one word': (bytes) => repeat('customers', bytes),
  'one word of other letters': (bytes) => repeat('äöü', bytes / 2),
  'one number': (bytes) => repeat('4071', bytes),
  'states and postal codes': (bytes) => repeat('IA 50010 ', bytes),
  dates: (bytes) => parts((n) => `1990-04-${10 + (n % 20)}`, bytes, ' '),
  'words with numbers': (bytes) => parts((n) => `customer${n}`, bytes, ' '),
  dollars: (bytes) => repeat('$a ', bytes),
  'names that the sandbox gives': (bytes) => repeat('Mock Counterparty ', bytes),
}

/** In a field that becomes a name, in free text, and in a field that nobody has declared. */
const FIELDS: Readonly<Record<string, (text: string) => object>> = {
  'a first name': (first_name) => ({ details: { first_name } }),
  'an address line': (street1) => ({ details: { address: { street1 } } }),
  'an external uid': (external_uid) => ({ external_uid }),
  'a field that is not declared': (remark) => ({ remark }),
}

const bodiesOfTexts = Object.fromEntries(
  Object.entries(TEXTS).flatMap(([name, text]) =>
    Object.entries(FIELDS).map(([field, body]) => [
      `${name} in ${field}`,
      (bytes: number) => JSON.stringify(body(text(bytes))),
    ]),
  ),
)
/** Each text is short. */
const manyTexts = Object.fromEntries(
  Object.entries(TEXTS).map(([name, text]) => [
    `900 texts of ${name}`,
    (bytes: number) => {
      const all = text(bytes)
      const each = Math.ceil(all.length / 900)
      const business_name = Array.from({ length: 900 }, (_, n) => all.slice(n * each, (n + 1) * each))
      return JSON.stringify({ details: { business_name } })
    },
  ]),
)

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** Of a field that the contract does not declare, also nine plain digits are redacted. */
const BODIES: Readonly<Record<string, (bytes: number) => string>> = {
  'different keys': (bytes) => `{${parts((n) => `"k${n}":1`, bytes)}}`,
  'different keys within a key': (bytes) => `{"details":{${parts((n) => `"k${n}":${n}`, bytes)}}}`,
  'the same key': (bytes) => `{${repeat('"name":"x",', bytes)}"name":"x"}`,
  numbers: (bytes) => `{"remark":[${repeat('1,', bytes)}1]}`,
  'Social Security numbers': (bytes) => `{"remark":[${parts((n) => `"512-04-${1000 + (n % 7000)}"`, bytes)}]}`,
  'nine digits': (bytes) => `{"remark":"${parts((n) => `5120${String(10_000 + (n % 90_000))}`, bytes, ' ')}"}`,
  'empty objects': (bytes) => `{"remark":[${repeat('{},', bytes)}{}]}`,
  'nested lists': (bytes) => `{"remark":${nested('[', '', ']', bytes)}}`,
  'nested objects': (bytes) => nested('{"remark":', '1', '}', bytes),
  'nested lists of one more value': (bytes) => `{"remark":${nested('[1,', '1', ']', bytes)}}`,
  '900 long values': (bytes) => `{${parts((n) => `"k${n}":"${'x'.repeat(bytes / 900)}"`, bytes)}}`,
  '900 long names': (bytes) => `{${parts((n) => `"${'x'.repeat(bytes / 900)}${n}":1`, bytes)}}`,
  '900 values like tokens': (bytes) => `{${parts((n) => `"k${n}":"${'eyJa.b.c '.repeat(bytes / 8_100)}"`, bytes)}}`,
  '900 values like numbers': (bytes) =>
    `{${parts((n) => `"k${n}":"${'512-04-8823 '.repeat(bytes / 10_800)}"`, bytes)}}`,
  '900 values in base64': (bytes) =>
    `{${parts(
      (n) =>
        `"k${n}":"${Buffer.from('512-04-8823')
          .toString('base64')
          .repeat(bytes / 14_400)}"`,
      bytes,
    )}}`,
  'escaped letters': (bytes) => `{"remark":"${repeat('\\u0041', bytes)}"}`,
  'escaped letters in different texts': (bytes) => `{"remark":[${parts((n) => `"\\u0041${n}"`, bytes)}]}`,
  'percent-encoded letters': (bytes) => `{"remark":"${repeat('%41', bytes)}"}`,
  'different keys in a text': (bytes) => JSON.stringify({ name: `{${parts((n) => `"k${n}":1`, bytes * 0.8)}}` }),
  'numbers in a text': (bytes) => JSON.stringify({ name: `[${repeat('1,', bytes)}1]` }),
  'nested lists in a text': (bytes) => JSON.stringify({ name: nested('[', '', ']', bytes) }),
  'nested objects in a text': (bytes) => JSON.stringify({ name: nested('{"remark":', '1', '}', bytes * 0.7) }),
  '900 texts of keys': (bytes) =>
    JSON.stringify({ remark: Array(900).fill(`{${parts((n) => `"k${n}":1`, (bytes / 900) * 0.8)}}`) }),
  'brackets that never end': (bytes) => repeat('[', bytes),
  'objects that never end': (bytes) => repeat('{"remark":', bytes),
  'tokens without JSON': (bytes) => repeat('eyJa.b.c ', bytes),
  'numbers without JSON': (bytes) => repeat('512-04-8823 ', bytes),
  'base64 without JSON': (bytes) => repeat('NTEyLTA0LTg4MjMg', bytes),
  'base64 words without JSON': (bytes) => repeat('NTEyLTA0LTg4MjM= ', bytes),
  'fields without JSON': (bytes) => repeat('"name":"Ada Quill",', bytes),
}

const FORMS: Readonly<Record<string, (bytes: number) => string>> = {
  'different fields': (bytes) => parts((n) => `k${n}=1`, bytes, '&'),
  'the same field': (bytes) => repeat('a=1&', bytes),
  'texts like tokens': (bytes) => repeat('eyJa.b.c', bytes),
  'fields like tokens': (bytes) => repeat('eyJa.b.c&', bytes),
  'fields like tokens and their values': (bytes) => repeat('eyJa.b.c=eyJa.b.c&', bytes),
  'one value like tokens': (bytes) => `remark=${repeat('eyJa.b.c+', bytes)}`,
  '900 values like tokens': (bytes) => parts((n) => `k${n}=${'eyJa.b.c+'.repeat(bytes / 8_100)}`, bytes, '&'),
  'nested fields': (bytes) => `a${repeat('[b]', bytes)}=1`,
  'fields of a list of objects': (bytes) => repeat('a[][b]=1&a[][c]=1&', bytes),
  'percent-encoded letters': (bytes) => `remark=${repeat('%41', bytes)}`,
  'percent-encoded percents': (bytes) => `remark=${repeat('%2525', bytes)}`,
  '900 percent-encoded values': (bytes) => parts((n) => `k${n}=${'%41'.repeat(bytes / 2_700)}`, bytes, '&'),
  numbers: (bytes) => `remark=${repeat('512-04-8823+', bytes)}`,
  JSON: (bytes) => `remark={${parts((n) => `"k${n}":1`, bytes)}}`,
}

// ── Recordings

const URL = 'http://127.0.0.1:4010/api/v1/customers'

function har(entry: (n: number) => object, bytes: number): string {
  const entries = parts((n) => JSON.stringify(entry(n)), bytes)
  return `{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[${entries}]}}`
}
const TIME = '2026-08-14T14:00:00.000Z'
const request = (more: object = {}) => ({ method: 'GET', url: URL, headers: [], ...more })
const header = (n: number) => ({ name: `h${n}`, value: 'x' })

const RECORDINGS: Readonly<Record<string, (bytes: number) => string>> = {
  'curl lines': (bytes) => parts((n) => `curl ${URL}?n=${n}`, bytes, '\n'),
  'short curl lines': (bytes) => `curl ${URL}\n${repeat('curl a\n', bytes)}`,
  'curl lines to other hosts': (bytes) => `curl ${URL}\n${parts((n) => `curl http://h${n}/a`, bytes, '\n')}`,
  'curl lines with headers': (bytes) => repeat(`curl ${URL} -H 'a: b' -H 'c: d' --data-raw '{"name":"x"}'\n`, bytes),
  'curl lines with masked numbers': (bytes) => repeat(`curl ${URL} -d '{"ssn":"***-**-6789"}'\n`, bytes),
  'a curl line with a long argument': (bytes) => `curl ${URL} --data-raw '${repeat('x', bytes)}'`,
  'a curl line with a long argument in double quotes': (bytes) => `curl ${URL} --data-raw "${repeat('x', bytes)}"`,
  'a curl line with a long escaped argument': (bytes) => `curl ${URL} --data-raw $'${repeat('\\n', bytes)}'`,
  'a curl line with variables': (bytes) => `curl ${URL} --data-raw "${repeat('$a', bytes)}"`,
  'a curl line with a long URL': (bytes) => `curl ${URL}/${repeat('a/', bytes)}`,
  'a curl line with a long body of masked fields': (bytes) =>
    `curl ${URL} --data-raw '{"a":[${repeat('{"ssn":"***-**-6789"},', bytes)}{}]}'`,
  'a curl line with a long form': (bytes) => `curl ${URL} --data-raw '${repeat('ssn=***&', bytes)}'`,
  'a curl line with arguments': (bytes) => `curl ${URL} ${repeat("-H 'a: b' ", bytes)}`,
  'curl lines of 1,900 arguments': (bytes) => repeat(`curl ${URL} ${"-H 'a:b' ".repeat(900)}\n`, bytes),
  'a curl line with transfers': (bytes) => `curl ${URL} ${repeat(`--next ${URL} `, bytes)}`,
  'lines of another command': (bytes) => `curl ${URL}\n${repeat('a\n', bytes)}`,
  'words of one line': (bytes) => `curl ${URL}\n${repeat('a ', bytes)}`,
  comments: (bytes) => `curl ${URL}\n${repeat('#\n', bytes)}`,
  'here-documents': (bytes) => `curl ${URL}\n${repeat('<<a\na\n', bytes)}`,
  'empty HAR entries': (bytes) => `{"log":{"version":"1.2","entries":[${repeat('{},', bytes)}{}]}}`,
  'HAR entries': (bytes) =>
    har((n) => ({ startedDateTime: TIME, request: request({ url: `${URL}?n=${n}` }), response: null }), bytes),
  'HAR entries of other hosts': (bytes) =>
    har((n) => ({ startedDateTime: TIME, request: request(n === 0 ? {} : { url: `http://h${n}/a` }) }), bytes),
  'HAR entries with bodies': (bytes) =>
    har(
      () => ({
        startedDateTime: TIME,
        request: request({ method: 'POST', postData: { mimeType: 'application/json', text: '{"ssn":"***-**-6789"}' } }),
        response: { status: 201, headers: [], content: { size: 2, text: '{"uid":"x"}' } },
      }),
      bytes,
    ),
  'a HAR entry with headers': (bytes) =>
    `{"log":{"version":"1.2","entries":[{"startedDateTime":"${TIME}","request":{"method":"GET","url":"${URL}","headers":[${parts((n) => JSON.stringify(header(n)), bytes)}]}}]}}`,
  'a HAR entry with a long body': (bytes) =>
    har(
      () => ({
        startedDateTime: TIME,
        request: request({ method: 'POST', postData: { text: repeat('ssn=***&', bytes) } }),
      }),
      1,
    ),
  'a HAR entry with a long response': (bytes) =>
    har(
      () => ({
        startedDateTime: TIME,
        request: request(),
        response: { status: 200, headers: [], content: { text: repeat('eyJa.b.c ', bytes) } },
      }),
      1,
    ),
  'HAR fields that are not read': (bytes) =>
    `{"log":{"version":"1.2","entries":[],"_pages":{${parts((n) => `"k${n}":1`, bytes)}}}}`,
  'nested HAR fields that are not read': (bytes) =>
    `{"log":{"version":"1.2","entries":[],"_pages":${nested('[', '', ']', bytes)}}}`,
  'a HAR file that is cut off': (bytes) => `{"log":{"version":"1.2","entries":[${repeat('{},', bytes)}`,
  'a bundle of empty lines': (bytes) => `{"sandbank":"bundle"}\n${repeat('{}\n', bytes)}`,
  'a bundle with a long header': (bytes) => `{"sandbank":"bundle",${parts((n) => `"k${n}":1`, bytes)}}\n`,
}

// ── Scenarios

const step = '  - request: GET /customers\n'
const SCENARIOS: Readonly<Record<string, (bytes: number) => string>> = {
  'the same step': (bytes) => `name: a\nsteps:\n${repeat(step, bytes)}`,
  '6,500 steps': () => `name: a\nsteps:\n${step.repeat(6_500)}`,
  '5,000 steps': () => `name: a\nsteps:\n${step.repeat(5_000)}`,
  '2,000 steps': () => `name: a\nsteps:\n${step.repeat(2_000)}`,
  '1,000 steps': () => `name: a\nsteps:\n${step.repeat(1_000)}`,
  '900 steps with a body': () =>
    `name: a\nsteps:\n${'  - request: POST /customers\n    body: { name: x, email: y }\n    expect: { status: 201 }\n'.repeat(900)}`,
  'steps as JSON': (bytes) => `{"name":"a","steps":[${repeat('{"advance":"P1D"},', bytes)}{"advance":"P1D"}]}`,
  'steps in one line': () => `name: a\nsteps: [${'{advance: P1D}, '.repeat(4_000)}{advance: P1D}]`,
  'unknown steps': () => `name: a\nsteps:\n${'  - nothing: 1\n'.repeat(5_000)}`,
  'unknown variables': () => `name: a\nsteps:\n  - request: GET /a\n    body: [${'$a, '.repeat(12_000)}$a]\n`,
  'known and unknown variables': () =>
    `name: a\nsteps:\n  - request: GET /a\n    capture: {${parts((n) => `a${n}: b`, 30_000, ', ')}}\n  - request: GET /a\n    body: [${'$a, '.repeat(6_000)}$a]\n`,
  examples: () => `name: a\nexamples:\n${parts((n) => `  - {n: ${n}}`, 60_000, '\n')}\nsteps:\n${step}`,
  'examples of many steps': () => `name: a\nexamples:\n${'  - {n: 1}\n'.repeat(1_500)}steps:\n${step.repeat(3_000)}`,
  'examples of many columns': () =>
    `name: a\nexamples:\n${parts((n) => `  - {a${n}: 1}`, 55_000, '\n')}\nsteps:\n${step}`,
  keys: () => parts((n) => `key${n}: 1`, 130_000, '\n'),
  'one long text': (bytes) => `name: a\nteaches: ${repeat('x', bytes)}\nsteps:\n${step}`,
  'one long text in quotes': (bytes) => `a: "${repeat('x\n ', bytes)}"`,
  'one long folded text': (bytes) => `name: a\nteaches: >\n${repeat('  x\n', bytes)}steps:\n${step}`,
  'blank lines': (bytes) => repeat('\n', bytes),
  blanks: (bytes) => `name: a\nsteps: ${repeat(' ', bytes)}`,
  comments: (bytes) => `name: a\n${repeat('# x\n', bytes)}steps:\n${step}`,
  'list signs': (bytes) => `name: a\nsteps: ${repeat('- ', bytes)}`,
  brackets: (bytes) => `name: a\nsteps: ${repeat('[', bytes)}`,
  '50,000 brackets': () => `name: a\nsteps: ${'['.repeat(50_000)}`,
  braces: (bytes) => `name: a\nsteps: ${repeat('}', bytes)}`,
  commas: (bytes) => `name: a\nsteps: [${repeat(',', bytes)}`,
  anchors: () => `name: a\nx: [${parts((n) => `&a${n} b`, 90_000, ', ')}]\nsteps:\n${step}`,
  aliases: () => `name: a\nx: [&a b${', *a'.repeat(15_000)}]\nsteps:\n${step}`,
  'aliases of aliases': () => `name: a\na: &a [${'x, '.repeat(1_000)}]\nb: &b [${'*a, '.repeat(90)}]\nsteps:\n${step}`,
  'numbers that begin with 0': () => `name: a\nx: [${'01, '.repeat(12_000)}]\nsteps:\n${step}`,
}

// ── All

const control = (name: MethodName, input: (text: string) => object, texts: typeof BODIES): LargeInput[] =>
  Object.entries(texts).map(([content, text]) => ({
    name: `${name}: ${content}`,
    door: 'control',
    path: `/control/${name}`,
    headers: JSON_TYPE,
    isLogged: texts === BODIES || texts === TEXTS,
    // The text is longer as JSON.
    text: (bytes) => {
      const { length } = JSON.stringify(input(text(bytes)))
      return JSON.stringify(input(text(length > 1 << 20 ? (bytes * bytes) / length : bytes)))
    },
  }))

const bodies = (
  door: 'api' | 'control',
  path: string,
  headers: Readonly<Record<string, string>>,
  texts: typeof BODIES,
): LargeInput[] =>
  Object.entries(texts).map(([content, text]) => ({
    name: `${path}, ${headers === FORM ? 'form' : 'JSON'}: ${content}`,
    door,
    path,
    headers,
    text,
    isLogged: door === 'api',
  }))

export const largeInputs: readonly LargeInput[] = [
  ...bodies('api', '/api/v1/customers', JSON_TYPE, BODIES),
  ...bodies('api', '/api/v1/customers', JSON_TYPE, { ...bodiesOfTexts, ...manyTexts }),
  ...bodies('api', '/api/v1/customers', FORM, FORMS),
  ...bodies('api', '/api/v1/none', JSON_TYPE, BODIES),
  ...bodies('api', '/api/v1/none', FORM, FORMS),
  ...bodies('control', '/control/clock.read', JSON_TYPE, BODIES),
  ...bodies('control', '/control/programs.create', JSON_TYPE, BODIES),
  ...control('faults.set', (text) => ({ faults: [{ kind: 'status', body: text, rate: 1e-9 }] }), TEXTS),
  ...control('exchanges.send', (body) => ({ method: 'POST', path: '/customers', body }), BODIES),
  ...control('exchanges.replay', (text) => ({ text, into: { fresh: 'empty' } }), RECORDINGS),
  ...control('bundles.import', (text) => ({ text }), RECORDINGS),
  ...control('scenarios.save', (text) => ({ name: 'large', text }), SCENARIOS),
]
