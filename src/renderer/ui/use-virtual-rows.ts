import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

const HEAD_HEIGHT = 24
const VIRTUAL_FROM = 200
const SLOTS = 64

/** The last scroll position of each grid. */
const scrollPositions = new Map<string, number>()

interface Options {
  readonly rows: readonly unknown[]
  /** Including rows that are still loading. */
  readonly count: number
  readonly rowHeight: number
  /** For rows of another height. */
  readonly heightOf?: (at: number) => number
  /** The key under which the scroll position is remembered. */
  readonly scrollKey?: string | undefined
}

export type VirtualRows = ReturnType<typeof useVirtualRows>

/** The rows to render: all of a short grid, the visible ones of a long grid. */
export function useVirtualRows({ rows, count, rowHeight, heightOf = () => rowHeight, scrollKey }: Options) {
  const scroller = useRef<HTMLDivElement>(null)
  const isPrinting = useSyncExternalStore(listenToPrint, readPrinting)
  const isVirtual = count >= VIRTUAL_FROM && !isPrinting
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function makes the virtualizer compute all heights again.
  const getItemKey = useCallback((at: number) => at, [rows])
  const virtualizer = useVirtualizer({
    count,
    enabled: isVirtual,
    getScrollElement: () => scroller.current,
    estimateSize: heightOf,
    getItemKey,
    overscan: 12,
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
  })

  const restored = useRef(false)
  useLayoutEffect(() => {
    if (restored.current || count === 0) return
    restored.current = true
    const top = scrollKey === undefined ? undefined : scrollPositions.get(scrollKey)
    if (top && scroller.current) scroller.current.scrollTop = top
  }, [count, scrollKey])

  const items = virtualizer.getVirtualItems()
  const isFast = useIsFast(virtualizer.scrollOffset ?? 0, virtualizer.scrollRect?.height ?? 0, virtualizer.isScrolling)
  return {
    scroller,
    isVirtual,
    height: isVirtual ? virtualizer.getTotalSize() : undefined,
    /** The grid scrolls by more than what is visible in each frame, as when the scroll bar is dragged. */
    isFast: isVirtual && isFast,
    /** At least as many as there are visible rows; a number that seldom changes. */
    slots: SLOTS * Math.ceil(items.length / SLOTS),
    visible: isVirtual
      ? items.map(({ index, start }) => ({ at: index, top: start - HEAD_HEIGHT }))
      : Array.from({ length: count }, (_, at) => ({ at, top: undefined })),
    /** Scrolls a row into view, as little as needed; returns where it is then. */
    reveal: (at: number, id: string): DOMRect | undefined => {
      if (!isVirtual) {
        const row = document.getElementById(id)
        row?.scrollIntoView({ block: 'nearest' })
        return row?.getBoundingClientRect()
      }
      virtualizer.scrollToIndex(at, { align: 'auto' })
      const grid = scroller.current
      const place = virtualizer.measurementsCache[at]
      if (!grid || !place) return undefined
      // On a narrow window the page scrolls too.
      grid.scrollIntoView({ block: 'nearest' })
      // Computed, as the row itself is drawn later.
      const { left, top, width } = grid.getBoundingClientRect()
      return new DOMRect(left, top + place.start - grid.scrollTop, width, place.size)
    },
    pageSize: () => Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - HEAD_HEIGHT) / rowHeight) - 1),
    rememberPosition: (top: number) => {
      if (scrollKey !== undefined && restored.current) scrollPositions.set(scrollKey, top)
    },
  }
}

let printing = false
const readPrinting = () => printing

/** Paper has all rows. */
function listenToPrint(onChange: () => void) {
  const listen = (event: Event) => {
    printing = event.type === 'beforeprint'
    // The page is printed as it is when the listener returns.
    flushSync(onChange)
  }
  const events = ['beforeprint', 'afterprint']
  for (const type of events) window.addEventListener(type, listen)
  return () => {
    for (const type of events) window.removeEventListener(type, listen)
  }
}

/** One jump, as by a key, is not fast. */
function useIsFast(offset: number, height: number, isScrolling: boolean): boolean {
  const last = useRef({ offset, jumps: 0 })
  const moved = Math.abs(offset - last.current.offset)
  if (moved > 0) last.current = { offset, jumps: isScrolling && moved > height ? last.current.jumps + 1 : 0 }
  return isScrolling && last.current.jumps > 1
}
