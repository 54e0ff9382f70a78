import { describe, expect, it } from 'vitest'
import type { Transaction } from '../../src/api/contract/resources/transactions.ts'
import type { Vrn } from '../../src/api/contract/resources/virtual-reference-numbers.ts'
import { expectRefusal } from '../support/client.ts'
import { PERSON } from '../support/customers.ts'
import { NO_INTERMEDIARY, STRUCTURED, setUpPayments } from '../support/payments.ts'
import { START } from '../support/sandbox.ts'
import { expectUnchanged } from '../support/world.ts'

/** POST /sandbox/mock_transactions: sections 1 and 4.1; facts 3.17, 4.2 and 5. */

type Body = Record<string, unknown>
type Rail = 'wire' | 'instant_payment' | 'ach'

const RAILS: readonly Rail[] = ['wire', 'instant_payment', 'ach']
const NOW = new Date(START).toISOString()
const UID = /^[1-9A-HJ-NP-Za-km-z]{16}$/
const SUCCESS = 'A mocked transaction has been successfully initiated.'
const MOCKS = '/sandbox/mock_transactions'

const ms = (text: string, more: number) => new Date(Date.parse(text) + more).toISOString()

/** A Customer that is active at this instant, in a Program without Client authorization of payments on a VRN. */
async function world({ at = NOW, pace = 'fast' }: { at?: string; pace?: 'fast' | 'real' } = {}) {
  // Onboarding takes two seconds.
  const setup = await setUpPayments({ start: Date.parse(at) - 2_000, pace })
  const { api, sandbox } = setup
  await setup.configure({ client_authorization: false })
  const owner = await setup.customer()
  const wire = { transaction_type: 'wire', customer_uid: owner.uid, us_dollar_amount: 21.89 }
  /** Fields that a test omits are those of a wire of 21.89 to the Customer. */
  const send = (body: Body = {}) => api.post(MOCKS, { ...wire, ...body })
  const receive = (body: Body = {}) => setup.mock({ ...wire, ...body })
  /** A request that must be refused and change nothing. */
  const tryTo = (body: Body) => expectUnchanged(sandbox, () => send(body))
  const received = async (body: Body = {}) => setup.transaction(await receive(body))
  const createVrn = async (synthetic_account_uid = owner.master, more: Body = {}) => {
    const answer = await api.post<Vrn>('/virtual_reference_numbers', {
      synthetic_account_uid,
      routing_number: '110000000',
      synchronous_registration: true,
      ...more,
    })
    expect(answer.status).toBe(201)
    return answer.body.uid
  }
  const master = () => setup.balances(owner.master)
  return { ...setup, owner, send, receive, tryTo, received, createVrn, master }
}

// ── Response and settlement ─────────────────────────────────────────────────────────────────────────────────────────

describe.each(RAILS)('1: "A Sandbox endpoint simulates a transaction": %s', (rail) => {
  it.each([
    ['credit', 21.89, 'positive', 'from'],
    ['debit', -21.89, 'negative', 'by'],
  ] as const)('facts 4.2: a %s is created pending, then settles', async (kind, amount, net_asset, word) => {
    const { owner, send, transaction, outside, advance } = await world()
    const answer = await send({ transaction_type: rail, us_dollar_amount: amount })
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 201,
      body: { success: SUCCESS, uid: expect.stringMatching(UID) },
    })
    const uid = String(answer.body.uid)
    const bank = await outside(owner)
    const [source, destination] = kind === 'credit' ? [bank, owner.master] : [owner.master, bank]
    const made = {
      uid,
      type: rail,
      customer_uid: owner.uid,
      us_dollar_amount: '21.89',
      net_asset,
      source_synthetic_account_uid: source,
      destination_synthetic_account_uid: destination,
      transfer_uid: null,
      return_uid: null,
      created_at: NOW,
      initial_action_at: NOW,
    }
    const name = { wire: 'Wire', ach: 'ACH', instant_payment: 'Instant payment' }[rail]
    const description = `${name} ${kind} ${word} Mock Counterparty`
    const before = await transaction(uid)
    expect(before).toMatchObject({
      ...made,
      description,
      status: 'pending',
      settled_index: null,
      transaction_event_uids: [],
    })
    expect(before).toMatchObject({ settled_at: null, virtual_reference_number_uid: null })
    // Of these objects only that of the own rail is present.
    expect(before).not.toHaveProperty('authorization')
    expect(RAILS.filter((key) => key in before)).toEqual([rail])
    await advance({ by: 'PT1S' })
    expect(await transaction(uid)).toMatchObject({ ...made, status: 'settled', settled_at: ms(NOW, 1_000) })
    // Received debits are never refused for lack of funds. Balances and books are followed in payments.test.ts.
  })
})

// ── Amounts ─────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('us_dollar_amount', () => {
  it('facts 3.17: a number, above 0 a credit, below 0 a debit; text is taken, too', async () => {
    const { received } = await world()
    for (const [given, shown, net_asset] of [
      [21.89, '21.89', 'positive'],
      ['21.89', '21.89', 'positive'],
      [7, '7.00', 'positive'],
      ['7.5', '7.50', 'positive'],
      [0.01, '0.01', 'positive'],
      [-0.01, '0.01', 'negative'],
      ['-5', '5.00', 'negative'],
      ['9007199254.99', '9007199254.99', 'positive'],
      [9999999999.99, '9999999999.99', 'positive'],
    ] as const)
      expect(await received({ us_dollar_amount: given })).toMatchObject({ us_dollar_amount: shown, net_asset })
  })

  it('is refused when it is zero, too precise, too large or not numeric', async () => {
    const { tryTo } = await world()
    const rows = [
      [[0, '0', '0.00', '-0', -0.0], /must not be 0$/],
      [[1.005, 0.001, '1.000', '-0.009', 0.1 + 0.2, 1e-7], /^at most two decimals/],
      [[1e10, '10000000000', 1e21, -1e21], /^at most 9999999999\.99/],
      [['abc', '1e3', '', ' 1', '+1', '1,000.00', '$5', '.5', '5.', true, [1], {}], /must be numeric$/],
    ] as const
    for (const [amounts, extra] of rows)
      for (const us_dollar_amount of amounts) expectRefusal(await tryTo({ us_dollar_amount }), 'invalidArgument', extra)
  })

  it('it is "required except ach_return"', async () => {
    const { tryTo } = await world()
    for (const transaction_type of RAILS)
      for (const us_dollar_amount of [undefined, null])
        expectRefusal(
          await tryTo({ transaction_type, us_dollar_amount }),
          'missingParameter',
          'us_dollar_amount is missing',
        )
  })
})

// ── Customer and accounts ───────────────────────────────────────────────────────────────────────────────────────────

describe('transaction_type and customer_uid', () => {
  it('customer_uid is "required except ach_return"', async () => {
    const { tryTo } = await world()
    for (const transaction_type of RAILS)
      for (const customer_uid of [undefined, null])
        expectRefusal(await tryTo({ transaction_type, customer_uid }), 'missingParameter', 'customer_uid is missing')
  })

  it('an unknown Customer, account or VRN is refused', async () => {
    const { tryTo } = await world()
    expectRefusal(await tryTo({ customer_uid: 'nobody' }), 'customerNotFound')
    expectRefusal(await tryTo({ synthetic_account_uid: 'nobody' }), 'syntheticAccountNotFound')
    expectRefusal(await tryTo({ virtual_reference_number_uid: 'nobody' }), 'vrnNotFound')
  })

  it('a Customer without accounts cannot receive a payment', async () => {
    const { created, onboard, tryTo, advance, api } = await world()
    const initiated = await created()
    expectRefusal(await tryTo({ customer_uid: initiated.uid }), 'inactiveCustomer')
    await onboard(initiated.uid)
    expect((await api.get(`/customers/${initiated.uid}`)).body.status).toBe('queued')
    expectRefusal(await tryTo({ customer_uid: initiated.uid }), 'inactiveCustomer')
    for (const [last_name, status] of [
      ['Smith', 'manual_review'],
      ['Johnson', 'rejected'],
    ]) {
      const { uid } = await created({ ...PERSON, last_name })
      await onboard(uid)
      await advance({ by: 'PT2S' })
      expect((await api.get(`/customers/${uid}`)).body.status).toBe(status)
      expectRefusal(await tryTo({ customer_uid: uid }), 'inactiveCustomer')
    }
  })

  it('a Customer that is locked or under review still receives', async () => {
    const { owner, move, receive, transaction, advance, master } = await world()
    await move('customers', owner.uid, 'put under review')
    const first = await receive()
    await move('customers', owner.uid, 'lock', { lock_reason: 'under suspicion' })
    const second = await receive({ transaction_type: 'ach', us_dollar_amount: -1.89 })
    await advance({ by: 'PT1S' })
    for (const uid of [first, second]) expect((await transaction(uid)).status).toBe('settled')
    expect((await master()).balance).toBe('20.00')
  })

  it('a Customer in archival still receives: "it must be raised to at least $0.00"; an archived one does not', async () => {
    const { api, owner, receive, tryTo, advance, transaction } = await world()
    await receive({ us_dollar_amount: -5 })
    await advance({ by: 'PT1S' })
    await api.call('DELETE', `/customers/${owner.uid}`)
    const uid = await receive({ us_dollar_amount: 5 })
    await advance({ by: 'PT1S' })
    expect((await transaction(uid)).status).toBe('settled')
    await advance({ business_days: 8 })
    expect((await api.get(`/customers/${owner.uid}`)).body.status).toBe('archived')
    expectRefusal(await tryTo({}), 'archivedCustomer')
  })
})

describe('synthetic_account_uid', () => {
  it('names a general account; absent or null, it is the master account', async () => {
    const { owner, account, received, balances, master } = await world()
    const other = await account(owner, 'general')
    const to = async (body: Body) => (await received(body)).destination_synthetic_account_uid
    expect(await to({ synthetic_account_uid: other })).toBe(other)
    expect(await to({})).toBe(owner.master)
    expect(await to({ synthetic_account_uid: null })).toBe(owner.master)
    expect(await to({ synthetic_account_uid: owner.master })).toBe(owner.master)
    expect((await balances(other)).pending).toBe('21.89')
    expect((await master()).pending).toBe('65.67')
  })

  it('is refused if it belongs to another Customer or is not a general account', async () => {
    const { customer, account, owner, outside, tryTo } = await world()
    const stranger = await customer({ ...PERSON, ssn: '512-04-8824' })
    const wrong = [
      stranger.master,
      await outside(owner),
      await account(owner, 'ach_external'),
      await account(owner, 'wire_external'),
      await account(owner, 'instant_payment_external'),
    ]
    for (const synthetic_account_uid of wrong)
      expectRefusal(
        await tryTo({ synthetic_account_uid }),
        'invalidArgument',
        'synthetic_account_uid must name a general account of the Customer',
      )
  })

  it('is refused if it is archived', async () => {
    const { api, account, owner, tryTo } = await world()
    const synthetic_account_uid = await account(owner, 'general')
    await api.call('DELETE', `/synthetic_accounts/${synthetic_account_uid}`)
    expectRefusal(await tryTo({ synthetic_account_uid }), 'invalidArgument', /its status is archived, not active$/)
  })
})

describe('virtual_reference_number_uid', () => {
  it.each(RAILS)('the payment reaches the account of the VRN and has its uid: %s', async (transaction_type) => {
    const { owner, account, createVrn, receive, transaction, advance, balances } = await world()
    const other = await account(owner, 'general')
    const virtual_reference_number_uid = await createVrn(other)
    const uid = await receive({ transaction_type, virtual_reference_number_uid })
    expect(await transaction(uid)).toMatchObject({
      status: 'pending',
      virtual_reference_number_uid,
      destination_synthetic_account_uid: other,
    })
    await advance({ by: 'PT1S' })
    expect((await transaction(uid)).status).toBe('settled')
    expect((await balances(other)).balance).toBe('21.89')
  })

  it('accepts the account of the VRN in addition, but no other account, and no VRN of another Customer', async () => {
    const { owner, account, customer, createVrn, received, tryTo } = await world()
    const other = await account(owner, 'general')
    const virtual_reference_number_uid = await createVrn(other)
    const both = await received({ virtual_reference_number_uid, synthetic_account_uid: other })
    expect(both).toMatchObject({ virtual_reference_number_uid, destination_synthetic_account_uid: other })
    expectRefusal(
      await tryTo({ virtual_reference_number_uid, synthetic_account_uid: owner.master }),
      'invalidArgument',
      'synthetic_account_uid is not the account of the VRN',
    )
    const stranger = await customer({ ...PERSON, ssn: '512-04-8824' })
    expectRefusal(
      await tryTo({ virtual_reference_number_uid: await createVrn(stranger.master) }),
      'invalidArgument',
      'virtual_reference_number_uid belongs to another Customer',
    )
  })

  it('facts 3.17: "only wire credits, ach, instant_payment"', async () => {
    const { owner, createVrn, received, tryTo } = await world()
    const virtual_reference_number_uid = await createVrn()
    expectRefusal(
      await tryTo({ virtual_reference_number_uid, us_dollar_amount: -5 }),
      'invalidArgument',
      'virtual_reference_number_uid: a VRN receives wire credits only',
    )
    for (const transaction_type of ['ach', 'instant_payment'])
      expect(await received({ transaction_type, virtual_reference_number_uid, us_dollar_amount: -5 })).toMatchObject({
        virtual_reference_number_uid,
        source_synthetic_account_uid: owner.master,
      })
  })

  it('1: "For some rails (instant payments) a VRN must be registered before use"', async () => {
    const { createVrn, configure, received, tryTo, advance, owner } = await world()
    const pending = await createVrn(owner.master, { synchronous_registration: false })
    const failed = await createVrn(owner.master, { name: 'instant payment fail' })
    await configure({ transaction_types: ['ach', 'wire'] })
    const unregistered = await createVrn()
    for (const [uid, registration] of Object.entries({
      [pending]: 'pending',
      [failed]: 'failed',
      [unregistered]: 'unregistered',
    })) {
      const onVrn = { virtual_reference_number_uid: uid }
      expectRefusal(
        await tryTo({ transaction_type: 'instant_payment', ...onVrn }),
        'invalidArgument',
        `virtual_reference_number_uid: its registration for instant payments is ${registration}, not registered`,
      )
      // The other rails do not require registration.
      for (const transaction_type of ['wire', 'ach'])
        expect((await received({ transaction_type, ...onVrn })).virtual_reference_number_uid).toBe(uid)
    }
    await advance({ by: 'PT1S' })
    const registered = { transaction_type: 'instant_payment', virtual_reference_number_uid: pending }
    expect(await received(registered)).toMatchObject({ status: 'pending', virtual_reference_number_uid: pending })
  })

  it('facts 3.9: "archived VRNs take no payments": what went with its account is denied at the master account', async () => {
    const { api, owner, account, createVrn, received, balances } = await world()
    const other = await account(owner, 'general')
    const virtual_reference_number_uid = await createVrn(other)
    await api.call('DELETE', `/synthetic_accounts/${other}`)
    expect(await received({ virtual_reference_number_uid })).toMatchObject({
      status: 'authorization_denied',
      virtual_reference_number_uid,
      destination_synthetic_account_uid: owner.master,
      authorization: { authorization_status: 'auto_denied', denied_reason: 'vrn_archived' },
    })
    for (const uid of [other, owner.master])
      expect(await balances(uid)).toEqual({ balance: '0.00', pending: '0.00', available: '0.00' })
  })
})

// ── Fields of the payment ───────────────────────────────────────────────────────────────────────────────────────────

describe('description', () => {
  it('"≥8 characters if given; becomes the transaction description"', async () => {
    const { received } = await world()
    expect((await received({ description: '12345678' })).description).toBe('12345678')
  })

  it('contains rail, direction and counterparty by default', async () => {
    const { received } = await world()
    const counterparty_name = "Marge's Roofing Inc"
    expect((await received({ counterparty_name })).description).toBe("Wire credit from Marge's Roofing Inc")
    expect((await received({ counterparty_name, us_dollar_amount: -1 })).description).toBe(
      "Wire debit by Marge's Roofing Inc",
    )
    expect((await received({ description: null })).description).toBe('Wire credit from Mock Counterparty')
  })
})

const LINES = { line1: '123 Abc Ave', line2: 'San Francisco', line3: 'CA 94016', country: 'US' }

describe('a wire', () => {
  it('shows the given fields', async () => {
    const { received } = await world()
    const given = {
      counterparty_name: "Judith's Woodworks LLP",
      counterparty_bank_name: 'Bank of Americana',
      counterparty_bank_address: { ...LINES, line1: '345 Def Ave' },
      intermediary_bank_name: 'Fidelity Fiduciary Bank',
      intermediary_bank_routing_number: '923456789',
      intermediary_bank_address: { ...LINES, line1: '9 Ghi Ave' },
    }
    const hidden = { counterparty_address: LINES, wire_instructions: 'shipment #424' }
    const { wire } = await received({ ...given, ...hidden })
    expect(wire).toMatchObject({ ...given, ...hidden })
  })

  it('has by default a counterparty name, a routing number and an IMAD of its day', async () => {
    const { received } = await world()
    const { wire } = await received()
    expect(wire).toEqual({
      counterparty_name: 'Mock Counterparty',
      counterparty_address: null,
      counterparty_bank_name: null,
      counterparty_bank_address: null,
      counterparty_bank_routing_number: expect.stringMatching(/^\d{9}$/),
      ...NO_INTERMEDIARY,
      wire_instructions: null,
      chips: null,
      uetr: null,
      imad: expect.stringMatching(/^20260814[A-Z0-9]{8}\d{6}$/),
      bank_to_bank_info: null,
      originator_account_number_last_four: null,
    })
  })

  it.each([
    ['chips', '1234567'],
    ['imad', '20220123ABCDEFGH123456'],
    ['uetr', '4b1a0e5c-7d32-4f6b-9a80-2c5d1e3f4a6b'],
  ])('shows only %s, also after settlement', async (key, value) => {
    const { receive, transaction, advance } = await world()
    const uid = await receive({ [key]: value })
    const shown = { chips: null, imad: null, uetr: null, [key]: value }
    expect((await transaction(uid)).wire).toMatchObject(shown)
    await advance({ by: 'PT1S' })
    expect(await transaction(uid)).toMatchObject({ status: 'settled', wire: shown })
  })

  it('"chips/imad/uetr (at most one)"', async () => {
    const { tryTo, received } = await world()
    for (const two of [
      { chips: '1234567', imad: '20220123ABCDEFGH123456' },
      { chips: '1234567', uetr: 'u' },
      { imad: '20220123ABCDEFGH123456', uetr: 'u' },
      { chips: '1234567', imad: '20220123ABCDEFGH123456', uetr: 'u' },
    ])
      expectRefusal(await tryTo(two), 'invalidArgument', 'at most one of chips, imad and uetr is expected')
    expect((await received({ chips: '1234567', imad: null, uetr: null })).wire).toMatchObject({ chips: '1234567' })
  })

  it('shows an address in parts as lines: without what a line cannot hold, without null parts, cut to its length', async () => {
    const { received } = await world()
    for (const [parts, shown] of [
      [{}, { line1: '80 Wharf Road', line2: null, line3: 'Toledo OH 43604' }],
      [{ street2: 'Suite 4A' }, { line1: '80 Wharf Road', line2: 'Suite 4A', line3: 'Toledo OH 43604' }],
      [
        { street1: 'Pier #4', street2: '#12' },
        { line1: '80 Pier 4', line2: '12' },
      ],
      [
        { state: null, country: null },
        { line3: 'Toledo 43604', country: null },
      ],
      [{ city: null, state: null, postal_code: null }, { line3: null }],
      [
        { street1: 'S'.repeat(70), street2: 'T'.repeat(70), city: 'C'.repeat(35) },
        { line1: `80 ${'S'.repeat(32)}`, line2: 'T'.repeat(35), line3: 'C'.repeat(32) },
      ],
    ]) {
      const { wire } = await received({ counterparty_address: { ...STRUCTURED, ...parts } })
      expect(wire?.counterparty_address).toMatchObject({ country: 'US', ...shown })
      expect(Object.keys(wire!.counterparty_address!).sort()).toEqual(['country', 'line1', 'line2', 'line3'])
    }
  })
})

describe('an instant payment', () => {
  it('network: "tch (default) / fednow"', async () => {
    const { received } = await world()
    for (const [network, shown] of [
      [undefined, 'tch'],
      [null, 'tch'],
      ['tch', 'tch'],
      ['fednow', 'fednow'],
    ]) {
      const { instant_payment } = await received({ transaction_type: 'instant_payment', network })
      expect(instant_payment).toMatchObject({ network: shown })
      expect(instant_payment?.network_transaction_id).toMatch(/^20260814[A-Z0-9]{27}$/)
    }
  })

  it('shows the given fields', async () => {
    const { received } = await world()
    const given = { counterparty_name: "Boryslav's Baking Co", counterparty_bank_name: 'Bank of Americana' }
    const hidden = { memo: 'weekly pumpernickel', counterparty_address: STRUCTURED }
    const { instant_payment } = await received({ transaction_type: 'instant_payment', ...given, ...hidden })
    expect(instant_payment).toMatchObject({
      ...given,
      ...hidden,
      initiating_party_name: given.counterparty_name,
      original_end_to_end_id: null,
      counterparty_account_number_last_four: expect.stringMatching(/^\d{4}$/),
    })
  })

  it('accepts an address in lines, as in the published example, and shows no address', async () => {
    const { received } = await world()
    const { instant_payment } = await received({ transaction_type: 'instant_payment', counterparty_address: LINES })
    expect(instant_payment).toMatchObject({ counterparty_address: null, memo: null })
  })
})

describe('an ACH', () => {
  it('shows the given fields', async () => {
    const { received } = await world()
    const given = { entry_description: 'ACH Entry', sec_code: 'PPD' }
    const { ach } = await received({ transaction_type: 'ach', ...given, addenda: 'Invoice 7' })
    expect(ach).toMatchObject({ ...given, addenda: 'Invoice 7', effective_entry_date: '2026-08-14', prenote: false })
  })

  it('has one of five SEC codes; the default is CCD', async () => {
    const { received } = await world()
    for (const sec_code of ['CCD', 'CIE', 'PPD', 'TEL', 'WEB'])
      expect((await received({ transaction_type: 'ach', sec_code })).ach).toMatchObject({ sec_code })
    expect((await received({ transaction_type: 'ach' })).ach).toMatchObject({ sec_code: 'CCD' })
  })

  describe('facts 3.17: iat, "any value switches on IAT detail"', () => {
    it('any value of iat adds IAT detail, to a credit and to a debit', async () => {
      const { received, list } = await world()
      for (const iat of ['enabled', 'no', '', 0, 1, true, false]) {
        const { ach } = await received({ transaction_type: 'ach', iat })
        expect(ach?.iat).toMatchObject({ foreign_exchange_indicator: 'FF', transaction_code: '22' })
      }
      const debit = await received({ transaction_type: 'ach', iat: 'enabled', us_dollar_amount: -5 })
      expect(debit.ach?.iat).toMatchObject({ foreign_exchange_indicator: 'FF', transaction_code: '27' })
      const [newest] = await list<Transaction>('/transactions')
      expect(newest?.ach?.iat).toEqual(debit.ach?.iat)
    })

    it('IAT detail has every field of facts 3.11', async () => {
      const { received } = await world()
      const iat = (await received({ transaction_type: 'ach', iat: 'enabled' })).ach?.iat as Record<string, unknown>
      expect(iat).toMatchObject({
        foreign_exchange_reference_indicator: '3',
        foreign_exchange_reference: null,
        odfi_identification_number_qualifier: expect.stringMatching(/^0[123]$/),
        rdfi_identification_number_qualifier: expect.stringMatching(/^0[123]$/),
        originator_city_state_province: expect.stringMatching(/^[A-Z ]+\*[A-Z]{2}$/),
        originator_country_postal_code: expect.stringMatching(/^[A-Z]{2}\*\w+$/),
        counterparty_country_postal_code: expect.stringMatching(/^[A-Z]{2}\*\w+$/),
        foreign_correspondent_banks: expect.any(Array),
      })
      const names = `foreign_exchange_indicator foreign_exchange_reference_indicator foreign_exchange_reference
        iso_destination_country_code iso_originating_currency_code iso_destination_currency_code transaction_code
        transaction_type_code foreign_payment_amount foreign_trace_number originator_street_address
        originator_city_state_province originator_country_postal_code odfi_name odfi_identification_number_qualifier
        odfi_id odfi_branch_country_code rdfi_name rdfi_identification_number_qualifier rdfi_id
        rdfi_branch_country_code counterparty_street_address counterparty_city_state_province
        counterparty_country_postal_code payment_related_information_1 payment_related_information_2
        foreign_correspondent_banks`.split(/\s+/)
      expect(Object.keys(iat).sort()).toEqual(names.sort())
    })

    it('there is no IAT detail without iat, with null, or on another rail', async () => {
      const { received } = await world()
      for (const body of [{}, { iat: null }])
        expect(Object.keys((await received({ transaction_type: 'ach', ...body })).ach!)).not.toContain('iat')
      for (const rail of ['wire', 'instant_payment'] as const) {
        const made = await received({ transaction_type: rail, iat: 'enabled' })
        expect(JSON.stringify(made)).not.toContain('"iat"')
      }
    })

    it('facts 3.11: "Shown only if the program displays it": its setting counts when the Transaction is read', async () => {
      const { configure, receive, transaction } = await world()
      const uid = await receive({ transaction_type: 'ach', iat: 'enabled' })
      expect(Object.keys((await transaction(uid)).ach!)).toContain('iat')
      await configure({ shows_iat: false })
      expect(Object.keys((await transaction(uid)).ach!)).not.toContain('iat')
    })
  })
})

it('a form keeps the cents of large amounts, which are refused as JSON', async () => {
  const { api, refused, owner, transaction } = await world()
  const send = (us_dollar_amount: string) => {
    const fields = { transaction_type: 'ach', customer_uid: owner.uid, us_dollar_amount }
    return api.call('POST', MOCKS, { form: new URLSearchParams(fields).toString() })
  }
  const { body } = await send('9999999999.99')
  expect((await transaction(String(body.uid))).us_dollar_amount).toBe('9999999999.99')
  for (const amount of ['1.001', '0', '1e2', 'x'])
    await refused(() => send(amount), 'invalidArgument', /decimals|numeric|be 0/)
  await refused(() => send(''), 'missingParameter', 'us_dollar_amount is missing')
})

// ── Returns of originated ACH ───────────────────────────────────────────────────────────────────────────────────────

describe('ach_return: "simulates a return of the given ACH transaction"', () => {
  /** A settled originated ACH, credit or debit. */
  async function settled(way: 'sent' | 'pulled', at?: string) {
    const setup = await world(at === undefined ? {} : { at, pace: 'real' })
    const { owner, account, fund, pay, advance } = setup
    await fund(owner, '100.00')
    const external = await account(owner, 'ach_external')
    const [from, to] = way === 'sent' ? [owner.master, external] : [external, owner.master]
    const { uid: transfer_uid, transaction_uids } = await pay(owner, from, to, '40.00')
    await advance(at === undefined ? { until: 'idle' } : { business_days: 1 })
    const original = transaction_uids[0]!
    expect((await setup.transaction(original)).status).toBe('settled')
    const giveBack = (more: Body = {}) =>
      setup.api.post(MOCKS, { transaction_type: 'ach_return', transaction_uid: original, ...more })
    return { ...setup, external, transfer_uid, original, giveBack }
  }

  it.each([
    ['sent', 'R03', '60.00', '100.00', 'positive'],
    ['pulled', 'R01', '140.00', '100.00', 'negative'],
  ] as const)('money that was %s is returned with %s', async (way, code, before, after, net_asset) => {
    const story = await settled(way)
    const { owner, external, transfer_uid, original, giveBack, transaction, transfer, master } = story
    expect((await master()).balance).toBe(before)
    const answer = await giveBack()
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 201,
      body: { success: SUCCESS, uid: expect.stringMatching(UID) },
    })
    const uid = String(answer.body.uid)
    const [source, destination] = way === 'sent' ? [external, owner.master] : [owner.master, external]
    const ach = { ach_return_code: code, ach_return_reason: expect.stringMatching(/./) }
    // Facts 3.11: "a new transaction, tied to the original by the same transfer_uid".
    expect(await transaction(uid)).toMatchObject({
      type: 'ach_return',
      status: 'pending',
      us_dollar_amount: '40.00',
      net_asset,
      transfer_uid,
      ach,
      source_synthetic_account_uid: source,
      destination_synthetic_account_uid: destination,
    })
    await story.advance({ by: 'PT1S' })
    expect((await transaction(uid)).status).toBe('settled')
    expect(await transaction(original)).toMatchObject({ status: 'settled', ach })
    expect((await transfer(transfer_uid)).status).toBe('settled')
    expect(await master()).toEqual({ balance: after, pending: '0.00', available: after })
    await story.expectBalancedLedger()
  })

  it('rails 8.2: at pace real it settles like a received ACH', async () => {
    const { giveBack, transaction, advance } = await settled('sent', '2026-08-14T14:00:00.000Z')
    const { body } = await giveBack()
    await advance({ to: '2026-08-18T12:29:59.999Z' })
    expect((await transaction(String(body.uid))).status).toBe('pending')
    await advance({ by: 'PT0.001S' })
    expect(await transaction(String(body.uid))).toMatchObject({
      status: 'settled',
      settled_at: '2026-08-18T12:30:00.000Z',
    })
  })

  it('the balance may fall below zero', async () => {
    const { owner, receive, giveBack, master, advance } = await settled('pulled')
    await receive({ us_dollar_amount: -120, synthetic_account_uid: owner.master })
    await advance({ by: 'PT1S' })
    expect((await giveBack()).status).toBe(201)
    await advance({ by: 'PT1S' })
    expect((await master()).balance).toBe('-20.00')
  })

  it.each([5, 0, 'none', 1.005])(
    'facts 3.17: fields that other types require are "ignored there": an amount of %j',
    async (amount) => {
      const { giveBack, transaction } = await settled('sent')
      const { status, body } = await giveBack({ customer_uid: 'nobody', us_dollar_amount: amount })
      expect(status).toBe(201)
      expect((await transaction(String(body.uid))).us_dollar_amount).toBe('40.00')
    },
  )

  it('transaction_uid is "required for ach_return"', async () => {
    const { refused, giveBack } = await settled('sent')
    for (const transaction_uid of [undefined, null])
      await refused(() => giveBack({ transaction_uid }), 'missingParameter', 'transaction_uid is missing')
  })

  it('a second return is refused, immediately and later', async () => {
    const { refused, giveBack, advance } = await settled('sent')
    await giveBack()
    for (const by of ['PT0S', 'PT1S', 'P3D']) {
      await advance({ by })
      await refused(() => giveBack(), 'invalidArgument', 'transaction_uid: it has been returned already')
    }
  })

  // What else prevents a return is tested in payment-moves.test.ts, with the operator's, by the same rule.
  it('facts 3.17: it "must be a transaction of type ach"', async () => {
    const { refused, owner, fund, account, pay, giveBack, advance, receive } = await settled('sent')
    await fund(owner, '100.00')
    const made: Record<string, string> = {}
    for (const category of ['general', 'wire_external', 'instant_payment_external'] as const) {
      const { transaction_uids } = await pay(owner, owner.master, await account(owner, category), '1.00')
      made[category === 'general' ? 'book_transfer' : category.replace('_external', '')] = transaction_uids[0]!
    }
    made.ach_return = String((await giveBack()).body.uid)
    await advance({ until: 'idle' })
    for (const [type, transaction_uid] of Object.entries(made))
      await refused(
        () => giveBack({ transaction_uid }),
        'invalidArgument',
        `transaction_uid: its type is ${type}, not ach`,
      )
    const outside = await receive({ transaction_type: 'ach' })
    await advance({ by: 'PT1S' })
    await refused(() => giveBack({ transaction_uid: outside }), 'invalidArgument', /it came from outside/)
  })

  it('only a settled payment can be returned', async () => {
    const { refused, owner, fund, external, pay, giveBack, advance } = await settled('sent')
    await fund(owner, '100.00')
    const [transaction_uid] = (await pay(owner, owner.master, external, '1.00')).transaction_uids
    for (const [status, by] of [
      ['queued', 'PT2S'],
      ['pending', 'PT5S'],
    ]) {
      const extra = `transaction_uid: its status is ${status}, not settled`
      await refused(() => giveBack({ transaction_uid }), 'invalidArgument', extra)
      await advance({ by })
    }
    expect((await giveBack({ transaction_uid })).status).toBe(201)
  })

  it('refuses an unknown uid, but no payment of an archived Customer: a return can be late', async () => {
    const { refused, api, owner, giveBack, advance } = await settled('sent')
    await refused(() => giveBack({ transaction_uid: 'nobody' }), 'unknownRecord')
    await api.call('DELETE', `/customers/${owner.uid}`)
    await advance({ business_days: 8 })
    expect((await api.get(`/customers/${owner.uid}`)).body.status).toBe('archived')
    expect((await giveBack()).status).toBe(201)
  })
})
