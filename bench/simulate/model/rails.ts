import {
  addDays,
  businessDay,
  instantOf,
  isBankingDay,
  nextBankingDay,
  previousBankingDay,
  rollForward,
  wallTimeAt,
} from './calendar.ts'

/** When a payment of each rail begins (pending) and ends (settled or failed). */

export type Rail = 'book' | 'ach' | 'same_day_ach' | 'wire' | 'instant'
export type Pace = 'fast' | 'real'

export interface Times {
  readonly pending: number
  readonly end: number
}

const after = (at: number, pending: number, end: number): Times => ({
  pending: at + pending * 1000,
  end: at + end * 1000,
})
const MINUTE = 60_000

/** A payment of the Client: a transfer. `entryDate` is the effective entry date of an ACH. */
export function timesOut(rail: Rail, pace: Pace, at: number, entryDate: string): Times {
  if (rail === 'book') return after(at, 1, 1)
  if (pace === 'fast') return after(at, FAST_OUT[rail][0], FAST_OUT[rail][1])
  if (rail === 'instant') return after(at, 1, 3)
  if (rail === 'wire') return wireOut(at)
  const standard = standardAch(at, entryDate)
  if (rail === 'ach') return standard
  const sameDay = sameDayAch(at, entryDate)
  return sameDay.end < standard.end ? sameDay : standard
}

const FAST_OUT = { instant: [1, 2], wire: [1, 2], ach: [2, 5], same_day_ach: [1, 3] } as const

export function wireOut(at: number): Times {
  const { date, time } = wallTimeAt(at)
  const isOpen = isBankingDay(date) && time >= '09:00:00' && time < '17:00:00'
  const day = isBankingDay(date) && time < '09:00:00' ? date : nextBankingDay(date)
  const start = isOpen ? at : instantOf(day, '09:00')
  return { pending: start + MINUTE, end: start + 10 * MINUTE }
}

function standardAch(at: number, entryDate: string): Times {
  const byCutOff = nextBankingDay(businessDay(at, '17:00'))
  const byEntry = rollForward(entryDate)
  const settles = byCutOff > byEntry ? byCutOff : byEntry
  return { pending: instantOf(previousBankingDay(settles), '17:00'), end: instantOf(settles, '08:30') }
}

const WINDOWS = [
  ['10:00', '13:00'],
  ['14:15', '17:00'],
  ['16:15', '18:00'],
] as const

function sameDayAch(at: number, entryDate: string): Times {
  const byCutOff = businessDay(at, '16:15')
  const byEntry = rollForward(entryDate)
  const day = byEntry > byCutOff ? byEntry : byCutOff
  const { date, time } = wallTimeAt(at)
  const [pending, end] = WINDOWS.find(([leaves]) => day > date || time.slice(0, 5) < leaves)!
  return { pending: instantOf(day, pending), end: instantOf(day, end) }
}

/** When a payment from outside settles. It is pending from its creation. */
export function settlesIn(rail: Rail, pace: Pace, at: number): number {
  if (pace === 'fast' || rail === 'instant') return at + 1000
  if (rail === 'wire') return wireIn(at)
  return nextMorning(at)
}

/** Fedwire takes customer transfers from 21:00 before a banking day to 18:45 on it. */
function wireIn(at: number): number {
  const { date, time } = wallTimeAt(at)
  const isOpen = (isBankingDay(date) && time < '18:45:00') || (isBankingDay(addDays(date, 1)) && time >= '21:00:00')
  if (isOpen) return at + MINUTE
  let day = date
  while (!isBankingDay(addDays(day, 1)) || instantOf(day, '21:00') < at) day = addDays(day, 1)
  return instantOf(day, '21:00') + MINUTE
}

function nextMorning(at: number): number {
  let day = rollForward(wallTimeAt(at).date)
  while (instantOf(day, '08:30') <= at) day = nextBankingDay(day)
  return instantOf(day, '08:30')
}

/** When the other bank returns an ACH that settled at this instant. */
export function timesOfReceivedReturn(pace: Pace, settledAt: number): Times {
  return pace === 'fast' ? after(settledAt, 3, 4) : timesOfLateReturn(settledAt, 2)
}

/** When it comes back so many banking days later, at both paces. */
export function timesOfLateReturn(settledAt: number, days: number): Times {
  const { date } = wallTimeAt(settledAt)
  return {
    pending: instantOf(nextBankingDay(date, days - 1), '17:00'),
    end: instantOf(nextBankingDay(date, days), '08:30'),
  }
}

/** Our return of a received payment, or our reversal of an ACH. */
export function timesOfOwnReturn(rail: Rail, pace: Pace, at: number): Times {
  if (rail === 'wire') return pace === 'fast' ? after(at, 1, 2) : wireOut(at)
  if (pace === 'fast') return after(at, 1, 3)
  const day = businessDay(at, '17:00')
  return { pending: instantOf(day, '17:00'), end: instantOf(nextBankingDay(day), '08:30') }
}
