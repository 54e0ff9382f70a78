import { useEffect, useState } from 'react'
import type { AdvancePreview, FiredTask } from '../../../api/contract/control/clock.ts'
import type { MethodOutput } from '../../../api/contract/control/methods.ts'
import { formatTask } from '../../../api/contract/messages.ts'
import type { Task } from '../../../api/contract/resources/tasks.ts'
import { outcomeGlyph, taskRow } from '../../../api/contract/tasks.ts'
import type { CollectionName } from '../../data/collections.ts'
import { useFeed } from '../../data/feed.ts'
import { useQuery } from '../../data/sandbox.ts'
import { formatIsoDate, isWeekend, newYork, startOfDay, startOfNextDay } from '../../format/text.ts'
import type { GlyphName } from '../../ui/Text.tsx'

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

export function buildAgenda({ tasks, goal, ...input }: AgendaInput): Section[] {
  const failed = tasks.filter((task) => task.failed !== null)
  const waiting = tasks.filter((task) => task.failed === null).toSorted((a, b) => a.due_at.localeCompare(b.due_at))
  const isReached = (task: Task) => goal === null || Date.parse(task.due_at) <= goal
  const later = waiting.filter((task) => !isReached(task))
  const whole = { right: '', start: null }
  const failedNote = `${failed.length}, not retried automatically`
  const laterNote = `${countTasks(later)}, not reached by this advance`
  return [
    { ...whole, id: 'failed', kind: 'failed' as const, title: 'Failed', note: failedNote, tasks: failed },
    ...buildDays(waiting.filter(isReached), { goal, ...input }),
    { ...whole, id: 'later', kind: 'later' as const, title: 'Later', note: laterNote, tasks: later },
  ].filter(({ kind, tasks: here }) => here.length > 0 || kind === 'day' || kind === 'closed')
}

function buildDays(tasks: readonly Task[], { now, goal, counting, holidays }: Omit<AgendaInput, 'tasks'>): Section[] {
  const today = startOfDay(now)
  const byDay = new Map<number, Task[]>([[today, []]])
  for (const task of tasks) {
    const day = startOfDay(Date.parse(task.due_at))
    byDay.set(day, [...(byDay.get(day) ?? []), task])
  }
  const last = goal === null ? Math.max(...byDay.keys()) : startOfDay(goal)
  const starts = new Set([...byDay.keys(), ...(goal === null ? [] : [last])])
  for (let day = today, i = 0; day <= last && i < NEAR_DAYS; day = startOfNextDay(day), i++) starts.add(day)
  const numbers = numberBusinessDays(counting, holidays)
  const sections: Section[] = []
  for (const start of [...starts].sort((a, b) => a - b)) {
    const here = byDay.get(start) ?? []
    const closure = closureOf(start, holidays)
    const isEnd = goal !== null && start === last
    const title = dayName(start, now)
    if (here.length > 0 || start === today || isEnd) {
      const past = start === today ? 'today' : start < today ? 'past' : ''
      const number = numbers.get(start)
      sections.push({
        id: `day ${start}`,
        kind: 'day',
        title,
        note: joinParts(past, closure, countTasks(here)),
        right: joinParts(
          number && `business day ${number} of ${counting?.days}`,
          isEnd && `advance ends at ${newYork(goal).time.slice(0, 5)}`,
        ),
        start: start > now ? start : null,
        tasks: here,
      })
    } else if (closure !== undefined) {
      const note = `${closure}, nothing due`
      const before = sections.at(-1)
      // Saturday and Sunday share a line.
      const isSunday = before?.kind === 'closed' && before.note === note && startOfNextDay(before.start!) === start
      if (isSunday && isWeekend(start))
        sections[sections.length - 1] = { ...before, title: `${before.title}, ${title}` }
      else sections.push({ id: `closed ${start}`, kind: 'closed', title, note, right: '', start, tasks: [] })
    }
  }
  return sections
}

const joinParts = (...parts: readonly (string | number | false | undefined)[]) => parts.filter(Boolean).join(', ')

/** Why banks are closed on a day. */
const closureOf = (day: number, holidays: AgendaInput['holidays']) =>
  holidays.get(formatIsoDate(day)) ?? (isWeekend(day) ? 'banks closed' : undefined)

/** The numbers of the business days that an advance counts. */
function numberBusinessDays(counting: AgendaInput['counting'], holidays: AgendaInput['holidays']) {
  const numbers = new Map<number, number>()
  if (!counting) return numbers
  for (let day = startOfDay(counting.from); numbers.size < counting.days; ) {
    day = startOfNextDay(day)
    if (closureOf(day, holidays) === undefined) numbers.set(day, numbers.size + 1)
  }
  return numbers
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

/** What the window shows of a task kind and of a task's outcome. */

/** The collection of the record that tasks of this kind are for. */
export const collectionOf = (kind: string): CollectionName | null => taskRow(kind)?.subject ?? null

/** Whether tasks of this kind schedule the next one. */
export const isRepeating = (kind: string): boolean => taskRow(kind)?.glyph === 'repeats'

export const glyphOfOutcome = ({ task, message }: Pick<FiredTask, 'task' | 'message'>): GlyphName => {
  const glyph = outcomeGlyph(message)
  return glyph !== 'broken' && isRepeating(task) ? 'repeats' : glyph
}

/** Whether the outcome is a failure or a return. */
export const isBadOutcome = ({ message }: Pick<FiredTask, 'message'>): boolean => outcomeGlyph(message) === 'broken'

/** Without the payment's amount and uid, which are shown next to it. */
export const formatReason = (task: Pick<Task, 'message' | 'outcome'>): string =>
  formatTask(task, ({ transaction_type }) => transaction_type.replaceAll('_', ' '))

/** How the sandbox names a record that a task is for; a payment also has its signed amount. */
type RecordName = MethodOutput<'records.names'>['names'][number]
export type RecordNames = ReadonlyMap<string, RecordName>

/** As many as one call answers. */
const PAGE = 1_000

/** The names of the records, which are asked for once, and in pages: those of the first records first. */
export function useRecordNames(records: readonly (string | null)[]): RecordNames {
  // After a rewind the same uid can be another record.
  const version = useFeed(({ versions }) => versions['*'] ?? 0)
  const [known, setKnown] = useState<{ version: number; asked: ReadonlySet<string>; names: RecordNames }>({
    version,
    asked: NONE,
    names: NO_NAMES,
  })
  const asked = known.version === version ? known.asked : NONE
  const uids = [...new Set(records)].filter((uid) => uid !== null && !asked.has(uid)).slice(0, PAGE) as string[]
  const { data } = useQuery('records.names', uids.length === 0 ? null : { uids })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is about the uids of its own render.
  useEffect(() => {
    if (!data) return
    const names = new Map([...known.names, ...data.names.map((one) => [one.uid, one] as const)])
    setKnown({ version, asked: new Set([...asked, ...uids]), names })
  }, [data])
  return known.names
}

const NONE: ReadonlySet<string> = new Set()
export const NO_NAMES: RecordNames = new Map()
