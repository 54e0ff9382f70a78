import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Collection, IndexMissing, type StoredRecord } from '../../src/api/store/collection.ts'

interface Item extends StoredRecord {
  readonly tag: string
}
const item = (uid: string, made: number, { program_uid = 'A', tag = 'x' } = {}): Item => ({
  uid,
  made,
  program_uid,
  tag,
})
const fresh = () => new Collection<Item>({ indexes: ['tag'] })
const uids = (items: readonly Item[] | undefined) => items?.map(({ uid }) => uid)

describe('an index that is built in steps', () => {
  it('holds what changed meanwhile, and is not needed for few records', () => {
    const collection = new Collection<Item>({ indexes: ['tag'] })
    const all = Array.from({ length: 6_000 }, (_, n) => item(`r${n}`, n, { tag: `t${n % 3}` }))
    collection.load(all.slice(0, 5_000))
    const shelf = collection.shelf('A')
    shelf.requireIndex('tag')
    collection.load(all.slice(5_000))
    expect(() => shelf.requireIndex('tag')).toThrow(IndexMissing)
    const steps = shelf.buildIndex('tag')
    let count = 0
    for (; !steps.next().done; count++) {
      collection.set(`r${count}`, item(`r${count}`, count, { tag: 'changed' }))
      collection.set(`r${5_999 - count}`, undefined)
      collection.set(`new${count}`, item(`new${count}`, 6_000 + count, { tag: 't0' }))
    }
    expect(count).toBe(6)
    shelf.requireIndex('tag')
    for (const tag of ['t0', 't1', 't2', 'changed'])
      expect(uids(shelf.findByIndex('tag', tag))).toEqual(uids(shelf.inOrder().filter((one) => one.tag === tag)))
    shelf.requireIndex('uid')
  })

  it('is finished at once by its first use', () => {
    const collection = fresh()
    collection.load(Array.from({ length: 6_000 }, (_, n) => item(`r${n}`, n, { tag: `t${n % 3}` })))
    const steps = collection.shelf('A').buildIndex('tag')
    steps.next()
    expect(collection.shelf('A').findByIndex('tag', 't1')).toHaveLength(2_000)
    expect(steps.next().done).toBe(true)
    expect(collection.shelf('A').findByIndex('tag', 't1')).toHaveLength(2_000)
  })
})

describe('a collection while one world replaces another', () => {
  it('two records swap their positions, in either order', () => {
    for (const order of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const collection = fresh()
      collection.set('a', item('a', 1))
      collection.set('b', item('b', 2))
      for (const uid of order) collection.set(uid, item(uid, uid === 'a' ? 2 : 1))
      expect(uids(collection.inOrder())).toEqual(['b', 'a'])
      expect(uids(collection.shelf('A').findByIndex('tag', 'x'))).toEqual(['b', 'a'])
    }
  })

  it('a record gets a position before the other record leaves it', () => {
    const collection = fresh()
    collection.set('leaves', item('leaves', 5))
    collection.set('moves', item('moves', 7))
    collection.set('moves', item('moves', 5))
    collection.set('leaves', undefined)
    expect(uids(collection.inOrder())).toEqual(['moves'])
  })

  it('a uid that changes to another Program leaves the shelf of the first Program', () => {
    const collection = fresh()
    collection.set('a', item('a', 1))
    collection.set('a', item('a', 1, { program_uid: 'B' }))
    expect(uids(collection.shelf('A').inOrder())).toEqual([])
    expect(uids(collection.shelf('A').findByIndex('tag', 'x'))).toEqual([])
    expect(uids(collection.shelf('B').inOrder())).toEqual(['a'])
    expect(collection.size).toBe(1)
  })

  it('any changes in any order give the expected records (property)', () => {
    const change = fc.record({
      uid: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      made: fc.option(fc.nat({ max: 5 })),
      program_uid: fc.constantFrom('A', 'B'),
      tag: fc.constantFrom('x', 'y'),
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const collection = fresh()
        const model = new Map<string, Item>()
        for (const [at, { uid, made, ...more }] of changes.entries()) {
          // Of one Program the index is made before the changes end, of the other after.
          if (at === changes.length >> 1) collection.shelf('A').findByIndex('tag', 'y')
          if (made === null) model.delete(uid)
          else model.set(uid, item(uid, made, more))
          collection.set(uid, model.get(uid))
        }
        const sorted = (items: Iterable<Item>) => [...items].map((one) => JSON.stringify(one)).sort()
        const of = (program: string) => [...model.values()].filter(({ program_uid }) => program_uid === program)
        for (const program of ['A', 'B']) {
          const shelf = collection.shelf(program)
          expect(sorted(shelf.inOrder())).toEqual(sorted(of(program)))
          expect(shelf.inOrder().map(({ made }) => made)).toEqual(
            of(program)
              .map(({ made }) => made)
              .sort(),
          )
          expect(sorted(shelf.findByIndex('tag', 'y')!)).toEqual(sorted(of(program).filter(({ tag }) => tag === 'y')))
        }
      }),
      { numRuns: 500 },
    )
  })
})
