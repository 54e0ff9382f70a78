import { ControlError } from '../../api/contract/control.ts'

/** What went wrong, in one line: the API's own words where it has any. */
export function wordsOf(error: unknown): string {
  if (error instanceof ControlError) {
    const [first] = error.body.errors
    return first ? `${first.code} ${first.title}: ${first.extra ?? first.detail}` : error.message
  }
  return 'The sandbox did not answer.'
}

/** The same as a sentence: another one may follow. */
export const sentenceOf = (error: unknown): string => wordsOf(error).replace(/[^.!?…]$/, '$&.')

/**
 * Text that somebody stored, made harmless to look at: a control character is shown as its picture, so that it neither
 * vanishes nor acts. What changes the direction of writing is kept and isolated where it is shown.
 */
export const shown = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  text.replace(/[\u0000-\u001f\u007f]/g, (sign) =>
    sign === '\u007f' ? '\u2421' : String.fromCharCode(0x2400 + sign.charCodeAt(0)),
  )
