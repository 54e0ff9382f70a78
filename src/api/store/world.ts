import { type CollectionName, collectionNames, collections, indexedFields } from '../contract/collections.ts'
import type { BreakOn } from '../contract/control/clock.ts'
import type { Description, PoolName, TaskReason } from '../contract/messages.ts'
import type {
  CustodialAccountClosingBalance,
  SyntheticAccountClosingBalance,
} from '../contract/resources/closing-balances.ts'
import type { CombinedTransfer, CreateCombinedTransfer } from '../contract/resources/combined-transfers.ts'
import type { CustodialAccount, derivedFields as ofCustodial } from '../contract/resources/custodial-accounts.ts'
import type { CustomerProduct } from '../contract/resources/customer-products.ts'
import type { Customer, derivedFields } from '../contract/resources/customers.ts'
import type { KycEvaluation } from '../contract/resources/kyc-evaluations.ts'
import type { Pool } from '../contract/resources/pools.ts'
import type { Product } from '../contract/resources/products.ts'
import type { Program } from '../contract/resources/programs.ts'
import type { Return } from '../contract/resources/returns.ts'
import type {
  derivedFields as ofSynthetic,
  SyntheticAccount,
  SyntheticAccountType,
} from '../contract/resources/synthetic-accounts.ts'
import type {
  CustodialLineItem,
  derivedFields as ofTransaction,
  SyntheticLineItem,
  Transaction,
  TransactionEvent,
} from '../contract/resources/transactions.ts'
import type { derivedFields as ofTransfer, Transfer } from '../contract/resources/transfers.ts'
import type { derivedFields as ofVrn, VirtualReferenceNumber } from '../contract/resources/virtual-reference-numbers.ts'
import type { TaskKind } from '../contract/tasks.ts'
import type { List } from '../contract/terms/list.ts'
import type { Money, Timestamp, Uid } from '../contract/terms/primitives.ts'
import { Collection, type Field, type ReadCollection, type StoredRecord } from './collection.ts'

/** The shape of everything saved. What a record has beyond its contract's shape is private: kept, never sent. */

export { type CollectionName, collectionNames, type StoredRecord }

/** A Program belongs to itself, so that a draft of a Program finds its own record and no other. */
export interface ProgramRecord extends Program, StoredRecord {
  /** Keys that it had before, the newest last: whoever still sends one has it taken out of the request log. */
  readonly former_hmac_keys?: readonly string[]
}

export interface CustomerRecord extends Omit<Customer, keyof typeof derivedFields>, StoredRecord {
  /** Write-only in the API, sealed here (`seal.ts`). */
  readonly ssn: string | null
  /** What the archive request asked for. */
  readonly archival?: {
    readonly archive_note: string | null
    readonly can_apply_again: boolean
    readonly destination_synthetic_account_uid: Uid | null
  }
}

export interface ProductRecord extends Product, StoredRecord {}

export interface SyntheticAccountTypeRecord extends SyntheticAccountType, StoredRecord {}

export interface PoolRecord extends Omit<Pool, 'name'>, StoredRecord {
  readonly name: PoolName
}

/** Email and product name are the Customer's and the Product's, and shown from there. */
export interface CustomerProductRecord extends Omit<CustomerProduct, 'customer_email' | 'product_name'>, StoredRecord {}

/** What every account of either book has. The sum of its line items; the balances that are shown are null for some. */
interface InABook {
  readonly book_balance: Money
}

export interface CustodialAccountRecord
  extends Omit<CustodialAccount, keyof typeof ofCustodial>,
    InABook,
    StoredRecord {}

export interface SyntheticAccountRecord
  extends Omit<SyntheticAccount, keyof typeof ofSynthetic>,
    InABook,
    StoredRecord {
  readonly customer_uid: Uid
}

export type Rail = 'book' | 'ach' | 'wire' | 'instant_payment'

export interface TransferRecord extends Omit<Transfer, keyof typeof ofTransfer>, StoredRecord {
  readonly pool_uid: Uid
  readonly rail: Rail
  /** Both parties and both accounts, to be found by. */
  readonly customer_uid: readonly Uid[]
  readonly synthetic_account_uid: readonly Uid[]
  /** The service sends it, and not the Client. */
  readonly purpose?: 'archival'
}

export interface TransactionRecord extends Omit<Transaction, keyof typeof ofTransaction>, StoredRecord {
  readonly description: Description
  readonly pool_uid: Uid
  readonly rail: Rail
  /** It, or what it returns, began here by a transfer; else it came in from outside. */
  readonly originated: boolean
  /** Both accounts, to be found by. */
  readonly synthetic_account_uid: readonly Uid[]
  /** While it is on its way: whom it concerns. Empty once it has come to its end. */
  readonly open_for: readonly Uid[]
  /** When its rail is through with it. */
  readonly settles_at: Timestamp
  /** When it came to its end, whatever that was. Payments of older worlds that have not settled do not say. */
  readonly ended_at?: Timestamp
  /** It will not settle but fail; for an instant payment with the network's code. */
  readonly will_fail?: { readonly failure_code?: string; readonly failure_reason?: string }
  /** When the return that its data has asked for settles. */
  readonly comes_back_at?: Timestamp
  /** The close of the business day on whose statement it stands. */
  readonly posts_at?: Timestamp
  /** Of a paper check: it posts when it is mailed, and is cashed some time later. */
  readonly check?: { readonly cashed_at?: Timestamp }
  /** Of a return: what it returns. */
  readonly original_transaction_uid?: Uid
}

export interface TransactionEventRecord extends Omit<TransactionEvent, 'description'>, StoredRecord {
  readonly description: Description
  readonly transaction_uid: Uid
}

export interface SyntheticLineItemRecord extends Omit<SyntheticLineItem, 'description'>, StoredRecord {
  readonly description: Description
  readonly customer_uid: Uid
  readonly pool_uid: Uid
}

export interface CustodialLineItemRecord extends Omit<CustodialLineItem, 'description'>, StoredRecord {
  readonly description: Description
  readonly customer_uid: Uid
}

export interface VirtualReferenceNumberRecord extends Omit<VirtualReferenceNumber, keyof typeof ofVrn>, StoredRecord {
  readonly customer_uid: Uid
  /** When it was last locked or unlocked: the cooldown counts from here. */
  readonly turned_at: Timestamp | null
  /** What becomes of its registration: told by its name when it was made. */
  readonly registers: 'register' | 'fail'
}

export interface ReturnRecord extends Return, StoredRecord {}

export interface CombinedTransferRecord extends Omit<CombinedTransfer, 'synthetic_account' | 'transfer'>, StoredRecord {
  readonly asked: CreateCombinedTransfer
  readonly synthetic_account_uid: Uid | null
  readonly transfer_uid: Uid | null
}

export interface CustodialClosingBalanceRecord extends CustodialAccountClosingBalance, StoredRecord {}

export interface SyntheticClosingBalanceRecord extends SyntheticAccountClosingBalance, StoredRecord {}

export interface KycEvaluationRecord extends KycEvaluation, StoredRecord {}

export interface TaskRecord extends StoredRecord {
  readonly due_at: Timestamp
  readonly kind: TaskKind
  readonly subject_uid: Uid | null
  readonly why: TaskReason
  readonly recurring: boolean
  readonly held: boolean
  /** The message of the error that stopped it; a failed task is kept and not tried again by itself. */
  readonly failed: string | null
}

export interface RecordOf {
  programs: ProgramRecord
  customers: CustomerRecord
  products: ProductRecord
  synthetic_account_types: SyntheticAccountTypeRecord
  pools: PoolRecord
  customer_products: CustomerProductRecord
  custodial_accounts: CustodialAccountRecord
  synthetic_accounts: SyntheticAccountRecord
  custodial_account_closing_balances: CustodialClosingBalanceRecord
  synthetic_account_closing_balances: SyntheticClosingBalanceRecord
  kyc_evaluations: KycEvaluationRecord
  transfers: TransferRecord
  transactions: TransactionRecord
  transaction_events: TransactionEventRecord
  synthetic_line_items: SyntheticLineItemRecord
  custodial_line_items: CustodialLineItemRecord
  virtual_reference_numbers: VirtualReferenceNumberRecord
  returns: ReturnRecord
  combined_transfers: CombinedTransferRecord
  tasks: TaskRecord
}

/** A row whose filters, sorts and lookups read only fields that these records have. */
interface RowFor<R extends StoredRecord> {
  readonly list: { readonly [P in keyof List<R>]: List<R>[P] }
  readonly lookups?: readonly Field<R>[]
}

/** Does not compile unless each row has its record type above, and each record type its row. */
const rows: { readonly [N in keyof RecordOf]: RowFor<RecordOf[N]> } = collections

export type Collections = { readonly [N in CollectionName]: Collection<RecordOf[N]> }

/** The part of a world that does not change it. */
export interface ReadWorld extends Readonly<Omit<World, 'collections'>> {
  readonly collections: { readonly [N in CollectionName]: ReadCollection<RecordOf[N]> }
}

export const readCollection = (world: ReadWorld, name: CollectionName) =>
  world.collections[name] as unknown as ReadCollection<StoredRecord>

/** A collection whose name is known only when it runs. */
export const collectionOf = (world: World, name: CollectionName) =>
  world.collections[name] as unknown as Collection<StoredRecord>

/** Recurring tasks come first: a payment at the very instant of a close belongs to the next business day. */
const taskOrder = (a: TaskRecord, b: TaskRecord) =>
  a.due_at < b.due_at ? -1 : a.due_at > b.due_at ? 1 : Number(b.recurring) - Number(a.recurring) || a.made - b.made

export function emptyCollections(): Collections {
  const empty = collectionNames.map((name) => [
    name,
    new Collection<StoredRecord>({
      indexes: indexedFields(name) as Field<StoredRecord>[],
      aside: rows[name].list.aside as ((record: StoredRecord) => boolean) | undefined,
      ...(name === 'tasks' ? { order: taskOrder as never } : {}),
    }),
  ])
  return Object.fromEntries(empty) as Collections
}

export interface ClockState {
  readonly mode: 'running' | 'frozen'
  readonly pace: 'fast' | 'real'
  /** Simulated time: when frozen, now; when running, now at the moment the clock was last set going. */
  readonly at: Timestamp
  /** It freezes when a record of this collection first comes to this status. */
  readonly break_on?: BreakOn
}

export interface Counters {
  readonly uid: number
  readonly made: number
}

export interface World {
  seed: string
  start: Timestamp
  seq: number
  clock: ClockState
  counters: Counters
  readonly collections: Collections
}

export const emptyWorld = (
  seed: string,
  start: Timestamp,
  clock: Omit<ClockState, 'at'> = { mode: 'frozen', pace: 'fast' },
): World => ({
  seed,
  start,
  seq: 0,
  clock: { ...clock, at: start },
  counters: { uid: 0, made: 0 },
  collections: emptyCollections(),
})

/** A world as it stood at an instant: records never change, so holding on to them is enough. */
export interface WorldImage extends Readonly<Omit<World, 'collections'>> {
  readonly records: Readonly<Record<CollectionName, readonly StoredRecord[]>>
}

export function captureWorld(world: World): WorldImage {
  const { collections: _, ...about } = world
  const records = collectionNames.map((name) => [name, [...collectionOf(world, name).inOrder()]])
  return { ...about, records: Object.fromEntries(records) as WorldImage['records'] }
}

export const countRecords = ({ records }: WorldImage): number =>
  Object.values(records).reduce((sum, { length }) => sum + length, 0)
