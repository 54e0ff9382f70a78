import { rowOf } from '../contract/collections.ts'
import { ApiError } from '../contract/errors.ts'
import { formatMessage, isMessage, type MessageBody, messageBody } from '../contract/messages.ts'
import type { Schema } from '../contract/terms/endpoint.ts'
import { hasPath, pickFields } from '../contract/terms/fields.ts'
import { showRecord as showWithPrivate } from '../domain/resources/show.ts'
import type { ReadTx } from '../store/tx.ts'
import type { CollectionName, StoredRecord } from '../store/world.ts'

/** How the operator sees the records of each collection: as the API shows them, and nothing that is private. */

export function showRecord(tx: ReadTx, name: CollectionName, record: StoredRecord): Record<string, unknown> {
  return rowOf(name).schema.parse(showWithPrivate(tx, name, record as never)) as Record<string, unknown>
}

/** With the message behind its text, so that the window need not parse it. */
export function showWithMessage(tx: ReadTx, name: CollectionName, record: StoredRecord): Record<string, unknown> {
  const message = messageIn(name, record)
  const shown = showRecord(tx, name, record)
  return message ? { ...shown, message } : shown
}

/** The message behind the text of a record, if it has one. */
export function messageIn(name: CollectionName, record: StoredRecord): MessageBody | undefined {
  const { messageField } = rowOf(name)
  const message = messageField && (record as StoredRecord & { readonly [field: string]: unknown })[messageField]
  return isMessage(message) ? messageBody(message) : undefined
}

/** Only some fields of a record; what is nested in it stays nested. One that the collection does not have is refused. */
export function fieldPicker(name: CollectionName, fields: readonly string[]) {
  const { schema } = rowOf(name)
  const wantsMessage = fields.includes('message') && rowOf(name).messageField !== undefined
  const unknown = fields.find((field) => !hasPath(schema, field) && !(wantsMessage && field === 'message'))
  if (unknown !== undefined)
    throw new ApiError(
      'invalidArgument',
      `fields: ${name} have no ${unknown}; they have ${Object.keys(schema.shape).join(', ')}`,
    )
  const paths = [...new Set(['uid', ...fields])]
    .filter((field) => hasPath(schema, field))
    .map((field) => field.split('.'))
  const asked = schemaOf(name, [...new Set(paths.map(([first = '']) => first))])
  return (record: StoredRecord, tx: ReadTx) => {
    const whole = asked.parse(showWithPrivate(tx, name, record as never)) as Part
    const part: Part = {}
    for (const path of paths) take(whole, part, path)
    return wantsMessage ? { ...part, message: messageIn(name, record) } : part
  }
}

/** Made once for all pages of a list. Whoever asks for ever new fields has it made anew. */
const schemas = new Map<string, Schema>()
const MOST_SCHEMAS = 100

function schemaOf(name: CollectionName, fields: readonly string[]): Schema {
  const key = `${name} ${fields.join()}`
  const known = schemas.get(key)
  if (known) return known
  if (schemas.size >= MOST_SCHEMAS) schemas.clear()
  const made = pickFields(rowOf(name).schema, fields)
  schemas.set(key, made)
  return made
}

type Part = Record<string, unknown>

function take(from: Part, into: Part, [name = '', ...rest]: readonly string[]) {
  if (!Object.hasOwn(from, name)) return
  const value = from[name]
  if (rest.length === 0 || typeof value !== 'object' || value === null) into[name] = value
  else take(value as Part, (into[name] ??= {}) as Part, rest)
}

/** A record as it was at some commit: what is worked out, or private, is left out. */
export function visible(name: CollectionName, record: StoredRecord): Record<string, unknown> {
  const {
    account_number,
    hmac_key: _,
    ...rest
  } = record as StoredRecord & { account_number?: string; hmac_key?: string }
  const isOwn = (record as StoredRecord & { liability?: boolean }).liability === true
  const known = Object.keys(rowOf(name).schema.shape)
  return Object.fromEntries(
    Object.entries({ ...rest, ...(account_number !== undefined && isOwn ? { account_number } : {}) })
      .filter(([field]) => known.includes(field))
      .map(([field, value]) => [field, isMessage(value) ? formatMessage(value) : value]),
  )
}
