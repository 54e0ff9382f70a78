import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useRef } from 'react'

const HEAD_HEIGHT = 24
const VIRTUAL_FROM = 200

/** How far each grid was scrolled when it was last shown. */
const scrollPositions = new Map<string, number>()

interface Options {
  readonly rows: readonly unknown[]
  /** With those that are still being loaded. */
  readonly count: number
  readonly rowHeight: number
  /** Of a row that is lower or higher than the others. */
  readonly heightOf?: (at: number) => number
  /** The key under which the scroll position is remembered. */
  readonly place?: string | undefined
}

export type VirtualRows = ReturnType<typeof useVirtualRows>

/** Which rows are drawn: all of a short grid, those in sight of a long one. */
export function useVirtualRows({ rows, count, rowHeight, heightOf = () => rowHeight, place }: Options) {
  const scroller = useRef<HTMLDivElement>(null)
  const isVirtual = count >= VIRTUAL_FROM
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function tells the virtualizer to add up heights anew.
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
    const top = place === undefined ? undefined : scrollPositions.get(place)
    if (top && scroller.current) scroller.current.scrollTop = top
  }, [count, place])

  return {
    scroller,
    isVirtual,
    height: isVirtual ? virtualizer.getTotalSize() : undefined,
    drawn: isVirtual
      ? virtualizer.getVirtualItems().map(({ index, start }) => ({ at: index, top: start - HEAD_HEIGHT }))
      : Array.from({ length: count }, (_, at) => ({ at, top: undefined })),
    /** Scrolls as little as is needed. */
    reveal: (at: number, id: string) => {
      if (isVirtual) virtualizer.scrollToIndex(at, { align: 'auto' })
      else document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
    },
    pageSize: () => Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - HEAD_HEIGHT) / rowHeight) - 1),
    rememberPosition: (top: number) => {
      if (place !== undefined && restored.current) scrollPositions.set(place, top)
    },
  }
}
