import { type Control, METHODS } from './contract.ts'
import { parseErrorBody, SandbankError } from './errors.ts'
import { sendRequest } from './http.ts'

/** Where a sandbox is, and the key of its control API. */
export interface ControlAddress {
  /** Such as `http://127.0.0.1:4010/control`. */
  readonly control: string
  readonly control_key: string
}

/** The control API as functions. Each throws a SandbankError for a refusal. */
export function createControl({ control, control_key }: ControlAddress): Control {
  async function call(name: string, input: unknown): Promise<unknown> {
    const headers = { 'x-control-key': control_key, 'content-type': 'application/json' }
    const body = JSON.stringify(input ?? {})
    const { status, text } = await sendRequest(`${control}/${name}`, { method: 'POST', headers, body })
    if (status === 200) return JSON.parse(text)
    throw new SandbankError(name, parseErrorBody(status, text))
  }
  const functions: Record<string, unknown> = {}
  for (const name of METHODS) {
    const [group = '', method] = name.split('.')
    const send = (input?: unknown) => call(name, input)
    if (method === undefined) functions[group] = send
    else functions[group] = { ...(functions[group] as object | undefined), [method]: send }
  }
  return functions as unknown as Control
}
