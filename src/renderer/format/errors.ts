import { ControlError } from '../../api/contract/control/client.ts'
import type { Refusal } from '../../api/contract/control/requests.ts'

/** One line for an error: the API's own text if it has one. */
export function errorText(error: unknown): string {
  if (error instanceof ControlError) {
    const [first] = error.body.errors
    return first ? `${first.code} ${first.title}: ${first.extra ?? first.detail}` : error.message
  }
  return 'The sandbox did not respond.'
}

/** The same, ending with a full stop, so that another sentence can follow. */
export const errorSentence = (error: unknown): string => errorText(error).replace(/[^.!?…]$/, '$&.')

/** A request that got no response was not refused. */
export const failureTitle = (what: string, error: unknown): string =>
  `${what} ${error instanceof ControlError ? 'was refused' : 'could not be sent'}.`

/** What the API would answer, and the reason that it does not disclose. */
export const formatRefusal = ({ code, title, extra, cause }: Refusal): string =>
  [`${code} ${title}`, extra, cause].filter((part) => part !== null).join(': ')
