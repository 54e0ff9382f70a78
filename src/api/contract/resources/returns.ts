import { z } from 'zod'
import { endpoint } from '../terms/endpoint.ts'
import { examples } from '../terms/examples.ts'
import { after, anyOf, before, envelope, indexed, list, MAX_LIMIT } from '../terms/list.ts'
import { ExternalUid, orNull, Timestamp, Uid } from '../terms/primitives.ts'

export const ReturnStatus = z.enum(['queued', 'pending', 'settled', 'failed', 'canceled'])
export type ReturnStatus = z.infer<typeof ReturnStatus>

export const RequestorType = z.enum(['customer', 'subclient'])
export type RequestorType = z.infer<typeof RequestorType>

/** The codes that a request for an ACH return can have. */
export const AchReturnCode = z.enum([
  'R01',
  'R02',
  'R03',
  'R04',
  'R06',
  'R09',
  'R10',
  'R16',
  'R17',
  'R20',
  'R23',
  'R29',
  'R31',
])
export type AchReturnCode = z.infer<typeof AchReturnCode>

const AddendaInfo = z.string().max(44)
const WireInstructions = z.string().max(140)

/** A list does not show the fields of the rail. */
const ReturnSummary = z
  .object({
    uid: Uid,
    external_uid: orNull(ExternalUid),
    original_transaction_uid: Uid,
    return_transaction_uid: Uid,
    customer_uid: Uid,
    requestor_type: RequestorType,
    return_reason: z.string(),
    status: ReturnStatus,
    created_at: Timestamp,
  })
  .meta({ id: 'ReturnSummary' })

export const Return = ReturnSummary.extend({
  ach: z.object({ ach_return_code: orNull(AchReturnCode), addenda_info: orNull(AddendaInfo) }).optional(),
  wire: z.object({ wire_instructions: orNull(WireInstructions) }).optional(),
}).meta({ id: 'Return' })
export type Return = z.infer<typeof Return>

/** The published schema is a single Return, its example the envelope. We send the envelope and declare both. */
const declared = z
  .never()
  .optional()
  .meta({ type: 'string', deprecated: true, description: 'Declared by the published interface, but never sent' })
const ReturnsPage = envelope(ReturnSummary).extend(
  Object.fromEntries(Object.keys(ReturnSummary.shape).map((name) => [name, declared])) as Record<
    keyof typeof ReturnSummary.shape,
    typeof declared
  >,
)

/** The interface has two of these filters; the specification's section 4.1 adds status and date. */
export const returnList = list<Return>()({
  defaultLimit: MAX_LIMIT,
  filters: {
    customer_uid: indexed('customer_uid'),
    requestor_type: anyOf((it) => it.requestor_type, RequestorType),
    status: anyOf((it) => it.status, ReturnStatus),
    created_at_after: after((it) => it.created_at),
    created_at_before: before((it) => it.created_at),
  },
})

export const CreateReturn = z
  .object({
    external_uid: ExternalUid.nullable().optional(),
    original_transaction_uid: Uid,
    requesting_customer_uid: Uid,
    requestor_type: z.enum(RequestorType.options, {
      error: ({ input }) => (input === undefined ? undefined : 'returnRequestorUnknown'),
    }),
    return_reason: z.string().min(1).max(140),
    ach: z
      .object({
        ach_return_code: AchReturnCode.nullable().optional(),
        addenda_info: AddendaInfo.nullable().optional(),
      })
      .nullable()
      .optional()
      .meta({ description: 'To return a received ACH. Do not send it to reverse an ACH of your own' }),
    wire: z
      .object({ wire_instructions: WireInstructions.nullable().optional().meta({ deprecated: true }) })
      .nullable()
      .optional(),
  })
  .meta({
    id: 'CreateReturn',
    examples: [
      {
        original_transaction_uid: examples.returnable_transaction,
        requesting_customer_uid: examples.returning_customer,
        requestor_type: 'customer',
        return_reason: 'Sent by mistake',
      },
    ],
  })
export type CreateReturn = z.infer<typeof CreateReturn>

export const returnEndpoints = {
  listReturns: endpoint({
    method: 'GET',
    path: '/returns',
    group: 'Returns',
    summary: 'List Returns',
    description: 'Lists the Returns.',
    query: returnList.query,
    status: 200,
    response: ReturnsPage,
    errors: ['returnsDisabled', 'invalidLimit', 'unparseableDate'],
    documents: [422],
  }),
  createReturn: endpoint({
    method: 'POST',
    path: '/returns',
    group: 'Returns',
    summary: 'Return or reverse a settled Transaction',
    description: 'Returns a settled payment.',
    body: CreateReturn,
    status: 201,
    response: Return,
    errors: [
      'returnsDisabled',
      'missingParameter',
      'invalidArgument',
      'returnRequestorUnknown',
      'customerNotFound',
      'unknownRecord',
      'returnIneligible',
      'archivedCustomer',
      'inactiveCustomer',
      'customerLocked',
      'returnOfReturn',
      'returnUnsupported',
      'returnNetworkUnsupported',
      'returnNotSettled',
      'returnExists',
      'returnCodeUnsupported',
      'returnExtraInformation',
      'returnExpired',
      'returnTooLateToday',
      'returnNotCreated',
    ],
  }),
  getReturn: endpoint({
    method: 'GET',
    path: '/returns/{uid}',
    group: 'Returns',
    summary: 'Get one Return',
    description: 'Returns a Return.',
    status: 200,
    response: Return,
    errors: ['returnsDisabled', 'returnNotFound'],
  }),
}
