import { createCipheriv, createHmac } from 'node:crypto'

/** Random bytes, always the same for the same key and text. The text is hashed once, so a long one takes time in proportion to its length. */
export function drawBytes(key: Uint8Array, of: string, length: number): Buffer {
  const mac = createHmac('sha256', key).update(of).digest()
  if (length <= mac.length) return mac
  return createCipheriv('aes-256-ctr', mac, Buffer.alloc(16)).update(Buffer.alloc(length))
}
