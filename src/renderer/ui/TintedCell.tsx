import { useLayoutEffect, useRef } from 'react'

const TINT_MS = 600

interface TintedCellProps {
  /** What the cell is drawn from. */
  readonly of: unknown
  readonly right?: boolean | undefined
  readonly children: React.ReactNode
}

/** A cell of a row: it is tinted once when its record has changed and its text with it. */
export function TintedCell({ of, right, children }: TintedCellProps) {
  const cell = useRef<HTMLDivElement>(null)
  const was = useRef<{ of: unknown; text: string | null }>(null)
  useLayoutEffect(() => {
    const { textContent: text = '' } = cell.current!
    const before = was.current
    was.current = { of, text }
    if (before === null || before.of === of || before.text === text || prefersStill()) return
    const tint = { backgroundColor: 'var(--accent-wash)' }
    cell.current!.animate?.([tint, { ...tint, offset: 0.5 }, {}], { duration: TINT_MS })
  })
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid alone has the focus.
    // biome-ignore lint/a11y/useSemanticElements: a cell of a grid, not of an HTML table.
    <div ref={cell} role="gridcell" data-right={right ? '' : undefined}>
      {children}
    </div>
  )
}

const prefersStill = () => window.matchMedia?.('(prefers-reduced-motion: reduce)').matches
