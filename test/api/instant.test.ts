import { expect, it } from 'vitest'
import { apiClient } from '../support/client.ts'
import { startSandbox } from '../support/sandbox.ts'

/** A replay sets the clock to when a request was recorded: what is due to the millisecond hangs on it. */

it('a request has one instant, also by a running clock: of its record, of its commit and of its line in the log', async () => {
  const sandbox = await startSandbox({ clock: 'running' })
  const client = apiClient(sandbox)
  const made: string[] = []
  for (let n = 0; n < 20; n++) {
    const { status, body } = await client.post<{ created_at: string }>('/customers', { external_uid: `c${n}` })
    expect(status).toBe(201)
    made.push(body.created_at)
  }
  const of = async (name: 'exchanges.list' | 'world.commits') => {
    const reply = await sandbox.call(name, { limit: 100 })
    const { data, commits } = (reply as unknown as { value: Record<'data' | 'commits', Told[] | undefined> }).value
    return (data ?? commits)!.filter(({ path, cause }) => path === '/customers' || cause?.name === 'POST /customers')
  }
  expect((await of('exchanges.list')).map(({ at }) => at).sort()).toEqual(made)
  expect((await of('world.commits')).map(({ at }) => at).sort()).toEqual(made)
})

interface Told {
  readonly at: string
  readonly path?: string
  readonly cause?: { readonly name: string }
}
