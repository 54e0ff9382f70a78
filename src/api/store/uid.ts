import { createHmac, hash } from 'node:crypto'
import type { Uid } from '../contract/terms/primitives.ts'

/** Base 58: no 0, O, I or l, as in the platform's own uids. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const LENGTH = 16

/** The nth number of so many digits, such as an account number; it never begins with 0. */
export function digitsAt(seed: string, n: number, length: number): string {
  const drawn = BigInt(`0x${createHmac('sha256', seed).update(`digits ${n}`).digest('hex')}`)
  const smallest = 10n ** BigInt(length - 1)
  return String(smallest + (drawn % (9n * smallest)))
}

/** The nth uid of a world: random to look at, the same every time. */
export function uidAt(seed: string, n: number): Uid {
  const drawn = hash('sha256', `${seed} uid ${n}`, 'binary')
  let uid = ''
  for (let i = 0; i < LENGTH; i++) uid += ALPHABET[drawn.charCodeAt(i) % ALPHABET.length]
  return uid
}
