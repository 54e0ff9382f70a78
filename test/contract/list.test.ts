import { describe, expect, it } from 'vitest'
import {
  anyOf,
  atLeast,
  atMost,
  contains,
  flag,
  indexed,
  lessThan,
  list,
  MAX_LIMIT,
  moreThan,
  type Page,
  paginate,
  type Query,
  type Source,
  wildcard,
} from '../../src/api/contract/terms/list.ts'

interface Thing {
  readonly uid: string
  readonly name?: string | null
  readonly tags?: readonly string[]
  readonly state?: string
  readonly locked?: boolean
  readonly rank?: number | null
}

const things = list<Thing>()({
  filters: {
    uid: indexed('uid'),
    name: indexed('name'),
    tags: indexed('tags'),
    state: indexed('state'),
    locked: flag((t) => t.locked === true),
    part: contains((t) => t.name),
  },
  sort: { name: (t) => t.name, rank: (t) => t.rank, long_name: (t) => t.name },
})
const withHidden = list<Thing>()({
  filters: { uid: indexed('uid'), state: anyOf((t) => t.state), name: indexed('name') },
  hides: [{ filter: 'state', value: 'draft', unless: 'include_draft' }],
  sort: { name: (t) => t.name },
})

/** Records in the order of making; an index on `name`, as a collection of the store has one. */
function source<T extends object = Thing>(
  records: readonly T[],
  indexed: readonly string[] = [],
): Source<T> & { read: number } {
  return {
    read: 0,
    get size() {
      return records.length
    },
    *newestFirst() {
      for (const record of [...records].reverse()) {
        this.read++
        yield record
      }
    },
    findByIndex(field, values) {
      if (!indexed.includes(field)) return undefined
      const wanted = new Set(values.map((value) => value.toLowerCase()))
      return [...records].reverse().filter((t) => wanted.has(String(t[field as keyof T] ?? '').toLowerCase()))
    },
  }
}
const uids = ({ data }: Page<{ readonly uid: string }>) => data.map(({ uid }) => uid).join('')

const sample: readonly Thing[] = [
  { uid: 'a', name: 'Olive', tags: ['x', 'Y'], state: 'open', rank: 2 },
  { uid: 'b', name: 'olive oil', tags: ['y'], state: 'OPEN', locked: true, rank: 10 },
  { uid: 'c', name: null, tags: [], state: 'closed', rank: null },
  { uid: 'd', name: 'Brutus', state: 'closed', locked: true },
  { uid: 'e', name: 'OLIVE', tags: ['z'], state: 'draft', rank: 2 },
]

it.each(['name_asc', 'rank_asc'])('paging by %s repeats no record while one with an equal value arrives', (sort) => {
  const page = (records: readonly Thing[], offset: number) =>
    uids(paginate(things, source(records), { sort, limit: 2, offset }))
  const arrived: Thing = { uid: 'f', name: 'OLIVE', state: 'open', rank: 2 }
  const pages = [page(sample, 0), page([...sample, arrived], 2), page([...sample, arrived], 4)].join('')
  expect([...pages].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})

describe.each([
  ['without an index', []],
  ['with an index on name', ['name']],
  ['with indexes on all', ['uid', 'name', 'state']],
])('4.3: a list %s', (_, indexed) => {
  const ask = (query: Query) => paginate(things, source(sample, indexed), query)

  it.each<[string, Query, string]>([
    ['nothing asked: newest first', {}, 'edcba'],
    ['one value', { name: ['Brutus'] }, 'd'],
    ['case-insensitive', { name: ['oLiVe'] }, 'ea'],
    ['an exact match, not a part', { name: ['oliv'] }, ''],
    ['several values', { name: ['brutus', 'olive oil'] }, 'db'],
    ['the same value twice', { name: ['brutus', 'BRUTUS'] }, 'd'],
    ['values that nobody has', { name: ['wimpy', ''] }, ''],
    ['no value at all', { name: [] }, ''],
    ['a field with several values', { tags: ['y'] }, 'ba'],
    ['a field with none', { tags: ['none'] }, ''],
    ['a flag', { locked: true }, 'db'],
    ['a flag that is off', { locked: false }, 'eca'],
    ['a part', { part: 'LIVE' }, 'eba'],
    ['two filters: AND', { name: ['olive'], state: ['open'] }, 'a'],
    ['three filters: AND', { name: ['olive', 'olive oil'], state: ['open'], locked: true }, 'b'],
    ['filters that exclude each other', { name: ['olive'], uid: ['d'] }, ''],
    ['a part and a value', { part: 'oil', uid: ['b'] }, 'b'],
    ['an unknown name', { nothing: ['x'] }, 'edcba'],
    ['names of the prototype', { constructor: ['x'], toString: ['x'] } as Query, 'edcba'],
  ])('%s', (_name, query, expected) => {
    const found = ask(query)
    expect(uids(found)).toBe(expected)
    expect(found).toMatchObject({ total_count: expected.length, count: expected.length, limit: 100, offset: 0 })
  })

  it.each<[string, Query, string]>([
    ['name, case ignored, missing last, equals oldest first', { sort: 'name_asc' }, 'daebc'],
    ['name the other way: missing still last, equals newest first', { sort: 'name_desc' }, 'beadc'],
    ['numbers as numbers', { sort: 'rank_asc' }, 'aebcd'],
    ['numbers the other way', { sort: 'rank_desc' }, 'beadc'],
    ['a sort whose name holds an underscore', { sort: 'long_name_asc' }, 'daebc'],
    ['sorted and filtered', { sort: 'name_asc', locked: true }, 'db'],
    ['sorted and cut', { sort: 'name_asc', limit: 2, offset: 1 }, 'ae'],
    ['exact matches first, whatever the sort', { part: 'olive', sort: 'name_desc' }, 'eab'],
    ['exact matches first, then newest first', { part: 'olive' }, 'eab'],
  ])('sort: %s', (_name, query, expected) => {
    // Missing and null are both "no value": neither comes before the other but by its age.
    expect(uids(ask(query))).toBe(expected)
  })

  it.each<[string, Query, string, { total_count: number; count: number; limit: number; offset: number }]>([
    ['a limit', { limit: 2 }, 'ed', { total_count: 5, count: 2, limit: 2, offset: 0 }],
    ['an offset', { offset: 3 }, 'ba', { total_count: 5, count: 2, limit: 100, offset: 3 }],
    ['both', { limit: 2, offset: 2 }, 'cb', { total_count: 5, count: 2, limit: 2, offset: 2 }],
    ['an offset at the end', { offset: 5 }, '', { total_count: 5, count: 0, limit: 100, offset: 5 }],
    ['an offset beyond it', { offset: 500 }, '', { total_count: 5, count: 0, limit: 100, offset: 500 }],
    ['a limit of 0', { limit: 0 }, '', { total_count: 5, count: 0, limit: 0, offset: 0 }],
    ['a limit too large', { limit: 5000 }, 'edcba', { total_count: 5, count: 5, limit: MAX_LIMIT, offset: 0 }],
    ['a limit of what is found', { limit: 1, name: ['olive'] }, 'e', { total_count: 2, count: 1, limit: 1, offset: 0 }],
  ])('pages: %s', (_name, query, expected, shown) => {
    const found = ask(query)
    expect(uids(found)).toBe(expected)
    const { data: _data, ...rest } = found
    expect(rest).toEqual(shown)
  })

  it('sort: null and missing are the same lack of a value, so age alone orders them', () => {
    const records = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((uid, i) =>
      i % 2 === 0 ? { uid, name: null } : { uid },
    )
    for (const [sort, expected] of [
      ['name_asc', 'zabcdefgh'],
      ['name_desc', 'zhgfedcba'],
    ] as const)
      expect(uids(paginate(things, source([...records, { uid: 'z', name: 'Z' }], indexed), { sort }))).toBe(expected)
  })

  it.each(['rank_asc', 'rank_desc', 'name_asc', 'name_desc'])(
    'pages of 5,000 records sorted by %s are parts of the whole order; equals are oldest first, or newest first if descending',
    (sort) => {
      const records = Array.from({ length: 5_000 }, (_, i): Thing => {
        const n = (i * 7919) % 5_000
        return { uid: `${i}`, rank: n % 7 === 0 ? null : n % 90, name: n % 11 === 0 ? null : `Name ${n % 300}` }
      })
      const field = sort.startsWith('rank') ? 'rank' : 'name'
      const sign = sort.endsWith('_desc') ? -1 : 1
      const keyOf = (thing: Thing) => (field === 'rank' ? thing.rank : thing.name?.toLowerCase())
      const whole = (sign === 1 ? [...records] : records.toReversed()).sort((a, b) => {
        const [x, y] = [keyOf(a) ?? null, keyOf(b) ?? null]
        if (x === y) return 0
        if (x === null || y === null) return x === null ? 1 : -1
        return (x < y ? -1 : 1) * sign
      })
      for (const [offset, limit] of [
        [0, 10],
        [0, 0],
        [37, 100],
        [1_990, 25],
        [4_990, 100],
        [6_000, 5],
      ] as const)
        expect(paginate(things, source(records), { sort, offset, limit }).data, `from ${offset}`).toEqual(
          whole.slice(offset, offset + limit),
        )
    },
  )

  it('pages of a sorted and filtered list hold everything once', () => {
    const seen = [0, 1, 2, 3, 4].map((offset) => uids(ask({ sort: 'name_desc', limit: 1, offset })))
    expect(seen.join('')).toBe(uids(ask({ sort: 'name_desc' })))
    expect(new Set(seen).size).toBe(5)
  })
})

describe('4.3: what is hidden by default', () => {
  const ask = (query: Query) => uids(paginate(withHidden, source(sample), query))
  it.each<[string, Query, string]>([
    ['it is left out', {}, 'dcba'],
    ['unless it is asked for', { include_draft: true }, 'edcba'],
    ['false is the default said aloud', { include_draft: false }, 'dcba'],
    ['alone it is no filter', { state: ['draft'] }, 'dcba'],
    ['in another case neither', { state: ['DRAFT'] }, 'dcba'],
    ['beside others it is passed over', { state: ['draft', 'closed'] }, 'dc'],
    ['asked for, it is a value like the others', { state: ['draft'], include_draft: true }, 'e'],
    ['asked for, one of several', { state: ['draft', 'closed'], include_draft: true }, 'edc'],
    ['another filter does not bring it back', { name: ['olive'] }, 'a'],
    ['nor does its uid', { uid: ['e'] }, ''],
    ['nor a sort', { sort: 'name_asc' }, 'dabc'],
  ])('%s', (_, query, expected) => {
    expect(ask(query)).toBe(expected)
  })

  it('is not counted', () => {
    expect(paginate(withHidden, source(sample), { limit: 1 })).toMatchObject({ total_count: 4, count: 1 })
  })
})

interface Payment {
  readonly uid: string
  readonly index: number | null
  readonly amount?: number | undefined
  readonly text?: string | null
  readonly sides: readonly string[]
  readonly state: string
}
const payments = list<Payment>()({
  filters: {
    index_after: moreThan((p) => p.index),
    index_before: lessThan((p) => p.index),
    amount_min: atLeast((p) => p.amount),
    amount_max: atMost((p) => p.amount),
    text: wildcard((p) => p.text),
    side: anyOf((p) => p.sides),
    state: anyOf((p) => p.state),
  },
  hides: [
    { when: (p) => p.amount === 0, unless: 'include_zero', description: 'amounts of zero' },
    { filter: 'state', value: 'denied', unless: 'show_denied' },
    {
      when: (p) => p.state === 'expired',
      unlessAsked: ({ state }) => Array.isArray(state) && state.includes('expired'),
    },
  ],
  sort: { index: (p) => p.index, amount: (p) => p.amount },
})
const made: readonly Payment[] = [
  { uid: 'a', index: 1, amount: 5.21, text: 'Transfer from "A" to "B"', sides: ['x', 'y'], state: 'settled' },
  { uid: 'b', index: 2, amount: -5.21, text: 'transfer', sides: ['y', 'z'], state: 'settled' },
  { uid: 'c', index: null, amount: 0, text: 'Prenote', sides: ['x', 'z'], state: 'pending' },
  { uid: 'd', index: 9, amount: 12, text: null, sides: ['x', 'y'], state: 'denied' },
  { uid: 'e', index: 10, sides: [], text: '', state: 'settled' },
  { uid: 'f', index: null, amount: 5.21, text: 'a transfer', sides: ['z'], state: 'expired' },
]

describe('4.1: numbers, wildcards and whatever is hidden', () => {
  const all = { include_zero: true, show_denied: true, state: ['settled', 'pending', 'denied', 'expired'] }
  const ask = (query: Query) => paginate(payments, source(made), query)

  it.each<[string, Query, string]>([
    ['above', { index_after: 2 }, 'ed'],
    ['below', { index_before: 9 }, 'ba'],
    ['between', { index_after: 1, index_before: 10 }, 'db'],
    ['above the last: what has none is neither above nor below', { index_after: 10 }, ''],
    ['below the first', { index_before: 1 }, ''],
    ['below zero', { index_after: -1 }, 'edba'],
    ['at least, inclusive', { amount_min: 5.21 }, 'fda'],
    ['at most, inclusive', { amount_max: -5.21 }, 'b'],
    ['between, inclusive', { amount_min: -5.21, amount_max: 0 }, 'cb'],
    ['between what excludes each other', { amount_min: 6, amount_max: 5 }, ''],
    ['the same text, case ignored', { text: 'TRANSFER' }, 'b'],
    ['a part is not enough', { text: 'transf' }, ''],
    ['anything behind', { text: 'transfer*' }, 'ba'],
    ['anything ahead', { text: '*Transfer' }, 'fb'],
    ['anything around', { text: '*transfer*' }, 'fba'],
    ['anything at all, if there is a text', { text: '*' }, 'fecba'],
    ['anything at all, said twice', { text: '**' }, 'fecba'],
    ['a star within is a star', { text: 'tr*er' }, ''],
    ['no text is the empty text', { text: '' }, 'e'],
    ['what a pattern would take for a sign is itself', { text: '*"A" to "B"' }, 'a'],
    ['dots are dots', { text: '.*' }, ''],
    ['either side', { side: ['X'] }, 'dca'],
  ])('%s', (_, query, expected) => {
    const found = ask({ ...all, ...query })
    expect(uids(found)).toBe(expected)
    expect(found.total_count).toBe(expected.length)
  })

  it.each<[string, Query, string]>([
    ['nothing asked: all three are left out', {}, 'eba'],
    ['the first is asked for', { include_zero: true }, 'ecba'],
    ['the second', { show_denied: true }, 'edba'],
    ['the third, by a filter that is there anyway', { state: ['expired'] }, 'f'],
    ['the third beside another', { state: ['settled', 'expired'] }, 'feba'],
    ['all three', all, 'fedcba'],
    ['false is the default said aloud', { include_zero: false, show_denied: false }, 'eba'],
    ['a filter finds only what is not hidden', { amount_max: 0 }, 'b'],
    ['a value that is hidden is no filter', { state: ['denied'] }, 'eba'],
    ['sorted, missing last', { sort: 'index_desc', include_zero: true }, 'ebac'],
  ])('hidden: %s', (_, query, expected) => {
    const found = ask(query)
    expect(uids(found)).toBe(expected)
    expect(found.total_count).toBe(expected.length)
  })

  it.each<[string, unknown, boolean]>([
    ['whole numbers and others', { index_after: 1, index_before: 2, amount_min: 1.5, amount_max: -2 }, true],
    ['half an index', { index_after: 1.5 }, false],
    ['a word', { amount_min: 'x' }, false],
    ['flags', { include_zero: true, show_denied: false }, true],
    ['a word where a flag is due', { include_zero: 'x' }, false],
  ])('the schema: %s', (_, query, valid) => {
    expect(payments.query.safeParse(query).success).toBe(valid)
  })

  it('a parameter that shows hidden records is declared if the list has one', () => {
    expect(payments.query.parse({ include_zero: true, show_denied: true, show_expired: true })).toEqual({
      include_zero: true,
      show_denied: true,
    })
  })

  it('a list that hides by a filter that it does not have is an internal error', () => {
    expect(() => list<Thing>()({ filters: {}, hides: [{ filter: 'state', value: 'x', unless: 'y' }] })).toThrow(
      /not one of its filters/,
    )
  })
})

describe('2.4: a page costs its own length', () => {
  const many = Array.from({ length: 5000 }, (_, i) => ({ uid: String(i), name: `n${i % 10}` }))

  it('nothing asked: only the page is read', () => {
    const from = source(many)
    const found = paginate(things, from, { limit: 10, offset: 20 })
    expect(found).toMatchObject({ total_count: 5000, count: 10 })
    expect(from.read).toBe(30)
  })

  it('a page of hidden records costs only its own length', () => {
    const from = source(many)
    expect(paginate(withHidden, from, { include_draft: true, limit: 10 })).toMatchObject({
      total_count: 5000,
      count: 10,
    })
    expect(from.read).toBe(10)
  })

  it('a filter uses an index only if it declares it', () => {
    const other = list<Thing>()({ filters: { name: anyOf((t) => t.state) } })
    const from = {
      ...source(sample, ['name']),
      bucket: () => {
        throw new Error('asked for a bucket')
      },
    }
    expect(uids(paginate(other, from, { name: ['closed'] }))).toBe('dc')
  })

  it('a filter with an index reads nothing else', () => {
    const from = source(many, ['name'])
    expect(paginate(things, from, { name: ['n3'] }).total_count).toBe(500)
    expect(from.read).toBe(0)
  })

  it('a limit of 1,000 is the most', () => {
    expect(MAX_LIMIT).toBe(1000)
    expect(paginate(things, source(many), { limit: 1001 })).toMatchObject({
      total_count: 5000,
      count: 1000,
      limit: 1000,
    })
  })
})

describe('4.3: what a list asks for is declared by its schema', () => {
  it.each<[string, unknown, boolean]>([
    ['nothing', {}, true],
    ['all of it', { uid: ['a'], locked: true, part: 'x', limit: 1, offset: 0, sort: 'name_asc' }, true],
    ['a sort of each direction', { sort: 'rank_desc' }, true],
    ['a sort without a direction', { sort: 'name' }, false],
    ['a sort that is not declared', { sort: 'uid_asc' }, false],
    ['a limit below zero', { limit: -1 }, false],
    ['an offset below zero', { offset: -1 }, false],
    ['half a limit', { limit: 0.5 }, false],
    ['a list where one value is due', { part: ['x'] }, false],
    ['a word where a flag is due', { locked: 'yes' }, false],
  ])('%s', (_, query, valid) => {
    expect(things.query.safeParse(query).success).toBe(valid)
  })

  it('a list that hides nothing knows no parameter to show it', () => {
    expect(things.query.parse({ include_draft: true })).toEqual({})
    expect(withHidden.query.parse({ include_draft: true })).toEqual({ include_draft: true })
  })

  it('an undeclared sort that passes the schema is an internal error, not an unsorted list', () => {
    expect(() => paginate(things, source(sample), { sort: 'uid_asc' })).toThrow(/no sort uid_asc/)
  })
})
