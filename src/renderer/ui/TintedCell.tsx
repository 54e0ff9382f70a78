import { useLayoutEffect, useRef } from 'react'

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
export function TintedCell({ of, record, column, right, pinned, children }: TintedCellProps) {
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
