import { ageOn } from '../../domain/rules/pii.ts'
import type { Permutation } from './permutation.ts'

/**
 * Pseudonyms of dates of birth. An adult stays an adult and a minor a minor in the whole span of the bundle. Of a person who
 * turns 18 within the span, only the decisions in the bundle stay the same: whether the person was 18 on their dates.
 */
export class BirthDates {
  readonly #permutation: Permutation
  readonly #adults: DateRange
  readonly #minors: DateRange
  readonly #ranges: readonly DateRange[]
  /** The date on which the span ends. */
  readonly #end: string
  /** By date of birth: the last decision as a minor, and the first as an adult. */
  readonly #decisions = new Map<string, { readonly minorOn?: string; readonly adultOn?: string }>()

  constructor(permutation: Permutation, [start, end]: readonly [from: string, to: string]) {
    this.#permutation = permutation
    this.#end = end.slice(0, 10)
    const [lastDay, lastAdult] = [dayOf(this.#end)!, majorityDay(start) - MARGIN_DAYS]
    this.#adults = { from: Math.min(dayOf('1900-01-01')!, lastAdult), to: lastAdult }
    this.#minors = { from: majorityDay(end) + MARGIN_DAYS, to: lastDay }
    this.#ranges = [
      { from: dayOf('1000-01-01')!, to: this.#adults.from - 1 },
      this.#adults,
      this.#minors,
      { from: lastDay + 1, to: dayOf('2099-12-31')! },
    ]
  }

  /** The date of an evaluation that asked whether the person was 18. */
  addDecision(dob: string, date: string) {
    const { minorOn = date, adultOn = date } = this.#decisions.get(dob) ?? {}
    this.#decisions.set(dob, {
      ...this.#decisions.get(dob),
      ...(isAdultOn(dob, date)
        ? { adultOn: adultOn < date ? adultOn : date }
        : { minorOn: minorOn > date ? minorOn : date }),
    })
  }

  isDate = (text: string): boolean => dayOf(text) !== undefined

  replace(date: string): string {
    const day = dayOf(date)!
    const range = this.#ranges.find(({ from, to }) => day >= from && day <= to)
    if (!range) return this.#replaceWithinSpan(date)
    const { from, to } = range
    return dateOf(from + this.#permutation.permuteNumber(day - from, to - from + 1, `dob ${from}`))
  }

  /** Two dates may get the same pseudonym: no rule compares them. */
  #replaceWithinSpan(date: string): string {
    const { minorOn, adultOn } = this.#decisions.get(date) ?? {}
    if (minorOn !== undefined && adultOn !== undefined) return this.#drawBetween(date, minorOn, adultOn)
    const isAdult = adultOn !== undefined || (minorOn === undefined && isAdultOn(date, this.#end))
    const { from, to } = isAdult ? this.#adults : this.#minors
    return dateOf(from + this.#permutation.draw(`dob ${date}`, to - from + 1))
  }

  /** The two decisions themselves show that the birthday is between them. */
  #drawBetween(date: string, minorOn: string, adultOn: string): string {
    const [from, to] = [majorityDay(minorOn) - 1, majorityDay(adultOn) + 1]
    const dates = Array.from({ length: to - from + 1 }, (_, i) => dateOf(from + i))
    const alike = dates.filter((other) => !isAdultOn(other, minorOn) && isAdultOn(other, adultOn))
    return alike[this.#permutation.draw(`dob ${date}`, alike.length)]!
  }
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
