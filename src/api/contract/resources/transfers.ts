import { z } from 'zod'
import {
  AddressLines,
  acceptNumber,
  City,
  Country,
  checkWireAddress,
  isStructured,
  line,
  PostalCode,
  pattern,
  State,
  StreetNumber,
  wireAddressFields,
} from '../terms/addresses.ts'
import { amount } from '../terms/amounts.ts'
import { fromLinked } from '../terms/derived.ts'
import { endpoint } from '../terms/endpoint.ts'
import { examples } from '../terms/examples.ts'
import { anyOf, envelope, indexed, list } from '../terms/list.ts'
import {
  CalendarDate,
  ExternalUid,
  Money,
  optionalName,
  orNull,
  RoutingNumber,
  Timestamp,
  Uid,
} from '../terms/primitives.ts'

export const TransferStatus = z.enum(['queued', 'pending', 'settled', 'failed', 'canceled'])
export type TransferStatus = z.infer<typeof TransferStatus>

const InitiatorType = z.enum(['customer', 'transmitter'])
export type InitiatorType = z.infer<typeof InitiatorType>

export const SecCode = z.enum(['CCD', 'CIE', 'PPD', 'TEL', 'WEB'])
export type SecCode = z.infer<typeof SecCode>

const ServiceProcessing = z.enum(['SAMEDAY', 'STANDARD'])
export type ServiceProcessing = z.infer<typeof ServiceProcessing>

// ── Fields of the rails that requests and responses share ──────────────────────────────────────────────────────────

const optional = <S extends z.ZodType>(schema: S) => schema.nullable().optional()

const Plain16 = pattern(/^[a-zA-Z0-9.,' -]{1,16}$/, '1 to 16 plain characters are expected', 'Harbor Payments')
const Plain10 = pattern(/^[a-zA-Z0-9.,' -]{1,10}$/, '1 to 10 plain characters are expected', '1234567890')
export const EntryDescription = pattern(
  /^[a-zA-Z0-9 ]{1,10}$/,
  '1 to 10 letters, digits and spaces are expected',
  'PAYMENT',
)
const IdNumber = pattern(/^[a-zA-Z0-9 ]{1,22}$/, '1 to 22 letters, digits and spaces are expected', '4410')
const PaymentType = z.enum(['R', 'S', 'ST']).meta({ description: 'Recurring, single, or single by telephone' })
export const Addenda = pattern(/^.{1,80}$/, '1 to 80 characters are expected', 'Invoice 2291')
export const Memo = pattern(
  /^[a-zA-Z0-9. !@#$%^&*',/:;<=>?~`|[\]{})(+=_-]{0,140}$/,
  'at most 140 plain characters are expected',
  'Invoice 2291',
)
/** ISO 20022 codes. */
const Purpose = z.enum(['NOWS', 'GDDS', 'SCVE', 'INSC', 'INSM', 'INVS', 'PAYR', 'UBIL', 'PDEP', 'ACCT', 'CBLK', 'MP2P'])
/** `""` is the same as none. It is in no enum, as generators name each member after its value. */
const PurposeInput = z
  .preprocess((value) => (value === '' ? null : value), Purpose.nullable())
  .meta({ description: 'The kind of an instant payment that the Client sends. Default: none' })
export const PurposeOfPayment = z
  .union([Purpose, z.string().max(0)])
  .meta({ description: 'The kind of an instant payment that the Client sends; "" if it has none' })

export const WireInstructions = z
  .string()
  .max(140)
  .meta({ examples: ['Invoice 2291'] })
export const BankName = z
  .string()
  .max(35)
  .meta({ examples: ['First Coast Bank'] })

const TransmitterIdentifier = pattern(/^[a-zA-Z0-9]{1,24}$/, '1 to 24 letters and digits are expected', 'T4410')

/** The published pattern has no start anchor, so it checks only the end of the name. */
const InstantPaymentTransmitterName = z
  .string()
  .max(140)
  .regex(/[a-zA-Z0-9_#|-]{1,140}$/, { error: 'a letter or digit is expected at the end' })
  .meta({ examples: ['Bayline Hotels'] })
const TransmitterStreet = pattern(/^[a-zA-Z0-9-. #/]{1,70}$/, '1 to 70 plain characters are expected', 'Harbor Street')

const wireTransmitterFields = {
  name: pattern(/^[a-zA-Z0-9.,' -]{1,35}$/, '1 to 35 plain characters are expected', 'Bayline Hotels'),
  transmitter_identifier: TransmitterIdentifier,
  ...wireAddressFields,
  line1: optional(line(35, 1)).meta({
    description: 'Required unless the address is structured; may be null',
    examples: ['12 Harbor Street'],
  }),
  country: Country,
}

function checkTransmitter(transmitter: { line1?: string | null | undefined }, context: z.RefinementCtx) {
  checkWireAddress(transmitter, context)
  if (transmitter.line1 === undefined && !isStructured(transmitter))
    context.addIssue({ code: 'custom', path: ['line1'], message: 'a text is expected', input: undefined })
}

const WireTransmitter = z.object(wireTransmitterFields).superRefine(checkTransmitter)

// ── Responses ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Submitted fields, which the Transfer and its Transaction show. */
export const achFacts = {
  originator_name: z.string().optional(),
  company_id: orNull(z.string()),
  company_discretionary_data: orNull(z.string()),
  prenote: z.boolean().optional(),
  sec_code: SecCode.optional(),
  payment_type: PaymentType.optional(),
  entry_description: z.string().optional(),
  service_processing: ServiceProcessing.optional(),
  effective_entry_date: CalendarDate.optional(),
  id_number: orNull(z.string()),
}
const AchSummary = z.object(achFacts)
const Ach = AchSummary.extend({
  transfer_trace_id: z.string().optional(),
  addenda: orNull(z.string()),
})

export const InstantPaymentTransmitter = z.object({
  name: InstantPaymentTransmitterName,
  transmitter_identifier: TransmitterIdentifier.optional(),
  street_number: StreetNumber,
  street1: TransmitterStreet,
  city: City.nullable(),
  state: State.nullable(),
  postal_code: PostalCode.nullable(),
  country: Country.nullable(),
})
const InstantPaymentSummary = z.object({ instant_payment_transmitter: orNull(InstantPaymentTransmitter) })
const InstantPayment = InstantPaymentSummary.extend({
  memo: orNull(Memo),
  purpose_of_payment: PurposeOfPayment.optional(),
})

/** The intermediary bank, if there is one. */
export const intermediaryFacts = {
  intermediary_bank_name: orNull(BankName),
  intermediary_bank_address: orNull(AddressLines),
  intermediary_bank_routing_number: orNull(RoutingNumber),
}
const WireSummary = z.object({ ...intermediaryFacts, wire_transmitter: orNull(WireTransmitter) })
const Wire = WireSummary.extend({ wire_instructions: orNull(WireInstructions) })

const CancellationStatus = z.enum(['pending_cancellation', 'successful_cancellation', 'failed_cancellation'])
export type CancellationStatus = z.infer<typeof CancellationStatus>

const Cancellation = z.object({
  authorized_representative_name: z.string().optional(),
  cancellation_reason: z.string().optional(),
  current_cancellation_status: CancellationStatus,
  cancellation_requested_at: Timestamp,
  cancellation_succeeded_at: Timestamp.optional(),
  cancellation_failed_at: orNull(Timestamp),
})

const facts = {
  uid: Uid,
  external_uid: orNull(ExternalUid),
  source_synthetic_account_uid: Uid,
  destination_synthetic_account_uid: Uid,
  initiating_customer_uid: Uid,
  destination_customer_uid: Uid,
  status: TransferStatus,
  initiator_type: InitiatorType,
  created_at: Timestamp,
  queued_until: Timestamp.optional().meta({ description: 'Only if the Program queues payments of this rail' }),
  transaction_uids: z.array(Uid).meta({ description: 'At least one, also in the response to the creation' }),
  usd_transfer_amount: Money,
  cancellation: Cancellation.optional().meta({ description: 'Only after an attempt to cancel' }),
}

/** A list does not show addenda, trace id, memo, purpose and instructions. */
const TransferSummary = z
  .object({
    ...facts,
    ach: AchSummary.optional(),
    instant_payment: InstantPaymentSummary.optional(),
    wire: WireSummary.optional(),
  })
  .meta({ id: 'TransferSummary' })

/** It has the object of its external account's rail; between two general accounts none. */
export const Transfer = z
  .object({
    ...facts,
    ach: Ach.optional(),
    instant_payment: InstantPayment.optional(),
    wire: Wire.optional(),
  })
  .meta({ id: 'Transfer' })
export type Transfer = z.infer<typeof Transfer>

/** The rail is that of the external account; between two general accounts it is a book transfer. */
export const railOf = ({ ach, wire, instant_payment }: Partial<Pick<Transfer, 'ach' | 'wire' | 'instant_payment'>>) =>
  ach ? 'ach' : wire ? 'wire' : instant_payment ? 'instant_payment' : 'book_transfer'

/** Computed when it is shown. */
export const derivedFields = {
  transaction_uids: fromLinked('The Transactions that move or return its money', 'transactions', 'transfer_uid'),
}
type Kept = Omit<Transfer, keyof typeof derivedFields> & {
  readonly pool_uid: Uid
  /** Both Customers and both accounts, for the indexes. */
  readonly customer_uid: readonly Uid[]
  readonly synthetic_account_uid: readonly Uid[]
}

export const transferList = list<Kept>()({
  rules: derivedFields,
  filters: {
    customer_uid: indexed('customer_uid'),
    external_uid: indexed('external_uid'),
    pool_uid: indexed('pool_uid'),
    synthetic_account_uid: indexed('synthetic_account_uid'),
    // Assumed (sibling): transfers have the filter by status that Customers, Returns and Combined Transfers have.
    status: anyOf((transfer) => transfer.status, TransferStatus),
  },
  sort: { created_at: (transfer) => transfer.created_at },
})

// ── Requests ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Zero is allowed here: a prenote has the amount 0.00. */
const TransferAmount = amount({
  published: 'text',
  notNumeric: 'transferAmountNotNumeric',
  negative: 'transferAmountNotPositive',
}).meta({ description: 'US dollars; at most two decimals; 0.00 for a prenote', examples: ['12.34'] })

const EntryDate = z.iso
  .date({ error: ({ input }) => (input === undefined ? undefined : 'unparseableDate') })
  .meta({ description: 'Today, or at most 30 days ahead', examples: ['2026-11-20'] })

const AchInput = z
  .object({
    originator_name: Plain16,
    company_id: optional(Plain10),
    company_discretionary_data: optional(Plain10),
    prenote: optional(z.boolean()).meta({ description: 'Default false' }),
    sec_code: SecCode,
    payment_type: optional(PaymentType),
    entry_description: EntryDescription,
    service_processing: ServiceProcessing,
    effective_entry_date: EntryDate,
    id_number: optional(acceptNumber(IdNumber)).meta({
      description: 'At most 15 characters; for CIE required, and at most 22',
    }),
    addenda: optional(Addenda).meta({ description: 'Not with TEL' }),
  })
  .superRefine((ach, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message, input: ach })
    if (ach.sec_code === 'CIE' && ach.id_number == null) refuse('missingParameter: ach.id_number is missing')
    if (ach.sec_code !== 'CIE' && ach.id_number != null && ach.id_number.length > 15)
      refuse('invalidArgument: ach.id_number: at most 15 characters are expected')
    if (ach.sec_code === 'TEL' && ach.addenda != null)
      refuse('invalidArgument: ach.addenda is not allowed with sec_code TEL')
  })

const InstantPaymentTransmitterInput = z.object({
  name: InstantPaymentTransmitterName,
  transmitter_identifier: acceptNumber(TransmitterIdentifier),
  street_number: StreetNumber,
  street1: TransmitterStreet,
  city: City.nullable(),
  state: State.nullable(),
  postal_code: acceptNumber(PostalCode.nullable()),
  country: Country.nullable(),
})

const InstantPaymentInput = z.object({
  instant_payment_transmitter: optional(InstantPaymentTransmitterInput).meta({
    description: 'Required if initiator_type is transmitter',
  }),
  memo: optional(Memo),
  purpose_of_payment: optional(PurposeInput),
})

const WireTransmitterInput = z
  .object({ ...wireTransmitterFields, transmitter_identifier: acceptNumber(TransmitterIdentifier) })
  .superRefine(checkTransmitter)

const WireInput = z
  .object({
    intermediary_bank_name: optionalName(BankName),
    intermediary_bank_address: optional(AddressLines),
    intermediary_bank_routing_number: optional(RoutingNumber).meta({
      description: 'Required if the name or the address is given',
    }),
    wire_instructions: optional(WireInstructions),
    wire_transmitter: optional(WireTransmitterInput).meta({
      description: 'Required if initiator_type is transmitter',
    }),
  })
  .refine(
    (wire) =>
      wire.intermediary_bank_routing_number != null ||
      (wire.intermediary_bank_name == null && wire.intermediary_bank_address == null),
    { error: 'missingParameter: wire.intermediary_bank_routing_number is missing' },
  )

export const TransferInput = z
  .object({
    external_uid: ExternalUid.nullable().optional(),
    source_synthetic_account_uid: Uid,
    destination_synthetic_account_uid: Uid,
    initiating_customer_uid: Uid,
    destination_customer_uid: optional(Uid).meta({ description: 'Default: the initiating Customer' }),
    usd_transfer_amount: TransferAmount,
    initiator_type: optional(InitiatorType).meta({ description: 'Default customer: transmitters are ignored' }),
    company_id: optional(Plain10).meta({
      description: 'One of the company_ids of the Custodial Account; also taken within ach',
    }),
    wire_transmitter: optional(WireTransmitterInput).meta({ description: 'Also taken within wire' }),
    instant_payment_transmitter: optional(InstantPaymentTransmitterInput).meta({
      description: 'Also taken within instant_payment',
    }),
    ach: optional(AchInput),
    instant_payment: optional(InstantPaymentInput),
    wire: optional(WireInput),
  })
  .meta({
    id: 'CreateTransfer',
    examples: [
      {
        source_synthetic_account_uid: examples.synthetic_accounts,
        destination_synthetic_account_uid: examples.counterparty,
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
    ],
  })

/** Specification 2.4 has these fields at the top of a Transfer, the published interface within an object of its rail. */
const TRANSMITTERS = { wire_transmitter: 'wire', instant_payment_transmitter: 'instant_payment' } as const
const FIELDS_IN_TWO_PLACES = { ...TRANSMITTERS, company_id: 'ach' } as const

/** With initiator_type customer, transmitters are ignored and not validated. */
export function removeUnusedTransmitters(body: unknown): unknown {
  if (!isObject(body) || body.initiator_type === 'transmitter') return body
  const rest = { ...body }
  for (const [field, rail] of Object.entries(TRANSMITTERS)) {
    delete rest[field]
    const parts = rest[rail]
    if (isObject(parts)) rest[rail] = { ...parts, [field]: undefined }
  }
  return rest
}

/** Assumed (invented): a field that is given in both places, with different values, is 400/1007. */
export function refuseDifferent(body: Record<string, unknown>, context: z.RefinementCtx) {
  for (const [field, rail] of Object.entries(FIELDS_IN_TWO_PLACES)) {
    const parts = body[rail]
    const [top, inner] = [body[field], isObject(parts) ? parts[field] : undefined]
    if (top != null && inner != null && !isSame(top, inner))
      context.addIssue({
        code: 'custom',
        message: `invalidArgument: ${field} and ${rail}.${field} differ`,
        input: body,
      })
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether two texts or two flat objects are equal; null is the same as a field that is left out. */
const isSame = (a: unknown, b: unknown) => toComparable(a) === toComparable(b)
const toComparable = (value: unknown) =>
  isObject(value)
    ? JSON.stringify(
        Object.entries(value)
          .filter(([, part]) => part != null)
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      )
    : value

export const CreateTransfer = z.preprocess(removeUnusedTransmitters, TransferInput.superRefine(refuseDifferent))
export type CreateTransfer = z.infer<typeof CreateTransfer>

export const CancelTransfer = z
  .object({
    authorized_representative_name: optional(z.string().max(35)).meta({ examples: ['Ada Harbor'] }),
    cancellation_reason: optional(z.string().max(135)).meta({ examples: ['Sent twice'] }),
  })
  .meta({ id: 'CancelTransfer', examples: [{ cancellation_reason: 'Sent twice' }] })
export type CancelTransfer = z.infer<typeof CancelTransfer>

export const transferEndpoints = {
  listTransfers: endpoint({
    method: 'GET',
    path: '/transfers',
    group: 'Transfers',
    summary: 'List Transfers',
    description: 'Lists the Transfers, the newest first.',
    query: transferList.query,
    status: 200,
    response: envelope(TransferSummary),
    errors: ['invalidLimit', 'invalidSort'],
  }),
  createTransfer: endpoint({
    method: 'POST',
    path: '/transfers',
    group: 'Transfers',
    summary: 'Initiate a Transfer',
    description:
      'Moves money between two Synthetic Accounts, of which at most one is external; its category decides the rail.',
    body: CreateTransfer,
    status: 201,
    response: Transfer,
    errors: [
      'missingParameter',
      'invalidArgument',
      'unparseableDate',
      'transferAmountNotNumeric',
      'transferAmountNotPositive',
      'customerNotFound',
      'syntheticAccountNotFound',
      'sameAccounts',
      'transferProhibited',
      'archivedCustomer',
      'inactiveCustomer',
      'accountDiscarded',
      'accountLocked',
      'transferAboveMaximum',
      'transferBelowMinimum',
      'dailyTransfersExhausted',
      'dailyAmountExhausted',
      'insufficientFunds',
    ],
  }),
  getTransfer: endpoint({
    method: 'GET',
    path: '/transfers/{uid}',
    group: 'Transfers',
    summary: 'Get one Transfer',
    description: 'Returns a Transfer with the uids of its Transactions.',
    status: 200,
    response: Transfer,
    errors: ['transferNotFound'],
  }),
  cancelTransfer: endpoint({
    method: 'PUT',
    path: '/transfers/{uid}/cancel',
    example: 'cancelable_transfer',
    group: 'Transfers',
    summary: 'Cancel a Transfer',
    description: 'Cancels a wire or an ACH transfer that is still queued.',
    body: CancelTransfer,
    status: 200,
    response: Transfer,
    errors: ['transferNotFound', 'transferNotCancelable', 'transferNotCanceled'],
  }),
}
