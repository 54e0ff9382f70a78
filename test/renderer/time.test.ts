import { describe, expect, it } from 'vitest'
import { textMessage } from '../../src/api/contract/messages.ts'
import type { Task } from '../../src/api/contract/resources/tasks.ts'
import { dayScale } from '../../src/renderer/components/day-scale.ts'
import { parseNewYorkTime } from '../../src/renderer/format/time.ts'
import { type Asked, businessDaysOn, durationMs, goalOf } from '../../src/renderer/screens/time/advance-goal.ts'
import { agendaOf, foreseen } from '../../src/renderer/screens/time/agenda.ts'
import { type Mark, placed } from '../../src/renderer/screens/time/lane.ts'

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
  recurring: false,
  held: false,
  failed: null,
  program_uid: 'p',
  ...more,
})

describe('the agenda', () => {
  const told = (tasks: Task[], more: { goal?: number; days?: number } = {}) =>
    agendaOf({
      tasks,
      now: NOON,
      goal: more.goal ?? null,
      counting: more.days === undefined ? undefined : { from: NOON, days: more.days },
      holidays: HOLIDAYS,
    }).map(({ title, note, right, tasks: here }) => [title, note, right, here.length])

  it('groups by the date of New York: what is due at 23:30 there is not of the next day', () => {
    expect(told([task('2026-11-21T04:30:00.000Z'), task('2026-11-23T13:30:00.000Z')])).toEqual([
      ['Fri 20 Nov', 'today, 1 due', '', 1],
      ['Sat 21 Nov, Sun 22 Nov', 'banks closed, nothing due', '', 0],
      ['Mon 23 Nov', '1 due', '', 1],
    ])
  })

  it('names holidays and weekends, also where something is due on them', () => {
    const titles = told([task('2026-11-26T15:00:00.000Z'), task('2026-11-28T15:00:00.000Z')])
    expect(titles).toEqual([
      ['Fri 20 Nov', 'today, nothing due', '', 0],
      ['Sat 21 Nov, Sun 22 Nov', 'banks closed, nothing due', '', 0],
      ['Thu 26 Nov', 'Thanksgiving, 1 due', '', 1],
      ['Sat 28 Nov', 'banks closed, 1 due', '', 1],
    ])
  })

  it('shows first what has failed, and keeps what was held back at its time', () => {
    const failed = task('2026-11-23T13:30:00.000Z', { failed: 'failed: no' })
    const held = task('2026-11-19T13:30:00.000Z', { held: true })
    expect(told([held, failed])).toEqual([
      ['Failed', '1, not tried again unless you do', '', 1],
      ['Thu 19 Nov', 'past, 1 held', '', 1],
      ['Fri 20 Nov', 'today, nothing due', '', 0],
    ])
  })

  it('counts what recurs and what is held beside what is due, never as due', () => {
    const close = (at: string) => task(at, { kind: 'close of day', recurring: true })
    const goal = Date.parse('2026-11-23T17:00:00Z')
    const tasks = [
      close('2026-11-20T22:00:00.000Z'),
      task('2026-11-23T13:30:00.000Z'),
      close('2026-11-23T15:00:00.000Z'),
    ]
    tasks.push(task('2026-11-23T14:00:00.000Z', { held: true }))
    expect(told([...tasks, close('2026-11-24T22:00:00.000Z')], { goal })).toEqual([
      ['Fri 20 Nov', 'today, 1 recurring', '', 1],
      ['Sat 21 Nov, Sun 22 Nov', 'banks closed, nothing due', '', 0],
      ['Mon 23 Nov', '1 due, 1 held, 1 recurring', 'the advance ends 12:00', 3],
      ['Later', '1 recurring, not reached by this advance', '', 1],
    ])
  })

  it('names each weekend in a line of its own', () => {
    const shut = told([], { goal: Date.parse('2026-12-08T17:00:00Z') }).map(([title]) => title)
    expect(shut.slice(1, -1)).toEqual([
      'Sat 21 Nov, Sun 22 Nov',
      'Thu 26 Nov',
      'Sat 28 Nov, Sun 29 Nov',
      'Sat 5 Dec, Sun 6 Dec',
    ])
  })

  it('parts what an advance reaches from what it does not, and counts its business days', () => {
    const goal = Date.parse('2026-11-24T17:00:00Z')
    const tasks = [task('2026-11-23T13:30:00.000Z'), task('2026-11-24T17:00:00.000Z'), task('2026-11-24T17:00:00.001Z')]
    expect(told(tasks, { goal, days: 2 })).toEqual([
      ['Fri 20 Nov', 'today, nothing due', '', 0],
      ['Sat 21 Nov, Sun 22 Nov', 'banks closed, nothing due', '', 0],
      ['Mon 23 Nov', '1 due', 'business day 1 of 2', 1],
      ['Tue 24 Nov', '1 due', 'business day 2 of 2, the advance ends 12:00', 1],
      ['Later', '1 due, not reached by this advance', '', 1],
    ])
  })

  it('holds every task once, in the order in which they fall due', () => {
    const tasks = Array.from({ length: 40 }, (_, i) =>
      task(new Date(NOON + ((i * 7919) % 40) * 9 * 3_600_000).toISOString(), { failed: i % 9 === 0 ? 'failed' : null }),
    )
    const sections = agendaOf({ tasks, now: NOON, goal: null, holidays: HOLIDAYS })
    const shown = sections.flatMap((section) => section.tasks)
    expect(new Set(shown.map(({ uid }) => uid)).size).toBe(40)
    const waiting = shown.filter(({ failed }) => failed === null).map(({ due_at }) => due_at)
    expect(waiting).toEqual(waiting.toSorted())
  })

  it('foresees what is due by then, and says what it cannot know', () => {
    const tasks = [
      task('2026-11-20T18:00:00.000Z'),
      task('2026-11-20T19:00:00.000Z', { recurring: true }),
      task('2026-11-20T19:00:00.000Z', { held: true }),
      task('2026-11-25T19:00:00.000Z'),
    ]
    expect(foreseen(tasks, NOON + 86_400_000)).toBe(
      '2 tasks are due by then, 1 of them recurring, 1 held or failed task is skipped. Tasks may make others.',
    )
    expect(foreseen(tasks.slice(1, 2), null)).toBe('1 recurring task is due by then. Tasks may make others.')
    expect(foreseen([], null)).toBe('Nothing is due by then. Tasks may make others.')
    expect(foreseen([tasks[1]!, tasks[1]!], null)).toBe('2 recurring tasks are due by then. Tasks may make others.')
  })

  it('names the year of a day where it is not the present one', () => {
    const far = agendaOf({ tasks: [task('2027-11-22T19:00:00.000Z')], now: NOON, goal: null, holidays: HOLIDAYS })
    expect(far.at(-1)!.title).toBe('Mon 22 Nov 2027')
    expect(far[0]!.title).toBe('Fri 20 Nov')
  })
})

describe('the goal of an advance', () => {
  const world = { now: NOON, next: NOON + 5_000, holidays: HOLIDAYS, known_to: NOON + 300 * 86_400_000 }
  const asked: Asked = { how: 'duration', duration: 'P1D', date: '2026-11-23', time: '09:30', business_days: '4' }
  const goal = (change: Partial<Asked>) => goalOf({ ...asked, ...change }, world)

  it.each([
    ['PT36H', 36 * 3_600_000],
    ['p2w', 14 * 86_400_000],
    [' P1DT2H3M4.5S ', 93_784_500],
    ['P', null],
    ['PT', null],
    ['36h', null],
    ['', null],
  ])('%j lasts %s ms', (text, ms) => expect(durationMs(text)).toBe(ms))

  it('is of the clocks of New York', () => {
    expect(goal({ how: 'moment' })).toMatchObject({
      input: { to: '2026-11-23T14:30:00.000Z' },
      to: Date.parse('2026-11-23T14:30:00Z'),
    })
    expect(parseNewYorkTime('2026-07-01', '09:30:15')).toBe(Date.parse('2026-07-01T13:30:15Z'))
    expect(parseNewYorkTime('2026-11-01', '01:30'), 'of a time that comes twice the first').toBe(
      Date.parse('2026-11-01T05:30:00Z'),
    )
    expect(parseNewYorkTime('2026-03-08', '02:30'), 'a time that no clock shows').toBeNull()
    expect(parseNewYorkTime('', '')).toBeNull()
  })

  it('by business days looks past weekends and holidays, as the sandbox does', () => {
    expect(goal({ how: 'business_days' })).toMatchObject({
      input: { business_days: 4 },
      words: '4 business days',
      to: Date.parse('2026-11-27T17:00:00Z'),
    })
    expect(businessDaysOn(NOON, 2_000, world), 'beyond the days that are known').toBeNull()
  })

  it.each([
    [{ how: 'duration', duration: 'P1M' }, /no fixed length/],
    [{ how: 'duration', duration: 'soon' }, /ISO 8601/],
    [{ how: 'moment', date: '2026-11-19' }, /does not go back/],
    [{ how: 'moment', time: '' }, /clocks of New York/],
    [{ how: 'business_days', business_days: '0' }, /from 1 to 2600/],
    [{ how: 'business_days', business_days: '1.5' }, /from 1 to 2600/],
  ] as const)('%j is refused in words', (change, words) => expect(goal(change)).toMatch(words))

  it('to next task needs something that is due', () => {
    expect(goal({ how: 'next' })).toMatchObject({ to: NOON + 5_000 })
    expect(goalOf({ ...asked, how: 'next' }, { ...world, next: null })).toMatch(/Nothing is due/)
  })
})

describe('the timeline', () => {
  const days = dayScale(Date.parse('2026-11-20T05:00:00Z'), HOLIDAYS, 14)
  const mark = (at: string, words = 'x'): Mark => ({ at: Date.parse(at), shape: 'done', words, title: '', ran: false })

  it('merges what would lie on top of each other, with a count', () => {
    const marks = ['2026-11-23T13:30:00Z', '2026-11-23T13:30:01Z', '2026-11-24T13:30:00Z'].map((at) => mark(at))
    expect(placed(marks, days, 1200).map(({ marks: here, words }) => [here.length, words])).toEqual([
      [2, '2'],
      [1, 'x'],
    ])
  })

  it('stands in time from left to right, in two rows, and leaves out what is beyond', () => {
    const marks = ['2026-11-30T13:30:00Z', '2026-11-23T13:30:00Z', '2027-01-01T00:00:00Z', '2026-11-19T00:00:00Z']
    const there = placed(
      marks.map((at) => mark(at)),
      days,
      1200,
    )
    expect(there.map(({ row }) => row)).toEqual([0, 1])
    expect(there[0]!.x).toBeLessThan(there[1]!.x)
  })

  it('has its words on the side of the line of now on which it stands', () => {
    const at = '2026-11-23T13:30:00Z'
    const two = [mark(at), mark(at)].map((one) => ({ ...one, ran: true }))
    expect(placed(two, days, 1200, Date.parse(at))).toMatchObject([{ words: '2', back: true }])
  })

  it('stands beside the line of now: what ran before it, what is due after it', () => {
    const at = '2026-11-23T13:30:00Z'
    const [ran, due] = placed([{ ...mark(at), ran: true }, mark('2026-11-23T13:30:02Z')], days, 1200, Date.parse(at))
    expect(due!.x - ran!.x).toBe(18)
    expect([ran!.marks, due!.marks].map((here) => here.map((one) => one.ran))).toEqual([[true], [false]])
  })

  it('turns words around at the right edge, and leaves them out where there is no room', () => {
    const [edge] = placed([mark('2026-12-03T23:00:00Z', '12,345.67')], days, 1200)
    expect(edge).toMatchObject({ back: true, words: '12,345.67' })
    const [narrow] = placed([mark('2026-11-20T05:30:00Z', 'a rather long word')], days, 60)
    expect(narrow).toMatchObject({ words: null })
    expect(placed([mark('2026-11-23T13:30:00Z')], days, 0)).toEqual([])
  })
})
