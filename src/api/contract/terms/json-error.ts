/** Positions in a text, and the position of an error in JSON. */

/** `line 3, column 9`, both counted from 1. */
export function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return `line ${line}, column ${offset - (before.lastIndexOf('\n') + 1) + 1}`
}

interface JsonErrorPlace {
  /** Counted from 1. */
  readonly line: number
  readonly column: number
  /** E.g. `line 3, column 5: found }; expected a value`. */
  readonly text: string
}

/**
 * Where a text stops being JSON; undefined if it is JSON. The messages of JSON.parse may lack the position, and may quote
 * secrets.
 */
export function locateJsonError(text: string, whole = 'text'): JsonErrorPlace | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch {
    const { offset, expected } = findError(text, whole)
    const place = lineAndColumn(text, offset)
    const [line = 1, column = 1] = (place.match(/\d+/g) ?? []).map(Number)
    const found =
      offset >= text.length ? `the ${whole} ends here, as if it had been cut off` : `found ${charAt(text, offset)}`
    return { line, column, text: `${place}: ${found}; expected ${expected}` }
  }
}

const charAt = (text: string, offset: number): string => {
  const char = String.fromCodePoint(text.codePointAt(offset)!)
  return char < ' ' ? 'a line break or another control character' : char
}

const BLANK = /[ \t\r\n]*/y
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y
const FOUR_DIGITS = /[\da-fA-F]{4}/y
const [QUOTE, BACKSLASH, BLANK_CODE] = [34, 92, 32]

/** 0 if it is no escape. */
function escapeLength(text: string, at: number): number {
  const letter = text[at + 1]
  if (letter !== 'u') return letter !== undefined && '"\\/bfnrt'.includes(letter) ? 2 : 0
  FOUR_DIGITS.lastIndex = at + 2
  return FOUR_DIGITS.test(text) ? 6 : 0
}

interface JsonError {
  readonly offset: number
  readonly expected: string
}

/** Without recursion, as the text may be deep. */
function findError(text: string, whole: string): JsonError {
  const open: ('}' | ']')[] = []
  let at = 0
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const length = pattern.exec(text)?.[0].length
    at += length ?? 0
    return length !== undefined
  }
  const accept = (char: string): boolean => {
    skip(BLANK)
    if (text[at] !== char) return false
    at++
    return true
  }
  /** Reads the rest of a string. False if it does not end; `at` is then the position of the error. */
  const readString = (): boolean => {
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) {
        at++
        return true
      }
      if (code < BLANK_CODE) return false
      if (code !== BACKSLASH) continue
      const length = escapeLength(text, at)
      if (length === 0) return false
      at += length - 1
    }
    return false
  }
  const error = (expected: string): JsonError => ({ offset: at, expected })
  const readKey = (): JsonError | undefined => {
    if (!accept('"')) return error('a name in double quotes')
    if (!readString()) return error('the " that ends a text')
    return accept(':') ? undefined : error('a colon')
  }
  while (true) {
    // The beginning of a value.
    if (accept('{')) {
      if (!accept('}')) {
        open.push('}')
        const keyError = readKey()
        if (keyError) return keyError
        continue
      }
    } else if (accept('[')) {
      if (!accept(']')) {
        open.push(']')
        continue
      }
    } else if (accept('"')) {
      if (!readString()) return error('the " that ends a text')
    } else if (!skip(SCALAR)) return error('a value')
    // Its end, perhaps with the ends of the objects and lists around it.
    while (open.length > 0 && accept(open.at(-1)!)) open.pop()
    const end = open.at(-1)
    skip(BLANK)
    if (end === undefined) return error(`the end of the ${whole}`)
    if (!accept(',')) return error(`a comma or ${end}`)
    if (end === '}') {
      const keyError = readKey()
      if (keyError) return keyError
    }
  }
}
