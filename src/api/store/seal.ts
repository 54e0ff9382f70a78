import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'

/**
 * A Social Security number is write-only. The world and the request log keep it sealed, with a key from the world's
 * seed and always to the same text, so that a search of every file finds none, equal numbers stay equal, and a local
 * replay can open them. It hides; with the seed beside it, it does not protect.
 */
export interface Seal {
  seal(text: string): string
  open(sealed: string): string
}

export const SEALED = 'sealed:'

export function createSeal(seed: string): Seal {
  const key = createHmac('sha256', seed).update('seal').digest()
  // The vector comes from the text: the same text seals to the same letters, different ones never share a vector.
  const vectorOf = (text: string) => createHmac('sha256', key).update(text).digest().subarray(0, 16)
  const sealed = (text: string) => {
    const vector = vectorOf(text)
    const cipher = createCipheriv('aes-256-ctr', key, vector)
    return SEALED + Buffer.concat([vector, cipher.update(text, 'utf8'), cipher.final()]).toString('base64url')
  }
  /** undefined when it is no seal of ours: anybody may write the word. */
  const opened = (text: string): string | undefined => {
    const bytes = text.startsWith(SEALED) ? Buffer.from(text.slice(SEALED.length), 'base64url') : Buffer.alloc(0)
    if (bytes.length < 16) return undefined
    const decipher = createDecipheriv('aes-256-ctr', key, bytes.subarray(0, 16))
    const inside = Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]).toString('utf8')
    return sealed(inside) === text ? inside : undefined
  }
  return {
    seal: (text) => (opened(text) === undefined ? sealed(text) : text),
    open: (text) => opened(text) ?? text,
  }
}
