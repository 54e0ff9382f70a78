import { useEffect, useRef, useState } from 'react'
import { readStored, writeStored } from '../format/stored.ts'
import styles from './Splitter.module.css'

interface SplitterProps {
  readonly label: string
  /** Which of its two neighbors it sizes; the other one gets the rest. */
  readonly sizes: 'before' | 'after'
  /** The neighbors are above each other, not side by side. */
  readonly stacked?: boolean
  /** In pixels, of either neighbor. */
  readonly min?: number
  /** Undefined for the default size. */
  readonly onResize: (size: number | undefined) => void
}

const MIN = 240
const STEP = 16

/** The line between two panes. It is dragged, or moved with the arrow keys; a double click resets it. */
export function Splitter({ label, sizes, stacked = false, min = MIN, onResize }: SplitterProps) {
  const line = useRef<HTMLDivElement>(null)
  const start = useRef<{ readonly at: number; readonly size: number } | null>(null)
  const [{ size, max }, setMeasured] = useState({ size: min, max: min })
  /** The default size is that of the layout, so it has to be measured. */
  const measure = () => {
    const { previousElementSibling: before, nextElementSibling: after, parentElement: box } = line.current!
    const lengthOf = (element: Element | null) => {
      const { width = 0, height = 0 } = element?.getBoundingClientRect() ?? {}
      return Math.round(stacked ? height : width)
    }
    const pane = sizes === 'before' ? before : after
    return { pane, box, size: lengthOf(pane), max: Math.max(min, lengthOf(box) - min) }
  }
  useEffect(() => {
    if (typeof ResizeObserver === 'undefined') return
    const { pane, box } = measure()
    const observer = new ResizeObserver(() => {
      // It may be removed at this moment.
      if (!line.current) return
      const { size, max } = measure()
      setMeasured((was) => (was.size === size && was.max === max ? was : { size, max }))
    })
    for (const element of [pane, box]) if (element) observer.observe(element)
    return () => observer.disconnect()
  })
  const resize = (to: number) => onResize(Math.round(Math.min(measure().max, Math.max(min, to))))
  const direction = sizes === 'before' ? 1 : -1
  const [back, forth] = stacked ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight']
  const sizeAfterKey = (key: string): number | undefined => {
    if (key === back || key === forth) return measure().size + (key === forth ? STEP : -STEP) * direction
    if (key === 'Home' || key === 'End') return (key === 'Home') === (sizes === 'before') ? 0 : Number.MAX_SAFE_INTEGER
    return undefined
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that has the focus and a value is no thematic break.
    <div
      ref={line}
      className={styles.splitter}
      role="separator"
      data-sizes={sizes}
      aria-orientation={stacked ? 'horizontal' : 'vertical'}
      aria-label={label}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuetext={`${size} pixels`}
      tabIndex={0}
      title="Drag, or use the arrow keys. A double click resets it."
      onKeyDown={(event) => {
        const to = sizeAfterKey(event.key)
        if (to === undefined) return
        event.preventDefault()
        resize(to)
      }}
      onDoubleClick={() => onResize(undefined)}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { at: stacked ? event.clientY : event.clientX, size: measure().size }
      }}
      onPointerMove={({ clientX, clientY }) => {
        if (!start.current) return
        const by = (stacked ? clientY : clientX) - start.current.at
        if (by !== 0) resize(start.current.size + by * direction)
      }}
      onLostPointerCapture={() => {
        start.current = null
      }}
    />
  )
}

/**
 * The size of a pane that this browser remembers under a key, as a style of a box around it. Until the user changes it, it is `initial`,
 * or what the stylesheet says.
 */
export function usePaneSize(key: string, property: `--${string}`, initial?: number) {
  const stored = `sandbank.layout.size.${key}`
  const [size, setSize] = useState(() => {
    const last = readStored('localStorage', stored)
    return typeof last === 'number' ? last : undefined
  })
  const used = size ?? initial
  return {
    size: used,
    style: (used === undefined ? {} : { [property]: `${used}px` }) as React.CSSProperties,
    onResize: (next: number | undefined) => {
      setSize(next)
      writeStored('localStorage', stored, next)
    },
  }
}
