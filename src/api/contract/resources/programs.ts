import { z } from 'zod'
import { anyOf, list, MAX_LIMIT } from '../terms/list.ts'
import { Cidr, Money, RoutingNumber, Uid } from '../terms/primitives.ts'
import { EXPECTED_SEED, SEED_OF_HARD_MODE } from '../terms/texts.ts'
import { CreatableCustomerType } from './customers.ts'
import { ConfiguredProduct, ProductChange } from './products.ts'
import { SyntheticAccountType, SyntheticAccountTypeChange } from './synthetic-accounts.ts'

/** The service operator configures Programs (section 1), so only the control API shows and changes them. */

const LimitAmount = Money.refine((amount) => !amount.startsWith('-'), {
  error: 'an amount of 0.00 or more is expected',
})
const Count = z.int().min(0)
const YEAR_IN_MINUTES = 525_600

export const RailLimits = z.object({
  minimum_amount: LimitAmount.meta({ description: 'Less is refused with 3013' }),
  maximum_amount: LimitAmount.nullable().meta({ description: 'More is refused with 3012' }),
  daily_amount: LimitAmount.nullable().meta({
    description: 'For each Customer and New York day; more is refused with 3011',
  }),
  daily_count: Count.nullable().meta({
    description: 'Transfers of each Customer and New York day; more are refused with 3010',
  }),
})

/** How many Synthetic Accounts a Customer may have; null sets no limit. */
export const AccountLimits = z.object({
  general_accounts: Count.nullable().meta({ description: 'Active ones at a time; more are refused with 2009' }),
  one_external_account: z.boolean().meta({ description: 'A second active external account is refused with 2010' }),
  external_accounts: Count.nullable().meta({
    description: 'Different external accounts, ever; more are refused with 2013',
  }),
  minutes_between_external_accounts: Count.max(YEAR_IN_MINUTES)
    .nullable()
    .meta({ description: 'A further one within this time is refused with 2014' }),
  same_external_account: Count.nullable().meta({
    description: 'How often the same account may be opened; more is refused with 2015',
  }),
  ach_external_accounts: Count.nullable().meta({
    description: 'Active ones of category ach_external at a time; more are refused with 2016',
  }),
})

const Wait = Count.max(YEAR_IN_MINUTES)

export const QueueMinutes = z.object({
  ach: Wait.meta({ description: 'Transfers over ach' }),
  wire: Wait.meta({ description: 'Transfers over wire' }),
  instant_payment: Wait.meta({ description: 'Transfers over instant_payment' }),
  book: Wait.meta({ description: 'Transfers between accounts of the same Pool' }),
})

const QUEUE_MINUTES = 'How long transfers of a rail are queued before they are sent'

const WebhookHost = z.string().regex(/^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/, {
  error: 'a host is expected, as in hooks.example.test or 10.0.0.5:8080',
})

const HardModeSeed = z.string().regex(SEED_OF_HARD_MODE, { error: `${EXPECTED_SEED} expected` })

const AllowedTransactionType = z.enum(['ach', 'wire', 'instant_payment', 'book_transfer'])

export const ProgramSettings = z.object({
  allowlist: z.array(Cidr).meta({
    description: 'Networks that requests may come from; others are refused with 1013',
  }),
  customer_types: z.array(CreatableCustomerType).meta({
    description: 'The Customer Types that the Program may create',
  }),
  transaction_types: z.array(AllowedTransactionType).meta({ description: 'Which transfers Clients may initiate' }),
  client_is_customer: z.boolean().meta({
    description: 'The Client is its own Customer: POST /customers is refused with 1018, and the operator creates it',
  }),
  accepts_client_verified: z.boolean().meta({
    description: 'The Client verifies its Customers: each must be created with client_verified, and KYC/AML is skipped',
  }),
  rails_need_products: z.boolean().meta({
    description:
      'A transfer over ach, wire or instant_payment needs an active Product of the Customer with that rail; others are refused with 3006',
  }),
  routing_number: RoutingNumber.meta({
    description: 'Of new Custodial Accounts: 9 digits',
  }),
  returns: z.boolean().meta({ description: 'The Client may call POST /returns' }),
  combined_transfers: z.boolean().meta({ description: 'The Client may call POST /combined_transfers' }),
  client_authorization: z.boolean().meta({ description: 'Payments to a VRN wait for an authorization by the Client' }),
  authorization_hours: z.int().min(1).max(8_760).meta({ description: 'How long they wait' }),
  unanswered_authorization: z.enum(['approve', 'deny']).meta({
    description: 'How a payment is decided that the Client did not authorize in time',
  }),
  pre_funding: z.boolean().meta({
    description: 'An outgoing payment needs an available balance; if off, an outgoing ACH does not',
  }),
  queue_minutes: QueueMinutes.meta({ description: QUEUE_MINUTES }),
  vrn_cooldown_minutes: Wait.meta({ description: 'Between locking and unlocking a VRN' }),
  strict: z.boolean().meta({
    description: 'Unknown fields and parameters are refused instead of ignored with a hint',
  }),
  token_clock: z.enum(['real', 'simulated']).meta({
    description: 'Access tokens expire 8 hours after their creation, by this clock',
  }),
  tokens_in_all_worlds: z.boolean().meta({
    description: 'A token holds in every world of the sandbox in which this Program has the same key',
  }),
  wire_addresses: z.enum(['unstructured', 'structured', 'both']).meta({
    description:
      'The form of the addresses of counterparties and transmitters of wires; the other one is refused with 1007',
  }),
  webhook_hosts: z.array(WebhookHost).max(50).meta({
    description: 'Hosts besides this machine that webhooks may be sent to',
  }),
  trace_ids_optional: z.boolean().meta({ description: 'Requests without an x-trace-id are accepted' }),
  /** Assumed (example; shows_nulls): a field without a value is null, as in most published examples; a few of them leave fields out. */
  shows_nulls: z.boolean().meta({
    description: 'Fields without a value are null, as the platform shows them; if off, most of them are left out',
  }),
  shows_iat: z.boolean().meta({ description: 'International ACH payments show their details (iat)' }),
  limits: z.object({ ach: RailLimits, wire: RailLimits, instant_payment: RailLimits }),
  account_limits: AccountLimits,
  hard_mode: HardModeSeed.nullable().meta({
    description:
      'Seed of hard mode: chooses a value for each setting that the documents of the platform leave open; null: their defaults',
  }),
  repeated_trace_id: z.enum(['409', '400', '422']).meta({ description: 'The status of a repeated trace id' }),
  accepts_bearer: z.boolean().meta({
    description: 'The prefix Bearer before a token is ignored with a hint; if off, the token is refused with 1004',
  }),
  repeated_external_uid: z.enum(['returned', 'refused']).meta({
    description:
      'A Transfer, VRN or Return with the external_uid of an earlier one: that one is returned, or the request is refused with 3001, 30001 or 31002',
  }),
  book_transfer_events: z.boolean().meta({
    description: 'A book transfer has two Transaction Events, from and to the Custodial Account; if off, none',
  }),
  list_order: z.enum(['newest_first', 'oldest_first']).meta({ description: 'The order of lists without sort' }),
  maximum_limit: z.int().min(1).max(MAX_LIMIT).meta({ description: 'A larger limit of a list is reduced to this' }),
})
export type ProgramSettings = z.infer<typeof ProgramSettings>

/** Settings that vary an assumption which an app can see, with the values that hard_mode draws from. docs/assumptions.md has the sentences. */
export const drawnValues = {
  repeated_trace_id: ['409', '400', '422'],
  trace_ids_optional: [false, true],
  accepts_bearer: [true, false],
  strict: [false, true],
  shows_nulls: [true, false],
  list_order: ['newest_first', 'oldest_first'],
  maximum_limit: [MAX_LIMIT, 100],
  repeated_external_uid: ['returned', 'refused'],
  book_transfer_events: [false, true],
  vrn_cooldown_minutes: [0, 15],
} as const satisfies { readonly [K in keyof ProgramSettings]?: readonly ProgramSettings[K][] }
export type DrawnSetting = keyof typeof drawnValues
export const drawnSettings = Object.keys(drawnValues) as DrawnSetting[]
const DrawnSetting = z.enum(drawnSettings)

/** Fields that are not sent stay as they are, at any depth. Unknown fields are refused. */
const someOf = <S extends z.ZodRawShape>(schema: z.ZodObject<S>) => z.strictObject(schema.partial().shape)
export const RailLimitChanges = someOf(RailLimits)
export const ProgramChanges = ProgramSettings.partial().extend({
  queue_minutes: someOf(QueueMinutes).optional().meta({ description: QUEUE_MINUTES }),
  account_limits: someOf(AccountLimits)
    .optional()
    .meta({ description: 'How many Synthetic Accounts a Customer may have; null sets no limit' }),
  limits: z
    .strictObject({
      ach: RailLimitChanges.meta({ description: 'Limits of transfers over ach' }),
      wire: RailLimitChanges.meta({ description: 'Limits of transfers over wire' }),
      instant_payment: RailLimitChanges.meta({ description: 'Limits of transfers over instant_payment' }),
    })
    .partial()
    .optional()
    .meta({ description: 'The amounts and the number of transfers over each rail' }),
  products: z.array(ProductChange).max(100).optional().meta({
    description: 'The complete list: with uid an existing one, without a new one; those that are not in it are removed',
  }),
  synthetic_account_types: z.array(SyntheticAccountTypeChange).max(100).optional().meta({
    description: 'The complete list: with uid an existing one, without a new one; those that are not in it are removed',
  }),
})
export type ProgramChanges = z.infer<typeof ProgramChanges>

/** Chosen when it is created: what happened before would contradict another one. */
export const BehavesAs = z.enum(['full', 'hosted']).meta({
  description: 'full: all of the platform; hosted: what its hosted sandbox offers by its public documents',
})
export type BehavesAs = z.infer<typeof BehavesAs>

export const Program = ProgramSettings.extend({
  uid: Uid,
  client_uid: Uid,
  name: z.string(),
  hmac_key: z.string().meta({ description: 'Its UTF-8 bytes sign refresh tokens' }),
  drawn_settings: z.array(DrawnSetting).meta({ description: 'Those that hard_mode has drawn, in their order' }),
  behaves_as: BehavesAs,
}).meta({ id: 'Program' })
export type Program = z.infer<typeof Program>

export const programList = list<Program>()({ filters: { uid: anyOf((program) => program.uid) } })

/** With its Products and account types, which are separate records. The lists can be sent back as they are. */
export const ProgramInFull = Program.extend({
  products: z.array(ConfiguredProduct.omit({ program_uid: true })),
  synthetic_account_types: z.array(SyntheticAccountType.omit({ program_uid: true })),
}).meta({ id: 'ProgramInFull' })
export type ProgramInFull = z.infer<typeof ProgramInFull>

/** In the form of the uids that the service creates. */
export const ChosenUid = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{16}$/, {
  error: '16 letters and digits are expected, without 0, O, I and l',
})

/** The request log redacts every occurrence of the key, so a short one would also redact ordinary words. */
export const HmacKey = z.string().min(16, {
  error: 'at least 16 characters are expected: the request log redacts every occurrence of the key, also inside words',
})
