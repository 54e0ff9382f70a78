import { z } from 'zod'
import { AddressLines, pattern, StructuredAddress, WireAddress } from '../terms/addresses.ts'
import { AssetBalance, netBalances } from '../terms/balances.ts'
import { balanceRules, fromOwn } from '../terms/derived.ts'
import { endpoint } from '../terms/endpoint.ts'
import { examples } from '../terms/examples.ts'
import { anyOf, envelope, flag, indexed, list } from '../terms/list.ts'
import {
  AccountNumber,
  ExternalUid,
  type Money,
  NoContent,
  optionalName,
  orNull,
  RoutingNumber,
  Timestamp,
  Uid,
} from '../terms/primitives.ts'
import { isOneLine, isVisible, NOT_ONE_LINE } from '../terms/texts.ts'

export const SyntheticAccountCategory = z.enum(['general', 'ach_external', 'instant_payment_external', 'wire_external'])
export type SyntheticAccountCategory = z.infer<typeof SyntheticAccountCategory>

/** Assumed (published): responses write the instant category as instant_payment_external; filters accept instant_payments_external, too. */
const AcceptedCategory = z.enum([...SyntheticAccountCategory.options, 'instant_payments_external'])
const accepted = (category: SyntheticAccountCategory) =>
  category === 'instant_payment_external' ? [category, 'instant_payments_external'] : [category]

export const SyntheticAccountType = z
  .object({
    uid: Uid,
    name: z.string(),
    description: z.string(),
    program_uid: Uid,
    synthetic_account_category: SyntheticAccountCategory,
  })
  .meta({ id: 'SyntheticAccountType' })
export type SyntheticAccountType = z.infer<typeof SyntheticAccountType>

/** With a uid: the operator's changes of that type. Without: a new type. */
export const SyntheticAccountTypeChange = z.strictObject({
  uid: Uid.optional().meta({ description: 'Of an existing type. Without it: a new one' }),
  name: z
    .string()
    .max(255)
    .refine(isVisible, { error: 'a text that is not blank is expected' })
    .refine(isOneLine, NOT_ONE_LINE)
    .optional()
    .meta({ description: 'Its name' }),
  description: z.string().max(1_000).optional().meta({ description: 'What Clients read about it' }),
  synthetic_account_category: SyntheticAccountCategory.optional().meta({ description: 'The category of its accounts' }),
})
export type SyntheticAccountTypeChange = z.infer<typeof SyntheticAccountTypeChange>

export const syntheticAccountTypeList = list<SyntheticAccountType>()({
  filters: { program_uid: anyOf((type) => type.program_uid) },
})

export const SyntheticAccountStatus = z.enum(['initiated', 'active', 'archived', 'failed'])
export type SyntheticAccountStatus = z.infer<typeof SyntheticAccountStatus>

// ── Counterparty details of each rail ──────────────────────────────────────────────────────────────────────────────

const AchParty = z.object({
  account_type: z.enum(['checking', 'savings']),
  counterparty_name: z
    .string()
    .min(1)
    .max(22)
    .meta({ examples: ['Bayline Hotels'] }),
})

const InstantPaymentParty = z.object({
  counterparty_address: StructuredAddress,
  counterparty_name: pattern(/^[a-zA-Z0-9.' -]{1,140}$/, '1 to 140 plain characters are expected', 'Bayline Hotels'),
  email: z.string().nullable().optional(),
  phone: pattern(/^\d{10}$/, 'exactly 10 digits are expected', '5155550123')
    .nullable()
    .optional(),
})

const ShownInstantPaymentParty = InstantPaymentParty.extend({
  email: orNull(InstantPaymentParty.shape.email),
  phone: orNull(InstantPaymentParty.shape.phone),
})

const WireParty = z.object({
  counterparty_name: z
    .string()
    .min(1)
    .max(35)
    .meta({ examples: ['Bayline Hotels'] }),
  counterparty_address: WireAddress.nullable().optional(),
  counterparty_bank_name: z.string().max(35).nullable().optional(),
  counterparty_bank_address: AddressLines.nullable().optional(),
})

const RequestedWireParty = WireParty.extend({ counterparty_bank_name: optionalName(z.string().max(35)) })

// ── The account ────────────────────────────────────────────────────────────────────────────────────────────────────

const facts = {
  uid: Uid,
  external_uid: orNull(ExternalUid),
  name: z.string(),
  pool_uid: Uid,
  synthetic_account_type_uid: Uid,
  custodial_account_uids: z.array(Uid),
  synthetic_account_category: SyntheticAccountCategory,
  status: SyntheticAccountStatus,
  liability: z.boolean(),
  ...netBalances,
  asset_balances: z
    .array(AssetBalance.extend({ custodial_account_uid: Uid, custodial_account_name: z.string() }))
    .nullable(),
  master_account: z.boolean(),
  routing_number: z.string().nullable(),
  account_number_last_four: z.string().nullable(),
  opened_at: Timestamp.optional(),
  closed_at: Timestamp.nullable(),
}

/** A list does not show the addresses of counterparties and the whole account number. */
const SyntheticAccountSummary = z
  .object({
    ...facts,
    ach: AchParty.nullable().optional(),
    instant_payment: orNull(ShownInstantPaymentParty.omit({ counterparty_address: true })),
    wire: orNull(WireParty.omit({ counterparty_address: true })),
  })
  .meta({ id: 'SyntheticAccountSummary' })

export const SyntheticAccount = z
  .object({
    ...facts,
    account_number: z.string().nullable().meta({ description: 'null for external categories' }),
    ach: AchParty.optional(),
    instant_payment: orNull(ShownInstantPaymentParty),
    wire: orNull(WireParty),
  })
  .meta({ id: 'SyntheticAccount' })
export type SyntheticAccount = z.infer<typeof SyntheticAccount>

/** Computed when it is shown. */
export const derivedFields = {
  asset_balances: fromOwn('One asset, US dollars: the settled balance', 'net_usd_balance', 'custodial_account_uids'),
  account_number_last_four: fromOwn('The last four digits of its number', 'account_number'),
}
type Kept = Omit<SyntheticAccount, keyof typeof derivedFields> & { readonly customer_uid: Uid }
/** A number only to compare amounts, never to calculate. */
const amount = (money: Money | null) => (money === null ? null : Number(money))

export const syntheticAccountList = list<Kept>()({
  rules: {
    ...derivedFields,
    ...balanceRules('synthetic_account_uid', 'synthetic_line_items', 'synthetic_account_closing_balances'),
  },
  filters: {
    customer_uid: indexed('customer_uid'),
    external_uid: indexed('external_uid'),
    pool_uid: indexed('pool_uid'),
    status: anyOf((account) => account.status, SyntheticAccountStatus),
    synthetic_account_type_uid: anyOf((account) => account.synthetic_account_type_uid),
    synthetic_account_category: anyOf((account) => accepted(account.synthetic_account_category), AcceptedCategory),
    liability: flag((account) => account.liability),
  },
  /** Assumed (invented): the asset account that the service keeps for its own accounting is listed only with liability=false. */
  hides: [
    {
      when: (account) => !account.liability && account.synthetic_account_category === 'general',
      unlessAsked: ({ liability }) => liability === false,
    },
  ],
  sort: {
    name: (account) => account.name,
    net_usd_balance: (account) => amount(account.net_usd_balance),
    net_usd_pending_balance: (account) => amount(account.net_usd_pending_balance),
    net_usd_available_balance: (account) => amount(account.net_usd_available_balance),
  },
})

const BLANK = 'missingParameter: name cannot be null or blank'
const Name = z
  .string({ error: ({ input }) => (input === null ? BLANK : undefined) })
  .refine(isVisible, { error: BLANK })
  .meta({ examples: ['Bayline Hotels'] })

export const CreateSyntheticAccount = z
  .object({
    external_uid: ExternalUid.nullable().optional(),
    name: Name,
    pool_uid: Uid,
    synthetic_account_type_uid: Uid,
    routing_number: RoutingNumber.nullable().optional(),
    account_number: AccountNumber.nullable().optional(),
    external_processor_token: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Accepted, but not used', writeOnly: true }),
    ach: AchParty.nullable().optional(),
    instant_payment: InstantPaymentParty.nullable().optional(),
    wire: RequestedWireParty.nullable().optional(),
  })
  .meta({
    id: 'CreateSyntheticAccount',
    examples: [
      {
        name: `Bayline Hotels ${examples.new_account_number}`,
        pool_uid: examples.pools,
        synthetic_account_type_uid: examples.ach_account_type,
        routing_number: '091000019',
        account_number: examples.new_account_number,
        ach: { account_type: 'checking', counterparty_name: 'Bayline Hotels' },
      },
    ],
  })
export type CreateSyntheticAccount = z.infer<typeof CreateSyntheticAccount>

/**
 * All fields of the creation may be sent again; those that cannot change must have their present value. Of the counterparty
 * details, only the changed fields are required; an address must be complete.
 */
export const UpdateSyntheticAccount = CreateSyntheticAccount.partial()
  .extend({
    note: z.string().optional().meta({ description: 'The reason for the change; required' }),
    ach: AchParty.partial().nullable().optional(),
    instant_payment: InstantPaymentParty.partial().nullable().optional(),
    wire: RequestedWireParty.partial().nullable().optional(),
  })
  .meta({ id: 'UpdateSyntheticAccount', examples: [{ name: 'Working capital', note: 'It has another name' }] })
export type UpdateSyntheticAccount = z.infer<typeof UpdateSyntheticAccount>

export const syntheticAccountEndpoints = {
  listSyntheticAccountTypes: endpoint({
    method: 'GET',
    path: '/synthetic_account_types',
    group: 'Synthetic Accounts',
    summary: 'List Synthetic Account Types',
    description: 'Lists the types of Synthetic Accounts that the Program offers.',
    query: syntheticAccountTypeList.query,
    status: 200,
    response: envelope(SyntheticAccountType),
    errors: ['invalidLimit'],
  }),
  getSyntheticAccountType: endpoint({
    method: 'GET',
    path: '/synthetic_account_types/{uid}',
    group: 'Synthetic Accounts',
    summary: 'Get one Synthetic Account Type',
    description: 'Returns a type of Synthetic Account.',
    status: 200,
    response: SyntheticAccountType,
    errors: ['unknownRecord'],
  }),
  listSyntheticAccounts: endpoint({
    method: 'GET',
    path: '/synthetic_accounts',
    group: 'Synthetic Accounts',
    summary: 'List Synthetic Accounts',
    description: 'Lists the Synthetic Accounts with their balances.',
    query: syntheticAccountList.query,
    status: 200,
    response: envelope(SyntheticAccountSummary),
    errors: ['invalidLimit', 'invalidSort'],
  }),
  createSyntheticAccount: endpoint({
    method: 'POST',
    path: '/synthetic_accounts',
    group: 'Synthetic Accounts',
    summary: 'Create a Synthetic Account',
    description: 'Opens a general account of a Customer, or an external one for a counterparty.',
    body: CreateSyntheticAccount,
    status: 201,
    response: SyntheticAccount,
    errors: [
      'missingParameter',
      'invalidArgument',
      'unknownRecord',
      'archivedCustomer',
      'inactiveCustomer',
      'customerLocked',
      'generalAccountsExhausted',
      'externalAccountAlreadyOpen',
      'externalAccountsExhausted',
      'externalAccountTooRecent',
      'externalAccountTooOften',
      'outboundAchAccountsExhausted',
      'syntheticAccountExists',
    ],
  }),
  getSyntheticAccount: endpoint({
    method: 'GET',
    path: '/synthetic_accounts/{uid}',
    group: 'Synthetic Accounts',
    summary: 'Get one Synthetic Account',
    description: 'Returns a Synthetic Account with its balances.',
    status: 200,
    response: SyntheticAccount,
    errors: ['syntheticAccountNotFound'],
  }),
  updateSyntheticAccount: endpoint({
    method: 'PUT',
    path: '/synthetic_accounts/{uid}',
    group: 'Synthetic Accounts',
    summary: 'Update the metadata of a Synthetic Account',
    description: 'Changes the name or the metadata of a Synthetic Account.',
    body: UpdateSyntheticAccount,
    status: 200,
    response: SyntheticAccount,
    errors: [
      'syntheticAccountNotFound',
      'missingParameter',
      'syntheticAccountNoteMissing',
      'archivedCustomer',
      'inactiveCustomer',
      'customerLocked',
      'syntheticAccountNotUpdatable',
      'syntheticAccountExists',
    ],
  }),
  archiveSyntheticAccount: endpoint({
    method: 'DELETE',
    path: '/synthetic_accounts/{uid}',
    example: 'archivable_account',
    group: 'Synthetic Accounts',
    summary: 'Archive a Synthetic Account',
    description: 'Archives a general account, whose balance must be 0.',
    status: 204,
    response: NoContent,
    errors: [
      'syntheticAccountNotFound',
      'archivedCustomer',
      'inactiveCustomer',
      'customerLocked',
      'syntheticAccountNotActive',
      'masterAccountNotArchivable',
      'syntheticAccountHasBalance',
      'syntheticAccountHasTransfer',
    ],
  }),
}
