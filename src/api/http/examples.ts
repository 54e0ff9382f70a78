import { type ExampleName, examples } from '../contract/terms/examples.ts'
import type { Source } from '../contract/terms/list.ts'
import { bankingDayAfter, dateAt } from '../domain/rules/calendar.ts'
import { isMore, money } from '../domain/rules/money.ts'
import { toMs } from '../store/clock.ts'
import type { ReadTx } from '../store/tx.ts'
import type { CustomerRecord, SyntheticAccountRecord, TransactionRecord } from '../store/world.ts'

/**
 * The values of a Program for the examples of the OpenAPI document, so that its requests can be sent as they are. If no record
 * is in the state that an operation needs, such as a queued Transfer, the example names another one of the collection.
 */
export function findExamples(tx: ReadTx): ReadonlyMap<ExampleName, string> {
  const parties = findParties(tx)
  const isOther = ({ customer_uid }: { readonly customer_uid: string }) =>
    customer_uid !== parties?.account.customer_uid
  const refundAccount = newest(tx.synthetic_accounts, (one) => isExternal(one) && isOther(one) && hasOpenOwner(tx, one))
  const archivable =
    refundAccount?.customer_uid ?? newest(tx.customers, (one) => isOpen(one) && isOther({ customer_uid: one.uid }))?.uid
  // What belongs to the Customer to archive could not be used after that.
  const remains = ({ customer_uid }: { readonly customer_uid: string }) => customer_uid !== archivable
  const isActiveVrn = ({ status, locked_at }: { status: string; locked_at: string | null }) =>
    status === 'active' && locked_at === null
  const vrn = newest(tx.virtual_reference_numbers, (one) => isActiveVrn(one) && remains(one))
  const inUse = findAccountsInUse(tx)
  const returnable = newest(tx.transactions, (one) => isReturnable(tx, one) && remains(one))
  const found: Partial<Record<ExampleName, string | undefined>> = {
    customers: parties?.account.customer_uid,
    pools: parties?.account.pool_uid,
    synthetic_accounts: parties?.account.uid,
    counterparty: parties?.counterparty.uid,
    ach_account_type: newest(tx.synthetic_account_types, (one) => one.synthetic_account_category === 'ach_external')
      ?.uid,
    initiated_customer: newest(tx.customers, ({ status }) => status === 'initiated')?.uid,
    initial_product: newest(tx.products, (one) => one.prerequisite_product_uids.length === 0)?.uid,
    archivable_customer: archivable,
    refund_account: refundAccount?.uid,
    archivable_account: newest(
      tx.synthetic_accounts,
      (one) => isExternal(one) && !inUse.has(one.uid) && one.uid !== parties?.counterparty.uid && remains(one),
    )?.uid,
    virtual_reference_numbers: vrn?.uid,
    archivable_vrn: newest(
      tx.virtual_reference_numbers,
      (one) => isActiveVrn(one) && one.uid !== vrn?.uid && remains(one),
    )?.uid,
    cancelable_transfer: newest(
      tx.transfers,
      ({ status, rail, initiating_customer_uid: customer_uid }) =>
        status === 'queued' && (rail === 'ach' || rail === 'wire') && remains({ customer_uid }),
    )?.uid,
    authorizable_transaction: newest(tx.transactions, (one) => one.status === 'authorization_pending' && remains(one))
      ?.uid,
    returnable_transaction: returnable?.uid,
    returning_customer: returnable?.customer_uid,
    new_account_number: createAccountNumber('44', tx.synthetic_accounts.size),
    another_new_account_number: createAccountNumber('45', tx.synthetic_accounts.size),
    banking_day: bankingDayAfter(dateAt(toMs(tx.now))),
  }
  const names = Object.keys(examples) as ExampleName[]
  return new Map(names.map((name) => [name, found[name] ?? findAny(tx, name) ?? examples[name]]))
}

/** How many of the newest records are looked through, as the document needs no token and a world may be large. */
const LIMIT = 500

function newest<T>(records: Source<T>, isWanted: (record: T) => boolean): T | undefined {
  let seen = 0
  for (const record of records.newestFirst()) {
    if (isWanted(record)) return record
    if (++seen === LIMIT) return undefined
  }
  return undefined
}

/** The collections of the records that an operation needs in a certain state. */
const COLLECTION_OF = {
  initiated_customer: 'customers',
  archivable_customer: 'customers',
  returning_customer: 'customers',
  refund_account: 'synthetic_accounts',
  archivable_account: 'synthetic_accounts',
  counterparty: 'synthetic_accounts',
  ach_account_type: 'synthetic_account_types',
  initial_product: 'products',
  archivable_vrn: 'virtual_reference_numbers',
  cancelable_transfer: 'transfers',
  authorizable_transaction: 'transactions',
  returnable_transaction: 'transactions',
} as const satisfies Partial<Record<ExampleName, ExampleName>>

function findAny(tx: ReadTx, name: ExampleName): string | undefined {
  const collection = name in COLLECTION_OF ? COLLECTION_OF[name as keyof typeof COLLECTION_OF] : name
  const records = (tx as unknown as Record<string, Source<{ readonly uid: string }> | undefined>)[collection]
  return records && newest(records, () => true)?.uid
}

const isOpen = ({ status, locked_at }: CustomerRecord) => status === 'active' && locked_at === null

function hasOpenOwner(tx: ReadTx, { customer_uid }: SyntheticAccountRecord): boolean {
  const owner = tx.customers.get(customer_uid)
  return owner !== undefined && isOpen(owner)
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
    if (one.synthetic_account_category === 'ach_external' && !counterparties.has(one.pool_uid))
      counterparties.set(one.pool_uid, one)
    return canPay(one) && counterparties.has(one.pool_uid)
  })
  const counterparty = account && counterparties.get(account.pool_uid)
  return counterparty && { account, counterparty }
}

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

/** A wire needs no code for its return. */
function isReturnable(tx: ReadTx, { type, status, originated, return_uid, wire, ...one }: TransactionRecord): boolean {
  if (type !== 'wire' || status !== 'settled' || originated || return_uid != null || wire?.uetr) return false
  const available = tx.synthetic_accounts.get(one.destination_synthetic_account_uid ?? '')?.net_usd_available_balance
  return available != null && !isMore(one.us_dollar_amount, available)
}

/** A number that no account has. It ends in zeros, so it forces no outcome. */
const createAccountNumber = (beginning: string, accounts: number) =>
  `${beginning}${String(accounts).padStart(5, '0')}0000`
