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
import { booksOf, checkLedgerSteps, type LedgerResult } from '../domain/rules/ledger.ts'
import { add, isNegative, isZero, negate, sum, ZERO } from '../domain/rules/money.ts'
import type { Steps } from '../store/steps.ts'
import type { ReadStore } from '../store/store.ts'
import type { ReadTx } from '../store/tx.ts'
import type {
  CustodialAccountRecord,
  CustodialLineItemRecord,
  SyntheticAccountRecord,
  SyntheticLineItemRecord,
  TransactionRecord,
} from '../store/world.ts'

/**
 * The ledger for the operator: both books in one form, now or as of an earlier instant. Earlier balances are recomputed from
 * line items, which never change, and from the start and end of each payment.
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

export function accountsOf(tx: ReadTx, { book, uid, at }: AccountOptions): LedgerAccount[] {
  const balancesThen = at === undefined ? undefined : balancesAsOf(tx, at)
  return BOOKS.filter((one) => book === undefined || one === book).flatMap((one) => {
    const accounts: AccountRecord[] =
      uid === undefined
        ? oldestFirst<AccountRecord>(accountsIn(tx, one))
        : [...new Set(uid)].flatMap((wanted) => accountsIn(tx, one).get(wanted) ?? [])
    return accounts
      .filter(({ opened_at }) => at === undefined || opened_at === undefined || opened_at < at)
      .map((account) => showAccount(tx, one, account, balancesThen?.(account)))
  })
}

export const accountsIn = (
  tx: ReadTx,
  book: Book,
): { get(uid: Uid): AccountRecord | undefined; newestFirst(): Iterable<AccountRecord> } =>
  book === 'synthetic' ? tx.synthetic_accounts : tx.custodial_accounts
const linesIn = (tx: ReadTx, book: Book): { newestFirst(): Iterable<LineRecord> } =>
  book === 'synthetic' ? tx.synthetic_line_items : tx.custodial_line_items

const showAccount = (tx: ReadTx, book: Book, account: AccountRecord, balances?: AccountBalances): LedgerAccount => {
  const customer = tx.customers.get(account.customer_uid)
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
    ...(balances ?? {
      balance: account.book_balance,
      pending: account.net_usd_pending_balance,
      available: account.net_usd_available_balance,
      lines:
        'type' in account
          ? tx.custodial_line_items.countBy('custodial_account_uid', account.uid)
          : tx.synthetic_line_items.countBy('synthetic_account_uid', account.uid),
    }),
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

/** The amounts by which a payment changes accounts, in both books. */
export const movesOf = (payment: TransactionRecord): readonly (readonly [Uid, Money])[] => {
  const { us_dollar_amount: amount, custodial_account_uids } = payment
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
function balancesAsOf(tx: ReadTx, at: Timestamp): (account: AccountRecord) => AccountBalances {
  const amounts = new Map<Uid, Money[]>()
  for (const book of BOOKS)
    for (const line of linesIn(tx, book).newestFirst())
      if (line.settled_at < at) {
        const own = amounts.get(accountOf(line))
        if (own) own.push(line.us_dollar_amount)
        else amounts.set(accountOf(line), [line.us_dollar_amount])
      }
  const pending = new Map<Uid, Money>()
  const held = new Map<Uid, Money>()
  const addTo = (sums: Map<Uid, Money>, uid: Uid, amount: Money) =>
    void sums.set(uid, add(sums.get(uid) ?? ZERO, amount))
  for (const payment of tx.transactions.newestFirst())
    if (wasOpenAt(payment, at, tx.now))
      for (const [uid, amount] of movesOf(payment)) {
        addTo(pending, uid, amount)
        if (isNegative(amount)) addTo(held, uid, amount)
      }
  return ({ uid, net_usd_balance }) => {
    const own = amounts.get(uid) ?? []
    const balance = sum(own)
    if (net_usd_balance === null) return { balance, pending: null, available: null, lines: own.length }
    return {
      balance,
      pending: pending.get(uid) ?? ZERO,
      available: add(balance, held.get(uid) ?? ZERO),
      lines: own.length,
    }
  }
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
  const hasBothFilters = transaction_uid !== undefined && account_uid !== undefined
  const isWanted = (line: LineRecord) =>
    (!hasBothFilters || accountOf(line) === account_uid) && (at === undefined || line.settled_at < at)
  const linesOfBook = (one: Book): LineRecord[] =>
    book === undefined || book === one ? candidates(tx, one, options).filter(isWanted) : []
  const synthetic = linesOfBook('synthetic')
  const custodial = linesOfBook('custodial')
  const lines = custodial.length === 0 ? synthetic : synthetic.length === 0 ? custodial : [...synthetic, ...custodial]
  lines.sort((a, b) => b.made - a.made)
  const data = lines.slice(offset, offset + limit).map((line) => lineOf(tx, line))
  return { total_count: lines.length, count: data.length, limit, offset, data }
}

/** Uses the index with the fewest lines. */
function candidates(tx: ReadTx, book: Book, { account_uid, transaction_uid }: LineOptions): LineRecord[] {
  const { synthetic_line_items, custodial_line_items } = tx
  if (transaction_uid !== undefined)
    return book === 'synthetic'
      ? synthetic_line_items.findBy('transaction_uid', transaction_uid)
      : custodial_line_items.findBy('transaction_uid', transaction_uid)
  if (account_uid !== undefined)
    return book === 'synthetic'
      ? synthetic_line_items.findBy('synthetic_account_uid', account_uid)
      : custodial_line_items.findBy('custodial_account_uid', account_uid)
  return [...linesIn(tx, book).newestFirst()]
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
      ? payment.custodial_account_uids
      : [payment.source_synthetic_account_uid, payment.destination_synthetic_account_uid]
  return {
    transaction_uid,
    type: payment.type,
    source: partyOf(tx, book, source, payment),
    destination: partyOf(tx, book, destination, payment),
    purpose: formatMessage(payment.description),
  }
}

function partyOf(tx: ReadTx, book: Book, uid: Uid, payment: TransactionRecord): LedgerParty {
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

export function trialBalance(tx: ReadTx, { pool_uid, at }: Scope): TrialBalance[] {
  return BOOKS.map((book) => {
    const accounts = oldestFirst<AccountRecord>(accountsIn(tx, book)).filter(
      (account) =>
        (pool_uid === undefined || account.pool_uid === pool_uid) &&
        (at === undefined || account.opened_at === undefined || account.opened_at < at),
    )
    const amounts = linesWithin(tx, book, { pool_uid, at }).map(({ us_dollar_amount }) => us_dollar_amount)
    const credits = sum(amounts.filter((amount) => !isNegative(amount)))
    const debits = sum(amounts.filter(isNegative))
    return { book, accounts: accounts.length, lines: amounts.length, credits, debits, total: add(credits, debits) }
  })
}

export function linesWithin(tx: ReadTx, book: Book, { pool_uid, at }: Scope): LineRecord[] {
  const lines: LineRecord[] =
    pool_uid === undefined
      ? [...linesIn(tx, book).newestFirst()]
      : book === 'synthetic'
        ? tx.synthetic_line_items.findBy('pool_uid', pool_uid)
        : tx.custodial_accounts
            .findBy('pool_uid', pool_uid)
            .flatMap(({ uid }) => tx.custodial_line_items.findBy('custodial_account_uid', uid))
  return at === undefined ? lines : lines.filter(({ settled_at }) => settled_at < at)
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

const oldestFirst = <T>(records: { newestFirst(): Iterable<T> }): T[] => [...records.newestFirst()].reverse()
