import { describe, expect, it } from 'vitest'
import { openBank } from '../support/operator-sandbox.ts'

/** A payment of 20.00 that an advance settles, and what a client asks for meanwhile. */
async function sendPayment() {
  const bank = await openBank()
  const { control, customer, send, api, advance, fund } = bank
  await fund(customer, '500.00')
  await control['webhooks.create']({ url: 'http://127.0.0.1:9/hooks', retry_seconds: [] })
  const { uid, transfer_uid } = await send('20.00')
  await api.get(`/transfers/${transfer_uid}`)
  await advance({ by: 'PT12H' })
  await api.call('PUT', `/transfers/${transfer_uid}/cancel`, { json: {} })
  const operations = async (collection: string, of: string, limit = 50) =>
    control['records.operations']({ collection, uid: of, limit })
  return { ...bank, uid, transfer_uid, operations }
}

describe('records.operations', () => {
  it('has one entry for each operation: its request or tasks, the changes of all its commits, and its events', async () => {
    const { transfer_uid, operations } = await sendPayment()
    const { operations: found, more } = await operations('transfers', transfer_uid)
    expect(more).toBe(false)
    expect(found.map(({ says, what, exchange }) => [says, what, exchange?.status])).toEqual([
      [expect.stringMatching(/^Transfer cannot be canceled: /), 'told', 400],
      ['advance: send payment, finish payment', 'changed', undefined],
      ['Initiate a Transfer', 'made', 201],
    ])
    const [refused, advance, sent] = found
    expect(refused).toMatchObject({ operation: null, last: null, cause: { door: 'request' } })
    expect(advance!.fields).toEqual([{ field: 'status', from: 'queued', to: 'settled', via: ['pending'] }])
    expect(advance!.events.map(({ event_type, deliveries }) => [event_type, deliveries.length])).toEqual([
      ['status_change', 1],
      ['status_change', 1],
    ])
    expect(sent!.events.map(({ topic, event_type }) => `${topic}.${event_type}`)).toEqual(['transfers.created'])
    expect(sent!.fields).toContainEqual({ field: 'usd_transfer_amount', from: null, to: '20.00', via: [] })
  })

  it('says what is older, and which entry has commits that were not read', async () => {
    const { customer, operations, send, advance } = await sendPayment()
    const all = await operations('synthetic_accounts', customer.master)
    expect(all.operations.map(({ says }) => says)).toContain('decision settle')
    const newest = await operations('synthetic_accounts', customer.master, 2)
    expect(newest).toEqual({ operations: all.operations.slice(0, 2), more: true })
    // In one advance, 21 payments of the account settle: 20 commits are read for an entry.
    for (let i = 0; i < 21; i++) await send('1.00')
    await advance({ by: 'PT1H' })
    const [settled] = (await operations('synthetic_accounts', customer.master, 1)).operations
    expect(settled).toMatchObject({ says: 'advance: finish payment', partial: true })
    const [whole] = (await operations('synthetic_accounts', customer.master, 2)).operations
    expect(whole!.partial).toBe(false)
    const balance = whole!.fields.find(({ field }) => field === 'net_usd_balance')
    expect(balance).toEqual({ field: 'net_usd_balance', from: '480.00', to: '459.00', via: [] })
  })

  it('leaves out what a rewind left, and a rewind that changed only private fields', async () => {
    const { control, customer, fund, api, sandbox, operations } = await sendPayment()
    const { seq } = sandbox.store.world
    const rename = (name: string) =>
      api.call('PUT', `/synthetic_accounts/${customer.master}`, { json: { name, note: name } })
    await fund(customer, '5.00')
    await rename('')
    await control['world.rewind']({ seq })
    await rename('Operating')
    const { operations: found } = await operations('synthetic_accounts', customer.master)
    expect(found.slice(0, 2).map(({ says }) => says)).toEqual([
      'Update the metadata of a Synthetic Account',
      `action: rewound the world, commit ${seq}`,
    ])
    expect(found.map(({ exchange }) => exchange?.status)).not.toContain(400)
    const { data } = await control['records.list']({ collection: 'custodial_accounts' })
    const private_only = []
    for (const { uid } of data as { uid: string }[]) {
      const { commits } = await control['records.history']({ collection: 'custodial_accounts', uid })
      if (commits[0]!.fields.length > 0) continue
      private_only.push(uid)
      const { operations: shown } = await operations('custodial_accounts', uid)
      expect(shown.map(({ says }) => says)).not.toContain(`action: rewound the world, commit ${seq}`)
    }
    expect(private_only).toHaveLength(2)
  })
})
