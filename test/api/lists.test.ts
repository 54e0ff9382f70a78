import { expect, it } from 'vitest'
import { z } from 'zod'
import { type CollectionName, showHidden } from '../../src/api/contract/collection-names.ts'
import { rowOf } from '../../src/api/contract/collections.ts'
import { type EndpointName, endpoints } from '../../src/api/contract/endpoints.ts'
import type { ErrorKey } from '../../src/api/contract/errors.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import type { Filter, Page } from '../../src/api/contract/terms/list.ts'
import { createRoute } from '../../src/api/http/route.ts'
import { apiClient, expectRefusal } from '../support/client.ts'
import type { Listed } from '../support/customers.ts'
import { shareDemo } from '../support/sandbox.ts'

/**
 * What holds for every list of the API, derived from its declaration in the contract: what each filter finds, each order, the page, and
 * what is refused. What a list hides by default, and what a filter means beyond its field, is tested with its resource.
 */

type Fields = Readonly<Record<string, unknown>> & { readonly uid: string }

const LISTS = Object.values<Endpoint>(endpoints)
  .filter(({ method, path }) => method === 'GET' && !path.includes('{'))
  .map(({ path }) => {
    const collection = path.slice(1) as CollectionName
    const { filters, sort = {}, defaultLimit = 100 } = rowOf(collection).list
    return {
      path,
      collection,
      filters: filters as Record<string, Filter<unknown>>,
      sorts: Object.keys(sort),
      defaultLimit,
    }
  })
type ListOfApi = (typeof LISTS)[number]

const sandbox = await shareDemo({ seed: 'lists' })
const api = apiClient(sandbox)
const { collections } = sandbox.store.world

/** The allowed values of a filter; empty if it takes any text. */
const valuesOf = ({ schema }: Filter<unknown>) =>
  schema instanceof z.ZodArray && schema.element instanceof z.ZodEnum ? schema.element.options.map(String) : []

/** A filter takes it, and no record has it. */
const SECOND_SPELLING = 'instant_payments_external'
/** An account without line items has no balance. */
const WITHOUT_MONEY = {
  book_balance: '0.00',
  net_usd_balance: '0.00',
  net_usd_pending_balance: '0.00',
  net_usd_available_balance: '0.00',
}
/** Records with each value of each enumeration, as the demo world has few of them. Line items prove balances, so they stay. */
const VARIED =
  'customers synthetic_accounts transfers virtual_reference_numbers returns combined_transfers transactions'
for (const { collection, filters } of LISTS.filter((one) => VARIED.split(' ').includes(one.collection)))
  sandbox.store.operate({ door: 'operator', name: 'test' }, (tx) => {
    const records = tx.inProgram(sandbox.programs()[0]!.uid)[collection] as unknown as { put(record: object): void }
    const originals = collections[collection].inOrder() as unknown as Fields[]
    let n = 0
    for (const [field, filter] of Object.entries(filters))
      for (const value of valuesOf(filter).filter((it) => it !== SECOND_SPELLING)) {
        const { made: _, ...copy } = originals[++n % originals.length]!
        const created_at = new Date(Date.parse('2026-09-01') + n * 1000).toISOString()
        const own = { uid: `${collection}${n}`, external_uid: `Ours ${n}`, created_at, [field]: value }
        records.put({ ...copy, ...(collection === 'synthetic_accounts' ? WITHOUT_MONEY : {}), ...own })
      }
  })

const at = (record: unknown, ...path: string[]) =>
  path.reduce((part, name) => (part as Record<string, unknown> | undefined)?.[name], record)

/** Where a filter or an order reads a record if not in the field of its name. */
const FIELDS: Readonly<Record<string, (record: Fields) => unknown>> = {
  'customers.first_name': (it) => at(it, 'details', 'first_name'),
  'customers.last_name': (it) => at(it, 'details', 'last_name'),
  'customers.business_name': (it) => at(it, 'details', 'business_name'),
  'customers.locked': (it) => it.locked_at !== null,
  'customers.pool_uid': (it) => it.pool_uids,
  'pools.customer_uid': (it) => it.customer_uids,
  'transactions.has_return': (it) => it.return_uid !== null,
  'transaction_events.transaction_uid': (it) => it.transaction_uids,
  'transaction_events.custodial_account_uid': (it) => [
    it.source_custodial_account_uid,
    it.destination_custodial_account_uid,
  ],
  'combined_transfers.synthetic_account_external_uid': (it) => at(it, 'asked', 'synthetic_account', 'external_uid'),
  'combined_transfers.synthetic_account_pool_uid': (it) => at(it, 'asked', 'synthetic_account', 'pool_uid'),
  'combined_transfers.transfer_customer_uid': (it) => at(it, 'asked', 'transfer', 'initiating_customer_uid'),
  'combined_transfers.transfer_external_uid': (it) => at(it, 'asked', 'transfer', 'external_uid'),
}
/** Tested with its resource: wild cards, and a filter that shows what the list hides by default. */
const OTHERWISE = ['transactions.search_description', 'synthetic_accounts.liability']

/** Filters of bounds: the ending of the name, and what passes. */
const BOUNDS: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  _after: (value, bound) => value > bound,
  _before: (value, bound) => value < bound,
  _max: (value, bound) => value <= bound,
  _min: (value, bound) => value >= bound,
}
const boundOf = (name: string) => Object.keys(BOUNDS).find((ending) => name.endsWith(ending))
const sizeOf = (value: unknown) => (Number.isNaN(Number(value)) ? Date.parse(String(value)) : Number(value))

function fieldOf(collection: string, name: string, record: Fields): unknown {
  const field = name.slice(0, name.length - (boundOf(name)?.length ?? 0))
  return FIELDS[`${collection}.${name}`]?.(record) ?? record[`${field}_as_of`] ?? record[field]
}

const textOf = (value: unknown) => String(value).toLowerCase()

/** Whether a record passes a filter with one of these values. */
function passes(collection: string, name: string, wanted: readonly unknown[], record: Fields): boolean {
  const own = [fieldOf(collection, name, record)].flat().filter((value) => value != null)
  const bound = BOUNDS[boundOf(name) ?? '']
  return bound
    ? own.some((value) => bound(sizeOf(value), sizeOf(wanted[0])))
    : own.some((value) => wanted.some((one) => textOf(one) === textOf(value)))
}

const shown = (collection: CollectionName) =>
  Object.keys(showHidden(collection))
    .map((name) => `${name}=true`)
    .join('&')

async function read({ path, collection }: ListOfApi, query = '', limit = 1000) {
  const { status, text, body } = await api.get<Listed>(`${path}?limit=${limit}&${shown(collection)}&${query}`)
  expect(status, `${query} ${text}`).toBe(200)
  return body.data.map(({ uid }) => uid!)
}

/** All records of a list, newest first, with the fields that only the response has. */
async function recordsOf({ path, collection }: ListOfApi): Promise<Fields[]> {
  const { data } = (await api.get<Listed>(`${path}?limit=1000&${shown(collection)}`)).body
  return data.map((item) => ({ ...(collections[collection].get(item.uid!) as object), ...item }) as unknown as Fields)
}

/** Filters of fields that no record of this world has. */
const WITHOUT_VALUES = [
  'custodial_accounts.external_uid',
  'custodial_account_closing_balances.custodial_account_external_uid',
  'synthetic_account_closing_balances.synthetic_account_external_uid',
  'combined_transfers.synthetic_account_external_uid',
  'combined_transfers.transfer_external_uid',
]

it.each(LISTS)('4.3: "Filters are case-insensitive exact matches", each of its own field: $path', async (list) => {
  const { collection, filters } = list
  const records = await recordsOf(list)
  const uidsOf = (name: string, wanted: readonly unknown[]) =>
    records.filter((record) => passes(collection, name, wanted, record)).map(({ uid }) => uid)
  for (const [name, filter] of Object.entries(filters)) {
    if (OTHERWISE.includes(`${collection}.${name}`)) continue
    const { schema } = filter
    const isFlag = schema instanceof z.ZodBoolean
    const takesSeveral = schema instanceof z.ZodArray
    const isText = (takesSeveral || schema instanceof z.ZodString) && !boundOf(name) && !name.endsWith('_as_of')
    const own = records.flatMap((record) => fieldOf(collection, name, record)).filter((value) => value != null)
    const values = isFlag ? [true, false] : [...new Set(own)]
    expect(own.length === 0, `${name} has no value`).toBe(WITHOUT_VALUES.includes(`${collection}.${name}`))
    for (const value of valuesOf(filter).length > 0 ? values : values.slice(0, 6)) {
      const sent = encodeURIComponent(String(value))
      const one = uidsOf(name, [value])
      expect(await read(list, `${name}=${sent}`), `${name}=${value}`).toEqual(one)
      if (isText) expect(await read(list, `${name}=${sent.toUpperCase()}`), `${name}=${sent}`).toEqual(one)
      if (!takesSeveral) continue
      const wanted = [value, values.at(-1)]
      const query = wanted.map((each) => `${name}[]=${encodeURIComponent(String(each))}`).join('&')
      expect(await read(list, query), query).toEqual(uidsOf(name, wanted))
    }
    if (isText && valuesOf(filter).length === 0) expect(await read(list, `${name}=nobody`)).toEqual([])
  }
})

/** As amounts and numbers by size, other texts without regard to case. */
const keyOf = (value: unknown) => (/^-?\d+(\.\d\d)?$/.test(String(value)) ? Number(value) : textOf(value))

it.each(LISTS.filter(({ sorts }) => sorts.length > 0))(
  '4.3: each order, case ignored: what has no value comes last, and equal ones are oldest first if it ascends: $path',
  async (list) => {
    const newestFirst = await recordsOf(list)
    for (const name of list.sorts)
      for (const [order, sign] of [
        ['asc', 1],
        ['desc', -1],
      ] as const) {
        const valued = (record: Fields) => fieldOf(list.collection, name, record) ?? null
        const records = sign === 1 ? newestFirst.toReversed() : newestFirst
        const [some, none] = [true, false].map((has) => records.filter((record) => (valued(record) !== null) === has))
        const key = (record: Fields) => keyOf(valued(record))
        some!.sort((a, b) => (key(a) === key(b) ? 0 : key(a) < key(b) ? -sign : sign))
        const expected = [...some!, ...none!].map(({ uid }) => uid)
        expect(await read(list, `sort=${name}_${order}`), `${name}_${order}`).toEqual(expected)
        expect(await read(list, `sort=${name}_${order}&offset=2`, 3)).toEqual(expected.slice(2, 5))
      }
  },
)

it.each(LISTS)('4.3: filters "are combined with AND": $path', async (list) => {
  const { collection, filters } = list
  const records = await recordsOf(list)
  const names = Object.keys(filters).filter((name) => !OTHERWISE.includes(`${collection}.${name}`))
  const valueIn = (record: Fields, name: string) => [fieldOf(collection, name, record)].flat()[0] ?? undefined
  const pairs = names.flatMap((first, i) => names.slice(i + 1, i + 3).map((second) => [first, second] as const))
  let tried = 0
  for (const [first, second] of pairs) {
    const having = records.filter((record) => [first, second].every((name) => valueIn(record, name) !== undefined))
    const one = having[tried % having.length]
    if (!one) continue
    tried++
    const [a, b] = [valueIn(one, first), valueIn(one, second)]
    const query = `${first}=${encodeURIComponent(String(a))}&${second}=${encodeURIComponent(String(b))}`
    const both = records.filter(
      (record) => passes(collection, first, [a], record) && passes(collection, second, [b], record),
    )
    expect(await read(list, query), query).toEqual(both.map(({ uid }) => uid))
  }
  expect(tried > 0, 'some record has values of two filters').toBe(pairs.length > 0)
})

it.each(LISTS)('2.4: the list envelope, and its `limit` of at most 1,000: $path', async (list) => {
  const uids = await read(list)
  for (const [query, limit, offset] of [
    ['', list.defaultLimit, 0],
    ['limit=0', 0, 0],
    ['limit=2&offset=1', 2, 1],
    ['limit=1000', 1000, 0],
    ['limit=1001', 1000, 0],
    ['limit=99999999999999999999&offset=2', 1000, 2],
    ['offset=100000', list.defaultLimit, 100_000],
  ] as const) {
    const { body } = await api.get<Page<{ uid: string }>>(`${list.path}?${shown(list.collection)}&${query}`)
    const expected = uids.slice(offset, offset + limit)
    const envelope = { total_count: uids.length, count: expected.length, limit, offset, data: expected }
    expect({ ...body, data: body.data.map(({ uid }) => uid) }, query).toEqual(envelope)
  }
})

// ── Unknown uids ────────────────────────────────────────────────────────────────────────────────────────────────────

const NAMED = Object.entries<Endpoint>(endpoints).filter(([, { path }]) => path.includes('{uid}'))

it.each(NAMED)(
  'an unknown uid is 404, and so is the uid of another record: %s',
  async (name, { method, path, ...one }) => {
    // programs.test.ts proves that a record of another Program is unknown, too.
    const key = one.errors.find((it) => it === 'unknownRecord' || (it !== 'routeNotFound' && it.endsWith('NotFound')))!
    const json = (createRoute(name as EndpointName).schemas().body?.examples as unknown[] | undefined)?.[0]
    const other = path.startsWith('/products') ? 'customers' : 'products'
    for (const uid of ['nobody', '__proto__', 'constructor', collections[other].inOrder()[0]!.uid])
      expectRefusal(await api.call(method, path.replace('{uid}', uid), json === undefined ? {} : { json }), key)
  },
)

it('3000, 31000 and 33000: an unknown Transfer, Return and Combined Transfer have codes of their own', async () => {
  expectRefusal(await api.get('/transfers/nobody'), 'transferNotFound')
  expectRefusal(await api.get('/returns/nobody'), 'returnNotFound')
  expectRefusal(await api.get('/combined_transfers/nobody'), 'combinedTransferNotFound')
})

// ── Refusals ────────────────────────────────────────────────────────────────────────────────────────────────────────

const takesAnyText = ({ element }: z.ZodArray) => element instanceof z.ZodString

/** The parameters of a list by what they take. */
const parameters = Object.values<Endpoint>(endpoints)
  .filter(({ method, path }) => method === 'GET' && !path.includes('{'))
  .map(({ path, query }) => {
    const names = (takes: (schema: z.ZodType, name: string) => boolean) =>
      Object.entries((query as z.ZodObject).shape)
        .filter(([name, schema]) => takes((schema as z.ZodOptional<z.ZodType>).unwrap(), name))
        .map(([name]) => name)
    return {
      path,
      counts: names((schema, name) => schema instanceof z.ZodNumber && name !== 'limit' && name !== 'offset'),
      dates: names((schema, name) => schema instanceof z.ZodString && /_(after|before|as_of)$/.test(name)),
      values: names(
        (schema, name) =>
          name !== 'sort' &&
          (schema instanceof z.ZodBoolean || (schema instanceof z.ZodArray && !takesAnyText(schema))),
      ),
      orders: names((_, name) => name === 'sort'),
    }
  })
const withAny = (of: 'values' | 'counts' | 'dates' | 'orders') => parameters.filter((list) => list[of].length > 0)

/** Sends each parameter with each value; the refusal must be this one, and name the parameter. */
async function expectEachRefused(path: string, names: readonly string[], values: readonly string[], key: ErrorKey) {
  for (const name of names)
    for (const value of values) expectRefusal(await api.get(`${path}?${name}=${value}`), key, new RegExp(`^${name}\\b`))
}

it.each(parameters)('7: a negative limit is 400/1005: $path', ({ path }) =>
  expectEachRefused(path, ['limit'], ['-1', '-1000'], 'invalidLimit'),
)

it.each(parameters)('7: a limit or offset that is not an integer is 400/1007: $path', async ({ path }) => {
  await expectEachRefused(path, ['limit'], ['many', '1.5', '1e3', '1&limit=2'], 'invalidArgument')
  await expectEachRefused(path, ['offset'], ['-1', 'x', '0.5'], 'invalidArgument')
})

it.each(withAny('values'))('4.3: "Allowed values": an unknown one is 400/1007: $path', ({ path, values }) =>
  expectEachRefused(path, values, ['nonsense', '2'], 'invalidArgument'),
)

it.each(withAny('counts'))('a filter of amounts or counts takes nothing else: $path', ({ path, counts }) =>
  expectEachRefused(path, counts, ['much', '1.5.0'], 'invalidArgument'),
)

it.each(withAny('dates'))('a filter of dates takes nothing else: 400/1002: $path', ({ path, dates }) =>
  expectEachRefused(path, dates, ['yesterday', '2026-13-01'], 'unparseableDate'),
)

it.each(withAny('orders'))('4.3: an unknown sort is 400/1006: $path', ({ path, orders }) => {
  const unknown = ['', 'created_at', 'asc_created_at', '__proto___asc', 'uid_asc', 'created_at_up']
  return expectEachRefused(path, orders, unknown, 'invalidSort')
})
