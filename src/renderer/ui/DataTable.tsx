// The grid alone has the focus, and its keys are the grid's.
// biome-ignore-all lint/a11y/useSemanticElements: see above.
// biome-ignore-all lint/a11y/useFocusableInteractive: see above.

import { useId, useImperativeHandle, useMemo } from 'react'
import { Grid, GridRow, type RowPosition } from './Grid.tsx'
import { TintedCell } from './TintedCell.tsx'
import { useRowSelection } from './use-row-selection.ts'
import { useVirtualRows } from './use-virtual-rows.ts'

/**
 * Rows of fixed height under one line of column headers, virtual from 200 on. One tab stop: the table itself has the
 * focus, and arrow keys move the selection. Dates and clock jumps are rows of their own.
 */

export interface Column<T> {
  readonly id: string
  readonly header: React.ReactNode
  /** A track of the grid: `80px`, `minmax(120px, 1fr)`. */
  readonly width: string
  /** Figures, right-aligned. */
  readonly right?: boolean
  readonly cell: (row: T) => React.ReactNode
}

export interface GroupRow {
  readonly group: string
  readonly title: React.ReactNode
}

interface DataTableProps<T> {
  readonly label: string
  readonly columns: readonly Column<T>[]
  /** Stable between renders: a new array builds all rows anew. */
  readonly rows: readonly (T | GroupRow)[]
  /** Rows that are still being loaded: faint bars hold their place. */
  readonly loadingCount?: number
  readonly idOf: (row: T) => string
  readonly selected: string | null
  readonly onSelect: (row: T) => void
  readonly onOpen?: (row: T) => void
  /** Several rows may be marked besides the selected one: by Shift, Ctrl and Space. */
  readonly marked?: ReadonlySet<string>
  readonly onMark?: (ids: ReadonlySet<string>) => void
  /** Whether the first rows are in sight. */
  readonly onTopChange?: (top: boolean) => void
  /** The key under which its scroll position is remembered while something else is shown. */
  readonly scrollKey?: string
  /** Narrower than this, in pixels, it scrolls sideways. */
  readonly minWidth: number
  readonly empty?: React.ReactNode
  readonly ref?: React.Ref<{ toTop(): void }>
}

const ROW_HEIGHT = 28
const GROUP_HEIGHT = 24

const NONE: ReadonlySet<string> = new Set()

const isGroup = (row: unknown): row is GroupRow => typeof row === 'object' && row !== null && 'group' in row

export function DataTable<T>(props: DataTableProps<T>) {
  const {
    label,
    columns,
    rows,
    loadingCount: unread = 0,
    idOf,
    selected,
    marked = NONE,
    onMark,
    onOpen,
    onTopChange: onTop,
    scrollKey: place,
    minWidth: least,
  } = props
  const prefix = useId()
  const count = rows.length + unread
  const view = useVirtualRows({
    rows,
    count,
    rowHeight: ROW_HEIGHT,
    heightOf: (at) => (isGroup(rows[at]) ? GROUP_HEIGHT : ROW_HEIGHT),
    place,
  })
  useImperativeHandle(props.ref, () => ({ toTop: () => view.scroller.current?.scrollTo({ top: 0 }) }))

  const records = useMemo(() => rows.filter((row): row is T => !isGroup(row)), [rows])
  const isSelectedHere = useMemo(() => records.some((row) => idOf(row) === selected), [records, idOf, selected])
  const { onRowClick, onKeyDown } = useRowSelection({
    ...{ rows: records, idOf, selected, marked, onSelect: props.onSelect, onMark, onOpen, pageSize: view.pageSize },
    reveal: (id) =>
      view.reveal(
        rows.findIndex((row) => !isGroup(row) && idOf(row) === id),
        prefix + id,
      ),
  })

  const drawRow = (line: RowPosition) => {
    const row = rows[line.at]
    if (row === undefined) return <UnreadRow key={`unread ${line.at}`} line={line} columns={columns.length} />
    if (isGroup(row))
      return (
        <GridRow key={`group ${row.group}`} line={line} data-group>
          <div role="gridcell" aria-colspan={columns.length} className="row grow">
            <span className="cut">{row.title}</span>
          </div>
        </GridRow>
      )
    const id = idOf(row)
    return (
      <GridRow
        key={id}
        line={line}
        id={prefix + id}
        data-row
        aria-selected={marked.size > 0 ? marked.has(id) : id === selected}
        data-here={marked.size > 0 && id === selected ? '' : undefined}
        onClick={(event) => onRowClick(event, row)}
        onDoubleClick={() => onOpen?.(row)}
      >
        {columns.map((column) => (
          <TintedCell key={column.id} of={row} right={column.right}>
            {column.cell(row)}
          </TintedCell>
        ))}
      </GridRow>
    )
  }

  return (
    <Grid
      label={label}
      columns={columns}
      count={count}
      view={view}
      renderRow={drawRow}
      empty={props.empty}
      aria-multiselectable={onMark ? true : undefined}
      aria-activedescendant={isSelectedHere ? prefix + selected : undefined}
      style={
        { '--columns': columns.map(({ width }) => width).join(' '), '--least': `${least}px` } as React.CSSProperties
      }
      onKeyDown={(event) => {
        if (event.target === view.scroller.current) onKeyDown(event)
      }}
      onScroll={({ currentTarget: { scrollTop } }) => {
        view.rememberPosition(scrollTop)
        onTop?.(scrollTop < ROW_HEIGHT)
      }}
    />
  )
}

const UnreadRow = ({ line, columns }: { line: RowPosition; columns: number }) => (
  <GridRow line={line} data-unread>
    <div role="gridcell" aria-colspan={columns} aria-label="on the way">
      <i style={{ width: `${72 - ((line.at * 17) % 40)}%` }} />
    </div>
  </GridRow>
)
