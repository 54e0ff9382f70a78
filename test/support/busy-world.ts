import { collectionNames, rowOf } from '../../src/api/contract/collections.ts'
import { createControlClient } from '../../src/api/contract/control/client.ts'
import { OutsideMovement } from '../../src/api/contract/resources/outside-transactions.ts'
import { readCollection } from '../../src/api/store/world.ts'
import { flattenFields } from '../../src/api/views/names.ts'
import { showRecord } from '../../src/api/views/records.ts'
import { ipcBridge } from './bridges.ts'
import { OLIVE, PERSON } from './customers.ts'
import { ACH, setUpPayments } from './payments.ts'

/**
 * A world with records of every collection, made by requests, time and the operator, each in several ways. If it is watched, which
 * takes long, it tells by which commits the shown fields changed.
 */
export async function openBusyWorld(isWatched = false) {
  const setup = await setUpPayments()
  const { sandbox, api, customer, fund, account, pay, mock, move, settle, configure, advance, onboard, created } = setup
  const control = createControlClient(ipcBridge(sandbox))
  const changedBy = isWatched ? watchFields(setup) : new Map<string, number>()
  const accepted = async (method: 'PUT' | 'POST' | 'DELETE', path: string, json: object = {}) => {
    const answer = await api.call(method, path, { json })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.body as Readonly<Record<string, string>>
  }
  await configure({ client_authorization: true, combined_transfers: true })
  const { uid: webhook } = await control['webhooks.create']({ url: 'http://127.0.0.1:9/none', confirm: false })

  const olive = await customer()
  await fund(olive, 1000)
  const [mill, bad, moved] = await Promise.all(
    ['4410200001', '4410209902', '4410209801'].map((account_number) =>
      account(olive, 'ach_external', { account_number, external_uid: `x${account_number}` }),
    ),
  )
  const failing = await account(olive, 'wire_external', { name: 'Fail Traders' })
  const second = await account(olive, 'general')
  const outgoing = [
    await pay(olive, olive.master, mill!, 20),
    await pay(olive, olive.master, bad!, 21),
    await pay(olive, olive.master, moved!, 22),
    await pay(olive, olive.master, failing, 23),
    await pay(olive, olive.master, second, 24),
    await pay(olive, mill!, olive.master, 25),
    await pay(olive, olive.master, await account(olive, 'instant_payment_external'), 26),
  ]
  await move('transactions', outgoing[0]!.transaction_uids[0]!, 'settle')
  const vrn = await accepted('POST', '/virtual_reference_numbers', {
    synthetic_account_uid: olive.master,
    routing_number: '110000000',
    synchronous_registration: true,
  })
  const received = { customer_uid: olive.uid, us_dollar_amount: 5, virtual_reference_number_uid: vrn.uid }
  const asked = [
    await mock({ ...received, transaction_type: 'ach' }),
    await mock({ ...received, transaction_type: 'wire' }),
    await mock({ ...received, transaction_type: 'wire', us_dollar_amount: 6 }),
  ]
  await accepted('PUT', `/transactions/${asked[0]}/authorize`, { authorization_status: 'client_approved' })
  await move('transactions', asked[1]!, 'deny', { denied_reason: 'unauthorized_credit' })
  for (const movement of OutsideMovement.options)
    await control['transactions.inject']({ movement, customer_uid: olive.uid, us_dollar_amount: '3.00' })
  await accepted('POST', '/combined_transfers', {
    synthetic_account: {
      name: 'Party',
      pool_uid: olive.pool,
      synthetic_account_type_uid: setup.typeOf('ach_external'),
      routing_number: '021000021',
      account_number: '8810010',
      ach: { account_type: 'checking', counterparty_name: 'Northern Mill Co' },
    },
    transfer: {
      source_synthetic_account_uid: olive.master,
      initiating_customer_uid: olive.uid,
      usd_transfer_amount: '7.00',
      ach: ACH,
    },
  })
  const original_transaction_uid = await settle(
    await mock({ transaction_type: 'ach', customer_uid: olive.uid, us_dollar_amount: -9 }),
  )
  await accepted('POST', '/returns', {
    original_transaction_uid,
    requesting_customer_uid: olive.uid,
    requestor_type: 'customer',
    return_reason: 'not mine',
    ach: { ach_return_code: 'R10' },
  })
  const primary = await customer()
  const secondary = { ...OLIVE, customer_type: 'secondary', primary_customer_uid: primary.uid }
  await onboard((await accepted('POST', '/customers', secondary)).uid)
  for (const details of [{ ...PERSON, last_name: 'Smith' }, { ...PERSON, last_name: 'Johnson' }, {}])
    await onboard((await created(details)).uid)
  const gone = await customer()
  await fund(gone, 40)
  await account(gone, 'ach_external')
  await accepted('DELETE', `/customers/${gone.uid}`)
  // Otherwise most commits would be attempts to deliver.
  await control['webhooks.update']({ uid: webhook, status: 'paused' })
  await advance({ business_days: 3 })
  await accepted('PUT', `/customers/${olive.uid}`, { ...OLIVE, email: 'olive@harbor.example' })
  await move('customers', olive.uid, 'lock', { lock_reason: 'Lost' })
  await move('virtual_reference_numbers', vrn.uid!, 'lock', { lock_reason: 'customer_request' })
  await move('transactions', outgoing[0]!.transaction_uids[0]!, 'return', { code: 'R02' })
  await configure({ client_authorization: true, queue_minutes: { ach: 60 } })
  await move('customers', olive.uid, 'unlock')
  const later = { ach: { ...ACH, effective_entry_date: '2026-08-21' } }
  const queued = await pay(olive, olive.master, mill!, 2, later)
  await accepted('PUT', `/transfers/${queued.uid}/cancel`)
  await pay(olive, olive.master, mill!, 3, later)
  return { sandbox, control, changedBy }
}

/** By collection, uid and field: the commit after which the shown value was another one, seen from outside. */
function watchFields({ sandbox }: Awaited<ReturnType<typeof setUpPayments>>) {
  const { store } = sandbox
  const values = new Map<string, string>()
  const changedBy = new Map<string, number>()
  const watched = collectionNames.filter((name) => rowOf(name).list.rules && !/^(tasks|webhook_)/.test(name))
  store.subscribe(({ seq }) => {
    for (const program of store.world.collections.programs.inOrder())
      store.read(program.uid, (tx) => {
        for (const collection of watched)
          for (const record of readCollection(store.world, collection).inOrder())
            for (const [field, value] of flattenFields(showRecord(tx, collection, record))) {
              const key = `${collection} ${record.uid} ${field}`
              const text = JSON.stringify(value)
              if (values.get(key) === text) continue
              values.set(key, text)
              changedBy.set(key, seq)
            }
      })
  })
  return changedBy
}
