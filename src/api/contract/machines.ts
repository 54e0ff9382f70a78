import { CombinedTransferStatus } from './resources/combined-transfers.ts'
import { CustomerProductStatus } from './resources/customer-products.ts'
import { CustomerStatus, KycStatus } from './resources/customers.ts'
import { ReturnStatus } from './resources/returns.ts'
import { SyntheticAccountStatus } from './resources/synthetic-accounts.ts'
import { AuthorizationStatus, TransactionStatus, type TransactionType } from './resources/transactions.ts'
import { TransferStatus } from './resources/transfers.ts'
import { RegistrationStatus, VrnStatus } from './resources/virtual-reference-numbers.ts'

/**
 * All state machines of section 3 of the specification. The domain changes a state only by these rows
 * (`domain/rules/machine.ts`), the window draws them, and the tests try every event in every state.
 */

export interface Move<State extends string> {
  readonly from: readonly State[]
  readonly to: State
  /** Only for records of these types. */
  readonly types?: readonly string[]
}

export interface Machine<State extends string = string, Event extends string = string> {
  readonly resource: string
  readonly states: readonly State[]
  readonly moves: Readonly<Record<Event, Move<State>>>
}

/** Whether an event is possible for a record in a state. Without its type: for a record of any type. */
export const isPossible = ({ from, types }: Move<string>, state: string, type?: unknown): boolean =>
  from.includes(state) && (types === undefined || type === undefined || types.includes(type as string))

/** A card authorization holds money; what comes in by card has none. */
export const cardAuthorizations: readonly TransactionType[] = ['card_purchase', 'atm_withdrawal']

function machine<State extends string, Event extends string>(
  resource: string,
  states: { readonly options: readonly State[] },
  moves: Readonly<Record<Event, Move<State>>>,
): Machine<State, Event> {
  return { resource, states: states.options, moves }
}

export const machines = {
  /**
   * Section 3.1 has the creation and the two rows of archival; the others follow from the platform's published statuses.
   * Assumed (invented): "any eligible state" of the archive row is every state that is not final.
   */
  customer: machine('Customer', CustomerStatus, {
    onboard: { from: ['initiated'], to: 'queued' },
    verify: { from: ['queued', 'manual_review'], to: 'identity_verified' },
    'send to manual review': { from: ['queued'], to: 'manual_review' },
    reject: { from: ['queued', 'manual_review'], to: 'rejected' },
    activate: { from: ['identity_verified'], to: 'active' },
    'put under review': { from: ['active'], to: 'under_review' },
    'end review': { from: ['under_review'], to: 'active' },
    archive: {
      from: ['initiated', 'queued', 'identity_verified', 'active', 'manual_review', 'under_review'],
      to: 'pending_archival',
    },
    'finish archival': { from: ['pending_archival'], to: 'archived' },
  }),

  /** Section 3.2 has the statuses; the moves between them follow from their published meanings. */
  kyc: machine('KYC/AML evaluation', KycStatus, {
    approve: { from: ['manual_review', 'documents_provided'], to: 'approved' },
    deny: {
      from: [
        'manual_review',
        'documents_provided',
        'documents_rejected',
        'pending_id_documents',
        'pending_poa_documents',
        'pending_idandpoa_documents',
        'retake_images',
      ],
      to: 'denied',
    },
    'ask for ID documents': { from: ['manual_review', 'documents_rejected'], to: 'pending_id_documents' },
    'ask for POA documents': { from: ['manual_review', 'documents_rejected'], to: 'pending_poa_documents' },
    'ask for ID and POA documents': {
      from: ['manual_review', 'documents_rejected'],
      to: 'pending_idandpoa_documents',
    },
    'provide documents': {
      from: [
        'pending_id_documents',
        'pending_poa_documents',
        'pending_idandpoa_documents',
        'documents_rejected',
        'retake_images',
      ],
      to: 'documents_provided',
    },
    'reject documents': { from: ['documents_provided'], to: 'documents_rejected' },
    'ask to retake images': { from: ['documents_provided', 'documents_rejected'], to: 'retake_images' },
    'review again': { from: ['approved', 'documents_provided'], to: 'manual_review' },
  }),

  customer_product: machine('Customer Product', CustomerProductStatus, {
    activate: { from: ['created', 'manual_review'], to: 'active' },
    'send to manual review': { from: ['created'], to: 'manual_review' },
    reject: { from: ['created', 'manual_review'], to: 'rejected' },
  }),

  synthetic_account: machine('Synthetic Account', SyntheticAccountStatus, {
    activate: { from: ['initiated'], to: 'active' },
    fail: { from: ['initiated'], to: 'failed' },
    archive: { from: ['active'], to: 'archived' },
  }),

  /** A Transfer follows its first Transaction. */
  transfer: machine('Transfer', TransferStatus, {
    begin: { from: ['queued'], to: 'pending' },
    settle: { from: ['pending'], to: 'settled' },
    fail: { from: ['queued', 'pending'], to: 'failed' },
    cancel: { from: ['queued'], to: 'canceled' },
  }),

  /**
   * A Transaction from outside starts as pending or authorization_pending. Only card authorizations expire; a declined one is denied
   * from the start.
   */
  transaction: machine('Transaction', TransactionStatus, {
    begin: { from: ['queued'], to: 'pending' },
    settle: { from: ['pending'], to: 'settled' },
    fail: { from: ['queued', 'pending'], to: 'failed' },
    cancel: { from: ['queued'], to: 'canceled' },
    approve: { from: ['authorization_pending'], to: 'pending' },
    deny: { from: ['authorization_pending'], to: 'authorization_denied' },
    expire: { from: ['pending'], to: 'expired', types: cardAuthorizations },
  }),

  /** Section 3.4. A payment to a locked or archived VRN is denied at once, without asking the Client. */
  authorization: machine('Authorization', AuthorizationStatus, {
    ask: { from: ['created'], to: 'client_approval_pending' },
    'deny at once': { from: ['created'], to: 'auto_denied' },
    approve: { from: ['client_approval_pending'], to: 'client_approved' },
    deny: { from: ['client_approval_pending'], to: 'client_denied' },
    'approve unanswered': { from: ['client_approval_pending'], to: 'client_unanswered_auto_approved' },
    'deny unanswered': { from: ['client_approval_pending'], to: 'client_unanswered_auto_denied' },
  }),

  /** A Return follows its own Transaction. */
  return: machine('Return', ReturnStatus, {
    begin: { from: ['queued'], to: 'pending' },
    settle: { from: ['pending'], to: 'settled' },
    fail: { from: ['queued', 'pending'], to: 'failed' },
  }),

  /** Section 3.3. */
  combined_transfer: machine('Combined Transfer', CombinedTransferStatus, {
    begin: { from: ['queued'], to: 'pending' },
    complete: { from: ['pending'], to: 'completed' },
    fail: { from: ['pending'], to: 'failed' },
  }),

  /** A locked VRN has no status of its own, only locked_at. */
  virtual_reference_number: machine('Virtual Reference Number', VrnStatus, {
    archive: { from: ['active'], to: 'archived' },
  }),

  vrn_registration: machine('Registration of a VRN for instant payments', RegistrationStatus, {
    register: { from: ['pending', 'failed'], to: 'registered' },
    fail: { from: ['pending'], to: 'failed' },
  }),
} as const

export type MachineName = keyof typeof machines
