import { escapeRegExp } from '../contract/terms/texts.ts'

/** Finds the keys of a world in any text: as they are, URL-encoded, JSON-escaped, in base64 and in hex. */

/** A shorter key would be part of ordinary words. */
const MIN_KEY_LENGTH = 6

function formsOf(key: string): readonly string[] {
  const bytes = Buffer.from(key)
  const hex = bytes.toString('hex')
  // The last character also encodes what follows the key.
  const whole = Math.floor((8 * bytes.length) / 6)
  const base64 = (['base64', 'base64url'] as const).map((encoding) => bytes.toString(encoding).slice(0, whole))
  return [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), ...base64, hex, hex.toUpperCase()]
}

/** Replaces the keys in a text. */
export function createKeyRemover(keys: readonly string[]): (text: string) => string {
  const forms = new Set(keys.filter(({ length }) => length >= MIN_KEY_LENGTH).flatMap(formsOf))
  if (forms.size === 0) return (text) => text
  // The longest first: a key may be the beginning of another one.
  const inOrder = [...forms].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(inOrder.map(escapeRegExp).join('|'), 'g')
  return (text) => text.replace(pattern, '[key removed]')
}
