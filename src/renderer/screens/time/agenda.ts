import type { Task } from '../../../api/contract/resources/tasks.ts'
import { dayStart, formatIsoDate, isWeekend, newYork, nextDay } from '../../format/time.ts'

/** Everything due, in the order in which it will happen, under the days of New York. */

export interface Section {
  readonly id: string
  readonly kind: 'failed' | 'day' | 'closed' | 'later'
  readonly title: string
  readonly note: string
  readonly right: string
  /** Midnight in New York at which it begins; null where it is no day ahead. */
  readonly start: number | null
  readonly tasks: readonly Task[]
}

export interface AgendaOf {
  readonly tasks: readonly Task[]
  readonly now: number
  /** Where an advance ends that runs or is looked at beforehand. */
  readonly goal: number | null
  /** Of an advance by business days: from where, and how many. */
  readonly counting?: { readonly from: number; readonly days: number } | undefined
  readonly holidays: ReadonlyMap<string, string>
}

/** Closed days without a task are named up to here; farther away only days with tasks are. */
const NEAR_DAYS = 21

export function agendaOf({ tasks, now, goal, counting, holidays }: AgendaOf): Section[] {
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
      note: `${failed.length}, not tried again unless you do`,
      right: '',
      start: null,
      tasks: failed,
    })
  sections.push(...days(reached, { now, goal, counting, holidays }))
  if (later.length > 0)
    sections.push({
      id: 'later',
      kind: 'later',
      title: 'Later',
      note: `${dueOf(later)}, not reached by this advance`,
      right: '',
      start: null,
      tasks: later,
    })
  return sections
}

function days(tasks: readonly Task[], { now, goal, counting, holidays }: Omit<AgendaOf, 'tasks'>): Section[] {
  const today = dayStart(now)
  const byDay = new Map<number, Task[]>()
  for (const task of tasks) {
    const day = dayStart(Date.parse(task.due_at))
    byDay.set(day, [...(byDay.get(day) ?? []), task])
  }
  const end = goal === null ? Math.max(today, ...byDay.keys()) : dayStart(goal)
  const starts = new Set([...byDay.keys(), today])
  for (let day = today, i = 0; day <= end && i < NEAR_DAYS; day = nextDay(day), i++) starts.add(day)
  if (goal !== null) starts.add(end)
  const sections: Section[] = []
  let closed: number | null = null
  for (const start of [...starts].sort((a, b) => a - b)) {
    const here = byDay.get(start) ?? []
    const shut = holidays.get(formatIsoDate(start)) ?? (isWeekend(start) ? 'banks closed' : undefined)
    const last = sections.at(-1)
    if (here.length === 0 && start !== today && shut !== undefined && !(goal !== null && start === end)) {
      // A weekend is one line.
      const goesOn = closed !== null && nextDay(closed) === start
      closed = start
      if (goesOn && last?.kind === 'closed' && last.note === `${shut}, nothing due` && isWeekend(start))
        sections[sections.length - 1] = { ...last, title: `${last.title}, ${dayName(start, now)}` }
      else
        sections.push({
          id: `closed ${start}`,
          kind: 'closed',
          title: dayName(start, now),
          note: `${shut}, nothing due`,
          right: '',
          start,
          tasks: [],
        })
      continue
    }
    if (here.length === 0 && start !== today && !(goal !== null && start === end)) continue
    const note = [start === today ? 'today' : start < today ? 'past' : '', shut ?? '', dueOf(here)]
      .filter(Boolean)
      .join(', ')
    const ends = goal !== null && start === end ? `the advance ends ${newYork(goal).time.slice(0, 5)}` : ''
    sections.push({
      id: `day ${start}`,
      kind: 'day',
      title: dayName(start, now),
      note,
      right: [countOf(start, counting, holidays), ends].filter(Boolean).join(', '),
      start: start > now ? start : null,
      tasks: here,
    })
  }
  return sections
}

/** Counted as everywhere: what is held back and what recurs are not among what is due. */
function dueOf(tasks: readonly Task[]): string {
  const held = tasks.filter((task) => task.held).length
  const recurring = tasks.filter((task) => task.recurring && !task.held).length
  const said = [
    [tasks.length - held - recurring, 'due'],
    [held, 'held'],
    [recurring, 'recurring'],
  ]
    .filter(([n]) => n !== 0)
    .map(([n, word]) => `${n} ${word}`)
  return said.length === 0 ? 'nothing due' : said.join(', ')
}

function countOf(start: number, counting: AgendaOf['counting'], holidays: AgendaOf['holidays']): string {
  if (!counting) return ''
  let n = 0
  for (let day = nextDay(dayStart(counting.from)); day <= start && n <= counting.days; day = nextDay(day))
    if (!isWeekend(day) && !holidays.has(formatIsoDate(day))) n++
  const open = !isWeekend(start) && !holidays.has(formatIsoDate(start))
  return open && n >= 1 && n <= counting.days ? `business day ${n} of ${counting.days}` : ''
}

/** Fri 4 Dec, with the year where it is another one than that of `now`. */
export function dayName(ms: number, now = ms): string {
  const { weekday, day, month, year } = newYork(ms)
  return `${weekday} ${day} ${month}${year === newYork(now).year ? '' : ` ${year}`}`
}

/** What is due by then, in words that promise no more than is known. */
export function foreseen(tasks: readonly Task[], to: number | null): string {
  const by = tasks.filter(({ due_at }) => to === null || Date.parse(due_at) <= to)
  const runs = by.filter(({ held, failed }) => !held && failed === null)
  const recurring = runs.filter((task) => task.recurring).length
  const skipped = by.length - runs.length
  const all = recurring === runs.length
  const tasksAre = (n: number) => (n === 1 ? 'task is' : 'tasks are')
  const said = [
    runs.length === 0
      ? 'Nothing is due by then'
      : `${runs.length} ${all ? 'recurring ' : ''}${tasksAre(runs.length)} due by then`,
    recurring > 0 && !all ? `${recurring} of them recurring` : '',
    skipped > 0 ? `${skipped} held or failed ${tasksAre(skipped)} skipped` : '',
  ].filter(Boolean)
  return `${said.join(', ')}. Tasks may make others.`
}
