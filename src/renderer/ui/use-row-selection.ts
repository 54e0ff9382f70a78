import { useRef } from 'react'

/** Selects and marks rows by mouse and keyboard, as in a file manager. */

interface RowSelection<T> {
  /** In the order of the table. */
  readonly rows: readonly T[]
  readonly idOf: (row: T) => string
  readonly selected: string | null
  readonly marked: ReadonlySet<string>
  readonly onSelect: (row: T) => void
  readonly onMark: ((ids: ReadonlySet<string>) => void) | undefined
  readonly onOpen: ((row: T) => void) | undefined
  readonly reveal: (id: string) => void
  /** Number of visible rows. */
  readonly pageSize: () => number
}

const NONE: ReadonlySet<string> = new Set()

export function useRowSelection<T>(options: RowSelection<T>) {
  const { rows, idOf, selected, marked, onSelect, onMark, onOpen, reveal, pageSize } = options
  /** The start of a range. */
  const anchor = useRef<string | null>(null)

  const onRowClick = (event: React.MouseEvent, row: T) => {
    const id = idOf(row)
    if (onMark && event.shiftKey) {
      anchor.current ??= selected
      return onMark(rangeTo(id))
    }
    anchor.current = id
    if (onMark && (event.ctrlKey || event.metaKey))
      return onMark(
        toggleId(marked.size === 0 && selected !== null && selected !== id ? new Set([selected]) : marked, id),
      )
    if (marked.size > 0) onMark?.(NONE)
    onSelect(row)
  }

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.altKey) return
    if (markByKey(event)) return event.preventDefault()
    if (event.ctrlKey || event.metaKey) return
    const at = rows.findIndex((row) => idOf(row) === selected)
    if (event.key === 'Enter' && at >= 0 && onOpen) {
      event.preventDefault()
      return onOpen(rows[at]!)
    }
    const to = rowAfterKey(event.key, at, rows.length, pageSize)
    const row = to === undefined ? undefined : rows[to]
    if (!row) return
    event.preventDefault()
    if (!event.shiftKey) anchor.current = idOf(row)
    else if (onMark) {
      anchor.current ??= selected ?? idOf(row)
      onMark(rangeTo(idOf(row)))
    }
    onSelect(row)
    reveal(idOf(row))
  }

  /** Handles Space, Ctrl+A and Escape; returns whether the key was one of them. */
  const markByKey = ({ key, ctrlKey, metaKey }: React.KeyboardEvent): boolean => {
    if (!onMark) return false
    if (key === ' ' && selected !== null) {
      anchor.current = selected
      onMark(toggleId(marked, selected))
    } else if (key === 'a' && (ctrlKey || metaKey)) onMark(new Set(rows.map(idOf)))
    else if (key === 'Escape' && marked.size > 0) onMark(NONE)
    else return false
    return true
  }

  const rangeTo = (to: string): ReadonlySet<string> => {
    const ids = rows.map(idOf)
    const ends = [ids.indexOf(anchor.current ?? selected ?? to), ids.indexOf(to)].map((at) => Math.max(0, at))
    return new Set(ids.slice(Math.min(...ends), Math.max(...ends) + 1))
  }

  return { onRowClick, onKeyDown }
}

function toggleId(marked: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const ids = new Set(marked)
  if (!ids.delete(id)) ids.add(id)
  return ids
}

/** The index that a key moves to; -1 means that no row is selected. */
export function rowAfterKey(key: string, at: number, length: number, pageSize: () => number): number | undefined {
  const last = length - 1
  const within = (to: number) => Math.max(0, Math.min(last, to))
  switch (key) {
    case 'ArrowDown':
      return within(at + 1)
    case 'ArrowUp':
      return within(at - 1)
    case 'PageDown':
      return within(at + pageSize())
    case 'PageUp':
      return within(at - pageSize())
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}
