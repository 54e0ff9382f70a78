import type { KycStatus, KycStatusReason } from '../../contract/resources/customers.ts'
import { type Forcing, kycTriggerFor } from '../../contract/triggers.ts'
import type { CalendarDate } from './calendar.ts'
import { ageOn } from './pii.ts'

export const KYC_TAKES_MS = 1_000
/** From the passed identity check to the accounts. */
export const ACTIVATION_TAKES_MS = 1_000
const MIN_AGE = 18

interface KycDecision {
  readonly kyc_status: KycStatus
  readonly reason: KycStatusReason
}

/** The result of the identity check. It follows from the data alone. */
export function decideKyc(
  { last_name, dob }: { readonly last_name: string | null; readonly dob: string | null },
  today: CalendarDate,
  program?: Forcing,
): KycDecision {
  if (dob && ageOn(dob, today) < MIN_AGE) return { kyc_status: 'denied', reason: 'Minor (age < 18 years)' }
  const trigger = kycTriggerFor(last_name, program)
  return trigger
    ? { kyc_status: trigger.outcome, reason: trigger.reason }
    : { kyc_status: 'approved', reason: 'Approved' }
}
