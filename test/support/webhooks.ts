import { expect } from 'vitest'
import type { MethodInput, MethodName, MethodOutput } from '../../src/api/contract/control/methods.ts'
import type { SandboxOptions } from '../../src/api/sandbox.ts'
import { setUpPayments } from './payments.ts'
import { startReceiver } from './receiver.ts'
import type { TestSandbox } from './sandbox.ts'

export type Calls = ReturnType<typeof createCaller>

/** Calls control methods that must succeed. */
export const createCaller =
  ({ call }: Pick<TestSandbox, 'call'>) =>
  async <N extends MethodName>(name: N, input: MethodInput<N>): Promise<MethodOutput<N>> => {
    const reply = await call(name, input)
    expect(reply, JSON.stringify(reply)).toMatchObject({ ok: true })
    return (reply as { value: unknown }).value as MethodOutput<N>
  }

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
