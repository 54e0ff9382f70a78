import { describe, expect, it } from 'vitest'
import { rowOf } from '../../src/api/contract/collections.ts'
import { type List, paginate, type Query } from '../../src/api/contract/terms/list.ts'
import type { Store } from '../../src/api/store/store.ts'
import type { Records, Tx } from '../../src/api/store/tx.ts'
import { type CollectionName, collectionNames, type StoredRecord } from '../../src/api/store/world.ts'
import { startSandbox } from '../support/sandbox.ts'
import { CAUSE } from '../support/world.ts'

/** A page that is cut out of an index says the same as one that looks at every record. */

const PAGES = [{}, { limit: 3 }, { limit: 2, offset: 1 }, { limit: 0 }, { offset: 5_000 }]

function sameBothWays(store: Store, name: CollectionName) {
  const list = rowOf(name).list as unknown as List<StoredRecord>
  return store.transact(store.world.collections.programs.inOrder()[0]!.uid, CAUSE, (tx) => {
    const records = (tx as unknown as Record<CollectionName, Records<StoredRecord>>)[name]
    // The same records without indexes: each of them is looked at.
    const slowly = {
      size: records.size,
      newestFirst: () => records.newestFirst(),
      findByIndex: () => undefined,
    }
    let compared = 0
    for (const query of queries(list, records))
      for (const part of PAGES) {
        expect(paginate(list, records, { ...query, ...part }), JSON.stringify(query)).toEqual(
          paginate(list, slowly, { ...query, ...part }),
        )
        compared++
      }
    return compared
  })
}

/** Nothing, and each value of each field that a filter is called after, in another case too. */
function queries({ filters, hides }: List<StoredRecord>, records: Records<StoredRecord>): Query[] {
  const found: Query[] = [{}, ...(hides ?? []).flatMap((hide) => ('unless' in hide ? [{ [hide.unless]: true }] : []))]
  for (const field of Object.keys(filters)) {
    const values = new Set<string>()
    const source = filters[field]!.index ?? field
    for (const record of records.newestFirst())
      for (const value of [(record as unknown as Record<string, unknown>)[source]].flat())
        if (typeof value === 'string' && filters[field]!.schema.safeParse([value]).success) values.add(value)
    for (const value of [...values].slice(0, 12)) found.push({ [field]: [value] }, { [field]: [value.toUpperCase()] })
    if (filters[field]!.schema.safeParse(['nobody']).success) found.push({ [field]: ['nobody'] })
  }
  return found
}

describe('a page of each collection, by each of its filters', async () => {
  it.each(collectionNames)('%s', async (name) => {
    const { store } = await startSandbox({ world: 'demo' })
    expect(sameBothWays(store, name)).toBeGreaterThanOrEqual(PAGES.length)
  })

  it('records that lists leave out are counted, also after they change', async () => {
    const { store } = await startSandbox({ world: 'demo' })
    const uid = store.world.collections.programs.inOrder()[0]!.uid
    const work = (tx: Tx) => {
      const [first, second, third] = [...tx.transactions.newestFirst()]
      tx.transactions.put({ ...first!, status: 'denied' })
      tx.transactions.put({ ...second!, status: 'expired' })
      tx.transactions.put({ ...third!, us_dollar_amount: '0.00' as never })
      tx.transactions.put({ ...second!, status: 'settled' })
    }
    const counted = () => {
      const { size, hiddenCount: aside } = store.world.collections.transactions.shelf(uid).bucket()!
      return { all: size, aside }
    }
    const before = counted()
    expect(() =>
      store.transact(uid, CAUSE, (tx) => {
        work(tx)
        expect(counted()).toEqual({ ...before, aside: before.aside + 2 })
        throw new Error('not kept')
      }),
    ).toThrow('not kept')
    expect(counted()).toEqual(before)
  })
})
