import type { Day } from '../../components/day-scale.ts'
import { positionOf } from '../../components/day-scale.ts'
import type { GlyphName } from '../../ui/Glyph.tsx'

/** Where marks stand on the timeline: two rows, none on top of another, words where there is room. */

export interface Mark {
  readonly at: number
  readonly shape: GlyphName
  readonly words: string
  readonly title: string
  readonly ran: boolean
}

export interface Placed {
  readonly x: number
  readonly row: 0 | 1
  readonly marks: readonly Mark[]
  /** Null where there is no room for words. */
  readonly words: string | null
  /** The words stand before the shape, as there is no room behind it. */
  readonly back: boolean
}

const MERGE_PX = 14
const SHAPE_PX = 18
const BESIDE_PX = 9
const LETTER_PX = 6.4

/** What lies before the first day of the lane is not there. Whatever ran stands before the line of now, the rest after it. */
export function placed(marks: readonly Mark[], days: readonly Day[], width: number, now?: number): Placed[] {
  if (width === 0 || days.length === 0) return []
  const line = now === undefined ? undefined : positionOf(days, now)
  const beside = (x: number, ran: boolean) =>
    line === undefined ? x : ran ? Math.min(x, line * width - BESIDE_PX) : Math.max(x, line * width + BESIDE_PX)
  const groups: { x: number; marks: Mark[] }[] = []
  for (const mark of marks.toSorted((a, b) => a.at - b.at)) {
    const place = mark.at < days[0]!.start ? undefined : positionOf(days, mark.at)
    if (place === undefined) continue
    const x = Math.max(6, Math.min(width - 8, beside(place * width, mark.ran)))
    const last = groups.at(-1)
    if (last && x - last.x < MERGE_PX) last.marks.push(mark)
    else groups.push({ x, marks: [mark] })
  }
  return groups.map(({ x, marks: here }, i) => {
    const words = here.length > 1 ? String(here.length) : here[0]!.words
    const needs = SHAPE_PX + words.length * LETTER_PX
    // The next mark of the same row is the one after the next.
    const edge = here.every(({ ran }) => ran) && line !== undefined ? line * width : width
    const right = Math.min(groups[i + 2]?.x ?? width, edge) - (edge < width ? 2 : 8)
    const before = groups[i - 2]
    const left = before ? before.x + SHAPE_PX + LETTER_PX * 8 : 0
    const fits = x + needs <= right
    const back = !fits && x - needs >= left
    return { x, row: (i % 2) as 0 | 1, marks: here, words: words !== '' && (fits || back) ? words : null, back }
  })
}
