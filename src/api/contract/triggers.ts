import type { KycStatus, KycStatusReason } from './resources/customers.ts'

/**
 * Every outcome that data can force, in one table: outcomes come by data or by an operator's move, never by chance.
 * The README, the window and `GET /control/triggers` print it.
 */

export interface KycTrigger {
  readonly last_name: string
  readonly outcome: Extract<KycStatus, 'manual_review' | 'denied'>
  readonly reason: KycStatusReason
}

/** Compared without regard to case. Whoever is under 18 is denied before these are looked at. */
export const kycTriggers: readonly KycTrigger[] = [
  { last_name: 'Smith', outcome: 'manual_review', reason: 'Further review required' },
  { last_name: 'Johnson', outcome: 'denied', reason: 'Minimum requirements to open an account were not met' },
]

export interface Trigger {
  readonly when: string
  readonly outcome: string
}

export const triggers: readonly Trigger[] = [
  {
    when: 'A Customer under 18 years is onboarded',
    outcome: 'kyc_status denied, "Minor (age < 18 years)", status rejected',
  },
  ...kycTriggers.map(({ last_name, outcome, reason }) => ({
    when: `A Customer whose last_name is ${last_name} is onboarded, or its data changes when active`,
    outcome: `kyc_status ${outcome}, "${reason}"`,
  })),
]
