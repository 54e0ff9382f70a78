import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import { Clock } from '../../src/api/store/clock.ts'
import { openDataFolder } from '../../src/api/store/data-folder.ts'
import { files, replaceFiles } from '../../src/api/store/files.ts'
import { EMPTY, Journal } from '../../src/api/store/journal.ts'
import { Store } from '../../src/api/store/store.ts'
import { emptyWorld } from '../../src/api/store/world.ts'
import { Scheduler } from '../../src/api/time/scheduler.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { it } from '../support/sandbox.ts'
import { testTask } from '../support/tasks.ts'
import { CAUSE, canonical, customer, program } from '../support/world.ts'

/** A disk that has room for so many bytes more, with the error of a full disk. */
const disk = { room: Number.POSITIVE_INFINITY, cuts: true }
const full = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })

beforeAll(() => {
  const { write, truncate } = files
  replaceFiles({
    ...files,
    write(file, bytes, offset, length, position) {
      if (disk.room <= 0) throw full()
      const written = write(file, bytes, offset, Math.min(length, disk.room), position)
      disk.room -= written
      return written
    },
    truncate(file, length) {
      if (!disk.cuts) throw full()
      truncate(file, length)
    },
  })
})
afterAll(() => replaceFiles())

beforeEach(() => {
  disk.room = Number.POSITIVE_INFINITY
  disk.cuts = true
})

/** A world with one Program, that is on disk already. */
async function begun(folder: string) {
  const { file, begin } = await openDataFolder(folder, 'write')
  const world = emptyWorld('test', '2026-08-14T14:00:00.000Z', { mode: 'frozen', pace: 'fast' })
  const store = new Store(world, new Clock(world, () => 0), file)
  store.operate(CAUSE, (tx) => tx.programs.put(program('A')))
  begin(world)
  await file.save()
  return { world, store, file }
}

/** The lines of a file without their checks. */
const textOf = (path: string) => readFileSync(path, 'utf8').replaceAll(/\t[0-9a-f]{8}\n/g, '\n')

describe('a full disk', () => {
  it.each([
    ['and the rest of the line is cut off', true],
    ['and not even the cutting works', false],
  ])('at any byte: the append fails, %s, and the next line is complete', (_name, cuts) => {
    const line = '{"a":"some text"}'
    for (let room = 0; room <= line.length; room++) {
      const path = join(createTemporaryFolder(), 'j')
      const journal = new Journal(path, EMPTY)
      journal.append('{"first":1}')
      disk.room = room
      disk.cuts = cuts
      expect(() => journal.append(line)).toThrow('ENOSPC')
      disk.room = Number.POSITIVE_INFINITY
      if (cuts) expect(textOf(path)).toBe('{"first":1}\n')
      journal.append('{"a longer line than the one before":1}')
      disk.cuts = true
      journal.close()
      expect(textOf(path)).toBe('{"first":1}\n{"a longer line than the one before":1}\n')
    }
  })

  it('memory and disk never differ: a refused change is absent, now and after a restart', async ({ folder }) => {
    const { world, store, file } = await begun(folder)
    const add = () => store.transact('A', CAUSE, (tx) => tx.customers.put(customer(tx)))
    add()
    const before = canonical(world)
    for (const room of [0, 1, 100, 500]) {
      disk.room = room
      expect(add).toThrow('ENOSPC')
      expect(canonical(world)).toBe(before)
    }
    disk.room = Number.POSITIVE_INFINITY
    add()
    await file.close()
    const again = await openDataFolder(folder, 'write')
    await again.file.close()
    expect(canonical(again.world!)).toBe(canonical(world))
    expect(again.world!.collections.customers.size).toBe(2)
  })

  it('the history can be read even if the rest of a refused line could not be cut off', async () => {
    const { store, file } = await begun(createTemporaryFolder())
    const add = () => store.transact('A', CAUSE, (tx) => tx.customers.put(customer(tx)))
    add()
    add()
    disk.room = 100
    disk.cuts = false
    expect(add).toThrow('ENOSPC')
    expect([...store.history()].map(({ seq }) => seq)).toEqual([3, 2])
    disk.room = Number.POSITIVE_INFINITY
    disk.cuts = true
    await file.close()
  })

  it('a task whose commit could not be saved stays due, and does not count as failed', async () => {
    const world = emptyWorld('test', '2026-08-14T14:00:00.000Z', { mode: 'frozen', pace: 'fast' })
    const folder = createTemporaryFolder()
    const { file, begin } = await openDataFolder(folder, 'write')
    const store = new Store(world, new Clock(world, () => 0), file)
    store.operate(CAUSE, (tx) => tx.programs.put(program('A')))
    begin(world)
    await file.save()
    const task = store.transact('A', CAUSE, (tx) =>
      tx.schedule(testTask({ kind: 'k', due_at: '2026-08-14T15:00:00.000Z', subject_uid: null, why: 'w' })),
    )
    const scheduler = new Scheduler({
      store,
      tasks: { k: (tx) => void tx.customers.put(customer(tx)) },
      notify: () => {},
      reportError: () => {},
    })
    const to = Date.parse('2026-08-14T16:00:00.000Z')
    // Room enough to note that it failed, and not for what it does.
    disk.room = 400
    await expect(scheduler.advance({ to }, CAUSE)).rejects.toThrow('ENOSPC')
    expect(world.collections.tasks.get(task.uid)).toEqual(task)
    expect(world.collections.customers.size).toBe(0)
    disk.room = Number.POSITIVE_INFINITY
    expect(await scheduler.advance({ to }, CAUSE)).toMatchObject({ ran: 1 })
    expect(world.collections.customers.size).toBe(1)
    await file.close()
  })
})
