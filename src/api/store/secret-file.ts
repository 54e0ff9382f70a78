import { join } from 'node:path'
import { files, readText, writeText } from './files.ts'
import { formatLine } from './journal.ts'
import { isFileError, StoreError, unreadable } from './store-error.ts'

/** The key of access tokens: random text as one line with a check. */

const BYTES = 64

export const secretPath = (folder: string) => join(folder, 'token-secret')

const format = (secret: Uint8Array) => formatLine(Buffer.from(secret).toString('base64url'), 0).bytes.toString('utf8')

/** undefined if there is none. */
export function readSecret(folder: string): Uint8Array | undefined {
  const path = secretPath(folder)
  if (!files.exists(path)) return undefined
  const text = readSecretText(path)
  const secret = Buffer.from(text.slice(0, text.indexOf('\t')), 'base64url')
  if (secret.length === BYTES && format(secret) === text) return secret
  throw new StoreError(
    `${path} cannot be read: it was changed after it was written. Nothing was changed. Restore it, or run sandbank repair, after which clients sign in again`,
  )
}

function readSecretText(path: string): string {
  try {
    return readText(path)
  } catch (error) {
    throw isFileError(error) ? unreadable(path, error) : error
  }
}

export const writeSecret = (folder: string, secret: Uint8Array) => writeText(secretPath(folder), format(secret))
