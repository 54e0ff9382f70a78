import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { Clock } from '../../src/api/store/clock.ts'
import { openDataFolder, SAVE_AFTER } from '../../src/api/store/data-folder.ts'
import { files, replaceFiles } from '../../src/api/store/files.ts'
import { MemoryWorldFile } from '../../src/api/store/memory-world-file.ts'
import { nextWorldOf, replaceWorldInSteps } from '../../src/api/store/replacement.ts'
import { MAX_CHANGES_IN_COMMIT } from '../../src/api/store/replacement-file.ts'
import { runToEnd } from '../../src/api/store/steps.ts'
import { Store } from '../../src/api/store/store.ts'
import { emptyWorld } from '../../src/api/store/world.ts'
import { PERSON } from '../support/customers.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { call } from '../support/operator.ts'
import { startSandbox } from '../support/sandbox.ts'
import { CAUSE, customer, noProof, program } from '../support/world.ts'

// A start reads only the commits since the world file, so it would not notice that a power failure has damaged those before.

const START = '2026-08-14T14:00:00.000Z'

const usual = { ...SAVE_AFTER }
afterEach(() => {
  replaceFiles()
  Object.assign(SAVE_AFTER, usual)
})

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

/** Each file that is synced, by its path, and each rename, in order. */
function recordDisk() {
  const { open, sync, syncInBackground, rename } = files
  const paths = new Map<number, string>()
  const steps: string[] = []
  const add = (file: number) => void steps.push(`sync ${paths.get(file)}`)
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
      steps.push(`rename ${to}`)
    },
  })
  /** The files that were synced before the world file got its name. */
  const readSynced = () => {
    const saved = steps.findIndex((step) => step.startsWith('rename ') && step.endsWith('world.jsonl'))
    expect(saved, steps.join(', ')).toBeGreaterThan(0)
    return steps.slice(0, saved).map((step) => step.replace('sync ', ''))
  }
  return { steps, readSynced }
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
  const { readSynced } = recordDisk()
  runToEnd(replaceWorldInSteps(store, CAUSE, { ...nextWorldOf(largeWorld()), seq: 0 }, noProof))
  addCustomers(store, 1)
  const written = readdirSync(join(folder, 'changes'))
  await again.file.save()
  await again.file.close()
  expect(written.filter((name) => name.endsWith('.replacement.jsonl'))).toHaveLength(1)
  const synced = readSynced()
  expect(written.filter((name) => !synced.includes(join(folder, 'changes', name)))).toEqual([])
})

// A start rebuilds missing actions from the commits, which a new world file replaces.
it('also at closing, the log and the commits are on the disk before a new world file takes the place of the commits', async () => {
  const { steps, readSynced } = recordDisk()
  const data = `${createTemporaryFolder()}/data`
  const sandbox = await startSandbox({ data, seed: 'test', start: Date.parse(START), world: 'empty' })
  const { status } = await sandbox.client().post('/customers', PERSON)
  expect(status).toBe(201)
  steps.length = 0
  Object.assign(SAVE_AFTER, { commits: 1 })
  await call(sandbox, 'clock.advance', { by: 'PT1H' })
  await sandbox.close()
  expect(sandbox.told).toEqual([])
  const synced = readSynced()
  for (const name of ['changes', 'log'])
    expect(
      synced.some((path) => path.startsWith(join(data, name))),
      name,
    ).toBe(true)
})
