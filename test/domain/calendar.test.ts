import { describe, expect, it } from 'vitest'
import {
  bankingDayAfter,
  holiday,
  inNewYork,
  isBankingDay,
  newYork,
  plusBankingDays,
  plusDays,
} from '../../src/api/domain/rules/calendar.ts'

const HOUR = 3_600_000

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

  it('agrees with an independent computation over 30 years', () => {
    for (let year = 2022; year < 2052; year++) {
      const closed = new Set(independent(year))
      for (const date of daysOf(year)) {
        const day = new Date(`${date}T00:00:00Z`).getUTCDay()
        expect(isBankingDay(date), date).toBe(day !== 0 && day !== 6 && !closed.has(date))
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
  ])('%s', (_name, instant, date, time_ms) => {
    expect(newYork(Date.parse(instant))).toEqual({ date, time_ms })
    expect(inNewYork(date, time_ms)).toBe(Date.parse(instant))
  })

  it('a time that spring leaves out is read as an hour later; of one that autumn repeats, the first', () => {
    expect(new Date(inNewYork('2026-03-08', 2.5 * HOUR)).toISOString()).toBe('2026-03-08T07:30:00.000Z')
    expect(new Date(inNewYork('2026-11-01', 1.5 * HOUR)).toISOString()).toBe('2026-11-01T05:30:00.000Z')
  })
})

describe('banking days on', () => {
  it.each([
    ['Fri 10:00, one', '2026-08-14T14:00:00Z', 1, '2026-08-17T14:00:00.000Z'],
    ['Sat 10:00, one', '2026-08-15T14:00:00Z', 1, '2026-08-17T14:00:00.000Z'],
    ['over the change to summer time: the same wall time', '2026-03-06T15:00:00Z', 1, '2026-03-09T14:00:00.000Z'],
    ['over Christmas and New Year, eight', '2026-12-24T15:00:00Z', 8, '2027-01-07T15:00:00.000Z'],
    ['over Thanksgiving', '2026-11-25T15:00:00Z', 1, '2026-11-27T15:00:00.000Z'],
  ])('%s', (_name, from, n, to) => {
    expect(new Date(plusBankingDays(Date.parse(from), n)).toISOString()).toBe(to)
  })

  it('the nth day strictly after a date', () => {
    expect(bankingDayAfter('2026-08-14')).toBe('2026-08-17')
    expect(bankingDayAfter('2026-08-14', 8)).toBe('2026-08-26')
  })
})

function daysOf(year: number): string[] {
  const days: string[] = []
  for (let date = `${year}-01-01`; date.startsWith(String(year)); date = plusDays(date, 1)) days.push(date)
  return days
}

/** Another way to the same days: walk the year and count weekdays within their month. */
function independent(year: number): string[] {
  const closed: string[] = []
  for (let time = Date.UTC(year, 0, 1); new Date(time).getUTCFullYear() === year; time += 24 * HOUR) {
    const at = new Date(time)
    const [month, day, weekday] = [at.getUTCMonth() + 1, at.getUTCDate(), at.getUTCDay()]
    const which = Math.ceil(day / 7)
    const isLast = new Date(time + 7 * 24 * HOUR).getUTCMonth() + 1 !== month
    const monday =
      weekday === 1 &&
      ((month === 1 && which === 3) ||
        (month === 2 && which === 3) ||
        (month === 5 && isLast) ||
        (month === 9 && which === 1) ||
        (month === 10 && which === 2))
    const isFixed = (m: number, d: number) =>
      (month === m && day === d) || (weekday === 1 && month === m && day === d + 1)
    const fixed = [
      [1, 1],
      [6, 19],
      [7, 4],
      [11, 11],
      [12, 25],
    ].some(([m, d]) => isFixed(m!, d!))
    if (monday || fixed || (month === 11 && weekday === 4 && which === 4)) closed.push(at.toISOString().slice(0, 10))
  }
  return closed
}
