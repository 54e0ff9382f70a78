import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkFolder } from '../../src/api/files.ts'
import { campaignSize } from '../support/campaign.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { setUpPayments } from '../support/payments.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { canonical } from '../support/world.ts'

/** Changes one byte of a file of a stopped sandbox, at many places: `sandbank check` and the start notice each. */

const FLIPS = campaignSize(100, 1_000)
/** Starts take longer than checks. */
const STARTS = campaignSize(20, 250)

async function createDataFolder(): Promise<{ folder: string; world: string }> {
  const folder = createTemporaryFolder()
  const { sandbox, api, customer } = await setUpPayments({ data: folder })
  await customer()
  await sandbox.call('snapshots.keep', { name: 'a' })
  await api.get('/customers')
  await sandbox.call('clock.advance', { by: 'PT1H' })
  const world = canonical(sandbox.store.world)
  await sandbox.close()
  return { folder, world }
}

const FOLDERS = ['changes', 'log', 'snapshots']
const checkedFiles = (folder: string): string[] => [
  ...['world.jsonl', 'token-secret'].map((name) => join(folder, name)),
  ...FOLDERS.flatMap((name) => readdirSync(join(folder, name)).map((file) => join(folder, name, file))),
]

/** The same numbers in each run. */
function createRandom() {
  let state = 1
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

/** Yields each file with one byte changed, its first and its last bytes among them; restores it afterwards. */
function* flipBytes(paths: readonly string[], count: number) {
  const random = createRandom()
  for (let n = 0; n < count; n++) {
    const path = paths[n % paths.length]!
    const whole = readFileSync(path)
    const special = [0, whole.length - 1, whole.length - 2, whole.length - 10]
    const at = special[Math.floor(n / paths.length)] ?? random(whole.length)
    const bytes = Buffer.from(whole)
    bytes[at] = (bytes[at]! + 1 + random(255)) % 256
    writeFileSync(path, bytes)
    yield { path, place: `byte ${at} of ${whole.length} of ${path}: ${whole[at]} → ${bytes[at]}` }
    writeFileSync(path, whole)
  }
}

it(`check names the file and line of ${FLIPS} changed bytes`, async () => {
  const { folder } = await createDataFolder()
  for (const { path, place } of flipBytes(checkedFiles(folder), FLIPS)) {
    const { problems } = await checkFolder(folder)
    expect(problems.join('\n'), place).toMatch(
      new RegExp(`${path}.*(line \\d+|ends too early|cannot be read: it was changed)`),
    )
  }
  expect((await checkFolder(folder)).problems).toEqual([])
})

it(`no start opens another world after ${STARTS} changed bytes`, async () => {
  const { folder, world } = await createDataFolder()
  let refused = 0
  for (const { place } of flipBytes(checkedFiles(folder), STARTS)) {
    let sandbox: TestSandbox | undefined
    try {
      sandbox = await startSandbox({ data: folder })
      // A snapshot and the history before the world file are read later.
      expect(canonical(sandbox.store.world), place).toBe(world)
    } catch (error) {
      expect((error as Error).message, place).toMatch(/cannot be read|ends too early/)
      refused++
    }
    await sandbox?.close()
  }
  expect(refused).toBeGreaterThan(STARTS / 2)
})
