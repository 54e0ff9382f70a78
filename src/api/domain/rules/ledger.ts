import type { Description } from '../../contract/messages.ts'
import type { Money, Uid } from '../../contract/terms/primitives.ts'
import type { Check } from '../../store/draft.ts'
import { type RecordKey, RecordMap } from '../../store/record-map.ts'
import { runToEnd, type Steps } from '../../store/steps.ts'
import type { ReadTx, Tx } from '../../store/tx.ts'
import type {
  CustodialAccountRecord,
  CustodialLineItemRecord,
  SyntheticAccountRecord,
  SyntheticLineItemRecord,
  TransactionRecord,
} from '../../store/world.ts'
import { add, isNegative, isZero, negate, sum, ZERO } from './money.ts'

/**
 * Double entry in two books. The synthetic book says who owns the money, the custodial book where it is held. A posting
 * moves one amount from one account to another, so each book always balances. `hold` reserves the amount of a pending
 * payment without a line item, `release` undoes it, and `post` moves the amount and writes the line items, which never
 * change. No other code changes a balance.
 *
 * Assumed (sibling; book_transfer_events): a book transfer stays inside one Custodial Account, so the custodian moves nothing: it has no
 * Transaction Event. A published example has two.
 *
 * Assumed (example): every other payment is one Transaction Event with two Custodial Line Items, between the Customer's dda and the cash
 * account of its direction. A prenote moves nothing and has no line items.
 */

type Payment = Pick<
  TransactionRecord,
  | 'uid'
  | 'rail'
  | 'originated'
  | 'customer_uid'
  | 'pool_uid'
  | 'source_synthetic_account_uid'
  | 'destination_synthetic_account_uid'
  | 'us_dollar_amount'
>

export function reserve(tx: Tx, payment: Payment) {
  const { us_dollar_amount: amount } = payment
  if (isZero(amount)) return
  for (const { source, destination } of sides(tx, payment)) {
    shift(tx, source, { pending: negate(amount), available: negate(amount) })
    shift(tx, destination, { pending: amount })
  }
}

export function release(tx: Tx, payment: Payment) {
  const { us_dollar_amount: amount } = payment
  if (isZero(amount)) return
  for (const { source, destination } of sides(tx, payment)) {
    shift(tx, source, { pending: amount, available: amount })
    shift(tx, destination, { pending: negate(amount) })
  }
}

/** Moves the reserved amount and ends the reservation in one step. */
export function post(tx: Tx, payment: Payment) {
  const { us_dollar_amount: amount } = payment
  if (isZero(amount)) return
  const custodial = custodialSides(tx, payment)
  const dda = ddaOf(tx, payment.pool_uid)
  for (const moved of custodial ? [custodial] : roundOf(tx, payment)) postCustodial(tx, payment, moved)
  const source = synthetic(tx, payment.source_synthetic_account_uid)
  const destination = synthetic(tx, payment.destination_synthetic_account_uid)
  const findCustodial = (account: SyntheticAccountRecord) =>
    custodial && !account.liability ? (custodial.source.liability ? custodial.destination : custodial.source) : dda
  const line = (account: SyntheticAccountRecord, signed: Money, description: Description) => {
    const running = settle(tx, { book: 'synthetic_accounts', account }, signed)
    const { uid: custodial_account_uid, name } = findCustodial(account)
    tx.synthetic_line_items.put({
      uid: tx.uid(),
      program_uid: tx.program.uid,
      customer_uid: account.customer_uid,
      pool_uid: account.pool_uid,
      settled_index: tx.synthetic_line_items.size + 1,
      transaction_uid: payment.uid,
      synthetic_account_uid: account.uid,
      status: 'settled',
      us_dollar_amount: signed,
      running_us_dollar_balance: running,
      running_asset_balance: running,
      asset_quantity: signed,
      ...IN_DOLLARS,
      custodial_account_uid,
      custodial_account_name: name ?? cashName(findCustodial(account)),
      description,
      created_at: tx.now,
      settled_at: tx.now,
    })
  }
  line(source, negate(amount), lineDescription('debit', 'to', destination.name))
  line(destination, amount, lineDescription('credit', 'from', source.name))
}

/** The entries that `post` writes for a payment, in its order. A payment of zero has none. */
export function entriesOf(tx: ReadTx, payment: Payment): { book: Side['book']; account_uid: Uid; amount: Money }[] {
  const { us_dollar_amount: amount } = payment
  if (isZero(amount)) return []
  const rounds = roundOf(tx, payment).map(toSides)
  return [...sides(tx, payment), ...rounds].flatMap(({ source, destination }) => [
    { book: source.book, account_uid: source.account.uid, amount: negate(amount) },
    { book: destination.book, account_uid: destination.account.uid, amount },
  ])
}

type LineFacts = Extract<Description, { readonly code: 'line' }>['facts']

const lineDescription = (
  movement: LineFacts['movement'],
  direction: LineFacts['direction'],
  account_name: string,
): Description => ({ code: 'line', facts: { movement, direction, account_name } })

/** The Custodial Accounts whose balance a payment changes. */
export function custodialAccountsOf(tx: ReadTx, payment: Payment): Uid[] {
  const custodial = custodialSides(tx, payment)
  return custodial ? [custodial.source.uid, custodial.destination.uid] : []
}

// ── Both books ───────────────────────────────────────────────────────────────────────────────────────────────────

type Side =
  | { readonly book: 'synthetic_accounts'; readonly account: SyntheticAccountRecord }
  | { readonly book: 'custodial_accounts'; readonly account: CustodialAccountRecord }

const IN_DOLLARS = { asset_type: 'USD', closing_price: '1.00' }

/** The source and the destination of a payment, in each book that it touches. */
function sides(tx: ReadTx, payment: Payment): { source: Side; destination: Side }[] {
  const custodial = custodialSides(tx, payment)
  return [
    {
      source: { book: 'synthetic_accounts', account: synthetic(tx, payment.source_synthetic_account_uid) },
      destination: { book: 'synthetic_accounts', account: synthetic(tx, payment.destination_synthetic_account_uid) },
    },
    ...(custodial ? [toSides(custodial)] : []),
  ]
}

const toSides = ({ source, destination }: CustodialSides): { source: Side; destination: Side } => ({
  source: { book: 'custodial_accounts', account: source },
  destination: { book: 'custodial_accounts', account: destination },
})

/** A reserved amount settles: it is no longer pending. A debit was not available since it was reserved. */
const settle = (tx: Tx, side: Side, signed: Money): Money =>
  shift(tx, side, { settled: signed, pending: negate(signed), available: isNegative(signed) ? ZERO : signed })

/** Accounts that show no balance have a sum of line items, too. */
function shift(
  tx: Tx,
  { book, account }: Side,
  { settled = ZERO, pending = ZERO, available = ZERO }: { settled?: Money; pending?: Money; available?: Money },
): Money {
  const book_balance = add(account.book_balance, settled)
  const shown = account.net_usd_balance !== null
  if (!shown && isZero(settled)) return book_balance
  const shifted = {
    ...account,
    book_balance,
    ...(shown
      ? {
          net_usd_balance: book_balance,
          net_usd_pending_balance: add(account.net_usd_pending_balance ?? ZERO, pending),
          net_usd_available_balance: add(account.net_usd_available_balance ?? ZERO, available),
        }
      : {}),
  }
  if (book === 'synthetic_accounts') tx.synthetic_accounts.put(shifted as SyntheticAccountRecord)
  else tx.custodial_accounts.put(shifted as CustodialAccountRecord)
  return book_balance
}

function synthetic(tx: ReadTx, uid: Uid): SyntheticAccountRecord {
  const account = tx.synthetic_accounts.get(uid)
  if (!account) throw new Error(`There is no Synthetic Account ${uid} to post to`)
  return account
}

// ── The custodial book ───────────────────────────────────────────────────────────────────────────────────────────

interface CustodialSides {
  readonly source: CustodialAccountRecord
  readonly destination: CustodialAccountRecord
  readonly isDeposit: boolean
}

export function ddaOf(tx: ReadTx, pool_uid: Uid): CustodialAccountRecord {
  return custodialOf(tx, pool_uid, 'dda')
}

function custodialOf(tx: ReadTx, pool_uid: Uid, type: CustodialAccountRecord['type']): CustodialAccountRecord {
  const account = tx.custodial_accounts.findBy('pool_uid', pool_uid).find((one) => one.type === type)
  if (!account) throw new Error(`Pool ${pool_uid} has no ${type}`)
  return account
}

function custodialSides(tx: ReadTx, payment: Payment): CustodialSides | undefined {
  if (payment.rail === 'book') return undefined
  const dda = ddaOf(tx, payment.pool_uid)
  const cash = custodialOf(tx, payment.pool_uid, payment.originated ? 'dda_cash_external' : 'dda_cash_received')
  const isDeposit = synthetic(tx, payment.destination_synthetic_account_uid).liability
  return isDeposit ? { source: cash, destination: dda, isDeposit } : { source: dda, destination: cash, isDeposit }
}

/**
 * The two movements of a book transfer in a Program with book_transfer_events, out of the Custodial Account and back. They are not reserved:
 * together they move nothing.
 */
function roundOf(tx: ReadTx, { rail, pool_uid }: Payment): CustodialSides[] {
  if (rail !== 'book' || !tx.program.book_transfer_events) return []
  const dda = ddaOf(tx, pool_uid)
  const cash = custodialOf(tx, pool_uid, 'dda_cash_external')
  return [
    { source: dda, destination: cash, isDeposit: false },
    { source: cash, destination: dda, isDeposit: true },
  ]
}

const cashName = ({ type }: CustodialAccountRecord) => (type === 'dda_cash_external' ? 'Cash sent' : 'Cash received')

function postCustodial(tx: Tx, payment: Payment, { source, destination, isDeposit }: CustodialSides) {
  const isReserved = payment.rail !== 'book'
  const { us_dollar_amount: amount, originated } = payment
  const names = {
    source: synthetic(tx, payment.source_synthetic_account_uid).name,
    destination: synthetic(tx, payment.destination_synthetic_account_uid).name,
  }
  const settled_index = tx.transaction_events.size + 1
  const event_uid = tx.uid()
  // Assumed (sibling): wires, instant payments, checks and movements outside the application use the four published types as well, by direction.
  const type = `${originated ? 'odfi' : 'rdfi'}_ach_${isDeposit ? 'deposit' : 'withdrawal'}` as const
  const line = (account: CustodialAccountRecord, signed: Money, description: Description) => {
    const side = { book: 'custodial_accounts', account: tx.custodial_accounts.get(account.uid) ?? account } as const
    const running = isReserved ? settle(tx, side, signed) : shift(tx, side, { settled: signed, available: signed })
    const { uid } = tx.custodial_line_items.put({
      uid: tx.uid(),
      program_uid: tx.program.uid,
      customer_uid: account.customer_uid,
      settled_index: tx.custodial_line_items.size + 1,
      transaction_uid: payment.uid,
      transaction_event_uid: event_uid,
      custodial_account_uid: account.uid,
      status: 'settled',
      us_dollar_amount: signed,
      running_us_dollar_balance: running,
      running_asset_balance: running,
      asset_quantity: signed,
      ...IN_DOLLARS,
      type,
      description,
      created_at: tx.now,
      occurred_at: tx.now,
      settled_at: tx.now,
    })
    return uid
  }
  const movement = isDeposit ? 'deposit' : 'withdrawal'
  const lines = [
    line(source, negate(amount), lineDescription(movement, 'to', names.destination)),
    line(destination, amount, lineDescription(movement, 'from', names.source)),
  ]
  tx.transaction_events.put({
    uid: event_uid,
    program_uid: tx.program.uid,
    transaction_uid: payment.uid,
    transaction_uids: [payment.uid],
    settled_index,
    source_custodial_account_uid: source.uid,
    destination_custodial_account_uid: destination.uid,
    custodial_line_item_uids: lines,
    status: 'settled',
    us_dollar_amount: amount,
    type,
    net_asset: isDeposit ? 'positive' : 'negative',
    description: {
      code: 'transfer',
      facts: { source_account_name: names.source, destination_account_name: names.destination },
    },
    created_at: tx.now,
    settled_at: tx.now,
  })
}

// ── The ledger check ───────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Runs at each commit: in both books the line items of each payment sum to zero, a balance changes by new line items only, and a line item
 * never changes. A replacement of the world removes and changes line items, and balances by as much.
 */
export const checkBooks: Check = ({ changes, goes_on_from }) => {
  const moved = new RecordMap<Money[]>()
  const posted = new RecordMap<Money[]>()
  const note = (notes: RecordMap<Money[]>, key: RecordKey, amount: Money) =>
    notes.set(key, [...(notes.get(key) ?? []), amount])
  for (const { collection, uid, was, record } of changes) {
    if (collection !== 'synthetic_line_items' && collection !== 'custodial_line_items') continue
    if (was && goes_on_from === undefined)
      throw new Error(`The books: line item ${uid} of ${collection} is changed or removed; line items never change`)
    const noteLine = (line: LineItem, amount: Money) => {
      note(posted, { collection, uid: line.transaction_uid }, amount)
      note(moved, accountOf(line), amount)
    }
    if (was) noteLine(was as LineItem, negate((was as LineItem).us_dollar_amount))
    if (record) noteLine(record as LineItem, (record as LineItem).us_dollar_amount)
  }
  for (const [collection, payments] of posted.byCollection())
    for (const [payment, amounts] of payments)
      if (!isZero(sum(amounts)))
        throw new Error(
          `The books: the line items of ${payment} in ${collection} sum to ${sum(amounts)}; 0.00 is expected`,
        )
  for (const change of changes) {
    if (change.collection !== 'synthetic_accounts' && change.collection !== 'custodial_accounts') continue
    const [was, is] = [change.was, change.record] as (SyntheticAccountRecord | null)[]
    const expected = add(was?.book_balance ?? ZERO, sum(moved.get(change) ?? []))
    const { book_balance, net_usd_balance } = is ?? { book_balance: ZERO, net_usd_balance: null }
    if (book_balance !== expected || (net_usd_balance !== null && net_usd_balance !== book_balance))
      throw new Error(`The books: ${change.uid} has a balance of ${book_balance}; its line items sum to ${expected}`)
    moved.delete(change)
  }
  for (const [, accounts] of moved.byCollection())
    for (const [uid, amounts] of accounts)
      if (goes_on_from === undefined || !isZero(sum(amounts)))
        throw new Error(`The books: ${uid} has new line items and an unchanged balance`)
}

type LineItem = SyntheticLineItemRecord | CustodialLineItemRecord

const accountOf = (line: LineItem): RecordKey =>
  'synthetic_account_uid' in line
    ? { collection: 'synthetic_accounts', uid: line.synthetic_account_uid }
    : { collection: 'custodial_accounts', uid: line.custodial_account_uid }

export interface LedgerResult {
  readonly balanced: boolean
  readonly checked: Readonly<Record<string, number>>
  readonly problems: readonly string[]
}

/** Both books of a Program at one instant. Records never change, so references to them are enough. */
interface Books {
  /** In the order of their creation. */
  readonly synthetic_line_items: readonly SyntheticLineItemRecord[]
  readonly custodial_line_items: readonly CustodialLineItemRecord[]
  readonly synthetic_accounts: readonly SyntheticAccountRecord[]
  readonly custodial_accounts: readonly CustodialAccountRecord[]
  readonly transactions: number
  readonly held: ReturnType<typeof heldByPayments>
}

export const booksOf = (tx: ReadTx): Books => ({
  synthetic_line_items: [...tx.synthetic_line_items.newestFirst()].reverse(),
  custodial_line_items: [...tx.custodial_line_items.newestFirst()].reverse(),
  synthetic_accounts: [...tx.synthetic_accounts.newestFirst()],
  custodial_accounts: [...tx.custodial_accounts.newestFirst()],
  transactions: tx.transactions.size,
  held: heldByPayments(tx),
})

export const checkLedger = (tx: ReadTx): LedgerResult => runToEnd(checkLedgerSteps(booksOf(tx)))

/** Line items per step of the check. */
const LINES = 1_000

/** Checks every account against its line items, then the synthetic book against the custodial one. */
export function* checkLedgerSteps(books: Books): Steps<LedgerResult> {
  const problems = [...books.held.problems]
  const bookOf = new Map<Uid, Money>()
  const payments = new Map<string, Money>()
  const walk = function* (lines: readonly (SyntheticLineItemRecord | CustodialLineItemRecord)[], book: string) {
    for (const [n, line] of lines.entries()) {
      if (n % LINES === 0) yield LINES
      const account = 'synthetic_account_uid' in line ? line.synthetic_account_uid : line.custodial_account_uid
      const running = add(bookOf.get(account) ?? ZERO, line.us_dollar_amount)
      bookOf.set(account, running)
      if (line.running_us_dollar_balance !== running)
        problems.push(
          `line item ${line.uid} shows a running balance of ${line.running_us_dollar_balance}; the line items up to it sum to ${running}`,
        )
      const key = `${line.transaction_uid} in the ${book} book`
      payments.set(key, add(payments.get(key) ?? ZERO, line.us_dollar_amount))
    }
  }
  yield* walk(books.synthetic_line_items, 'synthetic')
  yield* walk(books.custodial_line_items, 'custodial')
  for (const [payment, total] of payments)
    if (!isZero(total)) problems.push(`the line items of ${payment} sum to ${total}; 0.00 is expected`)

  const accounts = new Set([...books.synthetic_accounts, ...books.custodial_accounts].map(({ uid }) => uid))
  for (const uid of bookOf.keys())
    if (!accounts.has(uid)) problems.push(`there are line items of account ${uid}, which does not exist`)

  const pools = new Map<Uid, { synthetic: Money; custodial: Money }>()
  const inPool = (uid: Uid) => pools.get(uid) ?? { synthetic: ZERO, custodial: ZERO }
  const compare = (account: SyntheticAccountRecord | CustodialAccountRecord, kind: 'synthetic' | 'custodial') => {
    const lines = bookOf.get(account.uid) ?? ZERO
    const { uid, book_balance, net_usd_balance, net_usd_pending_balance, net_usd_available_balance } = account
    if (book_balance !== lines) problems.push(`${uid} has a balance of ${book_balance}; its line items sum to ${lines}`)
    if (net_usd_balance === null) return
    const { pending, withdrawals } = books.held.by.get(uid) ?? { pending: ZERO, withdrawals: ZERO }
    const available = add(lines, withdrawals)
    if (net_usd_balance !== lines) problems.push(`${uid} shows ${net_usd_balance}; its line items sum to ${lines}`)
    if (net_usd_pending_balance !== pending)
      problems.push(`${uid} shows ${net_usd_pending_balance} pending; its open payments sum to ${pending}`)
    if (net_usd_available_balance !== available)
      problems.push(
        `${uid} shows ${net_usd_available_balance} available; settled minus pending withdrawals is ${available}`,
      )
    pools.set(account.pool_uid, { ...inPool(account.pool_uid), [kind]: add(inPool(account.pool_uid)[kind], lines) })
  }
  for (const account of books.synthetic_accounts) compare(account, 'synthetic')
  for (const account of books.custodial_accounts) compare(account, 'custodial')
  for (const [pool, { synthetic, custodial }] of pools)
    if (synthetic !== custodial)
      problems.push(`Pool ${pool} has ${synthetic} in the synthetic book and ${custodial} in the custodial book`)
  return {
    balanced: problems.length === 0,
    checked: {
      synthetic_line_items: books.synthetic_line_items.length,
      custodial_line_items: books.custodial_line_items.length,
      synthetic_accounts: books.synthetic_accounts.length,
      custodial_accounts: books.custodial_accounts.length,
      pools: pools.size,
      transactions: books.transactions,
    },
    problems,
  }
}

/** The amounts that pending payments reserve, by account. */
function heldByPayments(tx: ReadTx) {
  const problems: string[] = []
  const by = new Map<Uid, { pending: Money; withdrawals: Money }>()
  const note = (uid: Uid, pending: Money, withdrawal: Money) => {
    const was = by.get(uid) ?? { pending: ZERO, withdrawals: ZERO }
    by.set(uid, { pending: add(was.pending, pending), withdrawals: add(was.withdrawals, withdrawal) })
  }
  for (const payment of tx.transactions.newestFirst()) {
    if (payment.open_for.length === 0) continue
    const { us_dollar_amount: amount, synthetic_account_uid } = payment
    const gone = synthetic_account_uid.filter((uid) => !tx.synthetic_accounts.get(uid))
    if (gone.length > 0) {
      problems.push(`there is no account ${gone.join(', ')}, though ${payment.uid} is on its way to or from it`)
      continue
    }
    for (const { source, destination } of sides(tx, payment)) {
      note(source.account.uid, negate(amount), negate(amount))
      note(destination.account.uid, amount, ZERO)
    }
  }
  return { by, problems }
}
