import { ApiError, type ErrorKey } from '../../contract/errors.ts'
import { formatAmount } from '../../contract/terms/format-amount.ts'
import type { Money, Uid } from '../../contract/terms/primitives.ts'
import { toMs, toTimestamp } from '../../store/clock.ts'
import type { Tx } from '../../store/tx.ts'
import type { Rail, SyntheticAccountRecord } from '../../store/world.ts'
import { dateAt, instantAt } from './calendar.ts'
import { add, isLess, isMore, isZero, money, subtract, sum, ZERO } from './money.ts'

/** Specification section 1: a Program sets limits on amounts and frequency, and whether pre-funding is needed. */

/** The networks' limit for a same-day ACH entry. */
const MAX_SAME_DAY = money('1000000.00')

interface RequestedTransfer {
  readonly initiating_customer_uid: Uid
  readonly source: SyntheticAccountRecord
  readonly rail: Rail
  readonly amount: Money
  readonly same_day: boolean
}

/**
 * Assumed (invented): limits on amounts and frequency apply only to transfers with an external account, separately for each rail.
 * A daily limit counts from midnight to midnight in New York, without canceled and failed transfers. A prenote may be
 * below the minimum.
 */
export function refuseAboveLimits(tx: Tx, asked: RequestedTransfer) {
  const { rail, amount, same_day, initiating_customer_uid } = asked
  if (rail === 'book') return
  const { minimum_amount, maximum_amount, daily_amount, daily_count } = tx.program.limits[rail]
  const refuse = (key: ErrorKey, why: string, told: string, setting?: string): never => {
    throw new ApiError(key, why, told, undefined, setting === undefined ? {} : { setting })
  }
  const refuseAbove = (most: Money, why: string, setting?: string) =>
    isMore(amount, most) &&
    refuse(
      'transferAboveMaximum',
      why,
      figures({ asked: amount, 'at most': most, over: subtract(amount, most) }),
      setting,
    )
  if (maximum_amount !== null) refuseAbove(maximum_amount, `at most ${maximum_amount} for ${rail}`, 'limits')
  if (same_day) refuseAbove(MAX_SAME_DAY, `at most ${MAX_SAME_DAY} with service_processing SAMEDAY`)
  if (!isZero(amount) && isLess(amount, minimum_amount)) {
    const told = figures({ asked: amount, 'at least': minimum_amount, short: subtract(minimum_amount, amount) })
    refuse('transferBelowMinimum', `at least ${minimum_amount} for ${rail}`, told)
  }

  if (daily_count === null && daily_amount === null) return
  const today = transfersToday(tx, initiating_customer_uid, rail)
  if (daily_count !== null && today.length >= daily_count)
    refuse(
      'dailyTransfersExhausted',
      `${daily_count} a day for ${rail}`,
      `today ${today.length} · at most ${daily_count}`,
    )
  const sent = sum(today)
  if (daily_amount !== null && isMore(add(sent, amount), daily_amount)) {
    const left = isMore(sent, daily_amount) ? ZERO : subtract(daily_amount, sent)
    const told = figures({ 'today so far': sent, 'at most': daily_amount, left, asked: amount })
    refuse('dailyAmountExhausted', `${daily_amount} a day for ${rail}`, told)
  }
}

/** The figures of the moment, for the operator: `available 99,416.67 · asked 250,000.00 · short 150,583.33`. */
const figures = (amounts: Readonly<Record<string, Money>>): string =>
  Object.entries(amounts)
    .map(([name, amount]) => `${name} ${formatAmount(amount)}`)
    .join(' · ')

/**
 * Assumed (sibling): without pre-funding an outgoing ACH may exceed the available balance; book transfers, wires and instant
 * payments may not.
 */
export function refuseUnfunded(tx: Tx, { source, rail, amount }: RequestedTransfer) {
  const available = source.net_usd_available_balance
  if (available === null || (rail === 'ach' && !tx.program.pre_funding)) return
  if (isMore(amount, available))
    throw new ApiError(
      'insufficientFunds',
      undefined,
      figures({ available, asked: amount, short: subtract(amount, available) }),
    )
}

function transfersToday(tx: Tx, customer_uid: Uid, rail: Rail): Money[] {
  const midnight = toTimestamp(instantAt(dateAt(toMs(tx.now)), '00:00'))
  const amounts: Money[] = []
  for (const transfer of tx.transfers.newestFirstBy('initiating_customer_uid', customer_uid)) {
    if (transfer.created_at < midnight) break
    if (transfer.rail === rail && transfer.status !== 'canceled' && transfer.status !== 'failed')
      amounts.push(transfer.usd_transfer_amount)
  }
  return amounts
}
