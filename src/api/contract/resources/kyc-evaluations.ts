import { z } from 'zod'
import { anyOf, flag, indexed, list } from '../terms/list.ts'
import { Timestamp, Uid } from '../terms/primitives.ts'
import { KycStatus } from './customers.ts'

/** Each KYC/AML evaluation after activation is billable to the Program. Only the operator sees evaluations. */
export const KycEvaluation = z.object({
  uid: Uid,
  program_uid: Uid,
  customer_uid: Uid,
  began_at: Timestamp,
  decided_at: Timestamp.nullable(),
  billable: z.boolean(),
  outcome: KycStatus.nullable(),
})
export type KycEvaluation = z.infer<typeof KycEvaluation>

/** The operator counts a Program's billable evaluations with this list. */
export const kycEvaluationList = list<KycEvaluation>()({
  filters: {
    uid: anyOf((it) => it.uid),
    customer_uid: indexed('customer_uid'),
    billable: flag((it) => it.billable),
  },
})
