import { z } from 'zod'
import { fromOwn } from '../terms/derived.ts'
import { endpoint } from '../terms/endpoint.ts'
import { ErrorItem } from '../terms/error-item.ts'
import { examples } from '../terms/examples.ts'
import { after, anyOf, before, envelope, indexed, list } from '../terms/list.ts'
import { ExternalUid, Money, Timestamp, Uid } from '../terms/primitives.ts'
import { CreateSyntheticAccount } from './synthetic-accounts.ts'
import { refuseDifferent, removeUnusedTransmitters, TransferInput } from './transfers.ts'

/** Creates a counterparty and then a Transfer to or from it, in one call. */

export const CombinedTransferStatus = z.enum(['queued', 'pending', 'failed', 'completed'])
export type CombinedTransferStatus = z.infer<typeof CombinedTransferStatus>

// ── Requests ───────────────────────────────────────────────────────────────────────────────────────────────────────

const REQUIRED_OF_A_NEW_ACCOUNT = ['name', 'pool_uid', 'synthetic_account_type_uid'] as const

/** Typed clients must send each uid, and send `""` for none. */
const NoUid = z.preprocess((value) => (value === '' ? null : value), Uid.nullable()).optional()

/** Assumed (sibling): as everywhere, external_uid is optional. */
const account = CreateSyntheticAccount.partial().extend({ uid: NoUid })
const transfer = TransferInput.extend({
  source_synthetic_account_uid: NoUid,
  destination_synthetic_account_uid: NoUid,
})

const checkedTransfer = transfer.superRefine(refuseDifferent).superRefine((asked, context) => {
  if (asked.source_synthetic_account_uid != null || asked.destination_synthetic_account_uid != null) return
  const message =
    'missingParameter: transfer.source_synthetic_account_uid or transfer.destination_synthetic_account_uid is missing'
  context.addIssue({ code: 'custom', message, input: asked })
})

export const CreateCombinedTransfer = z
  .object({
    external_uid: ExternalUid.nullable().optional(),
    synthetic_account: account
      .superRefine((asked, context) => {
        if (asked.uid != null) return
        const missing = REQUIRED_OF_A_NEW_ACCOUNT.filter((field) => asked[field] === undefined)
        if (missing.length === 0) return
        const message = missing.map((field) => `synthetic_account.${field} is missing`).join('; ')
        context.addIssue({ code: 'custom', message: `missingParameter: ${message}`, input: asked })
      })
      .meta({ description: 'A new account, or the uid of an existing one' }),
    transfer: z
      .preprocess(removeUnusedTransmitters, checkedTransfer)
      .meta({ description: 'With the account of the Customer on one side; the other is the synthetic_account' }),
  })
  .meta({
    id: 'CreateCombinedTransfer',
    examples: [
      {
        synthetic_account: {
          name: `Bayline Hotels ${examples.another_new_account_number}`,
          pool_uid: examples.pools,
          synthetic_account_type_uid: examples.ach_account_type,
          routing_number: '091000019',
          account_number: examples.another_new_account_number,
          ach: { account_type: 'checking', counterparty_name: 'Bayline Hotels' },
        },
        transfer: {
          source_synthetic_account_uid: examples.synthetic_accounts,
          initiating_customer_uid: examples.customers,
          usd_transfer_amount: '12.34',
          ach: {
            originator_name: 'Harbor Payments',
            sec_code: 'CCD',
            entry_description: 'PAYMENT',
            service_processing: 'STANDARD',
            effective_entry_date: examples.banking_day,
          },
        },
      },
    ],
  })
export type CreateCombinedTransfer = z.infer<typeof CreateCombinedTransfer>

// ── Responses: what was submitted, without the account number ──────────────────────────────────────────────────────

const createdUid = Uid.nullable().meta({ description: 'Null until it is created' })

export const CombinedTransfer = z
  .object({
    uid: Uid,
    external_uid: ExternalUid.nullable(),
    status: CombinedTransferStatus,
    errors: z.array(ErrorItem).optional().meta({ description: 'Only after a failure' }),
    synthetic_account: account
      .omit({ account_number: true, external_processor_token: true })
      .extend({ uid: createdUid, name: z.string().optional() }),
    transfer: transfer.extend({ uid: createdUid, usd_transfer_amount: Money }),
    created_at: Timestamp,
  })
  .meta({ id: 'CombinedTransfer' })
export type CombinedTransfer = z.infer<typeof CombinedTransfer>

/** Computed from the stored request when it is shown. */
const derivedFields = {
  synthetic_account: fromOwn('The counterparty as it was requested', 'asked'),
  transfer: fromOwn('The Transfer as it was requested', 'asked'),
}
type Kept = Omit<CombinedTransfer, keyof typeof derivedFields> & {
  readonly asked: CreateCombinedTransfer
  readonly synthetic_account_uid: Uid | null
  readonly transfer_uid: Uid | null
}

export const combinedTransferList = list<Kept>()({
  rules: {
    ...derivedFields,
    'synthetic_account.uid': fromOwn('The counterparty, once it is created', 'asked', 'synthetic_account_uid'),
    'transfer.uid': fromOwn('The Transfer, once it is created', 'transfer_uid'),
  },
  filters: {
    created_at_after: after((it) => it.created_at),
    created_at_before: before((it) => it.created_at),
    external_uid: indexed('external_uid'),
    status: anyOf((it) => it.status, CombinedTransferStatus),
    synthetic_account_external_uid: anyOf((it) => it.asked.synthetic_account.external_uid),
    synthetic_account_pool_uid: anyOf((it) => it.asked.synthetic_account.pool_uid),
    synthetic_account_uid: indexed('synthetic_account_uid'),
    transfer_customer_uid: anyOf((it) => it.asked.transfer.initiating_customer_uid),
    transfer_external_uid: anyOf((it) => it.asked.transfer.external_uid),
    transfer_uid: indexed('transfer_uid'),
  },
})

export const combinedTransferEndpoints = {
  listCombinedTransfers: endpoint({
    method: 'GET',
    path: '/combined_transfers',
    group: 'Combined Transfers',
    summary: 'List Combined Transfers',
    description: 'Lists the Combined Transfers.',
    query: combinedTransferList.query,
    status: 200,
    response: envelope(CombinedTransfer),
    errors: ['combinedTransfersDisabled', 'invalidLimit', 'unparseableDate'],
    documents: [422],
  }),
  createCombinedTransfer: endpoint({
    method: 'POST',
    path: '/combined_transfers',
    group: 'Combined Transfers',
    summary: 'Create a counterparty and a Transfer in one call',
    description: 'Creates a counterparty, an external Synthetic Account, and then a Transfer to or from it.',
    body: CreateCombinedTransfer,
    status: 201,
    response: CombinedTransfer,
    errors: [
      'combinedTransfersDisabled',
      'missingParameter',
      'invalidArgument',
      'unparseableDate',
      'transferAmountNotNumeric',
      'transferAmountNotPositive',
      'combinedTransferExists',
    ],
  }),
  getCombinedTransfer: endpoint({
    method: 'GET',
    path: '/combined_transfers/{uid}',
    group: 'Combined Transfers',
    summary: 'Get one Combined Transfer',
    description: 'Returns a Combined Transfer with its status and, after a failure, its errors.',
    status: 200,
    response: CombinedTransfer,
    errors: ['combinedTransfersDisabled', 'combinedTransferNotFound'],
  }),
}
