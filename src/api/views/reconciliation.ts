import type { Book, BookDifference, Close } from '../contract/control/ledger.ts'
import type { Money, Timestamp, Uid } from '../contract/terms/primitives.ts'
import {
  instantAt as atNewYork,
  bankingDayBefore,
  type CalendarDate,
  closeAfter,
  dateAt,
  isBankingDay,
} from '../domain/rules/calendar.ts'
import { add, isZero, subtract, sum, ZERO } from '../domain/rules/money.ts'
import { toMs, toTimestamp } from '../store/clock.ts'
import type { ReadTx } from '../store/tx.ts'
import { accountOf, accountsIn, BOOKS, linesWithin, type Scope } from './books.ts'

/**
 * Compares the two books: in each Pool, the synthetic accounts with a balance must add up to its dda. Both sums come from
 * line items alone, at each close of day; a difference is traced to its payments.
 */

interface Options extends Scope {
  readonly days?: number | undefined
}

const DEFAULT_DAYS = 5
const MAX_DIFFERENCES = 100

export function reconcile(tx: ReadTx, { pool_uid, days = DEFAULT_DAYS, at }: Options) {
  const opened = firstOpened(tx, pool_uid)
  const end = at ?? tx.now
  const closes = opened === undefined ? [] : closesUntil(toMs(end), days, opened)
  // If `at` is a close, it is the last column.
  const earlier = closes.filter((close) => close.at !== at)
  const columns = [...earlier, { at: end, day: closes.find((close) => close.at === at)?.day ?? null }]
  const sides = sidesOf(tx, { pool_uid, at })
  const totals = totalsAtCloses(columns, sides)
  const hasDifference = totals.some(({ pools_apart }) => pools_apart > 0)
  return { closes: totals, differences: hasDifference ? findDifferences(sides) : [] }
}

/** The amount of one line item in its book and Pool. */
interface Side {
  readonly book: Book
  readonly pool_uid: Uid
  readonly transaction_uid: Uid
  readonly at: Timestamp
  readonly amount: Money
}

const sidesOf = (tx: ReadTx, scope: Scope): Side[] =>
  BOOKS.flatMap((book) =>
    linesWithin(tx, book, scope).flatMap((line) => {
      const account = accountsIn(tx, book).get(accountOf(line))
      if (!account || account.net_usd_balance === null) return []
      const { transaction_uid, settled_at, us_dollar_amount } = line
      return [{ book, pool_uid: account.pool_uid, transaction_uid, at: settled_at, amount: us_dollar_amount }]
    }),
  )

/** Sums the lines between two closes, and adds them to the totals of the close before. */
function totalsAtCloses(columns: readonly Pick<Close, 'at' | 'day'>[], sides: readonly Side[]): Close[] {
  const last = columns.length - 1
  const byColumn = groupBy(sides, (side) => {
    const column = columns.findIndex(({ at }) => side.at < at)
    return String(column < 0 ? last : column)
  })
  const totals = new Map<Uid, Record<Book, Money>>()
  return columns.map((column, i) => {
    for (const [pool_uid, own] of groupBy(byColumn.get(String(i)) ?? [], (side) => side.pool_uid)) {
      const before = totals.get(pool_uid) ?? { synthetic: ZERO, custodial: ZERO }
      const added = sumSides(own)
      totals.set(pool_uid, {
        synthetic: add(before.synthetic, added.synthetic),
        custodial: add(before.custodial, added.custodial),
      })
    }
    const pools = [...totals.values()]
    const synthetic = sum(pools.map((pool) => pool.synthetic))
    const custodial = sum(pools.map((pool) => pool.custodial))
    const pools_apart = pools.filter((pool) => pool.synthetic !== pool.custodial).length
    return { ...column, synthetic, custodial, difference: subtract(synthetic, custodial), pools_apart }
  })
}

function sumSides(sides: readonly Side[]) {
  const sumOf = (book: Book) => sum(sides.flatMap((side) => (side.book === book ? [side.amount] : [])))
  const synthetic = sumOf('synthetic')
  const custodial = sumOf('custodial')
  return { synthetic, custodial, difference: subtract(synthetic, custodial) }
}

function findDifferences(sides: readonly Side[]): BookDifference[] {
  const found: BookDifference[] = []
  for (const own of groupBy(sides, ({ pool_uid, transaction_uid }) => `${pool_uid} ${transaction_uid}`).values()) {
    const [{ transaction_uid, pool_uid, at }] = own as [Side]
    const sums = sumSides(own)
    if (!isZero(sums.difference)) found.push({ transaction_uid, pool_uid, at, ...sums })
  }
  return found.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, MAX_DIFFERENCES)
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const own = groups.get(key)
    if (own) own.push(item)
    else groups.set(key, [item])
  }
  return groups
}

/** The closes of the last business days up to an instant, oldest first; none before the first account was opened. */
function closesUntil(ms: number, days: number, opened: Timestamp): Pick<Close, 'at' | 'day'>[] {
  const closes: { at: Timestamp; day: CalendarDate }[] = []
  let day = dateAt(ms)
  if (!isBankingDay(day)) day = bankingDayBefore(day)
  while (closes.length < days) {
    const close = closeAfter(atNewYork(day, '00:00') - 1)
    if (toTimestamp(close) <= opened) break
    if (close <= ms) closes.unshift({ at: toTimestamp(close), day })
    day = bankingDayBefore(day)
  }
  return closes
}

const firstOpened = (tx: ReadTx, pool_uid: Uid | undefined): Timestamp | undefined =>
  (pool_uid === undefined
    ? [...tx.custodial_accounts.newestFirst()]
    : tx.custodial_accounts.findBy('pool_uid', pool_uid)
  )
    .map(({ opened_at }) => opened_at)
    .reduce<Timestamp | undefined>((first, at) => (first === undefined || at < first ? at : first), undefined)
