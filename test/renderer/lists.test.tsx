import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Bridge, ControlReply } from '../../src/api/contract/control/client.ts'
import type { Notice } from '../../src/api/contract/control/notices.ts'
import { groupByDay } from '../../src/renderer/components/list/day-rows.ts'
import { type ListColumn, rowFilter } from '../../src/renderer/components/list/model.ts'
import { useFeed } from '../../src/renderer/data/feed.ts'
import { type ListSource, useRecords } from '../../src/renderer/data/live-list.ts'
import { connect } from '../../src/renderer/data/sandbox.ts'
import { formatCsv } from '../../src/renderer/format/csv.ts'
import { fakeBridge, program } from './support.tsx'

afterEach(cleanup)

interface Fake {
  readonly uid: string
  readonly word: string
  readonly pool_uids: readonly string[]
}

const source: ListSource<Fake> = { collection: 'transfers', fields: ['word', 'pool_uids'] }
const derivedSource: ListSource<Fake> = {
  ...source,
  follows: { by: 'synthetic_accounts', field: 'pool_uid', of: ({ pool_uids }) => pool_uids },
}
const record = (n: number, word = 'as made') => ({ uid: `r${n}`, word, pool_uids: [`pool ${n}`] })

/** A sandbox with `count` records, newest first, that records the reads. */
async function sandboxOf(size: number) {
  const records = Array.from({ length: size }, (_, at) => record(size - at))
  const calls: Record<string, unknown>[] = []
  const fake = fakeBridge()
  /** Responses wait for it, so that a test can act before they arrive. */
  let gate = Promise.resolve()
  const bridge: Bridge = {
    ...fake.bridge,
    call: async (name, input): Promise<ControlReply> => {
      if (name !== 'records.list') return fake.bridge.call(name, input)
      const { collection, uids, offset = 0, limit = 0 } = input as Asked
      if (collection === 'synthetic_accounts')
        return { ok: true, value: { ...EMPTY, data: [{ uid: 'a1', pool_uid: 'pool 2' }], total_count: 1, count: 1 } }
      calls.push({ ...(uids ? { uids } : { offset, limit }) })
      await gate
      const found = uids ? records.filter(({ uid }) => uids.includes(uid)) : records
      const data = found.slice(offset, offset + limit)
      return {
        ok: true,
        value: { ...EMPTY, data: structuredClone(data), total_count: found.length, count: data.length },
      }
    },
  }
  const close = connect(bridge)
  onTestFinished(close)
  await waitFor(() => expect(useFeed.getState().connection).toBe('live'))
  let seq = 1
  const commit = (collections: string[], uids: string[]) => {
    const cause = { door: 'request', name: 'POST /transfers' } as const
    const at = '2026-11-20T14:04:18.000Z'
    act(() => fake.notify({ type: 'commit', seq: ++seq, operation: seq, at, cause, collections, uids }))
  }
  return {
    records,
    calls,
    commit,
    notify: fake.notify,
    hold: () => {
      let release = () => {}
      gate = new Promise((done) => {
        release = done
      })
      return release
    },
  }
}
interface Asked {
  readonly collection: string
  readonly uids?: string[]
  readonly offset?: number
  readonly limit?: number
}
const EMPTY = { total_count: 0, count: 0, limit: 1000, offset: 0, data: [] as unknown[] }

const show = (of = source) => renderHook(() => useRecords(of, program.uid))
const uids = (shown: ReturnType<typeof show>) => shown.result.current.rows.map(({ uid }) => uid)

it.each(Array.from({ length: 16 }, (_, gap) => gap))(
  'a change %i turns of microtasks after the last read is read, too, without another notice',
  async (gap) => {
    const sandbox = await sandboxOf(1)
    const release = sandbox.hold()
    const list = show()
    await waitFor(() => expect(sandbox.calls).toHaveLength(1))
    release()
    for (let turn = 0; turn < gap; turn++) await null
    sandbox.records.unshift(record(2))
    useFeed.setState(({ versions: { transfers = 0, ...others } }) => ({
      versions: { ...others, transfers: transfers + 1 },
      changed: ['r2'],
    }))
    await waitFor(() => expect(list.result.current.rows.map(({ uid }) => uid)).toEqual(['r2', 'r1']))
  },
)

describe('a live list', () => {
  it('reads its first rows quickly, then page by page, and knows the total from the first response', async () => {
    const { calls } = await sandboxOf(2_300)
    const painted: (readonly [number, number])[] = []
    const shown = renderHook(() => {
      const listing = useRecords(source, program.uid)
      if (listing.total !== undefined) painted.push([listing.rows.length, listing.total])
      return listing
    })
    await waitFor(() => expect(uids(shown)).toHaveLength(2_300))
    expect(painted[0]).toEqual([100, 2_300])
    expect(calls).toEqual([
      { offset: 0, limit: 100 },
      { offset: 100, limit: 1000 },
      { offset: 1_100, limit: 1000 },
      { offset: 2_100, limit: 1000 },
    ])
    expect(new Set(uids(shown)).size).toBe(2_300)
  })

  it('reads only changed records after a commit: they stay in place, and new records come first', async () => {
    const { records, calls, commit } = await sandboxOf(5)
    const shown = show()
    await waitFor(() => expect(uids(shown)).toHaveLength(5))
    const before = shown.result.current.rows
    records[2] = record(3, 'changed')
    records.unshift(record(6))
    commit(['transfers', 'tasks'], ['r3', 'r6', 'a task'])
    await waitFor(() => expect(uids(shown)).toEqual(['r6', 'r5', 'r4', 'r3', 'r2', 'r1']))
    expect(calls.slice(1)).toEqual([{ uids: ['r3', 'r6', 'a task'] }])
    const after = shown.result.current.rows
    expect(after[3]).toMatchObject({ word: 'changed' })
    expect(after[1]).toBe(before[0])
    expect(shown.result.current.total).toBe(6)
  })

  it('reads nothing after commits that change other collections', async () => {
    const { calls, commit } = await sandboxOf(2)
    const shown = show()
    await waitFor(() => expect(uids(shown)).toHaveLength(2))
    commit(['customers'], ['c1'])
    await waitFor(() => expect(useFeed.getState().seq).toBe(2))
    expect(calls).toHaveLength(1)
  })

  it('drops deleted records', async () => {
    const { records, commit } = await sandboxOf(3)
    const shown = show()
    await waitFor(() => expect(uids(shown)).toHaveLength(3))
    records.splice(1, 1)
    commit(['transfers'], ['r2'])
    await waitFor(() => expect(uids(shown)).toEqual(['r3', 'r1']))
    expect(shown.result.current.total).toBe(2)
  })

  it('shows a record once if it changes before its page was read', async () => {
    const { records, commit, hold } = await sandboxOf(2_500)
    const shown = show()
    await waitFor(() => expect(uids(shown).length).toBeGreaterThanOrEqual(100))
    const release = hold()
    records[2_490] = record(10, 'changed')
    records.unshift(record(2_501), record(2_502))
    records.sort((a, b) => Number(b.uid.slice(1)) - Number(a.uid.slice(1)))
    commit(['transfers'], ['r10', 'r2501', 'r2502'])
    release()
    await waitFor(() => expect(uids(shown)).toHaveLength(2_502))
    expect(uids(shown)).toEqual(records.map(({ uid }) => uid))
    expect(shown.result.current.rows.find(({ uid }) => uid === 'r10')?.word).toBe('changed')
  })

  it('shows the old rows until as many new ones are read', async () => {
    const { records, notify, hold } = await sandboxOf(150)
    const shown = show()
    await waitFor(() => expect(uids(shown)).toHaveLength(150))
    const release = hold()
    records.splice(0, records.length, record(1, 'another world'))
    act(() => notify({ type: 'world' }))
    expect(uids(shown)).toHaveLength(150)
    release()
    await waitFor(() => expect(uids(shown)).toEqual(['r1']))
    expect(shown.result.current.rows[0]?.word).toBe('another world')
  })

  it('is read to its end before it is read again, if more changed meanwhile than is known one by one', async () => {
    const { records, calls, notify, hold } = await sandboxOf(1_050)
    const shown = show()
    await waitFor(() => expect(uids(shown)).toHaveLength(1_050))
    const release = hold()
    const omitted: Notice = { type: 'omitted', requests: [], doors: [], seq: 2, collections: ['transfers'], uids: null }
    act(() => notify(omitted))
    await waitFor(() => expect(calls).toHaveLength(3))
    records[1_049] = record(1, 'changed')
    act(() => notify({ ...omitted, seq: 3 }))
    await waitFor(() => expect(useFeed.getState().seq).toBe(3))
    release()
    await waitFor(() => expect(shown.result.current.rows.at(-1)?.word).toBe('changed'))
    await waitFor(() => expect(calls).toHaveLength(6))
    expect(calls.map(({ offset }) => offset)).toEqual([0, 100, 0, 100, 0, 100])
  })

  it('reads nothing while it is not shown, and the missed changes when it is shown again', async () => {
    const { records, calls, commit } = await sandboxOf(3)
    const first = show()
    await waitFor(() => expect(uids(first)).toHaveLength(3))
    first.unmount()
    records[0] = record(3, 'meanwhile')
    commit(['transfers'], ['r3'])
    await waitFor(() => expect(useFeed.getState().seq).toBe(2))
    expect(calls).toHaveLength(1)
    const again = show()
    expect(uids(again)).toEqual(['r3', 'r2', 'r1'])
    await waitFor(() => expect(again.result.current.rows[0]?.word).toBe('meanwhile'))
    expect(calls.slice(1)).toEqual([{ uids: ['r3'] }])
  })

  it('reads records again whose fields are derived from another collection', async () => {
    const { records, calls, commit } = await sandboxOf(3)
    const shown = show(derivedSource)
    await waitFor(() => expect(uids(shown)).toHaveLength(3))
    records[1] = record(2, 'richer')
    commit(['synthetic_accounts'], ['a1'])
    await waitFor(() => expect(shown.result.current.rows[1]?.word).toBe('richer'))
    expect(calls.slice(1)).toEqual([{ uids: ['r2'] }])
  })
})

describe('CSV', () => {
  it.each([
    ['plain', 'plain'],
    ['a, b', '"a, b"'],
    ['say "so"', '"say ""so"""'],
    ['two\nlines', '"two\nlines"'],
    ['-1234.50', '-1234.50'],
    ['-1234.50+cmd', "'-1234.50+cmd"],
    ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
    ['+1', "'+1"],
    ['@sum', "'@sum"],
    ['\tx', "'\tx"],
    [null, ''],
    [undefined, ''],
  ])('writes %j as %s', (value, text) => expect(formatCsv([[value, 'end']])).toBe(`${text},end\r\n`))
})

describe('a filtered list', () => {
  const cols: readonly ListColumn<Fake>[] = [
    { id: 'word', header: 'word', width: '1fr', cell: () => null, text: ({ word }) => word },
  ]
  const filters = [{ name: 'word', options: ['a', 'b'], of: ({ word }: Fake) => word }]
  const fits = (params: Record<string, string[]>, word: string) =>
    rowFilter(params, filters, cols, { searchTexts: ({ uid }) => [uid], customersOf: ({ pool_uids }) => pool_uids })?.(
      record(7, word),
    )

  it.each<[string, Record<string, string[]>, string, boolean | undefined]>([
    ['no filter', {}, 'a', undefined],
    ['a Program alone is no filter', { program: ['x'] }, 'a', undefined],
    ['one of several values', { word: ['b', 'a'] }, 'a', true],
    ['none of several values', { word: ['b', 'c'] }, 'a', false],
    ['words, whatever their case', { q: ['ÉTÉ'] }, 'un été', true],
    ['what stands for itself', { q: ['(a.b)*'] }, 'x(a.b)*', true],
    ['a dot is a dot', { q: ['a.b'] }, 'axb', false],
    ['a dash in brackets', { q: ['[a-'] }, 'x[a-z]', true],
    ['what is not shown', { q: ['r7'] }, 'a', true],
    ['a Customer', { customer: ['pool 7'] }, 'a', true],
    ['another Customer', { customer: ['pool 8'] }, 'a', false],
    ['both', { q: ['a'], word: ['b'] }, 'a', false],
  ])('%s', (_name, params, word, expected) => expect(fits(params, word)).toBe(expected))

  it('is grouped by days of New York, also on a change of daylight saving time', () => {
    const at = ({ uid }: { uid: string }) => uid
    const days = (all: string[]) =>
      groupByDay(
        all.map((uid) => ({ uid })),
        at,
      ).map((row) => ('group' in row ? String(row.title) : row.uid.slice(8, 16)))
    expect(
      days([
        '2026-11-02T05:00:00.000Z',
        '2026-11-02T04:59:59.000Z',
        '2026-11-01T04:00:00.000Z',
        '2026-11-01T03:59:59.999Z',
        '2026-11-02T04:00:00.000Z',
      ]),
    ).toEqual([
      'Mon 2 Nov 2026',
      '02T05:00',
      'Sun 1 Nov 2026',
      '02T04:59',
      '01T04:00',
      'Sat 31 Oct 2026',
      '01T03:59',
      'Sun 1 Nov 2026',
      '02T04:00',
    ])
  })
})
