/** Reads forms and percent-encoded texts. Each function takes linear time, and far less than URLSearchParams for a long text. */

const [PERCENT, PLUS, BLANK] = [37, 43, 32]

/** The value of a hexadecimal digit; -1 for another character. */
function hexDigit(code = 0): number {
  if (code >= 48 && code <= 57) return code - 48
  const letter = code | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}

/** `%41` is a byte of UTF-8, and a `%` before anything else stays. In a form `+` is a blank. */
export function decodePercents(text: string, { isForm = false } = {}): string {
  if (!text.includes('%') && !(isForm && text.includes('+'))) return text
  const bytes = Buffer.from(text)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    const high = byte === PERCENT ? hexDigit(bytes[at + 1]) : -1
    const low = high >= 0 ? hexDigit(bytes[at + 2]) : -1
    if (low >= 0) at += 2
    bytes[length++] = low >= 0 ? 16 * high + low : byte === PLUS && isForm ? BLANK : byte
  }
  return bytes.toString('utf8', 0, length)
}

/** Counts no further than it needs. */
export function occursMoreThan(text: string, character: string, most: number): boolean {
  let count = 0
  for (let at = text.indexOf(character); at >= 0 && count <= most; at = text.indexOf(character, at + 1)) count++
  return count > most
}

type Pair = readonly [name: string, value: string, pair: string]

/** The fields of a form or a query, one after the other, so that the caller can stop when there are too many. */
export function* formPairs(text: string): Iterable<Pair> {
  for (let from = 0; from <= text.length; ) {
    const next = text.indexOf('&', from)
    const end = next < 0 ? text.length : next
    if (end > from) yield parsePair(text.slice(from, end))
    from = end + 1
  }
}

export function parsePair(pair: string): Pair {
  const decode = (part: string) => decodePercents(part, { isForm: true })
  const equals = pair.indexOf('=')
  return equals < 0 ? [decode(pair), '', pair] : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1)), pair]
}
