import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newYorkInstant, newYorkTime, startOfNewYorkDay } from '../../src/api/contract/terms/new-york.ts'
import {
  bankingDayAfter,
  bankingDayBefore,
  bankingDayFrom,
  bankingDayWithCutOff,
  holiday,
  instantAt,
  isBankingDay,
  isBetween,
  plusBankingDays,
  plusDays,
} from '../../src/api/domain/rules/calendar.ts'

const HOUR = 3_600_000
const YEARS = Array.from({ length: 35 }, (_, i) => 2022 + i)

describe("the Federal Reserve's holidays, by rule", () => {
  // Published by a Reserve Bank for 2026 and 2027; worked out for 2028.
  it.each([
    [2026, '01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25', '07-03'],
    [2027, '01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25', '06-18 12-24'],
    [2028, '01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-23 12-25', '11-10'],
  ])(
    '%i: closed on weekdays %s, open on %s although the day after is a holiday on a Saturday',
    (year, closed, open) => {
      const weekdays = daysOf(year).filter((date) => ![0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay()))
      expect(
        weekdays
          .filter((date) => !isBankingDay(date))
          .map((date) => date.slice(5))
          .join(' '),
      ).toBe(closed)
      for (const day of open.split(' ')) expect(isBankingDay(`${year}-${day}`)).toBe(true)
    },
  )

  it.each([
    [2026, [20, 19, 22, 22, 20, 21, 23, 21, 21, 21, 19, 22]],
    [2027, [19, 19, 23, 22, 20, 22, 21, 22, 21, 20, 20, 23]],
    [2028, [20, 20, 23, 20, 22, 21, 20, 23, 20, 21, 21, 20]],
  ])('%i has these banking days, month by month', (year, months) => {
    const counted = months.map(
      (_, month) => daysOf(year).filter((date) => Number(date.slice(5, 7)) === month + 1 && isBankingDay(date)).length,
    )
    expect(counted).toEqual(months)
  })

  it('Juneteenth counts from 2022 on', () => {
    expect(holiday('2020-06-19')).toBeUndefined()
    expect(holiday('2022-06-20'), 'the 19th was a Sunday').toBe('Juneteenth')
  })

  it('a full banking day: Good Friday, the day after Thanksgiving, 24 and 31 December', () => {
    for (const date of ['2026-04-03', '2026-11-27', '2026-12-24', '2026-12-31']) expect(isBankingDay(date)).toBe(true)
  })

  it('agrees with an independent computation over more than 30 years, day by day and name by name', () => {
    for (const year of YEARS) {
      const closed = independent(year)
      for (const date of daysOf(year)) {
        const day = new Date(`${date}T00:00:00Z`).getUTCDay()
        expect(isBankingDay(date), date).toBe(day !== 0 && day !== 6 && !closed.has(date))
        expect(holiday(date), date).toBe(closed.get(date))
      }
    }
  })
})

describe('New York time', () => {
  it.each([
    ['winter', '2026-01-15T22:00:00Z', '2026-01-15', 17 * HOUR],
    ['summer', '2026-08-14T21:00:00Z', '2026-08-14', 17 * HOUR],
    ['the evening before in UTC', '2026-08-15T01:30:00.250Z', '2026-08-14', 21.5 * HOUR + 250],
    ['midnight', '2026-08-14T04:00:00Z', '2026-08-14', 0],
    ['before 1970', '1969-12-31T23:59:59.999Z', '1969-12-31', 19 * HOUR - 1],
  ])('%s', (_name, instant, date, time_ms) => {
    expect(newYorkTime(Date.parse(instant))).toEqual({ date, time_ms })
    expect(newYorkInstant(date, time_ms)).toBe(Date.parse(instant))
  })

  it('a time that spring leaves out is read as an hour later; of one that autumn repeats, the first', () => {
    expect(new Date(newYorkInstant('2026-03-08', 2.5 * HOUR)).toISOString()).toBe('2026-03-08T07:30:00.000Z')
    expect(new Date(newYorkInstant('2026-11-01', 1.5 * HOUR)).toISOString()).toBe('2026-11-01T05:30:00.000Z')
  })

  it('a day begins at midnight, also when it has 23 or 25 hours', () => {
    const begins = (instant: string) => new Date(startOfNewYorkDay(Date.parse(instant))).toISOString()
    expect(begins('2026-03-08T23:00:00Z')).toBe('2026-03-08T05:00:00.000Z')
    expect(begins('2026-11-02T04:00:00Z')).toBe('2026-11-01T04:00:00.000Z')
    expect(begins('2026-11-02T05:00:00Z')).toBe('2026-11-02T05:00:00.000Z')
  })

  it('agrees with an independent rule over more than 30 years, at several hours of each day', () => {
    const wrong: string[] = []
    for (const year of YEARS) {
      const [forward, back] = changesOf(year)
      const compare = (ms: number) => {
        const shown = new Date(ms - (forward <= ms && ms < back ? 4 : 5) * HOUR).toISOString()
        const [date, time_ms] = [shown.slice(0, 10), Date.parse(`1970-01-01${shown.slice(10)}`)]
        const read = newYorkTime(ms)
        if (read.date !== date || read.time_ms !== time_ms) wrong.push(`${new Date(ms).toISOString()} is ${shown}`)
        // The hour that comes twice is read as its first pass.
        const again = back <= ms && ms < back + HOUR
        if (newYorkInstant(date, time_ms) !== (again ? ms - HOUR : ms)) wrong.push(`${shown} back`)
      }
      const first = Date.UTC(year, 0, 1, 12)
      const last = Date.UTC(year, 11, 31, 12)
      for (let noon = first, i = 0; noon <= last; noon += 24 * HOUR, i++) {
        // Other hours and minutes from day to day.
        for (const hour of [0, 7, 15]) compare(noon + ((i * 5 + hour) % 24) * HOUR + i * 123_457)
      }
      for (const change of [forward, back]) {
        for (let ms = change - 3 * HOUR; ms <= change + 3 * HOUR; ms += HOUR / 4) [-1, 0, 1].map((n) => compare(ms + n))
      }
    }
    expect(wrong).toEqual([])
  })

  it.each([
    ['winter', '2026-01-15', '17:00', '2026-01-15T22:00:00.000Z'],
    ['summer', '2026-08-14', '16:15', '2026-08-14T20:15:00.000Z'],
    ['an evening that is tomorrow in UTC', '2026-08-14', '20:00', '2026-08-15T00:00:00.000Z'],
    ['the midnight before the clocks go forward', '2026-03-08', '00:00', '2026-03-08T05:00:00.000Z'],
    ['the evening after the clocks went forward', '2026-03-08', '21:00', '2026-03-09T01:00:00.000Z'],
    ['the midnight before the clocks go back', '2026-11-01', '00:00', '2026-11-01T04:00:00.000Z'],
    ['the evening after the clocks went back', '2026-11-01', '21:00', '2026-11-02T02:00:00.000Z'],
  ])('at: %s', (_name, date, time, instant) => {
    expect(new Date(instantAt(date, time)).toISOString()).toBe(instant)
  })

  it('between two times: with the first, without the last', () => {
    const among = (instant: string) => isBetween(Date.parse(instant), '09:00', '17:00')
    expect(among('2026-08-14T12:59:59.999Z')).toBe(false)
    expect(among('2026-08-14T13:00:00Z')).toBe(true)
    expect(among('2026-08-14T20:59:59.999Z')).toBe(true)
    expect(among('2026-08-14T21:00:00Z')).toBe(false)
    expect(among('2026-01-15T13:59:59.999Z'), 'in winter an hour later').toBe(false)
    expect(among('2026-01-15T14:00:00Z')).toBe(true)
    expect(among('2026-08-15T14:00:00Z'), 'it asks the clock, not the calendar').toBe(true)
    expect(isBetween(Date.parse('2026-08-14T04:00:00Z'), '00:00', '18:45'), 'midnight').toBe(true)
  })
})

describe('banking days on', () => {
  it.each([
    ['before the cut-off', '2026-08-14T20:59:59.999Z', '2026-08-14'],
    ['at the cut-off: late', '2026-08-14T21:00:00Z', '2026-08-17'],
    ['in winter the same wall time', '2026-12-24T21:59:59.999Z', '2026-12-24'],
    ['and late over a holiday and a weekend', '2026-12-24T22:00:00Z', '2026-12-28'],
    ['Saturday morning', '2026-08-15T14:00:00Z', '2026-08-17'],
    ['the morning of a holiday', '2026-11-26T15:00:00Z', '2026-11-27'],
    ['Thursday evening, Friday in UTC', '2026-08-14T03:00:00Z', '2026-08-14'],
    ['Sunday evening, Monday in UTC', '2026-08-17T03:00:00Z', '2026-08-17'],
    ['Monday evening, Tuesday in UTC', '2026-08-18T03:00:00Z', '2026-08-18'],
    ['the Sunday on which clocks go forward', '2026-03-08T07:00:00Z', '2026-03-09'],
    ['the Sunday on which clocks go back', '2026-11-01T06:30:00Z', '2026-11-02'],
  ])('whose work an instant gets on, cut off at 17:00: %s', (_name, instant, date) => {
    expect(bankingDayWithCutOff(Date.parse(instant), '17:00')).toBe(date)
  })

  it('agree with a list of all banking days', () => {
    const days = YEARS.flatMap(daysOf)
    const open: string[] = []
    for (const year of YEARS) {
      const closed = independent(year)
      open.push(...daysOf(year).filter((d) => ![0, 6].includes(new Date(d).getUTCDay()) && !closed.has(d)))
    }
    /** How many banking days of the list lie before the date. */
    const before = new Map<string, number>()
    for (let i = 0, passed = 0; i < days.length; i++) {
      before.set(days[i]!, passed)
      if (open[passed] === days[i]) passed++
    }
    const aDay = fc.integer({ min: 10, max: days.length - 60 }).map((i) => days[i]!)
    const aTime = fc.integer({ min: 0, max: 24 * HOUR - 1 })
    fc.assert(
      fc.property(aDay, aTime, fc.integer({ min: 1, max: 30 }), (date, time, n) => {
        const i = before.get(date)!
        const isOpen = open[i] === date
        const after = isOpen ? i + 1 : i
        expect(bankingDayFrom(date)).toBe(open[i])
        expect(bankingDayBefore(date)).toBe(open[i - 1])
        expect(bankingDayAfter(date, n)).toBe(open[after + n - 1])
        const ms = newYorkInstant(date, time)
        const { time_ms } = newYorkTime(ms)
        expect(bankingDayWithCutOff(ms, '16:15')).toBe(isOpen && time_ms < 16.25 * HOUR ? date : open[after])
        expect(plusBankingDays(ms, n)).toBe(newYorkInstant(open[after + n - 1]!, time_ms))
      }),
      { seed: 20260814, numRuns: 300 },
    )
  })
})

function daysOf(year: number): string[] {
  const days: string[] = []
  for (let date = `${year}-01-01`; date.startsWith(String(year)); date = plusDays(date, 1)) days.push(date)
  return days
}

/** When clocks go forward, 02:00 of the second Sunday of March, and back, 02:00 of the first Sunday of November. */
function changesOf(year: number): [forward: number, back: number] {
  const sundays = (month: number) =>
    Array.from({ length: 14 }, (_, i) => Date.UTC(year, month, i + 1)).filter(
      (time) => new Date(time).getUTCDay() === 0,
    )
  return [sundays(2)[1]! + 7 * HOUR, sundays(10)[0]! + 6 * HOUR]
}

/** Another way to the same days: walk the year and count weekdays within their month. */
function independent(year: number): Map<string, string> {
  const closed = new Map<string, string>()
  for (let time = Date.UTC(year, 0, 1); new Date(time).getUTCFullYear() === year; time += 24 * HOUR) {
    const at = new Date(time)
    const [month, day, weekday] = [at.getUTCMonth() + 1, at.getUTCDate(), at.getUTCDay()]
    const which = Math.ceil(day / 7)
    const isLast = new Date(time + 7 * 24 * HOUR).getUTCMonth() + 1 !== month
    const isMonday = (m: number, is: boolean) => weekday === 1 && month === m && is
    const isFixed = (m: number, d: number) =>
      month === m && ((day === d && weekday !== 0) || (day === d + 1 && weekday === 1))
    const names: [string, boolean][] = [
      ["New Year's Day", isFixed(1, 1)],
      ['Martin Luther King Day', isMonday(1, which === 3)],
      ["Washington's Birthday", isMonday(2, which === 3)],
      ['Memorial Day', isMonday(5, isLast)],
      ['Juneteenth', isFixed(6, 19)],
      ['Independence Day', isFixed(7, 4)],
      ['Labor Day', isMonday(9, which === 1)],
      ['Columbus Day', isMonday(10, which === 2)],
      ['Veterans Day', isFixed(11, 11)],
      ['Thanksgiving', month === 11 && weekday === 4 && which === 4],
      ['Christmas Day', isFixed(12, 25)],
    ]
    for (const [name, is] of names) if (is) closed.set(at.toISOString().slice(0, 10), name)
  }
  return closed
}
