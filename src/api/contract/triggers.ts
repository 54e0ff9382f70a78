import { achReturnCodes, instantPaymentRejections, nocCodes, returnCodesFor } from './network-codes.ts'
import type { KycStatus, KycStatusReason } from './resources/customers.ts'

/**
 * All outcomes that data can force. Only data or a decision of the operator forces an outcome, never chance.
 * `docs/triggers.md`, the window and `GET /control/triggers` show this table.
 */

export interface KycTrigger {
  readonly last_name: string
  readonly outcome: Extract<KycStatus, 'manual_review' | 'denied'>
  readonly reason: KycStatusReason
}

/**
 * Outcomes of values that a mask has replaced, by pseudonym in lower case: the Programs of an imported bundle have them. So
 * a bundle holds no value that forces an outcome, and its replay still has the same outcomes.
 */
export interface ForcedOutcomes {
  readonly last_names: Readonly<Record<string, KycTrigger['outcome']>>
  readonly names: Readonly<Record<string, 'failure' | 'registration failure'>>
  readonly account_numbers: Readonly<
    Record<string, { readonly ach_return?: string; readonly noc?: string; readonly rejection?: string }>
  >
}

/** A bundle is a file from anyone, so the table may be missing. */
const lookUp = <T>(table: Readonly<Record<string, T>> | undefined, key: string | null | undefined): T | undefined =>
  table && typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined
const fold = (name: string | null | undefined) => name?.trim().toLowerCase()

/**
 * Case is ignored. A Customer under 18 is denied before these names are checked. With client_verified nothing is checked:
 * kyc_status is pre_verified (2.1).
 */
export const kycTriggers: readonly KycTrigger[] = [
  { last_name: 'Smith', outcome: 'manual_review', reason: 'Further review required' },
  { last_name: 'Johnson', outcome: 'denied', reason: 'Minimum requirements to open an account were not met' },
]

export const kycTriggerFor = (
  last_name: string | null | undefined,
  forced?: ForcedOutcomes,
): KycTrigger | undefined => {
  const name = fold(last_name)
  const outcome = lookUp(forced?.last_names, name)
  return kycTriggers.find((row) => row.last_name.toLowerCase() === name || row.outcome === outcome)
}

const startsWith = (name: string | null | undefined, word: string) => fold(name)?.startsWith(word) ?? false

/** Creating a VRN with this name fails, and so do transfers of a counterparty with this name. */
export const forcesFailure = (name: string | null | undefined, forced?: ForcedOutcomes): boolean =>
  startsWith(name, 'fail') || lookUp(forced?.names, fold(name)) === 'failure'

/** A VRN whose registration for instant payments fails. */
export const forcesRegistrationFailure = (name: string | null | undefined, forced?: ForcedOutcomes): boolean =>
  startsWith(name, 'instant payment fail') || lookUp(forced?.names, fold(name)) === 'registration failure'

/** The rejection of an instant payment that is to fail, if the account number has no code. */
export const DEFAULT_REJECTION = 'ERR302'

const codeAtEnd = (account_number: string | null | undefined, pattern: RegExp, prefix: string, codes: object) => {
  const code = pattern.exec(account_number ?? '')?.[1]
  return code !== undefined && Object.hasOwn(codes, prefix + code) ? prefix + code : undefined
}

const knownCode = (code: string | undefined, codes: object) =>
  code !== undefined && Object.hasOwn(codes, code) ? code : undefined

/** The code with which an ACH entry to this account is returned after it has settled. */
export const achReturnFor = (account_number: string | null | undefined, forced?: ForcedOutcomes): string | undefined =>
  codeAtEnd(account_number, /99(\d\d)$/, 'R', achReturnCodes) ??
  knownCode(lookUp(forced?.account_numbers, account_number)?.ach_return, achReturnCodes)

/** The code of the notification of change for an ACH entry to this account, after it has settled. */
export const nocFor = (account_number: string | null | undefined, forced?: ForcedOutcomes): string | undefined =>
  codeAtEnd(account_number, /98(\d\d)$/, 'C', nocCodes) ??
  knownCode(lookUp(forced?.account_numbers, account_number)?.noc, nocCodes)

/** The code with which an instant payment to this account is rejected. */
export const rejectionFor = (account_number: string | null | undefined, forced?: ForcedOutcomes): string | undefined =>
  codeAtEnd(account_number, /9(\d\d\d)$/, 'ERR', instantPaymentRejections) ??
  knownCode(lookUp(forced?.account_numbers, account_number)?.rejection, instantPaymentRejections)

interface Trigger {
  readonly when: string
  readonly outcome: string
}

export const triggers: readonly Trigger[] = [
  {
    when: 'A Customer under 18 years, without client_verified, is onboarded',
    outcome: 'kyc_status denied, "Minor (age < 18 years)", status rejected',
  },
  ...kycTriggers.map(({ last_name, outcome, reason }) => ({
    when: `A Customer whose last_name is ${last_name}, without client_verified, is onboarded, or its data changes when active`,
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
    outcome: `queued, pending, then failed when it would have settled; an instant payment with ${DEFAULT_REJECTION}`,
  },
  {
    when: 'An ACH transfer to or from an account number ending in 99NN',
    outcome: `returned with RNN after it has settled; a debit with ${Object.keys(returnCodesFor('debit')).join(', ')}; a credit with ${Object.keys(returnCodesFor('credit')).join(', ')}; a transfer that the code does not fit is refused with 400/1007`,
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
