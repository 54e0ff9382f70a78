import { useMemo } from 'react'
import { compareKeys, orderKey } from '../../../api/contract/terms/order.ts'
import { useRoute } from '../../data/route.ts'
import {
  arrangeColumns,
  type ColumnLayout,
  fitColumns,
  moveColumn,
  resizeColumn,
  shiftColumn,
  showColumn,
} from '../../ui/column-layout.ts'
import type { HeaderControls } from '../../ui/HeaderCell.tsx'
import { useListPreferences } from './list-preferences.ts'
import type { ListColumn } from './model.ts'

/** Columns and sort order of a list: what the user chose, and the controls that change it. */

/** What the controls must know of a column. */
interface ToolColumn {
  readonly id: string
  readonly header: React.ReactNode
  readonly width: string
  readonly hidden?: boolean
  readonly optional?: boolean
  readonly largestFirst?: boolean
}

export interface TableTools {
  /** Also those that are not shown. */
  readonly all: readonly ToolColumn[]
  readonly layout: ColumnLayout
  readonly sort: Sort | undefined
  readonly headers: HeaderControls
  sortBy(value: readonly string[]): void
  show(id: string, shown: boolean): void
  reset(): void
}

export function useTableTools(list: string, all: readonly ToolColumn[]): TableTools {
  const { layout, change } = useListPreferences(list)
  const { params, filter } = useRoute()
  const text = params.sort?.[0]
  const sort = useMemo(() => readSort(text, all), [text, all])
  const set = (layout: ColumnLayout) => change({ layout })
  const sortBy = (value: readonly string[]) => filter('sort', value)
  return {
    all,
    layout,
    sort,
    sortBy,
    headers: {
      sort,
      onSort: (id) => sortBy(nextSort(sort, all.find((column) => column.id === id)!)),
      onResize: (id, width) => set(resizeColumn(layout, id, width)),
      onMove: (id, to) => set(moveColumn(all, layout, id, to)),
      onShift: (id, by) => set(shiftColumn(all, layout, id, by)),
    },
    show: (id, shown) => set(showColumn(all, layout, id, shown)),
    reset: () => set({}),
  }
}

/** The columns as the user arranged them: with a width, those that fit into it. `drawn` are the same, as they look now. */
export function useArrangedColumns<C extends ToolColumn>(
  columns: readonly C[],
  drawn: readonly C[],
  layout: ColumnLayout,
  width = Infinity,
) {
  return useMemo(() => {
    /** A column that is wider now, or that the user widens, makes the table scroll: no other one disappears because of it. */
    const fitting = fitColumns(arrangeColumns(columns, { ...layout, widths: {} }), width, layout)
    return arrangeColumns(drawn, layout).filter(({ id }) => fitting.some((column) => column.id === id))
  }, [columns, drawn, layout, width])
}

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
