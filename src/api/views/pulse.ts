import type { Exchange } from '../contract/control/exchanges.ts'
import type { Period } from '../contract/control/period.ts'
import type { Pulse } from '../contract/control/pulse.ts'
import type { Money, Timestamp } from '../contract/terms/primitives.ts'
import { add, isZero, sum, ZERO } from '../domain/rules/money.ts'
import { toMs, toTimestamp } from '../store/clock.ts'
import { eachInSteps, type Steps } from '../store/steps.ts'
import type { ReadTx } from '../store/tx.ts'
import { startOf } from './period.ts'

/** Requests, refusals and settled money of a Program over simulated time, up to now. */

const stepsOf: Readonly<Record<Period, number>> = { hour: 60, day: 48, week: 56, month: 60, all: 60 }

interface Log {
  summaries(): Exchange[]
  readonly isComplete: boolean
}

interface Settled {
  readonly at: Timestamp
  readonly rail: string
  readonly amount: Money
}

export function* pulseInSteps(tx: ReadTx, log: Log, period: Period): Steps<Pulse> {
  const { now } = tx
  const { uid: program } = tx.program
  const [exchanges, payments] = [log.summaries(), [...tx.transactions.newestFirst()]]
  const from = startOf(period, now)
  const isWithin = (at: Timestamp) => at <= now && (from === null || at >= from)
  const requests: Exchange[] = []
  yield* eachInSteps(exchanges, (exchange) => {
    if ((exchange.program_uid === null || exchange.program_uid === program) && isWithin(exchange.at))
      requests.push(exchange)
  })
  const settled: Settled[] = []
  yield* eachInSteps(payments, ({ settled_at, status, rail, us_dollar_amount: amount }) => {
    if (status === 'settled' && settled_at && isWithin(settled_at) && !isZero(amount))
      settled.push({ at: settled_at, rail, amount })
  })
  const first = from ?? (yield* earliest([requests, settled])) ?? now
  const steps = divideTime(toMs(first), toMs(now), stepsOf[period])
  return {
    from: first,
    until: now,
    step_ms: steps.length,
    ...(yield* countRequests(requests, steps)),
    rails: yield* sumByRail(settled, steps),
    log_complete: log.isComplete,
  }
}

type TimeSteps = ReturnType<typeof divideTime>

function divideTime(from: number, until: number, count: number) {
  const length = Math.max(1_000, Math.ceil((until - from) / count))
  return {
    length,
    /** `until` belongs to the last step. */
    indexOf: (at: Timestamp) => Math.min(count - 1, Math.floor((toMs(at) - from) / length)),
    each: <T>(make: (start: number) => T): T[] => Array.from({ length: count }, (_, i) => make(from + i * length)),
  }
}

function* earliest(lists: readonly (readonly { readonly at: Timestamp }[])[]): Steps<Timestamp | null> {
  let first: Timestamp | null = null
  for (const list of lists)
    yield* eachInSteps(list, ({ at }) => {
      if (first === null || at < first) first = at
    })
  return first
}

function* countRequests(requests: readonly Exchange[], steps: TimeSteps): Steps<Pick<Pulse, 'requests' | 'errors'>> {
  const counts = steps.each((start) => ({ at: toTimestamp(start), total: 0, refused: 0 }))
  const errors = new Map<string, Pulse['errors'][number]>()
  yield* eachInSteps(requests, ({ uid, at, status, code, endpoint }) => {
    const step = counts[steps.indexOf(at)]!
    step.total++
    if (status < 400) return
    step.refused++
    const key = `${status} ${code} ${endpoint}`
    // Oldest first, so the last one is the newest.
    errors.set(key, { code, status, endpoint, requests: (errors.get(key)?.requests ?? 0) + 1, newest: uid })
  })
  return { requests: counts, errors: [...errors.values()].sort((a, b) => b.requests - a.requests) }
}

function* sumByRail(settled: readonly Settled[], steps: TimeSteps): Steps<Pulse['rails']> {
  const byRail = new Map<string, { payments: number; steps: Money[] }>()
  yield* eachInSteps(settled, ({ at, rail, amount }) => {
    const row = byRail.get(rail) ?? { payments: 0, steps: steps.each(() => ZERO) }
    const i = steps.indexOf(at)
    row.payments++
    row.steps[i] = add(row.steps[i]!, amount)
    byRail.set(rail, row)
  })
  return [...byRail]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([rail, row]) => ({ rail, us_dollar_amount: sum(row.steps), ...row }))
}
