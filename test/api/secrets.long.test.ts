import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { allEndpoints, exampleBody, exampleInput, exampleUid } from '../../bench/support/examples.ts'
import { collectionNames } from '../../src/api/contract/collections.ts'
import { exampleOf, type MethodInput, type MethodName, methodNames } from '../../src/api/contract/control/methods.ts'
import type { EndpointName } from '../../src/api/contract/endpoints.ts'
import { findExamples } from '../../src/api/http/examples.ts'
import { openSandbox } from '../../src/api/sandbox.ts'
import type { RequestOptions } from '../support/client.ts'
import { OLIVE } from '../support/customers.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { formOf } from '../support/form.ts'
import { call } from '../support/operator.ts'
import { START, startSandbox, type TestSandbox } from '../support/sandbox.ts'

/**
 * "No secret leaves": sends the example of every endpoint and method, and a wrong input, with Social Security numbers in many places; then
 * searches all responses, notices and files. redaction.test.ts has the redaction of single requests.
 */

// ── Secrets ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Numbers that occur nowhere else in a world: an SSN, ITINs, an EIN, malformed ones. */
const VALID = ['317-68-4092', '429-57-8361', '538-41-7926', '916-74-2835', '47-3190586']
const MALFORMED = [
  '000-68-4193',
  '666-57-8362',
  '538-00-7927',
  '429-57-0000',
  '731684921',
  '7316-84-925',
  '731-68-49250',
]
const SPREAD = ['284-93-6175', '395-16-7284', '461-72-9538', '572-83-1649', '683-94-2751', '794-15-3862']
const NUMBERS = [...VALID, ...MALFORMED, ...SPREAD]

/** All spellings of a number. */
const writtenAs = (number: string): string[] => {
  const digits = number.replaceAll('-', '')
  return [
    ...[number, digits, number.replaceAll('-', '%2D'), number.replaceAll('-', '%2d')],
    ...[number.replaceAll('-', '\\u002d'), number.replaceAll('-', ' '), number.replaceAll('-', '.')],
    ...[number, digits].map((text) => Buffer.from(text).toString('base64').replaceAll('=', '')),
    ...[number, digits].map((text) => Buffer.from(text).toString('hex')),
  ]
}
const NEEDLES = [...new Set(NUMBERS.flatMap(writtenAs))]

/** Finds the secrets in a text. */
const found = (places: Readonly<Record<string, string>>, needles: readonly string[]) =>
  Object.entries(places).flatMap(([place, text]) =>
    needles.filter((needle) => text.includes(needle)).map((needle) => `${place} holds ${needle}`),
  )

function filesOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path.slice(folder.length + 1), readFileSync(path, 'latin1')]
    }),
  )
}

// ── Numbers in requests ─────────────────────────────────────────────────────────────────────────────────────────────

let turn = 0
const another = () => SPREAD[turn++ % SPREAD.length]!
const bare = () => another().replaceAll('-', '')

/** The field, where it does not belong, and the names that it is mistaken for. */
const spread = () => ({
  ssn: another(),
  SSN: bare(),
  ssn_number: Number(bare()),
  customer_ssn: [another(), bare()],
  snn: another(),
  social_security_number: another(),
  tax_id: another(),
})
const QUERY = () =>
  `ssn=${another()}&SSN=${bare()}&details[ssn]=${bare()}&details%5Bssn%5D=${another()}&snn=${another()}`

type Json = Readonly<Record<string, unknown>>
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** In the body itself and in each of its objects. */
const spreadOver = (body: Json): Json => ({
  ...spread(),
  ...Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      isJson(value) && name !== 'counterparty_address' ? spreadOver(value) : value,
    ]),
  ),
})

type As = 'JSON' | 'a form'
const AS = ['JSON', 'a form'] as const

// ── All endpoints and methods ───────────────────────────────────────────────────────────────────────────────────────

/** What was heard of a sandbox, by the place, and which endpoints and methods have answered and refused. */
class Listener {
  readonly heard: Record<string, string> = { notices: '', 'the stream of notices': '' }
  readonly visited = new Set<string>()
  readonly #sandbox: TestSandbox
  readonly #api: ReturnType<TestSandbox['client']>
  readonly #ended = new AbortController()

  constructor(sandbox: TestSandbox) {
    this.#sandbox = sandbox
    this.#api = sandbox.client()
    sandbox.subscribe((notice) => void (this.heard.notices += JSON.stringify(notice)))
  }

  /** Returns a function that ends the stream. */
  async listen() {
    const headers = { 'x-control-key': this.#sandbox.control_key }
    const stream = await fetch(`${this.#sandbox.control}/notices`, { headers, signal: this.#ended.signal })
    const listening = (async () => {
      for await (const chunk of stream.body!) this.note('the stream of notices', Buffer.from(chunk).toString('latin1'))
    })().catch(() => {})
    return () => {
      this.#ended.abort()
      return listening
    }
  }

  note(place: string, text: string) {
    this.heard[place] = `${this.heard[place] ?? ''}${text}\n`
  }

  get values() {
    return this.#sandbox.store.read(this.#api.program.uid, (tx) => findExamples(tx).values)
  }

  async request(
    name: EndpointName,
    uid: string,
    body: Json | undefined,
    as: As,
    more: RequestOptions = {},
    query = '',
  ) {
    const [, { method, path }] = allEndpoints.find(([one]) => one === name)!
    const content: RequestOptions = body === undefined ? {} : as === 'JSON' ? { json: body } : { form: formOf(body) }
    const answer = await this.#api.call(method, `${path.replace('{uid}', uid)}?${QUERY()}${query}`, {
      ...content,
      ...more,
    })
    const head = [...answer.headers].map(([header, value]) => `${header}: ${decodeURIComponent(value)}`).join('\n')
    this.note(`the answers of ${name}`, `${answer.status}\n${head}\n${answer.text}`)
    expect(answer.status, answer.text).toBeLessThan(500)
    this.visited.add(`${name}: ${answer.status < 400 ? 'answered' : 'refused'}${body === undefined ? '' : `, ${as}`}`)
    return answer
  }

  /** The operator, in this process and over HTTP. */
  async operate(name: MethodName, input: object, isRight: boolean) {
    const reply = await this.#sandbox.call(name, input)
    expect(reply, `${name} ${JSON.stringify(reply)}`).toMatchObject({ ok: isRight })
    this.note(`the answers of ${name}`, JSON.stringify(reply))
    this.visited.add(`${name}: ${isRight ? 'answered' : 'refused'}`)
    // Some calls cannot be repeated, so HTTP refuses them. They still have a response.
    const status = await this.operateByHttp(name, input)
    if (isRight) expect(status).toBeLessThan(500)
    else expect(status).toBe(name === 'records.list' ? 404 : 400)
  }

  async operateByHttp(name: string, input: object, key = this.#sandbox.control_key) {
    const headers = { 'content-type': 'application/json', 'x-control-key': key }
    const url = `${this.#sandbox.control}/${name}?${QUERY()}`
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(input) })
    this.note(`the answers of ${name}`, `${JSON.stringify([...response.headers])}\n${await response.text()}`)
    return response.status
  }
}

const detailsOf = (ssn: unknown) => ({ ...OLIVE.details, ssn })

/** Customers whose SSN is right or wrong, in both ways of writing it. */
async function createCustomers(listener: Listener) {
  const { product_uid } = exampleBody('onboardCustomer', listener.values)
  for (const as of AS)
    for (const ssn of [...VALID, ...MALFORMED]) {
      const body = { email: OLIVE.email, details: detailsOf(ssn) }
      const { uid } = (await listener.request('createCustomer', '', body, as)).body as { uid: string }
      await listener.request('updateCustomer', uid, body, as)
      const { status, text } = await listener.request('onboardCustomer', '', { customer_uid: uid, product_uid }, as)
      expect(status, text).toBe(VALID.includes(ssn) ? 200 : 422)
      // A Customer in verification cannot be edited.
      await listener.request('updateCustomer', uid, { details: { ssn: VALID[1] } }, as)
    }
  for (const ssn of [316684092, ['316684092'], { value: '316-68-4092' }])
    await listener.request('createCustomer', '', { details: detailsOf(ssn) }, 'JSON')
}

/** A Customer to onboard, a queued Transfer and a wire to authorize: the examples name them. */
async function createPassingStates(listener: Listener) {
  const { values } = listener
  await listener.request('createCustomer', '', exampleBody('createCustomer', values), 'JSON')
  await listener.request('createTransfer', '', exampleBody('createTransfer', values), 'JSON')
  const { synthetic_account_uid: _, ...mock } = exampleBody('createMockTransaction', values)
  const wire = { ...mock, virtual_reference_number_uid: values.get('virtual_reference_numbers') }
  await listener.request('createMockTransaction', '', wire, 'JSON')
}

/** The example of each endpoint, with numbers in all of its objects if it is accepted so; and what is refused. */
async function sendExamples(listener: Listener, as: As, refreshToken: () => string) {
  // As in a document that is read once.
  const { values } = listener
  for (const [name, { path, body: takesBody }] of allEndpoints) {
    const example = exampleBody(name, values) as Json | undefined
    const own = name === 'createAccessToken' ? { headers: { authorization: refreshToken() } } : {}
    const uid = exampleUid(name, values) ?? ''
    for (const body of takesBody ? [spreadOver(example ?? {}), { ...spread(), ...example }] : [undefined])
      if ((await listener.request(name, uid, body, as, own)).status < 400) break
    const wrong = name === 'createCustomer' ? { customer_type: 'robot', details: spread() } : spread()
    const unknown = path.includes('{uid}') ? 'nobody' : ''
    const foreign = name === 'createAccessToken' ? { headers: { authorization: 'not a token' } } : {}
    await listener.request(name, unknown, takesBody ? wrong : undefined, as, foreign, '&limit=-1')
  }
}

/** The one with an address. */
const webhookOf = ({ store }: TestSandbox) =>
  store.world.collections.webhooks.inOrder().find(({ url }) => url !== null)!.uid

/** Instead of the example: what only this run knows, and what holds the numbers. */
const inputOf: { readonly [N in MethodName]?: (sandbox: TestSandbox) => Partial<MethodInput<N>> | Promise<Json> } = {
  'operator.create_customer': () => ({ customer: { email: OLIVE.email, details: detailsOf(VALID[3]) as never } }),
  'exchanges.send': () => ({
    method: 'POST',
    path: '/customers',
    body: JSON.stringify({ details: detailsOf(VALID[3]) }),
  }),
  'bundles.import': async (sandbox) => ({ text: (await call(sandbox, 'bundles.export', {})).text }),
  'programs.rotate_key': (sandbox) => ({ hmac_key: sandbox.programs()[0]!.hmac_key }),
  'faults.set': () => ({ faults: [] }),
  'worlds.keep': () => ({ folder: join(createTemporaryFolder(), 'kept') }),
  'sandbox.stop': (sandbox) => ({ nonce: sandbox.identity.nonce }),
  'webhooks.test': (sandbox) => ({ uid: webhookOf(sandbox) }),
  'events.send_example': (sandbox) => ({ webhook_uid: webhookOf(sandbox) }),
  'world.rewind': (sandbox) => ({ seq: sandbox.store.world.seq - 1 }),
}

it('2.1 "The SSN is write-only", 4 "a search of every file finds none": after all requests no response, exchange, notice, terminal line or file holds an SSN, a key or a token', async () => {
  const data = createTemporaryFolder()
  const sandbox = await startSandbox({ data, seed: 'test', start: START, world: 'demo', onStop: () => {} })
  const listener = new Listener(sandbox)
  const { heard, visited } = listener
  const stopListening = await listener.listen()
  await createCustomers(listener)
  for (const as of AS) {
    await createPassingStates(listener)
    await sendExamples(listener, as, () => sandbox.client().refreshToken())
    await call(sandbox, 'clock.advance', { business_days: 2 })
  }
  const { uid: webhook } = await call(sandbox, 'webhooks.create', { url: 'http://127.0.0.1:9/hooks', confirm: false })
  // Nothing is sent to a paused webhook, so its deliveries stay due.
  await call(sandbox, 'webhooks.update', { uid: webhook, status: 'paused' })
  await call(sandbox, 'webhooks.test', { uid: webhook })
  for (const name of methodNames) {
    await call(sandbox, 'snapshots.keep', { name: 'before' })
    await call(sandbox, 'scenarios.save', exampleOf('scenarios.save'))
    const input = { ...exampleInput(name, listener.values), ...(await inputOf[name]?.(sandbox)) }
    await listener.operate(name, input, true)
    // A list of records accepts any filter, but its collection must exist.
    await listener.operate(name, { ...spread(), ...(name === 'records.list' ? { collection: 'nobody' } : {}) }, false)
    expect(await listener.operateByHttp(name, input, 'wrong-key')).toBe(401)
  }
  for (const collection of collectionNames) await sandbox.call('records.list', { collection, limit: 1000 })
  expect(await listener.operateByHttp('no.such.method', spread())).toBe(404)
  await call(sandbox, 'programs.create', { name: 'Second' })

  // The requests covered every endpoint and every method, valid and invalid, with JSON and form bodies.
  const expected = [
    ...allEndpoints.flatMap(([name, { body }]) =>
      ['answered', 'refused'].flatMap((how) => (body ? AS.map((as) => `${name}: ${how}, ${as}`) : [`${name}: ${how}`])),
    ),
    ...methodNames.flatMap((method) => [`${method}: answered`, `${method}: refused`]),
  ]
  expect(expected.filter((one) => !visited.has(one))).toEqual([])

  for (const path of ['/health', '/openapi.json']) heard[path] = await (await fetch(new URL(path, sandbox.api))).text()
  const secret = { headers: { 'x-control-key': sandbox.control_key } }
  for (const path of ['openapi.json', 'triggers'])
    heard[`/control/${path}`] = await (await fetch(`${sandbox.control}/${path}`, secret)).text()
  await stopListening()
  heard['the terminal'] = sandbox.told.join('\n')
  const open = filesOf(data)
  await sandbox.close()
  const closed = filesOf(data)

  // The requests did contain numbers: their last four digits are shown, and their seals are stored.
  expect(heard['the answers of updateCustomer']).toContain('"ssn_last_four":"0586"')
  for (const notices of [heard.notices!, heard['the stream of notices']!]) {
    expect(notices).toContain('"type":"commit"')
    expect(notices).toContain('"type":"exchange"')
  }
  const kept = Object.entries(closed).filter(([file]) => /^(world|changes|log)/.test(file))
  expect(kept.map(([file]) => file.split('/')[0]!.replace('.jsonl', '')).sort()).toEqual(
    expect.arrayContaining(['changes', 'log', 'world']),
  )
  expect(kept.map(([, text]) => text).join('')).toContain('"ssn":"sealed:')

  expect(found(heard, NEEDLES)).toEqual([])
  expect(found(open, NEEDLES)).toEqual([])
  expect(found(closed, NEEDLES)).toEqual([])

  // The world stores the keys of its Programs, and only the methods for keys show them.
  const keys = sandbox.programs().map(({ hmac_key }) => hmac_key)
  expect(keys.length).toBeGreaterThan(1)
  const ofPrograms = [
    'programs.list',
    'programs.create',
    'programs.update',
    'programs.rotate_key',
    'worlds.create',
  ].map((name) => `the answers of ${name}`)
  const others = Object.fromEntries(Object.entries(heard).filter(([place]) => !ofPrograms.includes(place)))
  const logs = Object.fromEntries(Object.entries(closed).filter(([file]) => !/^(world|changes|snapshots)/.test(file)))
  expect(found({ ...others, ...logs }, keys)).toEqual([])
  // The address of a world's window has the control key, as that of the sandbox has; its caller has sent it.
  const ofWindows = ['worlds.create', 'worlds.list'].map((name) => `the answers of ${name}`)
  const withoutWindows = Object.fromEntries(Object.entries(heard).filter(([place]) => !ofWindows.includes(place)))
  expect(found({ ...withoutWindows, ...closed }, [sandbox.control_key])).toEqual([])

  // An access token appears only in the response to its own request.
  const issued = [...heard['the answers of createAccessToken']!.matchAll(/auth-[\w.-]+/g)].map(([token]) => token)
  expect(issued.length).toBeGreaterThan(1)
  const { 'the answers of createAccessToken': _, ...elsewhere } = heard
  const parts = issued.flatMap((token) => [token, token.split('.').at(-1)!])
  expect(found({ ...elsewhere, ...closed }, parts)).toEqual([])
  const { 'token-secret': own, ...rest } = closed
  expect(own!.trim().length).toBeGreaterThan(20)
  expect(found({ ...heard, ...rest }, [own!.trim()])).toEqual([])

  // The same holds after reading the folder again.
  const lines: string[] = []
  const again = await openSandbox({ version: '0.0.0-test', data, port: 0, report: (line) => void lines.push(line) })
  for (const { uid } of again.store.world.collections.customers.inOrder())
    lines.push(JSON.stringify(await again.call('records.get', { collection: 'customers', uid })))
  lines.push(JSON.stringify(await again.call('exchanges.list', { limit: 1000 })))
  await again.close()
  expect(lines.join('')).toMatch(/"ssn_last_four":"\d{4}"/)
  expect(found({ lines: lines.join('\n'), ...filesOf(data) }, NEEDLES)).toEqual([])
})
