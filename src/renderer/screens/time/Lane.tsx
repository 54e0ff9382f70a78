import { useMemo } from 'react'
import type { FiredTask } from '../../../api/contract/control/clock.ts'
import type { Task } from '../../../api/contract/resources/tasks.ts'
import { DayScale, type Mark } from '../../components/DayScale.tsx'
import { type Day, describeDays, positionOnScale, splitIntoDays } from '../../components/day-scale.ts'
import { glyphOfTask } from '../../components/Status.tsx'
import { formatAmount, formatShortInstant, plural, startOfDay } from '../../format/text.ts'
import { formatReason, glyphOfOutcome, type RecordNames } from './agenda.ts'
import styles from './Lane.module.css'

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
  const days = useMemo(() => splitIntoDays(start, holidays, LANE_DAYS), [start, holidays])
  const marks = useMemo(
    () => [...fired.map((one) => markOfOutcome(one, names)), ...tasks.map((task) => markOfTask(task, names))],
    [fired, tasks, names],
  )
  const span = (begin: number, end: number) => {
    const [left, right] = [begin, end].map((ms) => (positionOnScale(days, ms) ?? 1) * 100)
    return { left: `${left}%`, width: `${right! - left!}%` }
  }
  const beyond = tasks.filter(({ due_at }) => positionOnScale(days, Date.parse(due_at)) === undefined).length
  return (
    <div className={styles.lane}>
      <DayScale
        days={days}
        marks={marks}
        label={describeLane(days, { now, goal, ran: fired.length, due: tasks.length })}
        goal={goal}
        now={now}
        large
      >
        {goal !== null && from !== null && <span className={styles.span} style={span(from, goal)} />}
        {from !== null && from < now && <span className={styles.span} data-ran style={span(from, now)} />}
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
