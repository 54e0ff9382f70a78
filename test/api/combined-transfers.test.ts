import { describe, expect, it } from 'vitest'
import { type ErrorKey, errors } from '../../src/api/contract/errors.ts'
import type { CombinedTransfer } from '../../src/api/contract/resources/combined-transfers.ts'
import type { SyntheticAccount } from '../../src/api/contract/resources/synthetic-accounts.ts'
import type { Transfer } from '../../src/api/contract/resources/transfers.ts'
import type { Page } from '../../src/api/contract/terms/list.ts'
import type { SandboxOptions } from '../../src/api/sandbox.ts'
import { expectRefusal } from '../support/client.ts'
import { PERSON } from '../support/customers.ts'
import { call } from '../support/operator.ts'
import { ACH, type Category, STRUCTURED, setUpPayments } from '../support/payments.ts'
import { expectUnchanged } from '../support/world.ts'
import { addProgram, hintsOf } from './support.ts'

/** 1: "A Combined Transfer creates a counterparty (external synthetic account) and a transfer in one call." */

const ROUTING = '021000021'
const PARTY = {
  ach_external: { ach: { account_type: 'checking', counterparty_name: 'Northern Mill Co' } },
  wire_external: { wire: { counterparty_name: 'Harbor Leasing Inc' } },
  instant_payment_external: {
    instant_payment: { counterparty_name: 'Ada Okafor', counterparty_address: STRUCTURED },
  },
} as const
type External = keyof typeof PARTY

/** The rails, and the direction in which money can move on each. */
const RAILS: readonly [name: string, category: External, side: 'source' | 'destination'][] = [
  ['an ACH credit', 'ach_external', 'source'],
  ['an ACH debit', 'ach_external', 'destination'],
  ['a wire', 'wire_external', 'source'],
  ['an instant payment', 'instant_payment_external', 'source'],
]

async function combining(options: Partial<SandboxOptions> = {}) {
  const setup = await setUpPayments(options)
  const { api, typeOf, customer, fund } = setup
  const olive = await customer()
  await fund(olive, 1000)
  let made = 0
  const number = () => `88100${++made}0`

  /** A counterparty as POST /synthetic_accounts takes it. */
  const party = (category: External, more: object = {}) => ({
    name: `Party ${made}`,
    pool_uid: olive.pool,
    synthetic_account_type_uid: typeOf(category as Category),
    routing_number: ROUTING,
    account_number: number(),
    ...PARTY[category],
    ...more,
  })
  /** A Transfer as POST /transfers takes it, with one of its sides. */
  const transferOf = (amount: unknown, side: 'source' | 'destination', more: object = {}) => ({
    [`${side}_synthetic_account_uid`]: olive.master,
    initiating_customer_uid: olive.uid,
    usd_transfer_amount: amount,
    ach: ACH,
    ...more,
  })
  const ask = (synthetic_account: unknown, transfer: unknown, more: object = {}) =>
    api.post<CombinedTransfer>('/combined_transfers', { synthetic_account, transfer, ...more })
  const combine = async (...given: Parameters<typeof ask>) => {
    const answer = await ask(...given)
    expect(answer).toMatchObject({ status: 201 })
    return answer.body
  }
  const finished = async (...given: Parameters<typeof ask>) => {
    const made = await combine(...given)
    await setup.advance({ until: 'idle' })
    return made
  }
  const read = async (uid: string) => (await api.get<CombinedTransfer>(`/combined_transfers/${uid}`)).body
  const list = async (query = '') => (await api.get<Page<CombinedTransfer>>(`/combined_transfers${query}`)).body
  /** The number of records per collection. */
  const counts = async () => {
    const count = async (path: string) => (await api.get<Page<unknown>>(path)).body.total_count
    return {
      accounts: await count('/synthetic_accounts'),
      transfers: await count('/transfers'),
      transactions: await count('/transactions?include_zero=true'),
    }
  }
  const failures = () => setup.sandbox.store.world.collections.tasks.inOrder().filter(({ failed }) => failed !== null)
  return { ...setup, olive, party, transferOf, ask, combine, finished, read, list, counts, failures }
}

/** The errors that the resource shows. */
const stopped = (step: string, key: ErrorKey, occurred_at: string, extra = '') => ({
  status: 'failed',
  errors: [
    {
      code: 33005,
      title: 'Could not continue Combined Transfer',
      detail: 'An exception occurred while continuing a Combined Transfer',
      occurred_at,
      extra: `${step}: ${errors[key].code} ${errors[key].title}${extra && `: ${extra}`}`,
    },
  ],
})

const SECOND = '2026-08-14T14:00:03.000Z'
const THIRD = '2026-08-14T14:00:04.000Z'

describe('1: "A Combined Transfer creates a counterparty (external synthetic account) and a transfer in one call"', () => {
  it.each(RAILS)(
    '%s to a new counterparty: queued, pending, completed; the created uids are filled in',
    async (_, category, side) => {
      const it = await combining()
      const { api, party, transferOf, combine, read, advance, counts } = it
      const { account_number, ...account } = party(category, { external_uid: 'party-1' })
      const transfer = transferOf('12.5', side, { external_uid: 'transfer-1' })
      const before = await counts()
      const made = await combine({ ...account, account_number }, transfer, { external_uid: 'combined-1' })
      const submitted = {
        uid: expect.stringMatching(/^\w{16}$/),
        external_uid: 'combined-1',
        created_at: '2026-08-14T14:00:02.000Z',
        synthetic_account: { ...account, uid: null },
        transfer: { ...transfer, usd_transfer_amount: '12.50', uid: null },
      }
      expect(made).toEqual({ ...submitted, status: 'queued' })
      expect(await read(made.uid)).toEqual(made)
      await advance({ by: 'PT0.999S' })
      expect(await read(made.uid)).toEqual(made)
      expect(await counts()).toEqual(before)

      await advance({ by: 'PT0.001S' })
      const pending = await read(made.uid)
      expect(pending).toEqual({
        ...submitted,
        status: 'pending',
        synthetic_account: { ...account, uid: expect.stringMatching(/^\w{16}$/) },
      })
      const opened = (await api.get<SyntheticAccount>(`/synthetic_accounts/${pending.synthetic_account.uid}`)).body
      expect(opened).toMatchObject({
        name: account.name,
        external_uid: 'party-1',
        status: 'active',
        synthetic_account_category: category,
        account_number_last_four: account_number.slice(-4),
        opened_at: SECOND,
      })
      expect(await counts()).toEqual({ ...before, accounts: before.accounts + 1 })

      await advance({ by: 'PT0.999S' })
      expect(await read(made.uid)).toEqual(pending)
      await advance({ by: 'PT0.001S' })
      const completed = await read(made.uid)
      expect(completed).toEqual({
        ...pending,
        status: 'completed',
        transfer: { ...pending.transfer, uid: expect.stringMatching(/^\w{16}$/) },
      })
      const { body } = await api.get<Transfer>(`/transfers/${completed.transfer.uid}`)
      const other = side === 'source' ? 'destination' : 'source'
      expect(body).toMatchObject({
        external_uid: 'transfer-1',
        status: 'queued',
        usd_transfer_amount: '12.50',
        created_at: THIRD,
        [`${side}_synthetic_account_uid`]: it.olive.master,
        [`${other}_synthetic_account_uid`]: opened.uid,
      })
      expect(await counts()).toEqual({
        accounts: before.accounts + 1,
        transfers: before.transfers + 1,
        transactions: before.transactions + 1,
      })
      await advance({ until: 'idle' })
      expect(await read(made.uid)).toEqual(completed)
      expect(await it.transfer(body.uid)).toMatchObject({ status: 'settled' })
      expect(await it.balances(it.olive.master)).toMatchObject({ balance: side === 'source' ? '987.50' : '1012.50' })
      await it.expectBalancedLedger()
    },
  )

  it.each(RAILS)('%s with "{ uid: existing }": only the transfer is created', async (_, category, side) => {
    const { olive, account, transferOf, combine, read, advance, counts, transfer } = await combining()
    const uid = await account(olive, category)
    const before = await counts()
    const made = await combine({ uid }, transferOf(7, side))
    expect(made).toMatchObject({ status: 'queued', synthetic_account: { uid }, transfer: { uid: null } })
    await advance({ by: 'PT1S' })
    expect(await read(made.uid)).toMatchObject({ status: 'pending', synthetic_account: { uid } })
    await advance({ by: 'PT1S' })
    const completed = await read(made.uid)
    expect(completed).toMatchObject({ status: 'completed', synthetic_account: { uid } })
    expect(await counts()).toEqual({
      accounts: before.accounts,
      transfers: before.transfers + 1,
      transactions: before.transactions + 1,
    })
    const paid = await transfer(completed.transfer.uid!)
    expect(side === 'source' ? paid.destination_synthetic_account_uid : paid.source_synthetic_account_uid).toBe(uid)
  })

  it('with an account that does not exist, it shows the uid, fails, and can be in a bundle', async () => {
    const { sandbox, transferOf, combine, read, advance } = await combining()
    const made = await combine({ uid: 'unknown' }, transferOf(7, 'source'))
    const importOwn = async () => {
      const { text } = await call(sandbox, 'bundles.export', {})
      return call(sandbox, 'bundles.import', { text })
    }
    await importOwn()
    expect(await read(made.uid)).toMatchObject({ status: 'queued', synthetic_account: { uid: 'unknown' } })
    await advance({ by: 'PT1S' })
    expect(await read(made.uid)).toEqual({
      ...made,
      ...stopped('synthetic_account', 'syntheticAccountNotFound', SECOND),
    })
    await importOwn()
  })

  it('at pace real each step takes one second, too; then the rail needs its usual time', async () => {
    const { party, transferOf, combine, read, advance, transfer } = await combining({ pace: 'real' })
    const made = await combine(party('ach_external'), transferOf('1.00', 'source'))
    await advance({ by: 'PT1S' })
    expect((await read(made.uid)).status).toBe('pending')
    await advance({ by: 'PT1S' })
    const { status, transfer: initiated } = await read(made.uid)
    expect(status).toBe('completed')
    expect((await transfer(initiated.uid!)).status).toBe('queued')
    await advance({ to: '2026-08-17T12:30:00.000Z' })
    expect((await transfer(initiated.uid!)).status).toBe('settled')
  })

  it('the Transfer shows the outcome of the payment', async () => {
    const { party, transferOf, read, transfer, balances, olive, finished } = await combining()
    const made = await finished(party('wire_external', { name: 'fail me' }), transferOf('1.00', 'source'))
    const completed = await read(made.uid)
    expect(completed.status).toBe('completed')
    expect(completed).not.toHaveProperty('errors')
    expect((await transfer(completed.transfer.uid!)).status).toBe('failed')
    expect(await balances(olive.master)).toEqual({ balance: '1000.00', pending: '0.00', available: '1000.00' })
  })

  it('a null side counts as absent, and a null uid creates an account', async () => {
    const { party, transferOf, combine, read, advance } = await combining()
    const made = await combine(
      party('ach_external', { uid: null, external_uid: null }),
      transferOf('1.00', 'source', { destination_synthetic_account_uid: null }),
      { external_uid: null },
    )
    expect(made.external_uid).toBeNull()
    await advance({ by: 'PT2S' })
    expect((await read(made.uid)).status).toBe('completed')
  })

  describe('a typed client must send both account uids', () => {
    it.each(['source', 'destination'] as const)('"" on the side of the counterparty, the %s, is none', async (side) => {
      const it = await combining()
      const own = side === 'source' ? 'destination' : 'source'
      const more = { [`${side}_synthetic_account_uid`]: '' }
      const made = await it.combine(it.party('ach_external', { uid: '' }), it.transferOf('1.00', own, more))
      await it.advance({ by: 'PT2S' })
      const { status, transfer } = await it.read(made.uid)
      expect(status).toBe('completed')
      expect((await it.transfer(transfer.uid!))[`${own}_synthetic_account_uid`]).toBe(it.olive.master)
    })

    it.each([
      ['a uid that names nothing, for the destination', 'source', 'new'],
      ['a uid that names nothing, for the source', 'destination', 'new'],
      ["the Customer's own account: it is the source", 'source', 'own'],
    ] as const)('%s, is ignored with a hint and shown as it was sent', async (_what, own, uid) => {
      const it = await combining()
      const ignored = own === 'source' ? 'destination' : 'source'
      const at = `transfer.${ignored}_synthetic_account_uid`
      const more = { [`${ignored}_synthetic_account_uid`]: uid === 'own' ? it.olive.master : 'uidOfTheNewOne16' }
      const sent = it.transferOf('1.00', own, more)
      const answer = await it.ask(it.party('ach_external'), sent)
      expect(answer).toMatchObject({ status: 201, body: { transfer: { ...sent, uid: null } } })
      expect(hintsOf(answer)).toEqual([`${at} was ignored: the synthetic_account is the ${ignored}`])
      await it.advance({ by: 'PT2S' })
      const completed = await it.read(answer.body.uid)
      expect(completed).toMatchObject({ status: 'completed', transfer: sent })
      expect(await it.transfer(completed.transfer.uid!)).toMatchObject({
        [`${own}_synthetic_account_uid`]: it.olive.master,
        [`${ignored}_synthetic_account_uid`]: completed.synthetic_account.uid,
      })
    })

    it('an account that is not active, or of another Customer, does not decide the direction', async () => {
      const it = await combining()
      const [locked, other] = [
        await it.account(it.olive, 'general'),
        await it.customer({ ...PERSON, ssn: '512-04-8824' }),
      ]
      await it.api.call('DELETE', `/synthetic_accounts/${locked}`)
      for (const source_synthetic_account_uid of [locked, other.master])
        expectRefusal(
          await it.ask(it.party('ach_external'), {
            ...it.transferOf('1.00', 'source', { source_synthetic_account_uid }),
            destination_synthetic_account_uid: 'uidOfTheNewOne16',
          }),
          'invalidArgument',
          /an active account of the Customer$/,
        )
    })

    it('a strict Program refuses what it would ignore', async () => {
      const it = await combining()
      const { uid } = it.sandbox.store.world.collections.programs.inOrder()[0]!
      await it.sandbox.call('programs.update', { uid, strict: true })
      const sent = it.transferOf('1.00', 'source', { destination_synthetic_account_uid: 'uidOfTheNewOne16' })
      await it.refused(
        () => it.ask(it.party('ach_external'), sent),
        'invalidArgument',
        /destination_synthetic_account_uid was ignored/,
      )
    })
  })

  it('two simultaneous ones complete independently', async () => {
    const { party, transferOf, combine, list, advance } = await combining()
    await combine(party('ach_external'), transferOf('1.00', 'source'))
    await advance({ by: 'PT1S' })
    await combine(party('ach_external', { pool_uid: 'unknown' }), transferOf('1.00', 'source'))
    await combine(party('wire_external'), transferOf('1.00', 'source'))
    const statuses = async () => (await list()).data.map(({ status }) => status)
    expect(await statuses()).toEqual(['queued', 'queued', 'pending'])
    await advance({ by: 'PT1S' })
    expect(await statuses()).toEqual(['pending', 'failed', 'completed'])
    await advance({ by: 'PT1S' })
    expect(await statuses()).toEqual(['completed', 'failed', 'completed'])
  })
})

it('3.16 "account_number not echoed": not in a response, a list, a record or an exchange', async () => {
  const { sandbox, api, olive, ask, party, transferOf, advance, account } = await combining()
  const account_number = '31415926535897932'
  const secret = { account_number, external_processor_token: 'processor-token-27182818' }
  const existing = await account(olive, 'ach_external')
  const texts: string[] = []
  const look = async () => {
    for (const path of ['/combined_transfers', ...uids.map((uid) => `/combined_transfers/${uid}`)])
      texts.push((await api.get(path)).text)
    for (const call of [
      sandbox.call('records.list', { collection: 'combined_transfers' }),
      ...uids.map((uid) => sandbox.call('records.get', { collection: 'combined_transfers', uid })),
    ])
      texts.push(JSON.stringify(await call))
  }
  const uids: string[] = []
  for (const body of [party('ach_external', secret), party('ach_external', secret), { uid: existing, ...secret }]) {
    const answer = await ask(body, transferOf('1.00', 'source'))
    uids.push(answer.body.uid)
    texts.push(answer.text)
  }
  for (let step = 0; step < 3; step++) {
    await look()
    await advance({ by: 'PT1S' })
  }
  const { data } = (await api.get<Page<CombinedTransfer>>('/combined_transfers')).body
  expect(data.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed'])
  const log = await sandbox.call('exchanges.list', { limit: 1000 })
  const { data: exchanges } = (log as { value: Page<{ uid: string; method: string; path: string }> }).value
  const gets = exchanges.filter(({ method, path }) => method === 'GET' && path.startsWith('/combined_transfers'))
  expect(gets).toHaveLength(13)
  for (const { uid } of gets) texts.push(JSON.stringify(await sandbox.call('exchanges.get', { uid })))
  for (const text of texts) {
    expect(text).toContain('usd_transfer_amount')
    expect(text).not.toMatch(/31415926535897932|processor-token|"account_number"/)
  }
})

// ── Failures ────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('3.3 "failed (could not complete)": the first step', () => {
  it('a duplicate account: it is listed in errors, and nothing is created', async () => {
    const { olive, sandbox, party, transferOf, combine, read, advance, account, counts, balances } = await combining()
    const twin = await account(olive, 'ach_external', { account_number: '5550' })
    const before = await counts()
    const made = await combine(party('ach_external', { account_number: '5550' }), transferOf('10.00', 'source'))
    await advance({ by: 'PT1S' })
    const failed = await read(made.uid)
    const why = `Account number taken by Synthetic Account ${twin}.`
    expect(failed).toEqual({ ...made, ...stopped('synthetic_account', 'syntheticAccountExists', SECOND, why) })
    expect(await counts()).toEqual(before)
    expect(await balances(olive.master)).toEqual({ balance: '1000.00', pending: '0.00', available: '1000.00' })
    expect(await advance({ until: 'idle' })).toMatchObject({ ran: 0 })
    expect(await read(made.uid)).toEqual(failed)
    await expectUnchanged(sandbox, () => read(made.uid))
  })

  it.each([
    ['an account with this external_uid', { external_uid: 'taken' }, 'syntheticAccountExists', /external_uid/],
    ['an account of this name', { name: 'Taken' }, 'syntheticAccountExists', /name has already been taken/],
    ['an unknown Pool', { pool_uid: 'unknown' }, 'unknownRecord', /Pool/],
    ['an unknown type', { synthetic_account_type_uid: 'unknown' }, 'unknownRecord', /Synthetic Account Type/],
    ['no routing number', { routing_number: null }, 'missingParameter', /routing_number is missing/],
    ['nothing about its rail', { ach: null }, 'missingParameter', /ach is missing/],
  ] as const)('%s', async (_what, wrong, key, extra) => {
    const { olive, party, transferOf, read, account, counts, expectBalancedLedger, finished } = await combining()
    await account(olive, 'ach_external', { name: 'Taken', external_uid: 'taken' })
    const before = await counts()
    const made = await finished(party('ach_external', wrong), transferOf('10.00', 'source'))
    const { status, errors: actual, synthetic_account, transfer } = await read(made.uid)
    expect({ status, account: synthetic_account.uid, transfer: transfer.uid }).toEqual({
      status: 'failed',
      account: null,
      transfer: null,
    })
    expect(actual).toEqual([{ ...stopped('', key, SECOND).errors[0], extra: expect.stringMatching(extra) }])
    expect(actual![0]!.extra).toContain(`synthetic_account: ${errors[key].code} ${errors[key].title}`)
    expect(await counts()).toEqual(before)
    await expectBalancedLedger()
  })

  it.each(['a new account', 'one that is there'])(
    '1: the counterparty is an "external synthetic account", so no general one: %s',
    async (what) => {
      const { olive, party, transferOf, read, account, counts, typeOf, finished } = await combining()
      const general = await account(olive, 'general')
      const before = await counts()
      const asked =
        what === 'a new account'
          ? party('ach_external', { synthetic_account_type_uid: typeOf('general') })
          : { uid: general }
      const made = await finished(asked, transferOf('10.00', 'source'))
      const why = 'the counterparty must be an external account, and this one is general'
      expect(await read(made.uid)).toEqual({ ...made, ...stopped('synthetic_account', 'invalidArgument', SECOND, why) })
      expect(await counts()).toEqual(before)
    },
  )

  it.each([
    ['locked', 'customerLocked', ''],
    ['archived', 'inactiveCustomer', 'its status is pending_archival'],
  ] as const)('a Customer that was %s between the steps', async (how, key, extra) => {
    const { olive, move, api, party, transferOf, combine, read, advance, counts } = await combining()
    const made = await combine(party('ach_external'), transferOf('10.00', 'source'))
    const before = await counts()
    if (how === 'archived') await api.call('DELETE', `/customers/${olive.uid}`)
    else await move('customers', olive.uid, 'lock', { lock_reason: 'lost phone' })
    await advance({ by: 'PT1S' })
    expect(await read(made.uid)).toEqual({ ...made, ...stopped('synthetic_account', key, SECOND, extra) })
    expect((await counts()).accounts).toBe(before.accounts)
    expect((await counts()).transfers).toBe(before.transfers)
  })
})

describe('3.3 "failed (could not complete)": the second step', () => {
  it('insufficient funds: the counterparty exists and can be used; no money is held', async () => {
    const it = await combining()
    const { olive, party, transferOf, combine, read, advance, counts, balances } = it
    const before = await counts()
    const made = await combine(party('wire_external'), transferOf('1000.01', 'source'))
    await advance({ by: 'PT2S' })
    const failed = await read(made.uid)
    expect(failed).toEqual({
      ...made,
      ...stopped('transfer', 'insufficientFunds', THIRD),
      synthetic_account: { ...made.synthetic_account, uid: expect.stringMatching(/^\w{16}$/) },
    })
    expect(failed.transfer.uid).toBeNull()
    expect(await counts()).toEqual({ ...before, accounts: before.accounts + 1 })
    expect(await balances(olive.master)).toEqual({ balance: '1000.00', pending: '0.00', available: '1000.00' })
    expect(await advance({ until: 'idle' })).toMatchObject({ ran: 0 })

    const { uid } = failed.synthetic_account
    const again = await combine({ uid }, transferOf('1000.00', 'source'))
    await advance({ until: 'idle' })
    expect((await read(again.uid)).status).toBe('completed')
    expect(await balances(olive.master)).toEqual({ balance: '0.00', pending: '0.00', available: '0.00' })
    await it.expectBalancedLedger()
  })

  it.each([
    ['an amount of zero', { usd_transfer_amount: '0.00' }, 'transferAmountNotPositive', /./],
    ['more than the Program allows', { usd_transfer_amount: '6000000' }, 'transferAboveMaximum', /./],
    ['nothing about its rail', { ach: null }, 'missingParameter', /ach is missing/],
    ['an unknown Customer', { initiating_customer_uid: 'unknown' }, 'customerNotFound', /./],
    ['an unknown account', { source_synthetic_account_uid: 'unknown' }, 'syntheticAccountNotFound', /source/],
    ['a date in the past', { ach: { ...ACH, effective_entry_date: '2026-08-13' } }, 'invalidArgument', /past/],
  ] as const)('%s', async (_what, wrong, key, extra) => {
    const { party, transferOf, read, counts, expectBalancedLedger, finished } = await combining()
    const before = await counts()
    const made = await finished(party('ach_external'), transferOf('10.00', 'source', wrong))
    const failed = await read(made.uid)
    expect(failed).toMatchObject({ status: 'failed', transfer: { uid: null } })
    expect(failed.errors).toEqual([{ ...stopped('', key, THIRD).errors[0], extra: expect.stringMatching(extra) }])
    expect(failed.errors![0]!.extra).toContain(`transfer: ${errors[key].code} ${errors[key].title}`)
    expect(await counts()).toEqual({ ...before, accounts: before.accounts + 1 })
    await expectBalancedLedger()
  })

  it('2: "A Transfer between two external accounts is never allowed", also in one call', async () => {
    const { olive, party, transferOf, read, account, counts, finished } = await combining()
    const source_synthetic_account_uid = await account(olive, 'ach_external')
    const before = await counts()
    const made = await finished(party('ach_external'), transferOf('10.00', 'source', { source_synthetic_account_uid }))
    const both = 'both accounts are external'
    expect(await read(made.uid)).toMatchObject(stopped('transfer', 'transferProhibited', THIRD, both))
    expect((await counts()).transfers).toBe(before.transfers)
  })

  it("another Customer's counterparty", async () => {
    const { customer, account, transferOf, read, finished } = await combining()
    const other = await customer({ ...PERSON, ssn: '512-04-8824' })
    const uid = await account(other, 'ach_external')
    const made = await finished({ uid }, transferOf('10.00', 'source'))
    expect((await read(made.uid)).errors![0]!.extra).toMatch(/^transfer: 3006 .*different Pools$/)
  })

  it('a counterparty that was archived between the steps', async () => {
    const { api, party, transferOf, combine, read, advance } = await combining()
    const made = await combine(party('ach_external'), transferOf('10.00', 'source'))
    await advance({ by: 'PT1S' })
    const { uid } = (await read(made.uid)).synthetic_account
    expect((await api.call('DELETE', `/synthetic_accounts/${uid}`)).status).toBe(204)
    await advance({ by: 'PT1S' })
    expect(await read(made.uid)).toMatchObject(
      stopped('transfer', 'accountDiscarded', THIRD, `${uid}: its status is archived`),
    )
  })
})

// ── Refusals ────────────────────────────────────────────────────────────────────────────────────────────────────────

describe('refusals: nothing is created', () => {
  it('1003 and 1007: "exactly one of source/destination"', async () => {
    const { olive, refused, account, ask, party, transferOf } = await combining()
    const [none, unknown] = [{ source_synthetic_account_uid: null }, { source_synthetic_account_uid: 'unknown' }]
    for (const transfer of [
      transferOf('1.00', 'source', { source_synthetic_account_uid: '', destination_synthetic_account_uid: '' }),
      transferOf('1.00', 'source', none),
      transferOf('1.00', 'source', { source_synthetic_account_uid: undefined }),
      transferOf('1.00', 'source', { ...none, destination_synthetic_account_uid: null }),
    ])
      await refused(
        () => ask(party('ach_external'), transfer),
        'missingParameter',
        /transfer\.source_synthetic_account_uid or transfer\.destination_synthetic_account_uid is missing/,
      )
    const other = await account(olive, 'general')
    for (const synthetic_account of [party('ach_external'), { uid: other }])
      for (const both of [
        transferOf('1.00', 'source', { destination_synthetic_account_uid: other }),
        transferOf('1.00', 'source', { ...unknown, destination_synthetic_account_uid: 'unknown' }),
      ])
        await refused(() => ask(synthetic_account, both), 'invalidArgument', /^exactly one of transfer\./)
  })

  it('1003: required fields of a new account, of a transfer, and of both', async () => {
    const { refused, api, ask, party, transferOf } = await combining()
    const [account, transfer] = [party('ach_external'), transferOf('1.00', 'source')]
    const of_an_account = ['name', 'pool_uid', 'synthetic_account_type_uid'].map((name) => `synthetic_account.${name}`)
    const rows: [body: object, missing: readonly string[]][] = [
      [{ synthetic_account: {}, transfer }, of_an_account],
      [{ synthetic_account: account, transfer: { ...transfer, ach: {} } }, ['transfer.ach.originator_name']],
      [{ transfer }, ['synthetic_account']],
      [{ synthetic_account: account }, ['transfer']],
    ]
    for (const [body, [first, ...more]] of rows) {
      const extra = [first, ...more].map((field) => `${field} is missing`).join('; ')
      await refused(() => api.post('/combined_transfers', body), 'missingParameter', new RegExp(`^${extra}`))
    }
    for (const field of ['initiating_customer_uid', 'usd_transfer_amount'])
      await refused(
        () => ask(account, { ...transfer, [field]: undefined }),
        'missingParameter',
        `transfer.${field} is missing`,
      )
  })

  it('1002, 1007, 3002, 3003: values that POST /synthetic_accounts and POST /transfers refuse', async () => {
    const { sandbox, ask, party, transferOf } = await combining()
    const refused = (account: object, transfer: object, more: object = {}) =>
      expectUnchanged(sandbox, () => ask(party('ach_external', account), transferOf('1.00', 'source', transfer), more))
    for (const [account, transfer, more, extra] of [
      [{ account_number: '12a' }, {}, {}, /^synthetic_account\.account_number/],
      [{ account_number: '123456789012345678' }, {}, {}, /^synthetic_account\.account_number/],
      [{ routing_number: '12345678' }, {}, {}, /^synthetic_account\.routing_number/],
      [{ ach: { account_type: 'gold', counterparty_name: 'A' } }, {}, {}, /^synthetic_account\.ach/],
      [{}, { usd_transfer_amount: '1.001' }, {}, /two decimals/],
      [{}, { ach: { ...ACH, sec_code: 'XYZ' } }, {}, /^transfer\.ach\.sec_code/],
      [{}, { initiator_type: 'nobody' }, {}, /^transfer\.initiator_type/],
      [{}, {}, { external_uid: '' }, /^external_uid/],
      [{}, {}, { external_uid: 'x'.repeat(256) }, /^external_uid/],
    ] as const)
      expectRefusal(await refused(account, transfer, more), 'invalidArgument', extra)
    for (const usd_transfer_amount of ['ten', '1e3', true])
      expectRefusal(await refused({}, { usd_transfer_amount }), 'transferAmountNotNumeric')
    expectRefusal(await refused({}, { usd_transfer_amount: '-1.00' }), 'transferAmountNotPositive')
    expectRefusal(await refused({}, { ach: { ...ACH, effective_entry_date: 'soon' } }), 'unparseableDate')
  })

  it('33004: for every request in a Program without Combined Transfers', async () => {
    const { refused, api, combine, party, transferOf, configure } = await combining()
    const made = await combine(party('ach_external'), transferOf('1.00', 'source'))
    await configure({ combined_transfers: false })
    const body = { synthetic_account: party('ach_external'), transfer: transferOf('1.00', 'source') }
    await refused(() => api.post('/combined_transfers', body), 'combinedTransfersDisabled')
    expectRefusal(await api.get('/combined_transfers'), 'combinedTransfersDisabled')
    expectRefusal(await api.get(`/combined_transfers/${made.uid}`), 'combinedTransfersDisabled')
    expectRefusal(await api.get('/combined_transfers/unknown'), 'combinedTransfersDisabled')
    await configure({ combined_transfers: true })
    expect((await api.get('/combined_transfers')).body.total_count).toBe(1)
  })

  it.each([0, 1])(
    'a Combined Transfer in progress completes after they are disabled: after %s steps',
    async (steps) => {
      const { combine, party, transferOf, configure, advance, read, failures } = await combining()
      const made = await combine(party('ach_external'), transferOf('1.00', 'source'))
      await advance({ by: `PT${steps}S` })
      await configure({ combined_transfers: false })
      await advance({ until: 'idle' })
      expect(failures()).toEqual([])
      await configure({ combined_transfers: true })
      await advance({ until: 'idle' })
      expect((await read(made.uid)).status).toBe('completed')
    },
  )

  it('33007: "Combined Transfer external uid must be unique", also if the first one failed', async () => {
    const { sandbox, refused, api, ask, combine, party, transferOf, advance } = await combining()
    const transfer = transferOf('1.00', 'source')
    await combine(party('ach_external', { pool_uid: 'unknown' }), transfer, { external_uid: 'once' })
    const again = () => ask(party('ach_external'), transfer, { external_uid: 'once' })
    await refused(again, 'combinedTransferExists')
    await advance({ until: 'idle' })
    expect((await api.get<Page<CombinedTransfer>>('/combined_transfers')).body.data[0]!.status).toBe('failed')
    await refused(again, 'combinedTransferExists')
    expect((await ask(party('ach_external'), transfer, { external_uid: 'twice' })).status).toBe(201)

    const elsewhere = addProgram(sandbox)
    const body = { synthetic_account: { uid: 'x' }, transfer, external_uid: 'once' }
    expect((await elsewhere.post('/combined_transfers', body)).status).toBe(201)
  })
})
