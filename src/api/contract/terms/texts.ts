/** Controls, blanks of all scripts, and characters that show nothing, such as zero-width ones. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** True for an empty text and for one that shows nothing. */
export const isBlank = (text: string): boolean => text.replaceAll(INVISIBLE, '') === ''

/** A name or a path is shown on one line, and a file name cannot hold NUL nor half of a surrogate pair. */
export const isOneLine = (text: string): boolean => !/[\p{Cc}\p{Cs}]/u.test(text)

export const NOT_ONE_LINE = { error: 'a text without control characters is expected' }

/** Controls of a terminal, and characters that turn the direction of the text around them. */
const OBEYED = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu
const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const escapeCharacter = (character: string) =>
  SHORT_ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** For a text in one line of a terminal or a report: shows the characters that a terminal would obey as escapes, as JSON has them. */
export const escapeControls = (text: string): string => text.replaceAll(OBEYED, escapeCharacter)

/** As `escapeControls`, for several lines. JSON stays the same JSON. */
export const escapeControlsInLines = (text: string): string =>
  text.replaceAll(OBEYED, (character) =>
    character === '\n' || character === '\t' ? character : escapeCharacter(character),
  )

export const isVisible = (text: string): boolean => !isBlank(text)

/** Cuts a long text, and says how much is missing: also what was left out before, `dropped`. */
export function cutText(text: string, most: number, missing: string, dropped = 0): string {
  if (text.length <= most) return text
  const end = findCut(text, most, MAX_CUT_WORD)
  return `${text.slice(0, end)}… (${text.length - end + dropped} more characters ${missing})`
}

const END_OF_WORD = /[\s"'`,;()[\]{}<>&?\\]/
const LETTER = /\p{L}/u
/** Keys and tokens are shorter: a longer word may be cut in the middle, as nothing else would be left of the text. */
const MAX_CUT_WORD = 200
const MAX_CUT_NUMBER = 40

/** The latest place to cut at: before a word or a number that would stay in part, and could not be recognized as a secret. */
export function findCut(text: string, most: number, maxWord = Number.POSITIVE_INFINITY): number {
  let end = most
  while (end > 0 && most - end <= maxWord && !END_OF_WORD.test(text[end - 1]!)) end--
  if (most - end > maxWord) end = most
  const least = Math.max(0, end - MAX_CUT_NUMBER)
  while (end > least && !LETTER.test(text[end - 1]!)) end--
  return end
}

/** A text as a part of a pattern. */
export const escapeRegExp = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** The text of which hard mode draws settings; it is also a word of a command line. */
export const SEED_OF_HARD_MODE = /^[\w.-]{1,64}$/
export const EXPECTED_SEED = '1 to 64 letters, digits, dots, dashes and underscores, as in 7 or run-42, are'
