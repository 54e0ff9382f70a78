import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { importFile } from '../../src/api/files.ts'
import { type Migration, migrations } from '../../src/api/store/migrations.ts'
import { collectionNames, collectionOf, type StoredRecord } from '../../src/api/store/world.ts'
import { copyDataFolder, createTemporaryFolder } from '../support/folder.ts'
import { call } from '../support/operator.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'

/**
 * The newest migration, wrapped: it counts in each record how often it was applied. A record that is migrated again after it was
 * written in the new form has a count of 2, as had the records of a segment whose header was old.
 */

const rows = migrations as Migration[]
const newest = rows.at(-1)!
let calls = 0

const countCalls: Migration = (collection, record) => {
  calls++
  const migrated = newest(collection, record)
  return migrated && { ...migrated, migrated: ((record.migrated as number | undefined) ?? 0) + 1 }
}

beforeEach(() => {
  calls = 0
  rows[rows.length - 1] = countCalls
})
afterEach(() => {
  rows[rows.length - 1] = newest
})

const migrationsFolder = join(import.meta.dirname, 'migrations')
const names = readdirSync(migrationsFolder).sort()

type Counted = StoredRecord & { readonly migrated?: number }
const recordsOf = ({ store }: TestSandbox): Counted[] =>
  collectionNames.flatMap((name) => collectionOf(store.world, name).inOrder())
const keysOf = (records: readonly Counted[]) => new Set(records.map(({ uid }) => uid))

/** Records of the old files were migrated once, new ones never. */
function expectMigratedOnce(sandbox: TestSandbox, old: ReadonlySet<string>) {
  const wrong = recordsOf(sandbox).filter(({ uid, migrated = 0 }) => migrated !== (old.has(uid) ? 1 : 0))
  expect(wrong).toEqual([])
}

/** The same for the records in the history, before and after each change. */
function expectHistoryMigratedOnce({ store }: TestSandbox) {
  let records = 0
  for (const { seq, changes } of store.history())
    for (const { record, was } of changes)
      for (const one of [record, was] as (Counted | null | undefined)[]) {
        if (!one) continue
        expect(one.migrated ?? 0, `commit ${seq}`).toBeLessThanOrEqual(1)
        records++
      }
  return records
}

/** Changes an old record of each kind that requests and the operator can change, and creates new ones. */
async function write(sandbox: TestSandbox) {
  const [program] = sandbox.programs()
  await call(sandbox, 'programs.update', { uid: program!.uid, authorization_hours: 7 })
  const api = sandbox.client()
  await api.post('/customers', { email: 'new@example.test', details: { first_name: 'Nell' } })
  await call(sandbox, 'clock.advance', { until: 'idle' })
}

describe.each(names.filter((name) => !name.endsWith('.jsonl')))('each record of %s is migrated once', (name) => {
  it('when the world file and the segments are read, after writes, a kill and restarts', async () => {
    const data = copyDataFolder(join(migrationsFolder, name))
    const sandbox = await startSandbox({ data })
    const old = keysOf(recordsOf(sandbox))
    expectMigratedOnce(sandbox, old)
    await write(sandbox)
    expectMigratedOnce(sandbox, old)
    const left = copyDataFolder(data)

    for (let times = 0; times < 2; times++) {
      const again = await startSandbox({ data: left })
      expectMigratedOnce(again, old)
      expect(expectHistoryMigratedOnce(again)).toBeGreaterThan(20)
      await write(again)
      await again.close()
    }
  })

  it('when a snapshot is restored, and saved again', async () => {
    const data = copyDataFolder(join(migrationsFolder, name))
    const sandbox = await startSandbox({ data })
    const old = keysOf(recordsOf(sandbox))
    await call(sandbox, 'snapshots.keep', { name: 'new' })
    for (const snapshot of (await call(sandbox, 'snapshots.list', {})).snapshots) {
      await call(sandbox, 'snapshots.restore', { name: snapshot.name })
      expect(recordsOf(sandbox)).toHaveLength(snapshot.records!)
      expect(recordsOf(sandbox).filter(({ migrated }) => migrated !== 1)).toEqual([])
    }
    await write(sandbox)
    await sandbox.close()
    const again = await startSandbox({ data })
    expect(
      recordsOf(again).filter(({ uid, migrated = 0 }) => migrated !== (old.has(uid) ? 1 : 0) && migrated !== 0),
    ).toEqual([])
    calls = 0
    await call(again, 'snapshots.restore', { name: 'new' })
    expect(calls).toBe(0)
  })
})

describe.each(names.filter((name) => name.endsWith('.jsonl')))('each record of %s is migrated once', (name) => {
  it('when the bundle is imported; the folder and a bundle of it are new', async () => {
    const path = join(migrationsFolder, name)
    const data = join(createTemporaryFolder(), 'imported')
    await importFile(path, data)
    expect(calls).toBe(countRecords(path))
    calls = 0
    const sandbox = await startSandbox({ data })
    await write(sandbox)
    await sandbox.close()
    const again = await startSandbox({ data })
    const { text } = await call(again, 'bundles.export', {})
    await call(await startSandbox(), 'bundles.import', { text })
    expect(calls).toBe(0)
  })
})

/** The records of a bundle, and those in its commits. */
function countRecords(bundle: string): number {
  let records = 0
  for (const line of readFileSync(bundle, 'utf8').trimEnd().split('\n')) {
    const content = JSON.parse(line) as {
      collection?: string
      commit?: { changes: { record?: unknown; was?: unknown }[] }
    }
    if (content.collection !== undefined) records++
    for (const { record, was } of content.commit?.changes ?? []) records += Number(!!record) + Number(!!was)
  }
  return records
}
