/** Finds the keys of a world in any text: as they are, URL-encoded, JSON-escaped, in base64 and in hex. */

/** A shorter key would be part of ordinary words. */
const MIN_KEY_LENGTH = 6
const REMOVED = '[key removed]'

function formsOf(key: string): readonly string[] {
  const bytes = Buffer.from(key)
  const hex = bytes.toString('hex')
  // The last character also encodes what follows the key.
  const whole = Math.floor((8 * bytes.length) / 6)
  const base64 = (['base64', 'base64url'] as const).map((encoding) => bytes.toString(encoding).slice(0, whole))
  return [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), ...base64, hex, hex.toUpperCase()]
}

/** So many characters are looked up at once. */
const GRAM = 4

/** A number for four characters. */
const gramAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) & 127) << 21) |
  ((text.charCodeAt(at + 1) & 127) << 14) |
  ((text.charCodeAt(at + 2) & 127) << 7) |
  (text.charCodeAt(at + 3) & 127)

interface Gram {
  readonly form: string
  /** Where in the form it is. */
  readonly offset: number
}

/**
 * Looks at four characters of a text, and skips as many as the shortest form allows: a form that began in between would have other
 * four characters here. So the time depends little on how many keys there are.
 */
export class KeyFinder {
  readonly #shortest: number
  readonly #grams = new Map<number, Gram[]>()

  constructor(keys: readonly string[]) {
    const forms = new Set(keys.filter(({ length }) => length >= MIN_KEY_LENGTH).flatMap(formsOf))
    this.#shortest = [...forms].reduce((least, { length }) => Math.min(least, length), Number.POSITIVE_INFINITY)
    // The longest first: a key may be the beginning of another one.
    for (const form of [...forms].sort((a, b) => b.length - a.length))
      for (let offset = 0; offset + GRAM <= this.#shortest; offset++) {
        const gram = gramAt(form, offset)
        const known = this.#grams.get(gram)
        if (known) known.push({ form, offset })
        else this.#grams.set(gram, [{ form, offset }])
      }
  }

  remove(text: string): string {
    if (text.length < this.#shortest) return text
    const skipped = this.#shortest - GRAM
    const clean: string[] = []
    let done = 0
    for (let at = skipped; at + GRAM <= text.length; ) {
      const found = this.#grams
        .get(gramAt(text, at))
        ?.find(({ form, offset }) => at - offset >= done && text.startsWith(form, at - offset))
      if (found) {
        clean.push(text.slice(done, at - found.offset), REMOVED)
        done = at - found.offset + found.form.length
      }
      at = found ? done + skipped : at + skipped + 1
    }
    return done === 0 ? text : clean.join('') + text.slice(done)
  }
}
