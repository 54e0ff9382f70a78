import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checkFiles } from '../../src/api/store/check-files.ts'
import { Clock } from '../../src/api/store/clock.ts'
import type { Commit, CommitFilter, CommitLog } from '../../src/api/store/commit.ts'
import { forkWorld } from '../../src/api/store/copies.ts'
import { openDataFolder } from '../../src/api/store/data-folder.ts'
import { files } from '../../src/api/store/files.ts'
import { worldAt } from '../../src/api/store/history.ts'
import { forkLog, MemoryWorldFile } from '../../src/api/store/memory-world-file.ts'
import { rewindInSteps } from '../../src/api/store/replacement.ts'
import { HISTORY_LENGTH } from '../../src/api/store/segments.ts'
import { runToEnd } from '../../src/api/store/steps.ts'
import { Store } from '../../src/api/store/store.ts'
import type { World } from '../../src/api/store/world.ts'
import { historyOf } from '../../src/api/views/history.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { CAUSE, canonical, createStore, customer, noProof } from '../support/world.ts'

/** A fork has the history of the other world up to the fork, then its own. */

interface Logged {
  readonly store: Store
  readonly log: CommitLog
}

function fork({ store, log }: Logged, seq = store.world.seq): Logged {
  const world = seq === store.world.seq ? forkWorld(store.world) : runToEnd(worldAt(store, seq))
  const own = forkLog(log, seq)
  return { store: new Store(world, new Clock(world, () => 0), own), log: own }
}

const rename = ({ store }: Logged, uid: string, external_uid: string) =>
  store.transact('A', CAUSE, (tx) => tx.customers.put({ ...tx.customers.get(uid)!, external_uid }))

const nameIn = ({ store }: Logged, uid: string) => store.world.collections.customers.get(uid)?.external_uid
const numbers = ({ store }: Logged) => [...store.history()].map(({ seq }) => seq)
const rewind = ({ store }: Logged, seq: number) => runToEnd(rewindInSteps(store, CAUSE, seq, noProof))

/** The names that a Customer got, newest first; null when it was created. */
const namesOf = ({ store }: Logged, uid: string) =>
  runToEnd(historyOf(store, 'customers', uid)).map(
    ({ fields }) => fields.find(({ field }) => field === 'external_uid')?.to ?? null,
  )

async function openLog(place: string) {
  const folder = createTemporaryFolder()
  if (place === 'in memory') return { folder, log: new MemoryWorldFile(), save: async () => {} }
  const { file, begin } = await openDataFolder(folder, 'write')
  onTestFinished(() => file.close())
  const save = async (world: World) => {
    begin(world)
    await file.save()
  }
  return { folder, log: file, save }
}

/** Commit 1 creates two Programs, 2 a Customer, 3 and 4 rename it. */
async function openParent(place: string) {
  const { folder, log, save } = await openLog(place)
  const parent = { ...createStore({ log }), log }
  await save(parent.store.world)
  const { uid } = parent.store.transact('A', CAUSE, (tx) => tx.customers.put(customer(tx)))
  rename(parent, uid, 'one')
  rename(parent, uid, 'two')
  return { parent, uid, folder, log }
}

describe.each(['in memory', 'in a data folder'])('the history of a fork of a world %s', (place) => {
  const first = place === 'in memory' ? 1 : 2
  const from = (last: number, to: number) => Array.from({ length: last - to + 1 }, (_, n) => last - n)

  it('has the commits up to the fork, then its own', async () => {
    const { parent, uid } = await openParent(place)
    const child = fork(parent)
    rename(parent, uid, 'parent 5')
    rename(parent, uid, 'parent 6')
    expect(numbers(child)).toEqual(from(4, first))
    rename(child, uid, 'child 5')
    expect(numbers(child)).toEqual(from(5, first))
    expect([...child.store.commitsBetween(3, 9)].map(({ seq }) => seq)).toEqual([3, 4, 5])
    expect([...child.store.commitsBetween(3, 4)].map(({ seq }) => seq)).toEqual([3, 4])
    expect(child.store.firstSeq).toBe(parent.store.firstSeq)
    expect(namesOf(child, uid)).toEqual(['child 5', 'two', 'one', null])
    expect(namesOf(parent, uid)).toEqual(['parent 6', 'parent 5', 'two', 'one', null])
  })

  it('does not change when the other world is rewound', async () => {
    const { parent, uid } = await openParent(place)
    const child = fork(parent)
    rewind(parent, 2)
    rename(parent, uid, 'parent 6')
    expect(namesOf(child, uid)).toEqual(['two', 'one', null])
    expect(numbers(child)).toEqual(from(4, first))
    expect(namesOf(parent, uid)).toEqual(['parent 6', null, null])
  })

  it('a fork rewinds to a commit before it was made, and undoes that', async () => {
    const { parent, uid } = await openParent(place)
    const at3 = canonical(runToEnd(worldAt(parent.store, 3)))
    const at4 = canonical(parent.store.world)
    const child = fork(parent)
    rename(child, uid, 'child 5')
    const at5 = canonical(child.store.world)
    rewind(child, 3)
    expect(canonical(child.store.world)).toBe(at3)
    expect(canonical(parent.store.world)).toBe(at4)
    expect(namesOf(child, uid)).toEqual(['one', 'one', null])
    rewind(child, 5)
    expect(canonical(child.store.world)).toBe(at5)
    expect(canonical(runToEnd(worldAt(child.store, 4)))).toBe(at4)
  })

  it('a fork of an earlier commit, and forks of forks, each have their own history', async () => {
    const { parent, uid } = await openParent(place)
    const child = fork(parent, 3)
    expect(nameIn(child, uid)).toBe('one')
    rename(child, uid, 'child 4')
    rename(child, uid, 'child 5')
    const grandchild = fork(child, 4)
    rename(grandchild, uid, 'grandchild 5')
    const cousin = fork(grandchild, 3)
    rename(cousin, uid, 'cousin 4')
    expect(namesOf(parent, uid)).toEqual(['two', 'one', null])
    expect(namesOf(child, uid)).toEqual(['child 5', 'child 4', 'one', null])
    expect(namesOf(grandchild, uid)).toEqual(['grandchild 5', 'child 4', 'one', null])
    expect(namesOf(cousin, uid)).toEqual(['cousin 4', 'one', null])
    for (const one of [parent, child, grandchild, cousin]) {
      rewind(one, 3)
      expect(nameIn(one, uid)).toBe('one')
    }
  })
})

it('a fork reads the commits of a data folder after it was closed', async () => {
  const { parent, uid, log } = await openParent('in a data folder')
  const child = fork(parent)
  rename(child, uid, 'child 5')
  await (log as unknown as { close(): Promise<void> }).close()
  expect(namesOf(child, uid)).toEqual(['child 5', 'two', 'one', null])
})

it('the history of a fork ends where the data folder deletes its oldest commits', async () => {
  const { parent, uid, folder } = await openParent('in a data folder')
  const child = fork(parent)
  rename(child, uid, 'child 5')
  await (parent.log as unknown as { save(): Promise<void> }).save()
  files.remove(join(folder, 'changes', files.list(join(folder, 'changes')).sort()[0]!))
  expect(numbers(child)).toEqual([5])
  expect(child.store.firstSeq).toBe(5)
})

it('what follows a fork is read without the commits of the other world', () => {
  const asked: unknown[] = []
  const other = {
    *newestFirst(filter?: CommitFilter) {
      yield asked.push(filter)
    },
  }
  const child = forkLog(other as unknown as CommitLog, 900)
  child.append({ seq: 901, changes: [] } as unknown as Commit, null as never)
  expect([...child.newestFirst({ after: 900 })]).toHaveLength(1)
  expect(asked).toEqual([])
  expect([...child.newestFirst({ after: 899 })]).toHaveLength(2)
  expect(asked).toEqual([{ before: 901, after: 899 }])
})

describe('the length of the history in memory', () => {
  const commit = (seq: number) => ({ seq, changes: [] }) as unknown as Commit
  const append = (log: CommitLog, from: number, to: number) => {
    for (let seq = from; seq <= to; seq++) log.append(commit(seq), null as never)
  }
  const lengthOf = (log: CommitLog) => [...log.newestFirst()].length

  it('a fork keeps its history when the other world drops its oldest commits', () => {
    const parent = new MemoryWorldFile()
    append(parent, 1, 1_000)
    const child = forkLog(parent, 900)
    append(parent, 1_001, 2 * HISTORY_LENGTH)
    expect(parent.firstSeq).toBeGreaterThan(HISTORY_LENGTH * 0.8)
    expect(lengthOf(parent)).toBeGreaterThanOrEqual(HISTORY_LENGTH)
    expect([child.firstSeq, lengthOf(child)]).toEqual([1, 900])
    expect([...child.oldestFirst(899, 950)].map(({ seq }) => seq)).toEqual([899, 900])
  })

  it('a fork drops its oldest commits, whether it shares them or not', async () => {
    const parent = new MemoryWorldFile()
    append(parent, 1, 1_000)
    const child = forkLog(parent, 1_000)
    append(child, 1_001, 2 * HISTORY_LENGTH)
    expect(child.firstSeq).toBeGreaterThan(HISTORY_LENGTH * 0.8)
    expect(lengthOf(child)).toBeGreaterThanOrEqual(HISTORY_LENGTH)
    expect(lengthOf(child)).toBeLessThanOrEqual(HISTORY_LENGTH * 1.1)
    expect([parent.firstSeq, lengthOf(parent)]).toEqual([1, 1_000])
  })

  it('a list that is read slowly shows the history as it was at its first step', () => {
    const log = new MemoryWorldFile()
    append(log, 1, 300)
    const read = log.newestFirst()[Symbol.iterator]()
    expect(read.next().value?.seq).toBe(300)
    append(log, 301, 2 * HISTORY_LENGTH)
    const rest: number[] = []
    for (let next = read.next(); !next.done; next = read.next()) rest.push(next.value!.seq)
    expect(rest).toEqual(Array.from({ length: 299 }, (_, n) => 299 - n))
  })
})

it('a world whose oldest commits are gone can be written to a folder, with the history that is left', async () => {
  const { parent, uid } = await openParent('in memory')
  const path = createTemporaryFolder()
  const kept = await openDataFolder(path, 'write')
  kept.begin(parent.store.world)
  await kept.file.save()
  runToEnd(kept.saveHistory({ newestFirst: () => [...parent.store.history()].filter(({ seq }) => seq > 2) }))
  await kept.file.close()

  const { file, world } = await openDataFolder(path, 'write')
  onTestFinished(() => file.close())
  const again = { store: new Store(world!, new Clock(world!, () => 0), file), log: file }
  expect(numbers(again)).toEqual([4, 3])
  expect(again.store.firstSeq).toBe(3)
  rewind(again, 3)
  expect(nameIn(again, uid)).toBe('one')
  expect(await checkFiles(path)).toMatchObject({ problems: [] })
})
