import { StoreError } from './store-error.ts'

/**
 * Every change of the saved shape is a row: how one record of the shape before becomes a record of the shape after.
 * A row is never edited once released, and each has a folder of old files in `test/store/migrations/`.
 */

type Json = { readonly [key: string]: unknown }
/** undefined drops the record. */
export type Migration = (collection: string, record: Json) => Json | undefined

/** Until now no account had held anything, and no Program had said how payments go. */
const paymentsBegin: Migration = (collection, record) => {
  if (collection === 'synthetic_accounts' || collection === 'custodial_accounts')
    return { ...record, book_balance: '0.00' }
  if (collection !== 'programs') return record
  return {
    ...record,
    transaction_types: ['ach', 'wire', 'instant_payment', 'book_transfer'],
    authorization_hours: 24,
    unanswered_authorization: 'approve',
    pre_funding: true,
    queue_minutes: { ach: 0, wire: 0, instant_payment: 0, book: 0 },
    vrn_cooldown_minutes: 0,
    strict: false,
    trace_ids_optional: false,
    shows_iat: true,
    account_limits: {
      general_accounts: null,
      one_external_account: false,
      external_accounts: null,
      minutes_between_external_accounts: null,
      same_external_account: null,
      ach_external_accounts: null,
    },
  }
}

/** World files have many records to a line since; the records are the same. */
const slicesBegin: Migration = (_collection, record) => record

/** A line of changes says only how the record before differed since; the records are the same. */
const differencesBegin: Migration = (_collection, record) => record

/** The row at place n leads from shape n + 1 to shape n + 2. */
export const migrations: readonly Migration[] = [paymentsBegin, slicesBegin, differencesBegin]

/** What brings records of this shape to today's; refuses what a newer Sandbank has written. */
export function migrate(version: unknown, rows: readonly Migration[] = migrations): Migration {
  const today = rows.length + 1
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    throw new StoreError(`The world's shape is ${JSON.stringify(version)}, which is no version of Sandbank`)
  if (version > today)
    throw new StoreError(
      `The world has shape ${version} and this Sandbank reads up to ${today}: update Sandbank, or pass --data with another folder`,
    )
  const due = rows.slice(version - 1)
  return (collection, record) => {
    let current: Json | undefined = record
    for (const row of due) current = current && row(collection, current)
    return current
  }
}
