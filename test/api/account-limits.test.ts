import { describe, expect, it } from 'vitest'
import type { SyntheticAccount } from '../../src/api/contract/resources/synthetic-accounts.ts'
import type { Page } from '../../src/api/contract/terms/list.ts'
import { defaultSettings } from '../../src/api/domain/seed.ts'
import { expectRefusal } from '../support/client.ts'
import { PERSON } from '../support/customers.ts'
import { ACH, type Category, STRUCTURED, setUpPayments } from '../support/payments.ts'
import { expectUnchanged } from '../support/world.ts'

/** 1: "Types and their rules are configured per Program": limits on accounts, and their archiving. */

const EXTERNAL = ['ach_external', 'wire_external', 'instant_payment_external'] as const
const PARTY = {
  general: {},
  ach_external: { ach: { account_type: 'checking', counterparty_name: 'Northern Mill Co' } },
  wire_external: { wire: { counterparty_name: 'Harbor Leasing Inc' } },
  instant_payment_external: {
    instant_payment: { counterparty_name: 'Ada Okafor', counterparty_address: STRUCTURED },
  },
} as const

async function limited(account_limits: Partial<typeof defaultSettings.account_limits> = {}) {
  const setup = await setUpPayments()
  const { api, configure, customer, typeOf } = setup
  const olive = await customer()
  const limit = (limits: Partial<typeof defaultSettings.account_limits>) =>
    configure({ account_limits: { ...defaultSettings.account_limits, ...limits } })
  await limit(account_limits)
  let made = 0
  /** POST /synthetic_accounts with a new account number unless the test gives one. */
  const open = (category: Category, account_number = `6600${made}0`, owner = olive) =>
    api.post<SyntheticAccount>('/synthetic_accounts', {
      name: `Account ${++made}`,
      pool_uid: owner.pool,
      synthetic_account_type_uid: typeOf(category),
      ...(category === 'general' ? {} : { routing_number: '021000021', account_number }),
      ...PARTY[category],
    })
  const opened = async (...given: Parameters<typeof open>) => {
    const answer = await open(...given)
    expect(answer).toMatchObject({ status: 201 })
    return answer.body.uid
  }
  const archive = (uid: string) => api.call('DELETE', `/synthetic_accounts/${uid}`)
  const archived = async (uid: string) => expect((await archive(uid)).status).toBe(204)
  return { ...setup, olive, limit, open, opened, archive, archived }
}

describe('2009 to 2016 "only where a limit is set, none here"', () => {
  it('the demonstration Program sets no limit: many accounts of every category, also repeatedly', async () => {
    expect(defaultSettings.account_limits).toEqual({
      general_accounts: null,
      one_external_account: false,
      external_accounts: null,
      minutes_between_external_accounts: null,
      same_external_account: null,
      ach_external_accounts: null,
    })
    const { opened, archived } = await limited()
    for (const category of ['general', ...EXTERNAL] as const) for (let n = 0; n < 4; n++) await opened(category)
    for (let n = 0; n < 3; n++) await archived(await opened('ach_external', '5550'))
  })

  it('2009: "active synthetic accounts in the general synthetic account category": the master account is one', async () => {
    const { refused, open, opened, archived, limit, customer } = await limited({ general_accounts: 3 })
    const second = await opened('general')
    await opened('general')
    await refused(() => open('general'), 'generalAccountsExhausted')
    for (const category of EXTERNAL) await opened(category)
    await archived(second)
    await opened('general')
    expectRefusal(await open('general'), 'generalAccountsExhausted')
    const other = await customer({ ...PERSON, ssn: '512-04-8824' })
    await opened('general', undefined, other)
    await limit({ general_accounts: 4 })
    await opened('general')
    expectRefusal(await open('general'), 'generalAccountsExhausted')
    await limit({})
    await opened('general')
  })

  it('2009: refuses the next account if the limit is reached', async () => {
    const { open, limit, opened } = await limited()
    await opened('general')
    for (const general_accounts of [0, 1, 2]) {
      await limit({ general_accounts })
      expectRefusal(await open('general'), 'generalAccountsExhausted')
    }
    await limit({ general_accounts: 3 })
    await opened('general')
  })

  it.each(EXTERNAL)(
    '2010: "already has an active […] synthetic account in the external synthetic account category": %s',
    async (category) => {
      const { refused, open, opened, archived, limit, customer } = await limited({ one_external_account: true })
      const first = await opened(category)
      await refused(() => open(category), 'externalAccountAlreadyOpen')
      await opened('general')
      await opened(category, undefined, await customer({ ...PERSON, ssn: '512-04-8824' }))
      await archived(first)
      const second = await opened(category)
      expectRefusal(await open(category), 'externalAccountAlreadyOpen')
      await limit({ one_external_account: false })
      await opened(category)
      await archived(second)
    },
  )

  it('2013: "The unique external account limit for this customer": different ones, ever, of any category', async () => {
    const { refused, open, opened, archived, limit, customer } = await limited({ external_accounts: 2 })
    await opened('ach_external', '10')
    await archived(await opened('wire_external', '20'))
    for (const category of EXTERNAL) await refused(() => open(category, '30'), 'externalAccountsExhausted')
    // A known account number does not count again.
    await opened('wire_external', '20')
    await opened('instant_payment_external', '10')
    await opened('general')
    await opened('ach_external', '30', await customer({ ...PERSON, ssn: '512-04-8824' }))
    await limit({ external_accounts: 3 })
    await opened('ach_external', '30')
    expectRefusal(await open('ach_external', '40'), 'externalAccountsExhausted')
    await limit({})
    await opened('ach_external', '40')
  })

  it('2014: "An external account has been created too recently": to the millisecond', async () => {
    const { refused, open, opened, archived, advance, limit, customer } = await limited({
      minutes_between_external_accounts: 10,
    })
    const first = await opened('ach_external')
    for (const category of EXTERNAL) await refused(() => open(category), 'externalAccountTooRecent')
    await opened('general')
    // Archiving it does not reset the waiting time.
    await archived(first)
    expectRefusal(await open('ach_external'), 'externalAccountTooRecent')
    await advance({ by: 'PT9M59.999S' })
    expectRefusal(await open('wire_external'), 'externalAccountTooRecent')
    await advance({ by: 'PT0.001S' })
    await opened('wire_external')
    expectRefusal(await open('ach_external'), 'externalAccountTooRecent')
    const other = await customer({ ...PERSON, ssn: '512-04-8824' })
    await opened('wire_external', undefined, other)
    await limit({})
    await opened('ach_external')
  })

  it('2015: "This external account has been associated with this customer too many times"', async () => {
    const { refused, open, opened, archived, limit, customer } = await limited({ same_external_account: 2 })
    await archived(await opened('ach_external', '10'))
    await archived(await opened('ach_external', '10'))
    for (const category of EXTERNAL) await refused(() => open(category, '10'), 'externalAccountTooOften')
    await opened('ach_external', '20')
    await opened('wire_external', '20')
    expectRefusal(await open('instant_payment_external', '20'), 'externalAccountTooOften')
    await opened('ach_external', '10', await customer({ ...PERSON, ssn: '512-04-8824' }))
    await limit({ same_external_account: 3 })
    await opened('ach_external', '10')
    await limit({})
    await opened('wire_external', '10')
  })

  it('2016: "the outbound ACH external account limit": active ones, of ACH alone', async () => {
    const { refused, open, opened, archived, limit, customer } = await limited({ ach_external_accounts: 2 })
    const first = await opened('ach_external')
    await opened('ach_external')
    await refused(() => open('ach_external'), 'outboundAchAccountsExhausted')
    await opened('wire_external')
    await opened('instant_payment_external')
    await opened('general')
    await archived(first)
    await opened('ach_external')
    expectRefusal(await open('ach_external'), 'outboundAchAccountsExhausted')
    await opened('ach_external', undefined, await customer({ ...PERSON, ssn: '512-04-8824' }))
    await limit({ ach_external_accounts: 3 })
    await opened('ach_external')
    await limit({})
    await opened('ach_external')
  })
})

// ── Archiving ───────────────────────────────────────────────────────────────────────────────────────────────────────

describe('2005 "A Synthetic Account with a pending Transfer cannot be archived"', () => {
  it.each([
    ['an ACH credit', 'ach_external', 'destination', {}],
    ['an ACH debit', 'ach_external', 'source', {}],
    ['a wire', 'wire_external', 'destination', {}],
    ['an instant payment', 'instant_payment_external', 'destination', {}],
    ['a prenote', 'ach_external', 'destination', { ach: { ...ACH, prenote: true } }],
  ] as const)(
    'the counterparty of %s cannot be archived while the Transfer is queued or pending',
    async (_what, category, side, more) => {
      const { sandbox, olive, fund, opened, archive, advance, pay, transfer } = await limited()
      await fund(olive, 100)
      const party = await opened(category)
      const [from, to] = side === 'source' ? [party, olive.master] : [olive.master, party]
      const { uid } = await pay(olive, from, to, 'ach' in more ? '0.00' : 40, more)
      const refused = async () =>
        expectRefusal(
          await expectUnchanged(sandbox, () => archive(party)),
          'syntheticAccountHasTransfer',
          'It has a pending transfer',
        )
      await refused()
      await advance({ until: 'next' })
      expect((await transfer(uid)).status).toBe('pending')
      await refused()
      await advance({ until: 'next' })
      expect((await transfer(uid)).status).toBe('settled')
      expect((await archive(party)).status).toBe(204)
    },
  )

  it.each(['canceled', 'failed'])('the account can be archived after the Transfer was %s', async (how) => {
    const { sandbox, api, olive, opened, archive, pay, transfer } = await limited()
    const party = await opened('ach_external')
    const { uid, transaction_uids } = await pay(olive, party, olive.master, 40)
    expectRefusal(await archive(party), 'syntheticAccountHasTransfer')
    if (how === 'canceled') await api.call('PUT', `/transfers/${uid}/cancel`, { json: {} })
    else await sandbox.call('moves.make', { collection: 'transactions', uid: transaction_uids[0]!, move: 'fail' })
    expect((await transfer(uid)).status).toBe(how)
    expect((await archive(party)).status).toBe(204)
  })

  it('a general account with a pending deposit, then with a balance, then empty', async () => {
    const { refused, olive, fund, opened, archive, advance, pay } = await limited()
    await fund(olive, 100)
    const savings = await opened('general')
    await pay(olive, olive.master, savings, 40)
    await refused(() => archive(savings), 'syntheticAccountHasTransfer')
    await advance({ until: 'idle' })
    await refused(() => archive(savings), 'syntheticAccountHasBalance')
    await pay(olive, savings, olive.master, 40)
    await advance({ until: 'idle' })
    expect((await archive(savings)).status).toBe(204)
  })

  it('a return from another bank counts as pending, too', async () => {
    const { olive, fund, opened, archive, advance, pay, mock } = await limited()
    await fund(olive, 100)
    const party = await opened('ach_external')
    const { transaction_uids } = await pay(olive, olive.master, party, 40)
    await advance({ until: 'idle' })
    await mock({ transaction_type: 'ach_return', transaction_uid: transaction_uids[0]! })
    expectRefusal(await archive(party), 'syntheticAccountHasTransfer')
    await advance({ until: 'idle' })
    expect((await archive(party)).status).toBe(204)
  })
})

describe('the asset account that the service keeps for its own accounting', () => {
  async function asset() {
    const it = await limited()
    const find = async (query: string) =>
      (await it.api.get<Page<SyntheticAccount>>(`/synthetic_accounts?${query}`)).body.data
    const [own, ...more] = await find(`liability=false&synthetic_account_category=general&customer_uid=${it.olive.uid}`)
    expect(more).toEqual([])
    return { ...it, own: own!, find }
  }

  it('is listed with liability=false, and in no other list', async () => {
    const { olive, own, find, opened } = await asset()
    const party = await opened('ach_external')
    const uids = async (query: string) => (await find(query)).map(({ uid }) => uid).sort()
    expect(await uids('liability=false')).toEqual([own.uid, party].sort())
    expect(await uids('')).toEqual([olive.master, party].sort())
    expect(await uids('liability=true')).toEqual([olive.master])
    for (const query of [
      'synthetic_account_category=general',
      `synthetic_account_type_uid=${own.synthetic_account_type_uid}`,
    ])
      expect(await uids(query)).toEqual([olive.master])
    for (const query of [
      `pool_uid=${olive.pool}`,
      `customer_uid=${olive.uid}`,
      'status=active',
      'sort=name_asc',
      'limit=1000',
    ])
      expect(await uids(query)).toEqual([olive.master, party].sort())
  })

  it('can be read by its uid, and shows neither a balance nor a number', async () => {
    const { api, olive, own, fund } = await asset()
    await fund(olive, 100)
    const { status, body } = await api.get<SyntheticAccount>(`/synthetic_accounts/${own.uid}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      uid: own.uid,
      liability: false,
      master_account: false,
      status: 'active',
      pool_uid: olive.pool,
      synthetic_account_category: 'general',
      account_number: null,
      routing_number: null,
      asset_balances: null,
      net_usd_balance: null,
      net_usd_pending_balance: null,
      net_usd_available_balance: null,
    })
  })

  it('2003: it is not archived, with any balance', async () => {
    const { refused, olive, own, fund, archive } = await asset()
    await refused(() => archive(own.uid), 'masterAccountNotArchivable')
    await fund(olive, 100)
    await refused(() => archive(own.uid), 'masterAccountNotArchivable')
    await refused(() => archive(olive.master), 'masterAccountNotArchivable')
  })

  it('is refused in a transfer, as target of a VRN or a payment, and does not reserve its name', async () => {
    const { refused, api, olive, own, fund, tryToPay, account } = await asset()
    await fund(olive, 100)
    for (const [from, to] of [
      [olive.master, own.uid],
      [own.uid, olive.master],
    ] as const)
      await refused(() => tryToPay(olive, from, to, 1), 'transferProhibited', /kept by the service for its own/)
    const vrn = { synthetic_account_uid: own.uid, routing_number: '110000000' }
    await refused(() => api.post('/virtual_reference_numbers', vrn), 'vrnAccountIneligible')
    const mock = {
      transaction_type: 'ach',
      customer_uid: olive.uid,
      us_dollar_amount: 1,
      synthetic_account_uid: own.uid,
    }
    await refused(() => api.post('/sandbox/mock_transactions', mock), 'invalidArgument', /general account/)
    await account(olive, 'general', { name: own.name })
  })

  it('4.5: is refused as destination of an archival', async () => {
    const { refused, api, olive, own } = await asset()
    const archival = { json: { destination_synthetic_account_uid: own.uid } }
    await refused(
      () => api.call('DELETE', `/customers/${olive.uid}`, archival),
      'invalidArgument',
      /must name an active external account/,
    )
  })

  it('4.5 rule 4: is no default destination: without an external account the refund is a check', async () => {
    const { api, olive, fund, advance, list } = await asset()
    await fund(olive, 100)
    expect((await api.call('DELETE', `/customers/${olive.uid}`)).status).toBe(200)
    await advance({ business_days: 8 })
    expect(await list('/transfers')).toEqual([])
    const [check] = await list<{ type: string; description: string; us_dollar_amount: string }>('/transactions')
    expect(check).toMatchObject({ type: 'other', us_dollar_amount: '100.00' })
    expect(check!.description).toMatch(/^Paper check to Olive Oyl/)
    expect((await api.get(`/customers/${olive.uid}`)).body.status).toBe('archived')
  })

  it('4.5: does not count as a second external account', async () => {
    const { api, olive, own, fund, opened, advance, list } = await asset()
    await fund(olive, 100)
    const party = await opened('ach_external')
    expect((await api.call('DELETE', `/customers/${olive.uid}`)).status).toBe(200)
    await advance({ business_days: 8 })
    const [refund, ...more] = await list<{ destination_synthetic_account_uid: string; status: string }>('/transfers')
    expect(more).toEqual([])
    expect(refund).toMatchObject({ destination_synthetic_account_uid: party, status: 'settled' })
    expect(party).not.toBe(own.uid)
    expect((await api.get(`/customers/${olive.uid}`)).body.status).toBe('archived')
  })

  it('2009: does not count towards a limit', async () => {
    const { limit, open, opened } = await asset()
    await limit({ general_accounts: 2, external_accounts: 1, minutes_between_external_accounts: 60 })
    await opened('general')
    expectRefusal(await open('general'), 'generalAccountsExhausted')
    await opened('ach_external')
  })
})
