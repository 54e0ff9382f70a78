import type { ControlReply } from '../contract/control/client.ts'
import { type MethodName, type MethodParsed, methods } from '../contract/control/methods.ts'
import { ApiError } from '../contract/errors.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'
import { isTooDeep, MAX_DEPTH } from '../http/body.ts'
import { errorBody, toApiError, toRefusal } from '../http/error-response.ts'
import { IndexMissing } from '../store/collection.ts'
import type { Steps } from '../store/steps.ts'
import { StoreError } from '../store/store-error.ts'
import type { ActionRecorder } from './action-recorder.ts'
import type { Control } from './door.ts'
import type { OnText } from './jobs.ts'
import { parseInSteps } from './long-lists.ts'
import type { OperationGroup } from './operation-groups.ts'
import { refuseUnreadableKey } from './webhook-methods.ts'

export interface DispatchContext {
  readonly now: () => Timestamp
  readonly runDue: () => Promise<void> | undefined
  readonly reportInternalError: (error: ApiError) => void
  readonly recordAction: ActionRecorder['record']
  /** Runs the steps with pauses, in which other calls are handled. */
  readonly runSteps: <T>(steps: Steps<T>) => Promise<T>
  /** What an action needs of the history is read before it begins. */
  readonly readFirst: <N extends MethodName>(name: N, input: MethodParsed<N>) => Steps<unknown> | undefined
}

/** After these the rest of the older events of a webhook is due: also a frozen clock runs it now. If the disk fails, it stays due. */
const MAKES_DUE: ReadonlySet<MethodName> = new Set(['webhooks.create', 'webhooks.update'] as const)
const runNow = async ({ runDue }: Pick<DispatchContext, 'runDue'>) => runDue()

/** Checks that take time come before the action begins: an action that pauses before its commit could be described with another one's input. */
const slowChecks: { readonly [N in MethodName]?: (input: MethodParsed<N>) => Promise<void> } = {
  'webhooks.create': refuseUnreadableKey,
  'webhooks.update': refuseUnreadableKey,
}

/** The operator may know what is wrong with the data folder: which file, which line, and what to do. */
function toControlError(error: unknown): ApiError {
  const refusal = toApiError(error)
  return error instanceof StoreError ? new ApiError('internal', error.message, refusal.cause_for_operator) : refusal
}

/** Only for methods that read: one that has changed something must not run twice. */
async function retryWithIndexes(call: () => unknown, runSteps: DispatchContext['runSteps']): Promise<unknown> {
  for (;;)
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof IndexMissing)) throw error
      await runSteps(error.build())
    }
}

const isSteps = (result: unknown): result is Steps<unknown> =>
  typeof result === 'object' && result !== null && Symbol.iterator in result

/** Throws an ApiError for an invalid input. */
export function parseInput<N extends MethodName>(name: N, input: unknown): MethodParsed<N> {
  if (isTooDeep(input)) throw new ApiError('invalidArgument', `the input has more than ${MAX_DEPTH} levels`)
  const schema = methods[name].input
  const parsed = schema.safeParse(input ?? {})
  if (!parsed.success) throw toRefusal(parsed.error.issues, input, schema)
  return parsed.data as MethodParsed<N>
}

/** Door 3, the operator: finds the control method, validates its input, calls it, validates its output. Never throws. */
export async function dispatch(
  control: Control,
  name: string,
  input: unknown,
  { now, runDue, reportInternalError, recordAction, runSteps, readFirst }: DispatchContext,
  onText?: OnText,
  group: OperationGroup | null = {},
): Promise<ControlReply> {
  try {
    if (!Object.hasOwn(methods, name)) throw new ApiError('routeNotFound', `there is no control method ${name}`)
    const method = methods[name as MethodName]
    const parsed = parseInput(name as MethodName, input)
    const due = 'isOfSandbox' in method ? undefined : runDue()
    if (due) await due
    await slowChecks[name as MethodName]?.(parsed as never)
    const before = readFirst(name as MethodName, parsed as never)
    if (before) await runSteps(before)
    const call = () => {
      const result = (control[name as MethodName] as (input: unknown, onText?: OnText) => unknown)(parsed, onText)
      return isSteps(result) ? runSteps(result) : result
    }
    const result = await ('isAction' in method
      ? recordAction(name as MethodName, input ?? {}, call, group)
      : retryWithIndexes(call, runSteps))
    if (MAKES_DUE.has(name as MethodName)) await runNow({ runDue }).catch(() => {})
    return { ok: true, value: await runSteps(parseInSteps(method.output, result)), operation: group?.first }
  } catch (error) {
    const refusal = toControlError(error)
    if (refusal.key === 'internal') reportInternalError(refusal)
    return { ok: false, error: errorBody(refusal, now()) }
  }
}
