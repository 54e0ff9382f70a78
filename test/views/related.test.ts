import { expect, it } from 'vitest'
import type { MethodOutput } from '../../src/api/contract/control/methods.ts'
import { setUpPayments } from '../support/payments.ts'
import { setUpWebhook } from '../support/webhooks.ts'

type Related = MethodOutput<'records.related'>

it('records.related: a Transfer names its accounts and its Customer, and its Transaction names it', async () => {
  const setup = await setUpPayments()
  const olive = await setup.customer()
  const mill = await setup.account(olive, 'ach_external')
  await setup.fund(olive, '500.00')
  const { uid, transaction_uids } = await setup.pay(olive, olive.master, mill, '20.00')
  const related = async (collection: string, uid: string) => {
    const reply = await setup.sandbox.call('records.related', { collection, uid })
    expect(reply).toMatchObject({ ok: true })
    return (reply as { value: Related }).value
  }
  const ofTransfer = await related('transfers', uid)
  const uidsOf = (it: Related, name: string) =>
    it.related.find(({ collection }) => collection === name)?.records.map((record) => record.uid) ?? []
  expect(uidsOf(ofTransfer, 'synthetic_accounts').sort()).toEqual([olive.master, mill].sort())
  expect(uidsOf(ofTransfer, 'customers')).toEqual([olive.uid])
  expect(uidsOf(ofTransfer, 'transactions')).toEqual(transaction_uids)
  const ofTransaction = await related('transactions', transaction_uids[0]!)
  expect(ofTransaction.tasks.map(({ record, kind }) => [record, kind])).toEqual([
    [transaction_uids[0], expect.any(String)],
    [transaction_uids[0], expect.any(String)],
  ])
  const ofCustomer = await related('customers', olive.uid)
  // What is scheduled for its payment is scheduled for a Transfer and for its Customer, too.
  for (const { tasks } of [ofTransfer, ofCustomer])
    expect(tasks).toMatchObject(ofTransaction.tasks.map(({ uid }) => ({ uid, payment: { uid: transaction_uids[0] } })))
  expect(ofCustomer.related.find(({ collection }) => collection === 'transfers')).toMatchObject({ total_count: 1 })
  expect(ofCustomer.related.map(({ collection }) => collection)).not.toContain('programs')
})

it('records.related: a delivery of a webhook is called so', async () => {
  const { call, customer } = await setUpWebhook()
  const { uid } = await customer()
  const { data } = await call('events.list', { record_uid: uid, limit: 1 })
  const { related } = await call('records.related', { collection: 'webhook_events', uid: data[0]!.uid })
  const { records } = related.find(({ collection }) => collection === 'webhook_deliveries')!
  expect(records.map(({ says }) => says)).toEqual([expect.stringMatching(/^webhook delivery \w{16}, \w+$/)])
})

it('records.names: a payment is named after its other party, with the sign of its movement; others by their names', async () => {
  const setup = await setUpPayments()
  const olive = await setup.customer()
  const mill = await setup.account(olive, 'ach_external')
  await setup.fund(olive, '500.00')
  const { transaction_uids } = await setup.pay(olive, olive.master, mill, '20.00')
  const reply = await setup.sandbox.call('records.names', {
    uids: [transaction_uids[0], olive.uid, 'nobodynobodynobo'],
  })
  expect(reply).toMatchObject({
    ok: true,
    value: {
      names: [
        { uid: transaction_uids[0], name: expect.stringMatching(/^to /), amount: '-20.00' },
        { uid: olive.uid, name: expect.any(String), amount: null },
      ],
    },
  })
})
