import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { MethodInput, MethodName } from '../../src/api/contract/control/methods.ts'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import { transferBody, type WorldUids } from '../figures/worlds.ts'
import type { Body, Client } from '../support/client.ts'

/** The calls that are measured, in their order: first those that read, at the end those that replace the world. */

export interface Call {
  /** A control method, perhaps with a comma and a case; or an endpoint. */
  readonly name: string
  /** Later calls need its effect, so it always runs. */
  readonly isPreparation?: boolean
  /** Returns the status of the answer. */
  readonly send: () => Promise<number>
}

export function createCalls(client: Client, uids: WorldUids, data: string): readonly Call[] {
  const latest = new Map<string, Body>()
  const control = <N extends MethodName>(
    name: N,
    input: MethodInput<N> | (() => MethodInput<N> | Promise<MethodInput<N>>),
    variant = '',
    isPreparation = false,
  ): Call => ({
    name: variant === '' ? name : `${name}, ${variant}`,
    isPreparation,
    send: async () => {
      const { status, body } = await client.control(
        name,
        (typeof input === 'function' ? await input() : input) as object,
      )
      latest.set(name, body)
      return status
    },
  })
  const api = (name: string, method: string, path: string, json?: () => Promise<unknown>): Call => ({
    name: `${name}, ${method} ${path.replace(uids.from, '…').replace(uids.customer, '…')}`,
    send: async () => (await client.api(method, path, await json?.())).status,
  })
  const first = async (collection: string): Promise<Body> =>
    (await client.control('records.list', { collection, limit: 1 })).body.data[0]
  const program = async () => String((await first('programs')).uid)
  const payment = async () => (await first('transactions')).uid
  const customer = { collection: 'customers', uid: uids.customer }
  const task = async () => (await client.control('tasks.list')).body.tasks[0].uid
  const seq = async () => Number((await client.control('world.describe')).body.seq)

  return [
    control('world.describe', {}, '', true),
    ...listingCalls(api, uids),
    ...readingCalls(control, customer, uids, payment),
    ...writingCalls(control, api, uids, program, payment, task),
    ...webhookCalls(control, latest, uids.customer),
    saveWorldFile(client, uids, data),
    control('clock.advance', { by: 'P3D' }, 'over the close of three days'),
    control('exchanges.list', {}),
    control('exchanges.get', async () => {
      const { body } = await client.control('exchanges.list', { limit: 1 })
      return { uid: body.data[0].uid }
    }),
    control('exchanges.send', { method: 'GET', path: '/transactions?limit=100' }),
    control('scenarios.list', {}),
    control('scenarios.read', { name: 'ach-debit' }),
    control('scenarios.save', () => ({ name: 'stalls', text: latest.get('scenarios.read').text })),
    control('scenarios.step', { name: 'stalls' }),
    control('scenarios.run', { name: 'stalls' }),
    control('scenarios.pause', {}),
    control('scenarios.record', {}),
    control('scenarios.delete', { name: 'stalls' }),
    control('work.cancel', {}),
    control('snapshots.keep', { name: 'full' }, '', true),
    control('snapshots.list', {}),
    control('snapshots.compare', { a: 'full' }),
    control('bundles.export', { note: 'stalls' }),
    control('recordings.describe', { text: 'curl http://127.0.0.1/customers' }),
    control('exchanges.replay', async () => ({ since: (await seq()) - 5, into: 'then' as const })),
    control('exchanges.replay', async () => ({ since: (await seq()) - 5, into: 'present' as const }), 'present'),
    control('worlds.create', { name: 'fork', from: 'current' }),
    control('worlds.create', { from: { snapshot: 'full' } }, 'of a snapshot'),
    control('worlds.create', async () => ({ from: { commit: (await seq()) - 10 } }), 'of an earlier commit'),
    control('worlds.list', {}),
    control('worlds.compare', { b: 'fork' }),
    control('worlds.keep', { name: 'fork', folder: join(data, '..', 'kept') }),
    control('worlds.drop', { name: 'fork' }),
    control('sandbox.identify', {}),
    control('sandbox.stop', { nonce: 'of another sandbox' }),
    control('world.rewind', async () => ({ seq: (await seq()) - 10 }), '10 commits'),
    control('world.rewind', async () => ({ seq: (await seq()) - 20_000 }), '20,000 commits'),
    control('snapshots.restore', { name: 'full' }),
    control('snapshots.restore', { name: 'full' }, 'of the same world'),
    control('world.reset', { world: 'demo' }),
    control('world.commits', {}, 'after a reset'),
    control('why', async () => ({ collection: 'customers', uid: (await first('customers')).uid }), 'after a reset'),
    createCustomers(client, LOGGED_REQUESTS),
    control('bundles.export', {}, `of ${LOGGED_REQUESTS} requests`, true),
    control('world.rewind', async () => ({ seq: (await seq()) - LOGGED_REQUESTS - 1 }), 'back before a reset', true),
    control('why', { ...customer, field: 'status' }, 'after a rewind'),
    control('world.reset', { world: 'empty' }, 'empty'),
    control('snapshots.restore', { name: 'full' }, 'into an empty world'),
    control(
      'bundles.import',
      () => ({ text: latest.get('bundles.export').text }),
      `of ${LOGGED_REQUESTS} requests`,
      true,
    ),
    control('snapshots.delete', { name: 'full' }),
    control('tokens.expire', async () => ({ uid: await program() })),
  ]
}

/** With a receiver that cannot be reached, so each delivery waits for its next attempt. */
function webhookCalls(control: CreateCall, latest: ReadonlyMap<string, Body>, customer: string): Call[] {
  const webhook = () => ({ uid: String(latest.get('webhooks.create').uid) })
  const event = () => ({ uid: String(latest.get('events.list').data[0].uid) })
  const lock = { collection: 'customers', uid: customer, move: 'lock', inputs: { lock_reason: 'Lost phone' } }
  return [
    control('webhooks.create', { url: 'http://127.0.0.1:9', topics: ['customers'], confirm: false }, '', true),
    control('webhooks.list', {}),
    control('moves.make', lock, 'with an event', true),
    control('moves.make', { ...lock, move: 'unlock', inputs: {} }, 'with another event', true),
    control('events.list', {}, '', true),
    control('events.get', event),
    control('events.hold', event),
    control('webhooks.record_attempts', () => {
      const { uid, attempts } = latest.get('events.hold').deliveries[0]
      const outcome = { status: 503, error: null, answer: null, ms: 1 }
      return { outcomes: [{ delivery_uid: uid, attempt: attempts.length + 1, ...outcome }] }
    }),
    control('events.release', event),
    control('events.resend', event),
    control('webhooks.test', webhook),
    control('webhooks.update', () => ({ ...webhook(), status: 'paused' as const })),
    control('webhooks.delete', webhook),
  ]
}

/** All authorizations end at one instant. */
export function createAuthorizationCalls(client: Client): readonly Call[] {
  const control =
    (name: string, input: object): Call['send'] =>
    async () =>
      (await client.control(name, input)).status
  const list = async () => (await client.api('GET', '/transactions?limit=100')).status
  return [
    { name: 'listTransactions', send: list },
    { name: 'clock.advance, by an hour', send: control('clock.advance', { by: 'PT1H' }) },
    { name: 'clock.advance, over the end of all authorizations', send: control('clock.advance', { by: 'PT23H30M' }) },
    { name: 'clock.advance, until idle', send: control('clock.advance', { by: 'P3D' }) },
  ]
}

const LOGGED_REQUESTS = 10_000

/** Fills the request log, so that there is much to export and import. */
function createCustomers(client: Client, count: number): Call {
  return {
    name: `createCustomer, ${count} times`,
    isPreparation: true,
    send: async () => {
      let [sent, status] = [0, 0]
      const sendMany = async () => {
        while (sent++ < count) status = (await client.api('POST', '/customers', { email: 'ada@example.com' })).status
      }
      await Promise.all(Array.from({ length: 8 }, sendMany))
      return status
    },
  }
}

/** Sends Transfers until so much has been committed that the world file is rewritten, and until it is in its place. */
function saveWorldFile(client: Client, uids: WorldUids, data: string): Call {
  const savedAt = () => statSync(join(data, 'world.jsonl')).mtimeMs
  return {
    name: 'createTransfer, until the world file is rewritten',
    send: async () => {
      const before = savedAt()
      let status = 0
      const sendMany = async () => {
        while (savedAt() === before)
          status = (await client.api('POST', '/transfers', transferBody(uids, 'book', '2026-08-20T14:00:00.000Z')))
            .status
      }
      await Promise.all(Array.from({ length: 8 }, sendMany))
      return status
    },
  }
}

/** Every endpoint that lists, with its default page; and the pages that have the most to do. */
function listingCalls(api: (name: string, method: string, path: string) => Call, uids: WorldUids): Call[] {
  const listings = Object.entries(endpoints as Readonly<Record<string, Endpoint>>).filter(
    ([, { method, path, query }]) => method === 'GET' && query !== undefined && !path.includes('{'),
  )
  return [
    ...listings.map(([name, { path }]) => api(name, 'GET', path)),
    api('listTransactions', 'GET', '/transactions?limit=1000'),
    api('listTransactions', 'GET', '/transactions?offset=90000&limit=100'),
    api('listTransactions', 'GET', `/transactions?customer_uid=${uids.customer}`),
    api('listTransactions', 'GET', `/transactions?synthetic_account_uid=${uids.from}`),
    api('listTransactions', 'GET', '/transactions?status=settled&sort=-created_at'),
    api('listTransfers', 'GET', '/transfers?limit=1000'),
    ...['created_at_desc', 'us_dollar_amount_asc', 'description_asc'].map((order) =>
      api('listSyntheticLineItems', 'GET', `/synthetic_line_items?sort=${order}`),
    ),
    api('getCustomer', 'GET', `/customers/${uids.customer}`),
    api('getSyntheticAccount', 'GET', `/synthetic_accounts/${uids.from}`),
  ]
}

type CreateCall = <N extends MethodName>(
  name: N,
  input: MethodInput<N> | (() => MethodInput<N> | Promise<MethodInput<N>>),
  variant?: string,
  isPreparation?: boolean,
) => Call

function readingCalls(
  control: CreateCall,
  customer: { collection: string; uid: string },
  { from, to }: WorldUids,
  payment: () => Promise<string>,
): Call[] {
  const onAccount = { account_uid: from }
  return [
    control('clock.read', {}),
    control('calendar.read', { from: '2026-01-01', days: 400 }),
    control('tasks.list', {}),
    control('records.list', { collection: 'transactions', limit: 1000 }),
    control('records.list', { collection: 'transactions', limit: 100, offset: 90_000 }, 'a late page'),
    control('records.list', { collection: 'synthetic_line_items', limit: 1000 }, 'line items'),
    control(
      'records.list',
      { collection: 'transactions', order: { field: 'us_dollar_amount', descending: true }, limit: 1000 },
      'by amount',
    ),
    control(
      'records.list',
      {
        collection: 'transactions',
        type: 'wire',
        ranges: [{ field: 'created_at', from: '2026-01-01' }],
        order: { field: 'description' },
        limit: 1000,
      },
      'in a range, by description',
    ),
    control('records.list', { collection: 'synthetic_accounts', order: { field: 'net_usd_balance' } }, 'by balance'),
    control('records.received', {}),
    control('records.get', customer),
    control('records.search', { text: 'Oyl' }),
    control('records.search', { text: '0.01' }, 'an amount'),
    control('records.search', { text: 'no such text' }, 'without a result'),
    control('records.history', customer),
    control('records.history', { collection: 'synthetic_accounts', uid: from }, 'of an account'),
    control('records.related', customer),
    control('records.related', { collection: 'synthetic_accounts', uid: from }, 'of an account'),
    control('records.story', { uid: customer.uid }),
    control('records.story', { uid: customer.uid, limit: 20_000 }, '20,000 entries'),
    control('why', { ...customer, field: 'status' }),
    control('why', { collection: 'synthetic_accounts', uid: from, field: 'net_usd_balance' }, 'of a balance'),
    control('why', async () => ({ collection: 'transactions', uid: await payment() }), 'of a payment'),
    control('payments.path', async () => ({ uid: await payment() })),
    control('world.pulse', { period: 'all' }),
    control('customers.map', { customer_uid: customer.uid, flow: { from, to } }),
    control('records.actions', customer),
    control('requests.examples', { near: customer }),
    control('requests.try', { endpoint: 'archiveCustomer', params: { uid: customer.uid }, body: {} }),
    control('clock.preview', { until: 'idle' }),
    control('moves.list', customer),
    control('ledger.accounts', {}),
    control('ledger.accounts', { at: '2026-08-15T00:00:00.000Z' }, 'of an earlier instant'),
    control('ledger.lines', {}),
    control('ledger.lines', { ...onAccount, limit: 1000, offset: 50_000 }, 'of an account'),
    control('ledger.balances', onAccount),
    control('ledger.reconciliation', {}),
    control('ledger.reconciliation', { days: 60 }, '60 days'),
    control('ledger.trial_balance', {}),
    control('ledger.check', {}),
    control('world.commits', {}),
    control('world.commits', { limit: 1000 }, '1,000'),
    control('world.commits', { before: 120_000 }, 'early ones'),
    control('programs.list', {}),
    control('faults.list', {}),
  ]
}

function writingCalls(
  control: CreateCall,
  api: (name: string, method: string, path: string, json?: () => Promise<unknown>) => Call,
  uids: WorldUids,
  program: () => Promise<string>,
  payment: () => Promise<string>,
  task: () => Promise<string>,
): Call[] {
  const now = '2026-08-20T14:00:00.000Z'
  const PERSON = { first_name: 'Ada', last_name: 'Quill', phone: '5155550123', ssn: '512-04-8824', dob: '1990-04-17' }
  return [
    api('createTransfer', 'POST', '/transfers', async () => transferBody(uids, 'book', now)),
    control('clock.set', { mode: 'frozen' }),
    control('clock.advance', { by: 'PT1H' }),
    control('clock.cancel', {}),
    control('moves.make', async () => ({
      collection: 'transactions',
      uid: await payment(),
      move: 'return',
      inputs: {},
    })),
    control('operator.create_customer', async () => ({
      program_uid: await program(),
      customer: {
        customer_type: 'primary' as const,
        email: 'ada@example.com',
        details: { ...PERSON, address: { street1: '1 Quay', city: 'Ames', state: 'IA', postal_code: '50010' } },
      },
    })),
    control('transactions.inject', { movement: 'fee', customer_uid: uids.customer, us_dollar_amount: '1.00' }),
    control('programs.create', { name: 'Second' }),
    control('programs.update', async () => ({ uid: await program(), name: 'Renamed' })),
    control('programs.rotate_key', async () => ({ uid: await program() })),
    control('faults.set', { faults: [{ kind: 'latency', ms: 1, times: 1 }] }),
    control('faults.clear', {}),
    ...(['tasks.hold', 'tasks.release', 'tasks.run'] as const).map((name) =>
      control(name, async () => ({ uid: await task() })),
    ),
  ]
}
