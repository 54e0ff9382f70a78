import { createHmac, hash } from 'node:crypto'
import type { Uid } from '../contract/terms/primitives.ts'

/** Base 58: no 0, O, I or l, as in the platform's own uids. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const LENGTH = 16

/** The nth random number with this many digits, e.g. an account number. It does not begin with 0. */
export function digitsAt(seed: string, n: number, length: number): string {
  const random = BigInt(`0x${createHmac('sha256', seed).update(`digits ${n}`).digest('hex')}`)
  const smallest = 10n ** BigInt(length - 1)
  return String(smallest + (random % (9n * smallest)))
}

/** The nth uid of a world: looks random, and is the same every time. */
export function uidAt(seed: string, n: number): Uid {
  const bytes = hash('sha256', `${seed} uid ${n}`, 'binary')
  let uid = ''
  for (let i = 0; i < LENGTH; i++) uid += ALPHABET[bytes.charCodeAt(i) % ALPHABET.length]
  return uid
}
