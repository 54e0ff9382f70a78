import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Commit } from '../../src/api/store/commit.ts'
import type { Tx } from '../../src/api/store/tx.ts'
import { uidAt } from '../../src/api/store/uid.ts'
import { testTask } from '../support/tasks.ts'
import { CAUSE, canonical, createStore, customer } from '../support/world.ts'

describe('a transaction takes effect completely or not at all', () => {
  it('work that throws leaves no record, no change, no uid and no commit', () => {
    const { store, world } = createStore()
    const kept = store.transact('A', CAUSE, (tx) => tx.customers.put(customer(tx, { external_uid: 'first' })))
    const before = canonical(world)
    const { seq } = world
    const heard: Commit[] = []
    store.subscribe((commit) => heard.push(commit))
    expect(() =>
      store.transact('A', CAUSE, (tx) => {
        tx.customers.put({ ...kept, external_uid: 'changed', email: 'x' })
        tx.customers.put(customer(tx, { external_uid: 'second' }))
        tx.schedule(testTask({ kind: 'k', due_at: tx.now, subject_uid: kept.uid, why: 'w' }))
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(canonical(world)).toBe(before)
    expect(world.seq).toBe(seq)
    expect(heard).toEqual([])
    const found = store.transact('A', CAUSE, (tx) => tx.customers.findBy('external_uid', 'changed'))
    expect(found).toEqual([])
    expect(store.transact('A', CAUSE, (tx) => tx.customers.findBy('external_uid', 'first'))).toEqual([kept])
  })

  it('a commit that cannot be saved has no effect, and listeners are not called', () => {
    let full = false
    const { store, world } = createStore({
      log: {
        append() {
          if (full) throw new Error('ENOSPC')
        },
        place: null,
        oldestFirst: () => [],
        newestFirst: () => [],
        firstSeq: 0,
      },
    })
    const heard: Commit[] = []
    store.subscribe((commit) => heard.push(commit))
    const before = canonical(world)
    full = true
    expect(() => store.transact('A', CAUSE, (tx) => tx.customers.put(customer(tx)))).toThrow('ENOSPC')
    expect(() => store.operate(CAUSE, (tx) => tx.setClock({ ...tx.clock, pace: 'real' }))).toThrow('ENOSPC')
    expect(canonical(world)).toBe(before)
    expect(heard).toEqual([])
    full = false
    const { uid } = store.transact('A', CAUSE, (tx) => tx.customers.put(customer(tx)))
    expect(uid, 'the uid that was not spent is given now').toBe(uidAt('test', 0))
    expect(heard.map(({ seq }) => seq)).toEqual([2])
  })

  it('work that only reads makes no commit, even if it generated a uid', () => {
    const { store, world } = createStore()
    const before = canonical(world)
    store.transact('A', CAUSE, (tx) => void tx.uid())
    expect(canonical(world)).toBe(before)
    expect(world.seq).toBe(1)
  })

  it('reading sees one Program, and cannot write even through a cast', () => {
    const { store, world } = createStore()
    const { uid } = store.transact('A', CAUSE, (tx) => tx.customers.put(customer(tx)))
    const before = canonical(world)
    expect(store.read('A', (tx) => tx.customers.get(uid)?.uid)).toBe(uid)
    expect(store.read('B', (tx) => tx.customers.get(uid))).toBeUndefined()
    expect(() => store.read('A', (tx) => (tx as Tx).customers.remove(uid))).toThrow('use transact')
    expect(canonical(world)).toBe(before)
  })

  it('a record that is created and removed in one transaction is not a change', () => {
    const { store, world } = createStore()
    const heard: Commit[] = []
    store.subscribe((commit) => heard.push(commit))
    store.transact('A', CAUSE, (tx) => {
      const { uid } = tx.schedule(testTask({ kind: 'k', due_at: tx.now, subject_uid: null, why: 'w' }))
      tx.tasks.remove(uid)
    })
    expect(heard).toEqual([])
    expect(world.collections.tasks.size).toBe(0)
  })

  it('a transaction inside a transaction is an internal error', () => {
    const { store } = createStore()
    expect(() => store.transact('A', CAUSE, () => store.transact('A', CAUSE, () => 1))).toThrow(/open already/)
    expect(
      store.transact('A', CAUSE, () => 1),
      'and the store goes on',
    ).toBe(1)
  })

  it('a stored record is frozen, at any depth', () => {
    const { store } = createStore()
    const record = store.transact('A', CAUSE, (tx) => tx.customers.put(customer(tx)))
    expect(() => Object.assign(record, { email: 'x' })).toThrow(TypeError)
    expect(() => Object.assign(record.details, { first_name: 'x' })).toThrow(TypeError)
    expect(() => (record.pool_uids as string[]).push('x')).toThrow(TypeError)
  })

  it('a commit has its number, time, cause and changes', () => {
    const { store } = createStore()
    const heard: Commit[] = []
    store.subscribe((commit) => heard.push(commit))
    const { uid } = store.transact('A', { door: 'request', name: 'POST /customers', exchange: 'x1' }, (tx) =>
      tx.customers.put(customer(tx)),
    )
    expect(heard).toMatchObject([
      {
        seq: 2,
        at: '2026-08-14T14:00:00.000Z',
        cause: { door: 'request', name: 'POST /customers', exchange: 'x1' },
        changes: [{ collection: 'customers', uid, record: { uid } }],
      },
    ])
  })
})

it('a listener that throws neither undoes the commit nor stops other listeners', () => {
  const { store, world } = createStore()
  const faults: unknown[] = []
  const heard: number[] = []
  store.onListenerError = (error) => void faults.push(error)
  store.subscribe(() => {
    throw new Error('deaf')
  })
  store.subscribe(({ seq }) => heard.push(seq))
  store.transact('A', CAUSE, (tx) => tx.customers.put(customer(tx)))
  expect(world.collections.customers.size).toBe(1)
  expect(heard).toEqual([2])
  expect(faults.map(String)).toEqual(['Error: deaf'])
})

describe('a draft belongs to one Program: records of other Programs do not exist in it', () => {
  it.each([
    ['get', (tx: Parts) => tx.customers.get(tx.foreign)],
    ['by', (tx: Parts) => tx.customers.findBy('external_uid', 'same')[0]],
    ['having', (tx: Parts) => tx.customers.findByIndex('external_uid', ['same'])?.[0]],
    ['newestFirst', (tx: Parts) => [...tx.customers.newestFirst()][0]],
  ])('%s finds no record', (_name, find) => {
    const { store } = createStore()
    const { uid: foreign } = store.transact('A', CAUSE, (tx) =>
      tx.customers.put(customer(tx, { external_uid: 'same' })),
    )
    store.transact('B', CAUSE, (tx) => {
      expect(find({ customers: tx.customers, foreign })).toBeUndefined()
      expect(tx.customers.size).toBe(0)
    })
    store.transact('A', CAUSE, (tx) => expect(find({ customers: tx.customers, foreign })?.uid).toBe(foreign))
    store.operate(CAUSE, (tx) => expect(find({ customers: tx.customers, foreign })?.uid).toBe(foreign))
  })
  type Parts = {
    customers: Parameters<Parameters<ReturnType<typeof createStore>['store']['transact']>[2]>[0]['customers']
    foreign: string
  }

  it('cannot write or remove one', () => {
    const { store, world } = createStore()
    const record = store.transact('A', CAUSE, (tx) => tx.customers.put(customer(tx)))
    expect(() => store.transact('B', CAUSE, (tx) => tx.customers.put({ ...record, email: 'x' }))).toThrow(
      /cannot write/,
    )
    store.transact('B', CAUSE, (tx) => tx.customers.remove(record.uid))
    expect(world.collections.customers.get(record.uid)).toBe(record)
  })

  it('one check crosses Programs: whether a Customer of the same Client has this external_uid', () => {
    const { store } = createStore()
    store.operate(CAUSE, (tx) =>
      tx.programs.put({ ...tx.programs.get('A')!, uid: 'C', program_uid: 'C', client_uid: 'another', made: 99 }),
    )
    store.transact('A', CAUSE, (tx) => tx.customers.put(customer(tx, { external_uid: 'Mine' })))
    const asked = (program: string, text: string) => store.transact(program, CAUSE, (tx) => tx.clientHasCustomer(text))
    expect([
      asked('A', 'Mine'),
      asked('B', 'Mine'),
      asked('C', 'Mine'),
      asked('B', 'mine'),
      asked('B', 'other'),
    ]).toEqual([true, true, false, false, false])
  })
})

describe('indexes and order', () => {
  it('a uid such as __proto__ finds nothing', () => {
    const { store } = createStore()
    store.transact('A', CAUSE, (tx) => {
      for (const uid of ['__proto__', 'constructor', 'toString', '']) expect(tx.customers.get(uid)).toBeUndefined()
      expect(tx.customers.findBy('external_uid', '__proto__')).toEqual([])
    })
  })

  it('are correct after any additions, changes and removals (property)', () => {
    const step = fc.record({
      kind: fc.constantFrom('put', 'change', 'remove', 'fail'),
      which: fc.nat(30),
      due: fc.integer({ min: 0, max: 5 }),
      subject: fc.constantFrom('a', 'b', 'C', null),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { store, world } = createStore()
        const at = (due: number) => `2026-08-2${due}T00:00:00.000Z`
        for (const { kind, which, due, subject } of steps) {
          const existing = world.collections.tasks.inOrder()[which % Math.max(1, world.collections.tasks.size)]
          const work = () =>
            store.transact('A', CAUSE, (tx) => {
              if (kind === 'put' || !existing)
                tx.schedule(testTask({ kind: 'k', due_at: at(due), subject_uid: subject, why: 'w' }))
              else if (kind === 'remove') tx.tasks.remove(existing.uid)
              else tx.tasks.put({ ...existing, due_at: at(due), subject_uid: subject })
              if (kind === 'fail') throw new Error('fail')
            })
          if (kind === 'fail') expect(work).toThrow('fail')
          else work()
        }
        store.transact('A', CAUSE, (tx) => {
          const all = world.collections.tasks.inOrder()
          const sorted = [...all].sort((x, y) => x.due_at.localeCompare(y.due_at) || x.made - y.made)
          expect(all).toEqual(sorted)
          expect(new Set(all.map(({ uid }) => uid)).size).toBe(world.collections.tasks.size)
          for (const subject of ['a', 'b', 'C'])
            expect(new Set(tx.tasks.findBy('subject_uid', subject))).toEqual(
              new Set(all.filter((task) => task.subject_uid === subject)),
            )
        })
      }),
      { seed: 20260814, numRuns: 100 },
    )
  })
})

it('uids have 16 characters that cannot be confused, are unique, and are the same for the same seed', () => {
  const some = Array.from({ length: 20_000 }, (_, n) => uidAt('sandbank', n))
  expect(new Set(some).size).toBe(some.length)
  for (const uid of some) expect(uid).toMatch(/^[1-9A-HJ-NP-Za-km-z]{16}$/)
  expect(uidAt('sandbank', 7)).toBe(some[7])
  expect(uidAt('another', 7)).not.toBe(some[7])
})

describe('the seal of an SSN', () => {
  it('is the same for the same text, can be opened, hides the text, and depends on the seed', () => {
    const { seal } = createStore().store
    const sealed = seal.seal('512-04-8823')
    expect(seal.seal('512-04-8823')).toBe(sealed)
    expect(seal.open(sealed)).toBe('512-04-8823')
    expect(sealed).not.toMatch(/512|8823/)
    expect(seal.seal('512-04-8824')).not.toBe(sealed)
    expect(seal.seal(sealed), 'sealing twice is sealing once').toBe(sealed)
  })

  it.each(['sealed:512-04-8823', 'sealed:', 'sealed:AAAA', `sealed:${'A'.repeat(60)}`])(
    'the word alone is no seal: %s',
    (text) => {
      const { seal } = createStore().store
      const sealed = seal.seal(text)
      expect(sealed).not.toContain('512-04-8823')
      expect(sealed).not.toBe(text)
      expect(seal.open(sealed)).toBe(text)
      expect(seal.open(text)).toBe(text)
    },
  )
})
