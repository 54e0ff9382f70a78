import { valueAt as partAt, replaceAt } from '../contract/terms/at-path.ts'
import type { Body } from '../control/record-actions.ts'

/** Fields of records and bodies by their paths. */

export const valueAt = (record: unknown, path: string) => partAt(record, path.split('.'))

/** A body with other fields, by their paths; undefined removes one. */
export const withFields = (body: Body, fields: Readonly<Record<string, unknown>>): Body =>
  Object.entries(fields).reduce((copy, [path, value]) => replaceAt(copy, path.split('.'), value) as Body, body)

/** Each field of a body, with its path. */
export const fieldsOf = (body: unknown, at = ''): (readonly [path: string, value: unknown])[] =>
  typeof body !== 'object' || body === null
    ? []
    : Object.entries(body).flatMap(([name, value]) => {
        const path = at === '' ? name : `${at}.${name}`
        return [[path, value] as const, ...fieldsOf(value, path)]
      })
