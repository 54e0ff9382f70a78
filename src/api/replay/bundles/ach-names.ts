/** ACH cuts names to 16 characters, after removing the characters that it does not know. */

const LENGTH = 16

export const cutName = (name: string): string => withoutOtherCharacters(name).slice(0, LENGTH).trim()

/** The beginning of a word at which the name is cut; undefined if it is cut between words. */
export function findCutWord(name: string): string | undefined {
  const plain = withoutOtherCharacters(name)
  const next = plain[LENGTH]
  return next !== undefined && WORD_END.test(next) ? WORD_END.exec(plain.slice(0, LENGTH))?.[0] : undefined
}

const WORD_END = /[^.,' -]+$/
const withoutOtherCharacters = (name: string) => name.replaceAll(/[^a-zA-Z0-9.,' -]/g, '')
