import { useMemo } from 'react'
import type { Task } from '../../api/contract/resources/tasks.ts'
import { DayScale, firstOf, type Mark } from '../components/DayScale.tsx'
import { DAY_COUNT, type Day, describeDays, positionOnScale, splitIntoDays } from '../components/day-scale.ts'
import { ScreenLink } from '../components/ScreenLink.tsx'
import { glyphOfTask, signalOfTask } from '../components/Status.tsx'
import { useFeed, useNow } from '../data/feed.ts'
import { useRoute } from '../data/route.ts'
import { useQuery } from '../data/sandbox.ts'
import { formatCount, formatIsoDate, formatShortInstant, newYork, startOfDay } from '../format/text.ts'
import { PlainButton } from '../ui/Button.tsx'
import { Glyph, GlyphText } from '../ui/Glyph.tsx'
import { Caption, Row, Stack } from '../ui/Layout.tsx'
import { Text, Time } from '../ui/Text.tsx'
import { Popover } from './late.tsx'
import styles from './ScheduleStrip.module.css'

const describeTask = ({ kind, why, due_at, failed }: Task) =>
  `${formatShortInstant(Date.parse(due_at))} ${kind}: ${failed ?? why}`

/**
 * The next days with a shape for each scheduled task. Days on which banks are closed are narrower and hatched. The Time screen has
 * the same days, larger.
 */
export function ScheduleStrip() {
  const isDoubled = useRoute((view) => view.screen === 'time')
  const isKnown = useFeed((feed) => feed.clock !== null)
  const tasks = useFeed((feed) => feed.tasks)
  const goal = useFeed((feed) => feed.progress?.to)
  const now = useNow(60_000)
  const { data } = useQuery('calendar.read', isKnown ? { from: formatIsoDate(now), days: DAY_COUNT } : null)
  const days = useMemo(() => {
    const holidays = data?.holidays.map(({ date, name }) => [date, name] as const)
    return splitIntoDays(now, new Map(holidays))
  }, [now, data])
  const marks = useMemo(
    () =>
      tasks.map((task): Mark => {
        const at = Math.max(now, Date.parse(task.due_at))
        return { at, shape: glyphOfTask(task), label: '', title: describeTask(task), ran: false }
      }),
    [tasks, now],
  )
  const label = useMemo(() => describeStrip(days, tasks), [tasks, days])
  return (
    <Row
      as="section"
      line="both"
      fill="well"
      align="stretch"
      className={styles.strip}
      aria-label="Scheduled"
      data-doubled={isDoubled ? '' : undefined}
    >
      <ScheduledTasks now={now} />
      <DayScale days={isKnown ? days : NO_DAYS} marks={marks} label={label} goal={goal ? Date.parse(goal) : null} />
    </Row>
  )
}

const NO_DAYS: readonly Day[] = []

function describeStrip(days: readonly Day[], tasks: readonly Task[]): string {
  const shown = tasks.filter(({ due_at }) => positionOnScale(days, Date.parse(due_at)) !== undefined)
  const list = firstOf(shown.map(describeTask))
  return `Schedule of ${describeDays(days)}. ${list.length === 0 ? 'No task is due' : `Due: ${list.join('; ')}`}.`
}

const MAX_LISTED = 12

/** How many tasks are scheduled and when the next one is due; a click lists them. */
function ScheduledTasks({ now }: { now: number }) {
  const clock = useFeed((feed) => feed.clock)
  const tasks = useFeed((feed) => feed.tasks)
  const next = clock?.next
  const nextDue = next ? `next ${formatNext(Date.parse(next.at), now)}` : ''
  if (tasks.length === 0)
    return (
      <span className={styles.due}>
        <b>{clock === null ? '' : '0 due'}</b>
      </span>
    )
  return (
    <Popover
      trigger={
        <PlainButton className={styles.due}>
          <b>{formatCount(clock?.due ?? 0)} due</b> {nextDue}
        </PlainButton>
      }
      title="Scheduled"
    >
      <ul>
        {tasks.slice(0, MAX_LISTED).map((task) => (
          <Stack
            key={task.uid}
            as="li"
            columns="112px minmax(0, 1fr)"
            gap={8}
            pad="4 12"
            least={28}
            text="data"
            line="bottom"
            align="start"
          >
            <Time at={task.due_at} format={formatShortInstant} />
            <span>
              <GlyphText signal={signalOfTask(glyphOfTask(task))}>
                <Glyph name={glyphOfTask(task)} />
                {task.kind}
              </GlyphText>
              <br />
              <Text className="meta">{task.failed ?? task.why}</Text>
            </span>
          </Stack>
        ))}
      </ul>
      <Caption as="p" className="meta">
        {tasks.length > MAX_LISTED && `and ${formatCount(tasks.length - MAX_LISTED)} more`}
        <ScreenLink screen="time" className="data end">
          Agenda
        </ScreenLink>
      </Caption>
    </Popover>
  )
}

const WEEK_MS = 6 * 86_400_000

/** As short as is unambiguous: today 16:30, Tue 08:30, 4 Dec. */
function formatNext(at: number, now: number): string {
  const { weekday, day, month, year, time } = newYork(at)
  if (startOfDay(at) === startOfDay(now)) return `today ${time.slice(0, 5)}`
  if (at - now < WEEK_MS) return `${weekday} ${time.slice(0, 5)}`
  return year === newYork(now).year ? `${day} ${month}` : `${month} ${year}`
}
