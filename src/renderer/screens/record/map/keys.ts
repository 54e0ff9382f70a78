import type { MapLayout } from './layout.ts'

/** How the arrow keys move on the map: it is one tab stop. */

interface Stop {
  readonly key: string
  /** Its place from left to right: columns of nodes, and the flows that leave them. */
  readonly rank: number
  readonly y: number
}

/** Flows, and the nodes that are links; from left to right, then from top to bottom. */
export function stopsOf({ columns, nodes, flows }: MapLayout): Stop[] {
  const rankOf = (key: string) => columns.findIndex(({ column }) => key.startsWith(`${column}: `)) * 2
  return [
    ...nodes
      .filter(({ node }) => node.uid !== null)
      .map(({ key, y, height }) => ({ key, rank: rankOf(key), y: y + height / 2 })),
    ...flows.map(({ key, from, start, thickness }) => ({ key, rank: rankOf(from) + 1, y: start + thickness / 2 })),
  ].sort((a, b) => a.rank - b.rank || a.y - b.y)
}

/** The stop that a key leads to; undefined if it leads nowhere. */
export function nextStop(stops: readonly Stop[], from: string, key: string): Stop | undefined {
  const i = stops.findIndex((stop) => stop.key === from)
  const current = stops[i]
  if (!current) return undefined
  if (key === 'Home') return stops[0]
  if (key === 'End') return stops.at(-1)
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    const next = stops[i + (key === 'ArrowDown' ? 1 : -1)]
    return next?.rank === current.rank ? next : undefined
  }
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return undefined
  const beyond = stops.filter(({ rank }) => (key === 'ArrowRight' ? rank > current.rank : rank < current.rank))
  const rank = key === 'ArrowRight' ? beyond[0]?.rank : beyond.at(-1)?.rank
  const distance = ({ y }: Stop) => Math.abs(y - current.y)
  return beyond
    .filter((stop) => stop.rank === rank)
    .reduce<Stop | undefined>((best, stop) => (best && distance(best) <= distance(stop) ? best : stop), undefined)
}
