// Virtualized rows cannot be rows of an HTML table; and only the grid has the focus.
// biome-ignore-all lint/a11y/useSemanticElements: see above.
// biome-ignore-all lint/a11y/useFocusableInteractive: see above.

import { cx } from './cx.ts'
import styles from './Grid.module.css'
import { HeaderCell, type HeaderControls } from './HeaderCell.tsx'
import type { VirtualRows } from './use-virtual-rows.ts'

interface GridColumn {
  readonly id: string
  readonly header: React.ReactNode
  /** Right-aligned, for numbers. */
  readonly right?: boolean | undefined
  /** Stays at the right edge of a table that is wider than its place. */
  readonly pinned?: boolean | undefined
}

interface GridProps extends React.ComponentProps<'div'> {
  readonly label: string
  readonly columns: readonly GridColumn[]
  readonly count: number
  readonly view: VirtualRows
  /** Sorts, resizes and moves columns. Without it the headers are texts. */
  readonly headers?: HeaderControls | undefined
  /** Renders one row. */
  readonly renderRow: (line: RowPosition) => React.ReactNode
  /** Shown if there are no rows. */
  readonly empty: React.ReactNode
}

/** The index of a row, and its distance from the top in a virtualized grid. */
export interface RowPosition {
  readonly at: number
  readonly top: number | undefined
}

/** Column headers and rows. One tab stop: the grid itself has the focus. */
export function Grid(props: GridProps) {
  const { label, columns, count, view, headers, renderRow: drawRow, empty, className, ...grid } = props
  return (
    <div
      ref={view.scroller}
      className={cx(styles.grid, className)}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={count + 1}
      aria-colcount={columns.length}
      {...grid}
    >
      <div role="row" className={styles.row} data-head aria-rowindex={1}>
        {columns.map(({ id, header, right, pinned }, at) =>
          headers ? (
            <HeaderCell
              key={id}
              id={id}
              header={header}
              right={right}
              pinned={pinned}
              isFirst={at === 0}
              controls={headers}
            />
          ) : (
            <div key={id} role="columnheader" data-right={right ? '' : undefined}>
              {header}
            </div>
          ),
        )}
      </div>
      {count > 0 ? (
        <div
          className={styles.rows}
          role="rowgroup"
          data-virtual={view.isVirtual ? '' : undefined}
          style={{ height: view.height }}
        >
          {view.visible.map(drawRow)}
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

/** The rows are counted from 1, and the first one is the header. */
export const FIRST_ROW_INDEX = 2

type GridRowProps = React.ComponentProps<'div'> & { readonly line: RowPosition }

export const GridRow = ({ line: { at, top }, className, ...row }: GridRowProps) => (
  <div
    role="row"
    className={cx(styles.row, className)}
    style={top === undefined ? undefined : { transform: `translateY(${top}px)` }}
    aria-rowindex={at + FIRST_ROW_INDEX}
    {...row}
  />
)
