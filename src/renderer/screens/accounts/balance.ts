import type { BalanceStep, Balances } from '../../../api/contract/control/ledger.ts'
import { formatAmount } from '../../format/numbers.ts'
import { formatShortInstant, startOfDay, startOfNextDay } from '../../format/time.ts'

/** The balance of an account as a drawing needs it. Numbers here are heights on a screen; amounts stay text. */

export const ranges = ['2 weeks', '6 weeks', 'all'] as const
export type ChartRange = (typeof ranges)[number]

const DAYS: Readonly<Record<ChartRange, number>> = { '2 weeks': 10, '6 weeks': 42, all: 0 }
const DAY_MS = 86_400_000

/** From midnight in New York, so that days are whole; undefined is from the first movement on. */
export const findRangeStart = (range: ChartRange, now: number): string | undefined =>
  DAYS[range] === 0 ? undefined : new Date(startOfDay(startOfDay(now) - DAYS[range] * DAY_MS)).toISOString()

/** Room for what is scheduled, and for a look ahead. */
export function findChartEnd({ from, at, scheduled }: Balances): number {
  const [begin, now] = [Date.parse(from), Date.parse(at)]
  const last = Date.parse(scheduled.at(-1)?.at ?? at)
  const ahead = now + Math.max(4 * 3_600_000, (now - begin) * 0.28)
  return Math.max(ahead, last + (last - begin) * 0.06)
}

/** Columns of one length: a time in seconds, then each series; null where it is not drawn. */
export type Points = [number[], (number | null)[], (number | null)[], (number | null)[]]

export function buildPoints(balances: Balances): Points {
  const { steps, scheduled, at } = balances
  const now = Date.parse(at)
  const last = steps.at(-1)!
  const past = last.at === at ? steps : [...steps, { ...last, at }]
  const end = findChartEnd(balances)
  const to = { ...(scheduled.at(-1) ?? last), at: new Date(end).toISOString() }
  const future = [...scheduled, to].filter((step) => Date.parse(step.at) > now)
  const all = [...past, ...future]
  const seconds = all.map((step) => Date.parse(step.at) / 1000)
  const draw = (from: number, until: number, of: (step: BalanceStep) => string | null) =>
    all.map((step, i) => {
      const amount = i >= from && i < until ? of(step) : null
      return amount === null ? null : Number(amount)
    })
  return [
    seconds,
    draw(0, past.length, ({ settled }) => settled),
    draw(0, past.length, ({ available }) => available),
    draw(past.length - 1, all.length, ({ settled }) => settled),
  ]
}

/** What holds at an instant; before the first step nothing is known. */
export function findBalanceAt(
  { steps, scheduled, at }: Balances,
  ms: number,
): (BalanceStep & { coming: boolean }) | undefined {
  const coming = ms > Date.parse(at)
  const known = coming ? [...steps, ...scheduled] : steps
  const step = known.findLast((one) => Date.parse(one.at) <= ms)
  return step && { ...step, coming }
}

/** Every instant at which something changes: the keys stop there. */
export const listStops = ({ steps, scheduled, at }: Balances): number[] => [
  ...new Set([
    ...steps.map((step) => Date.parse(step.at)),
    Date.parse(at),
    ...scheduled.map((step) => Date.parse(step.at)),
  ]),
]

export function describeBalanceAt(balances: Balances, ms: number): string {
  const step = findBalanceAt(balances, ms)
  if (!step) return `${formatShortInstant(ms)}: nothing yet`
  const available = step.available === null ? '' : `, available ${formatAmount(step.available)}`
  return `${formatShortInstant(ms)}: ${step.coming ? 'as scheduled ' : ''}settled ${formatAmount(step.settled)}${available}`
}

/** The drawing in a sentence. */
export function describeChart(name: string, balances: Balances): string {
  const { from, at, steps, scheduled } = balances
  const now = steps.at(-1)!
  const next = scheduled.at(-1)
  const available = now.available === null ? '' : `, available ${formatAmount(now.available)}`
  const coming = next
    ? `; scheduled to be ${formatAmount(next.settled)} on ${formatShortInstant(Date.parse(next.at))}`
    : ''
  return `Balance of ${name} from ${formatShortInstant(Date.parse(from))} to ${formatShortInstant(Date.parse(at))}: settled ${formatAmount(now.settled)}${available}${coming}`
}

export interface Day {
  readonly start: number
  readonly end: number
}

/** The days that lie in a stretch of time, at most so many. */
export function listDays(from: number, to: number, most: number): Day[] {
  const days: Day[] = []
  for (let start = startOfDay(from); start < to && days.length < most; ) {
    const end = startOfNextDay(start)
    days.push({ start, end })
    start = end
  }
  return days
}
