import { expect, it } from 'vitest'
import { ACH, returnBody, setUpPayments } from '../support/payments.ts'

/** The platform shows these fields as null while there is nothing to show, where other services leave them out. */
const NULLS: Readonly<Record<string, readonly string[]>> = {
  transfers: [
    'external_uid',
    ...['company_id', 'company_discretionary_data', 'id_number', 'addenda'].map((name) => `ach.${name}`),
    ...['intermediary_bank_name', 'intermediary_bank_address', 'intermediary_bank_routing_number'].map(
      (name) => `wire.${name}`,
    ),
    ...['wire.wire_instructions', 'wire.wire_transmitter'],
    ...['instant_payment.memo', 'instant_payment.instant_payment_transmitter'],
    'cancellation.cancellation_failed_at',
  ],
  transactions: [
    ...['settled_at', 'virtual_reference_number_uid', 'debit_card_uid'],
    ...['ach_return_code', 'ach_return_reason', 'noc_code', 'noc_reason', 'noc_corrected_data'].map(
      (name) => `ach.${name}`,
    ),
    ...['instant_payment.failure_code', 'instant_payment.failure_reason'],
    ...['authorization_finalized_at', 'denied_memo', 'denied_reason'].map((name) => `authorization.${name}`),
  ],
  transaction_events: ['debit_card_uid'],
  custodial_line_items: ['debit_card_uid'],
  returns: ['external_uid', 'ach.addenda_info'],
  synthetic_accounts: ['external_uid', 'wire', 'instant_payment', 'instant_payment.email', 'instant_payment.phone'],
  virtual_reference_numbers: ['external_uid', 'name'],
}

/** A list does not show these. */
const NOT_IN_LISTS = new Set([
  ...['ach.addenda', 'ach.addenda_info', 'ach.noc_corrected_data'],
  ...['wire.wire_instructions', 'instant_payment.memo'],
])

/** What is at a path of the records that have its objects; undefined where the last field is absent. */
const valuesAt = (records: readonly object[], path: string): unknown[] =>
  path
    .split('.')
    .reduce<unknown[]>(
      (found, name) =>
        found
          .filter((it) => typeof it === 'object' && it !== null)
          .map((it) => (it as Readonly<Record<string, unknown>>)[name]),
      [...records],
    )

it('fields without a value are null, or with shows_nulls off left out, in lists and in GET of one', async () => {
  const setup = await setUpPayments()
  const { api, customer, fund, account, pay, mock, configure, list, settle } = setup
  await configure({ client_authorization: true, queue_minutes: { ach: 60, wire: 60 } })
  const olive = await customer()
  await fund(olive, 1000)
  const ach = await account(olive, 'ach_external')
  await pay(olive, olive.master, ach, 1, { ach: ACH })
  const { uid } = await pay(olive, olive.master, await account(olive, 'wire_external'), 1)
  await api.call('PUT', `/transfers/${uid}/cancel`, { json: {} })
  await pay(olive, olive.master, await account(olive, 'instant_payment_external'), 1)
  const received = { transaction_type: 'ach', customer_uid: olive.uid, us_dollar_amount: 1 }
  const original_transaction_uid = await settle(await mock(received))
  const returned = await api.post(
    '/returns',
    returnBody(original_transaction_uid, olive.uid, { ach: { ach_return_code: 'R06' } }),
  )
  expect(returned.status).toBe(201)
  const vrn = await api.post('/virtual_reference_numbers', {
    synthetic_account_uid: olive.master,
    routing_number: '110000000',
  })
  await mock({ ...received, virtual_reference_number_uid: vrn.body.uid })

  /** Of each collection both forms of its records. */
  async function readAll(collection: string) {
    const listed = await list<{ uid: string }>(`/${collection}`)
    const each = await Promise.all(listed.map(async ({ uid }) => (await api.get(`/${collection}/${uid}`)).body))
    return [listed, each] as const
  }
  for (const shows_nulls of [true, false, true]) {
    await configure({ shows_nulls })
    for (const [collection, paths] of Object.entries(NULLS)) {
      const [listed, each] = await readAll(collection)
      for (const path of paths) {
        const absent = shows_nulls ? null : undefined
        for (const [form, records] of [
          ['GET of one', each],
          ['the list', NOT_IN_LISTS.has(path) ? [] : listed],
        ] as const) {
          const without = valuesAt(records, path).filter((value) => value === null || value === undefined)
          expect
            .soft([...new Set(without)], `${collection}: ${path} in ${form}`)
            .toEqual(records.length > 0 ? [absent] : [])
        }
      }
    }
    // What the specification declares as null stays null.
    expect(valuesAt((await readAll('transactions'))[1], 'adjustment_uid')).toContain(null)
  }
})
