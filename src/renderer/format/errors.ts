import { ControlError } from '../../api/contract/control.ts'

/** What went wrong, in one line: the API's own words where it has any. */
export function errorText(error: unknown): string {
  if (error instanceof ControlError) {
    const [first] = error.body.errors
    return first ? `${first.code} ${first.title}: ${first.extra ?? first.detail}` : error.message
  }
  return 'The sandbox did not answer.'
}

/** The same as a sentence: another one may follow. */
export const errorSentence = (error: unknown): string => errorText(error).replace(/[^.!?…]$/, '$&.')
