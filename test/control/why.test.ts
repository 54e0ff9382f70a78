import { describe, expect, it } from 'vitest'
import { at, openBank } from '../support/operator-sandbox.ts'
import { returnBody } from '../support/payments.ts'

describe('why', () => {
  async function openWithPayment() {
    const it = await openBank()
    await it.fund(it.customer, '100.00')
    const sent = await it.send('30.00')
    const request = (await it.control['exchanges.list']({ limit: 1 })).data[0]!.uid
    await it.advance({ until: 'idle' })
    const ask = async (collection: string, uid: string, field?: string) =>
      (await it.control.why({ collection, uid, ...(field ? { field } : {}) })).chain
    const lines = (await it.control['ledger.lines']({ transaction_uid: sent.uid })).data
    const lineOf = (book: string, account_uid?: string) =>
      lines.find((line) => line.book === book && (!account_uid || line.account_uid === account_uid))!.uid
    const collections = (chain: { collection: string }[]) => chain.map(({ collection }) => collection)
    return { ...it, sent, request, ask, lineOf, collections }
  }

  it('explains a Synthetic Line Item by its Transaction Event, its Transaction, its Transfer and the request', async () => {
    const { ask, lineOf, sent, request, collections } = await openWithPayment()
    const chain = await ask('synthetic_line_items', lineOf('synthetic'))
    expect(collections(chain)).toEqual(['synthetic_line_items', 'transaction_events', 'transactions', 'transfers'])
    expect(chain[0]).toMatchObject({ cause: { door: 'time', name: 'finish payment' }, section: '6' })
    expect(chain[0]!.rule).toMatch(/its line items are written/)
    expect(chain[2]!.uid).toBe(sent.uid)
    expect(chain[3]).toMatchObject({
      uid: sent.transfer_uid,
      at: at(2000),
      cause: { door: 'request', name: 'POST /transfers', exchange: request },
      rule: 'A Transfer is queued with its Transaction, and its amount is held at once',
      section: '1',
    })
  })

  it('explains a Custodial Line Item also by its Transaction Event', async () => {
    const { ask, lineOf, collections } = await openWithPayment()
    expect(collections(await ask('custodial_line_items', lineOf('custodial')))).toEqual([
      'custodial_line_items',
      'transaction_events',
      'transactions',
      'transfers',
    ])
  })

  it('explains a balance by the line item that changed it last', async () => {
    const { ask, lineOf, customer, sent, collections } = await openWithPayment()
    const chain = await ask('synthetic_accounts', customer.master, 'net_usd_balance')
    expect(collections(chain)).toEqual([
      'synthetic_accounts',
      'synthetic_line_items',
      'transaction_events',
      'transactions',
      'transfers',
    ])
    expect(chain[0]!.says).toMatch(/net_usd_balance is "70\.00"$/)
    expect(chain[1]!.uid).toBe(lineOf('synthetic', customer.master))
    expect(chain.at(-1)!.uid).toBe(sent.transfer_uid)
  })

  it('explains a held amount by the payment that holds it', async () => {
    const { ask, send, customer, collections } = await openWithPayment()
    const { uid } = await send('5.00')
    const chain = await ask('synthetic_accounts', customer.master, 'net_usd_available_balance')
    expect(collections(chain)).toEqual(['synthetic_accounts', 'transactions', 'transfers'])
    expect(chain[1]!.uid).toBe(uid)
  })

  it('explains the total of a Customer by the balance of its own account that changed last, and that by its line item', async () => {
    const { ask, lineOf, customer, sent, account } = await openWithPayment()
    const chain = await ask('customers', customer.uid, 'total_balance')
    expect(chain[0]!.rule).toBe("The sum of the settled balances of the Customer's own accounts")
    expect(chain[1]).toMatchObject({ collection: 'synthetic_accounts', uid: customer.master })
    expect(chain[1]!.says).toMatch(/net_usd_balance is "70\.00"$/)
    expect(chain[2]).toMatchObject({ collection: 'synthetic_line_items', uid: lineOf('synthetic', customer.master) })
    expect(chain.at(-1)!.uid).toBe(sent.transfer_uid)
    await account(customer, 'wire_external')
    expect(await ask('customers', customer.uid, 'total_balance'), 'a counterparty has no balance').toEqual(chain)
  })

  it('explains a field by the commit that last changed it', async () => {
    const { ask, customer, control } = await openWithPayment()
    const [status] = await ask('customers', customer.uid, 'status')
    expect(status).toMatchObject({
      cause: { name: 'activate customer' },
      rule: expect.stringMatching(/is active$/),
      at: at(2000),
    })
    expect(status!.says).toMatch(/status is "active"$/)
    const inputs = { lock_reason: 'Lost' }
    await control['moves.make']({ collection: 'customers', uid: customer.uid, move: 'lock', inputs })
    const [locked] = await ask('customers', customer.uid, 'locked_at')
    expect(locked).toMatchObject({ cause: { name: 'moves.make lock' }, rule: 'The operator decided: lock' })
    expect(await ask('customers', customer.uid, 'details.phone')).toMatchObject([
      { cause: { name: 'POST /customers' } },
    ])
  })

  it('explains a return by the payment that it returns', async () => {
    const { ask, api, mock, advance, customer, collections, control, sent } = await openWithPayment()
    const original = await mock({ transaction_type: 'ach', customer_uid: customer.uid, us_dollar_amount: -9 })
    await advance({ until: 'idle' })
    const made = await api.post('/returns', returnBody(original, customer.uid, { ach: { ach_return_code: 'R10' } }))
    expect(made, made.text).toMatchObject({ status: 201 })
    await advance({ until: 'idle' })
    const returning = String(made.body.return_transaction_uid)
    const chain = await ask('transactions', returning)
    expect(collections(chain)).toEqual(['transactions', 'returns', 'transactions'])
    expect(chain.at(-1)).toMatchObject({ uid: original, cause: { name: 'POST /sandbox/mock_transactions' } })
    expect(collections(await ask('returns', String(made.body.uid)))).toEqual(['returns', 'returns', 'transactions'])

    const inputs = { code: 'R02' }
    const { uid } = sent
    await control['moves.make']({ collection: 'transactions', uid, move: 'return', inputs })
    await advance({ until: 'idle' })
    const [line] = (await control['ledger.lines']({ book: 'synthetic', limit: 1 })).data
    const back = await ask('synthetic_line_items', line!.uid)
    expect(collections(back)).toEqual([
      'synthetic_line_items',
      'transaction_events',
      'transactions',
      'transactions',
      'transfers',
    ])
    expect(back[2]).toMatchObject({ cause: { door: 'operator', name: 'moves.make return' } })
    expect(back[3]!.uid).toBe(uid)
  })

  it('explains a closing balance by its account', async () => {
    const { ask, advance, control, collections, customer } = await openWithPayment()
    await advance({ business_days: 1 })
    const { data } = await control['records.list']({ collection: 'synthetic_account_closing_balances' })
    const chain = await ask('synthetic_account_closing_balances', String(data[0]!.uid))
    expect(collections(chain)).toEqual([
      'synthetic_account_closing_balances',
      'synthetic_accounts',
      'kyc_evaluations',
      'synthetic_accounts',
    ])
    expect(chain[0]).toMatchObject({ cause: { door: 'time', name: 'close of day' } })
    expect(chain[1]!.uid).toBe(customer.master)
  })

  it('after a restore the cause is the restore; the earlier history is still found for records that it did not change', async () => {
    const { ask, control, sent, advance, send } = await openWithPayment()
    await control['snapshots.keep']({ name: 'then' })
    await send('1.00')
    await advance({ until: 'idle' })
    await control['snapshots.restore']({ name: 'then' })
    const chain = await ask('transactions', sent.uid)
    expect(chain.at(-1)).toMatchObject({ uid: sent.transfer_uid, cause: { name: 'POST /transfers' } })
  })

  it('a VRN payment that awaits authorization does not read "pending at once"', async () => {
    const { ask, api, mock, configure, customer, control } = await openWithPayment()
    await configure({ client_authorization: true })
    const account = { synthetic_account_uid: customer.master, routing_number: '110000000' }
    const vrn = String((await api.post('/virtual_reference_numbers', account)).body.uid)
    const received = { transaction_type: 'ach', customer_uid: customer.uid, virtual_reference_number_uid: vrn }
    const asked = await mock({ ...received, us_dollar_amount: 5 })
    const rule = 'A payment received on a VRN awaits the authorization of the Client'
    expect(await ask('transactions', asked, 'status')).toMatchObject([{ rule, section: '4.7' }])
    const inputs = { lock_reason: 'admin' }
    await control['moves.make']({ collection: 'virtual_reference_numbers', uid: vrn, move: 'lock', inputs })
    const denied = await mock({ ...received, us_dollar_amount: 5 })
    expect(await ask('transactions', denied, 'status')).toMatchObject([
      { rule: 'A payment to a locked or archived VRN is denied at once' },
    ])
    const plain = await mock({ transaction_type: 'ach', customer_uid: customer.uid, us_dollar_amount: 5 })
    expect(await ask('transactions', plain)).toMatchObject([{ rule: 'A payment from outside is pending at once' }])
  })

  it('goes on from a decision of the operator to the request that came before it', async () => {
    const { ask, send, control } = await openWithPayment()
    const { uid, transfer_uid } = await send('5.00')
    await control['moves.make']({ collection: 'transactions', uid, move: 'settle' })
    const names = async (collection: string, one: string, field?: string) =>
      (await ask(collection, one, field)).map(({ cause }) => cause?.name)
    expect(await names('transfers', transfer_uid)).toEqual(['moves.make settle', 'POST /transfers'])
    expect(await names('transactions', uid, 'status')).toEqual(['moves.make settle', 'POST /transfers'])
  })
})
