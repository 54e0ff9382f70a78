import { describe, expect, it } from 'vitest'
import { textMessage } from '../../src/api/contract/messages.ts'
import type { Task } from '../../src/api/contract/resources/tasks.ts'
import { parseAmountOfTime } from '../../src/api/contract/terms/amounts-of-time.ts'
import { type Mark, placeMarks } from '../../src/renderer/components/DayScale.tsx'
import { splitIntoDays } from '../../src/renderer/components/day-scale.ts'
import { parseNewYorkTime } from '../../src/renderer/format/text.ts'
import { type AdvanceFields, goalOf } from '../../src/renderer/screens/time/AdvanceForm.tsx'
import { buildAgenda, forecastTasks } from '../../src/renderer/screens/time/agenda.ts'

/** Friday 20 November 2026, 12:00 in New York. */
const NOON = Date.parse('2026-11-20T17:00:00Z')
const HOLIDAYS = new Map([['2026-11-26', 'Thanksgiving']])

let made = 0
const task = (due_at: string, more: Partial<Task> = {}): Task => ({
  uid: `task${++made}`,
  due_at,
  kind: 'finish payment',
  record: null,
  why: 'It settles',
  message: textMessage('It settles'),
  outcome: null,
  recurring: false,
  held: false,
  failed: null,
  program_uid: 'p',
  ...more,
})

describe('the agenda', () => {
  const sections = (tasks: Task[], more: { goal?: number; days?: number } = {}) =>
    buildAgenda({
      tasks,
      now: NOON,
      goal: more.goal ?? null,
      counting: more.days === undefined ? undefined : { from: NOON, days: more.days },
      holidays: HOLIDAYS,
    }).map(({ title, note, right, tasks: here }) => [title, note, right, here.length])

  it('groups tasks by the date in New York: 23:30 there is not the next day', () => {
    expect(sections([task('2026-11-21T04:30:00.000Z'), task('2026-11-23T13:30:00.000Z')])).toEqual([
      ['Fri 20 Nov', 'today, 1 due', '', 1],
      ['Sat 21 Nov, Sun 22 Nov', 'banks closed, nothing due', '', 0],
      ['Mon 23 Nov', '1 due', '', 1],
    ])
  })

  it('names holidays and weekends, also if a task is due then', () => {
    const titles = sections([task('2026-11-26T15:00:00.000Z'), task('2026-11-28T15:00:00.000Z')])
    expect(titles).toEqual([
      ['Fri 20 Nov', 'today, nothing due', '', 0],
      ['Sat 21 Nov, Sun 22 Nov', 'banks closed, nothing due', '', 0],
      ['Thu 26 Nov', 'Thanksgiving, 1 due', '', 1],
      ['Sat 28 Nov', 'banks closed, 1 due', '', 1],
    ])
  })

  it('lists failed tasks first and held tasks at their time', () => {
    const failed = task('2026-11-23T13:30:00.000Z', { failed: 'failed: no' })
    const held = task('2026-11-19T13:30:00.000Z', { held: true })
    expect(sections([held, failed])).toEqual([
      ['Failed', '1, not retried automatically', '', 1],
      ['Thu 19 Nov', 'past, 1 held', '', 1],
      ['Fri 20 Nov', 'today, nothing due', '', 0],
    ])
  })

  it('counts recurring and held tasks separately from due ones', () => {
    const close = (at: string) => task(at, { kind: 'close of day', recurring: true })
    const goal = Date.parse('2026-11-23T17:00:00Z')
    const tasks = [
      close('2026-11-20T22:00:00.000Z'),
      task('2026-11-23T13:30:00.000Z'),
      close('2026-11-23T15:00:00.000Z'),
    ]
    tasks.push(task('2026-11-23T14:00:00.000Z', { held: true }))
    expect(sections([...tasks, close('2026-11-24T22:00:00.000Z')], { goal })).toEqual([
      ['Fri 20 Nov', 'today, 1 recurring', '', 1],
      ['Sat 21 Nov, Sun 22 Nov', 'banks closed, nothing due', '', 0],
      ['Mon 23 Nov', '1 due, 1 held, 1 recurring', 'advance ends at 12:00', 3],
      ['Later', '1 recurring, not reached by this advance', '', 1],
    ])
  })

  it('lists each weekend on its own line', () => {
    const shut = sections([], { goal: Date.parse('2026-12-08T17:00:00Z') }).map(([title]) => title)
    expect(shut.slice(1, -1)).toEqual([
      'Sat 21 Nov, Sun 22 Nov',
      'Thu 26 Nov',
      'Sat 28 Nov, Sun 29 Nov',
      'Sat 5 Dec, Sun 6 Dec',
    ])
  })

  it('separates the tasks that an advance does not reach, and numbers its business days', () => {
    const goal = Date.parse('2026-11-24T17:00:00Z')
    const tasks = [task('2026-11-23T13:30:00.000Z'), task('2026-11-24T17:00:00.000Z'), task('2026-11-24T17:00:00.001Z')]
    expect(sections(tasks, { goal, days: 2 })).toEqual([
      ['Fri 20 Nov', 'today, nothing due', '', 0],
      ['Sat 21 Nov, Sun 22 Nov', 'banks closed, nothing due', '', 0],
      ['Mon 23 Nov', '1 due', 'business day 1 of 2', 1],
      ['Tue 24 Nov', '1 due', 'business day 2 of 2, advance ends at 12:00', 1],
      ['Later', '1 due, not reached by this advance', '', 1],
    ])
  })

  it('lists every task once, ordered by due time', () => {
    const tasks = Array.from({ length: 40 }, (_, i) =>
      task(new Date(NOON + ((i * 7919) % 40) * 9 * 3_600_000).toISOString(), { failed: i % 9 === 0 ? 'failed' : null }),
    )
    const agenda = buildAgenda({ tasks, now: NOON, goal: null, holidays: HOLIDAYS })
    const shown = agenda.flatMap((section) => section.tasks)
    expect(new Set(shown.map(({ uid }) => uid)).size).toBe(40)
    const waiting = shown.filter(({ failed }) => failed === null).map(({ due_at }) => due_at)
    expect(waiting).toEqual(waiting.toSorted())
  })

  it('forecasts the tasks that an advance will run', () => {
    expect(forecastTasks({ runs: 2, recurring: 1, skipped: 1 })).toBe(
      '2 tasks will run, 1 of them recurring, 1 held or failed task will be skipped. Tasks can schedule more tasks.',
    )
    expect(forecastTasks({ runs: 1, recurring: 1, skipped: 0 })).toBe(
      '1 recurring task will run. Tasks can schedule more tasks.',
    )
    expect(forecastTasks({ runs: 0, recurring: 0, skipped: 0 })).toBe(
      'No task will run. Tasks can schedule more tasks.',
    )
    expect(forecastTasks({ runs: 2, recurring: 2, skipped: 0 })).toBe(
      '2 recurring tasks will run. Tasks can schedule more tasks.',
    )
  })

  it('shows the year of a day if it is not the current one', () => {
    const far = buildAgenda({ tasks: [task('2027-11-22T19:00:00.000Z')], now: NOON, goal: null, holidays: HOLIDAYS })
    expect(far.at(-1)!.title).toBe('Mon 22 Nov 2027')
    expect(far[0]!.title).toBe('Fri 20 Nov')
  })
})

describe('the goal of an advance', () => {
  const fields: AdvanceFields = {
    mode: 'duration',
    duration: 'P1D',
    date: '2026-11-23',
    time: '09:30',
    business_days: '1',
  }

  it.each([
    ['duration', 'P1D', 'P1D'],
    ['moment', '2026-11-23T09:30', 'to a date'],
    ['business_days', '1 business days', '1 business day'],
    ['next', 'next', 'to next task'],
    ['idle', 'idle', 'until idle'],
  ] as const)('by %s is a text for the sandbox: %s', (mode, text, label) =>
    expect(goalOf({ ...fields, mode })).toEqual({ text, label }),
  )

  it('without a date or a time is refused, and not taken as another one', () => {
    for (const typed of [{ date: '' }, { time: '' }, { date: '', time: '' }])
      expect(parseAmountOfTime(goalOf({ ...fields, mode: 'moment', ...typed }).text, NOON)).toBeUndefined()
  })

  it('is a time that the clocks in New York show', () => {
    expect(parseNewYorkTime('2026-07-01', '09:30:15')).toBe(Date.parse('2026-07-01T13:30:15Z'))
    expect(parseNewYorkTime('2026-11-01', '01:30'), 'the first of two equal times').toBe(
      Date.parse('2026-11-01T05:30:00Z'),
    )
    expect(parseNewYorkTime('2026-03-08', '02:30'), 'a skipped time').toBeNull()
    expect(parseNewYorkTime('', '')).toBeNull()
  })
})

describe('the timeline', () => {
  const days = splitIntoDays(Date.parse('2026-11-20T05:00:00Z'), HOLIDAYS, 14)
  const mark = (at: string, label = 'x'): Mark => ({ at: Date.parse(at), shape: 'done', label, title: '', ran: false })

  it('merges overlapping marks into one with a count', () => {
    const marks = ['2026-11-23T13:30:00Z', '2026-11-23T13:30:01Z', '2026-11-24T13:30:00Z'].map((at) => mark(at))
    expect(placeMarks(marks, days, 1200).map(({ marks: here, label }) => [here.length, label])).toEqual([
      [2, '2'],
      [1, 'x'],
    ])
  })

  it('places marks by time in two rows, and leaves out those outside its days', () => {
    const marks = ['2026-11-30T13:30:00Z', '2026-11-23T13:30:00Z', '2027-01-01T00:00:00Z', '2026-11-19T00:00:00Z']
    const there = placeMarks(
      marks.map((at) => mark(at)),
      days,
      1200,
    )
    expect(there.map(({ row }) => row)).toEqual([0, 1])
    expect(there[0]!.x).toBeLessThan(there[1]!.x)
  })

  it('keeps a label on the same side of the line of now as its mark', () => {
    const at = '2026-11-23T13:30:00Z'
    const two = [mark(at), mark(at)].map((one) => ({ ...one, ran: true }))
    expect(placeMarks(two, days, 1200, Date.parse(at))).toMatchObject([{ label: '2', isLabelLeft: true }])
  })

  it('places tasks that ran left of the line of now, and due ones right of it', () => {
    const at = '2026-11-23T13:30:00Z'
    const [ran, due] = placeMarks(
      [{ ...mark(at), ran: true }, mark('2026-11-23T13:30:02Z')],
      days,
      1200,
      Date.parse(at),
    )
    expect(due!.x - ran!.x).toBe(18)
    expect([ran!.marks, due!.marks].map((here) => here.map((one) => one.ran))).toEqual([[true], [false]])
  })

  it('puts a label to the left at the right edge, and leaves it out if there is no room', () => {
    const [edge] = placeMarks([mark('2026-12-03T23:00:00Z', '12,345.67')], days, 1200)
    expect(edge).toMatchObject({ isLabelLeft: true, label: '12,345.67' })
    const [narrow] = placeMarks([mark('2026-11-20T05:30:00Z', 'a rather long word')], days, 60)
    expect(narrow).toMatchObject({ label: null })
    expect(placeMarks([mark('2026-11-23T13:30:00Z')], days, 0)).toEqual([])
  })
})
