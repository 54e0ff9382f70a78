import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { Clock } from '../../src/api/store/clock.ts'
import { openDataFolder } from '../../src/api/store/data-folder.ts'
import { files, replaceFiles } from '../../src/api/store/files.ts'
import { MemoryWorldFile } from '../../src/api/store/memory-world-file.ts'
import { MAX_CHANGES_IN_COMMIT, nextWorldOf, replaceWorldInSteps } from '../../src/api/store/replacement.ts'
import { runToEnd } from '../../src/api/store/steps.ts'
import { Store } from '../../src/api/store/store.ts'
import { emptyWorld } from '../../src/api/store/world.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { CAUSE, customer, noProof, program } from '../support/world.ts'

// A start reads only the commits since the world file, so it would not notice that a power failure has damaged those before.

const START = '2026-08-14T14:00:00.000Z'

afterEach(() => replaceFiles())

function addCustomers(store: Store, count: number) {
  store.operate(CAUSE, (tx) => tx.programs.put(program('A')))
  store.transact('A', CAUSE, (tx) => {
    for (let i = 0; i < count; i++) tx.customers.put(customer(tx, { external_uid: `c${i}` }))
  })
}

function largeWorld() {
  const world = emptyWorld('other', START)
  addCustomers(new Store(world, new Clock(world, () => 0), new MemoryWorldFile()), MAX_CHANGES_IN_COMMIT + 1)
  return world
}

/** The files that are synced, until a world file gets its name. */
function recordSyncs() {
  const paths = new Map<number, string>()
  const synced = new Set<string>()
  let isSaved = false
  const add = (file: number) => void (isSaved || synced.add(paths.get(file)!))
  const { open, sync, syncInBackground, rename } = files
  replaceFiles({
    ...files,
    open(path, flags) {
      const file = open(path, flags)
      paths.set(file, path)
      return file
    },
    sync(file) {
      sync(file)
      add(file)
    },
    async syncInBackground(file) {
      await syncInBackground(file)
      add(file)
    },
    rename(from, to) {
      rename(from, to)
      if (to.endsWith('world.jsonl')) isSaved = true
    },
  })
  return synced
}

it('with durability write, all commits and replacements up to a new world file are on the disk before it', async () => {
  const folder = createTemporaryFolder()
  const first = await openDataFolder(folder, 'write')
  const world = emptyWorld('test', START)
  first.begin(world)
  await first.file.save()
  addCustomers(new Store(world, new Clock(world, () => 0), first.file), 1)
  await first.file.close()

  const again = await openDataFolder(folder, 'write')
  const store = new Store(again.world!, new Clock(again.world!, () => 0), again.file)
  const synced = recordSyncs()
  runToEnd(replaceWorldInSteps(store, CAUSE, { ...nextWorldOf(largeWorld()), seq: 0 }, noProof))
  addCustomers(store, 1)
  const written = readdirSync(join(folder, 'changes'))
  await again.file.save()
  await again.file.close()
  expect(written.filter((name) => name.endsWith('.replacement.jsonl'))).toHaveLength(1)
  expect(written.filter((name) => !synced.has(join(folder, 'changes', name)))).toEqual([])
})
