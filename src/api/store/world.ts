import {
  type CollectionName,
  collectionNames,
  collections,
  type DeclaredRecord,
  indexedFields,
} from '../contract/collections.ts'
import type { BreakOn } from '../contract/control/clock.ts'
import type { Description, PoolName, TaskReason } from '../contract/messages.ts'
import type { CombinedTransfer, CreateCombinedTransfer } from '../contract/resources/combined-transfers.ts'
import type { CustodialAccount, derivedFields as ofCustodial } from '../contract/resources/custodial-accounts.ts'
import type { CustomerProduct } from '../contract/resources/customer-products.ts'
import type { Customer, derivedFields } from '../contract/resources/customers.ts'
import type { Pool } from '../contract/resources/pools.ts'
import type { ConfiguredProduct } from '../contract/resources/products.ts'
import type { Program } from '../contract/resources/programs.ts'
import type { derivedFields as ofSynthetic, SyntheticAccount } from '../contract/resources/synthetic-accounts.ts'
import type {
  CustodialLineItem,
  derivedFields as ofTransaction,
  SyntheticLineItem,
  Transaction,
  TransactionEvent,
} from '../contract/resources/transactions.ts'
import type { derivedFields as ofTransfer, Transfer } from '../contract/resources/transfers.ts'
import type { derivedFields as ofVrn, Vrn } from '../contract/resources/virtual-reference-numbers.ts'
import type { derivedFields as ofDelivery, WebhookDelivery } from '../contract/resources/webhooks.ts'
import type { TaskKind } from '../contract/tasks.ts'
import type { List } from '../contract/terms/list.ts'
import type { Money, Timestamp, Uid } from '../contract/terms/primitives.ts'
import type { ForcedOutcomes } from '../contract/triggers.ts'
import { Collection, type Field, type ReadCollection, type StoredRecord } from './collection.ts'
import { Digest } from './digest.ts'
import { StoreError } from './store-error.ts'

/** The types of all stored records. Fields that the contract does not have are private: stored, never sent. */

export { type CollectionName, collectionNames, type StoredRecord }

/** The `program_uid` of a Program is its own uid, so a draft of a Program finds this record and no other one. */
export interface ProgramRecord extends Program, StoredRecord {
  /** Earlier keys, the newest last. They are still redacted from the request log. */
  readonly former_hmac_keys?: readonly string[]
  /** How often the operator has expired its access tokens. */
  readonly token_expirations?: number
  /** Of a masked world: what the values forced that the mask replaced. */
  readonly forced_outcomes?: ForcedOutcomes
}

export interface CustomerRecord extends Omit<Customer, keyof typeof derivedFields>, StoredRecord {
  /** Write-only in the API, stored sealed (`seal.ts`). */
  readonly ssn: string | null
  /** The parameters of the archive request. */
  readonly archival?: {
    readonly archive_note: string | null
    readonly can_apply_again: boolean
    readonly destination_synthetic_account_uid: Uid | null
  }
}

export interface ProductRecord extends ConfiguredProduct, StoredRecord {}

export interface PoolRecord extends Omit<Pool, 'name'>, StoredRecord {
  readonly name: PoolName
}

/** Email and product name are shown from the Customer and the Product. */
export interface CustomerProductRecord extends Omit<CustomerProduct, 'customer_email' | 'product_name'>, StoredRecord {}

interface AccountInBook {
  /** The sum of its line items, also for accounts that show null as their balance. */
  readonly book_balance: Money
}

export interface CustodialAccountRecord
  extends Omit<CustodialAccount, keyof typeof ofCustodial>,
    AccountInBook,
    StoredRecord {}

export interface SyntheticAccountRecord
  extends Omit<SyntheticAccount, keyof typeof ofSynthetic>,
    AccountInBook,
    StoredRecord {
  readonly customer_uid: Uid
}

export type Rail = 'book' | 'ach' | 'wire' | 'instant_payment'
/** Movements outside the application do not use the rails of Transfers. */
export type PaymentRail = Rail | 'card' | 'custodian'

export interface TransferRecord extends Omit<Transfer, keyof typeof ofTransfer>, StoredRecord {
  readonly pool_uid: Uid
  readonly rail: Rail
  /** Both parties and both accounts, for the indexes. */
  readonly customer_uid: readonly Uid[]
  readonly synthetic_account_uid: readonly Uid[]
  /** Set if the platform created it, not the Client. */
  readonly purpose?: 'archival'
}

export interface Hold {
  readonly from: Timestamp
  readonly us_dollar_amount: Money
}

export interface TransactionRecord extends Omit<Transaction, keyof typeof ofTransaction>, StoredRecord {
  readonly description: Description
  readonly pool_uid: Uid
  readonly rail: PaymentRail
  /** True if it, or the payment that it returns, began with a Transfer; false if it came from outside. */
  readonly originated: boolean
  /** Both accounts, for the index. */
  readonly synthetic_account_uid: readonly Uid[]
  /** The uids of accounts and Customers while it is open; empty once it has ended. For the index. */
  readonly open_for: readonly Uid[]
  /** When it settles, according to its rail. */
  readonly settles_at: Timestamp
  /** When it settled, failed or was denied. Missing for payments of older worlds that did not settle. */
  readonly ended_at?: Timestamp
  /** Set if it will fail instead of settling; for an instant payment with the network's code. */
  readonly will_fail?: { readonly failure_code?: string; readonly failure_reason?: string }
  /** When the return that its data forces settles. */
  readonly comes_back_at?: Timestamp
  /** The end of the business day on whose statement it appears. */
  readonly posts_at?: Timestamp
  /** Only for a paper check. It posts when it is mailed, and is cashed some time later. */
  readonly check?: { readonly cashed_at?: Timestamp }
  /** Only for a return: the payment that it returns. */
  readonly original_transaction_uid?: Uid
  /** Its Transfer follows the first presentment only. */
  readonly is_re_presented?: true
  /** Only for a card authorization. `holds`: what it has held and from when, once that has changed. */
  readonly card?: {
    readonly expires?: true
    readonly settles_for?: Money
    readonly holds?: readonly Hold[]
  }
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

export interface VrnRecord extends Omit<Vrn, keyof typeof ofVrn>, StoredRecord {
  readonly customer_uid: Uid
  /** When it was last locked or unlocked; the cooldown starts here. */
  readonly turned_at: Timestamp | null
  /** The outcome of its registration, decided by its name at creation. */
  readonly registers: 'register' | 'fail'
}

export interface CombinedTransferRecord extends Omit<CombinedTransfer, 'synthetic_account' | 'transfer'>, StoredRecord {
  readonly asked: CreateCombinedTransfer
  /** The side of the Customer's account, if both sides were given. */
  readonly own_side?: 'source' | 'destination'
  readonly synthetic_account_uid: Uid | null
  readonly transfer_uid: Uid | null
}

export interface TaskRecord extends StoredRecord {
  readonly due_at: Timestamp
  readonly kind: TaskKind
  readonly subject_uid: Uid | null
  readonly why: TaskReason
  readonly recurring: boolean
  readonly held: boolean
  /** The earlier task of the record that was held; absent if the operator held this one. */
  readonly held_by?: Uid
  /** The message of the error. A failed task stays in the list and runs again only if the operator runs it. */
  readonly failed: string | null
}

export interface WebhookDeliveryRecord extends Omit<WebhookDelivery, keyof typeof ofDelivery>, StoredRecord {}

/** A collection whose records are stored as its schema shows them needs no line. */
interface RecordTypes {
  programs: ProgramRecord
  customers: CustomerRecord
  products: ProductRecord
  pools: PoolRecord
  customer_products: CustomerProductRecord
  custodial_accounts: CustodialAccountRecord
  synthetic_accounts: SyntheticAccountRecord
  transfers: TransferRecord
  transactions: TransactionRecord
  transaction_events: TransactionEventRecord
  synthetic_line_items: SyntheticLineItemRecord
  custodial_line_items: CustodialLineItemRecord
  virtual_reference_numbers: VrnRecord
  combined_transfers: CombinedTransferRecord
  tasks: TaskRecord
  webhook_deliveries: WebhookDeliveryRecord
}

export type RecordOf = {
  [N in CollectionName]: N extends keyof RecordTypes ? RecordTypes[N] : DeclaredRecord<N> & StoredRecord
}
export type ReturnRecord = RecordOf['returns']
export type KycEvaluationRecord = RecordOf['kyc_evaluations']
export type WebhookRecord = RecordOf['webhooks']
export type WebhookEventRecord = RecordOf['webhook_events']

/** The collections whose changes are events. */
export const eventCollections: ReadonlySet<CollectionName> = new Set([
  ...(['customers', 'synthetic_accounts', 'virtual_reference_numbers', 'transfers', 'transactions'] as const),
])

/** A row of the table of collections. Its filters, sort orders and indexes may read only fields of these records. */
interface RowFor<R extends StoredRecord> {
  readonly list: { readonly [P in keyof List<R>]: List<R>[P] }
  readonly indexes?: readonly Field<R>[]
}

/** Does not compile unless each collection has a row that reads only fields of its records. */
const rows: { readonly [N in CollectionName]: RowFor<RecordOf[N]> } = collections

export type Collections = { readonly [N in CollectionName]: Collection<RecordOf[N]> }

/** A world without the methods that change it. */
export interface ReadWorld extends Readonly<Omit<World, 'collections'>> {
  readonly collections: { readonly [N in CollectionName]: ReadCollection<RecordOf[N]> }
}

export const readCollection = (world: ReadWorld, name: CollectionName) =>
  world.collections[name] as unknown as ReadCollection<StoredRecord>

/** For a name that the compiler does not know. */
export const collectionOf = (world: Pick<World, 'collections'>, name: CollectionName) =>
  world.collections[name] as unknown as Collection<StoredRecord>

/** Recurring tasks come first: a payment at the very instant of a close belongs to the next business day. */
const taskOrder = (a: TaskRecord, b: TaskRecord) =>
  a.due_at < b.due_at ? -1 : a.due_at > b.due_at ? 1 : Number(b.recurring) - Number(a.recurring) || a.made - b.made

export function emptyCollections(): Collections {
  const empty = collectionNames.map((name) => [
    name,
    new Collection<StoredRecord>({
      name,
      indexes: indexedFields(name) as Field<StoredRecord>[],
      aside: rows[name].list.isHidden as ((record: StoredRecord) => boolean) | undefined,
      ...(name === 'tasks' ? { order: taskOrder as never } : {}),
    }),
  ])
  return Object.fromEntries(empty) as Collections
}

/** The same records. Later changes of either are not seen in the other. */
export const forkCollections = (collections: Collections): Collections =>
  Object.fromEntries(
    collectionNames.map((name) => [name, collectionOf({ collections }, name).fork()]),
  ) as unknown as Collections

/** Of each collection that has records. */
export type DigestsByCollection = Partial<Record<CollectionName, string>>

export const digestsOf = (world: Pick<World, 'collections'>): DigestsByCollection =>
  Object.fromEntries(
    collectionNames.flatMap((name) => {
      const { size, digest } = collectionOf(world, name)
      return size === 0 ? [] : [[name, `${digest}`]]
    }),
  )

/** Of all records. */
export function digestOf(world: Pick<World, 'collections'>): Digest {
  const digest = new Digest()
  for (const name of collectionNames) digest.add(collectionOf(world, name).digest)
  return digest
}

/** Throws if these are not the records with this digest, which is a defect. */
export function requireRecords(found: Digest, expected: string, which: string) {
  if (`${found}` !== expected)
    throw new StoreError(
      `The records ${which} are not the expected ones: their digests differ. Nothing was changed. This is a defect of Sandbank: please report it`,
    )
}

export interface ClockState {
  readonly mode: 'running' | 'frozen'
  readonly pace: 'fast' | 'real'
  /** Simulated time: of a frozen clock, now; of a running clock, when it was last started. */
  readonly at: Timestamp
  /** Freezes the clock when a record of this collection reaches this status. */
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
  /** Replaced as a whole when another world takes the place of this one. */
  collections: Collections
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

/** The world at one instant. Records never change, so references are enough. */
export interface WorldImage extends Readonly<Omit<World, 'collections'>> {
  readonly records: Readonly<Record<CollectionName, readonly StoredRecord[]>>
  readonly digests: DigestsByCollection
}

export function captureWorld(world: World): WorldImage {
  const { collections: _, ...about } = world
  const records = collectionNames.map((name) => [name, collectionOf(world, name).inOrder().slice()])
  return { ...about, records: Object.fromEntries(records) as WorldImage['records'], digests: digestsOf(world) }
}

/** The number of its records. */
export const sizeOf = (world: Pick<World, 'collections'>): number =>
  collectionNames.reduce((sum, name) => sum + collectionOf(world, name).size, 0)

export const countRecords = ({ records }: WorldImage): number =>
  Object.values(records).reduce((sum, { length }) => sum + length, 0)
