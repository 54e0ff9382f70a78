import { useEffect, useMemo, useRef, useState } from 'react'
import type { PartOfTime } from '../../../api/contract/control/operations.ts'
import type { Task } from '../../../api/contract/resources/tasks.ts'
import { perform } from '../../actions/action.ts'
import { advanceTo } from '../../actions/clock.ts'
import { glyphOfTask, signalOfTask } from '../../components/Status.tsx'
import { useFeed, useNow } from '../../data/feed.ts'
import { useLine } from '../../data/line.ts'
import { useQuery } from '../../data/sandbox.ts'
import { useAdvancePreview } from '../../data/use-advance-preview.ts'
import {
  formatAmount,
  formatCount,
  formatIsoDate,
  formatLongDay,
  formatShortInstant,
  newYork,
  parseNewYorkTime,
  plural,
  startOfDay,
  sumAmounts,
} from '../../format/text.ts'
import { PlainButton } from '../../ui/Button.tsx'
import { Stack } from '../../ui/Layout.tsx'
import { Popover } from '../../ui/Popover.tsx'
import { Glyph } from '../../ui/Text.tsx'
import styles from './Month.module.css'
import { PointActions, TaskFacts } from './PointMenu.tsx'
import { findPoint, type Point } from './points.ts'
import { type RecordNames, useRecordNames } from './record-names.ts'
import { closedDays, DAY_MS, type Day, monthOf, WEEK_DAYS } from './scale.ts'
import { amountOf, describeTask, endsWindow } from './task-labels.ts'

/** Five weeks as a calendar. One tab stop: the arrow keys move, with Shift they mark days, over which Enter advances, as a drag does. */

const CHIP_PX = 18
/** The borders and the bar of the line, and the names of the days. */
const FRAME_PX = 54
const HOUR_MS = 3_600_000
const MOST_LISTED = 8
const NO_PARTS: readonly PartOfTime[] = []

export function Month() {
  const box = useRef<HTMLTableElement>(null)
  const height = useLine((line) => line.height) - FRAME_PX
  const now = useNow(60_000)
  const today = startOfDay(now)
  const from = useLine((line) => line.from)
  const days = useMemo(() => monthOf(from ?? today), [from, today])
  const [cursor, setCursor] = useState<number | null>(null)
  /** The last day of the marked ones, the first of which is today. */
  const [goal, setGoal] = useState<number | null>(null)
  const [open, setOpen] = useState<number | null>(null)
  const pressed = useRef<number | null>(null)
  const shown = days.some(({ start }) => start === cursor)
    ? cursor!
    : (days.find(({ end }) => end > now) ?? days[0]!).start
  const index = days.findIndex(({ start }) => start === shown)
  const parts = useHours(days, now)
  const tasks = useTasksByDay(days, today)
  const holidays = useHolidays(days)
  const closed = new Map(closedDays(days, holidays).map((day) => [day.start, day.holiday ?? 'banks closed']))
  const lines = Math.max(1, Math.floor(height / 5 / CHIP_PX - 0.2))
  const names = useRecordNames([...tasks.values()].flatMap((here) => here.slice(0, lines)).map(({ record }) => record))

  // The key has moved the only tab stop.
  const moved = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: also when other weeks are shown.
  useEffect(() => {
    if (moved.current) box.current?.querySelector<HTMLElement>('[data-cursor]')?.focus()
    moved.current = false
  }, [shown, days])
  const move = (by: number, marks: boolean) => {
    const to = startOfDay(shown + by * DAY_MS + DAY_MS / 2)
    moved.current = true
    setCursor(to)
    setGoal(marks && to > today ? to : null)
    if (to < days[0]!.start || to >= days.at(-1)!.end) useLine.setState({ from: to })
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey || open !== null) return
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -7,
      ArrowDown: 7,
      PageUp: -28,
      PageDown: 28,
      Home: -(index % 7),
      End: 6 - (index % 7),
    }
    if (Object.hasOwn(steps, key)) move(steps[key]!, shiftKey)
    else if (key === 'Enter' && goal !== null) void advanceOver(goal)
    else if (key === 'Escape' && goal !== null) setGoal(null)
    else return
    event.preventDefault()
  }
  const advanceOver = (day: number) => {
    setGoal(null)
    const to = goalIn(day, now)
    return perform(advanceTo(new Date(to).toISOString(), `to ${formatShortInstant(to)}`))
  }
  const dayAt = ({ clientX, clientY }: React.PointerEvent) =>
    Number(document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-day]')?.dataset.day ?? Number.NaN)
  useEffect(() => {
    const end = () => {
      pressed.current = null
      setGoal(null)
    }
    // Outside of the days, the drag ends without an advance.
    window.addEventListener('pointerup', end)
    return () => window.removeEventListener('pointerup', end)
  }, [])
  return (
    <div className={styles.box}>
      <table
        ref={box}
        className={styles.month}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the arrow keys move from cell to cell.
        role="grid"
        aria-label={`${formatLongDay(days[0]!.start)} to ${formatLongDay(days.at(-1)!.start)}`}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          const day = dayAt(event)
          pressed.current = event.button === 0 && open === null && !Number.isNaN(day) ? day : null
        }}
        onPointerMove={(event) => {
          if (pressed.current === null) return
          const day = dayAt(event)
          setGoal(day !== pressed.current && day > today ? day : null)
        }}
        onPointerUp={() => {
          if (pressed.current !== null && goal !== null) void advanceOver(goal)
        }}
      >
        <thead>
          <tr>
            {WEEK_DAYS.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: days.length / 7 }, (_, week) => (
            <tr key={days[week * 7]!.start}>
              {days.slice(week * 7, week * 7 + 7).map((day) => (
                <td
                  key={day.start}
                  data-day={day.start}
                  data-past={day.end <= now ? '' : undefined}
                  data-today={day.start === today ? '' : undefined}
                  data-closed={closed.has(day.start) ? '' : undefined}
                  data-marked={goal !== null && day.start >= today && day.start <= goal ? '' : undefined}
                >
                  <Popover
                    open={open === day.start}
                    onOpenChange={(isOpen) => {
                      setOpen(isOpen ? day.start : null)
                      setCursor(day.start)
                    }}
                    wide
                    closable
                    title={[formatLongDay(day.start), closed.get(day.start)].filter(Boolean).join(', ')}
                    trigger={
                      <DayButton
                        day={day}
                        isNamed={day === days[0] || newYork(day.start).day === '1'}
                        isCursor={day.start === shown}
                        closed={closed.get(day.start)}
                        tasks={tasks.get(day.start) ?? []}
                        parts={parts.filter(({ until }) => isIn(day, until))}
                        names={names}
                        lines={lines}
                      />
                    }
                  >
                    <DayMenu
                      day={day}
                      now={now}
                      tasks={tasks.get(day.start) ?? []}
                      parts={parts}
                      from={days[0]!.start}
                    />
                  </Popover>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p role="status" className={styles.goal}>
        {goal !== null && <Goal to={goalIn(goal, now)} />}
      </p>
    </div>
  )
}

const isIn = ({ start, end }: Day, at: string) => Date.parse(at) >= start && Date.parse(at) < end

/** The same time of day; of today, its end. */
function goalIn(day: number, now: number): number {
  if (day === startOfDay(now)) return startOfDay(day + 1.5 * DAY_MS)
  // In spring an hour is missing.
  return parseNewYorkTime(formatIsoDate(day), newYork(now).time) ?? day + DAY_MS / 2
}

/** How much happened in each hour. */
function useHours(days: readonly Day[], now: number): readonly PartOfTime[] {
  const seq = useFeed((feed) => feed.seq)
  const begin = days[0]!.start
  const parts = Math.ceil((Math.min(days.at(-1)!.end, now + HOUR_MS) - begin) / HOUR_MS)
  const iso = (ms: number) => new Date(ms).toISOString()
  const input = parts > 0 && now > 0 ? { from: iso(begin), to: iso(begin + parts * HOUR_MS), parts } : null
  return useQuery('operations.count', input, [], { beat: seq, pauses: 4, keeps: true }).data?.parts ?? NO_PARTS
}

function useHolidays(days: readonly Day[]): ReadonlyMap<string, string> {
  const input = { from: formatIsoDate(days[0]!.start), days: days.length }
  const { data } = useQuery('calendar.read', input, [], { keeps: true })
  return new Map(data?.holidays.map(({ date, name }) => [date, name] as const))
}

/** In the order in which they run, those that end a window first. What should have run is due today. */
function useTasksByDay(days: readonly Day[], today: number): ReadonlyMap<number, readonly Task[]> {
  const tasks = useFeed((feed) => feed.tasks)
  return useMemo(() => {
    const end = days.at(-1)!.end
    const byDay = new Map<number, Task[]>()
    const order = (a: Task, b: Task) =>
      Number(endsWindow(b)) - Number(endsWindow(a)) || a.due_at.localeCompare(b.due_at)
    for (const task of tasks) {
      const at = Date.parse(task.due_at)
      if (at >= end || (task.recurring && task.failed === null)) continue
      const day = Math.max(today, startOfDay(at))
      byDay.set(day, [...(byDay.get(day) ?? []), task])
    }
    for (const here of byDay.values()) here.sort(order)
    return byDay
  }, [tasks, days, today])
}

interface DayButtonProps extends React.ComponentProps<'button'> {
  readonly day: Day
  /** With its month. */
  readonly isNamed: boolean
  readonly isCursor: boolean
  readonly closed: string | undefined
  readonly tasks: readonly Task[]
  readonly parts: readonly PartOfTime[]
  readonly names: RecordNames
  /** How many there is room for. */
  readonly lines: number
}

function DayButton({ day, isNamed, isCursor, closed, tasks, parts, names, lines, ...button }: DayButtonProps) {
  const { day: number, month, weekday } = newYork(day.start)
  const sum = (count: (part: PartOfTime) => number) => parts.reduce((total, part) => total + count(part), 0)
  const settled = sum((part) => part.settled)
  const counts = [
    [sum((part) => part.tasks), 'task'],
    [sum((part) => part.requests), 'request'],
    [sum((part) => part.decisions), 'decision'],
  ] as const
  const past = [
    ...(settled > 0
      ? [`${formatCount(settled)} settled, ${formatAmount(sumAmounts(parts.map(({ money }) => money)))}`]
      : []),
    ...counts.filter(([n]) => n > 0).map(([n, word]) => plural(n, word)),
  ]
  const holiday = closed === 'banks closed' ? [] : [closed ?? []].flat()
  const room = Math.max(0, lines - holiday.length)
  const chips = tasks.slice(0, tasks.length > room ? Math.max(0, room - 1) : room)
  const rest = tasks.length - chips.length
  return (
    <PlainButton
      {...button}
      tabIndex={isCursor ? 0 : -1}
      data-cursor={isCursor ? '' : undefined}
      className={styles.button}
    >
      <span className="unseen">
        {[`${weekday} ${number} ${month}`, ...(closed ? [closed] : [])].join(', ')}
        {tasks.length > 0 && `, ${plural(tasks.length, 'task')}`}:{' '}
      </span>
      <span className={styles.number} aria-hidden="true">
        {isNamed ? `${number} ${month}` : number}
      </span>
      <span className={styles.chips}>
        {holiday.map((name) => (
          <span key={name} className="cut faint" aria-hidden="true">
            {name}
          </span>
        ))}
        {chips.map((task) => (
          <Chip key={task.uid} task={task} names={names} />
        ))}
        {rest > 0 && (
          <span className="cut faint">{chips.length > 0 ? `${formatCount(rest)} more` : plural(rest, 'task')}</span>
        )}
        {tasks.length === 0 &&
          past.slice(0, room).map((text) => (
            <span key={text} className="cut faint">
              {text}
            </span>
          ))}
      </span>
    </PlainButton>
  )
}

function Chip({ task, names }: { task: Task; names: RecordNames }) {
  const glyph = glyphOfTask(task)
  const amount = amountOf(task, names)
  return (
    <span
      className={styles.chip}
      data-signal={endsWindow(task) ? 'wait' : signalOfTask(glyph)}
      data-chip={task.kind}
      title={describeTask(task)}
    >
      <Glyph name={glyph} />
      <span className="cut">
        {amount !== null && <b>{amount} </b>}
        {task.kind}
      </span>
    </span>
  )
}

interface DayMenuProps {
  readonly day: Day
  readonly now: number
  readonly tasks: readonly Task[]
  readonly parts: readonly PartOfTime[]
  readonly from: number
}

/** The tasks of a day, and its point in time: in the past its end. */
function DayMenu({ day, now, tasks, parts, from }: DayMenuProps) {
  const [past, setPast] = useState<Point | null>(null)
  const ahead = goalIn(day.start, now)
  const isPast = day.end <= now
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each day.
  useEffect(() => {
    const place = { at: day.end - 1, near: 0, now, tasks: [], parts, from }
    if (isPast) findPoint(place).then(setPast, () => {})
  }, [day.start, isPast])
  const point = isPast ? past : { at: ahead, commit: null, operation: null, task: null }
  return (
    <Stack gap={6} pad="8 12 12" text="data">
      {tasks.slice(0, MOST_LISTED).map((task) => (
        <TaskFacts key={task.uid} task={task} />
      ))}
      {tasks.length > MOST_LISTED && (
        <p className="soft">{formatCount(tasks.length - MOST_LISTED)} more: Tasks lists all.</p>
      )}
      {point && <PointActions point={point} now={now} />}
    </Stack>
  )
}

/** What an advance over the marked days would do. */
function Goal({ to }: { to: number }) {
  const { data } = useAdvancePreview({ to: new Date(to).toISOString() })
  return (
    <>
      <b>Advance to {formatShortInstant(to)}</b>
      {data && `: ${data.refused ?? `${plural(data.runs, 'task')} will run`}`}
    </>
  )
}
