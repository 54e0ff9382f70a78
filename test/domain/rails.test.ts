import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newYorkInstant, newYorkTime } from '../../src/api/contract/terms/new-york.ts'
import {
  bankingDayAfter,
  bankingDayFrom,
  bankingDayWithCutOff,
  dateAt,
  isBankingDay,
  plusDays,
} from '../../src/api/domain/rules/calendar.ts'
import {
  type AchTerms,
  DECISION_TAKES_MS,
  type Frame,
  INSTANT_TIMES_OUT_MS,
  type Pace,
  type Rail,
  REGISTRATION_TAKES_MS,
  rails,
  returnDeadline,
  returnTimeline,
  statementPostedAt,
  type Timeline,
} from '../../src/api/domain/rules/rails.ts'
import { table } from '../support/table.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

type Plan = (t0: number, terms: AchTerms) => Timeline

const ms = (text: string) => {
  const parsed = Date.parse(text)
  if (Number.isNaN(parsed)) throw new Error(`no instant: ${text}`)
  return parsed
}
const text = (instant: number) => new Date(instant).toISOString().replace('.000Z', 'Z')
const texts = ({ pending_at, settles_at }: Timeline) => [text(pending_at), text(settles_at)]
/** Pending, settled and posted, as texts. */
const course = (timeline: Timeline, pace: Pace) => [
  ...texts(timeline),
  text(statementPostedAt[pace](timeline.settles_at)),
]

const STANDARD: AchTerms = { service_processing: 'STANDARD' }
const SAMEDAY: AchTerms = { service_processing: 'SAMEDAY' }

/** What a row of a table begins, by its name. */
const plans: Readonly<Record<string, readonly [Plan, AchTerms]>> = {
  book: [rails.book.originated.real, {}],
  'standard ACH': [rails.ach.originated.real, STANDARD],
  'same-day ACH': [rails.ach.originated.real, SAMEDAY],
  'ACH in': [rails.ach.received.real, {}],
  'our ACH return': [rails.ach.returned.real, {}],
  'a return of ours': [returnTimeline.real, {}],
  'wire out': [rails.wire.originated.real, {}],
  'wire in': [rails.wire.received.real, {}],
  'our wire return': [rails.wire.returned.real, {}],
  'instant out': [rails.instant_payment.originated.real, {}],
  'instant in': [rails.instant_payment.received.real, {}],
}

describe('real: worked examples', () => {
  const kinds: Readonly<Record<string, string>> = {
    A: 'standard ACH',
    B: 'same-day ACH',
    C: 'wire out',
    D: 'wire in',
    E: 'ACH in',
    F: 'instant out',
  }
  // The effective date is the New York date of the request, but for these.
  const effective: Readonly<Record<string, string>> = { A6: '2026-11-26', B8: '2026-08-19' }
  const queuedMinutes: Readonly<Record<string, number>> = { A4: 10 }

  // What | created | pending | settled | posted | when, by New York's clocks
  const rows = table<[string, string, string, string, string, string]>(`
    A1  | 2026-08-14T20:59:00Z | 2026-08-14T21:00:00Z | 2026-08-17T12:30:00Z | 2026-08-18T00:00:00Z | Fri 14 Aug 2026 16:59
    A2  | 2026-08-14T21:00:00Z | 2026-08-17T21:00:00Z | 2026-08-18T12:30:00Z | 2026-08-19T00:00:00Z | Fri 14 Aug 2026 17:00, at the cut-off
    A3  | 2026-08-15T14:00:00Z | 2026-08-17T21:00:00Z | 2026-08-18T12:30:00Z | 2026-08-19T00:00:00Z | Sat 15 Aug 2026 10:00
    A4  | 2026-08-14T20:55:00Z | 2026-08-17T21:00:00Z | 2026-08-18T12:30:00Z | 2026-08-19T00:00:00Z | Fri 14 Aug 2026 16:55, program queues 10 minutes
    A6  | 2026-11-23T15:00:00Z | 2026-11-25T22:00:00Z | 2026-11-27T13:30:00Z | 2026-11-28T01:00:00Z | Mon 23 Nov 2026 10:00, effective Thanksgiving 26 Nov
    A7  | 2026-11-25T21:59:00Z | 2026-11-25T22:00:00Z | 2026-11-27T13:30:00Z | 2026-11-28T01:00:00Z | Wed 25 Nov 2026 16:59, eve of Thanksgiving
    A9  | 2026-11-26T15:00:00Z | 2026-11-27T22:00:00Z | 2026-11-30T13:30:00Z | 2026-12-01T01:00:00Z | Thu 26 Nov 2026 10:00, Thanksgiving
    A10 | 2026-11-27T21:59:00Z | 2026-11-27T22:00:00Z | 2026-11-30T13:30:00Z | 2026-12-01T01:00:00Z | Fri 27 Nov 2026 16:59, a banking day
    A11 | 2026-12-24T21:59:00Z | 2026-12-24T22:00:00Z | 2026-12-28T13:30:00Z | 2026-12-29T01:00:00Z | Thu 24 Dec 2026 16:59
    A12 | 2026-12-24T22:01:00Z | 2026-12-28T22:00:00Z | 2026-12-29T13:30:00Z | 2026-12-30T01:00:00Z | Thu 24 Dec 2026 17:01
    A13 | 2027-12-24T21:59:00Z | 2027-12-24T22:00:00Z | 2027-12-27T13:30:00Z | 2027-12-28T01:00:00Z | Fri 24 Dec 2027 16:59, the 25th is a Saturday: no day off
    A15 | 2027-07-02T20:59:00Z | 2027-07-02T21:00:00Z | 2027-07-06T12:30:00Z | 2027-07-07T00:00:00Z | Fri 2 Jul 2027 16:59, the 4th is a Sunday: Mon 5 closed
    A16 | 2026-03-06T21:59:00Z | 2026-03-06T22:00:00Z | 2026-03-09T12:30:00Z | 2026-03-10T00:00:00Z | Fri 6 Mar 2026 16:59, clocks go forward on Sunday
    B1  | 2026-08-14T13:59:00Z | 2026-08-14T14:00:00Z | 2026-08-14T17:00:00Z | 2026-08-15T00:00:00Z | Fri 14 Aug 2026 09:59
    B2  | 2026-08-14T14:00:00Z | 2026-08-14T18:15:00Z | 2026-08-14T21:00:00Z | 2026-08-15T00:00:00Z | Fri 14 Aug 2026 10:00
    B4  | 2026-08-14T21:00:00Z | 2026-08-17T14:00:00Z | 2026-08-17T17:00:00Z | 2026-08-18T00:00:00Z | Fri 14 Aug 2026 17:00, both missed: the next first window
    B5  | 2026-08-15T14:00:00Z | 2026-08-17T14:00:00Z | 2026-08-17T17:00:00Z | 2026-08-18T00:00:00Z | Sat 15 Aug 2026 10:00
    B7  | 2026-12-24T21:14:00Z | 2026-12-24T21:15:00Z | 2026-12-24T23:00:00Z | 2026-12-25T01:00:00Z | Thu 24 Dec 2026 16:14
    B8  | 2026-08-17T14:00:00Z | 2026-08-18T21:00:00Z | 2026-08-19T12:30:00Z | 2026-08-20T00:00:00Z | Mon 17 Aug 2026 10:00, effective Wed 19 Aug: as standard
    C1  | 2026-08-14T20:59:00Z | 2026-08-14T21:00:00Z | 2026-08-14T21:09:00Z | 2026-08-15T00:00:00Z | Fri 14 Aug 2026 16:59
    C2  | 2026-08-14T21:00:00Z | 2026-08-17T13:01:00Z | 2026-08-17T13:10:00Z | 2026-08-18T00:00:00Z | Fri 14 Aug 2026 17:00
    C3  | 2026-08-15T14:00:00Z | 2026-08-17T13:01:00Z | 2026-08-17T13:10:00Z | 2026-08-18T00:00:00Z | Sat 15 Aug 2026 10:00
    C5  | 2026-11-26T15:00:00Z | 2026-11-27T14:01:00Z | 2026-11-27T14:10:00Z | 2026-11-28T01:00:00Z | Thu 26 Nov 2026 10:00, Thanksgiving
    C6  | 2026-12-24T22:30:00Z | 2026-12-28T14:01:00Z | 2026-12-28T14:10:00Z | 2026-12-29T01:00:00Z | Thu 24 Dec 2026 17:30
    D1  | 2026-08-14T22:44:00Z | 2026-08-14T22:44:00Z | 2026-08-14T22:45:00Z | 2026-08-15T00:00:00Z | Fri 14 Aug 2026 18:44
    D2  | 2026-08-14T22:45:00Z | 2026-08-14T22:45:00Z | 2026-08-17T01:01:00Z | 2026-08-18T00:00:00Z | Fri 14 Aug 2026 18:45
    D4  | 2026-11-26T17:00:00Z | 2026-11-26T17:00:00Z | 2026-11-27T02:01:00Z | 2026-11-28T01:00:00Z | Thu 26 Nov 2026 12:00, Thanksgiving
    E1  | 2026-08-14T20:59:00Z | 2026-08-14T20:59:00Z | 2026-08-17T12:30:00Z | 2026-08-18T00:00:00Z | Fri 14 Aug 2026 16:59
    E2  | 2026-08-17T12:30:00Z | 2026-08-17T12:30:00Z | 2026-08-18T12:30:00Z | 2026-08-19T00:00:00Z | Mon 17 Aug 2026 08:30
    F1  | 2026-08-15T14:00:00Z | 2026-08-15T14:00:01Z | 2026-08-15T14:00:03Z | 2026-08-18T00:00:00Z | Sat 15 Aug 2026 10:00
    F2  | 2026-08-14T23:59:56Z | 2026-08-14T23:59:57Z | 2026-08-14T23:59:59Z | 2026-08-15T00:00:00Z | Fri 14 Aug 2026 19:59:56
    F4  | 2026-12-25T17:00:00Z | 2026-12-25T17:00:01Z | 2026-12-25T17:00:03Z | 2026-12-29T01:00:00Z | Fri 25 Dec 2026 12:00, Christmas
    F5  | 2026-11-01T05:30:00Z | 2026-11-01T05:30:01Z | 2026-11-01T05:30:03Z | 2026-11-03T01:00:00Z | Sun 1 Nov 2026 01:30, first pass
  `)
  it.each(rows)('%s', (id, created, pending, settled, posted, when) => {
    const [plan, terms] = plans[kinds[id[0]!]!]!
    const t0 = ms(created) + (queuedMinutes[id] ?? 0) * MINUTE
    const timeline = plan(t0, { ...terms, effective_entry_date: effective[id] ?? dateAt(ms(created)) })
    expect(course(timeline, 'real'), when).toEqual([pending, settled, posted])
  })
})

// A weekday in summer, a weekend, a holiday: 10:00, 10:00 and noon in New York.
const WEDNESDAY = '2026-08-12T14:00:00Z'
const SATURDAY = '2026-08-15T14:00:00Z'
const CHRISTMAS = '2026-12-25T17:00:00Z'

describe('fast: seconds after the beginning, with no calendar and no cut-off', () => {
  it.each<[string, Plan, AchTerms, number, number]>([
    ['book', rails.book.originated.fast, {}, 1, 1],
    ['instant out', rails.instant_payment.originated.fast, {}, 1, 2],
    ['instant in', rails.instant_payment.received.fast, {}, 0, 1],
    ['wire out', rails.wire.originated.fast, {}, 1, 2],
    ['wire in', rails.wire.received.fast, {}, 0, 1],
    ['standard ACH out', rails.ach.originated.fast, STANDARD, 2, 5],
    ['ACH out that names no processing', rails.ach.originated.fast, {}, 2, 5],
    ['same-day ACH out', rails.ach.originated.fast, SAMEDAY, 1, 3],
    ['ACH in', rails.ach.received.fast, {}, 0, 1],
    ['a return of our ACH entry, after its settlement', returnTimeline.fast, {}, 3, 4],
    ['our ACH return or reversal', rails.ach.returned.fast, {}, 1, 3],
    ['our wire return', rails.wire.returned.fast, {}, 1, 2],
  ])('%s', (_name, plan, terms, pending, settled) => {
    for (const created of [WEDNESDAY, SATURDAY, CHRISTMAS, '2026-08-14T21:00:00Z', '2026-08-15T00:00:00Z']) {
      const t0 = ms(created)
      // An effective date is data here: nobody waits for it.
      for (const effective_entry_date of [undefined, plusDays(dateAt(t0), 30)]) {
        const timeline = plan(t0, { ...terms, effective_entry_date })
        expect(timeline).toEqual({ pending_at: t0 + pending * SECOND, settles_at: t0 + settled * SECOND })
        expect(statementPostedAt.fast(timeline.settles_at), 'posted at once').toBe(timeline.settles_at)
      }
    }
  })

  it('what takes its own time', () => {
    expect(REGISTRATION_TAKES_MS).toEqual({ fast: SECOND, real: 2 * SECOND })
    expect(DECISION_TAKES_MS).toBe(SECOND)
    expect(INSTANT_TIMES_OUT_MS).toBe(20 * SECOND)
  })
})

describe('real: every other row on a weekday, a weekend and a holiday', () => {
  // What | created | pending | settled | posted | when, by New York's clocks
  const rows = table<[string, string, string, string, string, string]>(`
    book             | 2026-08-12T14:00:00Z | 2026-08-12T14:00:01Z | 2026-08-12T14:00:01Z | 2026-08-13T00:00:00Z | Wed
    book             | 2026-08-15T14:00:00Z | 2026-08-15T14:00:01Z | 2026-08-15T14:00:01Z | 2026-08-18T00:00:00Z | Sat
    book             | 2026-12-25T17:00:00Z | 2026-12-25T17:00:01Z | 2026-12-25T17:00:01Z | 2026-12-29T01:00:00Z | Christmas
    instant in       | 2026-08-12T14:00:00Z | 2026-08-12T14:00:00Z | 2026-08-12T14:00:01Z | 2026-08-13T00:00:00Z | Wed
    instant in       | 2026-08-15T14:00:00Z | 2026-08-15T14:00:00Z | 2026-08-15T14:00:01Z | 2026-08-18T00:00:00Z | Sat
    instant in       | 2026-12-25T17:00:00Z | 2026-12-25T17:00:00Z | 2026-12-25T17:00:01Z | 2026-12-29T01:00:00Z | Christmas
    our ACH return   | 2026-08-12T14:00:00Z | 2026-08-12T21:00:00Z | 2026-08-13T12:30:00Z | 2026-08-14T00:00:00Z | Wed
    our ACH return   | 2026-08-12T21:00:00Z | 2026-08-13T21:00:00Z | 2026-08-14T12:30:00Z | 2026-08-15T00:00:00Z | Wed at the cut-off
    our ACH return   | 2026-08-15T14:00:00Z | 2026-08-17T21:00:00Z | 2026-08-18T12:30:00Z | 2026-08-19T00:00:00Z | Sat
    our ACH return   | 2026-12-25T17:00:00Z | 2026-12-28T22:00:00Z | 2026-12-29T13:30:00Z | 2026-12-30T01:00:00Z | Christmas
    our wire return  | 2026-08-12T14:00:00Z | 2026-08-12T14:01:00Z | 2026-08-12T14:10:00Z | 2026-08-13T00:00:00Z | Wed
    our wire return  | 2026-08-12T12:59:00Z | 2026-08-12T13:01:00Z | 2026-08-12T13:10:00Z | 2026-08-13T00:00:00Z | Wed 08:59
    our wire return  | 2026-08-12T21:00:00Z | 2026-08-13T13:01:00Z | 2026-08-13T13:10:00Z | 2026-08-14T00:00:00Z | Wed 17:00
    our wire return  | 2026-08-15T14:00:00Z | 2026-08-17T13:01:00Z | 2026-08-17T13:10:00Z | 2026-08-18T00:00:00Z | Sat
    our wire return  | 2026-12-25T17:00:00Z | 2026-12-28T14:01:00Z | 2026-12-28T14:10:00Z | 2026-12-29T01:00:00Z | Christmas
    a return of ours | 2026-08-17T12:30:00Z | 2026-08-18T21:00:00Z | 2026-08-19T12:30:00Z | 2026-08-20T00:00:00Z | settled Mon
    a return of ours | 2026-08-12T22:00:00Z | 2026-08-13T21:00:00Z | 2026-08-14T12:30:00Z | 2026-08-15T00:00:00Z | settled Wed at 18:00
    a return of ours | 2026-11-25T13:30:00Z | 2026-11-27T22:00:00Z | 2026-11-30T13:30:00Z | 2026-12-01T01:00:00Z | settled on the eve of Thanksgiving
    a return of ours | 2026-08-15T14:00:00Z | 2026-08-17T21:00:00Z | 2026-08-18T12:30:00Z | 2026-08-19T00:00:00Z | settled Sat at the other pace
    a return of ours | 2026-12-25T17:00:00Z | 2026-12-28T22:00:00Z | 2026-12-29T13:30:00Z | 2026-12-30T01:00:00Z | settled at Christmas at the other pace
  `)
  it.each(rows)('%s from %s', (what, created, pending, settled, posted, when) => {
    const [plan, terms] = plans[what]!
    expect(course(plan(ms(created), terms), 'real'), when).toEqual([pending, settled, posted])
  })

  it.each([
    ['named by nobody', undefined],
    ['past', '2026-08-10'],
    ['today', '2026-08-12'],
    ['a banking day on', '2026-08-13'],
  ])('standard ACH, effective date %s: the earliest settlement', (_name, effective_entry_date) => {
    expect(texts(rails.ach.originated.real(ms(WEDNESDAY), { ...STANDARD, effective_entry_date }))).toEqual([
      '2026-08-12T21:00:00Z',
      '2026-08-13T12:30:00Z',
    ])
  })

  it('same-day ACH after its last window, while standard still goes: standard is earlier', () => {
    expect(texts(rails.ach.originated.real(ms('2026-08-14T20:15:00Z'), SAMEDAY))).toEqual([
      '2026-08-14T21:00:00Z',
      '2026-08-17T12:30:00Z',
    ])
  })

  it('the close itself belongs to the next banking day', () => {
    const close = ms('2026-08-15T00:00:00Z') // Friday, 20:00
    expect(text(statementPostedAt.real(close - 1))).toBe('2026-08-15T00:00:00Z')
    expect(text(statementPostedAt.real(close))).toBe('2026-08-18T00:00:00Z')
  })
})

describe('real: around the changes of the clocks', () => {
  // Forward on Sunday 8 March 2026 at 07:00Z, back on Sunday 1 November 2026 at 06:00Z.
  // What | created | pending | settled | when, by New York's clocks
  const rows = table<[string, string, string, string, string]>(`
    standard ACH     | 2026-03-08T06:59:59Z | 2026-03-09T21:00:00Z | 2026-03-10T12:30:00Z | Sun 01:59:59
    standard ACH     | 2026-03-08T07:00:00Z | 2026-03-09T21:00:00Z | 2026-03-10T12:30:00Z | Sun 03:00
    same-day ACH     | 2026-03-08T06:59:59Z | 2026-03-09T14:00:00Z | 2026-03-09T17:00:00Z | Sun 01:59:59
    wire out         | 2026-03-08T07:00:00Z | 2026-03-09T13:01:00Z | 2026-03-09T13:10:00Z | Sun 03:00
    wire in          | 2026-03-08T06:59:59Z | 2026-03-08T06:59:59Z | 2026-03-09T01:01:00Z | Sun 01:59:59: opens at 21:00 of the new time
    ACH in           | 2026-03-08T07:00:00Z | 2026-03-08T07:00:00Z | 2026-03-09T12:30:00Z | Sun 03:00
    ACH in           | 2026-03-06T13:30:00Z | 2026-03-06T13:30:00Z | 2026-03-09T12:30:00Z | Fri before
    instant out      | 2026-03-08T06:59:59Z | 2026-03-08T07:00:00Z | 2026-03-08T07:00:02Z | Sun 01:59:59: seconds that pass
    book             | 2026-03-08T06:59:59Z | 2026-03-08T07:00:00Z | 2026-03-08T07:00:00Z | Sun 01:59:59
    standard ACH     | 2026-10-30T20:59:00Z | 2026-10-30T21:00:00Z | 2026-11-02T13:30:00Z | Fri before 16:59
    standard ACH     | 2026-11-01T05:30:00Z | 2026-11-02T22:00:00Z | 2026-11-03T13:30:00Z | Sun 01:30 first
    standard ACH     | 2026-11-01T06:30:00Z | 2026-11-02T22:00:00Z | 2026-11-03T13:30:00Z | Sun 01:30 again
    same-day ACH     | 2026-11-01T06:30:00Z | 2026-11-02T15:00:00Z | 2026-11-02T18:00:00Z | Sun 01:30 again
    wire out         | 2026-11-01T06:30:00Z | 2026-11-02T14:01:00Z | 2026-11-02T14:10:00Z | Sun 01:30 again
    wire in          | 2026-11-02T01:59:59Z | 2026-11-02T01:59:59Z | 2026-11-02T02:01:00Z | Sun 20:59:59
    wire in          | 2026-11-02T02:30:00Z | 2026-11-02T02:30:00Z | 2026-11-02T02:31:00Z | Sun 21:30
    instant out      | 2026-11-01T05:59:59Z | 2026-11-01T06:00:00Z | 2026-11-01T06:00:02Z | Sun 01:59:59 first
    a return of ours | 2026-10-30T12:30:00Z | 2026-11-02T22:00:00Z | 2026-11-03T13:30:00Z | Fri before
  `)
  it.each(rows)('%s from %s', (what, created, pending, settled, when) => {
    const [plan, terms] = plans[what]!
    expect(texts(plan(ms(created), terms)), when).toEqual([pending, settled])
  })

  it.each([
    ['Sun 8 March, before and after', ['2026-03-08T06:59:59Z', '2026-03-08T07:00:00Z'], '2026-03-10T00:00:00Z'],
    ['Sun 1 November, both passes', ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z'], '2026-11-03T01:00:00Z'],
  ])('%s: on the statement of Monday', (_name, settled, posted) => {
    for (const instant of settled) expect(text(statementPostedAt.real(ms(instant)))).toBe(posted)
  })
})

describe('deadlines of returns', () => {
  it.each<[string, string, Frame, string, string]>([
    ['Mon 17 Aug 2026', '2026-08-17T12:30:00Z', '2 banking days', '2026-08-18T21:00:00Z', '2026-08-19T12:30:00Z'],
    ['Mon 17 Aug 2026', '2026-08-17T12:30:00Z', '60 days', '2026-10-16T21:00:00Z', '2026-10-19T12:30:00Z'],
    ['Mon 17 Aug 2026', '2026-08-17T12:30:00Z', 'reversal', '2026-08-24T21:00:00Z', '2026-08-25T04:00:00Z'],
    ['Wed 25 Nov 2026', '2026-11-25T13:30:00Z', '2 banking days', '2026-11-27T22:00:00Z', '2026-11-30T13:30:00Z'],
    ['Wed 25 Nov 2026', '2026-11-25T13:30:00Z', '60 days', '2027-01-22T22:00:00Z', '2027-01-25T13:30:00Z'],
    ['Wed 25 Nov 2026', '2026-11-25T13:30:00Z', 'reversal', '2026-12-03T22:00:00Z', '2026-12-04T05:00:00Z'],
    ['Thu 24 Dec 2026', '2026-12-24T13:30:00Z', '2 banking days', '2026-12-28T22:00:00Z', '2026-12-29T13:30:00Z'],
    ['Thu 24 Dec 2026', '2026-12-24T13:30:00Z', '60 days', '2027-02-22T22:00:00Z', '2027-02-23T13:30:00Z'],
    ['Thu 24 Dec 2026', '2026-12-24T13:30:00Z', 'reversal', '2027-01-04T22:00:00Z', '2027-01-05T05:00:00Z'],
    [
      '60 days before the clocks go back',
      '2026-09-02T12:30:00Z',
      '60 days',
      '2026-10-30T21:00:00Z',
      '2026-11-02T13:30:00Z',
    ],
    [
      '5 days over the clocks going forward',
      '2026-03-02T13:30:00Z',
      'reversal',
      '2026-03-09T21:00:00Z',
      '2026-03-10T04:00:00Z',
    ],
  ])('settled %s (%s), %s: late from %s, expired from %s', (_name, settled, frame, late, expired) => {
    const { late_from, expired_from } = returnDeadline(frame, ms(settled))
    expect([text(late_from), text(expired_from)]).toEqual([late, expired])
  })
})

// ── Properties ───────────────────────────────────────────────────────────────────────────────────────────────────

const check = <T>(arbitrary: fc.Arbitrary<T>, claim: (value: T) => void) =>
  fc.assert(fc.property(arbitrary, claim), { seed: 20260814, numRuns: 300 })

const FROM = ms('2024-01-01T05:00:00Z')
const UNTIL = ms('2054-12-31T00:00:00Z')
const FROM_DATE = '2024-01-02'
const NAMED_TIMES = '00:00 01:30 02:30 08:30 09:00 10:00 14:15 16:15 17:00 18:45 20:00 21:00'.split(' ')
const wall = (time: string) => ms(`1970-01-01T${time}:00Z`)

/** Any instant; as often one at, just before or just after a time that the rails know. */
const anInstant = fc.oneof(
  fc.integer({ min: FROM, max: UNTIL }),
  fc
    .tuple(fc.integer({ min: 0, max: 30 * 365 }), fc.constantFrom(...NAMED_TIMES), fc.constantFrom(-1, 0, 1))
    .map(([days, time, nudge]) => newYorkInstant(plusDays(FROM_DATE, days), wall(time)) + nudge),
)
/** None, or from today to 30 days on. */
const aDate = fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined })
const aProcessing = fc.constantFrom('STANDARD' as const, 'SAMEDAY' as const, undefined)
const anEntry = fc.tuple(anInstant, aProcessing, aDate).map(([t0, service_processing, days]) => ({
  t0,
  terms: {
    service_processing,
    effective_entry_date: days === undefined ? undefined : plusDays(dateAt(t0), days),
  } satisfies AchTerms,
}))

const RAILS: readonly Rail[] = ['book', 'ach', 'wire', 'instant_payment']
const PACES: readonly Pace[] = ['fast', 'real']
const everyPlan: [string, Plan][] = RAILS.flatMap((rail) =>
  Object.entries<Readonly<Record<Pace, Plan>>>({ ...rails[rail] }).flatMap(([direction, plans]) =>
    PACES.map((pace): [string, Plan] => [`${rail} ${direction}, ${pace}`, plans[pace]]),
  ),
)

describe('at any instant', () => {
  it.each<[string, Plan]>([
    ...everyPlan,
    ['a return of ours, fast', returnTimeline.fast],
    ['a return of ours, real', returnTimeline.real],
  ])('%s: it begins, is pending, settles, in this order', (_name, plan) => {
    check(anEntry, ({ t0, terms }) => {
      const { pending_at, settles_at } = plan(t0, terms)
      expect(Number.isInteger(pending_at) && Number.isInteger(settles_at)).toBe(true)
      expect(t0).toBeLessThanOrEqual(pending_at)
      expect(pending_at).toBeLessThanOrEqual(settles_at)
    })
  })

  it.each(everyPlan)('%s: who begins later never settles earlier', (_name, plan) => {
    const gap = fc.oneof(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 5 * DAY }))
    check(fc.tuple(anInstant, gap, aProcessing), ([t0, later, service_processing]) => {
      const terms = { service_processing }
      expect(plan(t0 + later, terms).settles_at).toBeGreaterThanOrEqual(plan(t0, terms).settles_at)
    })
  })

  it('real: ACH out settles on banking days at 08:30, same-day also at 13:00, 17:00 and 18:00', () => {
    check(anEntry, ({ t0, terms }) => {
      const { pending_at, settles_at } = rails.ach.originated.real(t0, terms)
      const [pending, settled] = [newYorkTime(pending_at), newYorkTime(settles_at)]
      expect(isBankingDay(pending.date) && isBankingDay(settled.date)).toBe(true)
      const course = [pending.time_ms, settled.time_ms]
      const permitted = [['17:00', '08:30']]
      if (terms.service_processing === 'SAMEDAY')
        permitted.push(['10:00', '13:00'], ['14:15', '17:00'], ['16:15', '18:00'])
      expect(permitted.map((times) => times.map(wall))).toContainEqual(course)
    })
  })

  it('real: ACH out settles no earlier than the next banking day unless same-day, and never before its date', () => {
    check(anEntry, ({ t0, terms }) => {
      const today = dateAt(t0)
      const settled = dateAt(rails.ach.originated.real(t0, terms).settles_at)
      const earliest = terms.service_processing === 'SAMEDAY' ? bankingDayFrom(today) : bankingDayAfter(today)
      expect(settled >= earliest, `${settled} >= ${earliest}`).toBe(true)
      const asked = bankingDayFrom(terms.effective_entry_date ?? today)
      expect(settled >= asked, `${settled} >= ${asked}`).toBe(true)
    })
  })

  it('real: a standard ACH entry whose date leaves time settles on it', () => {
    check(anEntry, ({ t0, terms: { effective_entry_date } }) => {
      const earliest = dateAt(rails.ach.originated.real(t0, STANDARD).settles_at)
      const settled = dateAt(rails.ach.originated.real(t0, { ...STANDARD, effective_entry_date }).settles_at)
      const asked = bankingDayFrom(effective_entry_date ?? earliest)
      expect(settled).toBe(asked > earliest ? asked : earliest)
    })
  })

  it('real: same-day ACH never settles later than standard', () => {
    check(anEntry, ({ t0, terms: { effective_entry_date } }) => {
      const sameDay = rails.ach.originated.real(t0, { ...SAMEDAY, effective_entry_date })
      const standard = rails.ach.originated.real(t0, { ...STANDARD, effective_entry_date })
      expect(sameDay.settles_at).toBeLessThanOrEqual(standard.settles_at)
    })
  })

  it('real: wires leave on banking days while the desk is open', () => {
    check(anInstant, (t0) => {
      const { pending_at, settles_at } = rails.wire.originated.real(t0, {})
      const settled = newYorkTime(settles_at)
      expect(isBankingDay(settled.date)).toBe(true)
      expect(settled.time_ms).toBeGreaterThanOrEqual(wall('09:10'))
      expect(settled.time_ms).toBeLessThan(wall('17:10'))
      expect(settles_at - pending_at).toBe(9 * MINUTE)
    })
  })

  it('real: wires come in while Fedwire takes customer transfers, and at once if it does', () => {
    const takes = (instant: number) => {
      const { date, time_ms } = newYorkTime(instant)
      return (
        (isBankingDay(date) && time_ms < wall('18:45')) || (isBankingDay(plusDays(date, 1)) && time_ms >= wall('21:00'))
      )
    }
    check(anInstant, (t0) => {
      const { pending_at, settles_at } = rails.wire.received.real(t0, {})
      const start = settles_at - MINUTE
      expect(pending_at).toBe(t0)
      expect(takes(start)).toBe(true)
      if (takes(t0)) expect(start).toBe(t0)
      else expect(takes(start - 1), 'the very first moment').toBe(false)
    })
  })

  it('real: ACH comes in at 08:30 of a banking day, strictly later', () => {
    check(anInstant, (t0) => {
      const { pending_at, settles_at } = rails.ach.received.real(t0, {})
      expect(pending_at).toBe(t0)
      expect(settles_at).toBeGreaterThan(t0)
      expect(newYorkTime(settles_at)).toEqual({ date: bankingDayWithCutOff(t0, '08:30'), time_ms: wall('08:30') })
    })
  })

  it.each(everyPlan.filter(([name]) => name.endsWith('real')))(
    '%s: on the statement at the first 20:00 of a banking day after it settled',
    (_name, plan) => {
      check(anEntry, ({ t0, terms }) => {
        const { settles_at } = plan(t0, terms)
        const posted = statementPostedAt.real(settles_at)
        const { date, time_ms } = newYorkTime(posted)
        expect(posted).toBeGreaterThan(settles_at)
        expect(isBankingDay(date)).toBe(true)
        expect(time_ms).toBe(wall('20:00'))
        expect(date).toBe(bankingDayWithCutOff(settles_at, '20:00'))
      })
    },
  )

  it.each<[Frame]>([['2 banking days'], ['60 days']])(
    'a return within %s settles in time if it is sent before it is late, and else does not',
    (frame) => {
      check(anInstant, (settled_at) => {
        const { late_from, expired_from } = returnDeadline(frame, settled_at)
        expect(late_from).toBeGreaterThan(settled_at)
        expect(rails.ach.returned.real(late_from - 1, {}).settles_at).toBeLessThanOrEqual(expired_from)
        expect(rails.ach.returned.real(late_from, {}).settles_at).toBeGreaterThan(expired_from)
      })
    },
  )

  it('a reversal leaves by the fifth banking day after settlement', () => {
    check(anInstant, (settled_at) => {
      const { late_from, expired_from } = returnDeadline('reversal', settled_at)
      const last = bankingDayAfter(dateAt(settled_at), 5)
      expect(rails.ach.returned.real(late_from - 1, {}).pending_at).toBe(late_from)
      expect(newYorkTime(late_from)).toEqual({ date: last, time_ms: wall('17:00') })
      expect(newYorkTime(expired_from)).toEqual({ date: plusDays(last, 1), time_ms: 0 })
    })
  })
})
