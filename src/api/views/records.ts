import { collectionOfField } from '../contract/collection-names.ts'
import { rowOf } from '../contract/collections.ts'
import { ApiError } from '../contract/errors.ts'
import { formatMessage, isMessage, type MessageBody, messageBody } from '../contract/messages.ts'
import type { Schema } from '../contract/terms/endpoint.ts'
import { hasPath, pickFields } from '../contract/terms/fields.ts'
import { type Outcomes, showRecord as showWithPrivate } from '../domain/resources/show.ts'
import { addDerived } from '../domain/rules/derived.ts'
import type { ReadRecords, ReadTx } from '../store/tx.ts'
import type { CollectionName, StoredRecord, TransactionRecord } from '../store/world.ts'
import { paymentReturnOf } from './payment-return.ts'

/** Shows records to the operator, as the API shows them: without private fields. */

export function showRecord(
  tx: ReadTx,
  name: CollectionName,
  record: StoredRecord,
  outcomes?: Outcomes,
): Record<string, unknown> {
  const shown = showWithPrivate(tx, name, record as never, addDerived, outcomes)
  return rowOf(name).schema.parse(shown) as Record<string, unknown>
}

/** Also returns the message of the record's text, so that the window need not parse the text. */
export function showWithMessage(
  tx: ReadTx,
  name: CollectionName,
  record: StoredRecord,
  outcomes?: Outcomes,
): Record<string, unknown> {
  const message = messageIn(name, record)
  const shown = showRecord(tx, name, record, outcomes)
  return message ? { ...shown, message } : shown
}

/** The message of a record's text, if it has one. */
export function messageIn(name: CollectionName, record: StoredRecord): MessageBody | undefined {
  const { messageField } = rowOf(name)
  const message = messageField && (record as StoredRecord & { readonly [field: string]: unknown })[messageField]
  return isMessage(message) ? messageBody(message) : undefined
}

type Part = Record<string, unknown>
type Picker = (record: StoredRecord, tx: ReadTx) => Part

/**
 * Returns a function that picks some fields of a record, also nested ones and those of records that it names: `details.phone`,
 * `return_transaction.status`, `transactions.status`. Refuses unknown fields.
 */
export function fieldPicker(
  name: CollectionName,
  fields: readonly string[],
  outcomes?: Outcomes,
  isJoined = false,
): Picker {
  const { schema } = rowOf(name)
  const more = Object.entries(moreFieldsOf(name)).filter(([field]) => fields.includes(field))
  const own = ['uid', ...fields.filter((field) => hasPath(schema, field))]
  const others = fields.filter((field) => !hasPath(schema, field) && !more.some(([one]) => one === field))
  // Not of records that those name in turn: each step can multiply the records.
  if (isJoined && others[0] !== undefined) throw unknownField(name, others[0])
  const joins = [...new Set(others.map((field) => field.split('.', 1)[0]!))].map((as) =>
    joinOf(
      name,
      as,
      others.filter((field) => field === as || field.startsWith(`${as}.`)),
    ),
  )
  const paths = [...new Set(own)].map((field) => field.split('.'))
  const pickedSchema = schemaOf(name, [
    ...new Set([...paths.map(([first = '']) => first), ...joins.map(({ field }) => field)]),
  ])
  return (record, tx) => {
    const whole = pickedSchema.parse(showWithPrivate(tx, name, record as never, addDerived, outcomes)) as Part
    const part: Part = {}
    for (const path of paths) copyPath(whole, part, path)
    for (const { as, field, find } of joins) part[as] = find(whole[field], tx)
    for (const [field, read] of more) part[field] = read(record, tx)
    return part
  }
}

/** What the API does not show: the message of the record's text, and the return of a payment. */
const moreFieldsOf = (
  name: CollectionName,
): Readonly<Record<string, (record: StoredRecord, tx: ReadTx) => unknown>> => ({
  ...(rowOf(name).messageField === undefined ? {} : { message: (record) => messageIn(name, record) }),
  ...(name !== 'transactions'
    ? {}
    : {
        payment_return: (record, { transactions }) =>
          paymentReturnOf(record as TransactionRecord, ({ uid }) =>
            transactions.findBy('original_transaction_uid', uid),
          ),
      }),
})

/** Reads fields of the record, or of the records, that a record names: those of `transactions` by `transaction_uids`. */
function joinOf(name: CollectionName, as: string, paths: readonly string[]) {
  const { shape } = rowOf(name).schema
  const field = [`${as}_uid`, `${as.slice(0, -1)}_uids`].find((one) => Object.hasOwn(shape, one))
  const collection = field === undefined ? undefined : collectionOfField(field)
  if (field === undefined || collection === undefined || paths.includes(as)) throw unknownField(name, paths[0]!)
  const pick = fieldPicker(
    collection,
    paths.map((path) => path.slice(as.length + 1)),
    undefined,
    true,
  )
  const find = (uids: unknown, tx: ReadTx) => {
    const records = tx[collection] as unknown as ReadRecords<StoredRecord>
    const found = [uids].flat().map((uid) => {
      const record = typeof uid === 'string' ? records.get(uid) : undefined
      return record ? pick(record, tx) : null
    })
    return Array.isArray(uids) ? found : found[0]
  }
  return { as, field, find }
}

function unknownField(name: CollectionName, field: string) {
  const known = Object.keys(rowOf(name).schema.shape).join(', ')
  return new ApiError('invalidArgument', `fields: ${name} have no ${field}; they have ${known}`)
}

/** Cached, so that the pages of a list share a schema. */
const schemas = new Map<string, Schema>()
const MAX_SCHEMAS = 100

function schemaOf(name: CollectionName, fields: readonly string[]): Schema {
  const key = `${name} ${fields.join()}`
  const known = schemas.get(key)
  if (known) return known
  if (schemas.size >= MAX_SCHEMAS) schemas.clear()
  const schema = pickFields(rowOf(name).schema, fields)
  schemas.set(key, schema)
  return schema
}

function copyPath(from: Part, into: Part, [name = '', ...rest]: readonly string[]) {
  if (!Object.hasOwn(from, name)) return
  const value = from[name]
  if (rest.length === 0 || typeof value !== 'object' || value === null) into[name] = value
  else copyPath(value as Part, (into[name] ??= {}) as Part, rest)
}

/** The fields of a record at some commit, without private and derived ones. */
export function visibleFields(name: CollectionName, record: StoredRecord): Record<string, unknown> {
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
