import { cpSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ExchangeLog } from '../../src/api/http/exchanges.ts'
import { checkFiles } from '../../src/api/store/check-files.ts'
import { Clock } from '../../src/api/store/clock.ts'
import { Collection } from '../../src/api/store/collection.ts'
import { changesInParts } from '../../src/api/store/commit.ts'
import { forkWorld } from '../../src/api/store/copies.ts'
import { openDataFolder } from '../../src/api/store/data-folder.ts'
import { worldAt } from '../../src/api/store/history.ts'
import { MemoryWorldFile } from '../../src/api/store/memory-world-file.ts'
import { repairFolder } from '../../src/api/store/repair.ts'
import {
  MAX_CHANGES_IN_COMMIT,
  nextWorldOf,
  replaceWorldInSteps,
  rewindInSteps,
} from '../../src/api/store/replacement.ts'
import { replacementPath } from '../../src/api/store/replacement-file.ts'
import { runToEnd, type Steps } from '../../src/api/store/steps.ts'
import { Store } from '../../src/api/store/store.ts'
import { emptyWorld, type World } from '../../src/api/store/world.ts'
import { timelineOf } from '../../src/api/views/timeline.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { CAUSE, canonical, customer, program } from '../support/world.ts'

/** Worlds with more differences than the line of a commit holds. */

const MANY = MAX_CHANGES_IN_COMMIT * 2.5
const START = '2026-08-14T14:00:00.000Z'

afterEach(() => void vi.restoreAllMocks())

function addCustomers(store: Store, from: number, count: number) {
  store.transact('A', CAUSE, (tx) => {
    for (let i = from; i < from + count; i++) tx.customers.put(customer(tx, { external_uid: `c${i}` }))
  })
}

/** A world with this many Customers, in memory. */
function worldOf(count: number, seed = 'other'): World {
  const world = emptyWorld(seed, START)
  const store = new Store(world, new Clock(world, () => 0), new MemoryWorldFile())
  store.operate(CAUSE, (tx) => tx.programs.put(program('A')))
  addCustomers(store, 0, count)
  return world
}

async function open(folder: string, durability: 'write' | 'fsync' = 'write') {
  const { world: saved, begin, file } = await openDataFolder(folder, durability)
  const world = saved ?? emptyWorld('test', START)
  const store = new Store(world, new Clock(world, () => 0), file)
  if (!saved) {
    store.operate(CAUSE, (tx) => tx.programs.put(program('A')))
    begin(world)
    await file.save()
    addCustomers(store, 0, MANY)
  }
  return { world, store, file }
}

const replaceBy = (store: Store, world: World) =>
  replaceWorldInSteps(store, CAUSE, { ...nextWorldOf(forkWorld(world)), seq: 0 })

/** Runs `work` between the steps. */
function runWith<T>(steps: Steps<T>, work: (step: number) => void): T {
  for (let count = 0; ; count++) {
    const step = steps.next()
    if (step.done) return step.value
    work(count)
  }
}

describe.each(['write', 'fsync'] as const)('a world that is replaced as a whole, durability %s', (durability) => {
  it('equals the other world, also after a restart, and a rewind undoes it', async () => {
    const folder = createTemporaryFolder()
    const { world, store, file } = await open(folder, durability)
    const [before, seq] = [canonical(world), world.seq]
    const other = worldOf(MANY + 7)
    expect(runToEnd(replaceBy(store, other))).toBe(2 * MANY + 7)
    expect(world.seq).toBe(seq + 1)
    expect(canonical(world)).toBe(canonical(other))
    addCustomers(store, 1_000_000, 1)
    const after = canonical(world)
    await file.close()

    const again = await open(folder, durability)
    expect(canonical(again.world)).toBe(after)
    const [, replacement] = [...again.store.history()]
    expect(replacement?.replacement?.records).toEqual({ customers: 2 * MANY + 7 })
    const { uid } = again.world.collections.customers.inOrder()[3]!
    const ofOne = [...changesInParts(replacement!, [uid])].flat().filter((change) => change.uid === uid)
    expect(ofOne, 'one record is found among them').toHaveLength(1)
    runToEnd(rewindInSteps(again.store, CAUSE, seq))
    expect(canonical(again.world)).toBe(before)
    runToEnd(rewindInSteps(again.store, CAUSE, seq + 2))
    expect(canonical(again.world)).toBe(after)
    await again.file.close()
    const last = await open(folder, durability)
    expect(canonical(last.world)).toBe(after)
    expect(canonical(runToEnd(worldAt(last.store, seq)))).toBe(before)
    await last.file.close()
  })
})

it('changes that are committed while a world is replaced are replaced, too, and are part of the history', async () => {
  for (const folder of [createTemporaryFolder(), null]) {
    const { world, store, file } = folder === null ? inMemory() : await open(folder)
    const other = worldOf(MANY)
    const uids = world.collections.customers.inOrder().map(({ uid }) => uid)
    let latest = ''
    runWith(replaceBy(store, other), (step) => {
      store.transact('A', CAUSE, (tx) => {
        const one = tx.customers.get(uids[step % 3 === 0 ? 0 : step * 40]!)
        if (one) tx.customers.put({ ...one, email: `${step}@b.c` })
        tx.customers.remove(uids[step * 40 + 1]!)
        tx.customers.put(customer(tx, { external_uid: `new ${step}` }))
      })
      latest = canonical(world)
    })
    const { seq } = world
    expect(canonical(world)).toBe(canonical(other))
    runToEnd(rewindInSteps(store, CAUSE, seq - 1))
    expect(canonical(world)).toBe(latest)
    await file.close()
    if (folder === null) continue
    const again = await open(folder)
    expect(canonical(again.world)).toBe(latest)
    await again.file.close()
  }
})

function inMemory() {
  const world = emptyWorld('test', START)
  const file = new MemoryWorldFile()
  const store = new Store(world, new Clock(world, () => 0), file)
  store.operate(CAUSE, (tx) => tx.programs.put(program('A')))
  addCustomers(store, 0, MANY)
  return { world, store, file }
}

describe('a replacement that does not happen changes nothing and leaves no file:', () => {
  const filesIn = (folder: string) =>
    readdirSync(join(folder, 'changes')).filter((name) => name.includes('replacement'))

  it('one that is canceled between two steps', async () => {
    const folder = createTemporaryFolder()
    const { world, store, file } = await open(folder)
    const before = canonical(world)
    const steps = replaceBy(store, worldOf(MANY))
    for (let i = 0; i < 5; i++) steps.next()
    expect(filesIn(folder)).toHaveLength(1)
    steps.return(undefined as never)
    expect([canonical(world), filesIn(folder)]).toEqual([before, []])
    await file.close()
  })

  it('one whose commit cannot be appended', async () => {
    const folder = createTemporaryFolder()
    const { world, store, file } = await open(folder)
    const before = canonical(world)
    const steps = replaceBy(store, worldOf(MANY))
    for (let step = steps.next(); step.value !== 'last'; step = steps.next());
    file.append = () => {
      throw new Error('The disk is full')
    }
    expect(() => steps.next()).toThrow('The disk is full')
    expect([canonical(world), filesIn(folder)]).toEqual([before, []])
    addCustomers(store, 0, 0)
    await file.close()
  })

  it('one that a crash ended: its file is removed at the next start', async () => {
    const folder = createTemporaryFolder()
    const { world, file } = await open(folder)
    const before = canonical(world)
    await file.close()
    writeFileSync(join(folder, 'changes', 'replacement.new'), 'half')
    writeFileSync(replacementPath(folder, world.seq + 1), 'whole, but without its commit')
    const again = await open(folder)
    expect([canonical(again.world), filesIn(folder)]).toEqual([before, []])
    await again.file.close()
  })
})

describe('a replacement that is damaged is found at the start:', () => {
  async function replaced() {
    const folder = createTemporaryFolder()
    const { world, store, file } = await open(folder)
    const save = vi.spyOn(file, 'save')
    runToEnd(replaceBy(store, worldOf(MANY)))
    save.mockRestore()
    await file.close()
    return { folder, path: replacementPath(folder, world.seq) }
  }

  it('one that is cut off', async () => {
    const { folder, path } = await replaced()
    expect(existsSync(path)).toBe(true)
    truncateSync(path, 5_000)
    const { store, file } = await open(folder)
    expect(() => [...store.history()].flatMap((commit) => [...changesInParts(commit)])).toThrow(/is not the file/)
    await file.close()
  })
})

describe('sandbank check and repair', () => {
  it('name a damaged replacement, and keep the world before it', async () => {
    const folder = createTemporaryFolder()
    const { world, store, file } = await open(folder)
    const before = canonical(world)
    runToEnd(replaceBy(store, worldOf(MANY)))
    // A copy from before the world file is written again, which then has the replaced world.
    const copy = createTemporaryFolder()
    for (const name of ['world.jsonl', 'changes']) cpSync(join(folder, name), join(copy, name), { recursive: true })
    await file.close()
    expect(await checkFiles(copy)).toMatchObject({ problems: [] })
    const path = replacementPath(copy, world.seq)
    const bytes = readFileSync(path)
    bytes[20_000] = bytes[20_000]! ^ 1
    writeFileSync(path, bytes)
    expect((await checkFiles(copy)).problems.join()).toMatch(/replacement\.jsonl/)
    await expect(open(copy)).rejects.toThrow(/replacement\.jsonl/)
    await repairFolder(copy)
    const repaired = await open(copy)
    expect(canonical(repaired.world)).toBe(before)
    await repaired.file.close()
  })
})

describe('the work of replacing a world', () => {
  /** Calls of the methods that change a collection, and the most records of one step. */
  function workOf(count: number) {
    const { store } = inMemory()
    runToEnd(replaceBy(store, worldOf(count, 'first')))
    const set = vi.spyOn(Collection.prototype, 'set')
    const load = vi.spyOn(Collection.prototype, 'load')
    const next = nextWorldOf(forkWorld(worldOf(count, 'second')))
    const loadedBefore = load.mock.calls.length
    let steps = 0
    const setBefore = set.mock.calls.length
    runWith(replaceWorldInSteps(store, CAUSE, next), () => steps++)
    const work = { sets: set.mock.calls.length - setBefore, loads: load.mock.calls.length - loadedBefore, steps }
    vi.restoreAllMocks()
    return work
  }

  it('grows in proportion to the records, and each step has at most 1,000 of them', () => {
    const [small, large] = [workOf(4_000), workOf(8_000)]
    expect(small.sets + large.sets + small.loads + large.loads, 'nothing is written record by record').toBe(0)
    expect(large.steps / small.steps).toBeLessThanOrEqual(2.2)
    expect(large.steps).toBeGreaterThanOrEqual((2 * 8_000) / 1_000)
  })

  it('lets requests through between the parts when a timeline reads it', async () => {
    const stepsFor = async (count: number) => {
      const { store, world } = inMemory()
      runToEnd(replaceBy(store, worldOf(count)))
      let steps = 0
      const record = world.collections.customers.inOrder()[0]!
      runWith(timelineOf(store, await ExchangeLog.open(null), record, {}), () => steps++)
      return steps
    }
    expect((await stepsFor(8_000)) - (await stepsFor(4_000))).toBeGreaterThanOrEqual(4)
  })

  it('writes parts of at most 1,000 records', async () => {
    const { store, world } = inMemory()
    runToEnd(replaceBy(store, worldOf(MANY * 2)))
    const [replacement] = [...store.history()]
    const parts = [...changesInParts(replacement!)].map(({ length }) => length)
    expect(parts.reduce((sum, length) => sum + length, 0)).toBe(MANY * 3)
    expect(Math.max(...parts)).toBeLessThanOrEqual(1_000)
    expect(world.collections.customers.size).toBe(MANY * 2)
  })
})
