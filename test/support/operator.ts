import { expect } from 'vitest'
import { ControlError } from '../../src/api/contract/control/client.ts'
import type { MethodInput, MethodName, MethodOutput } from '../../src/api/contract/control/methods.ts'
import type { ErrorBody } from '../../src/api/contract/error-body.ts'
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
  if (!reply.ok) throw new ControlError(reply.error as ErrorBody)
  return reply.value as MethodOutput<N>
}

/** `call` for the calls of one sandbox. */
export const createCaller =
  (sandbox: Pick<Sandbox, 'call'>) =>
  <N extends MethodName>(name: N, input: MethodInput<N>) =>
    call(sandbox, name, input)

/** Calls a control method that must succeed; the caller says what it answers. */
export async function ask<T>(sandbox: Pick<Sandbox, 'call'>, name: string, input: unknown = {}): Promise<T> {
  const reply = await sandbox.call(name, input)
  expect(reply, JSON.stringify(reply)).toMatchObject({ ok: true })
  return (reply as { value: T }).value
}

/** `ask` for the calls of one sandbox. */
export const createAsker =
  (sandbox: Pick<Sandbox, 'call'>) =>
  <T = unknown>(name: string, input: object = {}) =>
    ask<T>(sandbox, name, input)

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

/** Of a comparison: not even a uid differs. */
export const NO_DIFFERENCE = { total_count: { sentences: 0, balances: 0, records: 0, others: 0 } }
