import { type CollectionName, indexedFields, isCollection } from '../contract/collections.ts'
import { type ExampleName, examples } from '../contract/terms/examples.ts'
import type { Source } from '../contract/terms/list.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { achReturnFor, nocFor } from '../contract/triggers.ts'
import { bankingDayAfter, dateAt } from '../domain/rules/calendar.ts'
import { isMore, money } from '../domain/rules/money.ts'
import { toMs } from '../store/clock.ts'
import type { ReadTx } from '../store/tx.ts'
import type {
  CustomerRecord,
  RecordOf,
  StoredRecord,
  SyntheticAccountRecord,
  TransactionRecord,
  VrnRecord,
} from '../store/world.ts'

/**
 * The values of a Program for the examples of requests, so that they can be sent as they are. Without a record near which they should
 * be, the examples of all operations can be sent one after the other. If no record is in the state that an operation needs, such as a
 * queued Transfer, the example names another one of the collection.
 */

export interface FoundExamples {
  /** The Customer near whose records they are. */
  readonly customer: CustomerRecord | undefined
  readonly values: ReadonlyMap<ExampleName, string>
  /** No record is in the state that they need. */
  readonly missing: readonly ExampleName[]
}

export interface Near {
  readonly collection: CollectionName
  readonly uid: Uid
}
type Found = Partial<Record<ExampleName, string | undefined>>

/** How many of the newest records are looked through: few for the document, which needs no token. */
const FEW = 500
const MANY = 5_000

export function findExamples(tx: ReadTx, near?: Near): FoundExamples {
  const customer = near && customerOf(tx, near)
  const found = { ...common(tx), ...(customer ? findOf(tx, customer, near) : findAnywhere(tx)) }
  const names = Object.keys(examples) as ExampleName[]
  const given = (name: ExampleName) => (near?.collection === name ? near.uid : undefined)
  const other = (name: ExampleName) => {
    const collection = name in COLLECTION_OF ? COLLECTION_OF[name as keyof typeof COLLECTION_OF] : name
    if (!isCollection(collection)) return undefined
    if (!customer || SHARED.has(collection)) return newest(tx[collection] as Source<StoredRecord>, () => true)?.uid
    return given(collection) ?? ownNewest(tx, customer, collection)?.uid
  }
  return {
    customer,
    values: new Map(
      // Rather an empty field than a record of another Customer.
      names.map((name) => [name, found[name] ?? given(name) ?? other(name) ?? (customer ? '' : examples[name])]),
    ),
    missing: names.filter((name) => name in found && found[name] === undefined),
  }
}

/** Where a name stands for a record in a certain state. */
const COLLECTION_OF = {
  initiated_customer: 'customers',
  archivable_customer: 'customers',
  returning_customer: 'customers',
  vrn_customer: 'customers',
  refund_account: 'synthetic_accounts',
  archivable_account: 'synthetic_accounts',
  counterparty: 'synthetic_accounts',
  ach_account_type: 'synthetic_account_types',
  instant_payment_account_type: 'synthetic_account_types',
  wire_account_type: 'synthetic_account_types',
  initial_product: 'products',
  archivable_vrn: 'virtual_reference_numbers',
  cancelable_transfer: 'transfers',
  authorizable_transaction: 'transactions',
  returnable_transaction: 'transactions',
  returnable_ach: 'transactions',
} as const satisfies Partial<Record<ExampleName, CollectionName>>

/** Their records belong to no Customer. */
const SHARED: ReadonlySet<string> = new Set<CollectionName>([
  'products',
  'synthetic_account_types',
  'custodial_accounts',
  'custodial_line_items',
  'custodial_account_closing_balances',
  'programs',
  'tasks',
  'webhooks',
  'webhook_events',
  'webhook_deliveries',
])

/** What does not depend on a Customer. */
function common(tx: ReadTx): Found {
  const today = dateAt(toMs(tx.now))
  const typeOf = (wanted: string) =>
    newest(tx.synthetic_account_types, (one) => one.synthetic_account_category === wanted)?.uid
  return {
    ach_account_type: typeOf('ach_external'),
    instant_payment_account_type: typeOf('instant_payment_external'),
    wire_account_type: typeOf('wire_external'),
    initiated_customer: newest(tx.customers, ({ status }) => status === 'initiated')?.uid,
    initial_product: newest(tx.products, (one) => one.prerequisite_product_uids.length === 0)?.uid,
    new_account_number: createAccountNumber('44', tx.synthetic_accounts.size),
    another_new_account_number: createAccountNumber('45', tx.synthetic_accounts.size),
    banking_day: bankingDayAfter(today),
    birth_date_of_a_minor: `${Number(today.slice(0, 4)) - 12}${today.slice(4)}`,
  }
}

/** What belongs to the Customer to archive could not be used after that, so it is named by no other example. */
function findAnywhere(tx: ReadTx): Found {
  const parties = findParties(tx)
  const account = parties?.account ?? newest(tx.synthetic_accounts, (one) => isOwn(one) && hasOpenOwner(tx, one))
  const isOther = ({ customer_uid }: { readonly customer_uid: string }) => customer_uid !== account?.customer_uid
  const refundAccount = newest(tx.synthetic_accounts, (one) => isExternal(one) && isOther(one) && hasOpenOwner(tx, one))
  const archivable =
    refundAccount?.customer_uid ?? newest(tx.customers, (one) => isOpen(one) && isOther({ customer_uid: one.uid }))?.uid
  const remains = ({ customer_uid }: { readonly customer_uid: string }) => customer_uid !== archivable
  const vrns = [...take(tx.virtual_reference_numbers.newestFirst(), FEW)]
  const vrn = findVrn(vrns, remains)
  const inUse = findAccountsInUse(tx)
  const returnable = newest(tx.transactions, (one) => isReturnable(tx, one) && remains(one))
  return {
    customers: account?.customer_uid,
    pools: account?.pool_uid,
    synthetic_accounts: account?.uid,
    counterparty: parties?.counterparty.uid,
    archivable_customer: archivable,
    refund_account: refundAccount?.uid,
    archivable_account: newest(
      tx.synthetic_accounts,
      (one) => isExternal(one) && !inUse.has(one.uid) && one.uid !== parties?.counterparty.uid && remains(one),
    )?.uid,
    virtual_reference_numbers: vrn?.uid,
    vrn_customer: vrn?.customer_uid,
    archivable_vrn: findVrn(vrns, (one) => one.uid !== vrn?.uid && remains(one))?.uid,
    cancelable_transfer: newest(
      tx.transfers,
      (one) => isCancelable(one) && remains({ customer_uid: one.initiating_customer_uid }),
    )?.uid,
    authorizable_transaction: newest(tx.transactions, (one) => one.status === 'authorization_pending' && remains(one))
      ?.uid,
    returnable_transaction: returnable?.uid,
    returning_customer: returnable?.customer_uid,
    returnable_ach: newest(tx.transactions, isReturnableAch)?.uid,
  }
}

/** Of one Customer; the record itself wherever an example can name it. */
function findOf(tx: ReadTx, { uid, pool_uids, status }: CustomerRecord, near: Near): Found {
  const isNear = (one: StoredRecord) => one.uid === near.uid
  const { general, external } = accountsOf(tx, uid)
  const vrns = general.flatMap((one) => [
    ...tx.virtual_reference_numbers.newestFirstBy('synthetic_account_uid', one.uid),
  ])
  const nearVrn =
    near.collection === 'virtual_reference_numbers' ? tx.virtual_reference_numbers.get(near.uid) : undefined
  const vrn = nearVrn ?? findVrn(vrns, () => true)
  const transactions = first([...take(tx.transactions.newestFirstBy('customer_uid', uid))], near.uid)
  const [account, second] = first(general, nearVrn?.synthetic_account_uid ?? near.uid)
  const counterparty = external.find(isNear) ?? external.find(settles) ?? second ?? external[0]
  const returnable = transactions.find(isNear) ?? transactions.find((one) => isReturnable(tx, one))
  return {
    customers: uid,
    vrn_customer: uid,
    archivable_customer: uid,
    ...(status === 'initiated' ? { initiated_customer: uid } : {}),
    pools: pool_uids[0],
    synthetic_accounts: account?.uid,
    counterparty: counterparty?.uid,
    refund_account: external[0]?.uid,
    archivable_account: (external.find(isNear) ?? external.find(isExternal))?.uid,
    virtual_reference_numbers: vrn?.uid,
    archivable_vrn: vrn?.uid,
    cancelable_transfer: first([...take(tx.transfers.newestFirstBy('customer_uid', uid))], near.uid).find(isCancelable)
      ?.uid,
    authorizable_transaction: transactions.find((one) => one.status === 'authorization_pending')?.uid,
    returnable_transaction: returnable?.uid,
    returning_customer: uid,
    returnable_ach: transactions.find(isReturnableAch)?.uid,
  }
}

/** The record with this uid, then the others. */
const first = <T extends StoredRecord>(records: readonly T[], uid: Uid): T[] =>
  records.toSorted((a, b) => Number(b.uid === uid) - Number(a.uid === uid))

export function* take<T>(records: Iterable<T>, most = MANY): Iterable<T> {
  let taken = 0
  for (const record of records) {
    yield record
    if (++taken === most) return
  }
}

function newest<T>(records: Source<T>, isWanted: (record: T) => boolean): T | undefined {
  let seen = 0
  for (const record of records.newestFirst()) {
    if (isWanted(record)) return record
    if (++seen === FEW) return undefined
  }
  return undefined
}

/** The fields by which a record names its Customer, directly or by an account. */
type Owned = StoredRecord & {
  readonly customer_uid?: Uid | readonly Uid[]
  readonly customer_uids?: readonly Uid[]
  readonly initiating_customer_uid?: Uid
  readonly requesting_customer_uid?: Uid
  readonly owner_customer_uid?: Uid | null
  readonly synthetic_account_uid?: Uid | readonly Uid[] | null
  readonly transaction_uid?: Uid | null
}

function customerOf(tx: ReadTx, { collection, uid }: Near): CustomerRecord | undefined {
  if (collection === 'customers') return tx.customers.get(uid)
  const record = tx[collection].get(uid) as Owned | undefined
  if (!record) return undefined
  const [named] = [
    ...[record.initiating_customer_uid, record.requesting_customer_uid, record.owner_customer_uid],
    ...[record.customer_uid, record.customer_uids].flat(),
    ...[record.synthetic_account_uid].flat().map((one) => tx.synthetic_accounts.get(one ?? '')?.customer_uid),
    tx.transactions.get(record.transaction_uid ?? '')?.customer_uid,
  ].filter((one) => one != null)
  return named === undefined ? undefined : tx.customers.get(named)
}

function ownNewest(tx: ReadTx, { uid }: CustomerRecord, collection: CollectionName): StoredRecord | undefined {
  const records = tx[collection] as unknown as ReadTx['synthetic_accounts']
  if (collection === 'customers') return tx.customers.get(uid)
  if (indexedFields(collection).includes('customer_uid')) {
    for (const record of records.newestFirstBy('customer_uid', uid)) return record
    return undefined
  }
  return newest(records as Source<StoredRecord>, (one) => customerOf(tx, { collection, uid: one.uid })?.uid === uid)
}

const isOpen = ({ status, locked_at }: CustomerRecord) => status === 'active' && locked_at === null

function hasOpenOwner(tx: ReadTx, { customer_uid }: SyntheticAccountRecord): boolean {
  const owner = tx.customers.get(customer_uid)
  return owner !== undefined && isOpen(owner)
}

const isOwn = ({ status, liability, synthetic_account_category: category }: SyntheticAccountRecord) =>
  status === 'active' && liability && category === 'general'
const isGeneral = ({ synthetic_account_category: category }: SyntheticAccountRecord) => category === 'general'

/** The active accounts of a Customer: general ones with the highest available balance first, external ones newest first. */
export function accountsOf(tx: ReadTx, customer_uid: Uid) {
  const active = [...take(tx.synthetic_accounts.newestFirstBy('customer_uid', customer_uid))].filter(
    ({ status }) => status === 'active',
  )
  const available = (one: SyntheticAccountRecord) => one.net_usd_available_balance ?? money(0)
  return {
    general: active.filter(isOwn).sort((a, b) => (isMore(available(b), available(a)) ? 1 : -1)),
    external: active.filter((account) => !isGeneral(account)),
  }
}

/** More than the examples of payments move. */
const ENOUGH = money(100)

interface Parties {
  readonly account: SyntheticAccountRecord
  readonly counterparty: SyntheticAccountRecord
}

/** An account that can pay, and a counterparty that it can pay by ACH. */
function findParties(tx: ReadTx): Parties | undefined {
  const counterparties = new Map<string, SyntheticAccountRecord>()
  const canPay = (one: SyntheticAccountRecord) =>
    one.liability && one.net_usd_available_balance !== null && isMore(one.net_usd_available_balance, ENOUGH)
  const account = newest(tx.synthetic_accounts, (one) => {
    if (one.status !== 'active' || !hasOpenOwner(tx, one)) return false
    // An external account is opened after the first account of its Customer, so it comes first here.
    if (settles(one) && !counterparties.has(one.pool_uid)) counterparties.set(one.pool_uid, one)
    return canPay(one) && counterparties.has(one.pool_uid)
  })
  const counterparty = account && counterparties.get(account.pool_uid)
  return counterparty && { account, counterparty }
}

/** The number of some counterparties forces a return or a notification: an example should settle. */
const settles = ({ synthetic_account_category: category, account_number }: SyntheticAccountRecord) =>
  category === 'ach_external' && achReturnFor(account_number) === undefined && nocFor(account_number) === undefined

const isExternal = ({ status, synthetic_account_category }: SyntheticAccountRecord) =>
  status === 'active' && synthetic_account_category !== 'general'

/** The accounts of open payments. */
function findAccountsInUse(tx: ReadTx): ReadonlySet<string> {
  const found = new Set<string>()
  newest(tx.transactions, ({ open_for }) => {
    for (const uid of open_for) found.add(uid)
    return false
  })
  return found
}

/** An active one, rather one that receives instant payments, too. */
function findVrn(vrns: readonly VrnRecord[], isWanted: (vrn: VrnRecord) => boolean): VrnRecord | undefined {
  const active = vrns.filter((one) => one.status === 'active' && one.locked_at === null && isWanted(one))
  return active.find((one) => one.instant_payment_rail_registration_status === 'registered') ?? active[0]
}

const isCancelable = ({ status, rail }: RecordOf['transfers']) =>
  status === 'queued' && (rail === 'ach' || rail === 'wire')

/** A wire needs no code for its return. */
function isReturnable(tx: ReadTx, { type, status, originated, return_uid, wire, ...one }: TransactionRecord): boolean {
  if (type !== 'wire' || status !== 'settled' || originated || return_uid != null || wire?.uetr) return false
  const available = tx.synthetic_accounts.get(one.destination_synthetic_account_uid ?? '')?.net_usd_available_balance
  return available != null && !isMore(one.us_dollar_amount, available)
}

const isReturnableAch = ({ type, status, transfer_uid, return_uid, ach }: TransactionRecord): boolean =>
  type === 'ach' && status === 'settled' && transfer_uid !== null && return_uid == null && !ach?.ach_return_code

/** A number that no account has. It ends in zeros, so it forces no outcome. */
const createAccountNumber = (beginning: string, accounts: number) =>
  `${beginning}${String(accounts).padStart(5, '0')}0000`
