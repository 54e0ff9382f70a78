import type { BalanceStep, Balances } from '../../../api/contract/control/ledger.ts'
import { formatAmount, formatShortInstant, startOfDay, startOfNextDay } from '../../format/text.ts'

/** Prepares the balance of an account for the chart. Numbers are chart coordinates; amounts stay strings. */

export const ranges = ['2 weeks', '6 weeks', 'all'] as const
export type ChartRange = (typeof ranges)[number]

const DAYS: Readonly<Record<ChartRange, number>> = { '2 weeks': 10, '6 weeks': 42, all: 0 }
const DAY_MS = 86_400_000

/** Midnight in New York, so that days are whole; undefined for a range from the first entry on. */
export const findRangeStart = (range: ChartRange, now: number): string | undefined =>
  DAYS[range] === 0 ? undefined : new Date(startOfDay(startOfDay(now) - DAYS[range] * DAY_MS)).toISOString()

/** Leaves room after now for scheduled steps. */
export function findChartEnd({ from, at, scheduled }: Balances): number {
  const [start, now] = [Date.parse(from), Date.parse(at)]
  const last = Date.parse(scheduled.at(-1)?.at ?? at)
  const ahead = now + Math.max(4 * 3_600_000, (now - start) * 0.28)
  return Math.max(ahead, last + (last - start) * 0.06)
}

/** The line keeps each amount until the next point. */
export type Line = readonly { readonly ms: number; readonly amount: number }[]

const lineOf = (steps: readonly BalanceStep[], name: 'settled' | 'available'): Line =>
  steps.flatMap(({ at, [name]: amount }) => (amount === null ? [] : [{ ms: Date.parse(at), amount: Number(amount) }]))

/** What settled and what was available until now, and what is scheduled from now on. */
export function linesOf(balances: Balances) {
  const { steps, scheduled, at } = balances
  const now = { ...steps.at(-1)!, at }
  const end = { ...(scheduled.at(-1) ?? now), at: new Date(findChartEnd(balances)).toISOString() }
  const past = [...steps, now]
  const future = scheduled.filter((step) => Date.parse(step.at) > Date.parse(at))
  return {
    settled: lineOf(past, 'settled'),
    available: lineOf(past, 'available'),
    scheduled: lineOf([now, ...future, end], 'settled'),
  }
}

/** The balance at an instant; undefined before the first step. */
export function findBalanceAt(
  { steps, scheduled, at }: Balances,
  ms: number,
): (BalanceStep & { isScheduled: boolean }) | undefined {
  const isScheduled = ms > Date.parse(at)
  const candidates = isScheduled ? [...steps, ...scheduled] : steps
  const step = candidates.findLast((one) => Date.parse(one.at) <= ms)
  return step && { ...step, isScheduled }
}

/** Every instant at which the balance changes: the arrow keys stop there. */
export const listStops = ({ steps, scheduled, at }: Balances): number[] => [
  ...new Set([
    ...steps.map((step) => Date.parse(step.at)),
    Date.parse(at),
    ...scheduled.map((step) => Date.parse(step.at)),
  ]),
]

export function describeBalanceAt(balances: Balances, ms: number): string {
  const step = findBalanceAt(balances, ms)
  if (!step) return `${formatShortInstant(ms)}: no balance yet`
  const time = `${formatShortInstant(ms)}${step.isScheduled ? ' (scheduled)' : ''}`
  const available = step.available === null ? '' : `, available ${formatAmount(step.available)}`
  return `${time}: settled ${formatAmount(step.settled)}${available}`
}

/** The text alternative of the chart, in one sentence. */
export function describeChart(name: string, balances: Balances): string {
  const { from, at, steps, scheduled } = balances
  const now = steps.at(-1)!
  const next = scheduled.at(-1)
  const available = now.available === null ? '' : `, available ${formatAmount(now.available)}`
  const isScheduled = next
    ? `; scheduled to be ${formatAmount(next.settled)} on ${formatShortInstant(Date.parse(next.at))}`
    : ''
  return `Balance of ${name} from ${formatShortInstant(Date.parse(from))} to ${formatShortInstant(Date.parse(at))}: settled ${formatAmount(now.settled)}${available}${isScheduled}`
}

interface Day {
  readonly start: number
  readonly end: number
}

/** The days between two instants, at most `most`. */
export function listDays(from: number, to: number, most: number): Day[] {
  const days: Day[] = []
  for (let start = startOfDay(from); start < to && days.length < most; ) {
    const end = startOfNextDay(start)
    days.push({ start, end })
    start = end
  }
  return days
}
