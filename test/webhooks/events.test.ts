import { decrypt, generateKey, readMessage, readPrivateKey } from 'openpgp'
import { expect, it } from 'vitest'
import { webhookEventNames } from '../../src/api/contract/webhooks.ts'
import { STRUCTURED } from '../support/payments.ts'
import { isSigned } from '../support/receiver.ts'
import { lockOf, setUpWebhook, waitForDeliveries } from '../support/webhooks.ts'

/** The names of the fields are those that the platform documents, or Assumed. */
const CUSTOMER = ['customer_external_uid', 'customer_uid']
const TRANSFER = [
  ...['customer_external_uid', 'customer_uid', 'destination_customer_external_uid', 'destination_customer_uid'],
  ...['transaction_uid', 'transaction_uids', 'transfer_uid'],
]
const TRANSACTION = [...CUSTOMER, 'description', 'transaction_uid', 'transfer_uid']
const ACCOUNT = [...CUSTOMER, 'external_uid', 'synthetic_account_category', 'synthetic_account_uid']
const VRN = [...CUSTOMER, 'external_uid', 'synthetic_account_uid', 'virtual_reference_number_uid']
const CHANGE = ['new_status', 'old_status']
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  'transfers.created': [...TRANSFER, 'usd_transfer_amount'],
  'transfers.status_change': [...TRANSFER, ...CHANGE],
  'transfers.rtp_settlement': [...TRANSFER, 'usd_transfer_amount'],
  'transactions.created': [
    ...TRANSACTION,
    ...['destination_synthetic_account_uid', 'source_synthetic_account_uid', 'status', 'type', 'us_dollar_amount'],
  ],
  'transactions.status_change': [...TRANSACTION, ...CHANGE, 'settled_index'],
  'synthetic_accounts.created': [...ACCOUNT, 'name', 'status'],
  'synthetic_accounts.status_change': [...ACCOUNT, ...CHANGE],
  'synthetic_accounts.name_updated': [...ACCOUNT, 'new_name', 'old_name'],
  'virtual_reference_number.created': [...VRN, 'instant_payment_rail_registration_status', 'status'],
  'virtual_reference_number.registration_status_change': [...VRN, ...CHANGE],
  'customers.status_change': ['customer_uid', 'external_uid', 'new_status', 'prior_status'],
  'customers.lock': ['customer_uid', 'external_uid', 'lock_reason', 'locked_at'],
  'customers.unlock': ['customer_uid', 'external_uid'],
}

type Setup = Awaited<ReturnType<typeof setUpWebhook>>

/** Causes every event, and many of some. */
async function runEverything(setup: Setup) {
  const { api, call, customer, account, fund, pay, mock } = setup
  const send = async (method: string, path: string, json: object = {}) => {
    const answer = await api.call(method, path, { json })
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
  }
  const olive = await customer()
  const savings = await account(olive, 'general', { external_uid: 'savings' })
  const mill = await account(olive, 'ach_external')
  const ada = await account(olive, 'instant_payment_external')
  const fails = await account(olive, 'instant_payment_external', {
    instant_payment: { counterparty_name: 'fail', counterparty_address: { ...STRUCTURED } },
  })
  await send('PUT', `/synthetic_accounts/${savings}`, { name: 'Rainy days', note: 'It has another name' })
  await fund(olive, '500.00')
  await pay(olive, olive.master, savings, '50.00')
  await pay(olive, olive.master, mill, '20.00')
  const canceled = await pay(olive, olive.master, mill, '21.00')
  await send('PUT', `/transfers/${canceled.uid}/cancel`)
  await pay(olive, olive.master, ada, '22.00')
  await pay(olive, olive.master, fails, '23.00')
  const body = { name: 'Rent', synthetic_account_uid: olive.master, routing_number: '110000000' }
  await send('POST', '/virtual_reference_numbers', body)
  await send('POST', '/virtual_reference_numbers', { ...body, name: 'instant payment fail' })
  await mock({ transaction_type: 'ach', customer_uid: olive.uid, us_dollar_amount: 12 })
  await call('clock.advance', { business_days: 5 })
  const decide = (move: string, inputs: object = {}) =>
    call('moves.make', { collection: 'customers', uid: olive.uid, move, inputs } as never)
  await decide('lock', { lock_reason: 'Lost phone' })
  await decide('unlock')
  await decide('put under review')
  await decide('end review')
  await send('DELETE', `/synthetic_accounts/${mill}`)
  const quinn = await customer()
  await send('DELETE', `/customers/${quinn.uid}`, { archive_note: 'Moved away' })
  await call('clock.advance', { until: 'idle' })
}

interface Change {
  readonly from: unknown
  readonly to: unknown
}

it('each of the 13 events arrives signed, with the documented fields, and each state change gives exactly one', async () => {
  const setup = await setUpWebhook()
  const { receiver, webhook, call, sandbox } = setup
  await runEverything(setup)
  await waitForDeliveries(call)
  const events = receiver.received
  expect(events.filter((event) => !isSigned(event, webhook.hmac_key))).toEqual([])
  const nameOf = ({ path, body }: (typeof events)[number]) => `${path.replace('/hooks/', '')}.${body.event_type}`
  expect([...new Set(events.map(nameOf))].sort()).toEqual([...webhookEventNames].sort())
  for (const event of events)
    expect(Object.keys(event.body.details).sort(), nameOf(event)).toEqual([...FIELDS[nameOf(event)]!].sort())
  expect(new Set(events.map(({ body }) => body.event_id)).size).toBe(events.length)

  // The changes of each record lead without a gap from its creation to what it is now.
  const changes = new Map<string, Change[]>()
  const created = new Map<string, unknown>()
  const idOf = (details: Record<string, unknown>, topic: string) =>
    details[
      {
        transfers: 'transfer_uid',
        transactions: 'transaction_uid',
        synthetic_accounts: 'synthetic_account_uid',
        virtual_reference_number: 'virtual_reference_number_uid',
        customers: 'customer_uid',
      }[topic]!
    ] as string
  const { data } = await call('events.list', { limit: 1000 })
  for (const { topic, event_type, details } of data.toReversed()) {
    const uid = idOf(details, topic)
    if (event_type === 'created') {
      expect(created.has(uid)).toBe(false)
      created.set(uid, details.instant_payment_rail_registration_status ?? details.status ?? 'queued')
    }
    if (!event_type.endsWith('status_change')) continue
    const change = { from: details.old_status ?? details.prior_status, to: details.new_status }
    changes.set(uid, [...(changes.get(uid) ?? []), change])
  }
  const { collections } = sandbox.store.world
  const ends = [
    ...collections.transfers.inOrder().map(({ uid, status }) => ({ uid, begins: created.get(uid), status })),
    ...collections.transactions.inOrder().map(({ uid, status }) => ({ uid, begins: created.get(uid), status })),
    ...collections.synthetic_accounts.inOrder().map(({ uid, status }) => ({ uid, begins: created.get(uid), status })),
    ...collections.customers.inOrder().map(({ uid, status }) => ({ uid, begins: 'initiated', status })),
    ...collections.virtual_reference_numbers
      .inOrder()
      .map(({ uid, instant_payment_rail_registration_status: status }) => ({ uid, begins: created.get(uid), status })),
  ]
  expect(ends.length).toBeGreaterThan(20)
  for (const { uid, begins, status } of ends) {
    let at = begins
    expect(at).toBeDefined()
    for (const { from, to } of changes.get(uid) ?? []) {
      expect(from).toBe(at)
      expect(to).not.toBe(from)
      at = to
    }
    expect(at).toBe(status)
  }
  const settledAtOnce = data.filter(({ event_type }) => event_type === 'rtp_settlement')
  expect(settledAtOnce).toHaveLength(1)
})

it('with a PGP key, a receiver decrypts each of the 13 events with openpgp alone', async () => {
  const keys = await generateKey({ type: 'ecc', curve: 'curve25519Legacy', userIDs: [{ name: 'Olive Oyl' }] })
  const setup = await setUpWebhook({ pgp_public_key: keys.publicKey })
  const { receiver, webhook, call } = setup
  await runEverything(setup)
  await waitForDeliveries(call)
  const { data } = await call('events.list', { limit: 1000 })
  const details = new Map(data.map((event) => [event.uid, event.details]))
  const decryptionKeys = await readPrivateKey({ armoredKey: keys.privateKey })
  for (const event of receiver.received) {
    expect(isSigned(event, webhook.hmac_key)).toBe(true)
    const message = await readMessage({ armoredMessage: event.body.details as unknown as string })
    const decrypted = await decrypt({ message, decryptionKeys })
    expect(JSON.parse(decrypted.data)).toEqual(details.get(event.body.event_id))
  }
  const names = new Set(data.map(({ topic, event_type }) => `${topic}.${event_type}`))
  expect([...names].sort()).toEqual([...webhookEventNames].sort())
  expect(new Set(receiver.received.map(({ body }) => body.event_id))).toEqual(new Set(details.keys()))
})

it('the details of a created Transfer name its Transactions and both Customers', async () => {
  const { customer, account, fund, pay, receiver, call } = await setUpWebhook({ topics: ['transfers.created'] })
  const olive = await customer()
  const savings = await account(olive, 'general')
  await fund(olive, '500.00')
  const transfer = await pay(olive, olive.master, savings, '321.00')
  await waitForDeliveries(call)
  expect(receiver.received.map(({ path, body: { event_id: _, ...body } }) => ({ path, body }))).toEqual([
    {
      path: '/hooks/transfers',
      body: {
        event_type: 'created',
        details: {
          customer_uid: olive.uid,
          customer_external_uid: null,
          transfer_uid: transfer.uid,
          transaction_uid: transfer.transaction_uids[0],
          transaction_uids: transfer.transaction_uids,
          usd_transfer_amount: '321.00',
          destination_customer_uid: olive.uid,
          destination_customer_external_uid: null,
        },
      },
    },
  ])
})

it('a Program without webhooks has no records of events, and a refused request gives none', async () => {
  const { customer, receiver, api, call, webhook, sandbox } = await setUpWebhook()
  await call('webhooks.delete', { uid: webhook.uid })
  await customer()
  expect(sandbox.store.world.collections.webhook_events.size).toBe(0)
  await call('webhooks.create', { url: receiver.url, confirm: false })
  expect((await api.post('/customers', { email: 17 })).status).toBe(400)
  await waitForDeliveries(call)
  expect(receiver.received).toEqual([])
})

it('a webhook gets only the topics and events that it asks for', async () => {
  const { customer, fund, receiver, call } = await setUpWebhook({ topics: ['transactions', 'customers.lock'] })
  const olive = await customer()
  await fund(olive, '5.00')
  await call('moves.make', lockOf(olive.uid))
  await waitForDeliveries(call)
  expect(receiver.received.map(({ path, body }) => `${path} ${body.event_type}`).sort()).toEqual([
    '/hooks/customers lock',
    '/hooks/transactions created',
    '/hooks/transactions status_change',
  ])
})

it('without an address events are kept and sent nowhere, and can be asked for by record', async () => {
  const { customer, fund, call } = await setUpWebhook({ url: null })
  const olive = await customer()
  const uid = await fund(olive, '5.00')
  const { data, total_count } = await call('events.list', { record_uid: uid })
  expect(total_count).toBe(2)
  expect(data.map(({ event_type, deliveries }) => [event_type, deliveries])).toEqual([
    ['status_change', []],
    ['created', []],
  ])
  expect(await call('events.get', { uid: data[0]!.uid })).toEqual(data[0])
})

it('the OpenAPI document describes each event with these fields', async () => {
  const { sandbox } = await setUpWebhook({ url: null })
  const { webhooks } = (await (await fetch(sandbox.api.replace('/api/v1', '/openapi.json'))).json()) as {
    webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: Described }> } } }>
  }
  const described = Object.entries(webhooks).map(([name, { post }]) => {
    const { properties } = post.requestBody.content['application/json']!.schema
    return [name, Object.keys(properties.details.properties).sort()]
  })
  expect(Object.fromEntries(described)).toEqual(
    Object.fromEntries(Object.entries(FIELDS).map(([name, fields]) => [name, [...fields].sort()])),
  )
})

interface Described {
  readonly properties: { readonly details: { readonly properties: object } }
}
