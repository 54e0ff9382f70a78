import { z } from 'zod'
import { fromLinked } from '../terms/derived.ts'
import { endpoint } from '../terms/endpoint.ts'
import { examples } from '../terms/examples.ts'
import { anyOf, contains, envelope, flag, indexed, list } from '../terms/list.ts'
import { ExternalUid, Money, Timestamp, Uid } from '../terms/primitives.ts'

/** Specification 2.1 to 2.3, 4.3 and 4.4. */

export const CustomerStatus = z.enum([
  'initiated',
  'queued',
  'identity_verified',
  'active',
  'manual_review',
  'rejected',
  'pending_archival',
  'archived',
  'under_review',
])
export type CustomerStatus = z.infer<typeof CustomerStatus>

export const KycStatus = z.enum([
  'approved',
  'denied',
  'documents_provided',
  'documents_rejected',
  'manual_review',
  'pending_id_documents',
  'pending_poa_documents',
  'pending_idandpoa_documents',
  'retake_images',
  'pre_verified',
])
export type KycStatus = z.infer<typeof KycStatus>

export const KycStatusReason = z.enum([
  'Approved',
  'Valid Documents Provided',
  'Archived due to application inactivity',
  'Further review required',
  'Minor (age < 18 years)',
  'Invalid Documents submitted multiple times',
  'Minimum requirements to open an account were not met',
  'Invalid documents',
  'Incorrect document provided for ID document',
  'Expired ID',
  'Illegible ID document',
  'Incorrect document provided for POA document',
  'Invalid POA provided',
  'Illegible POA document',
])

export type KycStatusReason = z.infer<typeof KycStatusReason>

/** The types that a Client may create. A response may also have `sub_ledger`. */
export const CreatableCustomerType = z.enum(['primary', 'secondary', 'sole_proprietor'])
export const CustomerType = z.enum([...CreatableCustomerType.options, 'sub_ledger'])
export type CustomerType = z.infer<typeof CustomerType>

const text = z.string().nullable()

const Address = z
  .object({
    street1: text,
    street2: text,
    city: text,
    state: text.meta({ description: 'US state, two letters', examples: ['IA'] }),
    postal_code: text.meta({ description: 'ZIP, or ZIP+4', examples: ['50010'] }),
  })
  .meta({ id: 'Address' })

const names = {
  first_name: text,
  middle_name: text,
  last_name: text,
  suffix: text,
  phone: text.meta({ description: 'Exactly 10 digits', examples: ['5155550123'] }),
  business_name: text.meta({ description: 'Stored only for a sole_proprietor' }),
}

const CustomerDetails = z
  .object({
    ...names,
    // No value fits `never`: a response with an SSN would fail and not be sent.
    ssn: z.never().optional().meta({ type: 'string', writeOnly: true, description: 'Never in a response' }),
    ssn_last_four: text.meta({ description: 'Last four digits; the SSN itself is write-only' }),
    dob: text.meta({ format: 'date', examples: ['1990-04-17'] }),
    address: Address.optional(),
  })
  .meta({ id: 'CustomerDetails' })

const ProfileResponse = z.object({
  profile_requirement: z.string(),
  profile_response: z.string(),
  profile_requirement_uid: Uid,
})

export const Customer = z
  .object({
    uid: Uid,
    external_uid: ExternalUid.nullable(),
    activated_at: Timestamp.optional(),
    created_at: Timestamp,
    archived_at: Timestamp.nullable(),
    customer_type: CustomerType,
    email: z.string().optional(),
    client_verified: z.boolean().meta({ description: 'If true, kyc_status is pre_verified' }),
    kyc_status: KycStatus.nullable(),
    kyc_status_reasons: z.array(KycStatusReason).nullable(),
    lock_reason: text.meta({ description: 'Null if and only if locked_at is null' }),
    locked_at: Timestamp.nullable(),
    pii_confirmed_at: Timestamp.optional().meta({ description: 'Last time PII was confirmed' }),
    pool_uids: z.array(Uid),
    primary_customer_uid: Uid.nullable().meta({ description: 'Null unless customer_type is secondary' }),
    secondary_customer_uids: z.array(Uid).nullable().meta({ description: 'Null unless customer_type is primary' }),
    profile_responses: z.array(ProfileResponse),
    program_uid: Uid,
    status: CustomerStatus,
    total_balance: Money.meta({ description: 'Total assets in US dollars; may be negative' }),
    details: CustomerDetails,
  })
  .meta({ id: 'Customer' })
export type Customer = z.infer<typeof Customer>

type Details = Customer['details']

export const personName = ({ first_name, middle_name, last_name, suffix }: Details): string =>
  [first_name, middle_name, last_name, suffix].filter(Boolean).join(' ')

/** The name of the business or person, else the email or external_uid; null without any of them. */
export const customerName = ({
  details,
  email,
  external_uid,
}: Partial<Pick<Customer, 'details' | 'email' | 'external_uid'>>): string | null =>
  (details && (details.business_name || personName(details))) || email || external_uid || null

/** In a list, `details` holds only names and phone. */
const CustomerSummary = Customer.extend({ details: z.object(names) }).meta({ id: 'CustomerSummary' })

/** Computed when a Customer is shown; all other fields are stored. */
export const derivedFields = {
  total_balance: {
    rule: "The sum of the settled balances of the Customer's own accounts",
    section: '2.1',
    from: [{ collection: 'synthetic_accounts', childField: 'customer_uid', fields: ['net_usd_balance'] }],
  },
  secondary_customer_uids: fromLinked('The secondaries that name it', 'customers', 'primary_customer_uid'),
}
type Kept = Omit<Customer, keyof typeof derivedFields>

export const customerList = list<Kept>()({
  rules: derivedFields,
  filters: {
    uid: anyOf((c) => c.uid),
    status: anyOf((c) => c.status, CustomerStatus),
    kyc_status: anyOf((c) => c.kyc_status, KycStatus),
    customer_type: anyOf((c) => c.customer_type, CreatableCustomerType),
    first_name: anyOf((c) => c.details.first_name),
    last_name: anyOf((c) => c.details.last_name),
    email: indexed('email'),
    locked: flag((c) => c.locked_at !== null),
    program_uid: anyOf((c) => c.program_uid),
    business_name: contains((c) => c.details.business_name),
    external_uid: indexed('external_uid'),
    pool_uid: indexed('pool_uids'),
  },
  hides: [{ filter: 'status', value: 'initiated', unless: 'include_initiated' }],
  sort: {
    activated_at: (c) => c.activated_at,
    first_name: (c) => c.details.first_name,
    last_name: (c) => c.details.last_name,
    email: (c) => c.email,
  },
})

const given = z.string().nullable().optional()

/**
 * Section 4.6 rule 1: before onboarding only the JSON types are checked, so that a Client may send what it has. Formats
 * and lengths are checked when the Customer is onboarded; the descriptions document them.
 */
const DetailsInput = z
  .object({
    first_name: given.meta({ description: '1-40 characters', examples: ['Ada'] }),
    middle_name: given.meta({ description: '1-40 characters' }),
    last_name: given.meta({ description: '1-40 characters', examples: ['Harbor'] }),
    suffix: given.meta({ description: '1-30 characters' }),
    phone: given.meta({ description: 'Exactly 10 digits', examples: ['5155550123'] }),
    business_name: given.meta({ description: '1-256 alphanumeric characters; stored only for a sole_proprietor' }),
    ssn: given.meta({ description: 'ddd-dd-dddd, or a tax identifier', writeOnly: true, examples: ['512-04-8823'] }),
    dob: given.meta({ description: 'YYYY-MM-DD', format: 'date', examples: ['1990-04-17'] }),
    address: z
      .object({
        street1: given.meta({ description: 'At most 35 characters', examples: ['12 Harbor Street'] }),
        street2: given.meta({ description: 'At most 35 characters' }),
        city: given.meta({ description: 'At most 35 characters', examples: ['Ames'] }),
        state: given.meta({ description: 'US state, two letters', examples: ['IA'] }),
        postal_code: given.meta({ description: 'ZIP, or ZIP+4', examples: ['50010'] }),
      })
      .nullable()
      .optional(),
  })
  .meta({ id: 'CustomerDetailsInput' })

const ProfileResponseInput = z.object({
  profile_requirement_uid: Uid,
  profile_response: z
    .union([z.string(), z.number(), z.array(z.string()), z.record(z.string().regex(/^\d+$/), z.string())])
    .nullable()
    .meta({ description: 'One value; for an ordered list, a list or an object { "0": …, "1": … }; null removes it' }),
})

/** The fields of PUT, which POST has, too. */
const editable = {
  external_uid: ExternalUid.nullable().optional(),
  email: given.meta({ examples: ['ada@example.test'] }),
  details: DetailsInput.nullable().optional(),
  profile_responses: z.array(ProfileResponseInput).nullable().optional(),
}

/** An example with everything that onboarding requires. */
export const ADA = {
  email: 'ada@example.test',
  details: {
    first_name: 'Ada',
    last_name: 'Harbor',
    phone: '5155550123',
    dob: '1990-04-17',
    address: { street1: '12 Harbor Street', city: 'Ames', state: 'IA', postal_code: '50010' },
  },
}

/** What a verified Customer may change. */
const MOVED = {
  email: 'ada.harbor@example.test',
  details: {
    first_name: 'Ada',
    last_name: 'Harbor',
    phone: '5155550124',
    address: { street1: '14 Harbor Street', city: 'Ames', state: 'IA', postal_code: '50010' },
  },
}

export const UpdateCustomer = z.object(editable).meta({ id: 'UpdateCustomer', examples: [MOVED] })
export type UpdateCustomer = z.infer<typeof UpdateCustomer>

export const CreateCustomer = z
  .object({
    customer_type: CreatableCustomerType.optional().meta({ description: 'Default primary. Cannot change later.' }),
    primary_customer_uid: given.meta({ description: 'Required for, and only applicable to, secondary' }),
    client_verified: z.boolean().nullable().optional().meta({ description: 'Default false' }),
    ...editable,
  })
  .meta({ id: 'CreateCustomer', examples: [{ customer_type: 'primary', ...ADA }] })
export type CreateCustomer = z.infer<typeof CreateCustomer>

export const ArchiveCustomer = z
  .object({
    archive_note: given.meta({ description: 'Free note' }),
    can_apply_again: z.boolean().nullable().optional().meta({ description: 'Default true; false prevents reapplying' }),
    destination_synthetic_account_uid: Uid.nullable()
      .optional()
      .meta({ description: 'An active external account; required if the Customer has several' }),
  })
  .meta({
    id: 'ArchiveCustomer',
    examples: [
      {
        archive_note: 'At the request of the Customer',
        can_apply_again: true,
        destination_synthetic_account_uid: examples.refund_account,
      },
    ],
  })
export type ArchiveCustomer = z.infer<typeof ArchiveCustomer>

export const customerEndpoints = {
  listCustomers: endpoint({
    method: 'GET',
    path: '/customers',
    group: 'Customers',
    summary: 'List Customers',
    description:
      'Lists the Customers of the Program. The details have names and phone only. Customers in status `initiated` are listed with `include_initiated`.',
    query: customerList.query,
    status: 200,
    response: envelope(CustomerSummary),
    errors: ['invalidLimit', 'invalidSort'],
  }),
  createCustomer: endpoint({
    method: 'POST',
    path: '/customers',
    group: 'Customers',
    summary: 'Create a Customer',
    description:
      'Creates a Customer in status `initiated`. Every field is optional; the data is validated when the Customer is onboarded.',
    body: CreateCustomer,
    status: 201,
    response: Customer,
    errors: [
      'creationByOperator',
      'invalidArgument',
      'missingParameter',
      'customerNotFound',
      'inactiveCustomer',
      'customerInUse',
    ],
  }),
  getCustomer: endpoint({
    method: 'GET',
    path: '/customers/{uid}',
    group: 'Customers',
    summary: 'Get one Customer',
    description: 'Returns a Customer with all details and its total balance.',
    status: 200,
    response: Customer,
    errors: ['customerNotFound'],
  }),
  archiveCustomer: endpoint({
    method: 'DELETE',
    path: '/customers/{uid}',
    example: 'archivable_customer',
    group: 'Customers',
    summary: 'Archive a Customer',
    description:
      'Starts the archival of a Customer: its accounts are locked and its balance is paid out, which takes up to 8 business days.',
    body: ArchiveCustomer,
    status: 200,
    response: Customer,
    errors: [
      'customerNotFound',
      'archivedCustomer',
      'customerNotUpdatable',
      'syntheticAccountNotFound',
      'invalidArgument',
      'missingParameter',
    ],
  }),
  updateCustomer: endpoint({
    method: 'PUT',
    path: '/customers/{uid}',
    group: 'Customers',
    summary: 'Adjust Customer data',
    description:
      'Changes the data of a Customer. After onboarding all data is validated; of an active Customer only names, email, phone and address can change, which starts a new KYC/AML evaluation.',
    body: UpdateCustomer,
    status: 200,
    response: Customer,
    errors: [
      'customerNotFound',
      'archivedCustomer',
      'customerNotUpdatable',
      'piiFrozen',
      'customerLocked',
      'customerInUse',
      'customerDetailsIncomplete',
      'malformedUpdate',
      'invalidArgument',
    ],
  }),
}
