import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, vi } from 'vitest'
import { ExchangeLog } from '../../src/api/http/exchanges.ts'
import { CallLog } from '../../src/api/store/call-log.ts'
import { checkFiles } from '../../src/api/store/check-files.ts'
import { Clock } from '../../src/api/store/clock.ts'
import { Collection } from '../../src/api/store/collection.ts'
import { type Change, type Commit, changesInParts } from '../../src/api/store/commit.ts'
import { printRest } from '../../src/api/store/commit-format.ts'
import { forkWorld } from '../../src/api/store/copies.ts'
import { openDataFolder } from '../../src/api/store/data-folder.ts'
import { worldAt } from '../../src/api/store/history.ts'
import { Journal } from '../../src/api/store/journal.ts'
import { MemoryWorldFile } from '../../src/api/store/memory-world-file.ts'
import { repairFolder } from '../../src/api/store/repair.ts'
import { nextWorldOf, replaceWorldInSteps, rewindInSteps } from '../../src/api/store/replacement.ts'
import { MAX_CHANGES_IN_COMMIT, ReplacementWriter, replacementPath } from '../../src/api/store/replacement-file.ts'
import { runToEnd, type Steps } from '../../src/api/store/steps.ts'
import { Store } from '../../src/api/store/store.ts'
import { type CollectionName, emptyWorld, type StoredRecord, type World } from '../../src/api/store/world.ts'
import { timelineOf } from '../../src/api/views/timeline.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { readLineTexts, writeLineTexts } from '../support/lines.ts'
import { it } from '../support/sandbox.ts'
import { CAUSE, canonical, customer, noProof, program } from '../support/world.ts'

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
  replaceWorldInSteps(store, CAUSE, { ...nextWorldOf(forkWorld(world)), seq: 0 }, noProof)

/** Runs `work` between the steps. */
function runWith<T>(steps: Steps<T>, work: (step: number) => void): T {
  for (let count = 0; ; count++) {
    const step = steps.next()
    if (step.done) return step.value
    work(count)
  }
}

describe.each(['write', 'fsync'] as const)('a world that is replaced as a whole, durability %s', (durability) => {
  it('equals the other world, also after a restart, and a rewind undoes it', async ({ folder }) => {
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
    runToEnd(rewindInSteps(again.store, CAUSE, seq, noProof))
    expect(canonical(again.world)).toBe(before)
    runToEnd(rewindInSteps(again.store, CAUSE, seq + 2, noProof))
    expect(canonical(again.world)).toBe(after)
    await again.file.close()
    const last = await open(folder, durability)
    expect(canonical(last.world)).toBe(after)
    expect(canonical(runToEnd(worldAt(last.store, seq)))).toBe(before)
    await last.file.close()
  })
})

it('a listener can read the changes of a replacement at once and later', async () => {
  for (const folder of [createTemporaryFolder(), null]) {
    const { store, file } = folder === null ? inMemory() : await open(folder)
    const heard: Commit[] = []
    const read = (commit: Commit) => [...changesInParts(commit)].flat().length
    const counts: number[] = []
    store.subscribe((commit) => {
      heard.push(commit)
      counts.push(read(commit))
    })
    const changed = runToEnd(replaceBy(store, worldOf(MANY + 7)))
    expect(counts).toEqual([changed])
    expect(heard.map(read)).toEqual([changed])
    await file.close()
  }
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
    runToEnd(rewindInSteps(store, CAUSE, seq - 1, noProof))
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

  it('one that is canceled between two steps', async ({ folder }) => {
    const { world, store, file } = await open(folder)
    const before = canonical(world)
    const steps = replaceBy(store, worldOf(MANY))
    for (let i = 0; i < 5; i++) steps.next()
    expect(filesIn(folder)).toHaveLength(1)
    steps.return(undefined as never)
    expect([canonical(world), filesIn(folder)]).toEqual([before, []])
    await file.close()
  })

  it('one whose commit cannot be appended', async ({ folder }) => {
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

  it('one that a crash ended before it had its name: the file is removed at the next start', async ({ folder }) => {
    const { world, file } = await open(folder)
    const before = canonical(world)
    await file.close()
    writeFileSync(join(folder, 'changes', 'replacement.new'), 'half')
    const again = await open(folder)
    expect([canonical(again.world), filesIn(folder)]).toEqual([before, []])
    await again.file.close()
  })
})

describe('a replacement whose changes are in the next segment, and whose commit is not,', () => {
  const other = worldOf(MANY)

  /** The history goes on in the same segment, with and without another replacement. */
  async function expectToGoOn({ world, store, file }: Awaited<ReturnType<typeof open>>, folder: string) {
    for (const replaces of [false, true]) {
      if (replaces) runToEnd(replaceBy(store, other))
      addCustomers(store, 2_000_000, 1)
      const copy = createTemporaryFolder()
      cpSync(join(folder, 'world.jsonl'), join(copy, 'world.jsonl'))
      cpSync(join(folder, 'changes'), join(copy, 'changes'), { recursive: true })
      expect(await checkFiles(copy)).toMatchObject({ problems: [] })
      const again = await open(copy)
      expect(canonical(again.world)).toBe(canonical(world))
      expect([...again.store.history()].map(({ seq }) => seq)).toEqual([...store.history()].map(({ seq }) => seq))
      await again.file.close()
    }
    await file.close()
  }

  it('has not happened, if a crash came between the two', async ({ folder }) => {
    const { world, store, file } = await open(folder)
    const before = canonical(world)
    const saved = readFileSync(join(folder, 'world.jsonl'))
    runToEnd(replaceBy(store, other))
    const { seq } = world
    await file.close()
    // As before the world file was written again.
    writeFileSync(join(folder, 'world.jsonl'), saved)
    for (const name of readdirSync(join(folder, 'changes')))
      if (Number.parseInt(name, 10) > seq) rmSync(join(folder, 'changes', name))
    const lines = readLineTexts(replacementPath(folder, seq))
    expect(lines.pop()).toContain(`"seq":${seq},`)
    writeLineTexts(replacementPath(folder, seq), lines)
    expect(await checkFiles(folder)).toMatchObject({ problems: [] })
    const again = await open(folder)
    expect(canonical(again.world)).toBe(before)
    await expectToGoOn(again, folder)
  })

  it('has not happened, if the disk refused the commit', async ({ folder }) => {
    const opened = await open(folder)
    const { world, store } = opened
    const before = canonical(world)
    const steps = replaceBy(store, other)
    for (let step = steps.next(); step.value !== 'last'; step = steps.next());
    vi.spyOn(Journal.prototype, 'appendAll').mockImplementation(() => {
      throw new Error('The disk is full')
    })
    expect(() => steps.next()).toThrow('The disk is full')
    vi.restoreAllMocks()
    expect(canonical(world)).toBe(before)
    await expectToGoOn(opened, folder)
  })
})

it('a replacement that is cut off is found when the history is read', async ({ folder }) => {
  const { world, store, file } = await open(folder)
  runToEnd(replaceBy(store, worldOf(MANY)))
  await file.close()
  truncateSync(replacementPath(folder, world.seq), 5_000)
  const again = await open(folder)
  const read = () => [...again.store.history()].flatMap((commit) => [...changesInParts(commit)])
  expect(read).toThrow(/replacement\.jsonl, line 2 cannot be read/)
  await again.file.close()
})

const flipBit = (bytes: Buffer) => {
  bytes[20_000] = bytes[20_000]! ^ 1
  return bytes
}
const removeLine = (bytes: Buffer) =>
  Buffer.from(bytes.toString('latin1').split('\n').toSpliced(1, 1).join('\n'), 'latin1')

it.each([
  ['', false, flipBit],
  [', of an import whose other commits are missing', true, flipBit],
  [' without one of its lines', false, removeLine],
])(
  'sandbank check and repair name a damaged replacement%s, and keep the world before it',
  async (_which, isImport, damage) => {
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
    const lines = readLineTexts(path)
    if (isImport) writeLineTexts(path, [...lines.slice(0, -1), lines.at(-1)!.replace('"cause"', '"imports":2,"cause"')])
    writeFileSync(path, damage(readFileSync(path)))
    expect((await checkFiles(copy)).problems.join()).toMatch(/replacement\.jsonl/)
    await expect(open(copy)).rejects.toThrow(/replacement\.jsonl/)
    await repairFolder(copy)
    const repaired = await open(copy)
    expect(canonical(repaired.world)).toBe(before)
    await repaired.file.close()
  },
)

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
    runWith(replaceWorldInSteps(store, CAUSE, next, noProof), () => steps++)
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
      runWith(timelineOf(store, new ExchangeLog(CallLog.inMemory()), record, {}), () => steps++)
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

// ── Proofs ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** A Program and records with given uids, in any collection. */
function worldWith(records: readonly (readonly [CollectionName, string, string])[], seed = 'other') {
  const world = emptyWorld(seed, START)
  const file = new MemoryWorldFile()
  const store = new Store(world, new Clock(world, () => 0), file)
  store.operate(CAUSE, (tx) => tx.programs.put(program('A')))
  put(store, records)
  return { world, store, file }
}

const put = (store: Store, records: readonly (readonly [CollectionName, string, string])[]) =>
  store.transact('A', CAUSE, (tx) => {
    for (const [collection, uid, name] of records) tx[collection].put({ uid, program_uid: 'A', name } as never)
  })

const many = (collection: CollectionName, count: number) =>
  Array.from({ length: count }, (_, i) => [collection, `${collection} ${i}`, 'x'] as const)

describe.each([0, MANY])('a uid that belongs to different collections, among %d other changes,', (others) => {
  it('is replaced in both, although requests change one of its records meanwhile', () => {
    const { world, store } = worldWith([['pools', 'same', 'before'], ...many('returns', others)])
    const other = worldWith([
      ['customers', 'same', 'after'],
      ['pools', 'other', 'after'],
    ]).world
    let changes = 0
    runWith(replaceBy(store, other), () => put(store, [['pools', 'same', `changed ${++changes}`]]))
    expect(changes).toBeGreaterThan(2)
    expect(canonical(world)).toBe(canonical(other))
    runToEnd(rewindInSteps(store, CAUSE, world.seq - 1, noProof))
    expect(world.collections.pools.get('same')).toMatchObject({ name: `changed ${changes}` })
    expect(world.collections.customers.get('same')).toBeUndefined()
  })
})

describe('a replacement with a defect of any kind is refused, and nothing is changed:', () => {
  const defects: Readonly<Record<string, (changes: readonly Change[]) => readonly Change[]>> = {
    'a record is missing': (changes) => changes.filter(({ uid }) => uid !== 'new'),
    'a record is kept': (changes) => changes.filter(({ uid }) => uid !== 'old'),
    'a record is that of before': (changes) =>
      changes.map((it) => (it.uid === 'both' ? { ...it, record: it.was } : it)),
    'a record is of another collection': (changes) =>
      changes.map((it) => (it.uid === 'new' ? { ...it, collection: 'transfers' as const } : it)),
    'a record has another value': (changes) =>
      changes.map((it) => (it.uid === 'new' ? { ...it, record: { ...it.record!, name: 'z' } as StoredRecord } : it)),
  }
  const names = Object.keys(defects)
  const before = [
    ['customers', 'old', 'x'],
    ['customers', 'both', 'x'],
  ] as const
  const after = [
    ['customers', 'both', 'y'],
    ['customers', 'new', 'y'],
  ] as const

  async function expectRefused(store: Store, replace: () => unknown) {
    const [records, { seq }] = [canonical(store.world), store.world]
    expect(replace).toThrow(/The records .* are not the expected ones: .* Nothing was changed/)
    vi.restoreAllMocks()
    expect([canonical(store.world), store.world.seq]).toEqual([records, seq])
    put(store, [['customers', 'later', 'x']])
    expect(store.world.seq).toBe(seq + 1)
  }

  function plantDefect(defect: (changes: readonly Change[]) => readonly Change[]) {
    const add = ReplacementWriter.prototype.add
    vi.spyOn(ReplacementWriter.prototype, 'add').mockImplementation(function (this: ReplacementWriter, changes) {
      add.call(this, defect(changes))
    })
  }

  it.each(names)('%s, in the line of a commit', async (name) => {
    const { store } = worldWith(before)
    const next = worldWith(after).world
    plantDefect(defects[name]!)
    await expectRefused(store, () => runToEnd(replaceBy(store, next)))
  })

  describe.each(['in memory', 'in a data folder'])('%s', (place) => {
    it.each(names)('%s, in the file of a replacement', async (name) => {
      const { store, file } = place === 'in memory' ? inMemory() : await open(createTemporaryFolder())
      put(store, before)
      plantDefect(defects[name]!)
      const { world: next } = worldWith(after)
      await expectRefused(store, () => runToEnd(replaceBy(store, next)))
      await file.close()
    })
  })

  it('a record that requests change meanwhile is not corrected', async () => {
    const { store } = worldWith([...before, ...many('returns', MANY)])
    const { world: next } = worldWith(after)
    vi.spyOn(store, 'subscribe').mockReturnValue(() => {})
    const steps = replaceBy(store, next)
    steps.next()
    put(store, [['customers', 'both', 'changed']])
    await expectRefused(store, () => runToEnd(steps))
  })

  it.each(names)('%s, in the history of a rewind', async (name) => {
    const { store, file, world } = worldWith(after)
    const { seq } = world
    store.transact('A', CAUSE, (tx) => {
      for (const uid of ['new', 'both', 'old']) tx.customers.put({ uid, program_uid: 'A', name: 'changed' } as never)
    })
    const newestFirst = file.newestFirst.bind(file)
    vi.spyOn(file, 'newestFirst').mockImplementation(function* (filter) {
      for (const commit of newestFirst(filter)) {
        const turned = commit?.changes.map((it) => ({ ...it, record: it.was, was: it.record }))
        const wrong = turned && defects[name]!(turned).map((it) => ({ ...it, record: it.was, was: it.record }))
        yield commit && { ...commit, changes: wrong! }
      }
    })
    await expectRefused(store, () => runToEnd(rewindInSteps(store, CAUSE, seq, noProof)))
  })

  it('the world is another one when it takes its place', async () => {
    const { store } = worldWith(before)
    const { world: next } = worldWith(after)
    const forked = forkWorld(next)
    const steps = replaceWorldInSteps(store, CAUSE, { ...nextWorldOf(forked), seq: 0 }, noProof)
    steps.next()
    forked.collections.customers.set('new', undefined)
    await expectRefused(store, () => runToEnd(steps))
  })

  it('the end of an import is not the one that its commits lead to', async () => {
    const { store } = worldWith(before)
    const { world: next } = worldWith(after)
    const [commit] = [...store.history()]
    const log = { write() {}, takeBack() {} }
    const imported = () => ({ commits: [{ commit: commit!, rest: printRest(commit!) }], log, end: next })
    const replace = () =>
      runToEnd(replaceWorldInSteps(store, CAUSE, { ...nextWorldOf(forkWorld(next)), seq: 0 }, noProof, imported))
    await expectRefused(store, replace)
  })

  it('a world whose books do not balance', async () => {
    const { store, world } = worldWith(before)
    const unbalanced = function* () {
      yield
      throw new Error('The books do not balance')
    }
    const { seq } = world
    const replace = () =>
      runToEnd(replaceWorldInSteps(store, CAUSE, nextWorldOf(forkWorld(worldWith(after).world)), unbalanced))
    expect(replace).toThrow('The books do not balance')
    expect(world.seq).toBe(seq)
  })
})
