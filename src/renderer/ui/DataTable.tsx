// Rows that come and go by where one has scrolled to cannot be those of an HTML table; and the grid alone has the focus.
// biome-ignore-all lint/a11y/useSemanticElements: see above.
// biome-ignore-all lint/a11y/useFocusableInteractive: see above.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: see above.

import { type CellData, type ColumnDef, type RowData, tableFeatures, useTable } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useId, useImperativeHandle, useLayoutEffect, useMemo, useRef } from 'react'

/**
 * Rows of fixed height under one line of heads, virtual from 200 on. One tab stop: the table itself has the focus, and
 * arrows move what is selected. Dates and jumps of the clock are rows of their own.
 */

declare module '@tanstack/react-table' {
  interface ColumnMeta<TFeatures, TData extends RowData, TValue extends CellData> {
    /** A track of the grid: `80px`, `minmax(120px, 1fr)`. */
    readonly width?: string
    readonly right?: boolean
  }
}

const features = tableFeatures({})
export type Column<T extends RowData> = ColumnDef<typeof features, T>

export interface GroupRow {
  readonly group: string
  readonly title: React.ReactNode
}

interface DataTableProps<T extends RowData> {
  readonly label: string
  readonly columns: readonly Column<T>[]
  /** Stable between paints, or every paint builds all rows anew. */
  readonly rows: readonly (T | GroupRow)[]
  /** Rows that are known to follow, and still on the way: faint bars hold their place. */
  readonly unread?: number
  readonly idOf: (row: T) => string
  readonly selected: string | null
  readonly onSelect: (row: T) => void
  readonly onOpen?: (row: T) => void
  /** Several rows may be chosen besides the one that is selected: by Shift, Ctrl and Space. */
  readonly marked?: ReadonlySet<string>
  readonly onMark?: (ids: ReadonlySet<string>) => void
  /** Whether the first rows are in sight. */
  readonly onTop?: (top: boolean) => void
  /** Under what its place is remembered while something else is looked at. */
  readonly place?: string
  readonly least: number
  readonly empty?: React.ReactNode
  readonly ref?: React.Ref<{ toTop(): void }>
}

/** How far each list was scrolled when it was last looked at. */
const places = new Map<string, number>()

const VIRTUAL_FROM = 200
const ROW = 28
const GROUP = 24
const HEAD = 24

const NONE: ReadonlySet<string> = new Set()

const isGroup = (row: unknown): row is GroupRow => typeof row === 'object' && row !== null && 'group' in row

export function DataTable<T extends RowData>(props: DataTableProps<T>) {
  const {
    label,
    columns,
    rows,
    unread = 0,
    idOf,
    selected,
    onSelect,
    onOpen,
    onTop,
    place,
    least,
    empty,
    ref,
    marked = NONE,
    onMark,
  } = props
  const scroller = useRef<HTMLDivElement>(null)
  const prefix = useId()
  const data = useMemo(() => rows.filter((row): row is T => !isGroup(row)), [rows])
  const count = rows.length + unread
  const virtual = count >= VIRTUAL_FROM
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function says that heights are to be added up anew.
  const getItemKey = useCallback((at: number) => at, [rows])
  const virtualizer = useVirtualizer({
    count,
    enabled: virtual,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => (isGroup(rows[at]) ? GROUP : ROW),
    getItemKey,
    overscan: 12,
    scrollMargin: HEAD,
    scrollPaddingStart: HEAD,
  })
  const placed = virtual
    ? virtualizer.getVirtualItems()
    : Array.from({ length: count }, (_, index) => ({ index, start: undefined }))
  // A table of what is drawn alone costs the same however many rows there are.
  const drawn = placed.flatMap(({ index }) => {
    const row = rows[index]
    return row === undefined || isGroup(row) ? [] : [row]
  })
  const table = useTable({ features, columns: columns as Column<T>[], data: drawn, getRowId: idOf })
  const built = table.getRowModel().rowsById
  const selectedAt = useMemo(
    () => (selected === null ? -1 : rows.findIndex((row) => !isGroup(row) && idOf(row) === selected)),
    [rows, idOf, selected],
  )

  const restored = useRef(false)
  useLayoutEffect(() => {
    if (restored.current || count === 0) return
    restored.current = true
    const top = place === undefined ? undefined : places.get(place)
    if (top && scroller.current) scroller.current.scrollTop = top
  }, [count, place])

  useImperativeHandle(ref, () => ({ toTop: () => scroller.current?.scrollTo({ top: 0 }) }))

  const bringIntoSight = (id: string) => {
    const at = rows.findIndex((row) => !isGroup(row) && idOf(row) === id)
    if (virtual) virtualizer.scrollToIndex(at, { align: 'auto' })
    else document.getElementById(prefix + id)?.scrollIntoView({ block: 'nearest' })
  }
  /** Where a range begins. */
  const anchor = useRef<string | null>(null)
  const range = (to: string): ReadonlySet<string> => {
    const ids = data.map(idOf)
    const ends = [ids.indexOf(anchor.current ?? selected ?? to), ids.indexOf(to)].map((at) => Math.max(0, at))
    return new Set(ids.slice(Math.min(...ends), Math.max(...ends) + 1))
  }
  const toggled = (id: string): ReadonlySet<string> => {
    const ids = new Set(marked.size === 0 && selected !== null && selected !== id ? [selected] : marked)
    if (!ids.delete(id)) ids.add(id)
    return ids
  }
  const onClick = (event: React.MouseEvent, row: T) => {
    const id = idOf(row)
    if (onMark && event.shiftKey) {
      anchor.current ??= selected
      return onMark(range(id))
    }
    anchor.current = id
    if (onMark && (event.ctrlKey || event.metaKey)) return onMark(toggled(id))
    if (marked.size > 0) onMark?.(NONE)
    onSelect(row)
  }
  /** True when the key was one for choosing. */
  const marks = ({ key, ctrlKey, metaKey }: React.KeyboardEvent): boolean => {
    if (!onMark) return false
    if (key === ' ' && selected !== null) {
      anchor.current = selected
      const ids = new Set(marked)
      if (!ids.delete(selected)) ids.add(selected)
      onMark(ids)
    } else if (key === 'a' && (ctrlKey || metaKey)) onMark(new Set(data.map(idOf)))
    else if (key === 'Escape' && marked.size > 0) onMark(NONE)
    else return false
    return true
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.target !== scroller.current || event.altKey) return
    if (marks(event)) return event.preventDefault()
    if (event.ctrlKey || event.metaKey) return
    const at = data.findIndex((row) => idOf(row) === selected)
    if (event.key === 'Enter' && at >= 0 && onOpen) {
      event.preventDefault()
      return onOpen(data[at]!)
    }
    const page = Math.max(1, Math.floor((scroller.current.clientHeight - HEAD) / ROW) - 1)
    const to = target(event.key, at, data.length, page)
    if (to === undefined || data.length === 0) return
    event.preventDefault()
    const row = data[to]!
    if (!event.shiftKey) anchor.current = idOf(row)
    else if (onMark) {
      anchor.current ??= selected ?? idOf(row)
      onMark(range(idOf(row)))
    }
    onSelect(row)
    bringIntoSight(idOf(row))
  }

  const tracks = columns.map(({ meta }) => meta?.width ?? 'minmax(0, 1fr)').join(' ')
  const style = { '--columns': tracks, '--least': `${least}px` } as React.CSSProperties
  const drawRow = (at: number, start?: number) => {
    const row = rows[at]
    const shift = start === undefined ? undefined : { transform: `translateY(${start - HEAD}px)` }
    if (row === undefined)
      return (
        <div key={`unread ${at}`} role="row" className="tr" data-unread style={shift} aria-rowindex={at + 2}>
          <div role="gridcell" aria-colspan={columns.length} aria-label="on the way">
            <i style={{ width: `${72 - ((at * 17) % 40)}%` }} />
          </div>
        </div>
      )
    if (isGroup(row))
      return (
        <div key={`group ${row.group}`} role="row" className="tr" data-group style={shift} aria-rowindex={at + 2}>
          <div role="gridcell" aria-colspan={columns.length} className="row grow">
            <span className="cut">{row.title}</span>
          </div>
        </div>
      )
    const id = idOf(row)
    return (
      <div
        key={id}
        id={prefix + id}
        role="row"
        className="tr"
        data-row
        style={shift}
        aria-rowindex={at + 2}
        aria-selected={marked.size > 0 ? marked.has(id) : id === selected}
        data-here={marked.size > 0 && id === selected ? '' : undefined}
        onClick={(event) => onClick(event, row)}
        onDoubleClick={() => onOpen?.(row)}
      >
        {built[id]?.getAllCells().map((cell) => (
          <Cell key={cell.column.id} of={row} right={cell.column.columnDef.meta?.right}>
            <table.FlexRender cell={cell} />
          </Cell>
        ))}
      </div>
    )
  }

  return (
    <div
      ref={scroller}
      className="grid"
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={count + 1}
      aria-colcount={columns.length}
      aria-multiselectable={onMark ? true : undefined}
      aria-activedescendant={selectedAt >= 0 ? prefix + selected : undefined}
      style={style}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget: { scrollTop } }) => {
        if (place !== undefined && restored.current) places.set(place, scrollTop)
        onTop?.(scrollTop < ROW)
      }}
    >
      <div role="row" className="tr" data-head aria-rowindex={1}>
        {table.getFlatHeaders().map((header) => (
          <div key={header.id} role="columnheader" data-right={header.column.columnDef.meta?.right ? '' : undefined}>
            <table.FlexRender header={header} />
          </div>
        ))}
      </div>
      {virtual ? (
        <div className="rows" role="rowgroup" data-virtual style={{ height: virtualizer.getTotalSize() }}>
          {placed.map(({ index, start }) => drawRow(index, start))}
        </div>
      ) : count > 0 ? (
        <div className="rows" role="rowgroup">
          {placed.map(({ index }) => drawRow(index))}
        </div>
      ) : (
        <div role="rowgroup">
          <div role="row">
            <div role="gridcell" aria-colspan={columns.length}>
              {empty}
            </div>
          </div>
        </div>
      )}
    </div>
  )
}

const TINT_MS = 600

/** Tints once when its record is another one than before and says something else. */
function Cell({ of, right, children }: { of: unknown; right?: boolean | undefined; children: React.ReactNode }) {
  const cell = useRef<HTMLDivElement>(null)
  const was = useRef<{ of: unknown; text: string | null }>(null)
  useLayoutEffect(() => {
    const { textContent: text = '' } = cell.current!
    const before = was.current
    was.current = { of, text }
    if (before === null || before.of === of || before.text === text || isStill()) return
    const tint = { backgroundColor: 'var(--accent-wash)' }
    cell.current!.animate?.([tint, { ...tint, offset: 0.5 }, {}], { duration: TINT_MS })
  })
  return (
    <div ref={cell} role="gridcell" data-right={right ? '' : undefined}>
      {children}
    </div>
  )
}

const isStill = () => window.matchMedia?.('(prefers-reduced-motion: reduce)').matches

/** Where a key leads from here; nothing selected is before the first row. */
function target(key: string, at: number, length: number, page: number): number | undefined {
  const last = length - 1
  const within = (to: number) => Math.max(0, Math.min(last, to))
  switch (key) {
    case 'ArrowDown':
      return within(at + 1)
    case 'ArrowUp':
      return within(at - 1)
    case 'PageDown':
      return within(at + page)
    case 'PageUp':
      return within(at - page)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}
