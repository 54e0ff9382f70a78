import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forkWorld } from '../../src/api/store/copies.ts'
import { Digest } from '../../src/api/store/digest.ts'
import { areEqual } from '../../src/api/store/equal.ts'
import { fromSlice, toSlice } from '../../src/api/store/record-slices.ts'
import { digestOf, digestsOf } from '../../src/api/store/world.ts'
import { CAUSE, createStore, customer } from '../support/world.ts'

type Fields = Record<string, unknown>

function digest(records: readonly Fields[], collection = 'customers'): string {
  const sum = new Digest()
  for (const record of records) sum.addChange(collection, undefined, record)
  return `${sum}`
}

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>
const anyRecord = (uid: string) =>
  fc.dictionary(fc.string({ maxLength: 3 }), json, { maxKeys: 6 }).map((fields): Fields => ({ ...fields, uid }))

/** The same value with the fields of its objects in another order. */
const reorder = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(reorder)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([name, part]) => [name, reorder(part)]),
        )
      : value

describe('the digest of records', () => {
  it('is sixteen hexadecimal digits, which are read back', () => {
    const text = digest([{ uid: 'a' }])
    expect(text).toMatch(/^[0-9a-f]{16}$/)
    expect(`${Digest.parse(text)}`).toBe(text)
    expect(`${new Digest()}`).toBe('0000000000000000')
  })

  it('does not depend on the order of records and fields, and is the same from a slice and after a file', () => {
    fc.assert(
      fc.property(fc.tuple(anyRecord('a'), anyRecord('b'), anyRecord('c')), (records) => {
        const text = digest(records)
        expect(digest(records.toReversed())).toBe(text)
        expect(digest(records.map(reorder) as Fields[])).toBe(text)
        const slice = toSlice('customers', records)
        const sum = new Digest()
        sum.addSlice(slice)
        expect(`${sum}`).toBe(text)
        expect(digest(fromSlice(JSON.parse(JSON.stringify(slice))))).toBe(text)
        sum.subtractSlice(slice)
        expect(`${sum}`).toBe(`${new Digest()}`)
      }),
    )
  })

  it('follows any change of a record, and differs if, and only if, the record does', () => {
    fc.assert(
      fc.property(anyRecord('a'), anyRecord('a'), (was, is) => {
        const sum = Digest.parse(digest([was]))
        sum.addChange('customers', was, is)
        expect(`${sum}`).toBe(digest([is]))
        expect(digest([was]) === digest([is])).toBe(areEqual(was, is))
        sum.addChange('customers', is, undefined)
        expect(`${sum}`).toBe(`${new Digest()}`)
      }),
    )
  })

  const [a, b] = [
    { uid: 'a', amount: '1.00', at: null },
    { uid: 'b', amount: '2.00', at: null },
  ]
  it.each<[string, Fields[], string?]>([
    ['a missing record', [a]],
    ['a doubled record', [a, b, b]],
    [
      'values that two records have exchanged',
      [
        { ...a, amount: '2.00' },
        { ...b, amount: '1.00' },
      ],
    ],
    ['values that two fields have exchanged', [{ ...a, amount: null, at: '1.00' }, b]],
    ['another uid', [a, { ...b, uid: 'c' }]],
    ['a text instead of null', [a, { ...b, at: 'null' }]],
    ['a number instead of a text', [{ ...a, amount: 1 }, b]],
    ['a field that is gone', [{ uid: 'a', amount: '1.00' }, b]],
    [
      'a list in another order',
      [
        { ...a, list: ['x', 'y'] },
        { ...b, list: ['y', 'x'] },
      ],
    ],
    ['another collection', [a, b], 'transfers'],
  ])('notices %s', (_what, records, collection) => {
    expect(digest(records, collection)).not.toBe(digest([a, b]))
  })

  it('is the sum of those of two parts of the records', () => {
    const sum = Digest.parse(digest([a]))
    sum.add(Digest.parse(digest([b])))
    expect(`${sum}`).toBe(digest([a, b]))
  })
})

describe('a world', () => {
  it('has a digest of each collection, and each commit that of all records after it', () => {
    const { store, world } = createStore()
    store.transact('A', CAUSE, (tx) => {
      const { uid } = tx.customers.put(customer(tx))
      tx.customers.put({ ...tx.customers.get(uid)!, email: 'a@b.c' })
      const gone = tx.customers.put(customer(tx))
      tx.customers.remove(gone.uid)
    })
    expect(digestsOf(world)).toEqual({
      programs: digest(world.collections.programs.inOrder() as unknown as Fields[], 'programs'),
      customers: digest(world.collections.customers.inOrder() as unknown as Fields[], 'customers'),
    })
    const [newest, before] = [...store.history()]
    expect(newest!.digest).toBe(`${digestOf(world)}`)
    expect(before!.digest).toBe(digestsOf(world).programs)
  })

  it('has the digest of before after a transaction that failed, and a fork has one of its own', () => {
    const { store, world } = createStore()
    const before = `${digestOf(world)}`
    const fork = forkWorld(world)
    const work = () =>
      store.transact('A', CAUSE, (tx) => {
        tx.customers.put(customer(tx))
        tx.programs.put({ ...tx.program, name: 'Other' })
        throw new Error('no')
      })
    expect(work).toThrow('no')
    expect(`${digestOf(world)}`).toBe(before)
    store.transact('A', CAUSE, (tx) => tx.customers.put(customer(tx)))
    expect([`${digestOf(fork)}`, `${digestOf(world)}` === before]).toEqual([before, false])
  })
})
