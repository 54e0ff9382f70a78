import { describe, expect, it } from 'vitest'
import { openBank } from '../support/operator-sandbox.ts'

describe('decisions on a Transaction', () => {
  async function openWithAuthorization() {
    const it = await openBank()
    const vrn = await it.api.post('/virtual_reference_numbers', {
      synthetic_account_uid: it.customer.master,
      routing_number: '110000000',
    })
    expect(vrn).toMatchObject({ status: 201 })
    await it.advance({ until: 'idle' })
    const uid = await it.mock({
      transaction_type: 'wire',
      customer_uid: it.customer.uid,
      us_dollar_amount: 40,
      virtual_reference_number_uid: vrn.body.uid,
    })
    const make = (move: string, inputs: object = {}, of = uid) =>
      it.control['moves.make']({ collection: 'transactions', uid: of, move, inputs: { ...inputs } })
    const legal = async (of = uid) => {
      const { moves } = await it.control['moves.list']({ collection: 'transactions', uid: of })
      return moves.filter((one) => one.legal).map(({ move }) => move)
    }
    return { ...it, uid, make, legal }
  }

  it('deny needs a reason; nothing is booked', async () => {
    const { uid, make, refused, transaction, advance, balances, customer, legal, expectBalancedLedger } =
      await openWithAuthorization()
    await refused(() => make('deny'), 'missingParameter', 'denied_reason is missing')
    await refused(() => make('deny', { denied_reason: 'because' }), 'invalidArgument', /^denied_reason: /)
    await refused(
      () => make('deny', { denied_reason: 'debit_limit_exceeded' }),
      'invalidArgument',
      /^denied_reason: for wire one of/,
    )
    expect(await make('deny', { denied_reason: 'unauthorized_credit', denied_memo: 'no' })).toMatchObject({
      status: 'authorization_denied',
      authorization: {
        authorization_status: 'client_denied',
        denied_reason: 'unauthorized_credit',
        denied_memo: 'no',
      },
    })
    await advance({ until: 'idle' })
    expect(await transaction(uid)).toMatchObject({ status: 'authorization_denied' })
    expect(await balances(customer.master)).toEqual({ balance: '0.00', pending: '0.00', available: '0.00' })
    expect(await legal()).toEqual([])
    for (const move of ['approve', 'deny'])
      await refused(
        () => make(move, { denied_reason: 'unauthorized_credit' }),
        'invalidArgument',
        `${move}: no authorization is pending`,
      )
    await expectBalancedLedger()
  })

  it('cash the check is possible once, and books nothing, because a check posts when it is mailed', async () => {
    const {
      control,
      api,
      customer,
      counterparty,
      fund,
      advance,
      refused,
      make,
      legal,
      expectBalancedLedger,
      balances,
    } = await openWithAuthorization()
    await make('deny', { denied_reason: 'unauthorized_credit' })
    const funding = await fund(customer, '12.34')
    await refused(
      () => make('cash the check', {}, funding),
      'invalidArgument',
      'cash the check: it is not a paper check',
    )
    expect((await api.call('DELETE', `/synthetic_accounts/${counterparty}`)).status).toBeLessThan(300)
    expect((await api.call('DELETE', `/customers/${customer.uid}`, { json: {} })).status).toBeLessThan(300)
    await advance({ by: 'PT1S' })
    const { data } = await control['records.list']({ collection: 'transactions' })
    const check = data.find(({ type }) => type === 'other')!
    const uid = String(check.uid)
    expect(await legal(uid)).toEqual(['cash the check'])
    expect(await balances(customer.master)).toMatchObject({ balance: '0.00' })
    const { total_count } = await control['ledger.lines']({})
    await make('cash the check', {}, uid)
    expect(await control['ledger.lines']({})).toMatchObject({ total_count })
    const { commits } = await control['records.history']({ collection: 'transactions', uid, limit: 1 })
    expect(commits[0]).toMatchObject({ cause: { name: 'moves.make cash the check' } })
    await refused(() => make('cash the check', {}, uid), 'invalidArgument', /^cash the check: it was cashed at/)
    expect(await legal(uid)).toEqual([])
    await expectBalancedLedger()
  })
})
