import { ageOn } from '../../domain/rules/pii.ts'
import type { Random } from './random.ts'

/**
 * Pseudonyms of dates of birth. An adult stays an adult and a minor a minor in the whole span of the bundle. Of a person who
 * turns 18 within the span, only the decisions in the bundle stay the same: whether the person was 18 on their dates.
 */
export class BirthDates {
  readonly #random: Random
  readonly #adults: DateRange
  readonly #minors: DateRange
  readonly #ranges: readonly DateRange[]
  /** The date on which the span ends. */
  readonly #end: string
  /** By date of birth, the dates of decisions. */
  readonly #decisions = new Map<string, string[]>()

  constructor(random: Random, [start, end]: readonly [from: string, to: string]) {
    this.#random = random
    this.#end = end.slice(0, 10)
    const [lastDay, lastAdult] = [dayOf(this.#end)!, majorityDay(start) - MARGIN_DAYS]
    this.#adults = { from: Math.min(dayOf('1900-01-01')!, lastAdult), to: lastAdult }
    const firstMinor = majorityDay(end) + MARGIN_DAYS
    // A date that is in the future at its onboarding is refused.
    this.#minors = { from: firstMinor, to: Math.max(firstMinor, dayOf(start.slice(0, 10))! - MARGIN_DAYS) }
    this.#ranges = [
      { from: dayOf('1000-01-01')!, to: this.#adults.from - 1 },
      this.#adults,
      this.#minors,
      { from: this.#minors.to + MARGIN_DAYS + 1, to: lastDay },
      { from: lastDay + 1, to: dayOf('2099-12-31')! },
    ]
  }

  /** The date of an evaluation that asked whether the person was 18. */
  addDecision(dob: string, date: string) {
    this.#decisions.set(dob, [...(this.#decisions.get(dob) ?? []), date])
  }

  isDate(text: string): boolean {
    return dayOf(text) !== undefined
  }

  /** Random dates that decide the same. */
  *candidates(date: string): Generator<string, void, undefined> {
    const day = dayOf(date)!
    const dates = this.#ranges.find(({ from, to }) => day >= from && day <= to) ?? this.#rangeWithinSpan(date)
    for (let n = 0; n < MAX_CANDIDATES; n++) yield dateOf(dates.from + this.#random(dates.to - dates.from + 1))
  }

  #rangeWithinSpan(date: string): DateRange {
    const decisions = (this.#decisions.get(date) ?? []).sort()
    const minorOn = decisions.findLast((on) => !isAdultOn(date, on))
    const adultOn = decisions.find((on) => isAdultOn(date, on))
    // The two decisions themselves show that the birthday is between them.
    if (minorOn !== undefined && adultOn !== undefined) return rangeBetween(minorOn, adultOn)
    const isAdult = adultOn !== undefined || (minorOn === undefined && isAdultOn(date, this.#end))
    return isAdult ? this.#adults : this.#minors
  }
}

/** The birthdays of those who are under 18 on the first date and not on the second. */
function rangeBetween(minorOn: string, adultOn: string): DateRange {
  const [first, last] = [majorityDay(minorOn) - 1, majorityDay(adultOn) + 1]
  const days = Array.from({ length: last - first + 1 }, (_, i) => first + i)
  const alike = days.filter((day) => !isAdultOn(dateOf(day), minorOn) && isAdultOn(dateOf(day), adultOn))
  return { from: alike[0]!, to: alike.at(-1)! }
}

/** Days since 1970. */
interface DateRange {
  readonly from: number
  readonly to: number
}

const MAJORITY = 18
/** For the time zone of the sandbox. */
const MARGIN_DAYS = 2
const DAY_MS = 86_400_000
/** Two persons may get the same date: no rule compares them. */
const MAX_CANDIDATES = 200
const DATE = /^\d{4}-\d{2}-\d{2}$/

const isAdultOn = (dob: string, date: string) => ageOn(dob, date) >= MAJORITY
const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** undefined if the text is no date that exists. */
function dayOf(text: string): number | undefined {
  const ms = DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(ms) && dateOf(ms / DAY_MS) === text ? ms / DAY_MS : undefined
}

/** Who is born on this day turns 18 at the time. */
function majorityDay(time: string): number {
  const date = new Date(time)
  date.setUTCFullYear(date.getUTCFullYear() - MAJORITY)
  return Math.floor(date.getTime() / DAY_MS)
}
