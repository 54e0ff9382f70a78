import { useMemo } from 'react'
import { useRoute } from '../../data/route.ts'
import {
  arrangeColumns,
  type ColumnLayout,
  fitColumns,
  moveColumn,
  resizeColumn,
  shiftColumn,
  showColumn,
  sumWidths,
} from '../../ui/column-layout.ts'
import type { Column } from '../../ui/DataRow.tsx'
import type { HeaderControls } from '../../ui/HeaderCell.tsx'
import { useListPreferences } from './list-preferences.ts'
import { nextSort, readSort, type Sort } from './sort.ts'

/** Columns and sort order of a list: what the user chose, and the controls that change it. */

/** What a table must know of a column, beside how it is drawn. */
export interface ToolColumn<T> extends Column<T> {
  readonly hidden?: boolean
  readonly optional?: boolean
  readonly largestFirst?: boolean
}

export interface TableTools<T> {
  /** Also those that are not shown. */
  readonly all: readonly ToolColumn<T>[]
  readonly layout: ColumnLayout
  readonly sort: Sort | undefined
  readonly headers: HeaderControls
  sortBy(value: readonly string[]): void
  show(id: string, shown: boolean): void
  reset(): void
}

export function useTableTools<T>(list: string, all: readonly ToolColumn<T>[]): TableTools<T> {
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

/** The columns as the user arranged them, and the width that they need. With a width, those that fit into it. */
export function useArrangedColumns<C extends ToolColumn<never>>(
  columns: readonly C[],
  layout: ColumnLayout,
  least: number,
  width?: number,
) {
  return useMemo(() => {
    const arranged = arrangeColumns(columns, layout)
    /** What the table needs beside the columns. */
    const more = least - sumWidths(arrangeColumns(columns, {}))
    /** A column that the user widens makes the table scroll: no other one disappears because of it. */
    const fitting = fitColumns(arrangeColumns(columns, { ...layout, widths: {} }), (width ?? Infinity) - more, layout)
    const visible = arranged.filter(({ id }) => fitting.some((column) => column.id === id))
    return { visible, minWidth: Math.max(0, more + sumWidths(visible)) }
  }, [columns, layout, least, width])
}
