import { achReturnCodes, instantPaymentRejections, nocCodes } from './network-codes.ts'
import type { KycStatus, KycStatusReason } from './resources/customers.ts'

/**
 * Every outcome that data can force, in one table: outcomes come by data or by an operator's move, never by chance.
 * `docs/triggers.md`, the window and `GET /control/triggers` print it.
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

const begins = (name: string | null | undefined, word: string) => name?.trim().toLowerCase().startsWith(word) ?? false

/** A VRN that is not created, a counterparty whose transfers fail. */
export const isToFail = (name: string | null | undefined): boolean => begins(name, 'fail')

/** A VRN whose registration for instant payments fails. */
export const isToFailRegistration = (name: string | null | undefined): boolean => begins(name, 'instant payment fail')

/** How an instant payment to a counterparty that is to fail ends, when its account number names no code. */
export const USUAL_REJECTION = 'ERR302'

const ending = (account_number: string | null | undefined, pattern: RegExp, prefix: string, codes: object) => {
  const code = pattern.exec(account_number ?? '')?.[1]
  return code !== undefined && Object.hasOwn(codes, prefix + code) ? prefix + code : undefined
}

/** The code of the return that an ACH entry to this account comes back with, after it has settled. */
export const achReturnFor = (account_number: string | null | undefined): string | undefined =>
  ending(account_number, /99(\d\d)$/, 'R', achReturnCodes)

/** The code of the notification of change that an ACH entry to this account brings, after it has settled. */
export const nocFor = (account_number: string | null | undefined): string | undefined =>
  ending(account_number, /98(\d\d)$/, 'C', nocCodes)

/** The code with which an instant payment to this account is rejected. */
export const rejectionFor = (account_number: string | null | undefined): string | undefined =>
  ending(account_number, /9(\d\d\d)$/, 'ERR', instantPaymentRejections)

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
  {
    when: 'A VRN is created with a name that begins with "fail"',
    outcome: '422/30001, nothing is created',
  },
  {
    when: 'A VRN is created with a name that begins with "instant payment fail"',
    outcome: 'its registration for instant payments ends as failed; ACH and wires still reach it',
  },
  {
    when: 'A transfer to or from an external account whose name or counterparty_name begins with "fail"',
    outcome: `queued, pending, then failed when it would have settled; an instant payment with ${USUAL_REJECTION}`,
  },
  {
    when: 'An ACH transfer to or from an account number ending in 99NN',
    outcome: `returned with RNN after it has settled: ${Object.keys(achReturnCodes).join(', ')}`,
  },
  {
    when: 'An ACH transfer to or from an account number ending in 98NN',
    outcome: `a notification of change with CNN after it has settled: ${Object.keys(nocCodes).join(', ')}`,
  },
  {
    when: 'An instant payment to an account number ending in 9NNN',
    outcome: 'rejected with ERRNNN, when that is a code of the network, such as ERR102 or ERR301; ERR500 after 20 s',
  },
]
