import { memo } from 'react'
import { GridRow } from './Grid.tsx'
import { TintedCell } from './TintedCell.tsx'

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
