import { describe, expect, it } from 'vitest'
import type { Transaction } from '../../src/api/contract/resources/transactions.ts'
import type { Transfer } from '../../src/api/contract/resources/transfers.ts'
import type { Page } from '../../src/api/contract/terms/list.ts'
import { defaultSettings } from '../../src/api/domain/seed.ts'
import { expectRefusal } from '../support/client.ts'
import { PERSON } from '../support/customers.ts'
import { formOf } from '../support/form.ts'
import { ACH, NO_INTERMEDIARY, NO_MORE_ACH, STRUCTURED, setUpPayments } from '../support/payments.ts'
import { expectUnchanged } from '../support/world.ts'
import { lastExchange } from './support.ts'

/** POST /transfers: required fields of each rail, valid amounts, and limits of the Program. */

type Body = Record<string, unknown>
type Rail = 'ach' | 'wire' | 'instant_payment'
type Limits = { readonly [K in keyof (typeof defaultSettings.limits)[Rail]]?: string | number | null }

const LINES = { line1: '1 Quay', line2: 'Pier 4', line3: 'Toledo OH', country: 'US' }

/** All fields of each rail, with valid values. */
const SAID: Readonly<Record<Rail, Body>> = {
  ach: { ...ACH, company_discretionary_data: 'ABC', payment_type: 'S', id_number: 'A 1', addenda: 'Invoice 44' },
  wire: {
    intermediary_bank_name: 'First Harbor Bank',
    intermediary_bank_address: LINES,
    intermediary_bank_routing_number: '021000021',
    wire_instructions: 'Lease 44, June',
    wire_transmitter: { name: 'Dockside Pay', transmitter_identifier: 'DOCK1', ...LINES },
  },
  instant_payment: {
    memo: 'Rent',
    instant_payment_transmitter: { name: 'Dockside Pay', transmitter_identifier: 'DOCK1', ...STRUCTURED },
  },
}

const partOf = (said: unknown, field: string): unknown =>
  field.split('.').reduce((part, name) => (part as Body | undefined)?.[name], said)

async function paying(funds: number | string = 1000) {
  const setup = await setUpPayments()
  const { api, customer, fund, account, tryToPay, pay, configure } = setup
  const olive = await customer()
  await fund(olive, funds)
  const party = {
    ach: await account(olive, 'ach_external'),
    wire: await account(olive, 'wire_external'),
    instant_payment: await account(olive, 'instant_payment_external'),
  }
  /** The transmitter is looked at where the Client names it. */
  const saying = (rail: Rail, said: Body) => ({ initiator_type: 'transmitter', [rail]: said })
  const trySaying = (rail: Rail, said: Body) => tryToPay(olive, olive.master, party[rail], '0.01', saying(rail, said))
  const entry = (ach: Body, amount: unknown = '0.01') =>
    tryToPay(olive, olive.master, party.ach, amount, { ach: { ...ACH, ...ach } })
  const debitEntry = (ach: Body, amount: unknown = '0.01') =>
    tryToPay(olive, party.ach, olive.master, amount, { ach: { ...ACH, ...ach } })
  const limit = (rail: Rail, limits: Limits) =>
    configure({ limits: { ...defaultSettings.limits, [rail]: { ...defaultSettings.limits[rail], ...limits } } })
  const out = (rail: Rail, amount: unknown, more?: Body) => tryToPay(olive, olive.master, party[rail], amount, more)
  const paid = (rail: Rail, amount: unknown, more?: Body) => pay(olive, olive.master, party[rail], amount, more)
  const cancel = async (uid: string) =>
    expect((await api.call('PUT', `/transfers/${uid}/cancel`)).status, 'canceled').toBe(200)
  const until = (to: string) => setup.advance({ to })
  return { ...setup, olive, party, saying, trySaying, entry, debitEntry, limit, out, paid, cancel, until }
}

// ── Fields of each rail, beyond those of fields.test.ts ─────────────────────────────────────────────────────────────

const x = (n: number) => 'x'.repeat(n)

describe('1003 and 1007: a Transfer', () => {
  it('names all missing fields in one error', async () => {
    const { sandbox, api } = await paying()
    const answer = await expectUnchanged(sandbox, () => api.post('/transfers', { ach: {} }))
    const { extra } = (answer.body as { errors: { extra: string }[] }).errors[0]!
    expectRefusal(answer, 'missingParameter')
    for (const field of ['source_synthetic_account_uid', 'usd_transfer_amount', 'ach.sec_code'])
      expect(extra).toContain(`${field} is missing`)
  })

  it('by ACH needs the object of an ACH', async () => {
    const { refused, olive, party, out, tryToPay } = await paying()
    for (const ach of [undefined, null]) {
      await refused(() => out('ach', 1, { ach }), 'missingParameter', 'ach is missing')
      await refused(() => tryToPay(olive, party.ach, olive.master, 1, { ach }), 'missingParameter', 'ach is missing')
    }
    for (const ach of ['CCD', [], 1]) await refused(() => out('ach', 1, { ach }), 'invalidArgument', /^ach: /)
  })

  it('by wire is refused without "intermediary_bank_routing_number (required if either of the other two is present)"', async () => {
    const { refused, out, paid } = await paying()
    const [name, address] = [{ intermediary_bank_name: 'First' }, { intermediary_bank_address: LINES }]
    const number = { intermediary_bank_routing_number: '021000021' }
    for (const said of [name, address, { ...name, ...address, intermediary_bank_routing_number: null }])
      await refused(
        () => out('wire', 1, { wire: said }),
        'missingParameter',
        'wire.intermediary_bank_routing_number is missing',
      )
    const others = { ...NO_INTERMEDIARY, wire_instructions: null, wire_transmitter: null }
    for (const said of [number, { ...name, ...number }, { ...address, ...number }, {}])
      expect((await paid('wire', 1, { wire: said })).wire).toEqual({ ...others, ...said })
    const nulls = { intermediary_bank_name: null, intermediary_bank_address: null }
    expect((await paid('wire', 1, { wire: nulls })).wire).toEqual(others)
  })
})

describe('ACH: rules of the SEC code, the dates and the company', () => {
  it('CIE: "mandatory" id_number of at most 22 characters; any other at most 15, and optional', async () => {
    const { refused, olive, account, tryToPay, entry } = await paying()
    const to = await account(olive, 'ach_external', {
      ach: { account_type: 'checking', counterparty_name: 'Northern Mill' },
    })
    const cie = (id_number: unknown) =>
      tryToPay(olive, olive.master, to, '0.01', { ach: { ...ACH, sec_code: 'CIE', id_number } })
    for (const missing of [undefined, null])
      await refused(() => cie(missing), 'missingParameter', 'ach.id_number is missing')
    for (const bad of ['', x(23), 'A-1', 'A.1']) await refused(() => cie(bad), 'invalidArgument', /^ach\.id_number: /)
    for (const bad of ['', x(16), x(22), 'A-1'])
      await refused(() => entry({ id_number: bad }), 'invalidArgument', /^ach\.id_number: /)
    for (const good of ['1', x(22), 'Invoice 44']) expect((await cie(good)).status).toBe(201)
    for (const good of [undefined, null, '1', x(15)]) expect((await entry({ id_number: good })).status).toBe(201)
  })

  it('"ACH counterparty_name ≤22; ≤15 when SEC code is CIE"', async () => {
    const { refused, olive, account, tryToPay } = await paying()
    const named = (counterparty_name: string) =>
      account(olive, 'ach_external', { ach: { account_type: 'checking', counterparty_name } })
    const ach = { ...ACH, sec_code: 'CIE', id_number: '1' }
    const [short, long] = [await named(x(15)), await named(x(16))]
    expect((await tryToPay(olive, olive.master, short, '0.01', { ach })).status).toBe(201)
    await refused(
      () => tryToPay(olive, olive.master, long, '0.01', { ach }),
      'invalidArgument',
      /counterparty's name has at most 15 characters/,
    )
    expect((await tryToPay(olive, olive.master, long, '0.01', { ach: ACH })).status).toBe(201)
  })

  it('CIE is only for credits and TEL only for debits; CCD, PPD and WEB are for both', async () => {
    const { refused, olive, account, entry, debitEntry, tryToPay } = await paying()
    const short = await account(olive, 'ach_external', { ach: { account_type: 'savings', counterparty_name: 'Mill' } })
    const cie = { ach: { ...ACH, sec_code: 'CIE', id_number: '1' } }
    await refused(
      () => tryToPay(olive, short, olive.master, 1, cie),
      'invalidArgument',
      /^ach\.sec_code CIE is for credits/,
    )
    await refused(() => entry({ sec_code: 'TEL' }), 'invalidArgument', /^ach\.sec_code TEL is for debits/)
    expect((await tryToPay(olive, olive.master, short, 1, cie)).status).toBe(201)
    expect((await debitEntry({ sec_code: 'TEL' })).status).toBe(201)
    for (const sec_code of ['CCD', 'PPD', 'WEB']) {
      expect((await entry({ sec_code })).status).toBe(201)
      expect((await debitEntry({ sec_code })).status).toBe(201)
    }
  })

  it('addenda: "rejected with SEC code TEL"', async () => {
    const { refused, debitEntry } = await paying()
    await refused(
      () => debitEntry({ sec_code: 'TEL', addenda: 'Invoice 44' }),
      'invalidArgument',
      /addenda is not allowed with sec_code TEL/,
    )
    for (const given of [
      { sec_code: 'TEL', addenda: null },
      { sec_code: 'WEB', addenda: 'Invoice 44' },
    ])
      expect((await debitEntry(given)).status).toBe(201)
  })

  it('effective_entry_date: "not past, ≤30 days ahead"; a weekend or a holiday will do', async () => {
    const { refused, entry, debitEntry } = await paying()
    for (const past of ['2026-08-13', '2025-08-14', '0001-01-01'])
      await refused(
        () => entry({ effective_entry_date: past }),
        'invalidArgument',
        'ach.effective_entry_date must not be in the past',
      )
    for (const far of ['2026-09-14', '2027-08-14', '9999-12-31'])
      await refused(
        () => debitEntry({ effective_entry_date: far }),
        'invalidArgument',
        'ach.effective_entry_date must be within 30 days',
      )
    // Today, a Saturday, Labor Day, and the thirtieth day, which is a Sunday.
    for (const effective_entry_date of ['2026-08-14', '2026-08-15', '2026-09-07', '2026-09-13'])
      for (const tried of [entry, debitEntry]) {
        const { status, body } = await tried({ effective_entry_date })
        expect({ status, ach: body.ach }).toMatchObject({ status: 201, ach: { effective_entry_date } })
      }
  })

  it('today is the day in New York, until midnight there', async () => {
    const { refused, entry, until } = await paying()
    await until('2026-08-15T03:59:59.999Z')
    expect((await entry({ effective_entry_date: '2026-08-14' })).status).toBe(201)
    expect((await entry({ effective_entry_date: '2026-09-13' })).status).toBe(201)
    expectRefusal(await entry({ effective_entry_date: '2026-09-14' }), 'invalidArgument')
    await until('2026-08-15T04:00:00.000Z')
    await refused(
      () => entry({ effective_entry_date: '2026-08-14' }),
      'invalidArgument',
      'ach.effective_entry_date must not be in the past',
    )
    expect((await entry({ effective_entry_date: '2026-09-14' })).status).toBe(201)
  })

  it('1002: an invalid date', async () => {
    const { refused, entry } = await paying()
    const none = ['', 'tomorrow', '2026-02-30', '2026-8-15', '20260815', '15.08.2026', '08/15/2026']
    for (const effective_entry_date of [...none, '2026-08-15T00:00:00Z', ' 2026-08-15', 20260815, true])
      await refused(() => entry({ effective_entry_date }), 'unparseableDate', 'ach.effective_entry_date')
    await refused(
      () => entry({ effective_entry_date: undefined }),
      'missingParameter',
      'ach.effective_entry_date is missing',
    )
  })

  it('2.4: "company_id is optional when initiating a transfer and is validated when given"', async () => {
    const { refused, olive, customer, dda, entry, debitEntry } = await paying()
    const other = await customer({ ...PERSON, ssn: '512-04-8824' })
    const companyOf = async ({ uid }: { uid: string }) => (await dda(uid)).company_ids![0]!
    const [ours, theirs] = [await companyOf(olive), await companyOf(other)]
    for (const company_id of [theirs, ours.toLowerCase(), `${ours.slice(0, -1)}X`, 'ABC-123456', 'x'])
      for (const tried of [entry, debitEntry])
        await refused(
          () => tried({ company_id }),
          'invalidArgument',
          new RegExp(`^ach\\.company_id is none of the Customer; GET /custodial_accounts/\\w{16} shows ${ours}$`),
        )
    for (const company_id of ['', x(11), 'a_b', 1, []])
      await refused(() => entry({ company_id }), 'invalidArgument', /^ach\.company_id: /)
    for (const tried of [entry, debitEntry])
      expect((await tried({ company_id: ours })).body.ach).toMatchObject({ company_id: ours })
    for (const company_id of [undefined, null]) {
      const { status, body } = await entry({ company_id })
      expect({ status, ach: body.ach }).toMatchObject({ status: 201, ach: { company_id: null } })
    }
  })

  it('2.4: company_id is taken and validated at the top of a Transfer, too, over every rail', async () => {
    const { sandbox, out, olive, dda } = await paying()
    const company_id = (await dda(olive.uid)).company_ids![0]!
    await expectUnchanged(sandbox, async () => {
      for (const rail of RAILS)
        expectRefusal(await out(rail, '0.01', { company_id: 'C000000000' }), 'invalidArgument', /^company_id is none/)
      const differs = { company_id, ach: { ...ACH, company_id: 'C000000000' } }
      expectRefusal(await out('ach', '0.01', differs), 'invalidArgument', 'company_id and ach.company_id differ')
      expectRefusal(await out('wire', '0.01', { company_id: 'a_b' }), 'invalidArgument', /^company_id: /)
    })
    for (const rail of RAILS) expect((await out(rail, '0.01', { company_id })).status).toBe(201)
    for (const ach of [ACH, { ...ACH, company_id }])
      expect((await out('ach', '0.01', { company_id, ach })).body.ach).toMatchObject({ company_id })
  })

  describe('2.4: "The transfer request also carries `wire_transmitter`, `instant_payment_transmitter` and `initiator_type`"', () => {
    const cases = [
      ['wire', 'wire_transmitter'],
      ['instant_payment', 'instant_payment_transmitter'],
    ] as const
    it.each(cases)('at the top of a %s: %s is taken like the nested one', async (rail, field) => {
      const { sandbox, out } = await paying()
      const transmitter = SAID[rail][field] as Body
      const asTransmitter = (more: Body) => out(rail, '0.01', { initiator_type: 'transmitter', ...more })
      for (const more of [
        { [field]: transmitter },
        { [field]: transmitter, [rail]: {} },
        { [field]: transmitter, [rail]: { [field]: { ...transmitter } } },
      ]) {
        const { status, body } = await asTransmitter(more)
        expect({ status, shown: partOf(body, `${rail}.${field}`) }).toEqual({ status: 201, shown: transmitter })
        expect(body).not.toHaveProperty(field)
      }
      await expectUnchanged(sandbox, async () => {
        const other = { [rail]: { [field]: { ...transmitter, name: 'Another' } } }
        const [differs, wrong] = [
          await asTransmitter({ [field]: transmitter, ...other }),
          { ...transmitter, name: x(141) },
        ]
        expectRefusal(differs, 'invalidArgument', `${field} and ${rail}.${field} differ`)
        expectRefusal(await asTransmitter({ [field]: wrong }), 'invalidArgument', new RegExp(`^${field}\\.name: `))
      })
      const ignored = await out(rail, '0.01', { [field]: { name: 1 } })
      expect({ status: ignored.status, shown: partOf(ignored.body, `${rail}.${field}`) }).toEqual({
        status: 201,
        shown: null,
      })
    })
  })

  it('a prenote of 0.00 moves and holds no money, and lists show it only on request', async () => {
    const { api, entry, debitEntry, olive, balances, transaction, transfer, advance, expectBalancedLedger } =
      await paying()
    const before = await balances(olive.master)
    const made: Transfer[] = []
    for (const tried of [entry, debitEntry])
      for (const amount of ['0.00', '0', 0]) {
        const { status, body } = await tried({ prenote: true }, amount)
        expect({ status, amount: body.usd_transfer_amount, ach: body.ach }).toMatchObject({
          status: 201,
          amount: '0.00',
          ach: { prenote: true },
        })
        made.push(body as unknown as Transfer)
      }
    expect(await balances(olive.master)).toEqual(before)
    await advance({ by: 'PT5S' })
    for (const { uid, transaction_uids } of made) {
      expect((await transfer(uid)).status).toBe('settled')
      expect(await transaction(transaction_uids[0]!)).toMatchObject({ type: 'ach', status: 'settled' })
    }
    expect(await balances(olive.master)).toEqual(before)
    const count = async (query: string) => (await api.get<Page<Transaction>>(`/transactions${query}`)).body.total_count
    for (const no of ['', '&include_zero=false']) expect(await count(`?type=ach${no}`)).toBe(0)
    for (const yes of ['true', '1']) expect(await count(`?type=ach&include_zero=${yes}`)).toBe(6)
    await expectBalancedLedger()
  })

  it('a prenote of more than 0.00, or 0.00 without a prenote, is refused', async () => {
    const { refused, olive, account, entry, debitEntry, out, tryToPay } = await paying()
    const savings = await account(olive, 'general')
    const prenote = { ach: { ...ACH, prenote: true } }
    for (const amount of ['0.01', 1, '1000.00'])
      for (const tried of [entry, debitEntry])
        await refused(
          () => tried({ prenote: true }, amount),
          'invalidArgument',
          'usd_transfer_amount of a prenote must be 0.00',
        )
    for (const none of [false, null, undefined])
      await refused(() => entry({ prenote: none }, '0.00'), 'transferAmountNotPositive')
    // Other rails have no prenotes.
    for (const rail of ['wire', 'instant_payment'] as const)
      await refused(() => out(rail, '0.00', prenote), 'transferAmountNotPositive')
    await refused(() => tryToPay(olive, olive.master, savings, 0, prenote), 'transferAmountNotPositive')
  })
})

// ── Amounts ─────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('usd_transfer_amount', () => {
  /** On every rail, as none looks at an amount in its own way. */
  async function trying() {
    const { refused, olive, party, account, tryToPay } = await paying()
    const targets = [...Object.values(party), await account(olive, 'general')]
    return { refused, tries: (amount: unknown) => targets.map((to) => () => tryToPay(olive, olive.master, to, amount)) }
  }

  it('3002: words, exponents in text, blanks, and values that are neither text nor number', async () => {
    const { refused, tries } = await trying()
    const words = ['', ' ', 'twelve', 'NaN', 'Infinity', '-Infinity', 'null', 'true', '1e3', '1E3', '1e-2', '0x10']
    const nearly = ['12\n', ...' 12|12 |+5|.5|5.|-|--5|1,000.00|1_000|$5|5 USD|1.2.3|١٢|１２'.split('|')]
    for (const amount of [...words, ...nearly, true, false, [], [5], ['5.00'], {}, { amount: 5 }])
      for (const tried of tries(amount)) await refused(() => tried(), 'transferAmountNotNumeric', 'usd_transfer_amount')
  })

  it('3003: zero or negative, as text and as a number', async () => {
    const { refused, tries } = await trying()
    for (const amount of ['0', '0.0', '0.00', '000', '-0', '-0.01', '-5', '-99999999999', 0, -0.01, -5])
      for (const tried of tries(amount)) await refused(() => tried(), 'transferAmountNotPositive')
  })

  it('1007: more than two decimals are refused, never rounded', async () => {
    const { refused, tries } = await trying()
    for (const amount of ['1.001', '1.000', '0.001', '0.000', '999.999', 0.001, 0.1 + 0.2, 1e-7, 1.005])
      for (const tried of tries(amount))
        await refused(() => tried(), 'invalidArgument', 'at most two decimals are expected')
  })

  it('1007: more than 9999999999.99', async () => {
    const { refused, tries } = await trying()
    for (const amount of ['10000000000', '10000000000.00', '9'.repeat(400), 1e10, 1e21, Number.MAX_VALUE])
      for (const tried of tries(amount))
        await refused(() => tried(), 'invalidArgument', 'at most 9999999999.99 is expected')
  })

  it('text or a number, answered as text with two decimals', async () => {
    const { olive, party, pay, transaction } = await paying()
    for (const [given, kept] of [
      ...[
        ['12', '12.00'] as const,
        ['12.5', '12.50'],
        ['12.34', '12.34'],
        ['007', '7.00'],
        ['0000000000000000.10', '0.10'],
      ],
      ...[[12, '12.00'] as const, [12.5, '12.50'], [12.34, '12.34'], [0.01, '0.01'], [1.1, '1.10']],
    ] as const) {
      const { usd_transfer_amount, transaction_uids } = await pay(olive, olive.master, party.wire, given)
      expect({ given, usd_transfer_amount }).toEqual({ given, usd_transfer_amount: kept })
      expect((await transaction(transaction_uids[0]!)).us_dollar_amount).toBe(kept)
    }
  })

  it('the largest amount moves, to the cent', async () => {
    const { olive, party, pay, limit, balances, advance, expectBalancedLedger } = await paying()
    await limit('ach', { maximum_amount: null, daily_amount: null })
    for (const given of ['9999999999.99', 9999999999.99])
      expect((await pay(olive, party.ach, olive.master, given)).usd_transfer_amount).toBe('9999999999.99')
    await advance({ by: 'PT5S' })
    const balance = '20000000999.98'
    expect(await balances(olive.master)).toEqual({ balance, pending: '0.00', available: balance })
    await expectBalancedLedger()
  })
})

describe('bodies', () => {
  it('a value that is not an object is refused', async () => {
    const { refused, api } = await paying()
    const headers = { 'content-type': 'application/json' }
    const send = (raw: string) => api.call('POST', '/transfers', { raw, headers })
    for (const raw of ['[]', '"text"', '1', 'null', '{', '{"a":}', '\u0000'])
      await refused(() => send(raw), 'invalidArgument')
    for (const raw of ['', ' ', '{}']) await refused(() => send(raw), 'missingParameter')
  })

  it('forms: nested fields of ach[…], a boolean, and an empty text for null; a prenote is true and 0.00', async () => {
    const { api, olive, party, transferOf, balances } = await paying()
    const send = (amount: string, more: Body) => {
      const form = formOf(transferOf(olive, olive.master, party.ach, amount, more))
      return api.call<Transfer>('POST', '/transfers', { form })
    }
    const kept = { ...ACH, id_number: '00042', prenote: false, originator_name: 'A and B' }
    const { status, body } = await send('12.50', {
      ach: { ...kept, addenda: null, company_id: null },
      external_uid: null,
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ usd_transfer_amount: '12.50', ach: kept })
    const trace = { payment_type: 'S', transfer_trace_id: expect.any(String) }
    expect(body.ach).toEqual({ ...NO_MORE_ACH, ...kept, ...trace })
    expect(body.external_uid).toBeNull()
    expect(await balances(olive.master)).toMatchObject({ available: '987.50' })
    expect(await send('0.00', { ach: { ...ACH, prenote: true } })).toMatchObject({
      status: 201,
      body: { usd_transfer_amount: '0.00', ach: { prenote: true } },
    })
  })
})

// ── Limits ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const RAILS = ['ach', 'wire', 'instant_payment'] as const

describe('1: the Program sets "payment limits on amounts and frequency"', () => {
  it.each(RAILS)('3012: more than the maximum of %s, which does not apply to other rails', async (rail) => {
    const { refused, limit, out } = await paying()
    await limit(rail, { maximum_amount: '100.00' })
    for (const amount of ['100.01', 5000])
      await refused(() => out(rail, amount), 'transferAboveMaximum', `at most 100.00 for ${rail}`)
    expect((await out(rail, '100.00')).status).toBe(201)
    for (const other of RAILS.filter((one) => one !== rail)) expect((await out(other, '100.01')).status).toBe(201)
  })

  it('3012: an ACH debit too; a book transfer has no maximum, and a limit of null is none', async () => {
    const { sandbox, olive, party, account, limit, pay, tryToPay } = await paying(20_000_000)
    const savings = await account(olive, 'general')
    const most = await expectUnchanged(sandbox, () => tryToPay(olive, party.ach, olive.master, '5000000.01'))
    expectRefusal(most, 'transferAboveMaximum', 'at most 5000000.00 for ach')
    expect((await lastExchange(sandbox)).refusal?.fields).toEqual(['usd_transfer_amount'])
    expect((await pay(olive, olive.master, savings, 15_000_000)).status).toBe('queued')
    await limit('ach', { maximum_amount: null, daily_amount: null })
    expect((await pay(olive, party.ach, olive.master, '5000000.01')).status).toBe('queued')
  })

  it('3012: the demonstration Program limits instant payments to 1,000,000.00, like the platform', async () => {
    const { refused, out } = await paying(3_000_000)
    await refused(
      () => out('instant_payment', '1000000.01'),
      'transferAboveMaximum',
      'at most 1000000.00 for instant_payment',
    )
    expect((await out('instant_payment', '1000000.00')).status).toBe(201)
  })

  it('3012: "SAMEDAY above 1,000,000.00", in both directions, at both paces', async () => {
    const { sandbox, olive, party, out, tryToPay, limit } = await paying(3_000_000)
    await limit('ach', { maximum_amount: null, daily_amount: null })
    const sameDay = { ach: { ...ACH, service_processing: 'SAMEDAY' } }
    for (const pace of ['fast', 'real']) {
      expect(await sandbox.call('clock.set', { pace })).toMatchObject({ ok: true })
      await expectUnchanged(sandbox, async () => {
        for (const answer of [
          await out('ach', '1000000.01', sameDay),
          await tryToPay(olive, party.ach, olive.master, '1000000.01', sameDay),
        ])
          expectRefusal(answer, 'transferAboveMaximum', 'at most 1000000.00 with service_processing SAMEDAY')
      })
    }
    expect((await out('ach', '1000000.00', sameDay)).status).toBe(201)
    expect((await out('ach', '1000000.01')).status).toBe(201)
    // It is a limit of ACH: an entry that comes along with another rail says nothing of it.
    expect((await out('wire', '500000.00', sameDay)).status).toBe(201)
  })

  it.each(RAILS)('3013: less than the minimum of %s, which does not apply to other rails', async (rail) => {
    const { refused, limit, out } = await paying()
    await limit(rail, { minimum_amount: '5.00' })
    for (const amount of ['4.99', 0.01])
      await refused(() => out(rail, amount), 'transferBelowMinimum', `at least 5.00 for ${rail}`)
    expect((await out(rail, '5.00')).status).toBe(201)
    for (const other of RAILS.filter((one) => one !== rail)) expect((await out(other, '0.01')).status).toBe(201)
  })

  it('3013: the minimum does not apply to a prenote or a book transfer, but to an ACH debit', async () => {
    const { refused, olive, party, account, limit, entry, tryToPay } = await paying()
    const savings = await account(olive, 'general')
    await limit('ach', { minimum_amount: '5.00' })
    expect((await entry({ prenote: true }, '0.00')).status).toBe(201)
    expect((await tryToPay(olive, olive.master, savings, '0.01')).status).toBe(201)
    await refused(() => tryToPay(olive, party.ach, olive.master, '4.99'), 'transferBelowMinimum')
  })

  it('3010: a number per day for each Customer and rail, credits and debits together', async () => {
    const { refused, olive, party, account, customer, fund, limit, out, paid, pay, tryToPay } = await paying()
    const savings = await account(olive, 'general')
    const other = await customer({ ...PERSON, ssn: '512-04-8824' })
    await fund(other, 100)
    const theirs = await account(other, 'ach_external')
    await limit('ach', { daily_count: 2 })
    await paid('ach', 1)
    await pay(olive, party.ach, olive.master, 1)
    await refused(() => out('ach', 1), 'dailyTransfersExhausted', '2 a day for ach')
    await refused(() => tryToPay(olive, party.ach, olive.master, 1), 'dailyTransfersExhausted')
    for (const rail of ['wire', 'instant_payment'] as const) await paid(rail, 1)
    for (let n = 0; n < 3; n++) await pay(olive, olive.master, savings, 1)
    for (let n = 0; n < 2; n++) await pay(other, other.master, theirs, 1)
    expectRefusal(await tryToPay(other, other.master, theirs, 1), 'dailyTransfersExhausted')
  })

  it('3011: an amount per day for each Customer and rail, to the cent', async () => {
    const { refused, olive, party, account, customer, fund, limit, out, paid, pay, tryToPay } = await paying()
    const savings = await account(olive, 'general')
    const other = await customer({ ...PERSON, ssn: '512-04-8824' })
    await fund(other, 100)
    const theirs = await account(other, 'ach_external')
    await limit('ach', { daily_amount: '100.00' })
    expectRefusal(await out('ach', '100.01'), 'dailyAmountExhausted', '100.00 a day for ach')
    await paid('ach', '59.99')
    await refused(() => out('ach', '40.02'), 'dailyAmountExhausted', '100.00 a day for ach')
    await pay(olive, party.ach, olive.master, '40.01')
    await refused(() => out('ach', '0.01'), 'dailyAmountExhausted')
    for (const rail of ['wire', 'instant_payment'] as const) await paid(rail, 101)
    await pay(olive, olive.master, savings, 101)
    await pay(other, other.master, theirs, 100)
    expectRefusal(await tryToPay(other, other.master, theirs, '0.01'), 'dailyAmountExhausted')
  })

  it('3010 and 3011: canceled and failed transfers do not count; settled and returned ones do', async () => {
    const { olive, account, limit, out, paid, pay, cancel, move, advance } = await paying()
    await limit('ach', { daily_count: 2, daily_amount: '100.00' })
    const first = await paid('ach', 100)
    expectRefusal(await out('ach', 1), 'dailyAmountExhausted')
    await cancel(first.uid)
    const second = await paid('ach', 100)
    await move('transactions', second.transaction_uids[0]!, 'fail')
    const comesBack = await account(olive, 'ach_external', { account_number: '12349902' })
    await pay(olive, olive.master, comesBack, 60)
    await advance({ until: 'idle' })
    expectRefusal(await out('ach', 41), 'dailyAmountExhausted')
    const third = await paid('ach', 40)
    await move('transactions', third.transaction_uids[0]!, 'settle')
    expectRefusal(await out('ach', '0.01'), 'dailyTransfersExhausted')
  })

  it('3010 and 3011: the day ends at midnight in New York', async () => {
    const { limit, out, paid, until } = await paying()
    await limit('wire', { daily_count: 1 })
    await until('2026-08-15T00:00:00.000Z')
    await paid('wire', 1)
    const tomorrow = { ach: { ...ACH, effective_entry_date: '2026-08-15' } }
    for (const at of ['2026-08-15T00:00:01.000Z', '2026-08-15T03:59:59.999Z']) {
      await until(at)
      expectRefusal(await out('wire', 1), 'dailyTransfersExhausted', '1 a day for wire')
    }
    await until('2026-08-15T04:00:00.000Z')
    await paid('wire', 1)
    expectRefusal(await out('wire', 1), 'dailyTransfersExhausted')
    await limit('ach', { daily_amount: '100.00' })
    await paid('ach', 100, tomorrow)
    await until('2026-08-16T03:59:59.999Z')
    const sunday = { ach: { ...ACH, effective_entry_date: '2026-08-16' } }
    expectRefusal(await out('ach', 1, sunday), 'dailyAmountExhausted')
    await until('2026-08-16T04:00:00.000Z')
    await paid('ach', 100, sunday)
  })

  it('"at least 100 a day" in the demonstration, and 0.01 is enough', () => {
    for (const limits of Object.values(defaultSettings.limits)) {
      expect(limits.minimum_amount).toBe('0.01')
      expect(limits.daily_count ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(100)
    }
  })

  it('the operator is told the figures of a refusal, which the response does not have', async () => {
    const { limit, out, paid, sandbox } = await paying('99416.67')
    const cause = async (amount: string, rail: Rail = 'wire') => {
      const { text } = await out(rail, amount)
      const told = (await lastExchange(sandbox)).refusal?.cause ?? ''
      expect(text).not.toContain(told)
      return told
    }
    expect(await cause('250000.00')).toBe('available 99,416.67 · asked 250,000.00 · short 150,583.33')
    await limit('wire', { minimum_amount: '2.00', maximum_amount: '5000.00', daily_amount: '6000.00', daily_count: 2 })
    expect(await cause('7500.50')).toBe('asked 7,500.50 · at most 5,000.00 · over 2,500.50')
    expect(await cause('1.00')).toBe('asked 1.00 · at least 2.00 · short 1.00')
    await paid('wire', '4000.00')
    expect(await cause('2500.00')).toBe('today so far 4,000.00 · at most 6,000.00 · left 2,000.00 · asked 2,500.00')
    await paid('wire', '10.00')
    expect(await cause('10.00')).toBe('today 2 · at most 2')
  })

  it('limits are checked in order: the amount, the day, the available balance', async () => {
    const { refused, limit, out, paid } = await paying(10)
    const all = { minimum_amount: '2.00', maximum_amount: '50.00', daily_amount: '20.00', daily_count: 1 }
    await limit('wire', all)
    await refused(() => out('wire', '50.01'), 'transferAboveMaximum')
    await refused(() => out('wire', '1.99'), 'transferBelowMinimum')
    await refused(() => out('wire', '20.01'), 'dailyAmountExhausted')
    await refused(() => out('wire', '10.01'), 'insufficientFunds')
    await paid('wire', '2.00')
    await refused(() => out('wire', '50.01'), 'transferAboveMaximum')
    await refused(() => out('wire', '20.01'), 'dailyTransfersExhausted')
  })
})

describe('3004: "Source has insufficient funds for transfer"', () => {
  it('the available balance counts, not the settled one: a pending payment reserves its amount', async () => {
    const { refused, paid, out, balances, olive, cancel, expectBalancedLedger } = await paying(100)
    const first = await paid('ach', 60)
    expect(await balances(olive.master)).toEqual({ balance: '100.00', pending: '-60.00', available: '40.00' })
    await refused(() => out('wire', '40.01'), 'insufficientFunds')
    await paid('wire', '40.00')
    expectRefusal(await out('instant_payment', '0.01'), 'insufficientFunds')
    await cancel(first.uid)
    await paid('instant_payment', '60.00')
    await expectBalancedLedger()
  })

  it('a deposit counts after its settlement', async () => {
    const { refused, olive, party, mock, pay, out, paid, advance } = await paying(100)
    await mock({ transaction_type: 'ach', customer_uid: olive.uid, us_dollar_amount: 50 })
    await pay(olive, party.ach, olive.master, 50)
    await refused(() => out('wire', '100.01'), 'insufficientFunds')
    await advance({ by: 'PT1S' })
    await paid('wire', 150)
    expectRefusal(await out('wire', '0.01'), 'insufficientFunds')
    await advance({ by: 'PT4S' })
    await paid('wire', 50)
  })

  it('on every rail; money of other accounts of the Customer does not count; a debit needs none', async () => {
    const { refused, olive, party, account, tryToPay, pay } = await paying(100)
    const savings = await account(olive, 'general')
    const targets = [savings, ...Object.values(party)]
    for (const to of targets) await refused(() => tryToPay(olive, olive.master, to, '100.01'), 'insufficientFunds')
    for (const to of [olive.master, ...Object.values(party)])
      await refused(() => tryToPay(olive, savings, to, '0.01'), 'insufficientFunds')
    await pay(olive, party.ach, savings, 5000)
  })

  it('without pre-funding an outgoing ACH may exceed the available balance; wires, instant payments and book transfers may not', async () => {
    const { refused, olive, party, account, configure, tryToPay, pay, balances, advance, expectBalancedLedger } =
      await paying(100)
    const savings = await account(olive, 'general')
    await configure({ pre_funding: false })
    for (const to of [savings, party.wire, party.instant_payment])
      await refused(() => tryToPay(olive, olive.master, to, '100.01'), 'insufficientFunds')
    await pay(olive, olive.master, party.ach, 250)
    expect(await balances(olive.master)).toEqual({ balance: '100.00', pending: '-250.00', available: '-150.00' })
    expectRefusal(await tryToPay(olive, olive.master, savings, '0.01'), 'insufficientFunds')
    await pay(olive, olive.master, party.ach, 1)
    await advance({ by: 'PT5S' })
    expect(await balances(olive.master)).toEqual({ balance: '-151.00', pending: '0.00', available: '-151.00' })
    await configure({ pre_funding: true })
    expectRefusal(await tryToPay(olive, olive.master, party.ach, '0.01'), 'insufficientFunds')
    await expectBalancedLedger()
  })

  it('of many simultaneous requests only those with sufficient funds are accepted', async () => {
    const { olive, out, balances, expectBalancedLedger } = await paying(100)
    const answers = await Promise.all(Array.from({ length: 8 }, () => out('wire', 30)))
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(5)
    for (const answer of refused) expectRefusal(answer, 'insufficientFunds')
    expect(await balances(olive.master)).toEqual({ balance: '100.00', pending: '-90.00', available: '10.00' })
    await expectBalancedLedger()
  })
})
