import { describe, expect, it } from 'vitest'
import { showHidden } from '../../src/api/contract/collection-names.ts'
import { call } from '../support/operator.ts'
import { shareDemo } from '../support/sandbox.ts'

const sandbox = await shareDemo({ seed: 'ordered-lists' })

interface Listed {
  readonly total_count: number
  readonly data: readonly (Record<string, unknown> & { uid: string })[]
}
const transactions = async (query: object) =>
  (await call(sandbox, 'records.list', {
    collection: 'transactions',
    limit: 1000,
    ...showHidden('transactions'),
    ...query,
  })) as unknown as Listed
const uids = ({ data }: Listed) => data.map(({ uid }) => uid)
const amounts = ({ data }: Listed) => data.map((it) => Number(it.us_dollar_amount))

describe('records.list', () => {
  it('sorts by the size of an amount, in both directions', async () => {
    const descending = await transactions({ order: { field: 'us_dollar_amount', descending: true } })
    expect(descending.total_count).toBe(25)
    expect(amounts(descending)).toEqual([...amounts(descending)].sort((a, b) => b - a))
    expect(new Set(amounts(descending)).size).toBeGreaterThan(10)
    expect(uids(await transactions({ order: { field: 'us_dollar_amount' } }))).toEqual(uids(descending).reverse())
  })

  it('puts records without a value last in both directions', async () => {
    for (const descending of [true, false]) {
      const { data } = await transactions({ order: { field: 'wire.imad', descending } })
      const has = data.map(({ wire }) => typeof (wire as { imad?: unknown } | undefined)?.imad === 'string')
      expect(has.indexOf(false)).toBe(has.filter(Boolean).length)
    }
  })

  it('sorts by fields that are derived when a record is shown', async () => {
    const { data } = (await call(sandbox, 'records.list', {
      collection: 'customers',
      include_initiated: true,
      order: { field: 'total_balance' },
    })) as unknown as Listed
    const balances = data.map((it) => Number(it.total_balance))
    expect(new Set(balances).size).toBeGreaterThan(1)
    expect(balances).toEqual([...balances].sort((a, b) => a - b))
  })

  it('cuts the same order into pages, and counts all that match', async () => {
    const order = { field: 'us_dollar_amount', descending: true }
    const whole = await transactions({ order })
    const pages = await Promise.all([0, 10, 20].map((offset) => transactions({ order, limit: 10, offset })))
    expect(pages.flatMap(uids)).toEqual(uids(whole))
    expect(pages.map(({ total_count }) => total_count)).toEqual([25, 25, 25])
  })

  it('lists only records within ranges of instants and amounts, both ends included', async () => {
    const all = await transactions({})
    const [high, low] = [all.data[4]!.created_at, all.data[14]!.created_at] as [string, string]
    const within = await transactions({ ranges: [{ field: 'created_at', from: low, to: high }] })
    const expected = all.data.filter(({ created_at }) => String(created_at) >= low && String(created_at) <= high)
    expect(uids(within)).toEqual(expected.map(({ uid }) => uid))
    expect(expected.length).toBeGreaterThan(5)
    const some = await transactions({ ranges: [{ field: 'us_dollar_amount', from: '100', to: '5000' }] })
    expect(uids(some)).toEqual(
      all.data
        .filter((it) => Number(it.us_dollar_amount) >= 100 && Number(it.us_dollar_amount) <= 5_000)
        .map(({ uid }) => uid),
    )
    expect(some.total_count).toBe(some.data.length)
  })

  it('combines ranges and an order with the filters of the list', async () => {
    const type = 'ach'
    const order = { field: 'us_dollar_amount', descending: true }
    const ranges = [{ field: 'us_dollar_amount', from: '1' }]
    const { data } = await transactions({ type, order, ranges, fields: ['type', 'us_dollar_amount'] })
    expect(data.length).toBeGreaterThan(1)
    expect(new Set(data.map((it) => it.type))).toEqual(new Set([type]))
    expect(Object.keys(data[0]!).sort()).toEqual(['type', 'uid', 'us_dollar_amount'])
  })

  it('refuses unknown fields, and sort together with order', async () => {
    await expect(transactions({ order: { field: 'color' } })).rejects.toThrow(/transactions have no color/)
    await expect(transactions({ ranges: [{ field: 'color', from: '1' }] })).rejects.toThrow(/have no color/)
    await expect(transactions({ order: { field: 'uid' }, sort: 'created_at_asc' })).rejects.toThrow(/sort/)
  })
})
