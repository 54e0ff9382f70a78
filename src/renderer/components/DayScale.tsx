import { useMemo, useRef } from 'react'
import { newYork } from '../format/text.ts'
import { Glyph, type GlyphName } from '../ui/Text.tsx'
import { useWidth } from '../ui/use-width.ts'
import styles from './DayScale.module.css'
import { type Day, formatDayLabel, positionOnScale } from './day-scale.ts'
import { signalOfTask } from './Status.tsx'

interface DayScaleProps {
  readonly days: readonly Day[]
  readonly marks: readonly Mark[]
  /** Says in words what it shows. */
  readonly label: string
  /** The end of the advance. */
  readonly goal: number | null
  /** A line at this time, if it is not where the days begin. */
  readonly now?: number
  readonly large?: boolean
  /** Behind the marks, placed by `positionOnScale`. */
  readonly children?: React.ReactNode
}

/** A row of days with marks on them. Days on which banks are closed are narrower. */
export function DayScale({ days, marks, label: description, goal, now, large = false, children }: DayScaleProps) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const last = days.at(-1)
  const total = last ? last.left + last.width : 1
  // There can be thousands of tasks.
  const placed = useMemo(() => placeMarks(marks, days, width, now), [marks, days, width, now])
  const end = goal === null || !last ? undefined : positionOnScale(days, goal)
  return (
    <div className={styles.days} data-large={large ? '' : undefined} ref={box} role="img" aria-label={description}>
      {days.map((day) => {
        const share = day.width / total
        return (
          <span
            key={day.end}
            className={styles.day}
            data-closed={day.closed ? '' : undefined}
            title={day.holiday}
            style={{ flexGrow: share }}
          >
            {share * width > 24 ? formatDayLabel(day, day === days[0], share * width) : ''}
          </span>
        )
      })}
      {children}
      {now !== undefined && (
        <span className={styles.now} style={{ left: `${(positionOnScale(days, now) ?? 1) * 100}%` }} />
      )}
      {end !== undefined && (
        <span className={styles.until} style={{ left: `${end * 100}%` }}>
          {large && newYork(goal!).time.slice(0, 5)}
        </span>
      )}
      {placed.map(({ x, row, marks: here, label, isLabelLeft }) => (
        <span
          key={`${x} ${row}`}
          className={styles.mark}
          data-line={row}
          data-ran={here[0]!.ran ? '' : undefined}
          data-back={isLabelLeft ? '' : undefined}
          data-signal={signalOfTask(here[0]!.shape)}
          style={{ left: x }}
          title={firstOf(here.map(({ title }) => title)).join('\n')}
        >
          <Glyph name={here[0]!.shape} />
          {label}
        </span>
      ))}
    </div>
  )
}

const MAX_DESCRIBED = 6

/** The first of many texts, and how many more there are. */
export const firstOf = (texts: readonly string[]): readonly string[] =>
  texts.length <= MAX_DESCRIBED ? texts : [...texts.slice(0, MAX_DESCRIBED), `${texts.length - MAX_DESCRIBED} more`]

/** Where marks are placed on the timeline: in two rows, without overlaps, with a label where there is room. */

export interface Mark {
  readonly at: number
  readonly shape: GlyphName
  readonly label: string
  readonly title: string
  readonly ran: boolean
}

interface PlacedMarks {
  readonly x: number
  readonly row: 0 | 1
  readonly marks: readonly Mark[]
  /** Null if there is no room. */
  readonly label: string | null
  /** The label is to the left of the glyph, because there is no room to its right. */
  readonly isLabelLeft: boolean
}

const MERGE_PX = 14
const GLYPH_PX = 18
const NOW_GAP_PX = 9
const LETTER_PX = 6.4

/** Marks before the first day are left out. Tasks that ran are left of the line of now, the others right of it. */
export function placeMarks(marks: readonly Mark[], days: readonly Day[], width: number, now?: number): PlacedMarks[] {
  if (width === 0 || days.length === 0) return []
  const line = now === undefined ? undefined : positionOnScale(days, now)
  const avoidLine = (x: number, ran: boolean) =>
    line === undefined ? x : ran ? Math.min(x, line * width - NOW_GAP_PX) : Math.max(x, line * width + NOW_GAP_PX)
  const groups: { x: number; marks: Mark[] }[] = []
  for (const mark of marks.toSorted((a, b) => a.at - b.at)) {
    const place = mark.at < days[0]!.start ? undefined : positionOnScale(days, mark.at)
    if (place === undefined) continue
    const x = Math.max(6, Math.min(width - 8, avoidLine(place * width, mark.ran)))
    const last = groups.at(-1)
    if (last && x - last.x < MERGE_PX) last.marks.push(mark)
    else groups.push({ x, marks: [mark] })
  }
  return groups.map(({ x, marks: here }, i) => {
    const label = here.length > 1 ? String(here.length) : here[0]!.label
    const needs = GLYPH_PX + label.length * LETTER_PX
    // The rows alternate: the next mark of the same row is the one after the next.
    const edge = here.every(({ ran }) => ran) && line !== undefined ? line * width : width
    const right = Math.min(groups[i + 2]?.x ?? width, edge) - (edge < width ? 2 : 8)
    const before = groups[i - 2]
    const left = before ? before.x + GLYPH_PX + LETTER_PX * 8 : 0
    const fits = x + needs <= right
    const isLabelLeft = !fits && x - needs >= left
    return {
      x,
      row: (i % 2) as 0 | 1,
      marks: here,
      label: label !== '' && (fits || isLabelLeft) ? label : null,
      isLabelLeft,
    }
  })
}
