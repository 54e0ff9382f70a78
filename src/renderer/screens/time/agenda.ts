import type { AdvancePreview } from '../../../api/contract/control/clock.ts'
import type { Task } from '../../../api/contract/resources/tasks.ts'
import { formatIsoDate, isWeekend, newYork, startOfDay, startOfNextDay } from '../../format/time.ts'

/** The scheduled tasks in the order in which they will run, grouped by day in New York. */

export interface Section {
  readonly id: string
  readonly kind: 'failed' | 'day' | 'closed' | 'later'
  readonly title: string
  readonly note: string
  readonly right: string
  /** For a future day: its midnight in New York. */
  readonly start: number | null
  readonly tasks: readonly Task[]
}

interface AgendaInput {
  readonly tasks: readonly Task[]
  readonly now: number
  /** Where the running or previewed advance ends. */
  readonly goal: number | null
  /** For an advance by business days: its start and their number. */
  readonly counting?: { readonly from: number; readonly days: number } | undefined
  readonly holidays: ReadonlyMap<string, string>
}

/** Bank holidays and weekends without tasks are listed for this many days; later, only days with tasks are. */
const NEAR_DAYS = 21

export function buildAgenda({ tasks, now, goal, counting, holidays }: AgendaInput): Section[] {
  const failed = tasks.filter((task) => task.failed !== null)
  const waiting = tasks.filter((task) => task.failed === null).toSorted((a, b) => a.due_at.localeCompare(b.due_at))
  const reached = waiting.filter((task) => goal === null || Date.parse(task.due_at) <= goal)
  const later = waiting.filter((task) => !reached.includes(task))
  const sections: Section[] = []
  if (failed.length > 0)
    sections.push({
      id: 'failed',
      kind: 'failed',
      title: 'Failed',
      note: `${failed.length}, not retried automatically`,
      right: '',
      start: null,
      tasks: failed,
    })
  sections.push(...buildDays(reached, { now, goal, counting, holidays }))
  if (later.length > 0)
    sections.push({
      id: 'later',
      kind: 'later',
      title: 'Later',
      note: `${countTasks(later)}, not reached by this advance`,
      right: '',
      start: null,
      tasks: later,
    })
  return sections
}

function buildDays(tasks: readonly Task[], { now, goal, counting, holidays }: Omit<AgendaInput, 'tasks'>): Section[] {
  const today = startOfDay(now)
  const byDay = new Map<number, Task[]>()
  for (const task of tasks) {
    const day = startOfDay(Date.parse(task.due_at))
    byDay.set(day, [...(byDay.get(day) ?? []), task])
  }
  const end = goal === null ? Math.max(today, ...byDay.keys()) : startOfDay(goal)
  const starts = new Set([...byDay.keys(), today])
  for (let day = today, i = 0; day <= end && i < NEAR_DAYS; day = startOfNextDay(day), i++) starts.add(day)
  if (goal !== null) starts.add(end)
  const sections: Section[] = []
  let closed: number | null = null
  for (const start of [...starts].sort((a, b) => a - b)) {
    const here = byDay.get(start) ?? []
    const closure = holidays.get(formatIsoDate(start)) ?? (isWeekend(start) ? 'banks closed' : undefined)
    const last = sections.at(-1)
    if (here.length === 0 && start !== today && closure !== undefined && !(goal !== null && start === end)) {
      // Saturday and Sunday share a line.
      const isNextDay = closed !== null && startOfNextDay(closed) === start
      closed = start
      if (isNextDay && last?.kind === 'closed' && last.note === `${closure}, nothing due` && isWeekend(start))
        sections[sections.length - 1] = { ...last, title: `${last.title}, ${dayName(start, now)}` }
      else
        sections.push({
          id: `closed ${start}`,
          kind: 'closed',
          title: dayName(start, now),
          note: `${closure}, nothing due`,
          right: '',
          start,
          tasks: [],
        })
      continue
    }
    if (here.length === 0 && start !== today && !(goal !== null && start === end)) continue
    const note = [start === today ? 'today' : start < today ? 'past' : '', closure ?? '', countTasks(here)]
      .filter(Boolean)
      .join(', ')
    const ends = goal !== null && start === end ? `advance ends at ${newYork(goal).time.slice(0, 5)}` : ''
    sections.push({
      id: `day ${start}`,
      kind: 'day',
      title: dayName(start, now),
      note,
      right: [numberOfBusinessDay(start, counting, holidays), ends].filter(Boolean).join(', '),
      start: start > now ? start : null,
      tasks: here,
    })
  }
  return sections
}

/** As everywhere in the window, held and recurring tasks do not count as due. */
function countTasks(tasks: readonly Task[]): string {
  const held = tasks.filter((task) => task.held).length
  const recurring = tasks.filter((task) => task.recurring && !task.held).length
  const counts = [
    [tasks.length - held - recurring, 'due'],
    [held, 'held'],
    [recurring, 'recurring'],
  ]
    .filter(([n]) => n !== 0)
    .map(([n, word]) => `${n} ${word}`)
  return counts.length === 0 ? 'nothing due' : counts.join(', ')
}

function numberOfBusinessDay(
  start: number,
  counting: AgendaInput['counting'],
  holidays: AgendaInput['holidays'],
): string {
  if (!counting) return ''
  let n = 0
  for (
    let day = startOfNextDay(startOfDay(counting.from));
    day <= start && n <= counting.days;
    day = startOfNextDay(day)
  )
    if (!isWeekend(day) && !holidays.has(formatIsoDate(day))) n++
  const open = !isWeekend(start) && !holidays.has(formatIsoDate(start))
  return open && n >= 1 && n <= counting.days ? `business day ${n} of ${counting.days}` : ''
}

/** Fri 4 Dec, with the year if it differs from that of `now`. */
export function dayName(ms: number, now = ms): string {
  const { weekday, day, month, year } = newYork(ms)
  return `${weekday} ${day} ${month}${year === newYork(now).year ? '' : ` ${year}`}`
}

/** What an advance would run, as far as is known: tasks can schedule more. */
export function forecastTasks({
  runs,
  recurring,
  skipped,
}: Pick<AdvancePreview, 'runs' | 'recurring' | 'skipped'>): string {
  const areAllRecurring = recurring === runs
  const noun = (n: number) => (n === 1 ? 'task' : 'tasks')
  const parts = [
    runs === 0 ? 'No task will run' : `${runs} ${areAllRecurring ? 'recurring ' : ''}${noun(runs)} will run`,
    recurring > 0 && !areAllRecurring ? `${recurring} of them recurring` : '',
    skipped > 0 ? `${skipped} held or failed ${noun(skipped)} will be skipped` : '',
  ].filter(Boolean)
  return `${parts.join(', ')}. Tasks can schedule more tasks.`
}
