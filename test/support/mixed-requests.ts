import type { ControlReply } from '../../src/api/contract/control/client.ts'
import { dateAt } from '../../src/api/domain/rules/calendar.ts'
import type { Sandbox } from '../../src/api/sandbox.ts'
import { type RequestOptions as Given, sign } from './client.ts'
import { ACH, type Category, STRUCTURED } from './payments.ts'

/**
 * Sends three hundred requests of every kind, with operator actions between them. They follow from the seed alone, so two sandboxes
 * with the same seed and start get the same requests.
 */

type Json = Record<string, unknown>
type Operator = Pick<Sandbox, 'api' | 'programs' | 'call'>

/** One request and its response. */
export interface SentRequest {
  readonly method: string
  readonly path: string
  /** 0 without a response. */
  readonly status: number
  readonly text: string
}

export interface MixedResult {
  readonly requests: readonly SentRequest[]
  /** The operator actions and their replies, in order. */
  readonly acts: readonly { readonly name: string; readonly reply: ControlReply }[]
}

export interface MixedOptions {
  /** Restarts the sandbox in the middle. */
  readonly restart?: () => Promise<Operator>
  /** Replaces the input of the n-th advance. */
  readonly advance?: (n: number, input: object) => object
  readonly seed?: number
  readonly requests?: number
}

/** The people in the requests. An export must not contain them. */
export const PEOPLE = [
  ['Theodora', 'Lovelace', '512-04-8823', '5155550123', '1990-04-17', '1742 Cobblestone Row'],
  ['Balthasar', 'Smith', '512-04-8824', '5155550124', '1971-09-30', '8 Gable End'],
  ['Cornelia', 'Johnson', '512-04-8825', '5155550125', '1988-01-02', '77 Hollyhock Lane'],
  ['Dagmar', 'Ostrander', '512-04-8826', '5155550126', '2012-02-03', '5 Larkspur Court'],
  ['Evander', 'Smith', '512-04-8827', '5155550127', '1964-11-11', '16 Quillon Street'],
  ['Felicitas', 'Vandermeer', '512-04-8828', '5155550128', '1959-07-21', '9 Tansy Yard'],
] as const
export const PARTIES = ['Penelope Wexford', 'Grimsby Chandlers', 'Isolde Marchetti'] as const
const EMAIL_OF = (first: string, last: string) => `${first}.${last}@wexmail.example`.toLowerCase()
export const ACCOUNT_NUMBERS = ['400123451230', '400123459901', '400123459806', '400123451233', '400123451244'] as const

/** Texts that must not be in an exported file. */
export const PERSONAL = [
  ...PEOPLE.flatMap(([first, last, ssn, phone, dob, street]) => [
    first,
    // These two names force the result of a verification, and are not masked.
    ...(last === 'Smith' || last === 'Johnson' ? [] : [last]),
    EMAIL_OF(first, last),
    ssn,
    ssn.replaceAll('-', ''),
    phone,
    `${phone.slice(0, 3)}-${phone.slice(3, 6)}-${phone.slice(6)}`,
    dob,
    street,
    street.split(' ')[1]!,
  ]),
  ...PARTIES.flatMap((name) => [name, ...name.split(' ')]),
  ...ACCOUNT_NUMBERS,
  'wexmail',
  'Marlowe',
  // As a value: five digits in a row are also found in other numbers.
  '"50311',
]

export async function sendMixedRequests(first: Operator, options: MixedOptions = {}): Promise<MixedResult> {
  const { seed = 1, requests: count = 300 } = options
  let sandbox = first
  const requests: SentRequest[] = []
  const acts: { name: string; reply: ControlReply }[] = []
  const draw = randomNumbers(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(draw() * list.length)]!
  let advances = 0

  // ── Shorthands ────────────────────────────────────────────────────────────────────────────────────────────────────────

  async function call(name: string, input: object): Promise<Json> {
    const asked = name === 'clock.advance' ? (options.advance?.(advances++, input) ?? input) : input
    const reply = await sandbox.call(name, asked)
    acts.push({ name, reply })
    if (!reply.ok) throw new Error(`${name} was refused: ${JSON.stringify(reply.error)}`)
    return reply.value as Json
  }
  /** Calls a method that only reads. */
  const read = async (name: string, input: object) => {
    const reply = await sandbox.call(name, input)
    if (!reply.ok) throw new Error(`${name} was refused`)
    return reply.value as Json
  }
  const advance = (input: object) => call('clock.advance', input)
  const move = (collection: string, uid: string, name: string, inputs?: object) =>
    call('moves.make', { collection, uid, move: name, ...(inputs ? { inputs } : {}) })

  async function raw(method: string, path: string, given: Given = {}): Promise<{ status: number; body: Json }> {
    const headers = new Headers()
    if (given.json !== undefined) headers.set('content-type', 'application/json')
    if (given.form !== undefined) headers.set('content-type', 'application/x-www-form-urlencoded')
    const trace = `trace-${requests.length}-of-${seed}`
    for (const [name, value] of Object.entries({ 'x-trace-id': trace, ...given.headers }))
      if (value !== undefined) headers.set(name, value)
    const body = given.json === undefined ? (given.form ?? given.raw) : JSON.stringify(given.json)
    try {
      const response = await fetch(sandbox.api + path, { method, headers, ...(body === undefined ? {} : { body }) })
      const text = await response.text()
      requests.push({ method, path, status: response.status, text })
      return { status: response.status, body: (text.startsWith('{') ? JSON.parse(text) : {}) as Json }
    } catch {
      requests.push({ method, path, status: 0, text: '' })
      return { status: 0, body: {} }
    }
  }

  const tokens = new Map<number, string>()
  const refreshToken = (program = 0) => {
    const { uid, hmac_key } = sandbox.programs()[program]!
    return sign({ iat: Math.floor(Date.now() / 1000), sub: uid }, hmac_key)
  }
  async function signIn(program = 0) {
    const { body } = await raw('POST', '/auth', { headers: { authorization: refreshToken(program) } })
    tokens.set(program, String(body.token))
  }
  /** Sends a request, and signs in again when the token has expired. */
  async function send(method: string, path: string, given: Given = {}, program = 0) {
    if (!tokens.has(program)) await signIn(program)
    const once = () =>
      raw(method, path, { ...given, headers: { authorization: tokens.get(program)!, ...given.headers } })
    const answer = await once()
    if (answer.status !== 401 || given.headers?.authorization !== undefined) return answer
    await signIn(program)
    return once()
  }
  const get = async (path: string, program = 0) => (await send('GET', path, {}, program)).body
  const post = async (path: string, json: unknown, program = 0) => (await send('POST', path, { json }, program)).body
  const put = async (path: string, json: unknown) => (await send('PUT', path, { json })).body
  const list = async (path: string, program = 0) => ((await get(path, program)).data ?? []) as Record<string, string>[]

  // ── Products and account types ─────────────────────────────────────────────────────────────────────────────────

  const types = await list('/synthetic_account_types')
  const typeOf = (category: Category) =>
    types.find(({ synthetic_account_category }) => synthetic_account_category === category)!.uid!
  const products = (await get('/products')).data as { uid: string; prerequisite_product_uids: string[] }[]
  const product_uid = products.find((one) => one.prerequisite_product_uids.length === 0)!.uid

  // ── Customers of every status ──────────────────────────────────────────────────────────────────────────────────────

  const uids: string[] = []
  for (const [n, [first_name, last_name, ssn, phone, dob, street1]] of PEOPLE.entries()) {
    const address = { street1, city: 'Marlowe', state: 'IA', postal_code: '50311' }
    const email = EMAIL_OF(first_name, last_name)
    const details = { first_name, last_name, ssn, phone, dob, address }
    const flat = {
      external_uid: `client-${n}`,
      email,
      ...Object.fromEntries(
        Object.entries({ first_name, last_name, ssn, phone, dob }).map(([k, v]) => [`details[${k}]`, v]),
      ),
      ...Object.fromEntries(Object.entries(address).map(([k, v]) => [`details[address][${k}]`, v])),
    }
    const { body } =
      n % 2 === 0
        ? await send('POST', '/customers', { json: { external_uid: `client-${n}`, email, details } })
        : await send('POST', '/customers', { form: new URLSearchParams(flat as Record<string, string>).toString() })
    uids.push(String(body.uid))
    await send(
      'POST',
      '/customer_products',
      n % 2 === 0
        ? { json: { customer_uid: body.uid, product_uid } }
        : { form: `customer_uid=${String(body.uid)}&product_uid=${product_uid}` },
    )
  }
  const [ada, review, denied, minor, approved, second] = uids as [string, string, string, string, string, string]
  await advance({ by: 'PT2S' })
  await move('customers', approved, 'approve')
  await move('customers', review, 'deny', { reason: 'Further review required' }).catch(() => undefined)
  for (const uid of [ada, review, denied, minor, approved, second]) await get(`/customers/${uid}`)
  await get('/customers?sort=last_name_asc')
  await get('/customers?sort=last_name_desc&include_initiated=true')
  await get('/customers?last_name=smith')
  await get('/customers?status=active&limit=2&offset=1')
  await put(`/customers/${ada}`, {
    email: EMAIL_OF('Theodora', 'Lovelace'),
    details: { phone: '5155550199' },
  })
  await put(`/customers/${second}`, { details: { last_name: 'Vandermeer' }, external_uid: 'client-5b' })

  // ── Accounts, and money in ───────────────────────────────────────────────────────────────────────────────────────

  const poolOf = async (uid: string) => ((await get(`/customers/${uid}`)).pool_uids as string[])[0]!
  const masterOf = async (uid: string) =>
    (await list(`/synthetic_accounts?customer_uid=${uid}&liability=true`))[0]!.uid!
  const pool = await poolOf(ada)
  const master = await masterOf(ada)
  const otherMaster = await masterOf(second)
  const open = async (category: Category, name: string, more: object) =>
    String(
      (
        await post('/synthetic_accounts', {
          name,
          pool_uid: pool,
          synthetic_account_type_uid: typeOf(category),
          routing_number: '021000021',
          ...more,
        })
      ).uid,
    )
  const general = String(
    (await post('/synthetic_accounts', { name: 'Rent', pool_uid: pool, synthetic_account_type_uid: typeOf('general') }))
      .uid,
  )
  const ach = { account_type: 'checking', counterparty_name: PARTIES[0] }
  const mill = await open('ach_external', 'Mill', { account_number: ACCOUNT_NUMBERS[0], ach })
  const returned = await open('ach_external', 'Comes back', { account_number: ACCOUNT_NUMBERS[1], ach })
  const noticed = await open('ach_external', 'Noticed', { account_number: ACCOUNT_NUMBERS[2], ach })
  const wired = await open('wire_external', 'Lease', {
    account_number: ACCOUNT_NUMBERS[3],
    wire: { counterparty_name: PARTIES[1] },
  })
  const instant = await open('instant_payment_external', 'At once', {
    account_number: ACCOUNT_NUMBERS[4],
    instant_payment: { counterparty_name: PARTIES[2], counterparty_address: STRUCTURED },
  })
  const externals = [mill, returned, noticed, wired, instant]
  const mock = async (body: Json) => String((await post('/sandbox/mock_transactions', body)).uid)
  const funded = await mock({ transaction_type: 'wire', customer_uid: ada, us_dollar_amount: 5000 })
  await move('transactions', funded, 'settle')
  await mock({ transaction_type: 'wire', customer_uid: second, us_dollar_amount: '800.50' })
  await mock({ transaction_type: 'instant_payment', customer_uid: ada, us_dollar_amount: 70 })
  await advance({ by: 'PT3S' })

  // ── Payments over every rail ─────────────────────────────────────────────────────────────────────────────────────

  /** An ACH entry, dated today in New York. */
  const today = async () => {
    const { now } = await read('clock.read', {})
    return { ...ACH, effective_entry_date: dateAt(Date.parse(String(now))) }
  }
  const transfer = async (from: string, to: string, amount: string, more: object = {}) =>
    post('/transfers', {
      source_synthetic_account_uid: from,
      destination_synthetic_account_uid: to,
      ach: await today(),
      initiating_customer_uid: ada,
      usd_transfer_amount: amount,
      ...more,
    })
  const sent: string[] = []
  for (const [to, amount] of [
    [mill, '120.00'],
    [returned, '45.10'],
    [noticed, '33.33'],
    [wired, '250.00'],
    [instant, '12.34'],
    [general, '400.00'],
  ] as const)
    sent.push(String((await transfer(master, to, amount, { external_uid: `pay-${to.slice(0, 4)}` })).uid))
  await transfer(mill, master, '60.00')
  await transfer(master, mill, '9.00', { external_uid: `pay-${mill.slice(0, 4)}` })
  const form = new URLSearchParams({
    source_synthetic_account_uid: master,
    destination_synthetic_account_uid: general,
    initiating_customer_uid: ada,
    usd_transfer_amount: '7.70',
  })
  await send('POST', '/transfers', { form: form.toString() })
  const canceled = await transfer(master, mill, '1.11')
  await send('PUT', `/transfers/${String(canceled.uid)}/cancel`, { json: { cancellation_reason: 'Not wanted' } })
  await advance({ until: 'next' })
  for (const uid of sent.slice(0, 3)) await get(`/transfers/${uid}`)
  await advance({ by: 'PT10S' })
  for (const uid of sent) await get(`/transfers/${uid}`)
  await get('/transactions?limit=5')
  await get(`/transactions?customer_uid=${ada}&status=settled`)
  await get('/synthetic_line_items?limit=20')
  await get('/custodial_line_items?limit=20')
  await get('/transaction_events?limit=20')

  // ── A VRN, and authorizations ─────────────────────────────────────────────────────────────────────────────────

  const vrn = await post('/virtual_reference_numbers', {
    synthetic_account_uid: master,
    routing_number: '110000000',
    name: 'Shop',
    synchronous_registration: true,
  })
  const vrn_uid = String(vrn.uid)
  await get(`/virtual_reference_numbers?virtual_reference_number=${String(vrn.virtual_reference_number)}`)
  const onVrn: string[] = []
  for (const amount of [100, 200, 300])
    onVrn.push(
      await mock({
        transaction_type: 'wire',
        customer_uid: ada,
        us_dollar_amount: amount,
        virtual_reference_number_uid: vrn_uid,
      }),
    )
  const authorize = (uid: string, json: object) => put(`/transactions/${uid}/authorize`, json)
  await authorize(onVrn[0]!, { authorization_status: 'client_approved' })
  await authorize(onVrn[1]!, { authorization_status: 'client_denied', denied_reason: 'unauthorized_credit' })
  await authorize(onVrn[1]!, { authorization_status: 'client_approved' })
  await put(`/virtual_reference_numbers/${vrn_uid}/lock`, { lock_reason: 'admin' })
  await put(`/virtual_reference_numbers/${vrn_uid}/lock`, { lock_reason: 'admin' })
  await put(`/virtual_reference_numbers/${vrn_uid}/unlock`, {})
  await put(`/virtual_reference_numbers/${vrn_uid}`, { name: 'Shop and yard' })
  await advance({ business_days: 1 })
  for (const uid of onVrn) await get(`/transactions/${uid}`)

  // ── Expired tokens, repeated trace ids, invalid requests ──────────────────────────────────────────────────────────────────────

  await advance({ by: 'PT9H' })
  await get('/pools')
  await raw('GET', '/pools', { headers: { authorization: 'auth-unknown' } })
  await raw('GET', '/pools')
  await raw('POST', '/auth', { headers: { authorization: sign({ iat: 1, sub: 'x' }, 'not the key') } })
  await raw('POST', '/auth')
  await send('GET', '/pools', { headers: { 'x-trace-id': undefined } })
  await send('GET', '/pools', { headers: { 'x-trace-id': 'repeated' } })
  await send('GET', '/pools', { headers: { 'x-trace-id': 'repeated' } })
  await send('POST', '/customers', { json: {}, headers: { 'x-trace-id': 'repeated' } })
  await send('GET', '/nowhere')
  await send('DELETE', '/pools')
  await send('PATCH', `/customers/${ada}`)
  await get('/customers?limit=-1')
  await get('/transactions?limit=-5')
  await get('/customers?status=happy')
  await get('/transactions?created_at_after=yesterday')
  await get('/customers?adress=Marlowe')
  await get('/pools?limt=3')
  await get('/customers/1234567890abcdef')
  await get('/transfers/1234567890abcdef')
  await send('POST', '/customers', { raw: '{"email": "half', headers: { 'content-type': 'application/json' } })
  await send('POST', '/customers', { raw: '<customer/>', headers: { 'content-type': 'text/xml' } })
  await send('POST', '/customers', { raw: 'x'.repeat(1_100_000), headers: { 'content-type': 'application/json' } })
  await post('/customers', { external_uid: 'client-0', email: 'other@wexmail.example' })
  await post('/customers', { details: { first_name: 17, ssn: '000-04-8823' } })
  await transfer(master, mill, '-1')
  await transfer(master, mill, 'a lot')
  await transfer(master, wired, '999999.00')
  await transfer(master, 'unknownaccount00', '5.00')
  await mock({ transaction_type: 'wire', customer_uid: ada, us_dollar_amount: 0 })
  await send('HEAD', '/pools')

  // ── Another Program ──────────────────────────────────────────────────────────────────────────────────────────────

  const other = await call('programs.create', { name: 'Second' })
  await call('programs.update', { uid: other.uid, vrn_cooldown_minutes: 5, strict: true })
  await list('/customers', 1)
  await get('/pools?limt=3', 1)
  await get(`/customers/${ada}`, 1)
  const otherCustomer = await post(
    '/customers',
    { email: 'their@wexmail.example', details: { first_name: 'Theodora' } },
    1,
  )
  await send('PUT', `/customers/${String(otherCustomer.uid)}`, { json: { details: { last_name: 'Lovelace' } } }, 1)
  await get(`/customers/${String(otherCustomer.uid)}`, 0)
  await send('GET', '/pools', { headers: { 'x-trace-id': 'repeated' } }, 1)
  await call('programs.rotate_key', { uid: other.uid })
  await signIn(1)
  await list('/customers?include_initiated=true', 1)

  if (options.restart) sandbox = await options.restart()

  // ── Faults ───────────────────────────────────────────────────────────────────────────────────────────────────

  await call('faults.set', {
    faults: [
      { method: 'POST', path: '/transfers', kind: 'drop_after_commit', times: 1 },
      { method: 'GET', path: '/transfers/{uid}', kind: 'status', status: 503, times: 2 },
      { method: 'GET', path: '/pools', kind: 'drop_before_commit', times: 1 },
    ],
  })
  await transfer(master, mill, '77.00', { external_uid: 'dropped-1' })
  await transfer(master, mill, '77.00', { external_uid: 'dropped-1' })
  for (const uid of sent.slice(0, 3)) await get(`/transfers/${uid}`)
  await get('/pools')
  await get('/pools')
  await call('faults.set', { faults: [{ path: '/returns', kind: 'status', status: 500 }] })
  await get('/returns')
  await call('faults.clear', {})
  await get('/returns')

  // ── Held tasks, and pace real ─────────────────────────────────────────────────────────────

  const held = await transfer(master, mill, '88.00')
  const later = await transfer(master, mill, '89.00')
  const tasks = (await read('tasks.list', {})).tasks as { uid: string; record: string }[]
  const tasksOf = (payment: Json) => {
    const uids = payment.transaction_uids as string[]
    return tasks.filter(({ record }) => uids.includes(record)).map(({ uid }) => uid)
  }
  for (const uid of tasksOf(held)) await call('tasks.hold', { uid })
  await call('tasks.run', { uid: tasksOf(later)[0]! })
  await get(`/transfers/${String(later.uid)}`)
  await advance({ by: 'PT5M' })
  await get(`/transfers/${String(held.uid)}`)
  for (const uid of tasksOf(held)) await call('tasks.release', { uid })
  await advance({ by: 'PT2S' })
  await get(`/transfers/${String(held.uid)}`)
  await call('clock.set', { pace: 'real' })
  const slow = [
    await transfer(master, mill, '21.00'),
    await transfer(master, wired, '22.00'),
    await transfer(master, instant, '23.00'),
  ]
  await get(`/transfers/${String(slow[0]!.uid)}`)
  await advance({ until: 'next' })
  await advance({ business_days: 2 })
  for (const { uid } of slow) await get(`/transfers/${String(uid)}`)
  await advance({ until: 'idle' })
  for (const { uid } of slow) await get(`/transfers/${String(uid)}`)

  // ── Returns and Combined Transfers ──────────────────────────────────────────────────────────────────────

  await call('clock.set', { pace: 'fast' })
  const received = await mock({ transaction_type: 'ach', customer_uid: ada, us_dollar_amount: 64 })
  await advance({ by: 'PT2S' })
  const createReturn = (uid: string, more: object = {}) =>
    post('/returns', {
      original_transaction_uid: uid,
      requesting_customer_uid: ada,
      requestor_type: 'customer',
      return_reason: 'Not what was agreed',
      ach: { ach_return_code: 'R02' },
      ...more,
    })
  const firstReturn = await createReturn(received, { external_uid: 'back-1' })
  await createReturn(received)
  await createReturn('1234567890abcdef')
  await get(`/returns/${String(firstReturn.uid)}`)
  await post('/combined_transfers', {
    external_uid: 'combined-1',
    synthetic_account: {
      name: 'Sails',
      pool_uid: pool,
      synthetic_account_type_uid: typeOf('ach_external'),
      routing_number: '021000021',
      account_number: ACCOUNT_NUMBERS[0],
      ach,
    },
    transfer: {
      source_synthetic_account_uid: master,
      initiating_customer_uid: ada,
      usd_transfer_amount: '15.00',
      ach: await today(),
    },
  })
  await list('/combined_transfers')
  await advance({ by: 'PT1M' })
  await list('/returns?status=settled')

  // ── An archived Customer ──────────────────────────────────────────────────────────────────────────────────────────────

  await send('DELETE', `/customers/${second}`, { json: { can_apply_again: false } })
  await get(`/customers/${second}`)
  await send('DELETE', `/customers/${second}`)
  await advance({ business_days: 9 })
  await advance({ until: 'idle' })
  await get(`/customers/${second}`)
  await get(`/synthetic_accounts/${otherMaster}`)

  // ── Random requests ───────────────────────────────────────────────────────────────────────────────

  const reads = [
    () => get(`/customers?sort=${pick(['last_name_asc', 'last_name_desc', 'created_at_asc', 'first_name_asc'])}`),
    () => get(`/customers/${pick(uids)}`),
    () => get(`/synthetic_accounts?pool_uid=${pool}&limit=${1 + Math.floor(draw() * 9)}`),
    () => get(`/synthetic_accounts/${pick([master, general, ...externals])}`),
    () => get(`/transactions?limit=${1 + Math.floor(draw() * 30)}&offset=${Math.floor(draw() * 5)}`),
    () => get(`/synthetic_line_items?synthetic_account_uid=${pick([master, general])}`),
    () => get('/custodial_accounts'),
    () => get(`/transfers?synthetic_account_uid=${pick([master, ...externals])}`),
    () => get('/synthetic_account_closing_balances?limit=10'),
    () => get(`/customers?limit=-${1 + Math.floor(draw() * 5)}`),
    () => get(`/customer_products?customer_uid=${pick(uids)}`),
    () => list('/customers', 1),
  ]
  const writes = [
    () => transfer(master, pick(externals), `${1 + Math.floor(draw() * 90)}.00`),
    () => transfer(master, general, `${1 + Math.floor(draw() * 90)}.50`),
    () => transfer(general, master, `${1 + Math.floor(draw() * 900)}.00`),
    () => mock({ transaction_type: pick(['ach', 'wire']), customer_uid: ada, us_dollar_amount: pick([5, 40, -3, 99]) }),
    () => mock({ transaction_type: 'ach', customer_uid: minor, us_dollar_amount: 4 }),
    () => post('/customers', { email: `n${requests.length}@wexmail.example` }),
  ]
  while (requests.length < count - 8) {
    await pick<() => Promise<unknown>>(draw() < 0.35 ? writes : reads)()
    if (draw() < 0.12) await advance(pick([{ by: 'PT2S' }, { by: 'PT1H' }, { business_days: 1 }, { until: 'next' }]))
  }
  while (requests.length < count) await raw('GET', '/pools')
  return { requests, acts }
}

/** Mulberry32: random numbers from 0 to below 1. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
