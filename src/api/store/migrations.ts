import { StoreError } from './store-error.ts'

/**
 * One migration for each version of the stored form: it turns a record of that version into one of the next. There are none before
 * the first release: a change of the stored form changes version 1.
 */

type Json = { readonly [key: string]: unknown }
/** Returns undefined to drop the record. */
export type Migration = (collection: string, record: Json) => Json | undefined

/** The migration at index n turns version n + 1 into version n + 2. */
const migrations: readonly Migration[] = []

export const CURRENT_VERSION = migrations.length + 1

/** Returns the migration from a version to the current one; undefined for the current one. Refuses versions that it does not know. */
export function migrate(version: unknown, rows: readonly Migration[] = migrations): Migration | undefined {
  const today = rows.length + 1
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    throw new StoreError(
      `The version of the stored form is ${JSON.stringify(version)}: a whole number from 1 is expected`,
    )
  if (version > today)
    throw new StoreError(
      `The stored form has version ${version}, and this Sandbank reads up to ${today}: use the Sandbank that wrote it, or pass --data with another folder`,
    )
  if (version === today) return undefined
  const due = rows.slice(version - 1)
  return (collection, record) => {
    let current: Json | undefined = record
    for (const row of due) current = current && row(collection, current)
    return current
  }
}
