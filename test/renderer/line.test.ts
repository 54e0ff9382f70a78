import { describe, expect, it, onTestFinished } from 'vitest'
import type { Operation } from '../../src/api/contract/control/operations.ts'
import { textMessage } from '../../src/api/contract/messages.ts'
import type { Task } from '../../src/api/contract/resources/tasks.ts'
import { ZERO } from '../../src/api/domain/rules/money.ts'
import { FOLDED_PX, resizeLine, UNFOLDED_PX, useLine } from '../../src/renderer/data/line.ts'
import { connect } from '../../src/renderer/data/sandbox.ts'
import type { WorldInfo } from '../../src/renderer/data/worlds.ts'
import { newYork } from '../../src/renderer/format/text.ts'
import { branchesOf } from '../../src/renderer/frame/line/branches.ts'
import { findPoint, pointAfter, saysOf } from '../../src/renderer/frame/line/points.ts'
import {
  closedDays,
  DAY_MS,
  daysIn,
  monthOf,
  placeMarks,
  positionOf,
  ticksOf,
  timeAt,
  viewOf,
  zooms,
} from '../../src/renderer/frame/line/scale.ts'
import { fakeBridge } from './support.tsx'

/** Friday 20 November 2026, 12:00 in New York. */
const NOON = Date.parse('2026-11-20T17:00:00Z')
const WIDTH = 1_000

describe('the scale', () => {
  const labels = (span: number, now = NOON) => ticksOf(viewOf(now, span, null, WIDTH)).map(({ label }) => label)

  it('has ticks from minutes to years, at New York times', () => {
    expect(labels(zooms.Minutes).slice(0, 3)).toEqual(['11:15', '11:30', '11:45'])
    expect(labels(zooms.Hours)).toContain('Sat 21')
    expect(labels(zooms.Days).slice(0, 2)).toEqual(['Sun 15', 'Mon 16'])
    expect(labels(zooms.Days)).toHaveLength(14)
    expect(labels(zooms.Months)).toContain('23 Nov')
    expect(labels(zooms.Years)).toEqual(expect.arrayContaining(['2026', 'Apr', 'Jul', 'Oct', '2027']))
  })

  it('a day of 25 hours has its ticks at the times of its clock', () => {
    const view = viewOf(Date.parse('2026-11-01T16:00:00Z'), 2 * DAY_MS, null, WIDTH)
    const midnights = ticksOf(view).filter(({ label }) => label.startsWith('Mon'))
    expect(midnights.map(({ at }) => new Date(at).toISOString())).toEqual(['2026-11-02T05:00:00.000Z'])
  })

  it('follows the clock until it is moved, and gives back the time at a place', () => {
    const view = viewOf(NOON, zooms.Days, null, WIDTH)
    expect(positionOf(view, NOON)).toBeCloseTo(0.4 * WIDTH)
    expect(timeAt(view, positionOf(view, NOON + DAY_MS))).toBeCloseTo(NOON + DAY_MS)
    expect(viewOf(NOON + DAY_MS, zooms.Days, NOON, WIDTH).from).toBe(NOON)
  })

  it('banks are closed on weekends and holidays', () => {
    const days = daysIn({ from: NOON, to: NOON + 8 * DAY_MS })
    const closed = closedDays(days, new Map([['2026-11-26', 'Thanksgiving']]))
    expect(closed.map(({ holiday }) => holiday ?? 'weekend')).toEqual(['weekend', 'weekend', 'Thanksgiving', 'weekend'])
  })

  it('the month has whole weeks from the one before, whatever the length of its days', () => {
    for (const at of [NOON, Date.parse('2026-11-01T05:30:00Z'), Date.parse('2026-03-08T08:00:00Z')]) {
      const days = monthOf(at)
      expect(days).toHaveLength(35)
      expect(newYork(days[0]!.start).weekday).toBe('Mon')
      expect(days.findIndex(({ start, end }) => start <= at && at < end)).toBeGreaterThanOrEqual(7)
      expect(days.findIndex(({ start, end }) => start <= at && at < end)).toBeLessThan(14)
    }
  })

  it('marks that are near to each other share one, and a label is shown if there is room', () => {
    const place = (...xs: number[]) =>
      placeMarks(
        xs,
        (x) => x,
        (here) => (here.length > 1 ? String(here.length) : 'eighteen'),
        WIDTH,
      )
    expect(place(10, 15, 200).map(({ x, label }) => [x, label])).toEqual([
      [10, '2'],
      [200, 'eighteen'],
    ])
    expect(place(10, 60).map(({ label }) => label)).toEqual(['', 'eighteen'])
    expect(place(-5, 2_000, 990)).toMatchObject([{ x: 990, label: '' }])
  })

  it('thousands of items make as many marks as there is room for', () => {
    const many = Array.from({ length: 20_000 }, (_, at) => at / 20)
    expect(placeMarks(many, (x) => x, String, WIDTH).length).toBeLessThan(100)
  })
})

it('the line is folded, or high enough for its lanes', () => {
  onTestFinished(() => useLine.setState({ height: FOLDED_PX }))
  const heights = [undefined, 240, 150, 60, 900, undefined].map((to) => {
    resizeLine(to)
    return useLine.getState().height
  })
  expect(heights).toEqual([UNFOLDED_PX, 240, FOLDED_PX, 200, UNFOLDED_PX, FOLDED_PX])
})

describe('a point', () => {
  const task = (due_at: string): Task => ({
    uid: due_at,
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
  })
  const operation = (number: number, last: number, hours: number, more: Partial<Operation> = {}) => ({
    operation: number,
    last,
    until: new Date(NOON + hours * 3_600_000).toISOString(),
    says: `advance ${number}`,
    did: '1 task',
    undone_by: null,
    ...more,
  })
  const all = [operation(9, 9, -1, { undone_by: 10 }), operation(5, 8, -1), operation(2, 4, -3)]
  const tasks = [task('2026-11-20T19:00:00.000Z'), task('2026-11-20T18:00:00.000Z')]
  const open = () => {
    const fake = fakeBridge({
      'operations.list': ({ before }: { before: number }) => ({
        operations: all.filter(({ operation: first }) => first < before),
        next: null,
      }),
      'operations.preview': ({ operation: wanted }: { operation: number }) => ({
        undo: all.find(({ operation: first }) => first === wanted),
        redo: null,
        undone_by: null,
      }),
      'operations.count': { parts: [part(-9, 1)], refused: [] },
    })
    onTestFinished(connect(fake.bridge))
    return fake
  }
  const part = (hours: number, last: number) => ({
    from: '',
    until: new Date(NOON + hours * 3_600_000).toISOString(),
    operations: 1,
    last,
    commit: last,
    requests: 0,
    decisions: 0,
    tasks: 0,
    settled: 0,
    money: ZERO,
  })

  it('moves by operation, without those that are undone, over now to the tasks, and back', async () => {
    open()
    const said: string[] = []
    let point = await pointAfter(null, NOON, tasks, -1)
    for (const step of [-1, -1, 1, 1, 1, 1, 1, -1, -1, -1] as const) {
      said.push(saysOf(point, NOON))
      point = await pointAfter(point, NOON, tasks, step)
    }
    expect(said).toEqual([
      'Fri 20 Nov 11:00: advance 5, 1 task',
      'Fri 20 Nov 09:00: advance 2, 1 task',
      'Fri 20 Nov 09:00: advance 2, 1 task',
      'Fri 20 Nov 11:00: advance 5, 1 task',
      'Fri 20 Nov 12:00: nothing',
      'Fri 20 Nov 13:00: finish payment: It settles',
      'Fri 20 Nov 14:00: finish payment: It settles',
      'Fri 20 Nov 14:00: finish payment: It settles',
      'Fri 20 Nov 13:00: finish payment: It settles',
      'Fri 20 Nov 12:00: nothing',
    ])
    expect(point.operation?.operation).toBe(5)
  })

  it('is the operation or the task near to the pointer, else the world as it was then', async () => {
    const { calls } = open()
    const place = (hours: number, from = -5) =>
      findPoint({
        at: NOON + hours * 3_600_000,
        near: 600_000,
        now: NOON,
        tasks,
        parts: [part(-3, 2), part(-1, 5)],
        from: NOON + from * 3_600_000,
      })
    expect(await place(-1.1)).toMatchObject({ at: NOON - 3_600_000, commit: 5, operation: { operation: 5 } })
    expect(await place(-2)).toMatchObject({ at: NOON - 2 * 3_600_000, commit: 2, operation: { operation: 2 } })
    expect(await place(1.1)).toMatchObject({ at: NOON + 3_600_000, task: tasks[1] })
    expect(await place(0.5)).toMatchObject({ at: NOON + 1_800_000, task: null, commit: null })
    expect(calls.some(({ name }) => name === 'operations.count')).toBe(false)
    // Before all that is in sight.
    expect(await place(-4)).toMatchObject({ commit: 1 })
  })
})

it('worlds are branches: where they left, or where the shown world left them', () => {
  const world = (name: string, from: WorldInfo['from'], opened_at: string) =>
    ({ name, from, opened_at, at: '2026-11-22T17:00:00.000Z' }) as WorldInfo
  const [one, two, fresh] = [
    world('one', 'current', '2026-11-20T17:00:00.000Z'),
    world('two', { world: 'one' }, '2026-11-21T17:00:00.000Z'),
    world('fresh', 'demo', '2026-11-23T15:00:00.000Z'),
  ]
  expect(branchesOf([one, two, fresh], null)).toMatchObject([
    { name: 'one', parent: 'main', leaves: NOON, isLeft: false },
    { name: 'two', parent: 0, leaves: NOON + DAY_MS },
    { name: 'fresh', parent: null },
  ])
  // Of many those that left this one are drawn first.
  const many = [one, ...Array.from({ length: 6 }, (_, n) => world(`fresh-${n}`, 'demo', '2026-11-23T15:00:00.000Z'))]
  expect(branchesOf(many, null).map(({ name }) => name)).toEqual(['one', 'fresh-3', 'fresh-4', 'fresh-5'])
  expect(branchesOf([one, two], 'two')).toMatchObject([
    { name: null, leaves: null, isLeft: false },
    { name: 'one', parent: 'main', leaves: NOON + DAY_MS, isLeft: true },
  ])
})
