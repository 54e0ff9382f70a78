import { CustomerProductStatus } from './resources/customer-products.ts'
import { CustomerStatus, KycStatus } from './resources/customers.ts'
import { SyntheticAccountStatus } from './resources/synthetic-accounts.ts'

/**
 * Every state machine as a table: section 3 of the specification on one page. The domain moves a record only by these
 * rows (`domain/rules/machine.ts`), the window draws them, and the tests walk every state × every event.
 */

export interface Move<State extends string> {
  readonly from: readonly State[]
  readonly to: State
}

export interface Machine<State extends string = string, Event extends string = string> {
  readonly resource: string
  readonly states: readonly State[]
  readonly moves: Readonly<Record<Event, Move<State>>>
}

function machine<State extends string, Event extends string>(
  resource: string,
  states: { readonly options: readonly State[] },
  moves: Readonly<Record<Event, Move<State>>>,
): Machine<State, Event> {
  return { resource, states: states.options, moves }
}

export const machines = {
  /**
   * Section 3.1 gives the creation and the two rows of archival; the others are the platform's published statuses.
   * Assumed: "any eligible state" of the archive row is every state but the ones that end a Customer.
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

  /** Section 3.2 names the statuses; the moves between them are read from their published meanings. */
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
} as const
