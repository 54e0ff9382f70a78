import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Collection, type StoredRecord } from '../../src/api/store/collection.ts'
import { forkWorld } from '../../src/api/store/copies.ts'
import { worldAt } from '../../src/api/store/history.ts'
import { SharedMap } from '../../src/api/store/shared-map.ts'
import { createSortedRecords } from '../../src/api/store/sorted-records.ts'
import { runToEnd } from '../../src/api/store/steps.ts'
import { collectionNames, collectionOf, type World } from '../../src/api/store/world.ts'
import { startSandbox } from '../support/sandbox.ts'
import { CAUSE, canonical, createStore, customer } from '../support/world.ts'

/** Forks share their records, and do not see each other's changes. */

interface Item extends StoredRecord {
  readonly tag: string
}

/** A collection, and the same records as a plain map. */
interface Fork {
  readonly collection: Collection<Item>
  readonly model: Map<string, Item>
}

const shape = { indexes: ['tag'] as const, aside: ({ tag }: Item) => tag === 'hidden' }

/** Whether each read of the collection gives what the model gives. */
function expectSame({ collection, model }: Fork, uids: Iterable<string>) {
  const inOrder = [...model.values()].sort((a, b) => a.made - b.made)
  expect(collection.size).toBe(model.size)
  expect([...collection.inOrder()]).toEqual(inOrder)
  for (const uid of uids) expect(collection.get(uid)).toBe(model.get(uid))
  for (const program of ['A', 'B']) {
    const own = inOrder.filter(({ program_uid }) => program_uid === program)
    const shelf = collection.shelf(program)
    expect(shelf.size).toBe(own.length)
    expect([...shelf.inOrder()]).toEqual(own)
    expect([...shelf.oldestFirst()]).toEqual(own)
    expect([...shelf.bucket()!.newestFirst()]).toEqual(own.toReversed())
    expect(shelf.bucket()!.hiddenCount).toBe(own.filter(shape.aside).length)
    for (const tag of ['x', 'y', 'hidden'])
      expect([...shelf.findByIndex('tag', tag)!]).toEqual(own.filter((one) => one.tag === tag))
  }
}

describe('a tree of forked collections', () => {
  const change = fc.record({
    fork: fc.nat(),
    what: fc.constantFrom('put', 'put', 'put', 'remove', 'fork', 'index', 'compare'),
    uid: fc.nat({ max: 200 }).map((n) => `r${n}`),
    program_uid: fc.constantFrom('A', 'B'),
    tag: fc.constantFrom('x', 'y', 'hidden'),
  })

  it.each([
    { records: 'few', counts: fc.nat({ max: 150 }), maxLength: 120, numRuns: 200 },
    { records: 'many', counts: fc.constant(5_050), maxLength: 40, numRuns: 15 },
  ])(
    'each has its own writes, removals, Programs and indexes of $records records, and no others (property)',
    (size) => {
      fc.assert(
        fc.property(size.counts, fc.array(change, { maxLength: size.maxLength }), (count, changes) => {
          let made = 0
          const item = (uid: string, program_uid: string, tag: string): Item => ({
            uid,
            program_uid,
            tag,
            made: made++,
          })
          const first: Fork = { collection: new Collection<Item>(shape), model: new Map() }
          for (let n = 0; n < count; n++) first.model.set(`r${n}`, item(`r${n}`, 'A', 'x'))
          first.collection.load([...first.model.values()])
          const forks = [first]
          const uids = new Set(first.model.keys())
          for (const { fork, what, uid, program_uid, tag } of changes) {
            const chosen = forks[fork % forks.length]!
            const { collection, model } = chosen
            uids.add(uid)
            if (what === 'fork') forks.push({ collection: collection.fork(), model: new Map(model) })
            else if (what === 'index') collection.shelf(program_uid).findByIndex('tag', tag)
            else if (what === 'compare') expectSame(chosen, uids)
            else {
              const before = model.get(uid)
              const after = { ...item(uid, program_uid, tag), ...(before ? { made: before.made } : {}) }
              if (what === 'put') model.set(uid, after)
              else model.delete(uid)
              expect(collection.set(uid, model.get(uid))).toBe(before)
            }
          }
          for (const one of forks) expectSame(one, uids)
        }),
        { numRuns: size.numRuns },
      )
    },
  )

  it('a large index is built once for all forks of a collection, whatever each of them and the collection change', () => {
    let reads = 0
    const itemAt = (made: number, tag = 'x'): Item => ({
      ...{ uid: `r${made}`, program_uid: 'A', made },
      get tag() {
        reads++
        return tag
      },
    })
    const collection = new Collection<Item>({ indexes: ['tag'] })
    collection.load(Array.from({ length: 40_000 }, (_, made) => itemAt(made)))
    const forks = [1, 2, 3].map(() => collection.fork())
    const readsOf = forks.map((fork, n) => {
      fork.set(`r${n}`, itemAt(n, 'y'))
      reads = 0
      expect(fork.shelf('A').findByIndex('tag', 'y')).toEqual([fork.get(`r${n}`)])
      const needed = reads
      collection.set(`r${20_000 + n}`, itemAt(20_000 + n, 'z'))
      return needed
    })
    expect(readsOf[0]).toBeGreaterThanOrEqual(40_000)
    expect(Math.max(...readsOf.slice(1))).toBeLessThan(20)
    for (const fork of forks) expect(fork.shelf('A').findByIndex('tag', 'x')).toHaveLength(39_999)
    expect(['x', 'y', 'z'].map((tag) => collection.shelf('A').findByIndex('tag', tag)!.length)).toEqual([39_997, 0, 3])
  })

  it('forks of a large collection are the same as copies, also when most records change', () => {
    const all = Array.from({ length: 6_000 }, (_, n) => ({ uid: `r${n}`, program_uid: 'A', tag: 'x', made: n }))
    const collection = new Collection<Item>(shape)
    collection.load(all)
    const model = new Map(all.map((one) => [one.uid, one as Item]))
    const forks: Fork[] = [{ collection, model }]
    for (let round = 0; round < 4; round++) {
      const { collection, model } = forks[round]!
      const fork: Fork = { collection: collection.fork(), model: new Map(model) }
      forks.push(fork)
      for (const [target, step] of [
        [fork, 3],
        [forks[round]!, 7],
      ] as const)
        for (let n = round; n < 6_000; n += step) {
          const uid = `r${n}`
          const before = target.model.get(uid)
          const after = n % 5 === 0 ? undefined : { uid, program_uid: 'A', tag: `x`, made: before?.made ?? n, round }
          if (after) target.model.set(uid, after)
          else target.model.delete(uid)
          target.collection.set(uid, after)
        }
    }
    for (const fork of forks) expectSame(fork, model.keys())
  })
})

describe('a list of many records', () => {
  const order = (a: Item, b: Item) => a.made - b.made
  const isHidden = ({ tag }: Item) => tag === 'hidden'
  const ownerOf = () => ({ order, aside: isHidden })
  const itemAt = (made: number, tag = 'x'): Item => ({ uid: `r${made}`, program_uid: 'A', tag, made })

  it('each fork is in order after additions and removals anywhere (property)', () => {
    const part = fc.record({
      list: fc.nat(),
      from: fc.nat({ max: 9_000 }),
      count: fc.nat({ max: 1_500 }),
      fork: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const first = Array.from({ length: 2_500 }, (_, n) => itemAt(n * 4))
        const start = ownerOf()
        const lists = [{ owner: start, list: createSortedRecords<Item>(start), model: new Map<number, Item>() }]
        const put = (at: number, made: number, after: Item | undefined) => {
          const target = lists[at]!
          target.list = target.list.replace(target.owner, target.model.get(made), after)
          if (after) target.model.set(made, after)
          else target.model.delete(made)
        }
        for (const item of first) put(0, item.made, item)
        for (const { list, from, count, fork } of parts) {
          const at = list % lists.length
          if (fork) {
            lists[at]!.owner = ownerOf()
            lists.push({ owner: ownerOf(), list: lists[at]!.list, model: new Map(lists[at]!.model) })
          }
          for (let made = from; made < from + count; made++)
            put(
              at,
              made,
              lists[at]!.model.has(made) && made % 3 > 0 ? undefined : itemAt(made, made % 2 ? 'x' : 'hidden'),
            )
        }
        for (const { list, model } of lists) {
          const expected = [...model.values()].sort(order)
          expect(list.items()).toEqual(expected)
          expect([...list.oldestFirst()]).toEqual(expected)
          expect([...list.newestFirst()]).toEqual(expected.toReversed())
          expect([list.size, list.hiddenCount]).toEqual([expected.length, expected.filter(isHidden).length])
        }
      }),
      { numRuns: 20 },
    )
  })

  it('a reader may remove what it got', () => {
    const owner = ownerOf()
    let list = createSortedRecords<Item>(owner)
    for (let made = 0; made < 3_000; made++) list = list.replace(owner, undefined, itemAt(made))
    const read: number[] = []
    for (const item of list.newestFirst()) {
      read.push(item.made)
      list.replace(owner, item, undefined)
    }
    expect(read).toEqual(Array.from({ length: 3_000 }, (_, n) => 2_999 - n))
    expect(list.size).toBe(0)
  })
})

it('forks of forks of a map with many entries each have their own (property)', () => {
  const change = fc.record({
    map: fc.nat(),
    key: fc.nat({ max: 3_000 }),
    what: fc.constantFrom('set', 'delete', 'fork'),
  })
  fc.assert(
    fc.property(fc.array(change, { minLength: 50, maxLength: 300 }), fc.nat({ max: 2_000 }), (changes, count) => {
      const maps = [{ map: new SharedMap<number>(), model: new Map<string, number>() }]
      const set = (at: number, key: string, value: number) => {
        const { map, model } = maps[at]!
        map.set(key, value)
        model.set(key, value)
      }
      for (const [n, { map: chosen, key, what }] of changes.entries()) {
        const at = chosen % maps.length
        const { map, model } = maps[at]!
        if (what === 'set') set(at, `k${key}`, n)
        else if (what === 'fork') {
          maps.push({ map: map.fork(), model: new Map(model) })
          // Enough that the tree of changes has branches.
          if (maps.length < 6) for (let i = 0; i < count; i += maps.length) set(at, `k${i}`, -n)
        } else {
          map.delete(`k${key}`)
          model.delete(`k${key}`)
        }
      }
      for (const { map, model } of maps) {
        const found = Array.from({ length: 3_001 }, (_, n) => map.get(`k${n}`))
        expect(found).toEqual(Array.from({ length: 3_001 }, (_, n) => model.get(`k${n}`)))
        expect(map.size).toBe(model.size)
      }
    }),
    { numRuns: 15 },
  )
})

describe('a write after a fork', () => {
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  /** The elements of arrays and maps that the work copies. */
  function countCopies(work: () => void): number {
    let copied = 0
    const { slice } = Array.prototype
    vi.spyOn(Array.prototype, 'slice').mockImplementation(function (this: unknown[], ...range) {
      const part = slice.apply(this, range)
      copied += part.length
      return part
    })
    vi.stubGlobal(
      'Map',
      class<K, V> extends Map<K, V> {
        constructor(entries?: Iterable<readonly [K, V]>) {
          super(entries)
          copied += this.size
        }
      },
    )
    work()
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    return copied
  }

  it('copies a bounded amount, however many records there are', () => {
    const records = Array.from(
      { length: 40_000 },
      (_, n): Item => ({ uid: `r${n}`, program_uid: 'A', tag: 'x', made: n }),
    )
    const collection = new Collection<Item>(shape)
    collection.load(records)
    collection.shelf('A').findByIndex('tag', 'x')
    let fork: Collection<Item> | undefined
    expect(countCopies(() => void (fork = collection.fork()))).toBeLessThan(10)
    // A chunk of 1,024 and the list of 40 chunks, for the records and for the index.
    for (const target of [fork!, collection]) {
      const added: Item = { uid: 'new', program_uid: 'A', tag: 'x', made: 50_000 }
      expect(countCopies(() => void target.set('r20000', { ...records[20_000]!, tag: 'y' }))).toBeLessThan(3_000)
      expect(countCopies(() => void target.set('new', added))).toBeLessThan(3_000)
      expect(countCopies(() => void target.set('r20001', undefined))).toBeLessThan(100)
    }
    // A fork with many changes of its own.
    for (const record of records.slice(0, 20_000)) fork!.set(record.uid, { ...record, tag: 'z' })
    const next = fork!.fork()
    expect(countCopies(() => void next.set('r5', { ...records[5]!, tag: 'y' }))).toBeLessThan(6_000)
  })
})

describe('a forked world', () => {
  /** A store whose records count how often a field of theirs is read. */
  function countReads(world: World) {
    let reads = 0
    for (const name of collectionNames)
      for (const record of [...collectionOf(world, name).inOrder()])
        collectionOf(world, name).set(
          record.uid,
          new Proxy(record, {
            get(target, field) {
              reads++
              return Reflect.get(target, field)
            },
          }),
        )
    return {
      readsOf(work: () => void) {
        reads = 0
        work()
        return reads
      },
    }
  }

  it('is made without a read of any record', async () => {
    const { store } = await startSandbox({ world: 'demo' })
    const world = forkWorld(store.world)
    const { readsOf } = countReads(world)
    expect(readsOf(() => canonical(world))).toBeGreaterThan(0)
    let fork: World | undefined
    expect(readsOf(() => void (fork = forkWorld(world)))).toBe(0)
    expect(readsOf(() => forkWorld(fork!))).toBe(0)
  })

  it('has the same records; a change in either is not seen in the other', async () => {
    const { store } = await startSandbox({ world: 'demo' })
    const before = canonical(store.world)
    const fork = forkWorld(store.world)
    expect(canonical(fork)).toBe(before)
    const customers = fork.collections.customers
    const [first, second] = customers.inOrder()
    customers.set(first!.uid, { ...first!, external_uid: 'in the fork' })
    customers.set(second!.uid, undefined)
    expect(canonical(store.world)).toBe(before)
    const forked = canonical(fork)
    const program = store.world.collections.programs.inOrder()[0]!.uid
    store.transact(program, CAUSE, (tx) => tx.customers.put({ ...first!, external_uid: 'in the parent' }))
    expect(canonical(fork)).toBe(forked)
    expect(customers.get(first!.uid)!.external_uid).toBe('in the fork')
  })

  it('an undone transaction leaves a fork and its parent as they were', () => {
    const { store } = createStore()
    store.transact('A', CAUSE, (tx) => tx.customers.put(customer(tx)))
    const fork = forkWorld(store.world)
    const before = canonical(fork)
    expect(() =>
      store.transact('A', CAUSE, (tx) => {
        tx.customers.put(customer(tx))
        for (const { uid } of [...tx.customers.newestFirst()]) tx.customers.remove(uid)
        throw new Error('undone')
      }),
    ).toThrow('undone')
    expect(canonical(store.world)).toBe(before)
    expect(canonical(fork)).toBe(before)
  })

  it('the world after an earlier commit shares the records that did not change', () => {
    const { store } = createStore()
    const uids = Array.from({ length: 50 }, () =>
      store.transact('A', CAUSE, (tx) => tx.customers.put(customer(tx)).uid),
    )
    const { seq } = store.world
    const before = canonical(store.world)
    store.transact('A', CAUSE, (tx) => {
      tx.customers.put({ ...tx.customers.get(uids[0]!)!, external_uid: 'changed' })
      tx.customers.remove(uids[1]!)
      tx.customers.put(customer(tx))
    })
    const world = runToEnd(worldAt(store, seq))
    expect(canonical(world)).toBe(before)
    for (const uid of uids.slice(2))
      expect(world.collections.customers.get(uid)).toBe(store.world.collections.customers.get(uid))
  })
})
