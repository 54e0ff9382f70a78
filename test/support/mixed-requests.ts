import { Random } from '../../bench/support/random.ts'
import type { ControlReply } from '../../src/api/contract/control/client.ts'
import { dateAt } from '../../src/api/domain/rules/calendar.ts'
import type { Sandbox } from '../../src/api/sandbox.ts'
import { apiClient, type RequestOptions as Given, sign } from './client.ts'
import { formOf } from './form.ts'
import { ask } from './operator.ts'
import { ACH, type Category, returnBody, STRUCTURED } from './payments.ts'

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
  const random = new Random(String(seed))
  let advances = 0

  // ── Shorthands ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Calls a method that only reads. */
  const read = (name: string, input: object) => ask<Json>(sandbox, name, input)
  async function call(name: string, input: object): Promise<Json> {
    const asked = name === 'clock.advance' ? (options.advance?.(advances++, input) ?? input) : input
    const reply = await sandbox.call(name, asked)
    acts.push({ name, reply })
    if (!reply.ok) throw new Error(`${name} was refused: ${JSON.stringify(reply.error)}`)
    return reply.value as Json
  }
  const advance = (input: object) => call('clock.advance', input)
  const move = (collection: string, uid: string, name: string, inputs: object = {}) =>
    call('moves.make', { collection, uid, move: name, inputs })

  const clientOf = (program: number) =>
    apiClient(sandbox, program, (method, path, { status, text }) => requests.push({ method, path, status, text }))
  let clients: ReturnType<typeof clientOf>[] = []
  /** Without an answer the body is empty. */
  async function send(method: string, path: string, given: Given = {}, program = 0, isSigned = true): Promise<Json> {
    const client = (clients[program] ??= clientOf(program))
    try {
      return (await client[isSigned ? 'call' : 'send'](method, path, given)).body ?? {}
    } catch {
      requests.push({ method, path, status: 0, text: '' })
      return {}
    }
  }
  const get = (path: string, program = 0) => send('GET', path, {}, program)
  const post = (path: string, json: unknown, program = 0) => send('POST', path, { json }, program)
  const put = (path: string, json: unknown) => send('PUT', path, { json })
  const list = async (path: string, program = 0) => ((await get(path, program)).data ?? []) as Record<string, string>[]
  const getAll = async (...paths: string[]) => {
    for (const path of paths) await get(path)
  }

  // ── Customers of every status ──────────────────────────────────────────────────────────────────────────────────────

  const types = await list('/synthetic_account_types')
  const products = (await get('/products')).data as { uid: string; prerequisite_product_uids: string[] }[]
  const product_uid = products.find((one) => one.prerequisite_product_uids.length === 0)!.uid
  const uids: string[] = []
  for (const [n, [first_name, last_name, ssn, phone, dob, street1]] of PEOPLE.entries()) {
    const address = { street1, city: 'Marlowe', state: 'IA', postal_code: '50311' }
    const details = { first_name, last_name, ssn, phone, dob, address }
    const encoded = (body: Json) => (n % 2 === 0 ? { json: body } : { form: formOf(body) })
    const customer = { external_uid: `client-${n}`, email: EMAIL_OF(first_name, last_name), details }
    const { uid } = await send('POST', '/customers', encoded(customer))
    uids.push(String(uid))
    await send('POST', '/customer_products', encoded({ customer_uid: uid, product_uid }))
  }
  const [ada, review, , minor, approved, second] = uids as [string, string, string, string, string, string]
  await advance({ by: 'PT2S' })
  await move('customers', approved, 'approve')
  await move('customers', review, 'deny', { reason: 'Further review required' }).catch(() => undefined)
  await getAll(...uids.map((uid) => `/customers/${uid}`), '/customers?sort=last_name_asc')
  await getAll('/customers?sort=last_name_desc&include_initiated=true', '/customers?last_name=smith')
  await get('/customers?status=active&limit=2&offset=1')
  await put(`/customers/${ada}`, { email: EMAIL_OF('Theodora', 'Lovelace'), details: { phone: '5155550199' } })
  await put(`/customers/${second}`, { details: { last_name: 'Vandermeer' }, external_uid: 'client-5b' })

  // ── Accounts, and money in ───────────────────────────────────────────────────────────────────────────────────────

  const masterOf = async (uid: string) =>
    (await list(`/synthetic_accounts?customer_uid=${uid}&liability=true`))[0]!.uid!
  const pool_uid = ((await get(`/customers/${ada}`)).pool_uids as string[])[0]!
  const [master, otherMaster] = [await masterOf(ada), await masterOf(second)]
  const accountOf = (category: Category, name: string, more: object) => ({
    name,
    pool_uid,
    synthetic_account_type_uid: types.find((type) => type.synthetic_account_category === category)!.uid!,
    ...(category === 'general' ? {} : { routing_number: '021000021' }),
    ...more,
  })
  const open = async (...given: Parameters<typeof accountOf>) =>
    String((await post('/synthetic_accounts', accountOf(...given))).uid)
  const general = await open('general', 'Rent', {})
  const ach = { account_type: 'checking', counterparty_name: PARTIES[0] }
  const [mill, returned, noticed] = [
    await open('ach_external', 'Mill', { account_number: ACCOUNT_NUMBERS[0], ach }),
    await open('ach_external', 'Comes back', { account_number: ACCOUNT_NUMBERS[1], ach }),
    await open('ach_external', 'Noticed', { account_number: ACCOUNT_NUMBERS[2], ach }),
  ]
  const wire = { counterparty_name: PARTIES[1] }
  const wired = await open('wire_external', 'Lease', { account_number: ACCOUNT_NUMBERS[3], wire })
  const instant_payment = { counterparty_name: PARTIES[2], counterparty_address: STRUCTURED }
  const instant = await open('instant_payment_external', 'At once', {
    account_number: ACCOUNT_NUMBERS[4],
    instant_payment,
  })
  const externals = [mill, returned, noticed, wired, instant]
  const mock = async (transaction_type: string, us_dollar_amount: number | string, more: object = {}) =>
    String(
      (await post('/sandbox/mock_transactions', { transaction_type, customer_uid: ada, us_dollar_amount, ...more }))
        .uid,
    )
  await move('transactions', await mock('wire', 5000), 'settle')
  await mock('wire', '800.50', { customer_uid: second })
  await mock('instant_payment', 70)
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
  const amounts = ['120.00', '45.10', '33.33', '250.00', '12.34', '400.00']
  for (const [i, to] of [...externals, general].entries())
    sent.push(`/transfers/${(await transfer(master, to, amounts[i]!, { external_uid: `pay-${to.slice(0, 4)}` })).uid}`)
  await transfer(mill, master, '60.00')
  await transfer(master, mill, '9.00', { external_uid: `pay-${mill.slice(0, 4)}` })
  const form = formOf({
    source_synthetic_account_uid: master,
    destination_synthetic_account_uid: general,
    initiating_customer_uid: ada,
    usd_transfer_amount: '7.70',
  })
  await send('POST', '/transfers', { form })
  const canceled = await transfer(master, mill, '1.11')
  await put(`/transfers/${String(canceled.uid)}/cancel`, { cancellation_reason: 'Not wanted' })
  await advance({ until: 'next' })
  await getAll(...sent.slice(0, 3))
  await advance({ by: 'PT10S' })
  await getAll(...sent, '/transactions?limit=5', `/transactions?customer_uid=${ada}&status=settled`)
  await getAll(...['synthetic_line_items', 'custodial_line_items', 'transaction_events'].map((it) => `/${it}?limit=20`))

  // ── A VRN, and authorizations ─────────────────────────────────────────────────────────────────────────────────

  const vrn = await post('/virtual_reference_numbers', {
    synthetic_account_uid: master,
    routing_number: '110000000',
    name: 'Shop',
    synchronous_registration: true,
  })
  const onVrn: string[] = []
  await get(`/virtual_reference_numbers?virtual_reference_number=${String(vrn.virtual_reference_number)}`)
  for (const amount of [100, 200, 300])
    onVrn.push(`/transactions/${await mock('wire', amount, { virtual_reference_number_uid: vrn.uid })}`)
  const denied = { authorization_status: 'client_denied', denied_reason: 'unauthorized_credit' }
  for (const [i, json] of [[0], [1, denied], [1]] as const)
    await put(`${onVrn[i]}/authorize`, json ?? { authorization_status: 'client_approved' })
  const vrnPath = `/virtual_reference_numbers/${String(vrn.uid)}`
  for (let i = 0; i < 2; i++) await put(`${vrnPath}/lock`, { lock_reason: 'admin' })
  await put(`${vrnPath}/unlock`, {})
  await put(vrnPath, { name: 'Shop and yard' })
  await advance({ business_days: 1 })
  await getAll(...onVrn)

  // ── Expired tokens, repeated trace ids, invalid requests ──────────────────────────────────────────────────────────────────────

  await advance({ by: 'PT9H' })
  await get('/pools')
  const unsigned = (method: string, path: string, authorization?: string) =>
    send(method, path, { headers: { authorization } }, 0, false)
  await unsigned('GET', '/pools', 'auth-unknown')
  await unsigned('GET', '/pools')
  await unsigned('POST', '/auth', sign({ iat: 1, sub: 'x' }, 'not the key'))
  await unsigned('POST', '/auth')
  const traced = (trace: string | undefined, program = 0) =>
    send('GET', '/pools', { headers: { 'x-trace-id': trace } }, program)
  for (const trace of [undefined, 'repeated', 'repeated']) await traced(trace)
  await send('POST', '/customers', { json: {}, headers: { 'x-trace-id': 'repeated' } })
  await send('DELETE', '/pools')
  await send('PATCH', `/customers/${ada}`)
  await getAll('/nowhere', '/customers?limit=-1', '/transactions?limit=-5', '/customers?status=happy')
  await getAll('/transactions?created_at_after=yesterday', '/customers?adress=Marlowe', '/pools?limt=3')
  await getAll('/customers/1234567890abcdef', '/transfers/1234567890abcdef')
  for (const [raw, type] of [
    ['{"email": "half', 'application/json'],
    ['<customer/>', 'text/xml'],
    ['x'.repeat(1_100_000), 'application/json'],
  ] as const)
    await send('POST', '/customers', { raw, headers: { 'content-type': type } })
  await post('/customers', { external_uid: 'client-0', email: 'other@wexmail.example' })
  await post('/customers', { details: { first_name: 17, ssn: '000-04-8823' } })
  await transfer(master, mill, '-1')
  await transfer(master, mill, 'a lot')
  await transfer(master, wired, '999999.00')
  await transfer(master, 'unknownaccount00', '5.00')
  await mock('wire', 0)
  await send('HEAD', '/pools')

  // ── Another Program ──────────────────────────────────────────────────────────────────────────────────────────────

  const other = await call('programs.create', { name: 'Second' })
  await call('programs.update', { uid: other.uid, vrn_cooldown_minutes: 5, strict: true })
  for (const path of ['/customers', '/pools?limt=3', `/customers/${ada}`]) await get(path, 1)
  const theirs = { email: 'their@wexmail.example', details: { first_name: 'Theodora' } }
  const otherCustomer = `/customers/${String((await post('/customers', theirs, 1)).uid)}`
  await send('PUT', otherCustomer, { json: { details: { last_name: 'Lovelace' } } }, 1)
  await get(otherCustomer)
  await traced('repeated', 1)
  await call('programs.rotate_key', { uid: other.uid })
  clients.length = 1
  await get('/customers?include_initiated=true', 1)

  if (options.restart) {
    sandbox = await options.restart()
    clients = []
  }

  // ── Faults ───────────────────────────────────────────────────────────────────────────────────────────────────

  await call('faults.set', {
    faults: [
      { method: 'POST', path: '/transfers', kind: 'drop_after_commit', times: 1 },
      { method: 'GET', path: '/transfers/{uid}', kind: 'status', status: 503, times: 2 },
      { method: 'GET', path: '/pools', kind: 'drop_before_commit', times: 1 },
    ],
  })
  for (let i = 0; i < 2; i++) await transfer(master, mill, '77.00', { external_uid: 'dropped-1' })
  await getAll(...sent.slice(0, 3), '/pools', '/pools')
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
  const look = (payment: Json) => get(`/transfers/${String(payment.uid)}`)
  for (const uid of tasksOf(held)) await call('tasks.hold', { uid })
  await call('tasks.run', { uid: tasksOf(later)[0]! })
  await look(later)
  await advance({ by: 'PT5M' })
  await look(held)
  for (const uid of tasksOf(held)) await call('tasks.release', { uid })
  await advance({ by: 'PT2S' })
  await look(held)
  await call('clock.set', { pace: 'real' })
  const slow: Json[] = []
  for (const [i, to] of [mill, wired, instant].entries()) slow.push(await transfer(master, to, `${21 + i}.00`))
  await look(slow[0]!)
  await advance({ until: 'next' })
  for (const input of [{ business_days: 2 }, { until: 'idle' }]) {
    await advance(input)
    for (const payment of slow) await look(payment)
  }

  // ── Returns and Combined Transfers ──────────────────────────────────────────────────────────────────────

  await call('clock.set', { pace: 'fast' })
  const received = await mock('ach', 64)
  await advance({ by: 'PT2S' })
  const createReturn = (uid: string, more: object = {}) =>
    post('/returns', returnBody(uid, ada, { ach: { ach_return_code: 'R02' }, ...more }))
  const firstReturn = await createReturn(received, { external_uid: 'back-1' })
  await createReturn(received)
  await createReturn('1234567890abcdef')
  await get(`/returns/${String(firstReturn.uid)}`)
  await post('/combined_transfers', {
    external_uid: 'combined-1',
    synthetic_account: accountOf('ach_external', 'Sails', { account_number: ACCOUNT_NUMBERS[0], ach }),
    transfer: {
      source_synthetic_account_uid: master,
      initiating_customer_uid: ada,
      usd_transfer_amount: '15.00',
      ach: await today(),
    },
  })
  await get('/combined_transfers')
  await advance({ by: 'PT1M' })
  await get('/returns?status=settled')

  // ── An archived Customer ──────────────────────────────────────────────────────────────────────────────────────────────

  await send('DELETE', `/customers/${second}`, { json: { can_apply_again: false } })
  await get(`/customers/${second}`)
  await send('DELETE', `/customers/${second}`)
  await advance({ business_days: 9 })
  await advance({ until: 'idle' })
  await getAll(`/customers/${second}`, `/synthetic_accounts/${otherMaster}`)

  // ── Random requests ───────────────────────────────────────────────────────────────────────────────

  const n = (most: number) => random.between(1, most)
  const reads = () => [
    `/customers?sort=${random.pick(['last_name_asc', 'last_name_desc', 'created_at_asc', 'first_name_asc'])}`,
    `/customers/${random.pick(uids)}`,
    `/synthetic_accounts?pool_uid=${pool_uid}&limit=${n(9)}`,
    `/synthetic_accounts/${random.pick([master, general, ...externals])}`,
    `/transactions?limit=${n(30)}&offset=${n(5)}`,
    `/synthetic_line_items?synthetic_account_uid=${random.pick([master, general])}`,
    `/transfers?synthetic_account_uid=${random.pick([master, ...externals])}`,
    ...['/custodial_accounts', '/synthetic_account_closing_balances?limit=10', `/customers?limit=-${n(5)}`],
    `/customer_products?customer_uid=${random.pick(uids)}`,
  ]
  const writes = [
    () => transfer(master, random.pick(externals), `${n(90)}.00`),
    () => transfer(master, general, `${n(90)}.50`),
    () => transfer(general, master, `${n(900)}.00`),
    () => mock(random.pick(['ach', 'wire']), random.pick([5, 40, -3, 99])),
    () => mock('ach', 4, { customer_uid: minor }),
    () => post('/customers', { email: `n${requests.length}@wexmail.example` }),
    () => get('/customers', 1),
  ]
  while (requests.length < count - 8) {
    await (random.chance(0.35) ? random.pick<() => Promise<unknown>>(writes)() : get(random.pick(reads())))
    const steps = [{ by: 'PT2S' }, { by: 'PT1H' }, { business_days: 1 }, { until: 'next' }]
    if (random.chance(0.12)) await advance(random.pick<object>(steps))
  }
  while (requests.length < count) await unsigned('GET', '/pools')
  return { requests, acts }
}
