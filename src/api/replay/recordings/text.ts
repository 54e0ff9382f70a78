import { UnreadableRecording } from './recording.ts'

/** Where something stands in a text, and where a JSON text ceases to be one. */

/** "line 3, column 9", both counted from 1. */
export function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return `line ${line}, column ${offset - (before.lastIndexOf('\n') + 1) + 1}`
}

/** JSON.parse tells no place of every error, and quotes what may be a secret of some. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const { offset, expected } = firstError(text)
    const found =
      offset >= text.length ? 'the file ends here, as if it had been cut off' : `found ${charAt(text, offset)}`
    throw new UnreadableRecording(
      `${what} is not well-formed JSON: ${lineAndColumn(text, offset)}: ${found}; expected was ${expected}.`,
    )
  }
}

const charAt = (text: string, offset: number): string => {
  const char = String.fromCodePoint(text.codePointAt(offset)!)
  return char < ' ' ? 'a line break or another control character' : char
}

const BLANK = /[ \t\r\n]*/y
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y
const PLAIN = /[ !#-[\]-\uffff]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

interface Wrong {
  readonly offset: number
  readonly expected: string
}

/** Once over the text, without recursion: it may be large and deep. */
function firstError(text: string): Wrong {
  const open: ('}' | ']')[] = []
  let at = 0
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const length = pattern.exec(text)?.[0].length
    at += length ?? 0
    return length !== undefined
  }
  const takes = (char: string): boolean => {
    skip(BLANK)
    if (text[at] !== char) return false
    at++
    return true
  }
  /** Whether a string ended; `at` is then behind it, or at what is wrong. */
  const string = (): boolean => {
    do skip(PLAIN)
    while (text[at] === '\\' && skip(ESCAPE))
    if (text[at] !== '"') return false
    at++
    return true
  }
  const wrong = (expected: string): Wrong => ({ offset: at, expected })
  const key = (): Wrong | undefined => {
    if (!takes('"')) return wrong('a name in double quotes')
    if (!string()) return wrong('the " that ends a text')
    return takes(':') ? undefined : wrong('a colon')
  }
  while (true) {
    // A value begins here.
    if (takes('{')) {
      if (!takes('}')) {
        open.push('}')
        const error = key()
        if (error) return error
        continue
      }
    } else if (takes('[')) {
      if (!takes(']')) {
        open.push(']')
        continue
      }
    } else if (takes('"')) {
      if (!string()) return wrong('the " that ends a text')
    } else if (!skip(SCALAR)) return wrong('a value')
    // And has ended here, perhaps with what holds it.
    while (open.length > 0 && takes(open.at(-1)!)) open.pop()
    const end = open.at(-1)
    skip(BLANK)
    if (end === undefined) return wrong('the end of the file')
    if (!takes(',')) return wrong(`a comma or ${end}`)
    if (end === '}') {
      const error = key()
      if (error) return error
    }
  }
}
