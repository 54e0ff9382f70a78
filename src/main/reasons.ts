import type { ControlReply } from '../api/contract/control/client.ts'

/** Why a control method was refused: the detail is the general sentence of the code, the extra says what is wrong here. */
export function reasonOf(reply: Extract<ControlReply, { ok: false }>): string {
  const [error] = reply.error.errors
  return error?.extra ?? error?.detail ?? 'it was refused'
}
