import { type ControlReply, type MethodName, methods } from '../contract/control.ts'
import { ApiError } from '../contract/errors.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'
import { errorBody, toApiError, toRefusal } from '../http/error-response.ts'
import type { Control } from './door.ts'

/** What the door needs of the sandbox. */
export interface DispatchContext {
  readonly now: () => Timestamp
  readonly runDue: () => void
  readonly fault: (error: ApiError) => void
  /** The newest commit. */
  readonly seq: () => number
  /** What acts is part of the record. */
  readonly wrote: (name: MethodName, input: unknown, seq_before: number) => void
}

/** The one door of the operator: find, parse, call, parse. It never throws across a process boundary. */
export async function dispatch(
  control: Control,
  name: string,
  input: unknown,
  { now, runDue, fault, seq, wrote }: DispatchContext,
): Promise<ControlReply> {
  try {
    if (!Object.hasOwn(methods, name)) throw new ApiError('routeNotFound', `there is no control method ${name}`)
    const method = methods[name as MethodName]
    const parsed = method.input.safeParse(input ?? {})
    if (!parsed.success) throw toRefusal(parsed.error.issues, input)
    // The operator, too, never sees a window open that the clock has closed.
    runDue()
    const seq_before = seq()
    const result = await (control[name as MethodName] as (input: unknown) => unknown)(parsed.data)
    if ('acts' in method) wrote(name as MethodName, input ?? {}, seq_before)
    return { ok: true, value: method.output.parse(result) }
  } catch (error) {
    const refusal = toApiError(error)
    if (refusal.key === 'internal') fault(refusal)
    return { ok: false, error: errorBody(refusal, now()) }
  }
}
