import { unreadableLine } from './journal.ts'
import { StoreError } from './store-error.ts'

/** The first line of each file says what it is. There is one stored form: before the first release a change of it changes version 1. */

export const VERSION = 1

const KINDS = {
  world: 'a world',
  changes: 'a file of changes',
  replacement: 'a replacement',
  log: 'a log',
  traces: 'used trace ids',
}

export interface Header {
  readonly sandbank: keyof typeof KINDS
  readonly version: number
}

export const formatHeader = <H extends Header>(sandbank: H['sandbank'], about: Omit<H, keyof Header>): string =>
  JSON.stringify({ sandbank, version: VERSION, ...about })

export function readHeader<H extends Header>(path: string, text: string, kind: H['sandbank']): H {
  const header = parseLine(path, { text, number: 1 }) as H
  if (header.sandbank !== kind) throw unreadableLine(path, 1, `it is not the header of ${KINDS[kind]}`)
  requireVersion(header.version)
  return header
}

export function requireVersion(version: unknown) {
  if (version === VERSION) return
  throw new StoreError(
    `The stored form has version ${JSON.stringify(version)}, and this Sandbank reads version ${VERSION}: use the Sandbank that wrote it, or pass --data with another folder`,
  )
}

export function parseLine(path: string, { text, number }: { readonly text: string; readonly number: number }): object {
  try {
    return JSON.parse(text) as object
  } catch {
    throw unreadableLine(path, number, 'it is not JSON')
  }
}
