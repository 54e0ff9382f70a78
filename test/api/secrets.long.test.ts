import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { exampleOf, type MethodInput, type MethodName, methodNames } from '../../src/api/contract/control/methods.ts'
import { type EndpointName, endpoints } from '../../src/api/contract/endpoints.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import { fillExample } from '../../src/api/contract/terms/examples.ts'
import { findExamples } from '../../src/api/http/examples.ts'
import { openSandbox } from '../../src/api/sandbox.ts'
import type { ApiResponse, RequestOptions } from '../support/client.ts'
import { OLIVE } from '../support/customers.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { formOf } from '../support/form.ts'
import { ACH, setUpPayments } from '../support/payments.ts'
import { START } from '../support/sandbox.ts'

/**
 * "No secret leaves": sends valid and invalid requests to every endpoint and method, with Social Security numbers in many
 * places; then searches all responses, notices and files. redaction.test.ts has the redaction of single requests.
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

async function everything() {
  const data = createTemporaryFolder()
  const setup = await setUpPayments({ data, seed: 'test', start: START, world: 'empty', onStop: () => {} })
  const { sandbox, api, advance, typeOf } = setup
  /** By the place where it was heard. */
  const heard: Record<string, string> = { notices: '', 'the stream of notices': '' }
  const visited = new Set<string>()

  sandbox.subscribe((notice) => void (heard.notices += JSON.stringify(notice)))
  const ended = new AbortController()
  const headers = { 'x-control-key': sandbox.control_key }
  const stream = await fetch(`${sandbox.control}/notices`, { headers, signal: ended.signal })
  const listening = (async () => {
    for await (const chunk of stream.body!) heard['the stream of notices'] += Buffer.from(chunk).toString('latin1')
  })().catch(() => {})

  function note(place: string, { status, headers, text }: ApiResponse<unknown>) {
    const head = [...headers].map(([name, value]) => `${name}: ${decodeURIComponent(value)}`).join('\n')
    heard[place] = `${heard[place] ?? ''}${status}\n${head}\n${text}\n`
  }

  interface Visit {
    readonly uid?: string
    readonly query?: string
    readonly body?: Json
    readonly as?: As
    readonly sent?: RequestOptions
  }
  async function visit(name: EndpointName, { uid = 'nobody', query, body, as = 'JSON', sent = {} }: Visit = {}) {
    const { method, path, body: takesBody } = endpoints[name] as Endpoint
    const garnished = body ? spreadOver(body) : undefined
    const content: RequestOptions = !takesBody
      ? {}
      : as === 'JSON'
        ? { json: garnished ?? spread() }
        : { form: formOf(garnished ?? spread()) }
    const target = `${path.replace('{uid}', uid)}?${[query, QUERY()].filter(Boolean).join('&')}`
    const answer = await api.call<Record<string, unknown>>(method, target, { ...content, ...sent })
    note(`the answers of ${name}`, answer)
    visited.add(`${name}: ${answer.status < 400 ? 'answered' : 'refused'}${takesBody ? `, ${as}` : ''}`)
    return answer
  }
  const ok = async (name: EndpointName, given: Visit = {}) => {
    const answer = await visit(name, given)
    expect(answer, `${name} ${answer.text}`).toMatchObject({ status: endpoints[name].status })
    return String(answer.body?.uid)
  }
  const no = async (name: EndpointName, given: Visit = {}) => {
    const answer = await visit(name, given)
    expect(answer.status, `${name} ${answer.text}`).toBeGreaterThanOrEqual(400)
    expect(answer.status, `${name} ${answer.text}`).toBeLessThan(500)
    return answer
  }
  /** A list, and one of it; neither with a wrong limit nor of an unknown uid. */
  const read = async (list: EndpointName, get: EndpointName) => {
    await no(list, { query: 'limit=-1' })
    await no(get)
    const { body } = await visit(list)
    const [first] = body.data as { uid: string }[]
    expect(first, list).toBeDefined()
    await ok(get, { uid: first!.uid })
  }

  // The operator, by both ways.
  async function operate<N extends MethodName>(method: N, input: MethodInput<N> | Json, fine = true) {
    const reply = await sandbox.call(method, input)
    expect(reply, `${method} ${JSON.stringify(reply)}`).toMatchObject({ ok: fine })
    heard[`the answers of ${method}`] = `${heard[`the answers of ${method}`] ?? ''}${JSON.stringify(reply)}\n`
    visited.add(`${method}: ${fine ? 'answered' : 'refused'}`)
    return reply as { ok: true; value: Record<string, unknown> }
  }
  async function operateByHttp(method: string, input: unknown, key = sandbox.control_key) {
    const response = await fetch(`${sandbox.control}/${method}?${QUERY()}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-control-key': key },
      body: JSON.stringify(input),
    })
    const text = await response.text()
    note(`the answers of ${method}`, { status: response.status, headers: response.headers, text, body: undefined })
    return response.status
  }

  return {
    ...setup,
    data,
    heard,
    visited,
    ok,
    no,
    read,
    visit,
    operate,
    operateByHttp,
    typeOf,
    advance,
    stopListening: async () => {
      ended.abort()
      await listening
    },
  }
}
type Everything = Awaited<ReturnType<typeof everything>>

const detailsOf = (ssn: unknown) => ({ ...OLIVE.details, ssn })

/** Customers of every kind, whose SSN is right or wrong, in both ways of writing it; answers with an active one. */
async function customers({ ok, no, read, visit, advance, list, api }: Everything) {
  await no('createAccessToken', { sent: { headers: { authorization: 'not a token' } } })
  await ok('createAccessToken', { sent: { headers: { authorization: api.refreshToken() } } })
  await no('listProducts', { query: 'limit=-1' })
  await read('listProducts', 'getProduct')
  const products = await list<{ uid: string; prerequisite_product_uids: string[] }>('/products')
  const product_uid = products.find(({ prerequisite_product_uids: some }) => some.length === 0)!.uid

  for (const as of AS) {
    await no('createCustomer', { as, body: { customer_type: 'robot', details: detailsOf(VALID[0]) } })
    await no('updateCustomer', { as, body: { details: detailsOf(VALID[1]) } })
    await no('onboardCustomer', { as })
    await no('archiveCustomer', { as })
    for (const ssn of MALFORMED) {
      const uid = await ok('createCustomer', { as, body: { email: OLIVE.email, details: detailsOf(ssn) } })
      const refused = await no('onboardCustomer', { as, body: { customer_uid: uid, product_uid } })
      expect(refused.text).toMatch(/ssn/i)
    }
  }
  // A type that no SSN has is refused before it is anyone's.
  for (const ssn of [316684092, ['316684092'], { value: '316-68-4092' }])
    expect((await visit('createCustomer', { body: { details: detailsOf(ssn) } })).status).toBe(400)

  const active: string[] = []
  for (const [i, ssn] of VALID.entries()) {
    const as = AS[i % 2]!
    const uid = await ok('createCustomer', { as, body: { external_uid: `person-${i}` } })
    await ok('updateCustomer', { as, uid, body: { email: OLIVE.email, details: detailsOf(ssn) } })
    await ok('onboardCustomer', { as, body: { customer_uid: uid, product_uid } })
    // A Customer in verification cannot be edited.
    await no('updateCustomer', { as, uid, body: { details: { ssn } } })
    active.push(uid)
  }
  await advance({ by: 'PT2S' })
  for (const [i, ssn] of VALID.entries()) {
    const as = AS[i % 2]!
    const uid = active[i]!
    // The same number may be sent back; another one is refused.
    const another = VALID[(i + 1) % VALID.length]
    await no('updateCustomer', { as, uid, body: { email: OLIVE.email, details: detailsOf(another) } })
    const { ssn: _, dob: __, ...editable } = OLIVE.details
    const again = await visit('updateCustomer', { as, uid, body: { email: OLIVE.email, details: editable } })
    // Our spreading puts an ssn into the details, which an active Customer may not edit.
    expect(again.status).toBe(422)
    expect((await api.get(`/customers/${uid}`)).body).toMatchObject({
      status: 'active',
      details: { ssn_last_four: ssn.slice(-4) },
    })
  }
  await read('listCustomers', 'getCustomer')
  await read('listCustomerProducts', 'getCustomerProduct')
  await read('listPools', 'getPool')
  await read('listCustodialAccounts', 'getCustodialAccount')
  const residents = []
  for (const uid of active) {
    const [account] = await list<{ uid: string; pool_uid: string }>(
      `/synthetic_accounts?customer_uid=${uid}&liability=true`,
    )
    residents.push({ uid, pool: account!.pool_uid, master: account!.uid })
  }
  return residents
}

/** Every payment, in both ways of writing it. */
async function money(
  { ok, no, read, operate, fund, advance, typeOf, sandbox }: Everything,
  residents: Awaited<ReturnType<typeof customers>>,
) {
  const [olive, , other] = residents as [(typeof residents)[0], (typeof residents)[0], (typeof residents)[0]]
  await fund(olive, 1000)
  await read('listSyntheticAccountTypes', 'getSyntheticAccountType')
  for (const [i, as] of AS.entries()) {
    await no('createSyntheticAccount', { as })
    const party = {
      synthetic_account_type_uid: typeOf('ach_external'),
      routing_number: '021000021',
      account_number: `99${i}70`,
      external_processor_token: `processor-token-${i}`,
      ach: { account_type: 'checking', counterparty_name: 'Northern Mill' },
    }
    const mill = await ok('createSyntheticAccount', { as, body: { name: `Mill ${i}`, pool_uid: olive.pool, ...party } })
    const savings = { name: `Savings ${i}`, pool_uid: olive.pool, synthetic_account_type_uid: typeOf('general') }
    const spare = await ok('createSyntheticAccount', { as, body: savings })
    await no('updateSyntheticAccount', { as })
    await ok('updateSyntheticAccount', { as, uid: mill, body: { note: 'why', name: `Northern Mill ${i}` } })
    await no('archiveSyntheticAccount')
    await ok('archiveSyntheticAccount', { uid: spare })

    const transfer = {
      source_synthetic_account_uid: olive.master,
      destination_synthetic_account_uid: mill,
      initiating_customer_uid: olive.uid,
      usd_transfer_amount: '10.00',
      ach: ACH,
    }
    await no('createTransfer', { as })
    await no('createTransfer', { as, body: { ...transfer, usd_transfer_amount: '999999.00' } })
    await ok('createTransfer', { as, body: transfer })
    await no('cancelTransfer', { as })
    const second = await ok('createTransfer', { as, body: transfer })
    await ok('cancelTransfer', { as, uid: second, body: { cancellation_reason: 'a mistake' } })

    await no('createVirtualReferenceNumber', { as })
    const number = { synthetic_account_uid: olive.master, routing_number: '110000000', name: `Rent ${i}` }
    const vrn = await ok('createVirtualReferenceNumber', { as, body: number })
    await no('updateVirtualReferenceNumber', { as })
    await ok('updateVirtualReferenceNumber', { as, uid: vrn, body: { name: `Room ${i}` } })
    await no('lockVirtualReferenceNumber', { as })
    await ok('lockVirtualReferenceNumber', { as, uid: vrn, body: { lock_reason: 'admin' } })
    await no('unlockVirtualReferenceNumber')
    await ok('unlockVirtualReferenceNumber', { uid: vrn })

    await no('createMockTransaction', { as })
    const credit = { transaction_type: 'ach', customer_uid: olive.uid, us_dollar_amount: 20 }
    const original = await ok('createMockTransaction', { as, body: credit })
    const awaiting = await ok('createMockTransaction', { as, body: { ...credit, virtual_reference_number_uid: vrn } })
    await no('authorizeTransaction', { as })
    await ok('authorizeTransaction', { as, uid: awaiting, body: { authorization_status: 'client_approved' } })
    await no('archiveVirtualReferenceNumber')
    await ok('archiveVirtualReferenceNumber', { uid: vrn })

    await operate('moves.make', { collection: 'transactions', uid: original, move: 'settle' })
    await no('createReturn', { as })
    await ok('createReturn', {
      as,
      body: {
        original_transaction_uid: original,
        requesting_customer_uid: olive.uid,
        requestor_type: 'customer',
        return_reason: 'Not ours',
        ach: { ach_return_code: 'R23' },
      },
    })

    await no('createCombinedTransfer', { as })
    const { destination_synthetic_account_uid: _, ...rest } = transfer
    for (const name of [`Eastern Mill ${i}`, `Mill of ${i}`])
      await ok('createCombinedTransfer', {
        as,
        body: {
          synthetic_account: { ...party, name, pool_uid: olive.pool, account_number: `88${i}70` },
          transfer: rest,
        },
      })
  }
  await read('listSyntheticAccounts', 'getSyntheticAccount')
  await advance({ business_days: 2 })
  await read('listTransfers', 'getTransfer')
  await read('listTransactions', 'getTransaction')
  await read('listTransactionEvents', 'getTransactionEvent')
  await read('listSyntheticLineItems', 'getSyntheticLineItem')
  await read('listCustodialLineItems', 'getCustodialLineItem')
  await read('listVirtualReferenceNumbers', 'getVirtualReferenceNumber')
  await read('listReturns', 'getReturn')
  await read('listCombinedTransfers', 'getCombinedTransfer')
  await read('listCustodialAccountClosingBalances', 'getCustodialAccountClosingBalance')
  await read('listSyntheticAccountClosingBalances', 'getSyntheticAccountClosingBalance')

  // The second has no accounts besides; the last is archived without leave to apply again.
  await ok('archiveCustomer', { as: 'JSON', uid: residents[1]!.uid, body: { archive_note: 'moved' } })
  await ok('archiveCustomer', { as: 'a form', uid: other.uid, body: { can_apply_again: false } })
  await advance({ business_days: 8 })
  const again = await ok('createCustomer', { body: { email: OLIVE.email, details: detailsOf(VALID[2]) } })
  const [product] = sandbox.store.world.collections.products
    .inOrder()
    .filter(({ prerequisite_product_uids: some }) => some.length === 0)
  const refused = await no('onboardCustomer', { body: { customer_uid: again, product_uid: product!.uid } })
  expect(refused.text).toContain('4016')
}

/** Calls every method with valid and invalid input, through both transports. */
async function operator({ operate, operateByHttp, sandbox }: Everything, customer: string) {
  const { uid: program_uid } = sandbox.programs()[0]!
  const exchanges = await operate('exchanges.list', { limit: 5 })
  const [exchange] = (exchanges.value as unknown as { data: { uid: string }[] }).data
  let seq = 0
  let bundle = ''
  // Nothing is sent to a paused webhook, so its deliveries stay due.
  const { uid: webhook } = (await operate('webhooks.create', { url: 'http://127.0.0.1:9/hooks', confirm: false })).value
  await operate('webhooks.update', { uid: String(webhook), status: 'paused' })
  await operate('webhooks.test', { uid: String(webhook) })
  /** Instead of the example: what only this run knows, and what holds the secrets. */
  const own = (): { readonly [N in MethodName]?: MethodInput<N> } => ({
    'records.list': { collection: 'customers', limit: 1000 },
    'records.story': { uid: customer, limit: 1000, reads: true },
    'transactions.inject': { movement: 'card_purchase', customer_uid: customer, us_dollar_amount: '1.00' },
    'operator.create_customer': {
      program_uid,
      customer: { email: OLIVE.email, details: { ...OLIVE.details, ssn: VALID[3] } },
    },
    'exchanges.list': { limit: 1000 },
    'exchanges.get': { uid: exchange!.uid },
    'exchanges.send': {
      method: 'POST',
      path: '/customers',
      body: JSON.stringify({ details: { ...OLIVE.details, ssn: VALID[3] } }),
    },
    'exchanges.replay': { uids: [exchange!.uid], into: { fresh: 'empty' } },
    'bundles.import': { text: bundle },
    'programs.update': { uid: program_uid, name: 'Harbor Payments' },
    'programs.rotate_key': { uid: program_uid, hmac_key: sandbox.programs()[0]!.hmac_key },
    'tokens.expire': { uid: program_uid },
    'snapshots.compare': {},
    'world.commits': { limit: 1000 },
    'world.reset': { world: 'empty' },
    'world.rewind': { seq },
    'faults.set': { faults: [] },
    'worlds.keep': { name: 'branch', folder: join(createTemporaryFolder(), 'kept') },
    'sandbox.stop': { nonce: sandbox.identity.nonce },
  })
  const inputs = () =>
    Object.fromEntries(
      methodNames.map((name) => [
        name,
        own()[name] ??
          fillExample(
            exampleOf(name),
            sandbox.store.read(program_uid, (tx) => findExamples(tx).values),
          ),
      ]),
    ) as { readonly [N in MethodName]: MethodInput<N> }
  for (const method of methodNames) {
    // The rewind undoes the reset.
    if (method === 'world.reset') seq = sandbox.store.world.seq
    if (method === 'bundles.import')
      bundle = ((await operate('bundles.export', {})).value as unknown as { text: string }).text
    await operate(method, { ...inputs()[method] })
    // Some calls cannot be repeated, so HTTP refuses them. They still have a response.
    expect(await operateByHttp(method, inputs()[method])).toBeLessThan(500)
    // A list of records accepts any filter, but its collection must exist.
    const wrong = { ...spread(), ...(method === 'records.list' ? { collection: 'nobody' } : {}) }
    await operate(method, wrong, false)
    expect(await operateByHttp(method, wrong)).toBe(method === 'records.list' ? 404 : 400)
    expect(await operateByHttp(method, inputs()[method], 'wrong-key')).toBe(401)
  }
  for (const collection of Object.keys(sandbox.store.world.collections))
    if (collection !== 'programs') await operate('records.list', { collection, limit: 1000 })
  for (const { uid } of sandbox.store.world.collections.customers.inOrder())
    await operate('records.get', { collection: 'customers', uid })
  const all = (await operate('exchanges.list', { limit: 1000 })).value as unknown as { data: { uid: string }[] }
  for (const { uid } of all.data) await operate('exchanges.get', { uid })
  expect(await operateByHttp('no.such.method', spread())).toBe(404)
}

it('2.1 "The SSN is write-only", 4 "a search of every file finds none": after all requests no response, exchange, notice, terminal line or file holds an SSN, a key or a token', async () => {
  const asked = await everything()
  const { sandbox, data, heard, visited, ok } = asked
  const residents = await customers(asked)
  await money(asked, residents)
  await operator(asked, residents[0]!.uid)
  await ok('createAccessToken', { sent: { headers: { authorization: asked.api.refreshToken() } } })

  // The requests covered every endpoint and every method, valid and invalid, with JSON and form bodies.
  const expected = [
    ...(Object.keys(endpoints) as EndpointName[]).flatMap((name) =>
      ['answered', 'refused'].flatMap((how) =>
        (endpoints[name] as Endpoint).body ? AS.map((as) => `${name}: ${how}, ${as}`) : [`${name}: ${how}`],
      ),
    ),
    ...methodNames.flatMap((method) => [`${method}: answered`, `${method}: refused`]),
  ]
  expect(expected.filter((one) => !visited.has(one))).toEqual([])

  for (const path of ['/health', '/openapi.json']) heard[path] = await (await fetch(new URL(path, sandbox.api))).text()
  const secret = { headers: { 'x-control-key': sandbox.control_key } }
  for (const path of ['openapi.json', 'triggers'])
    heard[`/control/${path}`] = await (await fetch(`${sandbox.control}/${path}`, secret)).text()
  await asked.stopListening()
  heard['the terminal'] = sandbox.told.join('\n')
  const open = filesOf(data)
  await sandbox.close()
  const closed = filesOf(data)

  // The requests did contain numbers: their last four digits are shown, and their seals are stored.
  expect(heard['the answers of getCustomer']).toContain('"ssn_last_four":"0586"')
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
