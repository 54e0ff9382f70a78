import { z } from 'zod'
import { rowOf } from '../../../api/contract/collections.ts'
import type { CollectionName } from '../../data/collections.ts'

export interface FieldLeaf {
  /** A path: `details.address.city`, `asset_balances[0].asset_type`. */
  readonly name: string
  readonly value: unknown
}

/**
 * Every field of the contract in its order, then any others of the record. Objects are flattened; a missing one is a
 * single field. The message behind a text is not listed, as it is no field of the API.
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

/** No response contains a write-only field. */
const isHidden = (schema: z.ZodType) => schema.meta()?.writeOnly === true

function unwrapOptional(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrapOptional(schema.unwrap() as z.ZodType)
    : schema
}
