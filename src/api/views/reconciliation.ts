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
import { eachInSteps, inSlices, type Steps } from '../store/steps.ts'
import type { ReadTx } from '../store/tx.ts'
import { accountOf, accountsIn, BOOKS, linesWithin, pushTo, type Scope } from './books.ts'

/**
 * Compares the two books: in each Pool, the synthetic accounts with a balance must add up to its dda. Both sums come from
 * line items alone, at each close of day; a difference is traced to its payments.
 */

interface Options extends Scope {
  readonly days?: number | undefined
}

const DEFAULT_DAYS = 5
const MAX_DIFFERENCES = 100

export function* reconcileInSteps(
  tx: ReadTx,
  { pool_uid, days = DEFAULT_DAYS, at }: Options,
): Steps<{ closes: Close[]; differences: BookDifference[] }> {
  const opened = firstOpened(tx, pool_uid)
  const end = at ?? tx.now
  const collected = BOOKS.map((book) => ({
    book,
    lines: linesWithin(tx, book, { pool_uid }),
    pools: poolsOf(tx, book),
  }))
  const closes = opened === undefined ? [] : closesUntil(toMs(end), days, opened)
  // If `at` is a close, it is the last column.
  const earlier = closes.filter((close) => close.at !== at)
  const columns = [...earlier, { at: end, day: closes.find((close) => close.at === at)?.day ?? null }]
  const sides: Side[] = []
  for (const { book, lines, pools } of collected)
    yield* eachInSteps(lines, (line) => {
      const pool = pools.get(accountOf(line))
      const { transaction_uid, settled_at, us_dollar_amount } = line
      if (pool !== undefined && (at === undefined || settled_at < at))
        sides.push({ book, pool_uid: pool, transaction_uid, at: settled_at, amount: us_dollar_amount })
    })
  const totals = yield* totalsAtCloses(columns, sides)
  const hasDifference = totals.some(({ pools_apart }) => pools_apart > 0)
  return { closes: totals, differences: hasDifference ? yield* findDifferences(sides) : [] }
}

/** The amount of one line item in its book and Pool. */
interface Side {
  readonly book: Book
  readonly pool_uid: Uid
  readonly transaction_uid: Uid
  readonly at: Timestamp
  readonly amount: Money
}

/** The Pools of the accounts that show a balance. */
const poolsOf = (tx: ReadTx, book: Book): ReadonlyMap<Uid, Uid> =>
  new Map(
    [...accountsIn(tx, book).newestFirst()].flatMap(({ uid, pool_uid, net_usd_balance }) =>
      net_usd_balance === null ? [] : [[uid, pool_uid]],
    ),
  )

/** Sums the lines between two closes, and adds them to the totals of the close before. */
function* totalsAtCloses(columns: readonly Pick<Close, 'at' | 'day'>[], sides: readonly Side[]): Steps<Close[]> {
  const last = columns.length - 1
  const byColumn = yield* groupInSteps(sides, (side) => {
    const column = columns.findIndex(({ at }) => side.at < at)
    return `${column < 0 ? last : column} ${side.pool_uid}`
  })
  const totals = new Map<Uid, Record<Book, Money>>()
  const closes: Close[] = []
  for (const [i, column] of columns.entries()) {
    for (const [key, own] of byColumn) {
      const [of, pool_uid = ''] = key.split(' ')
      if (Number(of) !== i) continue
      const before = totals.get(pool_uid) ?? { synthetic: ZERO, custodial: ZERO }
      const added = yield* sumSides(own)
      totals.set(pool_uid, {
        synthetic: add(before.synthetic, added.synthetic),
        custodial: add(before.custodial, added.custodial),
      })
    }
    const pools = [...totals.values()]
    const synthetic = sum(pools.map((pool) => pool.synthetic))
    const custodial = sum(pools.map((pool) => pool.custodial))
    const pools_apart = pools.filter((pool) => pool.synthetic !== pool.custodial).length
    closes.push({ ...column, synthetic, custodial, difference: subtract(synthetic, custodial), pools_apart })
  }
  return closes
}

function* sumSides(sides: readonly Side[]): Steps<Record<Book | 'difference', Money>> {
  let [synthetic, custodial] = [ZERO, ZERO]
  for (const slice of inSlices(sides)) {
    const sumOf = (book: Book) => sum(slice.flatMap((side) => (side.book === book ? [side.amount] : [])))
    synthetic = add(synthetic, sumOf('synthetic'))
    custodial = add(custodial, sumOf('custodial'))
    yield
  }
  return { synthetic, custodial, difference: subtract(synthetic, custodial) }
}

function* findDifferences(sides: readonly Side[]): Steps<BookDifference[]> {
  const found: BookDifference[] = []
  const payments = yield* groupInSteps(sides, ({ pool_uid, transaction_uid }) => `${pool_uid} ${transaction_uid}`)
  for (const own of payments.values()) {
    const [{ transaction_uid, pool_uid, at }] = own as [Side]
    const sums = yield* sumSides(own)
    if (!isZero(sums.difference)) found.push({ transaction_uid, pool_uid, at, ...sums })
  }
  return found.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, MAX_DIFFERENCES)
}

function* groupInSteps<T>(items: readonly T[], keyOf: (item: T) => string): Steps<Map<string, T[]>> {
  const groups = new Map<string, T[]>()
  yield* eachInSteps(items, (item) => pushTo(groups, keyOf(item), item))
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
