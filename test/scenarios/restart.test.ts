import { readdirSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createTemporaryFolder } from '../support/folder.ts'
import { startSandbox } from '../support/sandbox.ts'
import { passes } from './support.ts'

const RESTARTS = `name: A
given: { program: { token_clock: simulated } }
steps:
  - request: POST /customers
    body: { email: ada@example.test }
    trace: first
    capture: { customer: uid }
  - request: POST /auth
    capture: { token: token }
  - advance: PT1H
  - restart: true
  - { request: GET /customers/$customer, token: $token }
  - { request: GET /customers, trace: first, expect: { status: 409, code: 1012 } }
  - expect: { clock: { now: 2026-11-23T16:00:00.000Z, mode: frozen } }
`

describe('restart', () => {
  it('closes and reopens the sandbox: records, clock, tokens and trace ids stay', async () => {
    const temporary = createTemporaryFolder()
    vi.stubEnv('TMPDIR', temporary)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { steps } = await passes(RESTARTS)
    expect(steps.find(({ kind }) => kind === 'restart')).toMatchObject({ title: 'restart the sandbox', ok: true })
    expect(readdirSync(temporary), 'its data folder is removed').toEqual([])
  })

  it('runs in a temporary world of the window, and is refused in the current world before anything ran', async () => {
    const sandbox = await startSandbox()
    const { seq } = sandbox.store.world
    const run = (into: string) => sandbox.call('scenarios.run', { text: RESTARTS, into })
    expect(await run('present')).toMatchObject({
      ok: false,
      error: {
        errors: [
          {
            extra:
              'scenario.yaml:11:5: restart: the sandbox of the current world cannot be restarted by a scenario: run it in a temporary world',
          },
        ],
      },
    })
    expect(sandbox.store.world.seq).toBe(seq)
    expect(await run('scratch')).toMatchObject({ ok: true, value: { state: 'passed' } })
  })
})
