/** Finds the keys of a world in any text: as they are, URL-encoded, JSON-escaped, in hex, and in base64 of the key alone. */

/** A shorter key would be part of ordinary words. */
export const MIN_KEY_LENGTH = 6

function formsOf(key: string): readonly string[] {
  const bytes = Buffer.from(key)
  const hex = bytes.toString('hex')
  // The last character also encodes what follows the key.
  const whole = Math.floor((8 * bytes.length) / 6)
  const base64 = (['base64', 'base64url'] as const).map((encoding) => bytes.toString(encoding).slice(0, whole))
  return [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), ...base64, hex, hex.toUpperCase()]
}

const START = 4
/** Seven bits of each of the last four characters: forms with equal ones are compared as a whole. */
const addToStart = (start: number, text: string, at: number) => ((start << 7) | (text.charCodeAt(at) & 127)) & 0xfffffff

function startOf(form: string): number {
  let start = 0
  for (let at = 0; at < START; at++) start = addToStart(start, form, at)
  return start
}

/** Replaces the keys in a text. A world may have hundreds of them, so the text is read once and not once for each key. */
export function createKeyRemover(keys: readonly string[]): (text: string) => string {
  const forms = new Set(keys.filter(({ length }) => length >= MIN_KEY_LENGTH).flatMap(formsOf))
  if (forms.size === 0) return (text) => text
  const byStart = new Map<number, string[]>()
  // The longest first: a key may be the beginning of another one.
  for (const form of [...forms].sort((a, b) => b.length - a.length)) {
    const start = startOf(form)
    byStart.set(start, [...(byStart.get(start) ?? []), form])
  }
  return (text) => {
    const clean: string[] = []
    let done = 0
    let start = 0
    for (let at = 0; at < text.length; at++) {
      start = addToStart(start, text, at)
      const from = at - START + 1
      if (from < done) continue
      const found = byStart.get(start)?.find((form) => text.startsWith(form, from))
      if (found === undefined) continue
      clean.push(text.slice(done, from), '[key removed]')
      done = from + found.length
      at = done - 1
    }
    return done === 0 ? text : clean.join('') + text.slice(done)
  }
}
