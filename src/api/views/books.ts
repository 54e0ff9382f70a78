import type {
  Book,
  LedgerAccount,
  LedgerCheck,
  LedgerLine,
  LedgerParty,
  TrialBalance,
} from '../contract/control/ledger.ts'
import { formatCustomer, formatMessage } from '../contract/messages.ts'
import type { Page } from '../contract/terms/list.ts'
import type { Money, Timestamp, Uid } from '../contract/terms/primitives.ts'
import { nameFacts } from '../domain/resources/customers.ts'
import { isAsset } from '../domain/resources/synthetic-accounts.ts'
import { holdsOf } from '../domain/resources/transactions.ts'
import { booksOf, checkLedgerSteps, type LedgerResult } from '../domain/rules/ledger.ts'
import { add, isNegative, isZero, negate, sum, ZERO } from '../domain/rules/money.ts'
import { eachInSteps, inSlices, type Steps } from '../store/steps.ts'
import type { ReadStore } from '../store/store.ts'
import type { ReadRecords, ReadTx } from '../store/tx.ts'
import type {
  CustodialAccountRecord,
  CustodialLineItemRecord,
  SyntheticAccountRecord,
  SyntheticLineItemRecord,
  TransactionRecord,
} from '../store/world.ts'

/**
 * The ledger for the operator: both books in one form, now or as of an earlier instant. Earlier balances are recomputed from
 * line items, which never change, and from the start and end of each payment. What reads all line items collects them in its
 * first step, and adds them up in the others.
 */

export const BOOKS: readonly Book[] = ['synthetic', 'custodial']

type AccountRecord = SyntheticAccountRecord | CustodialAccountRecord
type LineRecord = SyntheticLineItemRecord | CustodialLineItemRecord

// ── Accounts ─────────────────────────────────────────────────────────────────────────────────────────────────────

interface AccountOptions {
  readonly book?: Book | undefined
  readonly uid?: readonly Uid[] | undefined
  readonly at?: Timestamp | undefined
}

export function* accountsInSteps(tx: ReadTx, { book, uid, at }: AccountOptions): Steps<LedgerAccount[]> {
  const accounts = BOOKS.filter((one) => book === undefined || one === book).flatMap((one) => {
    const all: AccountRecord[] =
      uid === undefined
        ? [...accountsIn(tx, one).newestFirst()].reverse()
        : [...new Set(uid)].flatMap((wanted) => accountsIn(tx, one).get(wanted) ?? [])
    return all.filter(({ opened_at }) => at === undefined || opened_at === undefined || opened_at < at)
  })
  const shown = accounts.map((account) => [account, showAccount(tx, account)] as const)
  if (at === undefined) return shown.map(([, account]) => account)
  const balancesThen = yield* balancesAsOf(tx, at)
  const results: LedgerAccount[] = []
  yield* eachInSteps(shown, ([record, account]) => results.push({ ...account, ...balancesThen(record) }))
  return results
}

export const accountsIn = (tx: ReadTx, book: Book) => tx[`${book}_accounts`] as unknown as ReadRecords<AccountRecord>
export const linesIn = (tx: ReadTx, book: Book) => tx[`${book}_line_items`] as unknown as ReadRecords<LineRecord>
/** In a line item, the name of the field with the uid of its account. */
export const accountFieldOf = (book: Book) => `${book}_account_uid` as never

const showAccount = (tx: ReadTx, account: AccountRecord): LedgerAccount => {
  const customer = tx.customers.get(account.customer_uid)
  const book = 'type' in account ? 'custodial' : 'synthetic'
  return {
    book,
    uid: account.uid,
    name: nameIn(account),
    program_uid: account.program_uid,
    customer_uid: account.customer_uid,
    customer_name: customer ? formatCustomer(nameFacts(customer)) : account.customer_uid,
    pool_uid: account.pool_uid,
    kind: 'type' in account ? account.type : account.synthetic_account_category,
    status: account.status,
    master: 'master_account' in account && account.master_account,
    account_number_last_four: account.account_number?.slice(-4) ?? null,
    liability: account.liability,
    balance: account.book_balance,
    pending: account.net_usd_pending_balance,
    available: account.net_usd_available_balance,
    lines: linesIn(tx, book).countBy(accountFieldOf(book), account.uid),
  }
}

const nameIn = (account: AccountRecord): string => account.name ?? ('type' in account ? account.type : account.uid)

// ── Earlier balances ─────────────────────────────────────────────────────────────────────────────────────────────────────

type AccountBalances = Pick<LedgerAccount, 'balance' | 'pending' | 'available' | 'lines'>

/** When a payment ended; undefined while it is open. In older worlds `ended_at` may be missing; then `settles_at` counts. */
export function endOf({ open_for, settled_at, ended_at, settles_at }: TransactionRecord, now: Timestamp) {
  if (open_for.length > 0) return undefined
  return settled_at ?? ended_at ?? (settles_at < now ? settles_at : now)
}

/** What a payment held just before an instant. */
export const heldBefore = (payment: TransactionRecord, at: Timestamp): Money =>
  holdsOf(payment).findLast(({ from }) => from < at)?.us_dollar_amount ?? ZERO

/** The amounts by which a payment changed accounts just before an instant, in both books. */
const movesOf = (payment: TransactionRecord, at: Timestamp): readonly (readonly [Uid, Money])[] => {
  const amount = heldBefore(payment, at)
  const { custodial_account_uids } = payment
  const [source, destination] = custodial_account_uids
  return [
    [payment.source_synthetic_account_uid, negate(amount)],
    [payment.destination_synthetic_account_uid, amount],
    ...(source === undefined || destination === undefined
      ? []
      : ([
          [source, negate(amount)],
          [destination, amount],
        ] as const)),
  ]
}

export const wasOpenAt = (payment: TransactionRecord, at: Timestamp, now: Timestamp): boolean => {
  const end = endOf(payment, now)
  return payment.created_at < at && (end === undefined || end >= at) && !isZero(payment.us_dollar_amount)
}

/** The balances of all accounts just before an instant. */
function* balancesAsOf(tx: ReadTx, at: Timestamp): Steps<(account: AccountRecord) => AccountBalances> {
  const { now } = tx
  const lines = BOOKS.flatMap((book) => linesWithin(tx, book, {}))
  const payments = [...tx.transactions.newestFirst()]
  const amounts = new Map<Uid, Money[]>()
  yield* eachInSteps(lines, (line) => {
    if (line.settled_at < at) pushTo(amounts, accountOf(line), line.us_dollar_amount)
  })
  const pending = new Map<Uid, Money[]>()
  const held = new Map<Uid, Money[]>()
  yield* eachInSteps(payments, (payment) => {
    if (!wasOpenAt(payment, at, now)) return
    for (const [uid, amount] of movesOf(payment, at)) {
      pushTo(pending, uid, amount)
      if (isNegative(amount)) pushTo(held, uid, amount)
    }
  })
  return ({ uid, net_usd_balance }) => {
    const own = amounts.get(uid) ?? []
    const balance = sum(own)
    if (net_usd_balance === null) return { balance, pending: null, available: null, lines: own.length }
    const available = sum([balance, ...(held.get(uid) ?? [])])
    return { balance, pending: sum(pending.get(uid) ?? []), available, lines: own.length }
  }
}

export function pushTo<T>(lists: Map<string, T[]>, key: string, item: T) {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}

// ── Lines ────────────────────────────────────────────────────────────────────────────────────────────────────────

interface LineOptions {
  readonly book?: Book | undefined
  readonly account_uid?: Uid | undefined
  readonly transaction_uid?: Uid | undefined
  readonly at?: Timestamp | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export function linesOf(tx: ReadTx, options: LineOptions): Page<LedgerLine> {
  const { book, account_uid, transaction_uid, at, limit = 100, offset = 0 } = options
  const books = BOOKS.filter((one) => book === undefined || book === one)
  const hasFilter = (account_uid ?? transaction_uid ?? at) !== undefined
  const isWanted = (line: LineRecord) =>
    (account_uid === undefined || accountOf(line) === account_uid) && (at === undefined || line.settled_at < at)
  const lists = books.map((one) => {
    const lines = candidates(tx, one, options)
    return hasFilter ? [...lines].filter(isWanted) : lines
  })
  const total_count = hasFilter
    ? (lists as LineRecord[][]).reduce((count, lines) => count + lines.length, 0)
    : books.reduce((count, one) => count + linesIn(tx, one).size, 0)
  const data: LedgerLine[] = []
  let position = 0
  for (const line of mergeNewestFirst(lists)) {
    if (position >= offset + limit) break
    if (position++ >= offset) data.push(lineOf(tx, line))
  }
  return { total_count, count: data.length, limit, offset, data }
}

/** The lists as one, without sorting what is sorted already. */
function* mergeNewestFirst(lists: readonly Iterable<LineRecord>[]): Iterable<LineRecord> {
  const heads = lists.map((lines) => {
    const iterator = lines[Symbol.iterator]()
    return { iterator, next: iterator.next() }
  })
  for (;;) {
    let newest: (typeof heads)[number] | undefined
    for (const head of heads)
      if (!head.next.done && (!newest || head.next.value.made > newest.next.value.made)) newest = head
    if (!newest) return
    yield newest.next.value
    newest.next = newest.iterator.next()
  }
}

/** Newest first, from the index with the fewest lines. */
function candidates(tx: ReadTx, book: Book, { account_uid, transaction_uid }: LineOptions): Iterable<LineRecord> {
  const lines = linesIn(tx, book)
  if (transaction_uid !== undefined) return lines.newestFirstBy('transaction_uid', transaction_uid)
  return account_uid === undefined ? lines.newestFirst() : lines.newestFirstBy(accountFieldOf(book), account_uid)
}

export const accountOf = (line: LineRecord): Uid =>
  'synthetic_account_uid' in line ? line.synthetic_account_uid : line.custodial_account_uid

function lineOf(tx: ReadTx, line: LineRecord): LedgerLine {
  const book: Book = 'synthetic_account_uid' in line ? 'synthetic' : 'custodial'
  const account_uid = accountOf(line)
  const account = accountsIn(tx, book).get(account_uid)
  return {
    book,
    uid: line.uid,
    account_uid,
    account_name: account ? nameIn(account) : account_uid,
    ...postingOf(tx, book, line.transaction_uid),
    amount: line.us_dollar_amount,
    running: line.running_us_dollar_balance ?? line.us_dollar_amount,
    description: formatMessage(line.description),
    at: line.settled_at,
  }
}

type Posting = Pick<LedgerLine, 'transaction_uid' | 'type' | 'source' | 'destination' | 'purpose'>

/** Both sides of a payment in one book. */
export function postingOf(tx: ReadTx, book: Book, transaction_uid: Uid): Posting {
  const payment = tx.transactions.get(transaction_uid)
  if (!payment) throw new Error(`There is no Transaction ${transaction_uid}, but it has line items`)
  const [source = '', destination = ''] =
    book === 'custodial'
      ? custodialAccountsOf(tx, payment)
      : [payment.source_synthetic_account_uid, payment.destination_synthetic_account_uid]
  return {
    transaction_uid,
    type: payment.type,
    source: partyOf(tx, book, source, payment),
    destination: partyOf(tx, book, destination, payment),
    purpose: formatMessage(payment.description),
  }
}

/** Of a book transfer with Transaction Events those of its line items: it reserves nothing in them. */
const custodialAccountsOf = (tx: ReadTx, { uid, rail, custodial_account_uids }: TransactionRecord) =>
  rail === 'book'
    ? tx.custodial_line_items.findBy('transaction_uid', uid).map((line) => line.custodial_account_uid)
    : custodial_account_uids

export function partyOf(tx: ReadTx, book: Book, uid: Uid, payment: TransactionRecord): LedgerParty {
  const account = accountsIn(tx, book).get(uid)
  if (!account) return { uid, name: uid, outside: false }
  const outside = 'synthetic_account_category' in account && isAsset(account)
  const { ach, wire, instant_payment } = payment
  const named = (ach ?? wire ?? instant_payment)?.counterparty_name
  return { uid, name: (outside && named) || nameIn(account), outside }
}

// ── Checks ───────────────────────────────────────────────────────────────────────────────────────────────────────

export interface Scope {
  readonly pool_uid?: Uid | undefined
  readonly at?: Timestamp | undefined
}

export function* trialBalanceInSteps(tx: ReadTx, { pool_uid, at }: Scope): Steps<TrialBalance[]> {
  const isBefore = (time: Timestamp | undefined) => at === undefined || time === undefined || time < at
  const collected = BOOKS.map((book) => ({
    book,
    accounts: [...accountsIn(tx, book).newestFirst()].filter(
      (account) => (pool_uid === undefined || account.pool_uid === pool_uid) && isBefore(account.opened_at),
    ).length,
    lines: linesWithin(tx, book, { pool_uid }),
  }))
  const balances: TrialBalance[] = []
  for (const { book, accounts, lines: all } of collected) {
    let [lines, credits, debits] = [0, ZERO, ZERO]
    for (const slice of inSlices(all)) {
      const amounts = slice.filter(({ settled_at }) => isBefore(settled_at)).map((line) => line.us_dollar_amount)
      lines += amounts.length
      credits = sum([credits, ...amounts.filter((amount) => !isNegative(amount))])
      debits = sum([debits, ...amounts.filter(isNegative)])
      yield
    }
    balances.push({ book, accounts, lines, credits, debits, total: add(credits, debits) })
  }
  return balances
}

export function linesWithin(tx: ReadTx, book: Book, { pool_uid }: Pick<Scope, 'pool_uid'>): LineRecord[] {
  if (pool_uid === undefined) return [...linesIn(tx, book).newestFirst()]
  return book === 'synthetic'
    ? tx.synthetic_line_items.findBy('pool_uid', pool_uid)
    : tx.custodial_accounts
        .findBy('pool_uid', pool_uid)
        .flatMap(({ uid }) => tx.custodial_line_items.findBy('custodial_account_uid', uid))
}

/** Checks the books of every Program, as they are at the first step. */
export function* checkLedgerInSteps(store: ReadStore): Steps<LedgerCheck> {
  const programs = store.world.collections.programs.inOrder().map(({ uid }) => store.read(uid, booksOf))
  const proofs: LedgerResult[] = []
  for (const books of programs) proofs.push(yield* checkLedgerSteps(books))
  const checked: Record<string, number> = {}
  for (const proof of proofs)
    for (const [what, count] of Object.entries(proof.checked)) checked[what] = (checked[what] ?? 0) + count
  return {
    balanced: proofs.every(({ balanced }) => balanced),
    checked: { programs: programs.length, ...checked },
    problems: proofs.flatMap(({ problems }) => problems),
  }
}
