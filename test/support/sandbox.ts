import { afterAll, expect, onTestFinished, it as plain } from 'vitest'
import type { ExchangeDetail } from '../../src/api/contract/control/exchanges.ts'
import type { ErrorKey } from '../../src/api/contract/errors.ts'
import { openSandbox, type Sandbox, type SandboxOptions } from '../../src/api/sandbox.ts'
import { apiClient } from './client.ts'
import { createTemporaryFolder } from './folder.ts'

/** 2026-08-14 is a Friday; 10:00 in New York. */
export const START = Date.parse('2026-08-14T14:00:00.000Z')

const inMemory = { version: '0.0.0-test', data: null, port: 0, clock: 'frozen', control_key: 'test-key' } as const
const fixed = { seed: 'test', start: START }

/** A sandbox with the demo world that all tests of a file share. */
export async function shareDemo(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const sandbox = await openSandbox({ ...inMemory, ...fixed, world: 'demo', report: () => {}, ...options })
  afterAll(() => sandbox.close())
  return sandbox
}

/** Starts a sandbox in memory with an empty world, a frozen clock, a fixed seed and a free port. It closes when the test ends. */
export async function startSandbox(options: Partial<SandboxOptions> = {}) {
  const told: string[] = []
  const sandbox = await openSandbox({
    ...inMemory,
    ...(options.data ? {} : { ...fixed, world: 'empty' as const }),
    report: (line) => void told.push(line),
    ...options,
  })
  onTestFinished(async () => {
    // The log of a folder may be of an older version, which named fewer fields.
    const unmarked = options.data ? [] : await findUnmarkedRefusals(sandbox)
    await sandbox.close()
    expect(unmarked, 'Each refusal names the part of the request that caused it').toEqual([])
  })
  return Object.assign(sandbox, { told, client: () => apiClient(sandbox) })
}

export type TestSandbox = Sandbox & { told: string[]; client: () => ReturnType<typeof apiClient> }

/** A test that names one of these in its argument gets it; nothing of it is left after the test. */
export const it = plain
  .extend('sandbox', () => startSandbox())
  .extend('api', ({ sandbox }) => sandbox.client())
  .extend('demo', () => startSandbox({ world: 'demo' }))
  .extend('folder', () => createTemporaryFolder())

/** Refusals that no part of the request causes. */
const WITHOUT_FIELDS: ReadonlySet<string> = new Set<ErrorKey>([
  ...(['internal', 'creationByOperator', 'authorizationDisabled', 'returnsDisabled'] as const),
  'combinedTransfersDisabled',
])
const NEWEST = 50

/** Refusals by the schema or by the rules that do not say which field is wrong. */
async function findUnmarkedRefusals(sandbox: Sandbox): Promise<string[]> {
  const listed = await sandbox.call('exchanges.list', { limit: NEWEST })
  if (!listed.ok) return []
  const { data } = listed.value as { data: { uid: string; code: number | null }[] }
  const refused = data.filter(({ code }) => code !== null)
  const read = await Promise.all(refused.map(({ uid }) => sandbox.call('exchanges.get', { uid })))
  return read.flatMap((reply) => {
    const { refusal, method, path } = (reply.ok ? reply.value : {}) as Partial<ExchangeDetail>
    if (!refusal || !['token', 'trace id', 'schema', 'rules'].includes(refusal.stage)) return []
    // Of too many keys, levels or parameters none is the wrong one.
    const isTooMuch = /more than .* (keys|levels|parameters)$/.test(refusal.extra ?? '')
    return refusal.fields || isTooMuch || WITHOUT_FIELDS.has(refusal.key)
      ? []
      : [`${method} ${path}: ${refusal.key} ${refusal.extra ?? ''}`]
  })
}
