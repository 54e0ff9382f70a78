import { expect } from 'vitest'
import { createControlClient } from '../../src/api/contract/control/client.ts'
import type { SandboxOptions } from '../../src/api/sandbox.ts'
import { ipcBridge } from './bridges.ts'
import { OLIVE } from './customers.ts'
import { refusingCalls } from './operator.ts'
import { setUpPayments } from './payments.ts'
import { START, startSandbox } from './sandbox.ts'
import { testTask } from './tasks.ts'
import { waitFor } from './wait.ts'

/** Sandboxes with a control client, for the tests of control methods. */

export const HOUR = 3_600_000
export const at = (ms: number) => new Date(START + ms).toISOString()
export const PROGRAM = 'Hb7QmXk2Tz9LrVw4'
export const SSN = '512-04-8823'

export async function openOperator(options: Partial<SandboxOptions> = {}) {
  const sandbox = await startSandbox(options)
  const bridge = ipcBridge(sandbox)
  const control = createControlClient(bridge)
  const api = sandbox.client()
  await api.get('/products')
  const create = async (body: object = OLIVE) => String((await api.post('/customers', body)).body.uid)
  const schedule = (ms: number, kind = 'k', subject_uid: string | null = null) =>
    sandbox.store.transact(PROGRAM, { door: 'operator', name: 'test' }, (tx) =>
      tx.schedule(testTask({ kind, due_at: at(ms), subject_uid, why: `${kind} at ${ms}` })),
    ).uid
  const task = async (uid: string) => (await control['tasks.list']({})).tasks.find((one) => one.uid === uid)
  const seq = () => sandbox.store.world.seq
  return { sandbox, bridge, control, api, create, schedule, task, seq, refused: refusingCalls(sandbox) }
}

/** Like `openOperator`, in a world with a Customer and its accounts. */
export async function openBank(options: Partial<SandboxOptions> = {}) {
  const world = await setUpPayments(options)
  const bridge = ipcBridge(world.sandbox)
  const control = createControlClient(bridge)
  const customer = await world.customer()
  const counterparty = await world.account(customer, 'ach_external')
  /** Sends an ACH payment of the Customer; returns the uids of its Transfer and its Transaction. */
  const send = async (amount: string, to = counterparty) => {
    const { uid, transaction_uids } = await world.pay(customer, customer.master, to, amount)
    return { transfer_uid: uid, uid: transaction_uids[0]! }
  }
  return {
    ...world,
    bridge,
    control,
    customer,
    anotherCustomer: world.customer,
    counterparty,
    send,
    refused: refusingCalls(world.sandbox),
  }
}

/** Runs the work while an advance is running. */
export async function whileAdvancing(work: (it: Awaited<ReturnType<typeof openOperator>>) => Promise<void>) {
  const slow = () => {
    for (const end = performance.now() + 10; performance.now() < end; );
  }
  const it = await openOperator({ tasks: { slow } })
  for (let i = 1; i <= 500; i++) it.schedule(i * 1000, 'slow')
  const advancing = it.control['clock.advance']({ by: 'PT1H' })
  await waitFor(async () => expect((await it.control['clock.read']({})).now).not.toBe(at(0)))
  await work(it)
  expect(await it.control['clock.cancel']({}), 'it was still running').toEqual({ canceled: true })
  await advancing
}
