import { onTestFinished } from 'vitest'
import { openSandbox, type Sandbox, type SandboxOptions } from '../../src/api/sandbox.ts'
import { apiClient } from './client.ts'

/** 2026-08-14 is a Friday; 10:00 in New York. */
export const START = Date.parse('2026-08-14T14:00:00.000Z')

/** Starts a sandbox in memory with an empty world, a frozen clock, a fixed seed and a free port. It closes when the test ends. */
export async function startSandbox(options: Partial<SandboxOptions> = {}) {
  const told: string[] = []
  const sandbox = await openSandbox({
    version: '0.0.0-test',
    data: null,
    port: 0,
    clock: 'frozen',
    ...(options.data ? {} : { seed: 'test', start: START, world: 'empty' as const }),
    control_key: 'test-key',
    report: (line) => void told.push(line),
    ...options,
  })
  onTestFinished(() => sandbox.close())
  return Object.assign(sandbox, { told, client: () => apiClient(sandbox) })
}

export type TestSandbox = Sandbox & { told: string[]; client: () => ReturnType<typeof apiClient> }
