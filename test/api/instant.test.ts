import { expect, it } from 'vitest'
import { apiClient } from '../support/client.ts'
import { startSandbox } from '../support/sandbox.ts'

/** A replay sets the clock to the instant of a recorded request, so that instant must be exact to the millisecond. */

it('a request has one instant for its record, its commit and its log entry, also with a running clock', async () => {
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
