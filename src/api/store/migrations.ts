import { StoreTrouble } from './trouble.ts'

/**
 * Every change of the saved shape is a row: how one record of the shape before becomes a record of the shape after.
 * A row is never edited once released, and each has a folder of old files in `test/store/migrations/`.
 */

type Json = { readonly [key: string]: unknown }
/** undefined drops the record. */
export type Migration = (collection: string, record: Json) => Json | undefined

/** The row at place n leads from shape n + 1 to shape n + 2. */
export const migrations: readonly Migration[] = []

/** What brings records of this shape to today's; refuses what a newer Sandbank has written. */
export function migrate(version: unknown, rows: readonly Migration[] = migrations): Migration {
  const today = rows.length + 1
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    throw new StoreTrouble(`The world's shape is ${JSON.stringify(version)}, which is no version of Sandbank`)
  if (version > today)
    throw new StoreTrouble(
      `The world has shape ${version} and this Sandbank reads up to ${today}: update Sandbank, or pass --data with another folder`,
    )
  const due = rows.slice(version - 1)
  return (collection, record) => {
    let current: Json | undefined = record
    for (const row of due) current = current && row(collection, current)
    return current
  }
}
