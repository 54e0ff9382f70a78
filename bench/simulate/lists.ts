import type { Random } from '../support/random.ts'
import type { Body } from './calls.ts'

/** Lists with two or three filters, a sort and pages, compared with a plain filter over all records of the list. */

type ReadPage = (path: string) => Promise<Body>

interface Filter {
  /** What a record has, to choose a wanted value from. */
  readonly valuesOf: (record: Body) => readonly unknown[]
  readonly fits: (value: Body, wanted: Body) => boolean
  /** Records of several values may be asked for together. */
  readonly isRepeatable: boolean
}

const equal = (...fields: string[]): Filter => ({
  valuesOf: (record) => fields.flatMap((field) => record[field]),
  fits: (value, wanted) => String(value).toLowerCase() === String(wanted).toLowerCase(),
  isRepeatable: true,
})
const above = (field: string): Filter => ({
  valuesOf: (record) => [record[field]],
  fits: (value, wanted) => value > wanted,
  isRepeatable: false,
})
const below = (field: string): Filter => ({ ...above(field), fits: (value, wanted) => value < wanted })

interface Listed {
  /** The whole list. */
  readonly path: string
  readonly filters: Readonly<Record<string, Filter>>
  readonly sorts: Readonly<Record<string, (record: Body) => string | number | null>>
}

const amount = (field: string) => (record: Body) => (record[field] === null ? null : Number(record[field]))
const plain = (field: string) => (record: Body) => record[field] ?? null

const ACCOUNTS = ['source_synthetic_account_uid', 'destination_synthetic_account_uid']

const lists: readonly Listed[] = [
  {
    path: '/transactions?include_zero=true&show_denied_auths=true&show_expired=true',
    filters: {
      customer_uid: equal('customer_uid'),
      source_synthetic_account_uid: equal('source_synthetic_account_uid'),
      destination_synthetic_account_uid: equal('destination_synthetic_account_uid'),
      synthetic_account_uid: equal(...ACCOUNTS),
      type: equal('type'),
      status: equal('status'),
      created_at_after: above('created_at'),
      created_at_before: below('created_at'),
      settled_at_after: above('settled_at'),
      settled_at_before: below('settled_at'),
      settled_index_after: above('settled_index'),
      settled_index_before: below('settled_index'),
      id_after: above('id'),
      id_before: below('id'),
    },
    sorts: {
      created_at: plain('created_at'),
      id: plain('id'),
      settled_index: plain('settled_index'),
      us_dollar_amount: amount('us_dollar_amount'),
    },
  },
  {
    path: '/transfers?',
    filters: {
      customer_uid: equal('initiating_customer_uid', 'destination_customer_uid'),
      synthetic_account_uid: equal(...ACCOUNTS),
      external_uid: equal('external_uid'),
      status: equal('status'),
    },
    sorts: { created_at: plain('created_at') },
  },
  {
    path: '/synthetic_accounts?',
    filters: {
      pool_uid: equal('pool_uid'),
      status: equal('status'),
      synthetic_account_type_uid: equal('synthetic_account_type_uid'),
      synthetic_account_category: equal('synthetic_account_category'),
    },
    sorts: {
      net_usd_balance: amount('net_usd_balance'),
      net_usd_available_balance: amount('net_usd_available_balance'),
    },
  },
  {
    path: '/synthetic_line_items?',
    filters: {
      synthetic_account_uid: equal('synthetic_account_uid'),
      transaction_uid: equal('transaction_uid'),
      status: equal('status'),
    },
    sorts: {
      created_at: plain('created_at'),
      settled_index: plain('settled_index'),
      us_dollar_amount: amount('us_dollar_amount'),
    },
  },
  {
    path: '/customers?include_initiated=true',
    filters: {
      uid: equal('uid'),
      status: equal('status'),
      kyc_status: equal('kyc_status'),
      email: equal('email'),
      pool_uid: equal('pool_uids'),
    },
    sorts: { activated_at: plain('activated_at'), email: plain('email') },
  },
]

const MOST = 1_000

/** All records of a list. A page is asked for as a query, or as an input. */
export async function readPages(read: (query: string, input: object) => Promise<Body>): Promise<Body[]> {
  const records: Body[] = []
  for (let total = 1; records.length < total; ) {
    const { data, total_count } = await read(`limit=${MOST}&offset=${records.length}`, {
      limit: MOST,
      offset: records.length,
    })
    if (data.length === 0) break
    total = total_count
    records.push(...data)
  }
  return records
}

export type Whole = ReadonlyMap<string, readonly Body[]>

/** All records of each list, newest first. */
export async function readWhole(read: ReadPage): Promise<Whole> {
  const whole = new Map<string, Body[]>()
  for (const { path } of lists) whole.set(path, await readPages((query) => read(`${path}&${query}`)))
  return whole
}

/** Asks for one combination of filters, with its pages, in words if the answer is not that of the plain filter. */
export async function findListProblem(random: Random, read: ReadPage, whole: Whole): Promise<string | undefined> {
  const filled = lists.filter((one) => whole.get(one.path)!.length > 1)
  if (filled.length === 0) return undefined
  const { path, filters, sorts } = random.pick(filled)
  const records = whole.get(path)!
  const model = random.pick(records)
  const chosen = random
    .shuffle(Object.entries(filters))
    .slice(0, random.between(2, 3))
    .map(([name, filter]) => [name, filter, pickWanted(filter, model, records, random)] as const)
    .filter(([, , wanted]) => wanted.length > 0)
  const sort = random.chance(0.6) ? random.pick(Object.keys(sorts)) : undefined
  const direction = random.pick(['asc', 'desc'] as const)
  const found = records.filter((record) =>
    chosen.every(([, { valuesOf, fits }, wanted]) =>
      valuesOf(record).some((value) => value != null && wanted.some((one) => fits(value, one))),
    ),
  )
  const expected = sort ? sortPlainly(found, sorts[sort]!, direction) : found
  const query = chosen.flatMap(([name, , wanted]) =>
    wanted.map((one) => `&${name}${wanted.length > 1 ? '[]' : ''}=${encodeURIComponent(String(one))}`),
  )
  const asked = `${path}${query.join('')}${sort ? `&sort=${sort}_${direction}` : ''}`
  const limit = random.pick([1, 2, 3, 10, 100, MOST])
  const last = Math.max(0, Math.floor((expected.length - 1) / limit) * limit)
  for (const offset of new Set([0, limit, 2 * limit, last, last + limit])) {
    const page = await read(`${asked}&limit=${limit}&offset=${offset}`)
    const uids: string[] = page.data.map(({ uid }: Body) => uid)
    const wanted: string[] = expected.slice(offset, offset + limit).map(({ uid }) => uid)
    if (page.total_count !== expected.length || uids.join() !== wanted.join())
      return `GET ${asked}&limit=${limit}&offset=${offset} has ${uids.length} of ${page.total_count} records (${uids.slice(0, 3)} …), a plain filter ${wanted.length} of ${expected.length} (${wanted.slice(0, 3)} …)`
  }
  return undefined
}

/** Mostly of one record, so that filters have something in common. */
function pickWanted({ valuesOf, isRepeatable }: Filter, model: Body, records: readonly Body[], random: Random) {
  const chosen = isRepeatable && random.chance(0.3) ? [model, random.pick(records)] : [model]
  const of = isRepeatable ? chosen : [random.pick(records)]
  return [...new Set(of.map((record) => valuesOf(record).find((value) => value != null)))].filter((one) => one != null)
}

/** `records` are newest first. Missing values come last; equal ones are oldest first in ascending order. */
function sortPlainly(
  records: readonly Body[],
  keyOf: (record: Body) => string | number | null,
  direction: 'asc' | 'desc',
): Body[] {
  const sign = direction === 'asc' ? 1 : -1
  return (direction === 'asc' ? [...records].reverse() : [...records]).sort((a, b) => {
    const [x, y] = [keyOf(a), keyOf(b)]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    return x === y ? 0 : x < y ? -sign : sign
  })
}
