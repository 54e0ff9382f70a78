import type { MethodInput } from '../../src/api/contract/control/methods.ts'
import type { SandboxOptions } from '../../src/api/sandbox.ts'
import { createCaller } from './operator.ts'
import { setUpPayments } from './payments.ts'
import { startReceiver } from './receiver.ts'

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
