/** ACH cuts names to 16 characters, after removing the characters that it does not know. */

const LENGTH = 16

export const cutName = (name: string): string => withoutOtherCharacters(name).slice(0, LENGTH).trim()

/** The word in which the name is cut, and what is left of it; undefined if it is cut between words. */
export function findCutWord(name: string): { readonly word: string; readonly start: string } | undefined {
  const plain = withoutOtherCharacters(name)
  const start = /[^.,' -]+$/.exec(plain.slice(0, LENGTH))?.[0]
  const end = /^[^.,' -]+/.exec(plain.slice(LENGTH))?.[0]
  return start !== undefined && end !== undefined ? { word: start + end, start } : undefined
}

const withoutOtherCharacters = (name: string) => name.replaceAll(/[^a-zA-Z0-9.,' -]/g, '')
