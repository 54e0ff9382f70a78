import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type MethodName, methodNames } from '../../src/api/contract/control/methods.ts'
import type { ExampleValues } from '../../src/api/contract/terms/examples.ts'
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
type Row = readonly [name: MethodName, variant?: string, input?: Input]

const LOGGED_REQUESTS = 10_000
const NOW = '2026-08-20T14:00:00.000Z'
/** Later calls need what they do. */
const PREPARATIONS = new Set([
  ...[
    'world.describe',
    'webhooks.create',
    'moves.make, with an event',
    'moves.make, with another event',
    'events.list',
  ],
  ...['snapshots.keep', `bundles.export, of ${LOGGED_REQUESTS} requests`, 'world.rewind, back before a reset'],
  `bundles.import, of ${LOGGED_REQUESTS} requests`,
])

export async function createCalls(client: Client, uids: WorldUids, data: string): Promise<readonly Call[]> {
  const customer = { collection: 'customers', uid: uids.customer }
  const account = { collection: 'synthetic_accounts', uid: uids.from }
  const values = valuesOf(await expectSuccess(client.control('requests.examples', { near: customer })))
  const latest = new Map<string, Body>()
  const control = (row: Row) => controlCall(client, values, latest, row)
  const api = (name: string, method: string, path: string, json?: object): Call => ({
    name: `${name}, ${method} ${path.replace(uids.from, '…').replace(uids.customer, '…')}`,
    send: async () => (await client.api(method, path, json)).status,
  })
  const seq = async (back = 0) => Number((await client.control('world.describe')).body.seq) - back
  const first = async (collection: string): Promise<Body> =>
    (await client.control('records.list', { collection, limit: 1 })).body.data[0]
  const task = async () => ({ uid: (await client.control('tasks.list')).body.tasks[0].uid })

  return [
    ...(['world.describe'] as const).map((name) => control([name])),
    ...listingCalls(api, uids),
    ...methodNames.filter((name) => !changingMethods.includes(name) && !LATER.has(name)).map((name) => control([name])),
    ...readingRows(customer, account, async () => (await first('transactions')).uid).map(control),
    api('createTransfer', 'POST', '/transfers', transferBody(uids, 'book', NOW)),
    ...(
      [
        ['clock.set', '', { mode: 'frozen' }],
        ['clock.advance', '', { by: 'PT1H' }],
        ['clock.cancel'],
        [
          'moves.make',
          '',
          async () => ({
            collection: 'transactions',
            uid: (await first('transactions')).uid,
            move: 'return',
            inputs: {},
          }),
        ],
        ...WRITING.map((name) => [name] as const),
        ...(['tasks.hold', 'tasks.release', 'tasks.run'] as const).map((name) => [name, '', task] as const),
        ...webhookRows(latest, customer),
      ] satisfies readonly Row[]
    ).map(control),
    saveWorldFile(client, uids, data),
    ...(
      [
        ['clock.advance', 'over the close of three days', { by: 'P3D' }],
        [
          'exchanges.get',
          '',
          async () => ({ uid: (await client.control('exchanges.list', { limit: 1 })).body.data[0].uid }),
        ],
        ['exchanges.send', '', { method: 'GET', path: '/transactions?limit=100' }],
        ['exchanges.repair', 'an amount above the limit', { request: tooLarge(uids) }],
        ['scenarios.read', '', { name: 'ach-debit' }],
        ['scenarios.save', '', () => ({ name: 'stalls', text: latest.get('scenarios.read').text })],
        ['scenarios.step', '', { name: 'stalls' }],
        ['scenarios.run', '', { name: 'stalls' }],
        ['scenarios.pause'],
        ['scenarios.record'],
        ['scenarios.delete', '', { name: 'stalls' }],
        ['work.cancel'],
        ['snapshots.keep'],
        ['snapshots.compare'],
        ['bundles.export'],
        ['exchanges.replay', '', async () => ({ since: await seq(5), into: 'then' })],
        ['exchanges.replay', 'present', async () => ({ since: await seq(5), into: 'present' })],
        ['worlds.create'],
        ['worlds.create', 'of a snapshot', { from: { snapshot: 'before' } }],
        ['worlds.create', 'of an earlier commit', async () => ({ from: { commit: await seq(10) } })],
        ['worlds.compare'],
        ['worlds.try'],
        ['reach', 'of an error', { goal: 'error=3005' }],
        ['world.changes', 'since 20,000 commits', async () => ({ since: await seq(20_000) })],
        ['worlds.keep', '', { name: 'branch', folder: join(data, '..', 'kept') }],
        ['worlds.drop'],
        ['world.rewind', '10 commits', async () => ({ seq: await seq(10) })],
        ['world.rewind', '20,000 commits', async () => ({ seq: await seq(20_000) })],
        ['operations.list'],
        [
          'operations.count',
          'of two years',
          { from: '2025-08-20T14:00:00.000Z', to: '2027-08-20T14:00:00.000Z', parts: 500 },
        ],
        ['operations.preview'],
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
        ['bundles.export', `of ${LOGGED_REQUESTS} requests`],
        ['world.rewind', 'back before a reset', async () => ({ seq: await seq(LOGGED_REQUESTS + 1) })],
        ['why', 'after a rewind', { ...customer, field: 'status' }],
        ['world.reset', 'empty', { world: 'empty' }],
        ['snapshots.restore', 'into an empty world'],
        [
          'bundles.import',
          `of ${LOGGED_REQUESTS} requests`,
          () => ({ text: latest.get(`bundles.export, of ${LOGGED_REQUESTS} requests`).text }),
        ],
        ['snapshots.delete'],
        ['tokens.expire'],
      ] satisfies readonly Row[]
    ).map(control),
  ]
}

function controlCall(client: Client, values: ExampleValues, latest: Map<string, Body>, row: Row): Call {
  const [method, variant = '', input = exampleInput(method, values)] = row
  const name = variant === '' ? method : `${method}, ${variant}`
  return {
    name,
    isPreparation: PREPARATIONS.has(name),
    async send() {
      const sent = typeof input === 'function' ? await input() : input
      const { status, body } = await client.control(method, sent)
      latest.set(name, body)
      return status
    },
  }
}

/** These need what others have done. */
const LATER = new Set<MethodName>([
  ...(['world.describe', 'webhooks.list', 'events.list', 'events.get', 'exchanges.get'] as const),
  ...(['scenarios.read', 'scenarios.record', 'snapshots.compare', 'bundles.export', 'worlds.compare'] as const),
])
const tooLarge = (uids: WorldUids) => ({
  method: 'POST',
  path: '/transfers',
  body: JSON.stringify({ ...transferBody(uids, 'book', NOW), usd_transfer_amount: '99999999999.00' }),
})
const WRITING = [
  ...(['operator.create_customer', 'transactions.inject', 'programs.create', 'programs.update'] as const),
  ...(['programs.rotate_key', 'faults.set', 'faults.clear'] as const),
] satisfies MethodName[]

/** With a receiver that cannot be reached, so each delivery waits for its next attempt. */
function webhookRows(latest: ReadonlyMap<string, Body>, customer: object): Row[] {
  const webhook = () => ({ uid: String(latest.get('webhooks.create').uid) })
  const event = () => ({ uid: String(latest.get('events.list').data[0].uid) })
  const lock = { ...customer, move: 'lock', inputs: { lock_reason: 'Lost phone' } }
  const outcome = { status: 503, error: null, answer: null, ms: 1 }
  return [
    ['webhooks.create', '', { url: 'http://127.0.0.1:9', topics: ['customers'], confirm: false }],
    ['webhooks.list'],
    ['moves.make', 'with an event', lock],
    ['moves.make', 'with another event', { ...lock, move: 'unlock', inputs: {} }],
    ['events.list'],
    ['events.get', '', event],
    ['events.hold', '', event],
    [
      'webhooks.record_attempts',
      '',
      () => {
        const { uid, attempts } = latest.get('events.hold').deliveries[0]
        return { outcomes: [{ delivery_uid: uid, attempt: attempts.length + 1, ...outcome }] }
      },
    ],
    ['events.release', '', event],
    ['events.resend', '', event],
    ['events.send_example', '', () => ({ webhook_uid: webhook().uid, event: 'transfers.created' })],
    ['webhooks.test', '', webhook],
    ['webhooks.update', '', () => ({ ...webhook(), status: 'paused' })],
    ['webhooks.delete', '', webhook],
  ]
}

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
    ['records.related', 'of an account', account],
    ['records.story', '20,000 entries', { uid: customer.uid, limit: 20_000 }],
    ['why', 'of a balance', { ...account, field: 'net_usd_balance' }],
    ['why', 'of a payment', async () => ({ collection: 'transactions', uid: await payment() })],
    ['world.pulse', 'all', { period: 'all' }],
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
  ).map((row) => controlCall(client, new Map(), new Map(), row)),
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
