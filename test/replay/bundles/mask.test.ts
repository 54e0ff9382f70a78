import { describe, expect, it } from 'vitest'
import type { Keepable } from '../../../src/api/contract/control/bundles.ts'
import { endpoints } from '../../../src/api/contract/endpoints.ts'
import { formatMessage } from '../../../src/api/contract/messages.ts'
import type { Endpoint } from '../../../src/api/contract/terms/endpoint.ts'
import { Redaction } from '../../../src/api/http/redact.ts'
import { withOutcomes } from '../../../src/api/replay/bundles/forced-outcomes.ts'
import { mapCollection } from '../../../src/api/replay/bundles/map-records.ts'
import { demoValuesInSteps } from '../../../src/api/replay/bundles/public-values.ts'
import { seededRandom } from '../../../src/api/replay/bundles/random.ts'
import { unsealText } from '../../../src/api/replay/record.ts'
import type { SandboxOptions } from '../../../src/api/sandbox.ts'
import { forkWorld } from '../../../src/api/store/copies.ts'
import { createSeal } from '../../../src/api/store/seal.ts'
import { runToEnd } from '../../../src/api/store/steps.ts'
import {
  collectionNames,
  collectionOf,
  type ProgramRecord,
  type StoredRecord,
  type World,
} from '../../../src/api/store/world.ts'
import { exchangesOf } from '../../api/support.ts'
import type { Listed } from '../../support/customers.ts'
import { formOf } from '../../support/form.ts'
import { createMask, type Mask } from '../../support/mask.ts'
import { ACH, STRUCTURED } from '../../support/payments.ts'
import { startSandbox } from '../../support/sandbox.ts'

const seal = createSeal('test')
const publicValues = runToEnd(demoValuesInSteps())
const mask = (keep: readonly Keepable[] = []): Mask =>
  createMask({
    random: seededRandom('mask'),
    keep,
    seal,
    publicValues,
    span: ['2026-08-14T14:00:00.000Z', '2026-09-30T14:00:00.000Z'],
  })

/** What is sent, and what the clock does between. */
type Step =
  | { readonly method: string; readonly path: string; readonly body?: string; readonly type?: string }
  | { readonly advance: object }

interface Answered {
  readonly status: number
  readonly text: string
}

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Carries out steps, and keeps what was sent and what came back. */
async function startRun(recast: (text: string) => string = (same) => same, options: Partial<SandboxOptions> = {}) {
  const sandbox = await startSandbox(options)
  const start = forkWorld(sandbox.store.world)
  const api = sandbox.client()
  const steps: Step[] = []
  const answers: Answered[] = []

  async function take(given: Step): Promise<Answered> {
    const step = JSON.parse(recast(JSON.stringify(given))) as Step
    steps.push(step)
    if ('advance' in step) {
      expect(await sandbox.call('clock.advance', step.advance)).toMatchObject({ ok: true })
      return { status: 0, text: '' }
    }
    const { method, path, body, type } = step
    const sent = body === undefined ? {} : { raw: body, headers: { 'content-type': type } }
    const { status, text } = await api.call(method, path, sent)
    answers.push({ status, text })
    return { status, text }
  }
  // biome-ignore lint/suspicious/noExplicitAny: an answer as the story expects it.
  const read = ({ text }: Answered): any => (text === '' ? undefined : JSON.parse(text))
  const get = async (path: string) => read(await take({ method: 'GET', path }))
  const send = async (method: string, path: string, body: unknown) =>
    read(await take({ method, path, body: JSON.stringify(body), type: JSON_TYPE }))
  const post = (path: string, body: unknown) => send('POST', path, body)
  const form = async (path: string, fields: object) =>
    read(await take({ method: 'POST', path, body: formOf({ ...fields }), type: FORM_TYPE }))
  const raw = (path: string, body: string) => take({ method: 'POST', path, body, type: JSON_TYPE })
  const advance = (by: string) => take({ advance: { by } })
  return { sandbox, start, steps, answers, take, get, send, post, form, raw, advance }
}
type Run = Awaited<ReturnType<typeof startRun>>

const ADA = {
  first_name: 'Theodora',
  middle_name: 'Quill',
  last_name: 'Lovelace',
  suffix: 'Jr',
  phone: '5155550123',
  ssn: '512-04-8823',
  dob: '1990-04-17',
  address: {
    street1: '1742 Cobblestone Row',
    street2: 'Unit 4B',
    city: 'Marlowe',
    state: 'IA',
    postal_code: '50311-4321',
  },
}
const FIRM = {
  first_name: 'Björn',
  last_name: 'Øster-Lindqvist',
  business_name: "Lindqvist & O'Hara Chandlery, Inc.",
  phone: '3195550188',
  ssn: '47-1234567',
  dob: '1985-12-31',
  address: { street1: 'PO Box 9912', city: 'Dubuque', state: 'WI', postal_code: '52001' },
}
const COUNTERPARTY = 'Penelope Vandermeer'

/** None of these may be found once the mask is on. */
const PERSONAL = [
  ...['Theodora', 'Lovelace', 'Quill', 'theodora.lovelace@', 'Cobblestone', '1742', 'Marlowe', '50311', '4321'],
  ...['5155550123', '515-555-0123', '512-04', '51204', '1990-04-17', 'Björn', 'Øster', 'Lindqvist', 'Chandlery'],
  ...['bjorn@', '3195550188', '47-1234567', '1985-12-31', '9912', 'Dubuque', '52001', 'Penelope', 'Vandermeer'],
  ...['40012345', '5511992', 'Wexford', '18 Gable', 'Gable End', 'Hollyhock'],
  ...['2008-08-20', '2008-08-22', '2008-08-23'],
]

async function runStory(run: Run) {
  const { get, post, send, form, raw, advance } = run
  const types = (await get('/synthetic_account_types')) as Listed
  const typeOf = (category: string) =>
    types.data.find(({ synthetic_account_category }) => synthetic_account_category === category)!.uid!
  const products = await get('/products')
  const product_uid = products.data.find(
    (product: { prerequisite_product_uids: string[] }) => product.prerequisite_product_uids.length === 0,
  ).uid

  // Customers, by JSON and by form; a minor, and the names that decide.
  const ada = await post('/customers', {
    external_uid: 'client-lovelace-1',
    email: 'theodora.lovelace@wexford.example',
    details: ADA,
  })
  const firm = await form('/customers', {
    customer_type: 'sole_proprietor',
    email: 'bjorn@example.test',
    details: FIRM,
  })
  for (const [i, last_name] of ['Smith', 'JOHNSON', 'Smithson'].entries()) {
    const { uid } = await post('/customers', {
      email: `decided${i}@example.test`,
      details: { ...ADA, last_name, ssn: `512-04-880${i}` },
    })
    await post('/customer_products', { customer_uid: uid, product_uid })
  }
  const minor = await post('/customers', {
    email: 'young@example.test',
    details: { ...ADA, dob: '2008-08-20', ssn: '512-04-8899' },
  })
  const born = (dob: string, i: number) =>
    post('/customers', { email: `born${i}@example.test`, details: { ...ADA, dob, ssn: `512-04-889${i}` } })
  const between = await born('2008-08-22', 1)
  for (const { uid } of [ada, firm, minor, between])
    await post('/customer_products', { customer_uid: uid, product_uid })
  await advance('PT2S')
  expect((await get(`/customers/${between.uid}`)).kyc_status).toBe('denied')

  // Refused, each for a reason of its own.
  await post('/customers', { external_uid: 'client-lovelace-1', email: 'theodora.lovelace@wexford.example' })
  await post('/customers', { details: { first_name: 17, phone: 5155550123, ssn: 512048823 } })
  await post('/customers', { frist_name: 'Theodora', surname: 'Lovelace', nickname: 'Theodora', tax_id: '512-04-8823' })
  const wrong = await post('/customers', { email: 'lovelace', details: { ...ADA, ssn: '000-04-8823', phone: '12' } })
  await post('/customer_products', { customer_uid: wrong.uid, product_uid })
  await send('PUT', `/customers/${ada.uid}`, { details: { last_name: 'Lovelace' } })
  await raw('/customers', '{"details":{"first_name":"Theodora","ssn":"512-04-8823","phone":"5155550123"')

  // Found again by what is known of them.
  await get('/customers?first_name=THEODORA')
  await get('/customers?last_name[]=lovelace&last_name[]=smith')
  await get('/customers?email=Theodora.Lovelace@wexford.example')
  for (const part of ['Lind', 'chandlery', 'lindqvist %26 O', 'Chand', 'nobody'])
    expect((await get(`/customers?business_name=${part}`)).total_count).toBe(part === 'nobody' ? 0 : 1)
  await get('/customers?external_uid=client-lovelace-1&include_initiated=true')
  await get('/pools')

  // Accounts of every category, and numbers that decide.
  const { pool_uids } = await get(`/customers/${ada.uid}`)
  const pool_uid = pool_uids[0]
  const [general] = (await get(`/synthetic_accounts?customer_uid=${ada.uid}&liability=true`)).data
  const party = { routing_number: '021000021' }
  const ach = { account_type: 'checking', counterparty_name: COUNTERPARTY }
  const failing = { ...ach, counterparty_name: 'Fail Vandermeer' }
  const ofLease = { line1: '18 Gable End', line2: 'c/o Theodora Lovelace', line3: 'Wexford OH 43604', country: 'US' }
  const wire = { counterparty_name: COUNTERPARTY, counterparty_address: ofLease }
  const inWexford = { ...STRUCTURED, street1: 'Hollyhock Row', city: 'Wexford' }
  const contact = { email: 'penelope@vandermeer.example', phone: '5155550199' }
  const instant_payment = { counterparty_name: COUNTERPARTY, counterparty_address: inWexford, ...contact }
  const rejected = { counterparty_name: COUNTERPARTY, counterparty_address: STRUCTURED }
  const made: Record<string, string> = {}
  for (const [name, category, more] of [
    ['plain', 'ach_external', { account_number: '400123451230', ach }],
    ['returned', 'ach_external', { account_number: '400123459901', ach }],
    ['noticed', 'ach_external', { account_number: '400123459801', ach }],
    ['noticed twice', 'ach_external', { account_number: '400123459806', ach }],
    ['failing', 'ach_external', { account_number: '400123451231', ach: failing }],
    ['wired', 'wire_external', { account_number: '400123451232', wire }],
    ['instant', 'instant_payment_external', { account_number: '400123451233', instant_payment }],
    ['rejected', 'instant_payment_external', { account_number: '55119929301', instant_payment: rejected }],
  ] as const) {
    const body = {
      name: `${name} of Lovelace`,
      pool_uid,
      synthetic_account_type_uid: typeOf(category),
      ...party,
      ...more,
    }
    made[name] = (await post('/synthetic_accounts', body)).uid
    expect(made[name]).toBeDefined()
    if (name === 'plain') await post('/synthetic_accounts', { ...body, name: 'a twin' })
  }
  await post('/synthetic_accounts', {
    name: 'wrong',
    pool_uid,
    synthetic_account_type_uid: typeOf('ach_external'),
    ...party,
    account_number: '40012345x',
    ach,
  })
  const full = await get(`/synthetic_accounts/${general.uid}`)
  await send('PUT', `/synthetic_accounts/${general.uid}`, {
    note: 'asked by Theodora',
    name: 'Savings of Theodora',
    account_number: full.account_number,
  })
  await send('PUT', `/synthetic_accounts/${made.plain}`, { note: 'same', account_number: '400123451230' })
  await get('/synthetic_accounts?sort=net_usd_balance_desc')

  // VRNs, one of which is refused, and one that is not registered.
  for (const name of ['for Theodora Lovelace', 'fail', 'instant payment FAILure'])
    await post('/virtual_reference_numbers', {
      name,
      synthetic_account_uid: general.uid,
      routing_number: full.routing_number,
    })

  // From outside, on every rail.
  const mock = { customer_uid: ada.uid, counterparty_name: COUNTERPARTY }
  for (const more of [
    { transaction_type: 'wire', us_dollar_amount: 90000, counterparty_address: inWexford },
    {
      transaction_type: 'wire',
      us_dollar_amount: 12,
      counterparty_address: { line1: '18 Gable End', country: 'US' },
      wire_instructions: 'for Theodora, 515-555-0123',
    },
    {
      transaction_type: 'ach',
      us_dollar_amount: 55,
      counterparty_name: 'Penelope Vandermeer Établissements',
      iat: true,
    },
    { transaction_type: 'ach', us_dollar_amount: -5, addenda: 'rent of Lovelace 512-04-8823' },
    { transaction_type: 'ach', us_dollar_amount: 7, counterparty_name: null },
    {
      transaction_type: 'instant_payment',
      us_dollar_amount: 5,
      memo: 'thanks Penelope, theodora.lovelace@wexford.example',
    },
    { transaction_type: 'instant_payment', us_dollar_amount: -5 },
    { transaction_type: 'wire', us_dollar_amount: 5, description: 'Rent from Penelope Vandermeer' },
    { transaction_type: 'wire', us_dollar_amount: 0 },
  ])
    await post('/sandbox/mock_transactions', { ...mock, ...more })
  await form('/sandbox/mock_transactions', {
    transaction_type: 'wire',
    customer_uid: firm.uid,
    us_dollar_amount: '250.00',
    counterparty_name: COUNTERPARTY,
  })
  await advance('P1D')
  const wireFrom = (counterparty_name: string) =>
    formatMessage({ code: 'received_credit', facts: { rail: 'wire', counterparty_name } })
  const sentence = wireFrom('Penelope Vandermeer')
  const at = sentence.indexOf('Penelope')
  for (const what of [
    `${sentence.slice(0, at)}Penelope*`,
    `*${sentence.slice(at + 'Penelope '.length)}`,
    `${wireFrom('mock')
      .toLowerCase()
      .replace(/(?<=mock).*$/, '')}*`,
    'Rent from Pene*',
    `*${sentence.slice(at - 5, at)}Pene*`,
  ])
    expect(
      (await get(`/transactions?search_description=${encodeURIComponent(what)}`)).total_count,
      what,
    ).toBeGreaterThan(what.includes('mock') ? -1 : 0)

  // Our own, on every rail, and combined.
  const pay = (to: string | undefined, more: object = {}) =>
    post('/transfers', {
      source_synthetic_account_uid: general.uid,
      destination_synthetic_account_uid: to,
      initiating_customer_uid: ada.uid,
      usd_transfer_amount: '10.00',
      ach: { ...ACH, effective_entry_date: '2026-08-17', originator_name: 'T Lovelace', id_number: 'VANDERMEER 77' },
      ...more,
    })
  for (const name of Object.keys(made)) await pay(made[name])
  await pay(made.instant, {
    initiator_type: 'transmitter',
    instant_payment: {
      memo: 'for Penelope',
      instant_payment_transmitter: {
        name: 'Theodora Lovelace',
        transmitter_identifier: 778899,
        street_number: 18,
        street1: 'Gable End',
        city: 'Wexford',
        state: 'OH',
        postal_code: 43604,
        country: 'US',
      },
    },
  })
  await pay('nowhere')
  for (const [i, account_number] of ['400123457770', '400123459901', '400123451230'].entries())
    await post('/combined_transfers', {
      external_uid: `combined-penelope-${i}`,
      synthetic_account: {
        name: `Combined ${COUNTERPARTY} ${i}`,
        pool_uid,
        synthetic_account_type_uid: typeOf('ach_external'),
        ...party,
        account_number,
        ach,
      },
      transfer: {
        source_synthetic_account_uid: general.uid,
        initiating_customer_uid: ada.uid,
        usd_transfer_amount: '5.00',
        ach: { ...ACH, effective_entry_date: '2026-08-17' },
      },
    })
  await advance('PT10S')
  await advance('P10D')
  await get('/combined_transfers')

  // Of two persons born on the same day, one was too young before, and one is old enough now; a third one is 18 now.
  for (const [i, dob] of ['2008-08-22', '2008-08-23'].entries()) {
    const { uid } = await born(dob, 2 + i)
    await post('/customer_products', { customer_uid: uid, product_uid })
    await advance('PT2S')
    expect((await get(`/customers/${uid}`)).kyc_status).toBe('approved')
  }

  // Adjusted, and archived: the check names the person and the place.
  await send('PUT', `/customers/${ada.uid}`, {
    email: 'theodora.lovelace@wexford.example',
    details: { ...ADA, ssn: undefined, dob: undefined, last_name: 'Vandermeer', middle_name: 'Quill' },
  })
  await advance('PT2S')
  await send('DELETE', `/customers/${firm.uid}`, { archive_note: 'Björn wrote from bjorn@example.test' })
  await advance('P20D')

  for (const list of [
    ...['customers', 'pools', 'synthetic_accounts', 'custodial_accounts', 'transfers', 'transactions', 'returns'],
    ...['virtual_reference_numbers', 'customer_products', 'synthetic_line_items', 'custodial_line_items'],
    ...['combined_transfers', 'transaction_events'],
  ]) {
    const { data } = await get(`/${list}?limit=1000`)
    if (['customers', 'synthetic_accounts', 'transactions', 'transfers', 'pools'].includes(list))
      for (const { uid } of data) await get(`/${list}/${uid}`)
  }
}

/** As an export does, from the records and from the log. */
function learn(run: Run, own = mask()): Mask {
  for (const { collection, record } of recordsOf(run.sandbox.store.world)) own.learn.record(collection, record)
  return learnFromLog(run, own)
}

function learnFromLog(run: Pick<Run, 'steps' | 'answers'>, own = mask()): Mask {
  for (const step of run.steps) {
    if ('advance' in step) continue
    own.learn.path(step.path)
    own.learn.body(step.body ?? '', step.type)
  }
  for (const { text } of run.answers) own.learn.body(text, JSON_TYPE, 'sandbox')
  return own
}

const recordsOf = (world: World) =>
  collectionNames.flatMap((collection) =>
    collectionOf(world, collection)
      .inOrder()
      .map((record) => ({ collection, record })),
  )

const find = (text: string) => PERSONAL.filter((value) => text.toLowerCase().includes(value.toLowerCase()))

/** Sends what was sent, masked, to a fresh sandbox, and expects the masked answers and the masked world. */
async function replayed(first: Run, own: Mask) {
  const maskRecord = (record: StoredRecord) => withOutcomes(own.value(record), own.outcomes)
  const records = recordsOf(first.sandbox.store.world).map((record) => own.value(record))
  maskLog(first, own)
  const second = await startRun(undefined, {
    from: collectionNames.reduce((world, name) => mapCollection(world, name, maskRecord), first.start),
  })
  // An import brings the outcomes with the world.
  installOutcomes(second, own)
  for (const step of first.steps) {
    const masked = 'advance' in step ? step : { ...step, path: own.path(step.path) }
    await second.take(
      'advance' in step || step.body === undefined ? masked : { ...masked, body: own.body(step.body, step.type) },
    )
  }
  const requests = requestsOf(first)
  expect(second.answers).toHaveLength(first.answers.length)
  for (const [i, { status, text }] of first.answers.entries()) {
    const got = second.answers[i]!
    const at = JSON.stringify(requests[i]).slice(0, 200)
    // A search for a part of a text may find other records.
    if (/[?&](?:business_name|search_description)=/.test(requests[i]!.path) && uidsIn(got.text) !== uidsIn(text)) {
      expect({ at, status: got.status }).toEqual({ at, status })
      continue
    }
    expect({ at, status: got.status, body: got.text && JSON.parse(got.text) }).toEqual({
      at,
      status,
      body: text && JSON.parse(own.body(text, JSON_TYPE, 'sandbox')),
    })
  }
  const masked = records.map(({ collection, record }) => ({ collection, record: withOutcomes(record, own.outcomes) }))
  expect(recordsOf(second.sandbox.store.world)).toEqual(masked)
  return { second, masked }
}

const uidsIn = (text: string) => (JSON.parse(text) as Partial<Listed>).data?.map(({ uid }) => uid).join()

function maskLog({ steps, answers }: Pick<Run, 'steps' | 'answers'>, own: Mask) {
  for (const step of steps) if (!('advance' in step)) own.body(step.body ?? '', step.type)
  for (const { text } of answers) own.body(text, JSON_TYPE, 'sandbox')
}

function installOutcomes({ sandbox: { store } }: Run, own: Mask) {
  store.operate({ door: 'operator', name: 'bundles.import' }, (tx) => {
    for (const program of store.world.collections.programs.inOrder())
      tx.programs.put(withOutcomes(program, own.outcomes) as ProgramRecord)
  })
}

const requestsOf = ({ steps }: Run) => steps.flatMap((step) => ('advance' in step ? [] : [step]))

describe('a masked bundle replays', () => {
  it('gives exactly the masked responses to the masked requests, and contains no original personal data', {
    timeout: 600_000,
  }, async () => {
    const first = await startRun()
    await runStory(first)
    const own = learn(first)
    const { second, masked } = await replayed(first, own)

    const log = (await exchangesOf(first.sandbox)).map((exchange) => own.exchange(exchange))
    const sent = requestsOf(second).map(({ path, body }) => `${decodeURIComponent(path)} ${body ?? ''}`)
    expect(find(sent.join('\n'))).toEqual([])
    expect(find(second.answers.map(({ text }) => text).join('\n'))).toEqual([])
    expect(find(JSON.stringify(masked))).toEqual([])
    // Ports, trace ids and milliseconds are luck.
    const run = log.map(({ trace_id: _, ms: __, request, response, ...rest }) => ({
      ...rest,
      headers: [...request.headers, ...response.headers].filter(
        ([name]) => !/^(x-trace-id|host|date|etag)$/.test(name),
      ),
      bodies: [request.body, response.body],
    }))
    expect(find(JSON.stringify(run))).toEqual([])
    expectOpened(masked, log)

    // Without the records no sentence of the answers is known, and all of its words are replaced.
    const unaided = learnFromLog(first)
    const answers = first.answers.map(({ text }) => unaided.body(text, JSON_TYPE, 'sandbox'))
    expect(find(answers.join('\n'))).toEqual([])
  })

  it('also with names that equal words of the sandbox, and very short names', {
    timeout: 600_000,
  }, async () => {
    const cast = [
      ...[['Theodora', 'Wire'] as const, ['THEODORA', 'WIRE'], ['Lovelace', 'Credit'], ['lovelace', 'credit']],
      ...[['Penelope', 'Transfer'] as const, ['Pene', 'Tran'], ['Vandermeer', 'Mock'], ['Wexford', 'Primary']],
      ...[['Marlowe', 'LA'] as const, ['Quill', 'Customer'], ['Bj\u00f6rn', 'Li']],
    ] as const
    const first = await startRun((text) => cast.reduce((all, [name, other]) => all.replaceAll(name, other), text))
    await runStory(first)
    await replayed(first, learn(first))
  })

  it('is the same whether the request log sealed a value or not', { timeout: 600_000 }, async () => {
    const first = await startRun()
    await runStory(first)
    const own = learn(first)
    const log = (await exchangesOf(first.sandbox))
      .reverse()
      // Tokens expire on the way.
      .filter(({ endpoint, status }) => endpoint !== 'createAccessToken' && status !== 401)
    const opened = (text: string) => text.replaceAll(/sealed:[\w-]+/g, (sealed) => seal.open(sealed))
    let compared = 0
    for (const [i, { body = '', type, path }] of requestsOf(first).entries()) {
      const logged = own.exchange(log[i]!)
      const plain = (query: string) => opened(decodeURIComponent(query.replaceAll('+', ' ')))
      expect(plain(logged.path)).toBe(plain(own.path(path)))
      // A number is sealed as text, and what is no JSON is masked for good.
      if (type !== JSON_TYPE || !/^\{.*\}$/.test(body) || body.includes('"ssn":512')) continue
      expect(JSON.parse(opened(logged.request.body))).toEqual(JSON.parse(own.body(body, type)))
      compared++
    }
    expect(compared).toBeGreaterThan(30)
  })
})

/** A seal hides a number from a search: so every seal is opened and looked at. */
function expectOpened(...things: unknown[]) {
  const seals = JSON.stringify(things).match(/sealed(?::|%3A)[\w-]+/g) ?? []
  expect(seals.length).toBeGreaterThan(0)
  const opened = seals.map((text) => seal.open(text.replace('%3A', ':')))
  expect(opened.filter((text) => text.startsWith('sealed:'))).toEqual([])
  expect(find(opened.join('\n'))).toEqual([])
}

/** What is done with the records of the demo world, and with others that share names with them. */
async function runStoryInDemo(run: Run) {
  const { get, post, send, advance } = run
  const find = async (filter: string) => (await get(`/customers?${filter}`)).data[0]
  const [bakery, person] = [await find('business_name=quayside%20bakery'), await find('first_name=NORA-QUILL')]
  const accountsOf = async ({ uid }: Listed['data'][number]): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await get(`/synthetic_accounts?customer_uid=${uid}&limit=1000`)).data.map(
        (account: { name: string; uid: string }) => [account.name, account.uid],
      ),
    )
  const [ofBakery, ofPerson] = [await accountsOf(bakery), await accountsOf(person)]

  const details = {
    ...ADA,
    first_name: 'Nora',
    last_name: 'Reyes',
    address: { ...ADA.address, street1: '14 Quay Street', city: 'Quayside', postal_code: '50010' },
  }
  await post('/customers', { email: 'nora@example.test', details })
  await post('/customers', { email: 'twin@example.test', details: { ...details, first_name: 'Nora-Quill' } })
  await post('/customers', {
    customer_type: 'sole_proprietor',
    email: 'shop@example.test',
    details: { ...FIRM, business_name: 'Marine Bakery Supply', ssn: '51-2070000' },
  })
  await get('/customers?first_name=nora&last_name=reyes')
  expect((await get('/customers?business_name=bake&include_initiated=true')).total_count).toBe(2)

  const pay = (customer: { uid: string }, from: string | undefined, to: string | undefined, more: object) =>
    post('/transfers', {
      source_synthetic_account_uid: from,
      destination_synthetic_account_uid: to,
      initiating_customer_uid: customer.uid,
      usd_transfer_amount: '10.00',
      ...more,
    })
  const ach = { ach: { ...ACH, effective_entry_date: '2026-08-17' } }
  await pay(bakery, ofBakery['Payroll Reserve'], ofBakery['Northern Mill Co'], ach)
  await pay(bakery, ofBakery['Payroll Reserve'], ofBakery['Harbor Leasing Inc'], {})
  await pay(bakery, ofBakery['Payroll Reserve'], ofBakery['Ada Okafor-Lint'], { instant_payment: { memo: 'Wages' } })
  await pay(person, ofPerson['Primary Synthetic Account'], ofPerson['Closed Savings'], ach)
  for (const counterparty_name of ['Card Settlement Co', 'Great Lakes Bank', 'Great Bakery', 'Nora-Quill Reyes'])
    for (const transaction_type of ['ach', 'wire'])
      await post('/sandbox/mock_transactions', {
        customer_uid: person.uid,
        counterparty_name,
        transaction_type,
        us_dollar_amount: 7,
      })
  await send('PUT', `/customers/${person.uid}`, {
    email: 'nora.quint@example.test',
    details: { ...details, first_name: 'Nora-Quill', ssn: undefined, dob: undefined },
  })
  await advance('P10D')
  for (const search of ['Wire credit from Great*', 'opening*', '*from great lakes bank'])
    await get(`/transactions?search_description=${encodeURIComponent(search)}`)
  await pay(person, ofPerson['Primary Synthetic Account'], ofPerson['Ada Okafor-Lint'], { instant_payment: {} })
  await send('DELETE', `/customers/${person.uid}`, { archive_note: 'Nora-Quill has moved' })
  await advance('P20D')
  for (const list of ['customers', 'pools', 'synthetic_accounts', 'transfers', 'transactions', 'combined_transfers'])
    for (const { uid } of (await get(`/${list}?limit=1000`)).data) await get(`/${list}/${uid}`)
}

describe('a masked bundle of a demo world', () => {
  it('replays, with the records of the demo as they are and everything else masked', { timeout: 600_000 }, async () => {
    const first = await startRun(undefined, { world: 'demo' })
    await runStoryInDemo(first)
    const own = learn(first)
    const { masked } = await replayed(first, own)
    const text = JSON.stringify(masked)
    // Also those of which the log searches for a part.
    const known = ['Nora-Quill', 'Lighthouse Marine Supply', 'Northern Mill Co', 'Quayside Bakery', 'Great Lakes Bank']
    for (const name of known) expect(text).toContain(name)
    const ownNames = ['"Nora"', '"Reyes"', '14 Quay Street', '"Quayside"', '50010', 'Marine Bakery', '51-2070000']
    expect(ownNames.filter((name) => text.includes(name))).toEqual([])
  })

  it('has the same demo world, but for account numbers that force outcomes', async () => {
    const { start } = await startRun(undefined, { world: 'demo' })
    const own = mask()
    const records = recordsOf(start)
    for (const { record } of records) own.learn.value(record)
    const changed = records.filter(({ record }) => JSON.stringify(own.value(record)) !== JSON.stringify(record))
    expect(changed.map(({ record }) => (record as { account_number?: string }).account_number)).toEqual(['4001739901'])
  })
})

it('a masked record still matches the contract, and holds no value that forces an outcome', async () => {
  const run = await startRun()
  await runStory(run)
  const own = learn(run)
  const schemas: Readonly<Record<string, Endpoint>> = {
    customers: endpoints.getCustomer,
    pools: endpoints.getPool,
    synthetic_accounts: endpoints.getSyntheticAccount,
    transactions: endpoints.getTransaction,
    transfers: endpoints.getTransfer,
  }
  const requests = requestsOf(run)
  let parsed = 0
  for (const [i, { status, text }] of run.answers.entries()) {
    const request = requests[i]!
    if (request.method !== 'GET' || status !== 200) continue
    const [, collection = '', uid] = request.path.split(/[/?]/)
    const endpoint = schemas[collection]
    if (!uid || request.path.includes('?') || !endpoint) continue
    const masked: unknown = JSON.parse(own.body(text, JSON_TYPE, 'sandbox'))
    expect(endpoint.response.parse(masked)).toEqual(masked)
    parsed++
  }
  expect(parsed).toBeGreaterThan(50)
  const customers = recordsOf(run.sandbox.store.world).filter(({ collection }) => collection === 'customers')
  const lastNames = customers.map(
    ({ record }) => (own.value(record) as unknown as { details: { last_name: string } }).details.last_name,
  )
  expect(lastNames.length).toBeGreaterThan(3)
  expect(lastNames.filter((name) => /^(smith|johnson|smithson)$/i.test(name))).toEqual([])
  const masked = JSON.stringify(recordsOf(run.sandbox.store.world).map((record) => own.value(record)))
  expect(masked).not.toMatch(/smith|johnson|counterparty_name":"fail|4\d+(?:9901|9801|9806)"|9301"/i)
  const outcomes = own.outcomes!
  expect(Object.values(outcomes.last_names).sort()).toEqual(['denied', 'manual_review'])
  expect(Object.values(outcomes.names)).toContain('failure')
  expect(Object.values(outcomes.account_numbers)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ach_return: 'R01' }),
      { noc: 'C01' },
      { noc: 'C06' },
      { rejection: 'ERR301' },
    ]),
  )
})

it('makes masked names of syllables: pronounceable, and the same for the same word', () => {
  const own = mask()
  const names = ['Theodora', 'LOVELACE', 'Schwartzkopff', 'Björn', 'Øster-Lindqvist', 'Ng', 'Theodora']
  for (const first_name of names) own.learn.value({ first_name })
  const masked = names.map((first_name) => own.value({ first_name }).first_name)
  expect(masked.at(-1)).toBe(masked[0])
  expect(masked.map((name) => name.length)).toEqual(names.map((name) => name.length))
  for (const name of masked) expect(name).not.toMatch(/[a-z]*(?:[aeiou]{2}|[bcdfghjklmnpqrstvwxz]{2})/i)
  expect(masked[1]).toMatch(/^[A-Z]{8}$/)
  expect(new Set(masked).size).toBe(names.length - 1)
})

it('masks the state and the suffix of a person and the last four digits of an SSN, unless they are kept', () => {
  const person = {
    details: { first_name: 'Theodora', suffix: 'Jr', ssn: '512-04-8823', dob: '1990-04-17', address: { state: 'TX' } },
    ssn_last_four: '8823',
  }
  const own = mask()
  own.learn.value(person)
  const masked = own.value(person)
  expect(JSON.stringify(masked)).not.toMatch(/"Jr"|8823|"TX"|-04-/)
  expect(masked.details.address.state).toMatch(/^[A-Z]{2}$/)
  expect(masked.details.ssn.slice(-4)).toBe(masked.ssn_last_four)
  const kept = mask(['state', 'suffix', 'ssn_last_four'])
  kept.learn.value(person)
  const shown = kept.value(person)
  expect(shown).toMatchObject({ details: { suffix: 'Jr', address: { state: 'TX' } }, ssn_last_four: '8823' })
  expect(shown.details.ssn).toMatch(/^\d{3}-\d{2}-8823$/)
  expect(JSON.stringify(shown)).not.toMatch(/Theodora|512-04|1990-04/)
})

it('masks the name that a notification of change corrects', () => {
  const ach = { noc_code: 'C04', noc_corrected_data: 'AARON VELAZQUEZ' }
  const masked = JSON.parse(mask().body(JSON.stringify({ ach }), JSON_TYPE, 'sandbox')) as { ach: typeof ach }
  expect(masked.ach).toEqual({ noc_code: 'C04', noc_corrected_data: expect.stringMatching(/^[A-Z]{5} [A-Z]{9}$/) })
  expect(masked.ach.noc_corrected_data).not.toMatch(/AARON|VELAZQUEZ/)
})

it('masks fields of callers that have the same names as fields of the sandbox', () => {
  const own = mask()
  const body = JSON.stringify({
    hmac_key: 'nothing',
    profile_requirements: [],
    details: { first_name: 'Wilhelmina', last_name: 'Oxenfree', email: 'mina@oxen.example' },
  })
  own.learn.body(body, JSON_TYPE)
  expect(own.body(body, JSON_TYPE)).not.toMatch(/Wilhelmina|Oxenfree|mina@/)
})

it.each([
  ['hyphens', '512-04-8823'],
  ['blanks', '512 04 8823'],
  ['en dashes', '512\u201304\u20138823'],
  ['no-break spaces', '512\u00a004\u00a08823'],
  ['several separators', '512 - 04 - 8823'],
])('masks a Social Security number with %s in the free text of a record as the request log seals it', (_, number) => {
  const own = mask()
  own.learn.value({ ssn: '512-04-8823' })
  const hidden = own.value({ ssn: '512-04-8823' }).ssn.replaceAll('-', '')
  const { external_uid } = own.value({ external_uid: `for ${number}, now` })
  expect(external_uid).toMatch(/^for .*, now$/)
  expect(external_uid.replaceAll(/\D/g, '')).toBe(hidden)
  const logged = new Redaction(
    () => seal,
    () => [],
  ).redactBody(JSON.stringify({ external_uid: `for ${number}, now` }), JSON_TYPE)
  expect(logged).toContain('sealed:')
  expect(JSON.parse(unsealText(own.body(logged, JSON_TYPE), seal))).toEqual({ external_uid })
})

it('masks a name that ACH has cut like the whole one, also where it was learned', () => {
  const own = mask()
  const payment = { counterparty_name: 'Theodora Vandermeer', originator_name: 'Theodora Vanderm' }
  own.learn.value(payment)
  const masked = own.value(payment)
  expect(masked.originator_name).toBe(masked.counterparty_name.slice(0, 16))
})

it('keeps the name of a Program, also where a payment shows it as ACH cuts it', () => {
  const own = mask()
  own.learn.record('programs', { name: 'Seaside & Sons Ledger' } as unknown as StoredRecord)
  own.learn.value({ counterparty_name: 'Seaside Arcade' })
  expect(own.value({ originator_name: 'Seaside  Sons Le' })).toEqual({ originator_name: 'Seaside  Sons Le' })
  expect(own.value({ counterparty_name: 'Seaside Arcade' }).counterparty_name).not.toContain('Seaside')
})
