import { readdirSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import type { NamedSandboxWorld } from '../../src/api/sandbox.ts'
import { apiClient } from '../support/client.ts'
import { OLIVE } from '../support/customers.ts'
import { startSandbox } from '../support/sandbox.ts'

/** Ten thousand worlds, each used and dropped. */

const WORLDS = 10_000
/** Until V8 has compiled everything, and the caches of the process are full. */
const WARM_UP = 3_000
/** Noise of the process. A world that is left behind has 30 kB. */
const MAX_BYTES_PER_WORLD = 300
/** Tests in other threads open files, too. */
const FILES_OF_OTHERS = 500

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function measure() {
  for (let i = 0; i < 3; i++) collectGarbage()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const files = process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0
  return { bytes: heapUsed + external + arrayBuffers, timers, files }
}

/** Something of every kind in each fifth: requests, commits, tasks, snapshots, faults, notices, jobs, a scenario. */
async function use(world: NamedSandboxWorld, control_key: string, n: number) {
  const api = apiClient(world)
  await api.post('/customers', OLIVE)
  if (n % 5 !== 0) return
  await world.call('clock.advance', { business_days: 1 })
  await world.call('snapshots.keep', { name: 'one' })
  await world.call('faults.set', { faults: [{ kind: 'latency', ms: 60_000, path: '/pools' }] })
  world.subscribe(() => {})
  if (n % 100 === 0) await world.call('scenarios.step', { text: 'steps: [advance: PT1H, advance: PT1H]' })
  if (n % 50 !== 0) return
  const stream = await fetch(`${world.control}/notices`, { headers: { 'x-control-key': control_key } })
  const delayed = api.get('/pools')
  void world.call('clock.advance', { to: '2080-01-01T00:00:00.000Z' })
  return async () => {
    await stream.text()
    expect([404, 200]).toContain((await delayed).status)
  }
}

it('ten thousand worlds that were dropped leave no memory, timer or file behind', async () => {
  const sandbox = await startSandbox({ clock: 'frozen' })
  await sandbox.worlds.create({ name: 'base' })
  const origins = ['demo', 'empty', 'current', { world: 'base' }] as const
  const cycle = async (n: number) => {
    const clock = n % 2 === 0 ? 'running' : 'frozen'
    const from = origins[n % origins.length]!
    const fresh = typeof from === 'string' && from !== 'current' ? { start: '2026-11-23T15:00:00.000Z' } : {}
    const world = await sandbox.worlds.create({ from, clock, ...fresh })
    const end = await use(world, 'test-key', n)
    await sandbox.worlds.drop(world.name)
    await end?.()
  }
  const cycles = async (count: number) => {
    for (let n = 0; n < count; n++) await cycle(n)
  }
  await cycles(WARM_UP)
  const before = measure()
  await cycles(WORLDS)
  const after = measure()
  const left = (after.bytes - before.bytes) / WORLDS
  console.log(`Of each of ${WORLDS.toLocaleString('en')} worlds ${left.toFixed(0)} bytes are left`)
  expect(left).toBeLessThan(MAX_BYTES_PER_WORLD)
  expect(after.timers).toBeLessThanOrEqual(before.timers)
  expect(after.files).toBeLessThan(before.files + FILES_OF_OTHERS)
})
