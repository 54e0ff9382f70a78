import type { MethodInput } from '../../src/api/contract/control/methods.ts'
import type { SandboxOptions } from '../../src/api/sandbox.ts'
import { createCaller } from './operator.ts'
import { setUpPayments } from './payments.ts'
import { type Answer, startReceiver } from './receiver.ts'

export type Calls = ReturnType<typeof createCaller>

/** Resolves when nothing is being sent any more. */
export const waitForDeliveries = (call: Calls) => call('clock.advance', { by: 'PT0S' })

/** A sandbox with one active webhook, and its receiver. */
export async function setUpWebhook(
  chosen: Partial<MethodInput<'webhooks.create'>> = {},
  options: Partial<SandboxOptions> = {},
) {
  const payments = await setUpPayments(options)
  const call = createCaller(payments.sandbox)
  const receiver = await startReceiver()
  const webhook = await call('webhooks.create', { url: receiver.url, confirm: false, ...chosen })
  return { ...payments, call, receiver, webhook }
}

export const refuse: Answer = (_event, response) => void response.writeHead(503).end('not now')

/** The decision that locks a Customer, of which there is an event. */
export const lockOf = (uid: string) => ({
  collection: 'customers' as const,
  uid,
  move: 'lock',
  inputs: { lock_reason: 'Lost phone' },
})
export const unlockOf = (uid: string) => ({ collection: 'customers' as const, uid, move: 'unlock' })

/** So many Customers are created, which no event tells of, and can then be locked. */
export async function setUpLocks(
  count = 1,
  chosen: Partial<MethodInput<'webhooks.create'>> = {},
  options: Partial<SandboxOptions> = {},
) {
  const setup = await setUpWebhook({ topics: ['customers.lock'], ...chosen }, options)
  const { call } = setup
  const uids: string[] = []
  for (let i = 0; i < count; i++) uids.push((await setup.customer()).uid)
  const lock = (uid = uids[0]!) => call('moves.make', lockOf(uid))
  const lockAll = async () => {
    for (const uid of uids) await lock(uid)
    await waitForDeliveries(call)
  }
  const newest = async () => (await call('events.list', { wanted: true, limit: 1 })).data[0]!
  return { ...setup, uids, lock, lockAll, newest }
}
