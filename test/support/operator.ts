import { expect } from 'vitest'
import { ControlError } from '../../src/api/contract/control/client.ts'
import type { MethodInput, MethodName, MethodOutput } from '../../src/api/contract/control/methods.ts'
import { type ErrorKey, errors } from '../../src/api/contract/errors.ts'
import type { Sandbox } from '../../src/api/sandbox.ts'
import type { TestSandbox } from './sandbox.ts'
import { expectUnchanged } from './world.ts'

/** Calls a control method that must succeed. */
export async function call<N extends MethodName>(
  sandbox: Pick<Sandbox, 'call'>,
  name: N,
  input: MethodInput<N>,
): Promise<MethodOutput<N>> {
  const reply = await sandbox.call(name, input)
  if (!reply.ok) throw new Error(JSON.stringify(reply.error))
  return reply.value as MethodOutput<N>
}

/** Expects that a call is refused with this error and changes nothing in the world. */
export async function expectRefusedCall(
  sandbox: Pick<TestSandbox, 'store'>,
  work: () => Promise<unknown>,
  key: ErrorKey,
  extra?: string | RegExp,
) {
  expectControlError(
    await expectUnchanged(sandbox, () =>
      work().then(
        () => expect.unreachable('the call was not refused'),
        (thrown: unknown) => thrown,
      ),
    ),
    key,
    extra,
  )
}

/** `expectRefusedCall` for the calls of one sandbox. */
export const refusingCalls =
  (sandbox: Pick<TestSandbox, 'store'>) => (work: () => Promise<unknown>, key: ErrorKey, extra?: string | RegExp) =>
    expectRefusedCall(sandbox, work, key, extra)

export function expectControlError(error: unknown, key: ErrorKey, extra?: string | RegExp) {
  expect(error).toBeInstanceOf(ControlError)
  const { status, code, title, detail } = errors[key]
  const { body } = error as ControlError
  expect(body).toMatchObject({ status, errors: [{ code, title, detail }] })
  if (typeof extra === 'string') expect(body.errors[0]?.extra).toBe(extra)
  if (extra instanceof RegExp) expect(body.errors[0]?.extra).toMatch(extra)
}
