import { STORED_FORM } from './form.ts'
import { unreadableLine } from './journal.ts'
import { StoreError } from './store-error.ts'

/** The first line of each file says what it is. There is one stored form, and every other one is refused. */

/** Raised when the lines of files or bundles change, or their meaning; the form of the records in them is in the digest. */
const LINES = 5
export const VERSION = `${LINES}-${STORED_FORM}`

const KINDS = {
  world: 'a world',
  changes: 'a file of changes',
  log: 'a log',
}

export interface Header {
  readonly sandbank: keyof typeof KINDS
  readonly version: string
}

export const formatHeader = <H extends Header>(sandbank: H['sandbank'], about: Omit<H, keyof Header>): string =>
  JSON.stringify({ sandbank, version: VERSION, ...about })

export function readHeader<H extends Header>(path: string, text: string, kind: H['sandbank']): H {
  const header = parseLine(path, { text, number: 1 }) as H
  if (header.sandbank !== kind) throw unreadableLine(path, 1, `it is not the header of ${KINDS[kind]}`)
  if (header.version !== VERSION)
    throw new StoreError(`${path} ${otherForm(header.version)}, or pass --data with another folder`)
  return header
}

export const otherForm = (version: unknown) =>
  `was written by another build of Sandbank: its stored form is ${JSON.stringify(version)}, and "${VERSION}" is expected. Use the build that wrote it`

export function parseLine(path: string, { text, number }: { readonly text: string; readonly number: number }): object {
  try {
    return JSON.parse(text) as object
  } catch {
    throw unreadableLine(path, number, 'it is not JSON')
  }
}
