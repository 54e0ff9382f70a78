import { type MethodName, methods, type Reply } from '../contract/control.ts'
import { ApiError } from '../contract/errors.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'
import { errorBody, failureOf, refusalOf } from '../http/failure.ts'
import type { Control } from './methods.ts'

/** The one door of the operator: find, parse, call, parse. It never throws across a process boundary. */
export async function answer(
  control: Control,
  name: string,
  input: unknown,
  { now, runDue, fault }: { now: () => Timestamp; runDue: () => void; fault: (error: ApiError) => void },
): Promise<Reply> {
  try {
    if (!Object.hasOwn(methods, name)) throw new ApiError('routeNotFound', `there is no control method ${name}`)
    const method = methods[name as MethodName]
    const parsed = method.input.safeParse(input ?? {})
    if (!parsed.success) throw refusalOf(parsed.error.issues, input)
    // The operator, too, never sees a window open that the clock has closed.
    runDue()
    const result = await (control[name as MethodName] as (input: unknown) => unknown)(parsed.data)
    return { ok: true, value: method.output.parse(result) }
  } catch (error) {
    const refusal = failureOf(error)
    if (refusal.key === 'internal') fault(refusal)
    return { ok: false, error: errorBody(refusal, now()) }
  }
}
