import type { Category, Force, Limits, Person } from '../operations.ts'
import type { Pace, Rail } from './rails.ts'

/** The state of the model: plain data, so that a copy is a `structuredClone`. Amounts are whole cents, instants are milliseconds. */

/** A uid is null until it is learnt from a response. */
export type Uid = string | null

export interface Customer {
  uid: Uid
  readonly person: Person
  status:
    | 'initiated'
    | 'queued'
    | 'identity_verified'
    | 'active'
    | 'manual_review'
    | 'rejected'
    | 'pending_archival'
    | 'archived'
  kyc: string | null
  pool: Uid
  /** The external account that an archival refunds to. Position in `State.accounts`. */
  refundTo: number | null
}

export interface Account {
  uid: Uid
  readonly name: string
  /** Position in `State.customers`. */
  readonly customer: number
  readonly category: Category
  /** The service keeps one asset account per Pool: payments from outside come from it. */
  readonly role: 'master' | 'asset' | 'opened'
  readonly force: Force
  status: 'initiated' | 'active' | 'failed' | 'archived'
}

export type PaymentStatus =
  | 'queued'
  | 'pending'
  | 'settled'
  | 'failed'
  | 'canceled'
  | 'authorization_pending'
  | 'authorization_denied'

export interface Payment {
  uid: Uid
  readonly type: string
  readonly rail: Rail
  readonly customer: number
  readonly source: number
  readonly destination: number
  readonly cents: number
  readonly createdAt: number
  /** Position in `State.transfers`. */
  readonly transfer: number | null
  readonly vrn: number | null
  status: PaymentStatus
  settledAt: number | null
  /** The order of settlement: 1 is the first. */
  settledIndex: number | null
  /** When a payment to a VRN would settle if it were approved at once. */
  readonly railSettlesAt: number
  readonly force: Force
  /** Received from outside. */
  readonly isReceived: boolean
  /** Sent by an archival. */
  readonly isRefund: boolean
  authorization: string | null
  authorizeBy: number | null
  /** When a return that its account number forces settles. */
  comesBackAt: number | null
  /** R01 if that is the code of the newest return; another code, or none, is null. */
  returnCode: 'R01' | null
  /** The newest payment that returns this one. */
  returnedBy: number | null
}

export interface Transfer {
  uid: Uid
  readonly rail: Rail
  readonly payment: number
  /** The number in its external_uid. */
  readonly external: number | null
}

export interface Return {
  uid: Uid
  readonly original: number
  readonly payment: number
}

export interface CombinedTransfer {
  uid: Uid
  readonly name: string
  readonly customer: number
  /** Position of the account that pays, or that collects. */
  readonly general: number
  readonly cents: number
  readonly isDebit: boolean
  readonly entryDate: string
  /** Position of the account that it has opened. */
  account: number | null
  status: 'queued' | 'pending' | 'completed' | 'failed'
}

export interface Vrn {
  uid: Uid
  readonly account: number
  readonly fails: boolean
  status: 'active' | 'archived'
  isLocked: boolean
  registration: 'pending' | 'registered' | 'failed'
}

export interface Webhook {
  uid: Uid
  /** Without one its events are only kept. */
  readonly hasAddress: boolean
  readonly topics: readonly string[] | null
  /** The events on their way to it, or delivered: positions in `State.events`. */
  owed: number[]
  /** It has left out events, or asked for earlier ones. */
  wasMoved: boolean
}

export interface Task {
  readonly at: number
  readonly order: number
  readonly kind:
    | 'decide kyc'
    | 'activate'
    | 'open'
    | 'begin'
    | 'finish'
    | 'receive return'
    | 'close authorization'
    | 'register'
    | 'continue combined transfer'
    | 'continue archival'
    | 'finish archival'
  /** Position in customers, accounts, payments, VRNs or Combined Transfers. */
  readonly of: number
}

/** In cents. */
export interface Settings {
  /** For all rails. */
  queue_minutes: number
  /** For all rails but book; null has limits that no transfer of the simulation reaches. */
  limits: Limits | null
  pre_funding: boolean
  client_authorization: boolean
  unanswered_authorization: 'approve' | 'deny'
  authorization_hours: number
}

export interface State {
  now: number
  pace: Pace
  settings: Settings
  customers: Customer[]
  accounts: Account[]
  payments: Payment[]
  transfers: Transfer[]
  returns: Return[]
  vrns: Vrn[]
  combined: CombinedTransfer[]
  webhooks: Webhook[]
  /** What a webhook of its time wanted: the topic, the position of the record, and what happened to it. */
  events: string[]
  /** Positions of older events of an imported world, which its bundle did not have. */
  forgotten: number[]
  /** Imported, and it is not known yet which these are. */
  mayForget: boolean
  tasks: Task[]
  taskCount: number
  settledCount: number
}

export const emptyState = (now: number): State => ({
  now,
  pace: 'fast',
  settings: {
    queue_minutes: 0,
    limits: null,
    pre_funding: true,
    client_authorization: true,
    unanswered_authorization: 'approve',
    authorization_hours: 24,
  },
  customers: [],
  accounts: [],
  payments: [],
  transfers: [],
  returns: [],
  vrns: [],
  combined: [],
  webhooks: [],
  events: [],
  forgotten: [],
  mayForget: false,
  tasks: [],
  taskCount: 0,
  settledCount: 0,
})
