import { describe, expect, it } from 'vitest'
import type { LedgerAccount } from '../../src/api/contract/control/ledger.ts'
import type { MethodName } from '../../src/api/contract/control/methods.ts'
import type { SandboxOptions } from '../../src/api/sandbox.ts'
import { controlOf } from '../support/bridges.ts'
import { sendMixedRequests } from '../support/mixed-requests.ts'
import { expectRefusedCall } from '../support/operator.ts'
import { type Balances, setUpPayments } from '../support/payments.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { expectUnchanged } from '../support/world.ts'

/**
 * The books over time. What the ledger recomputes from line items and payments is compared with what was seen while it
 * happened: every account of both books after every commit.
 */

const cents = (money: string) => Math.round(Number(money) * 100)
const total = (amounts: readonly string[]) => amounts.reduce((sum, amount) => sum + cents(amount), 0)

interface BalancesAfterCommit {
  readonly at: string
  readonly accounts: ReadonlyMap<string, Balances>
}

/** Balances as they stood after each commit. */
function recordBalances(sandbox: TestSandbox): BalancesAfterCommit[] {
  const seen: BalancesAfterCommit[] = []
  const { synthetic_accounts, custodial_accounts } = sandbox.store.world.collections
  sandbox.store.subscribe(({ at }) => {
    const accounts = [...synthetic_accounts.inOrder(), ...custodial_accounts.inOrder()]
    seen.push({
      at,
      accounts: new Map(
        accounts.map((account) => [
          account.uid,
          {
            balance: account.book_balance,
            pending: account.net_usd_pending_balance,
            available: account.net_usd_available_balance,
          },
        ]),
      ),
    })
  })
  return seen
}

const balancesIn = ({ balance, pending, available }: LedgerAccount): Balances => ({ balance, pending, available })
const NOTHING = (account: LedgerAccount): Balances => ({
  balance: '0.00',
  pending: account.pending === null ? null : '0.00',
  available: account.available === null ? null : '0.00',
})

describe('the books over time', () => {
  async function bank(options: Partial<SandboxOptions> = {}) {
    const setup = await setUpPayments(options)
    const control = controlOf(setup.sandbox)
    const customer = await setup.customer()
    const counterparty = await setup.account(customer, 'ach_external')
    const now = async () => (await control['clock.read']({})).now
    return { ...setup, control, customer, anotherCustomer: setup.customer, counterparty, now }
  }

  it('every balance of every account equals the balance seen at that time, through three hundred requests', async () => {
    const sandbox = await startSandbox()
    const control = controlOf(sandbox)
    const seen = recordBalances(sandbox)
    await sendMixedRequests(sandbox)
    const programs = sandbox.programs()
    let compared = 0
    for (const { uid: program_uid } of programs) {
      const { accounts } = await control['ledger.accounts']({ program_uid })
      for (const account of accounts) {
        const { steps, total_count, book } = await control['ledger.balances']({ account_uid: account.uid })
        expect([book, total_count]).toEqual([account.book, steps.length])
        const stood = new Map<string, Balances>()
        for (const { at, accounts: then } of seen) if (then.has(account.uid)) stood.set(at, then.get(account.uid)!)
        for (const [at, balances] of stood) {
          const step = steps.findLast((one) => one.at <= at)
          const computed = step && { balance: step.settled, pending: step.pending, available: step.available }
          expect({ at, ...(computed ?? NOTHING(account)) }).toEqual({ at, ...balances })
          compared++
        }
        expect(steps.at(-1)).toMatchObject({ settled: account.balance, pending: account.pending })
      }
    }
    expect(compared).toBeGreaterThan(1_000)

    // As of an instant: what the last commit before it left.
    const program_uid = programs[0]!.uid
    const instants = [...new Set(seen.map(({ at }) => at))]
    for (const at of instants.filter((_, i) => i % Math.ceil(instants.length / 12) === 3)) {
      const before = seen.findLast((one) => one.at < at)!.accounts
      const { accounts } = await control['ledger.accounts']({ program_uid, at })
      for (const account of accounts)
        expect({ at, ...balancesIn(account) }).toEqual({ at, ...(before.get(account.uid) ?? NOTHING(account)) })
      for (const uid of before.keys())
        if (sandbox.store.world.collections.synthetic_accounts.get(uid)?.program_uid === program_uid)
          expect(accounts.map((account) => account.uid)).toContain(uid)
    }
  })

  it('ledger.balances lists pending payments, and forecasts the balances that then occur', async () => {
    const { control, customer, counterparty, fund, pay, account, advance, balances, mock, sandbox, now } = await bank()
    await fund(customer, '100.00')
    await advance({ by: 'PT1H' })
    const failing = await account(customer, 'ach_external', { name: 'Fail soon' })
    await pay(customer, customer.master, counterparty, '30.00')
    await pay(customer, customer.master, failing, '12.00')
    await mock({ transaction_type: 'ach', customer_uid: customer.uid, us_dollar_amount: '7.50' })
    const ledger = await expectUnchanged(sandbox, () => control['ledger.balances']({ account_uid: customer.master }))
    expect(ledger.pending.map(({ type, amount, settles, status }) => [type, amount, settles, status])).toEqual([
      ['ach', '7.50', '7.50', 'pending'],
      ['ach', '-12.00', '0.00', expect.any(String)],
      ['ach', '-30.00', '-30.00', expect.any(String)],
    ])
    expect(ledger.pending[0]).toMatchObject({
      source: { name: 'Mock Counterparty', outside: true },
      destination: { uid: customer.master, outside: false },
      purpose: 'ACH credit from Mock Counterparty',
    })
    expect(ledger.steps.at(-1)).toEqual({ at: await now(), settled: '100.00', pending: '-34.50', available: '58.00' })
    expect(ledger.scheduled).toHaveLength(3)
    for (const { at, settled, pending, available } of ledger.scheduled) {
      await advance({ to: at })
      const then = await balances(customer.master)
      const last = ledger.scheduled.findLast((one) => one.at === at)!
      if (last.settled === settled && last.available === available)
        expect(then).toEqual({ balance: settled, pending, available })
    }
    expect(await balances(customer.master)).toEqual({ balance: '77.50', pending: '0.00', available: '77.50' })
  })

  it('ledger.balances gives no instant for held payments and pending authorizations', async () => {
    const { control, customer, counterparty, fund, pay } = await bank()
    await fund(customer, '100.00')
    await pay(customer, customer.master, counterparty, '30.00')
    const { tasks } = await control['tasks.list']({})
    for (const { uid, kind } of tasks) if (kind === 'finish payment') await control['tasks.hold']({ uid })
    const ledger = await control['ledger.balances']({ account_uid: customer.master })
    expect(ledger.pending).toMatchObject([{ amount: '-30.00', due_at: null }])
    expect(ledger.scheduled).toEqual([])
  })

  it('ledger.balances from an instant begins with the balance at that instant', async () => {
    const { control, customer, fund, advance, now } = await bank()
    await fund(customer, '100.00')
    await advance({ by: 'PT2H' })
    const from = await now()
    await advance({ by: 'PT2H' })
    await fund(customer, '5.00')
    const { steps } = await control['ledger.balances']({ account_uid: customer.master, from })
    expect(steps.map(({ at, settled }) => [at, settled])).toEqual([
      [from, '100.00'],
      [await now(), '105.00'],
    ])
  })

  it('ledger.balances reduces very many steps, and keeps the highest and the lowest', async () => {
    const { control, customer, sandbox } = await bank()
    const { store } = sandbox
    const account = store.world.collections.synthetic_accounts.get(customer.master)!
    // Around the rules, as no request could in a test's time: lines alone, each a second after the other.
    const lines = store.world.collections.synthetic_line_items
    const start = Date.parse(store.world.clock.at)
    const amounts = Array.from({ length: 9_000 }, (_, i) =>
      i === 4_321 ? '777777.00' : i === 4_322 ? '-777777.00' : i % 2 ? '-3.00' : '5.00',
    )
    amounts.forEach((us_dollar_amount, i) => {
      const at = new Date(start + i * 1000).toISOString()
      lines.set(`line ${i}`, {
        uid: `line ${i}`,
        program_uid: account.program_uid,
        synthetic_account_uid: account.uid,
        us_dollar_amount,
        settled_at: at,
        made: 1_000_000 + i,
      } as never)
    })
    const ledger = await control['ledger.balances']({ account_uid: account.uid })
    expect(ledger.total_count).toBe(9_000)
    expect(ledger.steps.length).toBeLessThanOrEqual(3_000)
    const heights: number[] = []
    let height = 0
    for (const amount of amounts) heights.push((height += cents(amount)))
    const drawn = ledger.steps.map(({ settled }) => cents(settled))
    expect(Math.max(...drawn)).toBe(Math.max(...heights))
    expect(drawn.at(-1)).toBe(heights.at(-1))
    expect(ledger.steps.map(({ at }) => at)).toEqual(ledger.steps.map(({ at }) => at).toSorted())
  })

  it("ledger.lines shows both sides of a posting, with the payment's name for an outside party", async () => {
    const { control, customer, counterparty, account, fund, pay, advance, now } = await bank()
    await fund(customer, '100.00')
    const savings = await account(customer, 'general', { name: 'Savings' })
    await pay(customer, customer.master, savings, '25.00')
    await advance({ until: 'idle' })
    const before = await now()
    await advance({ by: 'PT1H' })
    await pay(customer, customer.master, counterparty, '30.00')
    await advance({ until: 'idle' })
    const { data } = await control['ledger.lines']({ account_uid: customer.master })
    const named = data.map(({ type, source, destination }) => [type, source.name, destination.name])
    expect(named).toEqual([
      ['ach', 'Primary Synthetic Account', expect.stringMatching(/^ach_external/)],
      ['book_transfer', 'Primary Synthetic Account', 'Savings'],
      ['wire', 'Mock Counterparty', 'Primary Synthetic Account'],
    ])
    expect(data.map(({ source, destination }) => [source.outside, destination.outside])).toEqual([
      [false, false],
      [false, false],
      [true, false],
    ])
    const { accounts } = await control['ledger.accounts']({ book: 'custodial' })
    const dda = accounts.find(({ kind }) => kind === 'dda')!
    const custodial = (await control['ledger.lines']({ account_uid: dda.uid })).data
    expect(custodial.map(({ source, destination }) => [source.name, destination.name])).toEqual([
      ['Commercial DDA', 'dda_cash_external'],
      ['dda_cash_received', 'Commercial DDA'],
    ])
    const then = await control['ledger.lines']({
      account_uid: customer.master,
      at: new Date(Date.parse(before) + 1).toISOString(),
    })
    expect(then.data).toEqual(data.slice(1))
    expect(then.total_count).toBe(2)
  })

  it('ledger.reconciliation gives the sums of both books at each close of day, equal to the closing balances', async () => {
    const { control, customer, account, fund, pay, mock, advance, list, sandbox } = await bank()
    const savings = await account(customer, 'general')
    for (const amount of ['100.00', '40.00', '0.07']) {
      await fund(customer, amount)
      await pay(customer, customer.master, savings, '0.05')
      await mock({ transaction_type: 'ach', customer_uid: customer.uid, us_dollar_amount: '-11.11' })
      await advance({ business_days: 1 })
    }
    await fund(customer, '9.00')
    const { closes, differences } = await expectUnchanged(sandbox, () =>
      control['ledger.reconciliation']({ pool_uid: customer.pool }),
    )
    expect(differences).toEqual([])
    // The sandbox began on a Friday.
    expect(closes.map(({ day, at }) => [day, at.slice(0, 16)])).toEqual([
      ['2026-08-14', '2026-08-15T00:00'],
      ['2026-08-17', '2026-08-18T00:00'],
      ['2026-08-18', '2026-08-19T00:00'],
      [null, '2026-08-19T14:00'],
    ])
    const rows = await list<{
      net_usd_closing_balance: string
      net_usd_closing_balance_as_of: string
      synthetic_account_uid: string
    }>('/synthetic_account_closing_balances?limit=100')
    const ofCustodian = await list<{ net_usd_closing_balance: string; net_usd_closing_balance_as_of: string }>(
      '/custodial_account_closing_balances?limit=100',
    )
    for (const { day, synthetic, custodial, difference, pools_apart } of closes.slice(0, -1)) {
      // An account has a row only when it has moved: its latest one counts.
      const closing = [customer.master, savings].map(
        (uid) =>
          rows
            .filter((row) => row.synthetic_account_uid === uid && row.net_usd_closing_balance_as_of <= day!)
            .toSorted((a, b) => (a.net_usd_closing_balance_as_of < b.net_usd_closing_balance_as_of ? -1 : 1))
            .at(-1)?.net_usd_closing_balance ?? '0.00',
      )
      expect(cents(synthetic)).toBe(total(closing))
      expect(ofCustodian.find((row) => row.net_usd_closing_balance_as_of === day)?.net_usd_closing_balance).toBe(
        custodial,
      )
      expect([difference, pools_apart]).toEqual(['0.00', 0])
    }
    const whole = await control['ledger.reconciliation']({ days: 2 })
    expect(whole.closes).toEqual(closes.slice(1))
    const at = closes[1]!.at
    expect((await control['ledger.reconciliation']({ pool_uid: customer.pool, at })).closes).toEqual(closes.slice(0, 2))
  })

  it('ledger.reconciliation traces a difference to its payments', async () => {
    const { control, customer, fund, sandbox } = await bank()
    const transaction_uid = await fund(customer, '100.00')
    await fund(customer, '1.00')
    // Around the rules and the check of commits, as a defect of ours would: a line at the custodian is gone.
    const { custodial_line_items, custodial_accounts } = sandbox.store.world.collections
    const dda = custodial_accounts.inOrder().find(({ type, pool_uid }) => type === 'dda' && pool_uid === customer.pool)!
    const line = custodial_line_items
      .inOrder()
      .find((it) => it.transaction_uid === transaction_uid && it.custodial_account_uid === dda.uid)!
    custodial_line_items.set(line.uid, undefined)
    const { closes, differences } = await control['ledger.reconciliation']({ pool_uid: customer.pool })
    expect(closes.at(-1)).toMatchObject({
      synthetic: '101.00',
      custodial: '1.00',
      difference: '100.00',
      pools_apart: 1,
    })
    expect(differences).toEqual([
      {
        transaction_uid,
        pool_uid: customer.pool,
        at: line.settled_at,
        synthetic: '100.00',
        custodial: '0.00',
        difference: '100.00',
      },
    ])
    expect((await control['ledger.trial_balance']({ pool_uid: customer.pool })).books).toMatchObject([
      { book: 'synthetic', total: '0.00' },
      { book: 'custodial', total: '-100.00' },
    ])
  })

  it('ledger.trial_balance works for one Pool, and as of an instant', async () => {
    const { control, customer, anotherCustomer, fund, advance, now } = await bank()
    await fund(customer, '100.00')
    const other = await anotherCustomer()
    await fund(other, '7.00')
    await advance({ by: 'PT1H' })
    const at = await now()
    await fund(customer, '1.00')
    const sums = async (input: object) =>
      (await control['ledger.trial_balance'](input)).books.map(({ credits, debits, lines }) => [credits, debits, lines])
    expect(await sums({})).toEqual([
      ['108.00', '-108.00', 6],
      ['108.00', '-108.00', 6],
    ])
    expect(await sums({ pool_uid: other.pool })).toEqual([
      ['7.00', '-7.00', 2],
      ['7.00', '-7.00', 2],
    ])
    expect(await sums({ pool_uid: customer.pool, at })).toEqual([
      ['100.00', '-100.00', 2],
      ['100.00', '-100.00', 2],
    ])
    expect(await sums({ at: new Date(0).toISOString() })).toEqual([
      ['0.00', '0.00', 0],
      ['0.00', '0.00', 0],
    ])
  })

  it('ledger.accounts returns only the named accounts, with their descriptions', async () => {
    const { control, customer, counterparty } = await bank()
    const { accounts } = await control['ledger.accounts']({
      uid: [counterparty, customer.master, 'nobody', counterparty],
    })
    expect(accounts).toMatchObject([
      {
        uid: counterparty,
        customer_name: 'Olive Oyl',
        status: 'active',
        master: false,
        account_number_last_four: expect.stringMatching(/^\d{4}$/),
      },
      { uid: customer.master, customer_name: 'Olive Oyl', status: 'active', master: true },
    ])
  })

  it.each<[MethodName, object, RegExp | string]>([
    ['ledger.balances', { account_uid: 'x' }, 'synthetic_accounts holds no record x'],
    ['ledger.reconciliation', { pool_uid: 'x' }, 'pools holds no record x'],
    ['ledger.trial_balance', { pool_uid: 'x' }, 'pools holds no record x'],
    ['ledger.reconciliation', { program_uid: 'x' }, 'there is no Program x'],
  ])('%s %j is refused: it does not exist', async (name, input, words) => {
    const sandbox = await startSandbox()
    const control = controlOf(sandbox)
    const ask = control[name] as (input: object) => Promise<unknown>
    await expectRefusedCall(sandbox, () => ask(input), 'routeNotFound', words)
  })

  it.each<[MethodName, object, RegExp]>([
    ['ledger.balances', { account_uid: 'x', at: 'yesterday' }, /^at: /],
    ['ledger.reconciliation', { days: 61 }, /^days: /],
    ['ledger.accounts', { at: '2026-08-14' }, /^at: /],
    ['ledger.lines', { at: '2026-08-14' }, /^at: /],
  ])('%s %j is refused as invalid', async (name, input, words) => {
    const sandbox = await startSandbox()
    const control = controlOf(sandbox)
    const ask = control[name] as (input: object) => Promise<unknown>
    await expectRefusedCall(sandbox, () => ask(input), 'invalidArgument', words)
  })
})
