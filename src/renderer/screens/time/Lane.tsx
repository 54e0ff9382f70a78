import { useMemo, useRef } from 'react'
import type { FiredTask } from '../../../api/contract/control/clock.ts'
import type { Task } from '../../../api/contract/resources/tasks.ts'
import { DayScale } from '../../components/DayScale.tsx'
import { type Day, describeDays, positionOnScale, splitIntoDays } from '../../components/day-scale.ts'
import { glyphOfTask, signalOfTask } from '../../components/task-glyph.ts'
import { formatAmount, plural } from '../../format/numbers.ts'
import { formatShortInstant, newYork, startOfDay } from '../../format/time.ts'
import { Glyph, type GlyphName } from '../../ui/Glyph.tsx'
import { useWidth } from '../../ui/use-width.ts'
import styles from './Lane.module.css'
import { formatReason, glyphOfOutcome } from './task-kinds.ts'
import type { RecordNames } from './use-record-names.ts'

const LANE_DAYS = 14
/** An advance that began earlier is not shown: the lane would have no room for future tasks. */
const MAX_PAST_MS = 7 * 86_400_000

/** The lane begins with the advance that is shown, or today. */
export const laneStart = (now: number, from: number | null) =>
  startOfDay(from !== null && now - from < MAX_PAST_MS && from <= now ? from : now)

interface LaneProps {
  readonly now: number
  readonly start: number
  readonly from: number | null
  readonly goal: number | null
  readonly tasks: readonly Task[]
  readonly fired: readonly FiredTask[]
  readonly holidays: ReadonlyMap<string, string>
  readonly names: RecordNames
}

/** A picture of the table: the tasks that ran, now, the scheduled tasks, and the end of the advance. */
export function Lane({ now, start, from, goal, tasks, fired, holidays, names }: LaneProps) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const days = useMemo(() => splitIntoDays(start, holidays, LANE_DAYS), [start, holidays])
  const marks = useMemo(
    () => [...fired.map((one) => markOfOutcome(one, names)), ...tasks.map((task) => markOfTask(task, names))],
    [fired, tasks, names],
  )
  const at = (ms: number) => positionOnScale(days, ms) ?? 1
  const percent = (position: number) => `${position * 100}%`
  const beyond = tasks.filter(({ due_at }) => positionOnScale(days, Date.parse(due_at)) === undefined).length
  return (
    <div
      className={styles.lane}
      role="img"
      aria-label={describeLane(days, { now, goal, ran: fired.length, due: tasks.length })}
    >
      <DayScale days={days} width={width} ref={box} large>
        {goal !== null && from !== null && (
          <span className={styles.span} style={{ left: percent(at(from)), width: percent(at(goal) - at(from)) }} />
        )}
        {from !== null && from < now && (
          <span
            className={styles.span}
            data-ran
            style={{ left: percent(at(from)), width: percent(at(now) - at(from)) }}
          />
        )}
        <span className={styles.now} style={{ left: percent(at(now)) }} />
        {goal !== null && positionOnScale(days, goal) !== undefined && (
          <span className={styles.until} style={{ left: percent(at(goal)) }}>
            {newYork(goal).time.slice(0, 5)}
          </span>
        )}
        {placeMarks(marks, days, width, now).map(({ x, row, marks: here, label, isLabelLeft }) => (
          <span
            key={`${x} ${row}`}
            className={styles.mark}
            data-line={row}
            data-ran={here[0]!.ran ? '' : undefined}
            data-back={isLabelLeft ? '' : undefined}
            data-signal={signalOfTask(here[0]!.shape)}
            style={{ left: x }}
            title={here.map(({ title }) => title).join('\n')}
          >
            <Glyph name={here[0]!.shape} />
            {label}
          </span>
        ))}
        {beyond > 0 && <span className={styles.beyond}>{beyond} later</span>}
      </DayScale>
    </div>
  )
}

interface LaneFacts {
  readonly now: number
  readonly goal: number | null
  readonly ran: number
  readonly due: number
}

const describeLane = (days: readonly Day[], { now, goal, ran, due }: LaneFacts) =>
  `Timeline of ${describeDays(days)}. Now: ${formatShortInstant(now)}; ${plural(ran, 'task')} ran, ${plural(due, 'task')} scheduled${
    goal === null ? '' : `; the advance ends ${formatShortInstant(goal)}`
  }. The tables below have the same tasks.`

function markOfTask(task: Task, names: RecordNames): Mark {
  const at = Date.parse(task.due_at)
  const amount = task.record === null ? null : (names.get(task.record)?.amount ?? null)
  const state = task.failed !== null ? 'failed' : task.held ? 'held' : null
  return {
    at,
    shape: glyphOfTask(task),
    label: state ?? (task.recurring ? '' : amount === null ? task.kind : formatAmount(amount)),
    title: `${formatShortInstant(at)} ${task.kind}: ${task.failed ?? formatReason(task)}`,
    ran: false,
  }
}

function markOfOutcome(fired: FiredTask, names: RecordNames): Mark {
  const at = Date.parse(fired.at)
  const shape = glyphOfOutcome(fired)
  const amount = fired.record === null ? null : (names.get(fired.record)?.amount ?? null)
  return {
    at,
    shape,
    label: shape === 'repeats' ? '' : shape === 'broken' || amount === null ? fired.outcome : formatAmount(amount),
    title: `${formatShortInstant(at)} ${fired.task}: ${fired.outcome}`,
    ran: true,
  }
}

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
