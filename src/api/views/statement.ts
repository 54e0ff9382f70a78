import { rowOf } from '../contract/collections.ts'
import { formatMessage } from '../contract/messages.ts'
import type { Money, Timestamp, Uid } from '../contract/terms/primitives.ts'
import { isZero, negate, subtract, sum, ZERO } from '../domain/rules/money.ts'
import type {
  CollectionName,
  CustodialAccountRecord,
  ReadWorld,
  StoredRecord,
  SyntheticAccountRecord,
  TransactionRecord,
} from '../store/world.ts'

/** The parts of a balance: what is settled, each pending payment, and the total. */

interface Part {
  readonly says: string
  readonly amount: Money
  readonly payment: TransactionRecord | null
  readonly account: { readonly collection: CollectionName; readonly uid: Uid } | null
  readonly line_item: LineItem | null
}

const NO_RECORD = { payment: null, account: null, line_item: null }

interface LineItem {
  readonly collection: 'synthetic_line_items' | 'custodial_line_items'
  readonly uid: Uid
  readonly at: Timestamp
  readonly transaction_uid: Uid
}

interface Statement {
  readonly field: string
  readonly parts: readonly Part[]
  readonly total: Money
  readonly rule: string
  readonly section: string | null
}

/** Further payments are summed up in one part. */
const MAX_PARTS = 20
/** Earlier line items are summed up in one part. */
const MAX_LINE_ITEMS = 50

const BALANCE = /^(net_usd_(pending_|available_)?|total_)balance$/

/** Returns null if the field is not a balance, or the account shows none. */
export function partsOf(
  world: ReadWorld,
  collection: CollectionName,
  record: StoredRecord,
  field: string,
): Statement | null {
  const { rule, section = null } = (BALANCE.test(field) && rowOf(collection).list.rules?.[field]) || {}
  if (rule === undefined) return null
  if (collection === 'customers' && field === 'total_balance') {
    const parts = ownAccounts(world, record.uid).map(({ uid, name: says, book_balance: amount }) => ({
      ...NO_RECORD,
      says,
      amount,
      account: { collection: 'synthetic_accounts' as const, uid },
    }))
    return { field, parts, total: sum(parts.map(({ amount }) => amount)), rule, section }
  }
  if (collection !== 'synthetic_accounts' && collection !== 'custodial_accounts') return null
  const account = record as SyntheticAccountRecord | CustodialAccountRecord
  const total = (account as unknown as Readonly<Record<string, Money | null>>)[field]
  if (total === null || total === undefined) return null
  if (field === 'net_usd_balance')
    return { field, parts: lineItemsOf(world, collection, account), total, rule, section }
  const settled = field === 'net_usd_pending_balance' ? [] : [settledOf(world, collection, account)]
  const pending = pendingOf(world, collection, account, field)
  return { field, parts: [...settled, ...pending], total, rule, section }
}

type AccountRecord = SyntheticAccountRecord | CustodialAccountRecord
type AccountCollection = 'synthetic_accounts' | 'custodial_accounts'

const lineItemsIn = (collection: AccountCollection): LineItem['collection'] =>
  collection === 'synthetic_accounts' ? 'synthetic_line_items' : 'custodial_line_items'

/** Oldest first. */
const linesOf = ({ collections }: ReadWorld, collection: AccountCollection, { uid, program_uid }: AccountRecord) =>
  collections[lineItemsIn(collection)].shelf(program_uid).findByIndex(collection.replace(/s$/, '_uid'), uid) ?? []

/** The line items of a settled balance, newest first. */
function lineItemsOf(world: ReadWorld, collection: AccountCollection, account: AccountRecord): Part[] {
  const lines = linesOf(world, collection, account)
  const newest = lines.slice(-MAX_LINE_ITEMS).reverse()
  const parts = newest.map(({ uid, settled_at: at, transaction_uid, description, us_dollar_amount }) => ({
    ...NO_RECORD,
    says: formatMessage(movementOf(world, transaction_uid) ?? description),
    amount: us_dollar_amount,
    line_item: { collection: lineItemsIn(collection), uid, at, transaction_uid },
  }))
  const earlier = lines.length - newest.length
  if (earlier === 0) return parts
  const amount = subtract(account.book_balance, sum(parts.map((part) => part.amount)))
  const says = `${earlier} earlier line item${earlier === 1 ? '' : 's'}`
  return [...parts, { ...NO_RECORD, says, amount, account: { collection, uid: account.uid } }]
}

/** Of interest and other movements outside the application: their line items name only the outside bank. */
const movementOf = ({ collections }: ReadWorld, transaction_uid: Uid) => {
  const payment = collections.transactions.get(transaction_uid)
  return payment?.rail === 'card' || payment?.rail === 'custodian' ? payment.description : undefined
}

function settledOf(world: ReadWorld, collection: AccountCollection, account: AccountRecord): Part {
  const n = linesOf(world, collection, account).length
  const says = `settled, from ${n} line item${n === 1 ? '' : 's'}`
  return { ...NO_RECORD, says, amount: account.book_balance, account: { collection, uid: account.uid } }
}

function pendingOf(
  world: ReadWorld,
  collection: CollectionName,
  account: SyntheticAccountRecord | CustodialAccountRecord,
  field: string,
): Part[] {
  const payments = world.collections.transactions
    .shelf(account.program_uid)
    .findByIndex('pool_uid', account.pool_uid)!
    .filter(({ open_for, us_dollar_amount }) => open_for.length > 0 && !isZero(us_dollar_amount))
    .flatMap((payment) => {
      const leaves = directionOf(world, collection, account, payment)
      return leaves === null ? [] : [{ payment, leaves }]
    })
    .reverse()
  const isAvailable = field === 'net_usd_available_balance'
  const parts = payments.map(({ payment, leaves }): Part => {
    const { us_dollar_amount: amount } = payment
    const counts = leaves || !isAvailable
    const says = leaves
      ? 'less a withdrawal still pending'
      : `a deposit still pending${counts ? '' : ' does not count'}`
    return { ...NO_RECORD, says, amount: !counts ? ZERO : leaves ? negate(amount) : amount, payment }
  })
  const rest = parts.slice(MAX_PARTS)
  if (rest.length === 0) return parts
  const says = `${rest.length} more payments still pending`
  return [...parts.slice(0, MAX_PARTS), { ...NO_RECORD, says, amount: sum(rest.map(({ amount }) => amount)) }]
}

/** True for a withdrawal from the account, false for a deposit, null for neither. */
function directionOf(
  world: ReadWorld,
  collection: CollectionName,
  account: SyntheticAccountRecord | CustodialAccountRecord,
  payment: TransactionRecord,
): boolean | null {
  const { source_synthetic_account_uid: source, destination_synthetic_account_uid: destination } = payment
  if (collection === 'synthetic_accounts')
    return source === account.uid ? true : destination === account.uid ? false : null
  // A book transfer does not change the dda.
  if (payment.rail === 'book' || !payment.custodial_account_uids.includes(account.uid)) return null
  const isDeposit = world.collections.synthetic_accounts.get(destination)?.liability === true
  const isDda = (account as CustodialAccountRecord).type === 'dda'
  return isDda ? !isDeposit : isDeposit
}

const ownAccounts = (world: ReadWorld, customer_uid: Uid): readonly SyntheticAccountRecord[] =>
  world.collections.synthetic_accounts
    .inOrder()
    .filter((account) => account.customer_uid === customer_uid && account.net_usd_balance !== null)
