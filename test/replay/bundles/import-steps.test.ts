import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { checkBooks } from '../../../src/api/domain/rules/ledger.ts'
import { ExchangeLog } from '../../../src/api/http/exchanges.ts'
import { parseBundleInSteps } from '../../../src/api/replay/bundles/bundle.ts'
import { importBundle } from '../../../src/api/replay/bundles/import.ts'
import { CallLog } from '../../../src/api/store/call-log.ts'
import { Clock } from '../../../src/api/store/clock.ts'
import { openDataFolder } from '../../../src/api/store/data-folder.ts'
import { files } from '../../../src/api/store/files.ts'
import { runToEnd } from '../../../src/api/store/steps.ts'
import { Store } from '../../../src/api/store/store.ts'
import { emptyWorld } from '../../../src/api/store/world.ts'
import { createTemporaryFolder } from '../../support/folder.ts'
import { call } from '../../support/operator.ts'
import { startSandbox } from '../../support/sandbox.ts'

/** The steps of an import, without the pauses between them. */

async function exportOf(requests: number): Promise<string> {
  const sandbox = await startSandbox({ world: 'empty', clock: 'frozen' })
  const client = sandbox.client()
  for (let n = 0; n < requests; n++) await client.post('/customers', { external_uid: `c${n}` })
  const { text } = await call(sandbox, 'bundles.export', {})
  await sandbox.close()
  return text
}

async function openRecorded() {
  const data = createTemporaryFolder()
  const { file, begin } = await openDataFolder(data, 'write')
  const world = emptyWorld('own', '2026-08-14T14:00:00.000Z')
  begin(world)
  await file.save()
  const store = new Store(world, new Clock(world, () => 0), file, checkBooks)
  const log = await CallLog.open(data)
  return {
    data,
    recorded: { store, log },
    exchanges: new ExchangeLog(log),
    async close() {
      log.close()
      await file.close()
    },
  }
}

const filesOf = (data: string) =>
  ['changes', 'log'].flatMap((name) => readdirSync(join(data, name)).map((one) => join(data, name, one)))
const bytesIn = (data: string) => filesOf(data).reduce((sum, path) => sum + statSync(path).size, 0)

afterEach(() => void vi.restoreAllMocks())

it('the last step of an import writes one commit, however many requests there are', async () => {
  const bundle = runToEnd(parseBundleInSteps(await exportOf(100)))
  const { data, recorded, exchanges, close } = await openRecorded()
  const steps = importBundle(recorded, bundle)
  let before = 0
  for (let step = steps.next(); !step.done; step = steps.next()) before = bytesIn(data)
  // The commit holds the few records of the world at the beginning of the bundle.
  const commit = statSync(filesOf(data).find((path) => path.endsWith('changes/000000000001.jsonl'))!).size
  expect(before).toBeGreaterThan(50_000)
  expect(bytesIn(data) - before).toBeLessThanOrEqual(commit)
  expect(exchanges.summaries()).toHaveLength(101)
  expect(exchanges.get('x101')?.path).toBe('/customers')
  expect(recorded.store.world.collections.customers.size).toBe(100)
  await close()
})

it('between two steps of an import few requests and commits are written', async () => {
  const bundle = runToEnd(parseBundleInSteps(await exportOf(100)))
  const { data, recorded, close } = await openRecorded()
  const most = Math.max(...bundle.entries.map((entry) => JSON.stringify(entry).length))
  let before = bytesIn(data)
  const steps = importBundle(recorded, bundle)
  for (let isDone = false; !isDone; ) {
    isDone = steps.next().done === true
    const after = bytesIn(data)
    expect(after - before).toBeLessThan(30 * most)
    before = after
  }
  await close()
})

it('an import whose commit cannot be written leaves the world, the logs and the files as they were', async () => {
  const bundle = runToEnd(parseBundleInSteps(await exportOf(5)))
  const { data, recorded, exchanges, close } = await openRecorded()
  const before = filesOf(data)
  const rename = vi.spyOn(files, 'rename')
  rename.mockImplementation(() => {
    throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
  })
  expect(() => runToEnd(importBundle(recorded, bundle))).toThrow(/EIO/)
  rename.mockRestore()
  expect(filesOf(data)).toEqual(before)
  expect(recorded.store.world.seq).toBe(0)
  expect(exchanges.summaries()).toEqual([])
  // Files that could not be removed either are removed before the next commit.
  const remove = vi.spyOn(files, 'remove')
  const write = vi.spyOn(files, 'write')
  const bundleAgain = importBundle(recorded, bundle)
  for (let step = bundleAgain.next(); step.value !== 'last'; step = bundleAgain.next());
  for (const mock of [remove, write])
    mock.mockImplementation(() => {
      throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
    })
  expect(() => runToEnd(bundleAgain)).toThrow(/EIO/)
  expect(filesOf(data).length).toBeGreaterThan(before.length)
  vi.restoreAllMocks()
  recorded.store.operate({ door: 'operator', name: 'clock.set' }, (tx) => tx.setClock({ ...tx.clock }))
  expect(filesOf(data)).toEqual(before)
  await close()
})
