import { z } from 'zod'
import { rowOf } from '../../../api/contract/collections.ts'
import type { CollectionName } from '../../data/collections.ts'

/** What the contract says of each kind of record, so that every field of it is shown, in its order. */

export interface FieldLeaf {
  /** A path: `details.address.city`, `asset_balances[0].asset_type`. */
  readonly name: string
  readonly value: unknown
}

/**
 * Every field of the contract in its order, and what the record has besides. Objects are walked into; one that is not
 * there is a field of its own. The message behind a text is not listed: it is no field of the API.
 */
export function listFields(collection: CollectionName, record: Readonly<Record<string, unknown>>): FieldLeaf[] {
  const { schema, messageField } = rowOf(collection)
  const { message: _, ...fields } = record
  return listLeaves(schema, messageField === undefined ? record : fields, '')
}

function listLeaves(schema: z.ZodType | undefined, value: unknown, path: string): FieldLeaf[] {
  const known = schema && unwrapOptional(schema)
  if (Array.isArray(value)) {
    const element = known instanceof z.ZodArray ? (known.element as z.ZodType) : undefined
    const isFlat = value.length === 0 || value.some((part) => typeof part !== 'object' || part === null)
    return isFlat ? [{ name: path, value }] : value.flatMap((part, i) => listLeaves(element, part, `${path}[${i}]`))
  }
  if (typeof value !== 'object' || value === null) return [{ name: path, value }]
  const shape: Readonly<Record<string, z.ZodType>> = known instanceof z.ZodObject ? known.shape : {}
  const has = value as Readonly<Record<string, unknown>>
  const names = new Set([...Object.keys(shape).filter((name) => !isHidden(shape[name]!)), ...Object.keys(has)])
  if (names.size === 0) return [{ name: path, value: [] }]
  return [...names].flatMap((name) => listLeaves(shape[name], has[name], path === '' ? name : `${path}.${name}`))
}

/** What is write-only is in no answer. */
const isHidden = (schema: z.ZodType) => schema.meta()?.writeOnly === true

function unwrapOptional(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrapOptional(schema.unwrap() as z.ZodType)
    : schema
}
