import { useRef, useState } from 'react'
import styles from './Splitter.module.css'

interface SplitterProps {
  readonly label: string
  /** The width of the pane at its right, in pixels. */
  readonly width: number
  readonly onResize: (width: number | undefined) => void
}

const MIN = 280
const STEP = 16
const maxWidth = () => Math.max(MIN, Math.round(window.innerWidth * 0.6))
const limit = (width: number) => Math.round(Math.min(maxWidth(), Math.max(MIN, width)))

/** The line between a list and the pane at its right. It is dragged, or moved with the arrow keys; a double click resets it. */
export function Splitter({ label, width, onResize }: SplitterProps) {
  const start = useRef<{ readonly x: number; readonly width: number } | null>(null)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that has the focus and a value is no thematic break.
    <div
      className={styles.splitter}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={Math.round(width)}
      aria-valuemin={MIN}
      aria-valuemax={maxWidth()}
      tabIndex={0}
      title="Drag, or use the arrow keys. A double click resets it."
      onKeyDown={(event) => {
        const by = event.key === 'ArrowLeft' ? STEP : event.key === 'ArrowRight' ? -STEP : undefined
        if (by === undefined) return
        event.preventDefault()
        onResize(limit(width + by))
      }}
      onDoubleClick={() => onResize(undefined)}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, width }
      }}
      onPointerMove={({ clientX }) => {
        if (start.current && clientX !== start.current.x)
          onResize(limit(start.current.width + start.current.x - clientX))
      }}
      onLostPointerCapture={() => {
        start.current = null
      }}
    />
  )
}

/** The width of a pane that this browser remembers under a key. */
export function useRememberedWidth(key: string, initial: number) {
  const [width, setWidth] = useState(() => readWidth(key) ?? initial)
  return [
    width,
    (next: number | undefined) => {
      setWidth(next ?? initial)
      try {
        if (next === undefined) localStorage.removeItem(storageKey(key))
        else localStorage.setItem(storageKey(key), String(next))
      } catch {
        // Storage is disabled: the width holds until the screen is left.
      }
    },
  ] as const
}

const storageKey = (key: string) => `sandbank.width.${key}`

function readWidth(key: string): number | undefined {
  try {
    const stored = Number(localStorage.getItem(storageKey(key)) ?? Number.NaN)
    return Number.isFinite(stored) ? limit(stored) : undefined
  } catch {
    return undefined
  }
}
