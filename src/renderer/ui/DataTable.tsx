// Only the grid has the focus and handles keys.
// biome-ignore-all lint/a11y/useSemanticElements: see above.
// biome-ignore-all lint/a11y/useFocusableInteractive: see above.
import { memo, useId, useImperativeHandle, useLayoutEffect, useMemo, useRef } from 'react'
import { sumWidths } from './column-layout.ts'
import { FIRST_ROW_INDEX, Grid, GridRow, type RowPosition } from './Grid.tsx'
import type { HeaderControls } from './HeaderCell.tsx'
import { useRowSelection } from './use-row-selection.ts'
import { useVirtualRows } from './use-virtual-rows.ts'
import { useWidth } from './use-width.ts'

/**
 * A table with rows of fixed height, virtualized from 200 rows on. One tab stop: the table itself has the focus, and
 * arrow keys move the selection. Group rows show dates and clock jumps.
 */

export interface GroupRow {
  readonly group: string
  readonly title: React.ReactNode
}

export interface MenuPlace<T> {
  readonly row: T | null
  /** The id of a column. */
  readonly column: string | null
  /** Where the row is, for a menu that the keyboard opens. */
  readonly box?: DOMRect | undefined
}

interface DataTableProps<T> {
  readonly label: string
  readonly columns: readonly Column<T>[]
  /** Must be stable between renders: a new array renders all rows again. */
  readonly rows: readonly (T | GroupRow)[]
  /** Number of rows that are still loading, shown as placeholders. */
  readonly loadingCount?: number
  readonly idOf: (row: T) => string
  readonly selected: string | null
  readonly onSelect: (row: T) => void
  readonly onOpen?: (row: T) => void
  /** Rows marked with Shift, Ctrl or Space, besides the selected one. */
  readonly marked?: ReadonlySet<string>
  readonly onMark?: (ids: ReadonlySet<string>) => void
  readonly headers?: HeaderControls | undefined
  /** The rows as text, for Ctrl C: the marked ones, or the selected one. */
  readonly onCopy?: ((ids: ReadonlySet<string>) => void) | undefined
  /** A right-click, or the menu key, on a row, or on a header if there is no row. */
  readonly onMenu?: ((event: React.MouseEvent, on: MenuPlace<T>) => void) | undefined
  /** Called with true while the first row is visible. */
  readonly onTopChange?: (top: boolean) => void
  /** The key under which the scroll position is remembered. */
  readonly scrollKey?: string
  /** In pixels; a narrower table scrolls horizontally. By default what the columns need. */
  readonly minWidth?: number
  readonly empty?: React.ReactNode
  readonly ref?: React.Ref<{ toTop(): void }>
}

const ROW_HEIGHT = 28
const GROUP_HEIGHT = 24

const NONE: ReadonlySet<string> = new Set()

const columnOf = (target: EventTarget): string | null =>
  (target as Element).closest('[data-column]')?.getAttribute('data-column') ?? null
const isHeader = (target: EventTarget) => (target as Element).closest('[role=columnheader]') !== null

const isCopyKey = ({ key, ctrlKey, metaKey, shiftKey }: React.KeyboardEvent) =>
  key === 'c' && (ctrlKey || metaKey) && !shiftKey
/** The browser copies it. */
const hasSelectedText = () => getSelection()?.isCollapsed === false

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
    onCopy,
    onMenu,
    scrollKey,
    minWidth: least = sumWidths(columns),
  } = props
  const prefix = useId()
  const chosen = () => (marked.size > 0 ? marked : new Set(selected === null ? [] : [selected]))
  const count = rows.length + unread
  const view = useVirtualRows({
    rows,
    count,
    rowHeight: ROW_HEIGHT,
    heightOf: (at) => (isGroup(rows[at]) ? GROUP_HEIGHT : ROW_HEIGHT),
    scrollKey,
  })
  const width = useWidth(view.scroller)
  useImperativeHandle(props.ref, () => ({ toTop: () => view.scroller.current?.scrollTo({ top: 0 }) }))

  const records = useMemo(() => rows.filter((row): row is T => !isGroup(row)), [rows])
  const hasSelectedRow = useMemo(() => records.some((row) => idOf(row) === selected), [records, idOf, selected])
  const { onRowClick, onKeyDown } = useRowSelection({
    rows: records,
    idOf,
    selected,
    marked,
    onSelect: props.onSelect,
    onMark,
    onOpen,
    pageSize: view.pageSize,
    reveal: (id) => void reveal(id),
  })
  const reveal = (id: string) =>
    view.reveal(
      rows.findIndex((row) => !isGroup(row) && idOf(row) === id),
      prefix + id,
    )

  const drawRow = (line: RowPosition) => {
    const row = rows[line.at]
    // Elements that scroll out of view show the rows that come into view, which is faster than creating new ones.
    const slot = view.isVirtual ? line.at % view.slots : undefined
    if (row === undefined || (view.isFast && !isGroup(row)))
      return (
        <LoadingRow key={slot ?? `loading ${line.at}`} line={line} columns={columns.length}>
          {row !== undefined && columns[0]?.cell(row)}
        </LoadingRow>
      )
    if (isGroup(row))
      return (
        <GridRow key={slot ?? `group ${row.group}`} line={line} data-group>
          <div role="gridcell" aria-colspan={columns.length} className="row grow">
            <span className="cut">{row.title}</span>
          </div>
        </GridRow>
      )
    const id = idOf(row)
    return (
      <DataRow
        key={slot ?? id}
        row={row}
        columns={columns}
        {...line}
        of={id}
        id={prefix + id}
        isSelected={marked.size > 0 ? marked.has(id) : id === selected}
        isHere={marked.size > 0 && id === selected}
      />
    )
  }
  const rowAt = (target: EventTarget): T | undefined => {
    // Also a row that scrolls by too fast to be read.
    const index = (target as Element).closest('[aria-rowindex]')?.getAttribute('aria-rowindex')
    const row = index == null ? undefined : rows[Number(index) - FIRST_ROW_INDEX]
    return row === undefined || isGroup(row) ? undefined : row
  }

  return (
    <Grid
      label={label}
      columns={columns}
      count={count}
      view={view}
      renderRow={drawRow}
      headers={props.headers}
      data-overflows={width > 0 && width < least ? '' : undefined}
      empty={props.empty}
      onMouseDown={(event) => {
        // Shift chooses rows, so it must not select their text.
        if (!onMark || !event.shiftKey || rowAt(event.target) === undefined) return
        event.preventDefault()
        view.scroller.current?.focus()
      }}
      onClick={(event) => {
        const row = rowAt(event.target)
        if (row !== undefined) onRowClick(event, row)
      }}
      onDoubleClick={({ target }) => {
        const row = rowAt(target)
        if (row !== undefined) onOpen?.(row)
      }}
      onContextMenu={(event) => {
        const { target, currentTarget } = event
        if (isHeader(target)) return onMenu?.(event, { row: null, column: columnOf(target) })
        const pointed = rowAt(target)
        if (pointed !== undefined) {
          if (!onMenu) return
          if (!marked.has(idOf(pointed))) props.onSelect(pointed)
          return onMenu(event, { row: pointed, column: columnOf(target) })
        }
        // By keyboard the grid itself is the target: the menu is that of the selected row.
        const row = target === currentTarget ? records.find((row) => idOf(row) === selected) : undefined
        if (row) onMenu?.(event, { row, column: null, box: reveal(idOf(row)) })
      }}
      aria-multiselectable={onMark ? true : undefined}
      aria-activedescendant={hasSelectedRow ? prefix + selected : undefined}
      style={
        { '--columns': columns.map(({ width }) => width).join(' '), '--least': `${least}px` } as React.CSSProperties
      }
      onKeyDown={(event) => {
        if (event.target !== view.scroller.current) return
        if (onCopy && isCopyKey(event) && (marked.size > 0 || (selected !== null && !hasSelectedText())))
          onCopy(chosen())
        else onKeyDown(event)
      }}
      onScroll={({ currentTarget: { scrollTop } }) => {
        view.rememberPosition(scrollTop)
        onTop?.(scrollTop < ROW_HEIGHT)
      }}
    />
  )
}

/** A row that is not read yet; or one that scrolls by too fast to be read, with its first cell. */
const LoadingRow = ({
  line,
  columns,
  children,
}: {
  line: RowPosition
  columns: number
  children?: React.ReactNode
}) => (
  <GridRow line={line} data-unread>
    {children && <div role="gridcell">{children}</div>}
    <div role="gridcell" aria-colspan={columns - (children ? 1 : 0)} aria-label="loading">
      <i style={{ width: `${72 - ((line.at * 17) % 40)}%` }} />
    </div>
  </GridRow>
)

export interface Column<T> {
  readonly id: string
  readonly header: React.ReactNode
  /** A CSS grid track, e.g. `80px` or `minmax(120px, 1fr)`. */
  readonly width: string
  /** Right-aligned, for numbers. */
  readonly right?: boolean
  /** Stays at the right edge of a table that is wider than its place. */
  readonly pinned?: boolean
  readonly cell: (row: T) => React.ReactNode
}

interface DataRowProps<T> {
  readonly row: T
  /** The id of the record. */
  readonly of: string
  /** The id of the element. */
  readonly id: string
  readonly at: number
  readonly top: number | undefined
  readonly columns: readonly Column<T>[]
  readonly isSelected: boolean
  /** Selected, while other rows are marked. */
  readonly isHere: boolean
}

function RecordRow<T>({ row, of, id, at, top, columns, isSelected, isHere }: DataRowProps<T>) {
  return (
    <GridRow line={{ at, top }} id={id} data-row aria-selected={isSelected} data-here={isHere ? '' : undefined}>
      {columns.map((column) => (
        <TintedCell key={column.id} of={of} record={row} column={column.id} right={column.right} pinned={column.pinned}>
          {column.cell(row)}
        </TintedCell>
      ))}
    </GridRow>
  )
}

/** One record of a table. It renders again only if something of it has changed: a table that scrolls renders in each frame. */
const DataRow = memo(RecordRow) as typeof RecordRow

const TINT_MS = 600

interface TintedCellProps {
  /** The id of the record that the cell shows. A cell may show other records later. */
  readonly of: string
  readonly record: unknown
  /** The id of its column. */
  readonly column: string
  readonly right?: boolean | undefined
  readonly pinned?: boolean | undefined
  readonly children: React.ReactNode
}

/** A cell of a row. It is highlighted briefly when its text changes with its record. */
function TintedCell({ of, record, column, right, pinned, children }: TintedCellProps) {
  const cell = useRef<HTMLDivElement>(null)
  const was = useRef<{ of: string; record: unknown; text: string | null }>(null)
  useLayoutEffect(() => {
    const { textContent: text = '' } = cell.current!
    const before = was.current
    was.current = { of, record, text }
    if (before?.of !== of || before.record === record || before.text === text || prefersReducedMotion()) return
    const tint = { backgroundColor: 'var(--accent-wash)' }
    cell.current!.animate?.([tint, { ...tint, offset: 0.5 }, {}], { duration: TINT_MS })
  })
  return (
    <div
      ref={cell}
      role="gridcell"
      data-column={column}
      data-right={right ? '' : undefined}
      data-pinned={pinned ? '' : undefined}
    >
      {children}
    </div>
  )
}

const prefersReducedMotion = () => window.matchMedia?.('(prefers-reduced-motion: reduce)').matches
