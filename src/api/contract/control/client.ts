import type { ErrorBody } from '../error-body.ts'
import type { MethodInput, MethodName, MethodOutput } from './methods.ts'
import type { Notice } from './notices.ts'

export type ControlReply =
  /** `operation`: the one that the call began, if it changed the world. */
  | { readonly ok: true; readonly value: unknown; readonly operation?: number | undefined }
  | { readonly ok: false; readonly error: ErrorBody }

/** A transport. It knows no method by name. */
export interface Bridge {
  /** `world`: the name of a world, null for the root world. Default: the world that the bridge was made for. */
  call(name: string, input: unknown, world?: string | null): Promise<ControlReply>
  /** Notices come in batches. `connected` is called when their stream is lost, and when it is back. */
  subscribe(onNotices: (notices: readonly Notice[]) => void, connected?: (is: boolean) => void): () => void
}

/** A refusal, as the other process sent it. */
export class ControlError extends Error {
  override name = 'ControlError'
  readonly body: ErrorBody
  constructor(body: ErrorBody) {
    const [first] = body.errors
    super(first ? (first.extra ?? first.detail) : `Refused with status ${body.status}`)
    this.body = body
  }
}

export type ControlClient = { readonly [N in MethodName]: (input: MethodInput<N>) => Promise<MethodOutput<N>> }

/** Over HTTP, the operation of a call. */
export const OPERATION_HEADER = 'x-sandbank-operation'

/**
 * Over HTTP, a call with it is answered without keys and tokens. A number is how many characters of the answer are needed: a longer one is
 * cut, so that it is no JSON.
 */
export const MASKED_HEADER = 'x-sandbank-masked'

/** How many characters a masked answer has before it is masked and cut. */
export const LENGTH_HEADER = 'x-sandbank-length'

const operations = new WeakMap<object, number>()
/** The operation of a call, by what it returned; null if it changed nothing. */
export const operationOf = (result: object): number | null => operations.get(result) ?? null

/** A function for each control method. It is the same over Electron IPC and over HTTP. */
export function createControlClient(bridge: Bridge, world?: string | null): ControlClient {
  const call = (name: string) => async (input: unknown) => {
    const reply = await bridge.call(name, input, world)
    if (!reply.ok) throw new ControlError(reply.error)
    if (reply.operation !== undefined) operations.set(reply.value as object, reply.operation)
    return reply.value
  }
  // By name, not by a list: a window needs no schema to begin. `await` asks every object for `then`, which is no method.
  return new Proxy({} as ControlClient, {
    get: (_, name) => (typeof name === 'string' && name !== 'then' ? call(name) : undefined),
  })
}
