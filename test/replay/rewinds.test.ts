import { describe, expect, vi } from 'vitest'
import { PERSON } from '../support/customers.ts'
import { CHECKING, openFresh, reopen, type Session } from '../support/history.ts'
import { NO_DIFFERENCE } from '../support/operator.ts'
import { it } from '../support/sandbox.ts'
import { canonical } from '../support/world.ts'

/** A replay goes back to the commit that corresponds to the recorded one, although it makes fewer commits than the record has. */

const createCustomer = ({ post }: Session, n: number) => post('/customers', { email: `c${n}@example.test` })
/** Without a request: a client that signs in leaves a step at the very commit that the tests rewind to. */
const createByOperator = ({ ask, sandbox }: Session, n: number) =>
  ask('operator.create_customer', {
    program_uid: sandbox.programs()[0]!.uid,
    customer: { email: `c${n}@example.test`, details: PERSON },
  })
const readNewest = ({ sandbox }: Session) => sandbox.store.world.seq

/** Replays the record since a commit in a world of its own: the responses and the world must be the same. */
async function expectSameReplay({ ask, sandbox }: Session, since: number) {
  const expected = canonical(sandbox.store.world)
  const input = { since, into: 'then', gaps: true, keep: 'replayed' }
  const outcome = await ask<{ exchanges: { verdict: string }[]; acts: object[] }>('exchanges.replay', input)
  expect(outcome.exchanges.filter(({ verdict }) => verdict !== 'same')).toEqual([])
  expect(outcome.acts.filter((act) => !('refused' in act && act.refused === null))).toEqual([])
  expect(await ask('snapshots.compare', { b: 'replayed' })).toMatchObject(NO_DIFFERENCE)
  expect(canonical(sandbox.store.world)).toBe(expected)
}

/** Lets real time pass, in which a running clock runs the tasks that become due. */
function createRealTime() {
  const begin = performance.now()
  let passed = 0
  vi.spyOn(performance, 'now').mockImplementation(() => begin + passed)
  return { pass: (ms: number) => (passed += ms) }
}

describe('a replay of a rewind', () => {
  it('goes back to the end of an import', async () => {
    const first = await openFresh()
    await createCustomer(first, 1)
    const { text } = await first.ask<{ text: string }>('bundles.export')
    const session = await openFresh()
    const { since } = await session.ask<{ since: number }>('bundles.import', { text })
    const imported = readNewest(session)
    await createByOperator(session, 2)
    await createByOperator(session, 3)
    await session.rewind(imported)
    await createCustomer(session, 4)
    await expectSameReplay(session, since)
  })

  it('goes back to the commit with which a sandbox with a running clock closed', async ({ folder: data }) => {
    const before = await openFresh(data)
    const since = readNewest(before)
    await before.ask('clock.set', { mode: 'running' })
    await createCustomer(before, 1)
    await before.sandbox.close()
    const session = await reopen(data)
    const closed = readNewest(session)
    await createByOperator(session, 2)
    await session.rewind(closed)
    await createCustomer(session, 3)
    await expectSameReplay(session, since)
  })

  it('lets no time pass before it goes back to a commit that it has made already', async () => {
    const session = await openFresh()
    const since = readNewest(session)
    const { uid } = await createCustomer(session, 1)
    await session.put(`/customers/${uid}`, { details: PERSON })
    const created = readNewest(session)
    await session.post('/customer_products', { customer_uid: uid, product_uid: CHECKING })
    await session.advance({ by: 'P1D' })
    const advanced = readNewest(session)
    await session.rewind(created)
    await createCustomer(session, 2)
    // A commit of the future that the first rewind has left.
    await session.rewind(advanced - 1)
    await createCustomer(session, 3)
    await expectSameReplay(session, since)
  })

  it.each([0, 1])(
    'goes back to a commit of time that a running clock made, with %i requests since',
    async (requests) => {
      const time = createRealTime()
      const session = await openFresh()
      const since = readNewest(session)
      await session.ask('clock.set', { mode: 'running' })
      const { uid } = await createCustomer(session, 1)
      await session.put(`/customers/${uid}`, { details: PERSON })
      await session.post('/customer_products', { customer_uid: uid, product_uid: CHECKING })
      const created = readNewest(session)
      time.pass(60_000)
      await vi.waitFor(() => expect(readNewest(session)).toBeGreaterThan(created), { timeout: 5_000 })
      const approved = readNewest(session)
      for (let n = 0; n < requests; n++) await createCustomer(session, 2 + n)
      await session.rewind(approved)
      await createCustomer(session, 9)
      await expectSameReplay(session, since)
    },
  )
})
