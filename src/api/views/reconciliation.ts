import type { Book, BookDifference, Close } from '../contract/control.ts'
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
 * Whose money it is against where it lies: in each Pool the accounts that show a balance must come to what lies in its
 * dda. Both sides are summed from line items alone, at each close of day, and what is apart is led back to payments.
 */

interface Wanted extends Scope {
  readonly days?: number | undefined
}

const DAYS = 5
const MOST = 100

export function reconcile(tx: ReadTx, { pool_uid, days = DAYS, at }: Wanted) {
  const opened = firstOpened(tx, pool_uid)
  const end = at ?? tx.now
  const closes = opened === undefined ? [] : closesUntil(toMs(end), days, opened)
  // The close that is asked about is the last column itself.
  const earlier = closes.filter((close) => close.at !== at)
  const columns = [...earlier, { at: end, day: closes.find((close) => close.at === at)?.day ?? null }]
  const sides = sidesOf(tx, { pool_uid, at })
  const standing = standings(columns, sides)
  const isApart = standing.some(({ pools_apart }) => pools_apart > 0)
  return { closes: standing, differences: isApart ? differencesOf(sides) : [] }
}

/** What one line adds to its side of a Pool. */
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

/** Each line falls between two closes; what stood at the one before is carried on. */
function standings(columns: readonly Pick<Close, 'at' | 'day'>[], sides: readonly Side[]): Close[] {
  const last = columns.length - 1
  const between = grouped(sides, (side) => {
    const column = columns.findIndex(({ at }) => side.at < at)
    return String(column < 0 ? last : column)
  })
  const standing = new Map<Uid, Record<Book, Money>>()
  return columns.map((column, i) => {
    for (const [pool_uid, own] of grouped(between.get(String(i)) ?? [], (side) => side.pool_uid)) {
      const was = standing.get(pool_uid) ?? { synthetic: ZERO, custodial: ZERO }
      const more = totals(own)
      standing.set(pool_uid, {
        synthetic: add(was.synthetic, more.synthetic),
        custodial: add(was.custodial, more.custodial),
      })
    }
    const pools = [...standing.values()]
    const synthetic = sum(pools.map((pool) => pool.synthetic))
    const custodial = sum(pools.map((pool) => pool.custodial))
    const pools_apart = pools.filter((pool) => pool.synthetic !== pool.custodial).length
    return { ...column, synthetic, custodial, difference: subtract(synthetic, custodial), pools_apart }
  })
}

function totals(sides: readonly Side[]) {
  const of = (book: Book) => sum(sides.flatMap((side) => (side.book === book ? [side.amount] : [])))
  const synthetic = of('synthetic')
  const custodial = of('custodial')
  return { synthetic, custodial, difference: subtract(synthetic, custodial) }
}

function differencesOf(sides: readonly Side[]): BookDifference[] {
  const found: BookDifference[] = []
  for (const own of grouped(sides, ({ pool_uid, transaction_uid }) => `${pool_uid} ${transaction_uid}`).values()) {
    const [{ transaction_uid, pool_uid, at }] = own as [Side]
    const told = totals(own)
    if (!isZero(told.difference)) found.push({ transaction_uid, pool_uid, at, ...told })
  }
  return found.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, MOST)
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const own = groups.get(key)
    if (own) own.push(item)
    else groups.set(key, [item])
  }
  return groups
}

/** The closes of the last business days up to an instant, the oldest first; none before there was anything. */
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

/** Before it there was nothing to reconcile. */
const firstOpened = (tx: ReadTx, pool_uid: Uid | undefined): Timestamp | undefined =>
  (pool_uid === undefined
    ? [...tx.custodial_accounts.newestFirst()]
    : tx.custodial_accounts.findBy('pool_uid', pool_uid)
  )
    .map(({ opened_at }) => opened_at)
    .reduce<Timestamp | undefined>((first, at) => (first === undefined || at < first ? at : first), undefined)
