import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type MethodName, methodNames } from '../../src/api/contract/control/methods.ts'
import { transferBody, type WorldUids } from '../figures/worlds.ts'
import { type Body, type Client, expectSuccess } from '../support/client.ts'
import { allEndpoints, changingMethods, exampleInput, valuesOf } from '../support/examples.ts'

/**
 * The calls that are measured, in their order: first those that read, at the end those that replace the world. A method without an input
 * of its own is called as in its example.
 */

export interface Call {
  /** A control method, perhaps with a comma and a case; or an endpoint. */
  readonly name: string
  /** Later calls need its effect, so it always runs. */
  readonly isPreparation?: boolean
  /** Returns the status of the answer. */
  readonly send: () => Promise<number>
}

type Input = object | (() => object | Promise<object>)
/** A method; a case of it; its input, if it is not that of the example. */
type Row = readonly [name: MethodName, variant?: string, input?: Input | undefined]

const LOGGED_REQUESTS = 10_000
const NOW = '2026-08-20T14:00:00.000Z'
const OF_REQUESTS = `of ${LOGGED_REQUESTS} requests`
/** Of the variants: later calls need what they do. */
const NEEDED = new Set([
  `bundles.export, ${OF_REQUESTS}`,
  'world.rewind, back before a reset',
  `bundles.import, ${OF_REQUESTS}`,
])
/** What the examples name, and a large world has not. The receiver cannot be reached, so deliveries wait. */
const BEFORE = [
  ['webhooks.create', { url: 'http://127.0.0.1:9', topics: ['customers'], confirm: false }],
  ['webhooks.test'],
  ['snapshots.keep'],
  ['scenarios.save'],
  ['worlds.create'],
] as const satisfies readonly (readonly [MethodName, object?])[]
/** They come last. */
const LAST = new Set<MethodName>([
  ...([
    'worlds.keep',
    'worlds.drop',
    'operations.undo',
    'operations.redo',
    'world.rewind',
    'snapshots.restore',
  ] as const),
  ...(['world.reset', 'bundles.import', 'snapshots.delete', 'tokens.expire'] as const),
])
/** The world of the example is made before the others. */
const REPLACED_BY_VARIANTS = new Set<MethodName>(['world.rewind', 'bundles.import', 'worlds.create'])

export async function createCalls(client: Client, uids: WorldUids, data: string): Promise<readonly Call[]> {
  const customer = { collection: 'customers', uid: uids.customer }
  const account = { collection: 'synthetic_accounts', uid: uids.from }
  const latest = new Map<string, Body>()
  const control = (row: Row) => controlCall(client, customer, latest, row)
  const api = (name: string, method: string, path: string, json?: object): Call => ({
    name: `${name}, ${method} ${path.replace(uids.from, '…').replace(uids.customer, '…')}`,
    send: async () => (await client.api(method, path, json)).status,
  })
  const seq = async (back = 0) => Number((await client.control('world.describe')).body.seq) - back
  const first = async (collection: string): Promise<Body> =>
    (await client.control('records.list', { collection, limit: 1 })).body.data[0]
  const byExample = (isWanted: (name: MethodName) => boolean) =>
    methodNames.filter((name) => isWanted(name) && !REPLACED_BY_VARIANTS.has(name)).map((name) => control([name]))
  const isChanging = (name: MethodName) => changingMethods.includes(name)

  return [
    ...BEFORE.map(([name, input]) => ({ ...control([name, 'before the others', input]), isPreparation: true })),
    ...listingCalls(api, uids),
    ...byExample((name) => !isChanging(name)),
    ...readingRows(customer, account, async () => (await first('transactions')).uid).map(control),
    api('createTransfer', 'POST', '/transfers', transferBody(uids, 'book', NOW)),
    ...byExample((name) => isChanging(name) && !LAST.has(name)),
    saveWorldFile(client, uids, data),
    ...(
      [
        ['clock.advance', 'over the close of three days', { by: 'P3D' }],
        ['webhooks.record_attempts', 'of a waiting delivery', () => attemptOf(client)],
        ['exchanges.send', 'a page of 100', { method: 'GET', path: '/transactions?limit=100' }],
        ['exchanges.repair', 'an amount above the limit', { request: tooLarge(uids) }],
        ['exchanges.replay', 'then', async () => ({ since: await seq(5), into: 'then' })],
        ['exchanges.replay', 'present', async () => ({ since: await seq(5), into: 'present' })],
        ['worlds.create', 'of a snapshot', { from: { snapshot: 'before' } }],
        ['worlds.create', 'of an earlier commit', async () => ({ from: { commit: await seq(10) } })],
        ['reach', 'of an error', { goal: 'error=3005' }],
        ['world.changes', 'since 20,000 commits', async () => ({ since: await seq(20_000) })],
        ['worlds.keep', '', { name: 'branch', folder: join(data, '..', 'kept') }],
        ['worlds.drop'],
        ['world.rewind', '10 commits', async () => ({ seq: await seq(10) })],
        ['world.rewind', '20,000 commits', async () => ({ seq: await seq(20_000) })],
        [
          'operations.count',
          'of two years',
          { from: '2025-08-20T14:00:00.000Z', to: '2027-08-20T14:00:00.000Z', parts: 500 },
        ],
        ['operations.undo'],
        ['operations.redo'],
        ['snapshots.restore'],
        ['snapshots.restore', 'of the same world'],
        ['world.reset'],
        ['world.commits', 'after a reset'],
        ['why', 'after a reset', async () => ({ collection: 'customers', uid: (await first('customers')).uid })],
      ] satisfies readonly Row[]
    ).map(control),
    createCustomers(client, LOGGED_REQUESTS),
    ...(
      [
        ['bundles.export', OF_REQUESTS],
        ['world.rewind', 'back before a reset', async () => ({ seq: await seq(LOGGED_REQUESTS + 1) })],
        ['why', 'after a rewind', { ...customer, field: 'status' }],
        ['world.reset', 'empty', { world: 'empty' }],
        ['snapshots.restore', 'into an empty world'],
        ['bundles.import', OF_REQUESTS, () => ({ text: latest.get(`bundles.export, ${OF_REQUESTS}`).text })],
        ['snapshots.delete'],
        ['tokens.expire'],
      ] satisfies readonly Row[]
    ).map(control),
  ]
}

/** Without an input it is called as in its example, with the values of the world at that moment. */
function controlCall(client: Client, near: object | undefined, latest: Map<string, Body>, row: Row): Call {
  const [method, variant = '', input] = row
  const name = variant === '' ? method : `${method}, ${variant}`
  const example = async () =>
    exampleInput(method, valuesOf(await expectSuccess(client.control('requests.examples', near && { near }))))
  return {
    name,
    isPreparation: NEEDED.has(name),
    async send() {
      const sent = typeof input === 'function' ? await input() : (input ?? (await example()))
      const { status, body } = await client.control(method, sent)
      latest.set(name, body)
      return status
    },
  }
}

async function attemptOf(client: Client): Promise<object> {
  const { data } = (await client.control('events.list', { limit: 1 })).body
  const { uid, attempts } = data[0].deliveries[0]
  const outcome = { status: 503, error: null, answer: null, ms: 1 }
  return { outcomes: [{ delivery_uid: uid, attempt: attempts.length + 1, ...outcome }] }
}

const tooLarge = (uids: WorldUids) => ({
  method: 'POST',
  path: '/transfers',
  body: JSON.stringify({ ...transferBody(uids, 'book', NOW), usd_transfer_amount: '99999999999.00' }),
})

/** Beyond the examples: what has the most to do. */
function readingRows(customer: Body, account: Body, payment: () => Promise<string>): Row[] {
  const onAccount = { account_uid: account.uid }
  const list = (variant: string, input: object): Row => [
    'records.list',
    variant,
    { collection: 'transactions', limit: 1000, ...input },
  ]
  return [
    ['calendar.read', '400 days', { from: '2026-01-01', days: 400 }],
    list('a page of 1,000', {}),
    list('a late page', { limit: 100, offset: 90_000 }),
    list('line items', { collection: 'synthetic_line_items' }),
    list('by amount', { order: { field: 'us_dollar_amount', descending: true } }),
    list('in a range, by description', {
      type: 'wire',
      ranges: [{ field: 'created_at', from: '2026-01-01' }],
      order: { field: 'description' },
    }),
    list('by balance', { collection: 'synthetic_accounts', order: { field: 'net_usd_balance' } }),
    ['records.search', 'a name', { text: 'Oyl' }],
    ['records.search', 'an amount', { text: '0.01' }],
    ['records.search', 'without a result', { text: 'no such text' }],
    ['records.history', 'of an account', account],
    ['records.operations', 'of an account', account],
    ['records.related', 'of an account', account],
    ['records.story', '20,000 entries', { uid: customer.uid, limit: 20_000 }],
    ['why', 'of a balance', { ...account, field: 'net_usd_balance' }],
    ['why', 'of a payment', async () => ({ collection: 'transactions', uid: await payment() })],
    ['now.read', 'needs', { parts: ['needs'] }],
    ['now.read', 'money', { parts: ['money'] }],
    ['now.read', 'flow', { parts: ['flow'] }],
    ['requests.try', 'an archival', { endpoint: 'archiveCustomer', params: { uid: customer.uid }, body: {} }],
    ['requests.foresee', 'an archival', { endpoint: 'archiveCustomer', params: { uid: customer.uid }, body: {} }],
    ['clock.preview', 'until idle', { until: 'idle' }],
    ['ledger.accounts', 'of an earlier instant', { at: '2026-08-15T00:00:00.000Z' }],
    ['ledger.lines', 'of an account', { ...onAccount, limit: 1000, offset: 50_000 }],
    ['ledger.reconciliation', '60 days', { days: 60 }],
    ['world.commits', '1,000', { limit: 1000 }],
    ['world.commits', 'early ones', { before: 120_000 }],
  ]
}

/** All authorizations end at one instant. */
export const createAuthorizationCalls = (client: Client): readonly Call[] => [
  { name: 'listTransactions', send: async () => (await client.api('GET', '/transactions?limit=100')).status },
  ...(
    [
      ['clock.advance', 'by an hour', { by: 'PT1H' }],
      ['clock.advance', 'over the end of all authorizations', { by: 'PT23H30M' }],
      ['clock.advance', 'until idle', { by: 'P3D' }],
    ] satisfies readonly Row[]
  ).map((row) => controlCall(client, undefined, new Map(), row)),
]

/** Until a condition is met, 8 at once. Returns the last status. */
async function sendMany(isDone: () => boolean, send: () => Promise<{ status: number }>): Promise<number> {
  let status = 0
  const sendUntilDone = async () => {
    while (!isDone()) status = (await send()).status
  }
  await Promise.all(Array.from({ length: 8 }, sendUntilDone))
  return status
}

/** Fills the request log, so that there is much to export and import. */
function createCustomers(client: Client, count: number): Call {
  let sent = 0
  const send = () => client.api('POST', '/customers', { email: 'ada@example.com' })
  return {
    name: `createCustomer, ${count} times`,
    isPreparation: true,
    send: () => sendMany(() => sent++ >= count, send),
  }
}

/** Sends Transfers until so much has been committed that the world file is rewritten, and until it is in its place. */
function saveWorldFile(client: Client, uids: WorldUids, data: string): Call {
  const savedAt = () => statSync(join(data, 'world.jsonl')).mtimeMs
  return {
    name: 'createTransfer, until the world file is rewritten',
    send() {
      const before = savedAt()
      return sendMany(
        () => savedAt() !== before,
        () => client.api('POST', '/transfers', transferBody(uids, 'book', NOW)),
      )
    },
  }
}

/** Every endpoint that lists, with its default page; and the pages that have the most to do. */
function listingCalls(api: (name: string, method: string, path: string) => Call, uids: WorldUids): Call[] {
  const listings = allEndpoints.filter(
    ([, { method, path, query }]) => method === 'GET' && query && !path.includes('{'),
  )
  const pages = ['limit=1000', 'offset=90000&limit=100', `customer_uid=${uids.customer}`]
  const sorted = [`synthetic_account_uid=${uids.from}`, 'status=settled&sort=-created_at']
  return [
    ...listings.map(([name, { path }]) => api(name, 'GET', path)),
    ...[...pages, ...sorted].map((query) => api('listTransactions', 'GET', `/transactions?${query}`)),
    api('listTransfers', 'GET', '/transfers?limit=1000'),
    ...['created_at_desc', 'us_dollar_amount_asc', 'description_asc'].map((order) =>
      api('listSyntheticLineItems', 'GET', `/synthetic_line_items?sort=${order}`),
    ),
    api('getCustomer', 'GET', `/customers/${uids.customer}`),
    api('getSyntheticAccount', 'GET', `/synthetic_accounts/${uids.from}`),
  ]
}
