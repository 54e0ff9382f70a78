import { compareKeys, orderKey } from '../../../api/contract/terms/order.ts'
import type { ListColumn } from './model.ts'

/** The sort order of a list, kept in the address: `sort=us_dollar_amount_desc`, as in the API. */

export interface Sort {
  readonly id: string
  readonly descending: boolean
}

export function readSort(text: string | undefined, columns: readonly { readonly id: string }[]): Sort | undefined {
  const [, id, direction] = /^(\w+)_(asc|desc)$/.exec(text ?? '') ?? []
  return columns.some((column) => column.id === id) ? { id: id!, descending: direction === 'desc' } : undefined
}

/** The value of `sort` after a click on a header: one direction, then the other, then the default order. */
export function nextSort(
  sort: Sort | undefined,
  { id, largestFirst = false }: Pick<ListColumn<never>, 'id' | 'largestFirst'>,
): string[] {
  if (sort?.id !== id) return [formatSort(id, largestFirst)]
  return sort.descending === largestFirst ? [formatSort(id, !largestFirst)] : []
}

export const formatSort = (id: string, descending: boolean) => `${id}_${descending ? 'desc' : 'asc'}`

/** As the engine sorts: missing values last, equal ones newest first in descending order. `rows` are newest first. */
export function sortRows<T>(rows: readonly T[], { sortBy, text }: ListColumn<T>, descending: boolean): readonly T[] {
  const keyed = rows.map((row) => ({ row, key: orderKey((sortBy ?? text)(row)) }))
  if (!descending) keyed.reverse()
  const sign = descending ? -1 : 1
  return keyed.sort((a, b) => compareKeys(a.key, b.key, sign)).map(({ row }) => row)
}
