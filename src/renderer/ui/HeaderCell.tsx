// Headers belong to a grid, whose rows are virtualized, so they are no cells of an HTML table.
// biome-ignore-all lint/a11y/useSemanticElements: see above.
// biome-ignore-all lint/a11y/useFocusableInteractive: the button in the header has the focus.

import { ArrowDown, ArrowUp } from 'lucide-react'
import { useRef } from 'react'
import { PlainButton } from './Button.tsx'
import styles from './HeaderCell.module.css'

export interface HeaderControls {
  /** The sorted column. */
  readonly sort: { readonly id: string; readonly descending: boolean } | undefined
  readonly onSort: (id: string) => void
  /** Without a width, the column has its default width again. */
  readonly onResize: (id: string, width: number | undefined) => void
  readonly onMove: (id: string, to: string) => void
  readonly onShift: (id: string, by: 1 | -1) => void
}

interface HeaderCellProps {
  readonly id: string
  readonly header: React.ReactNode
  readonly right: boolean | undefined
  readonly pinned: boolean | undefined
  readonly isFirst: boolean
  readonly controls: HeaderControls
}

const STEP = 16
const DRAGGED = 'text/x-sandbank-column'

/**
 * A column header: a button that sorts, and an edge that resizes. Shift and an arrow key resize, Alt and an arrow key move the
 * column. The headers of a table are one tab stop.
 */
export function HeaderCell({ id, header, right, pinned, isFirst, controls }: HeaderCellProps) {
  const { sort, onSort, onResize, onMove, onShift } = controls
  const cell = useRef<HTMLDivElement>(null)
  const descending = sort?.id === id ? sort.descending : undefined
  const resizeBy = (pixels: number) => onResize(id, cell.current!.getBoundingClientRect().width + pixels)
  const onKeyDown = (event: React.KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : undefined
    if (by === undefined || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    event.stopPropagation()
    if (event.shiftKey) resizeBy(by * STEP)
    else if (event.altKey) onShift(id, by)
    else focusNext(cell.current!, by)
  }
  const Arrow = descending ? ArrowDown : ArrowUp
  return (
    <div
      ref={cell}
      role="columnheader"
      className={styles.header}
      data-right={right ? '' : undefined}
      data-pinned={pinned ? '' : undefined}
      data-column={id}
      aria-sort={descending === undefined ? 'none' : descending ? 'descending' : 'ascending'}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes(DRAGGED)) event.preventDefault()
      }}
      onDrop={(event) => {
        const dragged = event.dataTransfer.getData(DRAGGED)
        if (dragged === '') return
        event.preventDefault()
        onMove(dragged, id)
      }}
    >
      <PlainButton
        className={styles.button}
        tabIndex={isFirst ? 0 : -1}
        draggable
        title="Sort. Drag to move, right-click for more. By keyboard: Shift and arrows resize, Alt and arrows move."
        onClick={() => onSort(id)}
        onKeyDown={onKeyDown}
        onDragStart={(event) => {
          event.dataTransfer.setData(DRAGGED, id)
          event.dataTransfer.effectAllowed = 'move'
        }}
      >
        <span className="cut">{header}</span>
        {descending !== undefined && <Arrow size={11} strokeWidth={2} aria-hidden="true" />}
      </PlainButton>
      <ResizeEdge onResize={(width) => onResize(id, width)} cell={cell} />
    </div>
  )
}

interface ResizeEdgeProps {
  readonly cell: React.RefObject<HTMLElement | null>
  readonly onResize: (width: number | undefined) => void
}

/** For the pointer only: by keyboard the header itself resizes. */
function ResizeEdge({ cell, onResize }: ResizeEdgeProps) {
  const start = useRef<{ readonly x: number; readonly width: number } | null>(null)
  return (
    <span
      className={styles.edge}
      data-resize
      aria-hidden="true"
      onDoubleClick={() => onResize(undefined)}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, width: cell.current!.getBoundingClientRect().width }
      }}
      onPointerMove={({ clientX }) => {
        if (start.current && clientX !== start.current.x) onResize(start.current.width + clientX - start.current.x)
      }}
      onLostPointerCapture={() => {
        start.current = null
      }}
    />
  )
}

function focusNext(cell: HTMLElement, by: 1 | -1) {
  const next = by === 1 ? cell.nextElementSibling : cell.previousElementSibling
  next?.querySelector<HTMLElement>('button')?.focus()
}
