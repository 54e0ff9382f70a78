import { memo, useLayoutEffect, useRef } from 'react'
import { GridRow } from './Grid.tsx'

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

function Row<T>({ row, of, id, at, top, columns, isSelected, isHere }: DataRowProps<T>) {
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
export const DataRow = memo(Row) as typeof Row

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
    // biome-ignore lint/a11y/useFocusableInteractive: only the grid has the focus.
    // biome-ignore lint/a11y/useSemanticElements: a cell of a grid, not of an HTML table.
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
