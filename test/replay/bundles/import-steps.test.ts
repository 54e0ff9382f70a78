import { readdirSync, readFileSync, statSync } from 'node:fs'
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

it('an import writes all of it in its last step, which prints no change of a record and no request', async () => {
  const bundle = runToEnd(parseBundleInSteps(await exportOf(100)))
  const { data, recorded, exchanges, close } = await openRecorded()
  const before = bytesIn(data)
  const steps = importBundle(recorded, bundle)
  for (let step = steps.next(); step.value !== 'last'; step = steps.next()) expect(bytesIn(data)).toBe(before)
  const print = vi.spyOn(JSON, 'stringify')
  expect(steps.next().done).toBe(true)
  const printed = print.mock.results.reduce((sum, { value }) => sum + String(value).length, 0)
  expect(printed).toBeLessThan((bytesIn(data) - before) / 2)
  expect(exchanges.summaries()).toHaveLength(101)
  expect(exchanges.get('x101')?.path).toBe('/customers')
  expect(recorded.store.world.collections.customers.size).toBe(100)
  await close()
})

it('an import whose commit cannot be written leaves the world, the logs and the files as they were', async () => {
  const bundle = runToEnd(parseBundleInSteps(await exportOf(5)))
  const { data, recorded, exchanges, close } = await openRecorded()
  const [part, another] = ['the log', 'the commits']
  for (const failing of [part, another]) {
    const steps = importBundle(recorded, bundle)
    for (let step = steps.next(); step.value !== 'last'; step = steps.next());
    const real = files.write
    let large = 0
    vi.spyOn(files, 'write').mockImplementation((file, bytes, offset, length, position) => {
      const isRefused = length > 4_000 && ++large === (failing === part ? 1 : 2)
      if (!isRefused) return real(file, bytes, offset, length, position)
      real(file, bytes, offset, length >> 1, position)
      throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
    })
    expect(() => runToEnd(steps), failing).toThrow(/EIO/)
    vi.restoreAllMocks()
    for (const path of filesOf(data)) expect(readFileSync(path, 'utf8').split('\n'), path).toHaveLength(2)
    expect(recorded.store.world.seq).toBe(0)
    expect(exchanges.summaries()).toEqual([])
  }
  recorded.store.operate({ door: 'operator', name: 'clock.set' }, (tx) => tx.setClock({ ...tx.clock }))
  expect(recorded.store.world.seq).toBe(1)
  await close()
})
