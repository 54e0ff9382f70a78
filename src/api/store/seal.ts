import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'

/**
 * Reversible encryption of write-only fields (Social Security numbers) in the world and the request log. The key comes from
 * the world's seed and equal texts have equal seals, so that indexes and local replays work. As the seed is stored in the
 * same file, this hides numbers from a text search; it does not protect them.
 */
export interface Seal {
  seal(text: string): string
  open(sealed: string): string
}

export const SEALED = 'sealed:'

/** How long a sealed number of 9 to 11 characters is. */
const NUMBER_LENGTHS = [34, 35, 36]

/** Opens a seal that is found in a text: letters that follow it belong to the text. undefined if it cannot be opened. */
export function openInText(seal: Seal, text: string): { readonly opened: string; readonly rest: string } | undefined {
  const lengths = NUMBER_LENGTHS.map((length) => SEALED.length + length).filter((length) => length < text.length)
  for (const length of [text.length, ...lengths]) {
    const sealed = text.slice(0, length)
    const opened = seal.open(sealed)
    if (opened !== sealed) return { opened, rest: text.slice(length) }
  }
  return undefined
}

export function createSeal(seed: string): Seal {
  const key = createHmac('sha256', seed).update('seal').digest()
  // Derived from the text: equal texts have equal seals, different texts never share a vector.
  const vectorOf = (text: string) => createHmac('sha256', key).update(text).digest().subarray(0, 16)
  const seal = (text: string) => {
    const vector = vectorOf(text)
    const cipher = createCipheriv('aes-256-ctr', key, vector)
    return SEALED + Buffer.concat([vector, cipher.update(text, 'utf8'), cipher.final()]).toString('base64url')
  }
  /** undefined if this is no seal: a client may send a text that begins like one. */
  const open = (text: string): string | undefined => {
    const bytes = text.startsWith(SEALED) ? Buffer.from(text.slice(SEALED.length), 'base64url') : Buffer.alloc(0)
    if (bytes.length < 16) return undefined
    const decipher = createDecipheriv('aes-256-ctr', key, bytes.subarray(0, 16))
    const content = Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]).toString('utf8')
    return seal(content) === text ? content : undefined
  }
  return {
    seal: (text) => (open(text) === undefined ? seal(text) : text),
    open: (text) => open(text) ?? text,
  }
}
