import { describe, expect, it } from 'vitest'
import type { Transfer } from '../../src/api/contract/resources/transfers.ts'
import type { Page } from '../../src/api/contract/terms/list.ts'
import type { SandboxOptions } from '../../src/api/sandbox.ts'
import { expectRefusal } from '../support/client.ts'
import { PERSON } from '../support/customers.ts'
import {
  ACH,
  NO_INTERMEDIARY,
  NO_MORE_ACH,
  NO_RETURN_OR_NOTICE,
  nulls,
  STRUCTURED,
  setUpPayments,
} from '../support/payments.ts'
import { expectUnchanged } from '../support/world.ts'

/**
 * 1: "A Transfer moves assets between two Synthetic Accounts." Fields of the rails and limits of amounts are tested in
 * transfer-limits.test.ts.
 */

/** Onboarding has taken two seconds. */
const NOW = '2026-08-14T14:00:02.000Z'
const UID = /^[1-9A-HJ-NP-Za-km-z]{16}$/

const LINES = { line1: '1 Quay', line2: 'Pier 4', line3: 'Toledo OH', country: 'US' }
const WIRE = {
  intermediary_bank_name: 'First Harbor Bank',
  intermediary_bank_address: LINES,
  intermediary_bank_routing_number: '021000021',
  wire_instructions: 'Lease 44, June',
}
const WIRE_TRANSMITTER = { name: 'Dockside Pay', transmitter_identifier: 'DOCK1', ...LINES }
const INSTANT_TRANSMITTER = { name: 'Dockside Pay', transmitter_identifier: 'DOCK1', ...STRUCTURED }

/** A funded Customer, and a counterparty on every rail. */
async function paying(options: Partial<SandboxOptions> = {}) {
  const setup = await setUpPayments(options)
  const { api, customer, fund, account, mock } = setup
  const olive = await customer()
  await fund(olive, 1000)
  const savings = await account(olive, 'general')
  const ach = await account(olive, 'ach_external')
  const wire = await account(olive, 'wire_external')
  const instant = await account(olive, 'instant_payment_external')
  const cancel = (uid: string, json?: unknown) =>
    api.call<Transfer>('PUT', `/transfers/${uid}/cancel`, json === undefined ? {} : { json })
  const page = async (query = '') => (await api.get<Page<Transfer>>(`/transfers${query}`)).body
  const until = (to: string) => setup.advance({ to })
  const debit = (amount: number) => mock({ transaction_type: 'ach', customer_uid: olive.uid, us_dollar_amount: amount })
  return { ...setup, olive, savings, ach, wire, instant, cancel, page, until, debit }
}
type Story = Awaited<ReturnType<typeof paying>>

/** Every rail with its direction. */
type Way = (story: Story) => readonly [from: string, to: string]
type Row = readonly [name: string, way: Way, more: Record<string, unknown>]
const RAILS: readonly Row[] = [
  ['book', ({ olive, savings }) => [olive.master, savings], {}],
  ['a standard ACH credit', ({ olive, ach }) => [olive.master, ach], {}],
  ['a standard ACH debit', ({ olive, ach }) => [ach, olive.master], {}],
  ['a same-day ACH', ({ olive, ach }) => [olive.master, ach], { ach: { ...ACH, service_processing: 'SAMEDAY' } }],
  ['wire', ({ olive, wire }) => [olive.master, wire], {}],
  ['instant', ({ olive, instant }) => [olive.master, instant], {}],
]

describe('4.1 POST /transfers: the response', () => {
  const common = (story: Story, from: string, to: string) => ({
    uid: expect.stringMatching(UID),
    source_synthetic_account_uid: from,
    destination_synthetic_account_uid: to,
    initiating_customer_uid: story.olive.uid,
    destination_customer_uid: story.olive.uid,
    status: 'queued',
    initiator_type: 'customer',
    created_at: NOW,
    transaction_uids: [expect.stringMatching(UID)],
    usd_transfer_amount: '12.50',
    external_uid: null,
  })

  it.each(RAILS)('%s: 201, queued, with its Transaction, and settled at the end', async (...row) => {
    const [, way, more] = row
    const story = await paying()
    const { olive, advance, pay, transfer, transaction } = story
    const [from, to] = way(story)
    const made = await pay(olive, from, to, '12.50', more)
    expect(made).toMatchObject(common(story, from, to))
    const uid = made.transaction_uids[0]!
    expect(await transaction(uid)).toMatchObject({
      uid,
      transfer_uid: made.uid,
      us_dollar_amount: '12.50',
      customer_uid: olive.uid,
      source_synthetic_account_uid: from,
      destination_synthetic_account_uid: to,
      settled_index: null,
      transaction_event_uids: [],
      return_uid: null,
    })
    // The steps until then, and the books, are in payments.test.ts.
    await advance({ until: 'idle' })
    expect(await transfer(made.uid)).toEqual({ ...made, status: 'settled' })
  })

  it('a book transfer has no object of a rail, and keys without a value are null', async () => {
    const story = await paying()
    const { olive, savings } = story
    const made = await story.pay(olive, olive.master, savings, '12.50', { wire: WIRE, instant_payment: { memo: 'x' } })
    expect(made).toEqual(common(story, olive.master, savings))
    const transaction = await story.transaction(made.transaction_uids[0]!)
    expect(transaction).toMatchObject({ type: 'book_transfer', net_asset: 'neutral', custodial_account_uids: [] })
    for (const rail of ['ach', 'wire', 'instant_payment']) expect(transaction).not.toHaveProperty(rail)
  })

  it.each([
    ['credit', 'negative'],
    ['debit', 'positive'],
  ])(
    'an ACH %s: the entry as it was submitted, prenote false, payment_type S, and a trace id',
    async (side, net_asset) => {
      const story = await paying()
      const { olive, ach } = story
      const [from, to] = side === 'credit' ? [olive.master, ach] : [ach, olive.master]
      const made = await story.pay(olive, from, to, '12.50', { wire: WIRE })
      const entry = {
        ...ACH,
        ...NO_MORE_ACH,
        prenote: false,
        payment_type: 'S',
        transfer_trace_id: expect.stringMatching(UID),
      }
      expect(made).toEqual({ ...common(story, from, to), ach: entry })
      const { company_ids, uid } = await story.dda(olive.uid)
      const transaction = await story.transaction(made.transaction_uids[0]!)
      expect(transaction).toMatchObject({ type: 'ach', net_asset })
      expect(transaction.custodial_account_uids).toContain(uid)
      expect(transaction.custodial_account_uids).toHaveLength(2)
      // 2.4: "In the sandbox, company_id and custodial accounts are always 1:1."
      expect(company_ids).toHaveLength(1)
      expect(transaction.ach).toEqual({
        ...made.ach,
        ...NO_RETURN_OR_NOTICE,
        company_id: company_ids![0],
        originator_routing_number: '110000000',
        counterparty_name: 'Northern Mill Co',
      })
    },
  )

  it('an ACH with all fields: the Transfer and its Transaction show all of them', async () => {
    const story = await paying()
    const { olive, ach } = story
    const { company_ids } = await story.dda(olive.uid)
    const said = {
      ...ACH,
      company_id: company_ids![0],
      company_discretionary_data: 'ABC.123',
      prenote: false,
      payment_type: 'ST',
      id_number: '4270465600',
      addenda: 'Invoice 44/2026: "freight" & fees',
    }
    const made = await story.pay(olive, olive.master, ach, 5, { external_uid: 'client-1', ach: said })
    expect(made.external_uid).toBe('client-1')
    expect(made.ach).toEqual({ ...said, transfer_trace_id: expect.stringMatching(UID) })
    expect((await story.transaction(made.transaction_uids[0]!)).ach).toMatchObject(said)
  })

  it('a wire: its instructions, the counterparty, and an IMAD only once it is settled', async () => {
    const story = await paying()
    const { olive } = story
    const party = await story.account(olive, 'wire_external', {
      routing_number: '011000015',
      wire: {
        counterparty_name: 'Harbor Leasing Inc',
        counterparty_bank_name: 'Bay Bank',
        counterparty_address: LINES,
      },
    })
    const made = await story.pay(olive, olive.master, party, '12.50', { wire: WIRE })
    expect(made).toEqual({ ...common(story, olive.master, party), wire: { ...WIRE, wire_transmitter: null } })
    const uid = made.transaction_uids[0]!
    const carried = {
      ...WIRE,
      counterparty_name: 'Harbor Leasing Inc',
      counterparty_bank_name: 'Bay Bank',
      counterparty_bank_routing_number: '011000015',
      counterparty_bank_address: null,
      counterparty_address: LINES,
      originator_account_number_last_four: expect.stringMatching(/^\d{4}$/),
      bank_to_bank_info: null,
      chips: null,
      uetr: null,
    }
    const seen: unknown[] = []
    for (const status of ['queued', 'pending', 'settled']) {
      const transaction = await story.transaction(uid)
      expect(transaction).toMatchObject({ type: 'wire', net_asset: 'negative', status })
      expect(transaction.wire).toEqual({ ...carried, imad: transaction.wire!.imad })
      seen.push(transaction.wire!.imad)
      await story.advance({ by: 'PT1S' })
    }
    expect(seen).toEqual([null, null, expect.stringMatching(/^20260814[A-Z0-9]{8}\d{6}$/)])
    const { body } = await story.api.get<{ account_number: string }>(`/synthetic_accounts/${olive.master}`)
    const { wire } = await story.transaction(uid)
    expect(wire!.originator_account_number_last_four).toBe(body.account_number.slice(-4))
  })

  it('a wire does not need an object of its rail', async () => {
    const story = await paying()
    const { olive, wire } = story
    const made = await story.pay(olive, olive.master, wire, 1, { ach: undefined })
    expect(made).toMatchObject({ status: 'queued', wire: {} })
    expect(made).not.toHaveProperty('ach')
  })

  it("an instant payment: the network's ids, payment_id, and the Customer as initiating party", async () => {
    const story = await paying()
    const { olive, instant } = story
    const made = await story.pay(olive, olive.master, instant, '12.50', {
      instant_payment: { memo: 'Invoice #123 @client' },
    })
    expect(made).toEqual({
      ...common(story, olive.master, instant),
      instant_payment: { memo: 'Invoice #123 @client', instant_payment_transmitter: null, purpose_of_payment: '' },
    })
    const { body } = await story.api.get<{ account_number_last_four: string }>(`/synthetic_accounts/${instant}`)
    const transaction = await story.transaction(made.transaction_uids[0]!)
    expect(transaction).toMatchObject({ type: 'instant_payment', net_asset: 'negative' })
    expect(transaction.instant_payment).toEqual({
      network: 'tch',
      network_transaction_id: expect.stringMatching(/^20260814[A-Z0-9]{27}$/),
      payment_id: expect.stringMatching(/^.{1,35}$/),
      original_end_to_end_id: null,
      counterparty_name: 'Ada Okafor',
      counterparty_address: STRUCTURED,
      counterparty_bank_address: null,
      counterparty_bank_routing_number: '021000021',
      counterparty_account_number_last_four: body.account_number_last_four,
      initiating_party_name: 'Olive Oyl',
      memo: 'Invoice #123 @client',
      purpose_of_payment: '',
      ...nulls('instant_payment_transmitter', 'failure_code', 'failure_reason'),
    })
    const again = await story.pay(olive, olive.master, instant, 1)
    const other = await story.transaction(again.transaction_uids[0]!)
    expect(other.instant_payment!.network_transaction_id).not.toBe(transaction.instant_payment!.network_transaction_id)
    expect(other.instant_payment!.payment_id).not.toBe(transaction.instant_payment!.payment_id)
  })

  it('an instant payment has the purpose of payment that was sent, and "" if none was sent', async () => {
    const story = await paying()
    const { olive, instant } = story
    for (const [sent, shown] of [
      ['PAYR', 'PAYR'],
      ['MP2P', 'MP2P'],
      ['', ''],
      [null, ''],
      [undefined, ''],
    ]) {
      const made = await story.pay(olive, olive.master, instant, 1, { instant_payment: { purpose_of_payment: sent } })
      const facts = { memo: null, instant_payment_transmitter: null, purpose_of_payment: shown }
      expect(made.instant_payment).toEqual(facts)
      expect((await story.transfer(made.uid)).instant_payment).toEqual(facts)
      const transaction = await story.transaction(made.transaction_uids[0]!)
      expect(transaction.instant_payment).toMatchObject({ purpose_of_payment: shown })
    }
    const more = { instant_payment: { purpose_of_payment: 'PAYR' } }
    expect(await story.pay(olive, olive.master, story.wire, 1, more)).not.toHaveProperty('instant_payment')
    const received = { transaction_type: 'instant_payment', customer_uid: olive.uid, us_dollar_amount: 5 }
    const { instant_payment } = await story.transaction(await story.mock(received))
    expect(instant_payment).not.toHaveProperty('purpose_of_payment')
  })

  it('a Program can queue a rail until an instant, and the payment starts then', async () => {
    const story = await paying()
    const { olive, configure, pay, transfer } = story
    await configure({ queue_minutes: { ach: 10, wire: 20, instant_payment: 0, book: 30 } })
    const ach = await pay(olive, olive.master, story.ach, 1)
    const wire = await pay(olive, olive.master, story.wire, 1)
    const book = await pay(olive, olive.master, story.savings, 1)
    const instant = await pay(olive, olive.master, story.instant, 1)
    expect([ach, wire, book].map(({ queued_until }) => queued_until)).toEqual([
      '2026-08-14T14:10:02.000Z',
      '2026-08-14T14:20:02.000Z',
      '2026-08-14T14:30:02.000Z',
    ])
    expect(instant).not.toHaveProperty('queued_until')
    await story.until('2026-08-14T14:10:03.999Z')
    expect(await transfer(ach.uid)).toMatchObject({ status: 'queued', queued_until: ach.queued_until })
    expect((await transfer(instant.uid)).status).toBe('settled')
    await story.until('2026-08-14T14:10:04.000Z')
    expect((await transfer(ach.uid)).status).toBe('pending')
    await story.until('2026-08-14T14:10:07.000Z')
    expect((await transfer(ach.uid)).status).toBe('settled')
    expect((await transfer(wire.uid)).status).toBe('queued')
  })
})

describe('1: "The field `initiator_type` decides whether transmitter data comes from the Customer record or […]"', () => {
  it('transmitter, by wire: the transmitter is stored and listed', async () => {
    const story = await paying()
    const { olive, wire } = story
    const made = await story.pay(olive, olive.master, wire, 1, {
      initiator_type: 'transmitter',
      wire: { wire_transmitter: WIRE_TRANSMITTER },
    })
    expect(made).toMatchObject({ initiator_type: 'transmitter', wire: { wire_transmitter: WIRE_TRANSMITTER } })
    expect((await story.page()).data[0]!.wire).toEqual({ ...NO_INTERMEDIARY, wire_transmitter: WIRE_TRANSMITTER })
  })

  it('transmitter, by instant payment: the transmitter is stored and is the initiating party', async () => {
    const story = await paying()
    const { olive, instant } = story
    const made = await story.pay(olive, olive.master, instant, 1, {
      initiator_type: 'transmitter',
      instant_payment: { instant_payment_transmitter: INSTANT_TRANSMITTER },
    })
    expect(made.instant_payment).toEqual({
      instant_payment_transmitter: INSTANT_TRANSMITTER,
      memo: null,
      purpose_of_payment: '',
    })
    expect((await story.page()).data[0]!.instant_payment).toEqual({ instant_payment_transmitter: INSTANT_TRANSMITTER })
    expect((await story.transaction(made.transaction_uids[0]!)).instant_payment).toMatchObject({
      initiating_party_name: 'Dockside Pay',
      transmitter_name: 'Dockside Pay',
      instant_payment_transmitter: INSTANT_TRANSMITTER,
    })
  })

  it('3.10: "with `customer`, transmitter data is ignored", the default, and not even judged', async () => {
    const story = await paying()
    const { olive, wire, instant, pay, tryToPay } = story
    for (const initiator_type of ['customer', undefined, null]) {
      const byWire = await pay(olive, olive.master, wire, 1, {
        initiator_type,
        wire: { wire_instructions: 'Rent', wire_transmitter: WIRE_TRANSMITTER },
      })
      expect(byWire).toMatchObject({ initiator_type: 'customer' })
      expect(byWire.wire).toEqual({ ...NO_INTERMEDIARY, wire_transmitter: null, wire_instructions: 'Rent' })
      const atOnce = await pay(olive, olive.master, instant, 1, {
        initiator_type,
        instant_payment: { memo: 'Rent', instant_payment_transmitter: INSTANT_TRANSMITTER },
      })
      const nothing = { instant_payment_transmitter: null, purpose_of_payment: '' }
      expect(atOnce.instant_payment).toEqual({ memo: 'Rent', ...nothing })
      const { instant_payment } = await story.transaction(atOnce.transaction_uids[0]!)
      expect(instant_payment).toMatchObject({ initiating_party_name: 'Olive Oyl', instant_payment_transmitter: null })
    }
    for (const [to, body] of [
      [wire, { wire: { wire_transmitter: { name: 'Top Tier Tacos', street1: 'Abc St.' } } }],
      [instant, { instant_payment: { instant_payment_transmitter: { name: 7 } } }],
    ] as const) {
      for (const initiator_type of ['customer', undefined])
        await pay(olive, olive.master, to, 1, { initiator_type, ...body })
      const judged = await tryToPay(olive, olive.master, to, 1, { initiator_type: 'transmitter', ...body })
      expectRefusal(judged, 'missingParameter')
    }
  })

  it('"It is required only for wire and instant_payment transfers"', async () => {
    const story = await paying()
    const { refused, olive, tryToPay } = story
    const more = { initiator_type: 'transmitter' }
    for (const [to, missing, ...given] of [
      [story.wire, 'wire.wire_transmitter', {}, { wire: {} }, { wire: { wire_transmitter: null } }],
      [
        ...[story.instant, 'instant_payment.instant_payment_transmitter'],
        ...[{}, { instant_payment: {} }, { wire: { wire_transmitter: WIRE_TRANSMITTER } }],
      ],
    ] as [string, string, ...object[]][])
      for (const one of given)
        await refused(
          () => tryToPay(olive, olive.master, to, 1, { ...more, ...one }),
          'missingParameter',
          `${missing} is missing`,
        )
    for (const to of [story.ach, story.savings])
      expect(await story.pay(olive, olive.master, to, 1, more)).toMatchObject({ initiator_type: 'transmitter' })
  })
})

describe('allowed pairs of accounts', () => {
  it('1: "A Transfer between two external accounts is never allowed"', async () => {
    const { refused, olive, ach, wire, instant, account, tryToPay } = await paying()
    const externals = [ach, wire, instant, await account(olive, 'ach_external')]
    for (const from of externals)
      for (const to of externals.filter((one) => one !== from))
        await refused(() => tryToPay(olive, from, to, 1), 'transferProhibited', 'both accounts are external')
  })

  it('"The source and destination accounts are identical": refused for every account', async () => {
    const { refused, olive, ach, savings, tryToPay } = await paying()
    for (const uid of [olive.master, savings, ach]) await refused(() => tryToPay(olive, uid, uid, 1), 'sameAccounts')
  })

  it('"Customer and accounts must share a Pool": no account of another Customer pays, is paid, or is paid from', async () => {
    const { refused, olive, ach, savings, customer, account, tryToPay } = await paying()
    const other = await customer({ ...PERSON, ssn: '512-04-8824' })
    const theirs = await account(other, 'ach_external')
    for (const [from, to] of [
      [olive.master, other.master],
      [other.master, olive.master],
      [olive.master, theirs],
      [other.master, ach],
    ] as const)
      for (const who of [olive, other])
        await refused(() => tryToPay(who, from, to, 1), 'transferProhibited', 'the accounts belong to different Pools')
    for (const to of [savings, ach])
      await refused(
        () => tryToPay(other, olive.master, to, 1),
        'transferProhibited',
        'the initiating Customer does not share the Pool of the accounts',
      )
  })

  it('a destination Customer must own the destination; the default is the initiating Customer', async () => {
    const { refused, olive, savings, customer, pay, tryToPay } = await paying()
    const other = await customer({ ...PERSON, ssn: '512-04-8824' })
    for (const destination_customer_uid of [olive.uid, null])
      expect(await pay(olive, olive.master, savings, 1, { destination_customer_uid })).toMatchObject({
        destination_customer_uid: olive.uid,
      })
    await refused(
      () => tryToPay(olive, olive.master, savings, 1, { destination_customer_uid: other.uid }),
      'transferProhibited',
      'the accounts do not belong to the destination Customer',
    )
    await refused(
      () => tryToPay(olive, olive.master, savings, 1, { destination_customer_uid: 'x' }),
      'customerNotFound',
    )
  })

  it.each([
    ['wire', 'wire_external'],
    ['instant', 'instant_payment_external'],
  ] as const)('an external account cannot be the source of %s', async (rail, category) => {
    const story = await paying()
    await story.refused(
      () => story.tryToPay(story.olive, story[rail], story.olive.master, 1),
      'transferProhibited',
      `an account of category ${category} cannot be debited`,
    )
  })

  it('an unknown account or Customer', async () => {
    const { refused, olive, savings, tryToPay } = await paying()
    for (const field of ['source_synthetic_account_uid', 'destination_synthetic_account_uid'])
      await refused(
        () => tryToPay(olive, olive.master, savings, 1, { [field]: 'nobody' }),
        'syntheticAccountNotFound',
        field,
      )
    await refused(() => tryToPay({ ...olive, uid: 'nobody' }, olive.master, savings, 1), 'customerNotFound')
  })

  it('1: the Program says "which […] Transaction types are available"', async () => {
    const story = await paying()
    const { refused, olive, savings, ach, wire, instant, configure, tryToPay, pay } = story
    const ways = { book_transfer: savings, ach, wire, instant_payment: instant }
    await configure({ transaction_types: [] })
    for (const [type, to] of Object.entries(ways))
      await refused(
        () => tryToPay(olive, olive.master, to, 1),
        'transferProhibited',
        `${type} is not available in this Program`,
      )
    for (const [type, to] of Object.entries(ways)) {
      await configure({ transaction_types: [type] })
      await pay(olive, olive.master, to, 1)
      const others = Object.values(ways).filter((other) => other !== to)
      for (const other of others) expectRefusal(await tryToPay(olive, olive.master, other, 1), 'transferProhibited')
    }
  })
})

describe('states of the Customer and of its accounts that allow payments', () => {
  it('1010: a Customer that is not onboarded is not active and cannot pay', async () => {
    const { refused, olive, savings, created, tryToPay } = await paying()
    const { uid } = await created({ ...PERSON, ssn: '512-04-8824' })
    await refused(
      () => tryToPay({ ...olive, uid: uid! }, olive.master, savings, 1),
      'inactiveCustomer',
      'its status is initiated',
    )
  })

  it.each([
    ['under review: 1010', 'put under review', 'end review', 'inactiveCustomer', 'its status is under_review'],
    [
      'locked: "Transfers to or from […] an account that belongs to a locked customer are prohibited"',
      ...(['lock', 'unlock', 'accountLocked', undefined] as const),
    ],
  ] as const)('%s, on every rail and in both directions, until that ends', async (_, begin, end, error, extra) => {
    const story = await paying()
    const { refused, olive, savings, move, tryToPay, pay } = story
    await move('customers', olive.uid, begin, begin === 'lock' ? { lock_reason: 'fraud' } : {})
    for (const [, way, more] of RAILS) await refused(() => tryToPay(olive, ...way(story), 1, more), error, extra)
    await move('customers', olive.uid, end)
    await pay(olive, olive.master, savings, 1)
  })

  it('4.5: on receipt of the archive request "the accounts are locked"; once it is archived, 1008', async () => {
    const { refused, api, olive, ach, savings, advance, tryToPay } = await paying()
    const json = { destination_synthetic_account_uid: ach }
    expect((await api.call('DELETE', `/customers/${olive.uid}`, { json })).body.status).toBe('pending_archival')
    await refused(() => tryToPay(olive, olive.master, savings, 1), 'accountLocked')
    await refused(() => tryToPay(olive, ach, olive.master, 1), 'accountLocked')
    await advance({ business_days: 8 })
    expect((await api.get(`/customers/${olive.uid}`)).body.status).toBe('archived')
    await refused(() => tryToPay(olive, olive.master, savings, 1), 'archivedCustomer')
    await refused(() => tryToPay(olive, ach, olive.master, 1), 'archivedCustomer')
  })

  it('"Transfers to or from a discarded account are not allowed": an archived one, general or external', async () => {
    const { refused, api, olive, ach, wire, savings, tryToPay } = await paying()
    for (const uid of [ach, wire, savings])
      expect((await api.call('DELETE', `/synthetic_accounts/${uid}`)).status).toBe(204)
    for (const [from, to, archived] of [
      [olive.master, savings, savings],
      [savings, olive.master, savings],
      [olive.master, ach, ach],
      [ach, olive.master, ach],
      [olive.master, wire, wire],
    ] as const)
      await refused(() => tryToPay(olive, from, to, 1), 'accountDiscarded', `${archived}: its status is archived`)
  })
})

describe('"if the same value is given, no new resource will be created": external_uid', () => {
  it('the existing Transfer is returned in its present state, and nothing is created', async () => {
    const { sandbox, olive, ach, advance, pay, transfer, balances } = await paying()
    const first = await pay(olive, olive.master, ach, 10, { external_uid: 'once' })
    expect(await expectUnchanged(sandbox, () => pay(olive, olive.master, ach, 10, { external_uid: 'once' }))).toEqual(
      first,
    )
    expect(await balances(olive.master)).toMatchObject({ available: '990.00' })
    await advance({ by: 'PT5S' })
    const again = await expectUnchanged(sandbox, () => pay(olive, olive.master, ach, 10, { external_uid: 'once' }))
    expect(again).toEqual({ ...first, status: 'settled' })
    expect(again).toEqual(await transfer(first.uid))
  })

  it('other fields of the body do not matter if their types are valid', async () => {
    const { sandbox, api, olive, ach, wire, savings, move, pay, tryToPay } = await paying()
    const first = await pay(olive, olive.master, ach, 10, { external_uid: 'once' })
    await move('customers', olive.uid, 'lock', { lock_reason: 'fraud' })
    await expectUnchanged(sandbox, async () => {
      for (const [from, to, amount] of [
        [olive.master, wire, 999999],
        [savings, savings, 1],
        ['nobody', 'nothing', 1],
      ] as const)
        expect(await pay(olive, from, to, amount, { external_uid: 'once' })).toEqual(first)
      expectRefusal(
        await tryToPay(olive, olive.master, ach, 'ten', { external_uid: 'once' }),
        'transferAmountNotNumeric',
      )
      expectRefusal(await api.post('/transfers', { external_uid: 'once' }), 'missingParameter')
    })
  })

  it('values are compared exactly; every request without external_uid creates a Transfer', async () => {
    const { olive, savings, pay, page } = await paying()
    const uids = new Set<string>()
    for (const external_uid of ['once', 'Once', 'once ', null, null, undefined])
      uids.add((await pay(olive, olive.master, savings, 1, { external_uid })).uid)
    expect(uids.size).toBe(6)
    expect((await page()).data.map((transfer) => transfer.external_uid)).toEqual(
      ['once', 'Once', 'once ', null, null, null].reverse(),
    )
  })

  it('of many simultaneous requests one creates the Transfer', async () => {
    const { olive, savings, pay, page, balances } = await paying()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => pay(olive, olive.master, savings, 100, { external_uid: 'once' })),
    )
    expect(new Set(answers.map(({ uid }) => uid)).size).toBe(1)
    expect((await page()).total_count).toBe(1)
    expect(await balances(olive.master)).toMatchObject({ available: '900.00' })
  })

  it('a canceled Transfer keeps its external_uid', async () => {
    const { sandbox, olive, ach, pay, cancel } = await paying()
    const { uid } = await pay(olive, olive.master, ach, 10, { external_uid: 'once' })
    await cancel(uid)
    const again = await expectUnchanged(sandbox, () => pay(olive, olive.master, ach, 10, { external_uid: 'once' }))
    expect(again).toMatchObject({ uid, status: 'canceled' })
  })
})

describe('4.1 PUT /transfers/{uid}/cancel', () => {
  const BODY = { authorized_representative_name: "Swee'Pea", cancellation_reason: 'Submitted by accident' }

  it.each([
    ['an ACH credit', ({ olive, ach }: Story) => [olive.master, ach]],
    ['an ACH debit', ({ olive, ach }: Story) => [ach, olive.master]],
    ['a wire', ({ olive, wire }: Story) => [olive.master, wire]],
  ] as const)('%s that is queued: canceled with its Transaction, and its hold is released', async (_name, way) => {
    const story = await paying()
    const { sandbox, olive, pay, cancel, transfer, transaction, balances, advance } = story
    const before = await balances(olive.master)
    const [from, to] = way(story)
    const made = await pay(olive, from!, to!, 10)
    expect(await balances(olive.master)).not.toEqual(before)
    const { status, body } = await cancel(made.uid, BODY)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...made,
      status: 'canceled',
      cancellation: {
        ...BODY,
        current_cancellation_status: 'successful_cancellation',
        cancellation_requested_at: NOW,
        cancellation_succeeded_at: NOW,
        cancellation_failed_at: null,
      },
    })
    expect(await transfer(made.uid)).toEqual(body)
    expect((await transaction(made.transaction_uids[0]!)).status).toBe('canceled')
    expect(await balances(olive.master)).toEqual(before)
    // None of its tasks is scheduled any more.
    await advance({ until: 'idle' })
    expect(await transfer(made.uid)).toEqual(body)
    expect(await balances(olive.master)).toEqual(before)
    expect(sandbox.store.world.collections.synthetic_line_items.inOrder()).toHaveLength(2) // the money it began with
    await story.expectBalancedLedger()
  })

  it('name and reason are optional', async () => {
    const { olive, ach, pay, cancel } = await paying()
    for (const body of [undefined, {}, { authorized_representative_name: null, cancellation_reason: null }]) {
      const { uid } = await pay(olive, olive.master, ach, 10)
      const answer = await cancel(uid, body)
      expect(answer.status).toBe(200)
      expect(answer.body.cancellation).toEqual({
        current_cancellation_status: 'successful_cancellation',
        cancellation_requested_at: NOW,
        cancellation_succeeded_at: NOW,
        cancellation_failed_at: null,
      })
    }
  })

  it.each([
    ['an ACH', 'ach'],
    ['a wire', 'wire'],
  ] as const)(
    '%s that is pending: "The payment has already been submitted. It is too late to cancel."',
    async (_, rail) => {
      const story = await paying()
      const { refused, olive, pay, cancel, advance, transfer } = story
      const { uid } = await pay(olive, olive.master, story[rail], 10)
      await advance({ by: rail === 'ach' ? 'PT2S' : 'PT1S' })
      expect((await transfer(uid)).status).toBe('pending')
      await refused(
        () => cancel(uid, BODY),
        'transferNotCanceled',
        'The payment has already been submitted. It is too late to cancel.',
      )
      await advance({ by: 'PT5S' })
      const after = await transfer(uid)
      expect(after.status).toBe('settled')
      expect(after).not.toHaveProperty('cancellation')
    },
  )

  it('settled, failed or canceled: refused, because the status is final', async () => {
    const { sandbox, olive, ach, account, pay, cancel, advance, transfer } = await paying()
    const fails = await account(olive, 'ach_external', { name: 'fail, please' })
    const canceled = await pay(olive, olive.master, ach, 10)
    await cancel(canceled.uid)
    const settled = await pay(olive, olive.master, ach, 10)
    const failed = await pay(olive, olive.master, fails, 10)
    await advance({ by: 'PT5S' })
    await expectUnchanged(sandbox, async () => {
      for (const [made, status] of [
        [canceled, 'canceled'],
        [settled, 'settled'],
        [failed, 'failed'],
      ] as const) {
        expect((await transfer(made.uid)).status).toBe(status)
        expectRefusal(
          await cancel(made.uid, BODY),
          'transferNotCancelable',
          'Transfer status must be one of the following to cancel: pending, queued',
        )
      }
    })
  })

  it.each([
    ['a book transfer', 'savings'],
    ['an instant payment', 'instant'],
  ] as const)(
    '"the type of transfer (wire or ACH)": %s cannot be canceled, even when it waits',
    async (_name, kind) => {
      const story = await paying()
      const { refused, olive, pay, cancel, configure, advance } = story
      await configure({ queue_minutes: { ach: 10, wire: 10, instant_payment: 10, book: 10 } })
      const { uid } = await pay(olive, olive.master, story[kind], 10)
      for (const by of ['PT0S', 'PT10M1S', 'PT5S']) {
        await advance({ by })
        await refused(
          () => cancel(uid, BODY),
          'transferNotCancelable',
          'Only a wire or an ACH transfer can be canceled',
        )
      }
    },
  )

  it('a Transfer that the Program queues can be canceled until it starts', async () => {
    const { olive, ach, pay, cancel, configure, until } = await paying()
    await configure({ queue_minutes: { ach: 10, wire: 0, instant_payment: 0, book: 0 } })
    const [first, second] = [await pay(olive, olive.master, ach, 10), await pay(olive, olive.master, ach, 10)]
    await until('2026-08-14T14:10:03.999Z')
    expect((await cancel(first.uid)).body).toMatchObject({
      status: 'canceled',
      cancellation: { cancellation_requested_at: '2026-08-14T14:10:03.999Z' },
    })
    await until('2026-08-14T14:10:04.000Z')
    expectRefusal(await cancel(second.uid), 'transferNotCanceled')
  })

  it.each([
    ['an ACH, up to 17:00 in New York', 'ach', '14T20:55:00.000', '14T20:59:59.999', '14T21:00:00.000'],
    ['an ACH of a Saturday, up to Monday 17:00', 'ach', '15T14:00:00.000', '17T20:59:59.999', '17T21:00:00.000'],
    ['a wire of a Saturday, up to Monday 09:01', 'wire', '15T14:00:00.000', '17T13:00:59.999', '17T13:01:00.000'],
    ['a wire in opening hours, for a minute', 'wire', '14T14:00:00.000', '14T14:01:01.999', '14T14:01:02.000'],
  ] as const)('real: %s', async (_name, rail, ...times) => {
    const [start, last, late] = times.map((time) => `2026-08-${time}Z`) as [string, string, string]
    const story = await paying({ pace: 'real', start: Date.parse(start) })
    const { refused, olive, pay, cancel, until } = story
    const more = { ach: { ...ACH, effective_entry_date: start.slice(0, 10) } }
    const first = await pay(olive, olive.master, story[rail], 10, more)
    const second = await pay(olive, olive.master, story[rail], 10, more)
    await until(last)
    expect((await cancel(first.uid)).body.status).toBe('canceled')
    await until(late)
    await refused(() => cancel(second.uid), 'transferNotCanceled')
    await story.expectBalancedLedger()
  })
})

describe('4.1 GET /transfers and GET /transfers/{uid}', () => {
  it('a list has no filter for the rail: it is ignored, with a hint', async () => {
    const { olive, savings, pay, page, api } = await paying()
    await pay(olive, olive.master, savings, 1)
    expect((await page('?rail=wire')).total_count).toBe(1)
    const { headers } = await api.get('/transfers?rail=wire')
    expect(decodeURIComponent(headers.get('x-sandbank-hints') ?? '')).toMatch(/^rail was ignored/)
  })

  it('a list omits addenda, trace id, memo and wire_instructions; all other fields are as in GET of one', async () => {
    const story = await paying()
    const { olive, ach, wire, instant, pay, cancel, page, transfer } = story
    const byAch = await pay(olive, olive.master, ach, 1, { ach: { ...ACH, addenda: 'Invoice 44', id_number: 'A 1' } })
    const byWire = await pay(olive, olive.master, wire, 1, { wire: WIRE })
    const atOnce = await pay(olive, olive.master, instant, 1, { instant_payment: { memo: 'Rent' } })
    await cancel(byWire.uid, { cancellation_reason: 'Twice' })
    const { data } = await page()
    const { addenda: _, transfer_trace_id: __, ...entry } = byAch.ach!
    const { wire_instructions: ___, ...instructions } = WIRE
    expect(data).toEqual([
      { ...atOnce, instant_payment: { instant_payment_transmitter: null } },
      { ...(await transfer(byWire.uid)), wire: { ...instructions, wire_transmitter: null } },
      { ...byAch, ach: entry },
    ])
    expect(data[1]!.cancellation).toMatchObject({ cancellation_reason: 'Twice' })
    expect(entry).toMatchObject({ id_number: 'A 1', prenote: false })
  })
})

it('the status of the initiating Customer comes first: an archived one is 1008, also if it never had a Pool', async () => {
  const { api, created, advance, olive, ach, refused, tryToPay } = await paying()
  const { uid } = await created()
  expect((await api.call('DELETE', `/customers/${uid}`, { json: {} })).status).toBe(200)
  await advance({ until: 'idle' })
  expect((await api.get(`/customers/${uid}`)).body).toMatchObject({ status: 'archived', pool_uids: [] })
  await refused(() => tryToPay({ ...olive, uid: uid! }, olive.master, ach, 1), 'archivedCustomer')
})
