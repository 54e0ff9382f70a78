import { z } from 'zod'
import { anyOf, list } from '../terms/list.ts'
import { Cidr, Money, RoutingNumber, Uid } from '../terms/primitives.ts'
import { CreatableCustomerType } from './customers.ts'
import { Product, ProductChange } from './products.ts'
import { SyntheticAccountType, SyntheticAccountTypeChange } from './synthetic-accounts.ts'

/** A Program has no endpoint: the service operator configures it (specification section 1), so only the control API says it. */

const Least = Money.refine((amount) => !amount.startsWith('-'), { error: 'an amount below 0 is no limit' })
const Count = z.int().min(0)
const YEAR_IN_MINUTES = 525_600

const RailLimits = z.object({
  minimum_amount: Least.meta({ description: 'Less is refused with 3013' }),
  maximum_amount: Least.nullable().meta({ description: 'More is refused with 3012' }),
  daily_amount: Least.nullable().meta({
    description: 'For each Customer and New York day; more is refused with 3011',
  }),
  daily_count: Count.nullable().meta({
    description: 'Transfers of each Customer and New York day; more are refused with 3010',
  }),
})

/** How many Synthetic Accounts a Customer may have; null sets no limit. */
const AccountLimits = z.object({
  general_accounts: Count.nullable().meta({ description: 'Active ones at a time; more are refused with 2009' }),
  one_external_account: z.boolean().meta({ description: 'A second active external account is refused with 2010' }),
  external_accounts: Count.nullable().meta({
    description: 'Different external accounts, ever; more are refused with 2013',
  }),
  minutes_between_external_accounts: Count.max(YEAR_IN_MINUTES)
    .nullable()
    .meta({ description: 'A further one sooner than this is refused with 2014' }),
  same_external_account: Count.nullable().meta({
    description: 'Times that one and the same may be opened; more are refused with 2015',
  }),
  ach_external_accounts: Count.nullable().meta({
    description: 'Active ones of category ach_external at a time; more are refused with 2016',
  }),
})

const Wait = Count.max(YEAR_IN_MINUTES)

const QueueMinutes = z.object({
  ach: Wait.meta({ description: 'Transfers over ach' }),
  wire: Wait.meta({ description: 'Transfers over wire' }),
  instant_payment: Wait.meta({ description: 'Transfers over instant_payment' }),
  book: Wait.meta({ description: 'Transfers between accounts of the same Pool' }),
})

export const AllowedTransactionType = z.enum(['ach', 'wire', 'instant_payment', 'book_transfer'])

export const ProgramSettings = z.object({
  allowlist: z.array(Cidr).meta({
    description: 'Networks that requests may come from, one a line; from elsewhere: 403, 1013',
  }),
  customer_types: z.array(CreatableCustomerType).meta({
    description: 'The Customer Types that the Program may create',
  }),
  transaction_types: z.array(AllowedTransactionType).meta({ description: 'Which transfers Clients may initiate' }),
  client_is_customer: z.boolean().meta({
    description: 'The Client is its own Customer: POST /customers is refused with 1018, and the operator creates it',
  }),
  accepts_client_verified: z.boolean().meta({
    description: 'All Customers must come verified by the Client (client_verified), and none is verified here',
  }),
  routing_number: RoutingNumber.meta({
    description: 'Of the accounts that are opened at the custodian from now on: 9 digits',
  }),
  returns: z.boolean().meta({ description: 'POST /returns is open to the Client' }),
  combined_transfers: z.boolean().meta({ description: 'POST /combined_transfers is open to the Client' }),
  client_authorization: z.boolean().meta({ description: 'Payments received on a VRN wait for the Client' }),
  authorization_hours: z.int().min(1).max(8_760).meta({ description: 'How long they wait' }),
  unanswered_authorization: z.enum(['approve', 'deny']).meta({
    description: 'What becomes of one that nobody answered in time',
  }),
  pre_funding: z.boolean().meta({
    description: 'What leaves must be available; if off, an outgoing ACH may exceed it',
  }),
  queue_minutes: QueueMinutes.meta({ description: 'How long transfers of a rail are held before they begin' }),
  vrn_cooldown_minutes: Wait.meta({ description: 'Between locking and unlocking a VRN' }),
  strict: z.boolean().meta({
    description: 'Unknown fields and parameters are refused instead of ignored with a hint',
  }),
  trace_ids_optional: z.boolean().meta({ description: 'Requests without an x-trace-id are taken' }),
  shows_iat: z.boolean().meta({ description: 'International ACH payments show their detail' }),
  limits: z.object({ ach: RailLimits, wire: RailLimits, instant_payment: RailLimits }),
  account_limits: AccountLimits,
})
export type ProgramSettings = z.infer<typeof ProgramSettings>

/** What is left out stays, at any depth; what there is not is refused. */
const someOf = <S extends z.ZodRawShape>(schema: z.ZodObject<S>) => z.strictObject(schema.partial().shape)
export const ProgramChanges = ProgramSettings.partial().extend({
  queue_minutes: someOf(QueueMinutes).optional(),
  account_limits: someOf(AccountLimits).optional(),
  limits: z
    .strictObject({ ach: someOf(RailLimits), wire: someOf(RailLimits), instant_payment: someOf(RailLimits) })
    .partial()
    .optional(),
  products: z
    .array(ProductChange)
    .max(100)
    .optional()
    .meta({ description: 'The whole list: by uid what there is, without one what is new; one left out is withdrawn' }),
  synthetic_account_types: z
    .array(SyntheticAccountTypeChange)
    .max(100)
    .optional()
    .meta({ description: 'The whole list: by uid what there is, without one what is new; one left out is withdrawn' }),
})
export type ProgramChanges = z.infer<typeof ProgramChanges>

export const Program = ProgramSettings.extend({
  uid: Uid,
  client_uid: Uid,
  name: z.string(),
  hmac_key: z.string().meta({ description: 'Its UTF-8 bytes sign refresh tokens' }),
}).meta({ id: 'Program' })
export type Program = z.infer<typeof Program>

export const programList = list<Program>()({ filters: { uid: anyOf((program) => program.uid) } })

/** With what it offers, which is kept as records of its own; each can be sent back as it is. */
export const ProgramInFull = Program.extend({
  products: z.array(Product.omit({ program_uid: true })),
  synthetic_account_types: z.array(SyntheticAccountType.omit({ program_uid: true })),
}).meta({ id: 'ProgramInFull' })
export type ProgramInFull = z.infer<typeof ProgramInFull>

/** A shorter one would be found in ordinary words, and the request log hides it wherever it is found. */
export const HmacKey = z.string().min(16, {
  error: 'at least 16 characters are expected: the request log hides the key wherever it stands, also in other words',
})
