import type { KycEvaluation } from '../contract/control.ts'
import type {
  CustodialAccountClosingBalance,
  SyntheticAccountClosingBalance,
} from '../contract/resources/closing-balances.ts'
import type { CustodialAccount, workedOut as ofCustodial } from '../contract/resources/custodial-accounts.ts'
import type { CustomerProduct } from '../contract/resources/customer-products.ts'
import type { Customer, workedOut } from '../contract/resources/customers.ts'
import type { Pool } from '../contract/resources/pools.ts'
import type { Product } from '../contract/resources/products.ts'
import type { Program } from '../contract/resources/programs.ts'
import type {
  workedOut as ofSynthetic,
  SyntheticAccount,
  SyntheticAccountType,
} from '../contract/resources/synthetic-accounts.ts'
import type { Timestamp, Uid } from '../contract/terms/primitives.ts'
import { Collection, type Kept } from './collection.ts'

/** The shape of everything saved. What a record has beyond its contract's shape is private: kept, never sent. */

export type { Kept }

/** A Program belongs to itself, so that a draft of a Program finds its own record and no other. */
export interface ProgramRecord extends Program, Kept {}

export interface CustomerRecord extends Omit<Customer, keyof typeof workedOut>, Kept {
  /** Write-only in the API, sealed here (`seal.ts`). */
  readonly ssn: string | null
  /** What the archive request asked for. */
  readonly archival?: {
    readonly archive_note: string | null
    readonly can_apply_again: boolean
    readonly destination_synthetic_account_uid: Uid | null
  }
}

export interface ProductRecord extends Product, Kept {}

export interface SyntheticAccountTypeRecord extends SyntheticAccountType, Kept {}

export interface PoolRecord extends Pool, Kept {}

/** Email and product name are the Customer's and the Product's, and shown from there. */
export interface CustomerProductRecord extends Omit<CustomerProduct, 'customer_email' | 'product_name'>, Kept {}

export interface CustodialAccountRecord extends Omit<CustodialAccount, keyof typeof ofCustodial>, Kept {}

export interface SyntheticAccountRecord extends Omit<SyntheticAccount, keyof typeof ofSynthetic>, Kept {
  readonly customer_uid: Uid
}

export interface CustodialClosingBalanceRecord extends CustodialAccountClosingBalance, Kept {}

export interface SyntheticClosingBalanceRecord extends SyntheticAccountClosingBalance, Kept {}

export interface KycEvaluationRecord extends KycEvaluation, Kept {}

export interface TaskRecord extends Kept {
  readonly due_at: Timestamp
  readonly kind: string
  readonly subject_uid: Uid | null
  readonly why: string
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
  tasks: TaskRecord
}
export type CollectionName = keyof RecordOf

export type Collections = { readonly [N in CollectionName]: Collection<RecordOf[N]> }

/** A collection whose name is known only when it runs. */
export const collectionOf = (world: World, name: CollectionName) =>
  world.collections[name] as unknown as Collection<Kept>

/** Each collection with the fields that it is looked up by. */
export const emptyCollections = (): Collections => ({
  programs: new Collection<ProgramRecord>({ indexes: ['client_uid'] }),
  customers: new Collection<CustomerRecord>({
    indexes: ['external_uid', 'primary_customer_uid', 'email', 'pool_uids', 'ssn'],
  }),
  products: new Collection<ProductRecord>({}),
  synthetic_account_types: new Collection<SyntheticAccountTypeRecord>({}),
  pools: new Collection<PoolRecord>({ indexes: ['customer_uids'] }),
  customer_products: new Collection<CustomerProductRecord>({ indexes: ['customer_uid'] }),
  custodial_accounts: new Collection<CustodialAccountRecord>({ indexes: ['customer_uid', 'pool_uid'] }),
  synthetic_accounts: new Collection<SyntheticAccountRecord>({
    indexes: ['external_uid', 'customer_uid', 'pool_uid', 'account_number'],
  }),
  custodial_account_closing_balances: new Collection<CustodialClosingBalanceRecord>({
    indexes: ['custodial_account_uid'],
  }),
  synthetic_account_closing_balances: new Collection<SyntheticClosingBalanceRecord>({
    indexes: ['synthetic_account_uid'],
  }),
  kyc_evaluations: new Collection<KycEvaluationRecord>({ indexes: ['customer_uid'] }),
  tasks: new Collection<TaskRecord>({
    indexes: ['subject_uid'],
    order: (a, b) => (a.due_at < b.due_at ? -1 : a.due_at > b.due_at ? 1 : a.made - b.made),
  }),
})

export const collectionNames = Object.keys(emptyCollections()) as CollectionName[]

export interface ClockState {
  readonly mode: 'running' | 'frozen'
  readonly pace: 'fast' | 'real'
  /** Simulated time: when frozen, now; when running, now at the moment the clock was last set going. */
  readonly at: Timestamp
}

export interface Counters {
  readonly uid: number
  readonly made: number
}

export interface World {
  readonly seed: string
  readonly start: Timestamp
  seq: number
  clock: ClockState
  counters: Counters
  readonly collections: Collections
}

export const emptyWorld = (seed: string, start: Timestamp, clock: Omit<ClockState, 'at'>): World => ({
  seed,
  start,
  seq: 0,
  clock: { ...clock, at: start },
  counters: { uid: 0, made: 0 },
  collections: emptyCollections(),
})
