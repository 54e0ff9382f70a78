/** Counts the parts of a JSON text without parsing it: parsing many keys or levels takes long. */

interface SizeLimits {
  /** Fields of objects and elements of lists; a field that is repeated counts each time. */
  readonly keys: number
  readonly levels: number
}

const [QUOTE, BACKSLASH, COMMA] = [34, 92, 44]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]

/** Which limit the text exceeds first. A text that is no JSON has an answer, too: it ends where the counting ends. */
export function findExcess(text: string, { keys, levels }: SizeLimits): keyof SizeLimits | undefined {
  let count = 0
  let depth = 0
  /** The latest bracket is open, and nothing is in it yet. */
  let isEmpty = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code <= 32) continue
    if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      depth--
      isEmpty = false
      continue
    }
    if (isEmpty || code === COMMA) {
      if (++count > keys) return 'keys'
      isEmpty = false
    }
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > levels) return 'levels'
      isEmpty = true
    }
  }
  return undefined
}

/** The position of the closing quote, or the end of the text. */
function endOfString(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}
