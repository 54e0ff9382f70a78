import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Balances, LedgerAccount, LedgerLine } from '../../src/api/contract/control/ledger.ts'
import {
  describeBalanceAt,
  describeChart,
  findBalanceAt,
  findChartEnd,
  linesOf,
  listStops,
} from '../../src/renderer/components/balance/balance.ts'
import { sumAmounts } from '../../src/renderer/format/text.ts'
import { buildEntryRows, selectColumns } from '../../src/renderer/screens/accounts/AccountPane.tsx'
import { buildTree } from '../../src/renderer/screens/accounts/tree.ts'
import { joinLines, mergeAccounts } from '../../src/renderer/screens/accounts/use-ledger.ts'

/** The computations of the screen: groups, sums, the chart and the exported files. */

const account = (uid: string, more: object = {}) =>
  ({
    book: 'synthetic',
    uid,
    name: `Account ${uid}`,
    program_uid: 'p',
    customer_uid: 'ada',
    customer_name: 'Ada Harbor',
    pool_uid: 'pool',
    kind: 'general',
    status: 'active',
    master: false,
    account_number_last_four: '4410',
    liability: true,
    balance: '10.00',
    pending: '-2.50',
    available: '7.50',
    lines: 1,
    ...more,
  }) as LedgerAccount

const none = new Set<string>()
const WORLD = [
  account('a', { balance: '0.10' }),
  account('b', { balance: '0.20', status: 'archived' }),
  account('x', { kind: 'ach_external', liability: false, balance: '30.00', pending: null, available: null }),
  account('z', { customer_uid: 'bo', customer_name: 'Bo Quay', balance: '-0.30', account_number_last_four: '9999' }),
  account('d', { book: 'custodial', kind: 'dda', balance: '0.30' }),
  account('n', { customer_uid: 'bo', customer_name: 'Bo Quay', balance: '0.00', pending: '0.00' }),
]
const drawn = (wanted: Partial<Parameters<typeof buildTree>[1]>) =>
  buildTree(WORLD, { open: none, ...wanted }).rows.map(({ kind, id }) => `${kind} ${id}`)

it('the columns of entries drop the purpose of a payment before they truncate the names of its parties', () => {
  const at = (width: number) => selectColumns(width, []).map(({ id }) => id)
  expect(at(1_200)).toEqual(['at', 'type', 'source', 'destination', 'purpose', 'amount', 'running'])
  expect(at(900)).toEqual(['at', 'type', 'source', 'destination', 'amount', 'running'])
  expect(at(755)).toEqual(['at', 'type', 'sides', 'amount', 'running'])
})

describe('the accounts by Customer', () => {
  it('are folded at first, and unfold into three groups', () => {
    expect(drawn({})).toEqual(['customer ada', 'customer bo'])
    expect(drawn({ open: new Set(['ada']) })).toEqual([
      'customer ada',
      'group ada general',
      'account a',
      'account b',
      'group ada external',
      'account x',
      'group ada custodial',
      'account d',
      'customer bo',
    ])
  })

  it('are searched by name, uid, last four digits and Customer, and matches are unfolded', () => {
    expect(drawn({ q: '9999' })).toEqual(['customer bo', 'group bo general', 'account z'])
    expect(drawn({ q: ' QUAY ' })).toEqual(['customer bo', 'group bo general', 'account z', 'account n'])
    expect(drawn({ q: 'nobody' })).toEqual([])
  })

  it('are filtered by status and by zero balance', () => {
    expect(buildTree(WORLD, { status: ['archived'], open: none }).accounts.map(({ uid }) => uid)).toEqual(['b'])
    expect(buildTree(WORLD, { hideZero: true, open: none }).accounts.map(({ uid }) => uid)).not.toContain('n')
  })

  it('are summed over general accounts only, to the cent', () => {
    const { rows, settled, customers } = buildTree(WORLD, { open: none })
    expect(rows).toMatchObject([
      { name: 'Ada Harbor', settled: '0.30', pending: '-5.00' },
      { name: 'Bo Quay', settled: '-0.30', pending: '-2.50' },
    ])
    expect([settled, customers]).toEqual(['0.00', 2])
  })

  it('sums are exact for any amounts', () => {
    const amount = fc.integer({ min: -9e12, max: 9e12 })
    const text = (cents: number) =>
      `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 50 }), (amounts) => {
        expect(sumAmounts(amounts.map(text))).toBe(text(amounts.reduce((sum, cents) => sum + cents, 0)))
      }),
    )
  })

  it('keep their places when they change, and new accounts come last', () => {
    const changed = mergeAccounts(WORLD, [account('new'), account('b', { balance: '9.00' })])
    expect(changed.map(({ uid }) => uid)).toEqual([...WORLD.map(({ uid }) => uid), 'new'])
    expect(changed[1]!.balance).toBe('9.00')
  })
})

const step = (at: string, settled: string, available: string | null = settled) => ({
  at,
  settled: settled as never,
  pending: '0.00' as never,
  available: available as never,
})
const balances: Balances = {
  account_uid: 'a',
  book: 'synthetic',
  from: '2026-11-18T05:00:00.000Z',
  at: '2026-11-20T17:00:00.000Z',
  steps: [
    step('2026-11-18T05:00:00.000Z', '0.00'),
    step('2026-11-19T15:00:00.000Z', '100.00'),
    step('2026-11-20T15:00:00.000Z', '100.00', '70.00'),
  ],
  total_count: 3,
  pending: [],
  scheduled: [step('2026-11-23T13:30:00.000Z', '70.00')],
}

describe('the balance over time', () => {
  it('shows settled and available amounts until now, and scheduled ones after that', () => {
    const lines = linesOf(balances)
    const amounts = Object.values(lines).map((line) => line.map(({ amount }) => amount))
    expect(amounts).toEqual([
      [0, 100, 100, 100],
      [0, 100, 70, 70],
      [100, 70, 70],
    ])
    expect(lines.scheduled.at(-1)!.ms).toBe(findChartEnd(balances))
    expect(findChartEnd(balances)).toBeGreaterThan(Date.parse('2026-11-23T13:30:00.000Z'))
  })

  it('can be read at any instant, and has a stop at each change', () => {
    expect(describeBalanceAt(balances, Date.parse('2026-11-19T14:59:59Z'))).toBe(
      'Thu 19 Nov 09:59: settled 0.00, available 0.00',
    )
    expect(describeBalanceAt(balances, Date.parse('2026-11-20T16:00:00Z'))).toBe(
      'Fri 20 Nov 11:00: settled 100.00, available 70.00',
    )
    expect(describeBalanceAt(balances, Date.parse('2026-11-24T16:00:00Z'))).toBe(
      'Tue 24 Nov 11:00 (scheduled): settled 70.00, available 70.00',
    )
    expect(findBalanceAt(balances, Date.parse('2026-11-01T00:00:00Z'))).toBeUndefined()
    expect(listStops(balances)).toHaveLength(5)
  })

  it('is summarized in one sentence', () => {
    expect(describeChart('Operating', balances)).toBe(
      'Balance of Operating from Wed 18 Nov 00:00 to Fri 20 Nov 12:00: settled 100.00, available 70.00; ' +
        'scheduled to be 70.00 on Mon 23 Nov 08:30',
    )
  })
})

const line = (uid: string, at: string, more: object = {}) =>
  ({
    book: 'synthetic',
    uid,
    account_uid: 'a',
    account_name: 'Account a',
    transaction_uid: `t${uid}`,
    type: 'ach',
    source: { uid: 'a', name: 'Account a', outside: false },
    destination: { uid: 'o', name: 'Mill', outside: true },
    purpose: 'Flour',
    amount: '-30.00',
    running: '70.00',
    description: '',
    at,
    ...more,
  }) as LedgerLine

describe('the entries', () => {
  it('are grouped by day, and pending entries come first, without a balance', () => {
    const { account_uid: _, ...pending } = { ...line('p', ''), created_at: '2026-11-20T16:00:00.000Z' }
    const rows = buildEntryRows(
      'a',
      [pending as never],
      [
        line('3', '2026-11-20T15:00:00.000Z'),
        line('2', '2026-11-20T14:00:00.000Z'),
        line('1', '2026-11-19T14:00:00.000Z'),
      ],
    )
    expect(rows.map((row) => ('group' in row ? row.title : row.id))).toEqual([
      expect.anything(),
      'pending tp',
      'Fri 20 Nov 2026',
      '3',
      '2',
      'Thu 19 Nov 2026',
      '1',
    ])
    expect(rows[1]).toMatchObject({ pending: true, running: undefined })
  })

  it('that are new come before known ones; after a gap all are read again', () => {
    const [a, b, c] = ['c', 'b', 'a'].map((uid) => line(uid, '')) as [LedgerLine, LedgerLine, LedgerLine]
    expect(joinLines([a, b], [b, c])).toEqual([a, b, c])
    expect(joinLines([a], [b, c])).toBeUndefined()
    expect(joinLines([], [b, c])).toBeUndefined()
  })
})
