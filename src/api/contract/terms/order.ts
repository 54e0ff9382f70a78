/** How values of any field are compared: amounts and numbers by size, other texts without regard to case, missing ones last. */

export type OrderKey = string | number | null

const MONEY = /^-?\d+\.\d{2}$/

export function orderKey(value: unknown): OrderKey {
  if (typeof value === 'number') return value
  if (typeof value === 'string') return MONEY.test(value) ? Number(value) : value.toLowerCase()
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return value.length === 0 ? null : value.join(' ').toLowerCase()
  return typeof value === 'boolean' ? String(value) : null
}

/** `sign` is -1 for the largest first. A missing value comes last in both directions. */
export function compareKeys(x: OrderKey, y: OrderKey, sign: number): number {
  if (x === y) return 0
  if (x === null) return 1
  if (y === null) return -1
  if (typeof x !== typeof y) return typeof x === 'number' ? -1 : 1
  return (x < y ? -1 : 1) * sign
}
