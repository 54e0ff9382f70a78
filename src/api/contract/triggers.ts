import {
  type AchReturnCode,
  achReturnCodes,
  instantPaymentRejections,
  nocCodes,
  returnCodesFor,
  reversalRefusals,
} from './network-codes.ts'
import type { KycStatus, KycStatusReason } from './resources/customers.ts'
import type { BehavesAs } from './resources/programs.ts'
import { examples } from './terms/examples.ts'

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
  readonly names: Readonly<Record<string, 'failure' | 'registration failure' | 'opening' | 'opening failure'>>
  readonly account_numbers: Readonly<Record<string, NumberOutcomes>>
}

/** What of a Program decides which data forces an outcome in it. */
export interface Forcing {
  readonly forced_outcomes?: ForcedOutcomes | undefined
  readonly behaves_as?: BehavesAs | undefined
}

/** In a Program that behaves as the hosted sandbox only published triggers work. */
const isActive = (id: string, program: Forcing | undefined): boolean =>
  program?.behaves_as !== 'hosted' || triggersById[id]?.published === true

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

export const kycTriggerFor = (last_name: string | null | undefined, program?: Forcing): KycTrigger | undefined => {
  const name = fold(last_name)
  const outcome = lookUp(program?.forced_outcomes?.last_names, name)
  const found = kycTriggers.find((row) => row.last_name.toLowerCase() === name || row.outcome === outcome)
  return found && isActive(kycId(found), program) ? found : undefined
}
const kycId = ({ last_name }: KycTrigger) => `kyc-${last_name.toLowerCase()}`

const startsWith = (name: string | null | undefined, word: string) => fold(name)?.startsWith(word) ?? false

const maskedName = (name: string | null | undefined, program: Forcing | undefined) =>
  lookUp(program?.forced_outcomes?.names, fold(name))

const beginsWithFail = (name: string | null | undefined, program: Forcing | undefined): boolean =>
  startsWith(name, 'fail') || maskedName(name, program) === 'failure'

/** Creating a VRN with this name fails. */
export const forcesVrnFailure = (name: string | null | undefined, program?: Forcing): boolean =>
  beginsWithFail(name, program) && isActive('vrn-fail', program)

/** Transfers of a counterparty with this name fail. */
export const forcesFailure = (name: string | null | undefined, program?: Forcing): boolean =>
  beginsWithFail(name, program) && isActive('transfer-fail', program)

/** A VRN whose registration for instant payments fails. */
export const forcesRegistrationFailure = (name: string | null | undefined, program?: Forcing): boolean =>
  (startsWith(name, 'instant payment fail') || maskedName(name, program) === 'registration failure') &&
  isActive('vrn-registration-fail', program)

/** A Synthetic Account that is initiated at first, and how that ends. */
export function openingFor(name: string | null | undefined, program?: Forcing): 'activate' | 'fail' | undefined {
  const masked = maskedName(name, program)
  if (startsWith(name, 'account fail') || masked === 'opening failure')
    return isActive('account-fail', program) ? 'fail' : undefined
  const isInitiated = startsWith(name, 'initiated') || masked === 'opening'
  return isInitiated && isActive('account-initiated', program) ? 'activate' : undefined
}

/** The rejection of an instant payment that is to fail, if the account number has no code. */
export const DEFAULT_REJECTION = 'ERR302'

/** What the end of the counterparty's account number forces. */
export interface NumberOutcomes {
  /** The code with which an ACH entry is returned after it has settled. */
  readonly ach_return?: string
  /** The banking day after settlement on which that return settles, if it is late. */
  readonly return_days?: number
  /** The code with which the other bank refuses the reversal of an ACH entry. */
  readonly reversal_refusal?: string
  /** The code of the notification of change for an ACH entry. */
  readonly noc?: string
  /** The code with which an instant payment is rejected. */
  readonly rejection?: string
}

/** The first row of an outcome counts. `start`: an end begins so, before the digits of the code. */
const endings = [
  {
    trigger: 'ach-99',
    outcome: 'ach_return',
    start: '99',
    end: /99(?<code>\d\d)$/,
    prefix: 'R',
    codes: achReturnCodes,
  },
  {
    trigger: 'ach-97',
    outcome: 'ach_return',
    start: '9710',
    end: /97(?<days>0[3-9]|[1-5]\d|60)(?<code>\d\d)$/,
    prefix: 'R',
    codes: achReturnCodes,
  },
  {
    trigger: 'ach-96',
    outcome: 'reversal_refusal',
    start: '96',
    end: /96(?<code>\d\d)$/,
    prefix: 'R',
    codes: reversalRefusals,
  },
  { trigger: 'ach-98', outcome: 'noc', start: '98', end: /98(?<code>\d\d)$/, prefix: 'C', codes: nocCodes },
  {
    trigger: 'instant-reject',
    outcome: 'rejection',
    start: '9',
    end: /9(?<code>\d\d\d)$/,
    prefix: 'ERR',
    codes: instantPaymentRejections,
  },
] as const
export const LATEST_RETURN_DAY = 60

interface Ending {
  readonly digits: string
  readonly code: string
  readonly return_days: string | undefined
}

/** The end of the number that names a known code of an outcome. */
function readEnding(number: string, outcome: keyof NumberOutcomes): Ending | undefined {
  for (const { end, prefix, codes, ...row } of endings) {
    const match = row.outcome === outcome ? end.exec(number) : null
    const code = `${prefix}${match?.groups?.code}`
    if (match && Object.hasOwn(codes, code)) return { digits: match[0], code, return_days: match.groups?.days }
  }
  return undefined
}

/** The ends of account numbers that force a code; of a late return the end for the tenth day. */
export const endingsWith = (code: string): readonly string[] => triggersWith(code).map(({ end }) => end)

/** The same with the id of each trigger. */
export const triggersWith = (wanted: string): readonly { readonly end: string; readonly id: string }[] =>
  [...new Set(endings.map(({ trigger }) => trigger))].flatMap((id) =>
    codesOf(id).flatMap(({ code, ending }) => (code === wanted ? [{ end: ending, id }] : [])),
  )

/** The codes that a trigger of account numbers forces, with the ends of these. Some codes have more digits than an end can have. */
export const codesOf = (id: string) =>
  endings
    .filter(({ trigger }) => trigger === id)
    .flatMap(({ start, prefix, codes }) =>
      Object.entries<string | AchReturnCode>(codes).map(([code, meaning]) => {
        const { reason, hits } = typeof meaning === 'string' ? { reason: meaning, hits: 'both' } : meaning
        return {
          code,
          ending: `${start}${code.slice(prefix.length)}`,
          reason: hits === 'both' ? reason : `${reason} (${hits}s only)`,
          /** It returns money that the Client collects, so the next Transfer must be a debit. */
          isForDebits: hits === 'debit',
        }
      }),
    )
    .filter(({ code, ending }) => Object.values(outcomesOfNumber(ending)).includes(code))

export function outcomesOfNumber(account_number: string | null | undefined, program?: Forcing): NumberOutcomes {
  const number = account_number ?? ''
  const masked = lookUp(program?.forced_outcomes?.account_numbers, number)
  const outcomes: { -readonly [K in keyof NumberOutcomes]: NumberOutcomes[K] } = {}
  for (const { trigger, outcome, codes } of endings) {
    if (!isActive(trigger, program)) continue
    const code = readEnding(number, outcome)?.code ?? masked?.[outcome]
    if (code !== undefined && Object.hasOwn(codes, code)) outcomes[outcome] = code
  }
  const days = Number((readEnding(number, 'ach_return') ?? masked)?.return_days)
  const isLate = days >= 3 && days <= LATEST_RETURN_DAY
  return isLate && outcomes.ach_return ? { ...outcomes, return_days: days } : outcomes
}

/** The digits at the end of an account number that force an outcome; undefined if they are masked. */
export const endingFor = (account_number: string | null, outcome: keyof NumberOutcomes): string | undefined =>
  readEnding(account_number ?? '', outcome)?.digits

export const achReturnFor = (account_number: string | null | undefined, program?: Forcing): string | undefined =>
  outcomesOfNumber(account_number, program).ach_return

export const nocFor = (account_number: string | null | undefined, program?: Forcing): string | undefined =>
  outcomesOfNumber(account_number, program).noc

export const rejectionFor = (account_number: string | null | undefined, program?: Forcing): string | undefined =>
  outcomesOfNumber(account_number, program).rejection

/** Fields whose beginning forces a failure. */
const NAMES = new Set(['name', 'counterparty_name'])

/** What a field with this text forces by itself; undefined if nothing. */
export function outcomeOf(field: string, text: string, program?: Forcing) {
  if (field === 'last_name') return kycTriggerFor(text, program)?.outcome
  if (field === 'account_number') {
    const codes = outcomesOfNumber(text, program)
    return Object.keys(codes).length > 0 ? codes : undefined
  }
  if (!NAMES.has(field)) return undefined
  if (forcesFailure(text, program)) return 'failure'
  if (forcesRegistrationFailure(text, program)) return 'registration failure'
  const opening = openingFor(text, program)
  return opening && (opening === 'fail' ? 'opening failure' : 'opening')
}

export interface Trigger {
  readonly when: string
  readonly outcome: string
  /** Fields of a request that force it, by their paths, with texts of the contract's examples. The endings of numbers are in `endings`. */
  readonly data?: {
    readonly endpoint: 'createCustomer' | 'createVirtualReferenceNumber' | 'createSyntheticAccount'
    readonly fields: Readonly<Record<string, string>>
  }
  /** By the platform, for its hosted sandbox; the others are ours. */
  readonly published?: true
}

const ofCustomer = (fields: Readonly<Record<string, string>>) => ({ endpoint: 'createCustomer', fields }) as const
const ofVrn = (name: string) => ({ endpoint: 'createVirtualReferenceNumber', fields: { name } }) as const
const ofAccount = (name: string) =>
  ({ endpoint: 'createSyntheticAccount', fields: { name: `${name} ${examples.new_account_number}` } }) as const

/** Each with the id of the injection that shows it. */
export const triggersById: Readonly<Record<string, Trigger>> = {
  'kyc-minor': {
    when: 'A Customer under 18 years, without client_verified, is onboarded',
    outcome: 'kyc_status denied, "Minor (age < 18 years)", status rejected',
    data: ofCustomer({ 'details.dob': examples.birth_date_of_a_minor }),
  },
  ...Object.fromEntries(
    kycTriggers.map((row) => [
      kycId(row),
      {
        when: `A Customer whose last_name is ${row.last_name}, without client_verified, is onboarded, or its data changes when active`,
        outcome: `kyc_status ${row.outcome}, "${row.reason}"`,
        data: ofCustomer({ 'details.last_name': row.last_name }),
      },
    ]),
  ),
  'vrn-fail': {
    when: 'A VRN is created with a name that begins with "fail"',
    outcome: '422/30001, nothing is created',
    data: ofVrn('fail: Invoice 2291'),
    published: true,
  },
  'vrn-registration-fail': {
    when: 'A VRN is created with a name that begins with "instant payment fail"',
    outcome: 'its registration for instant payments ends as failed; ACH and wires still reach it',
    data: ofVrn('instant payment fail: Invoice 2291'),
    published: true,
  },
  'account-initiated': {
    when: 'A Synthetic Account is created with a name that begins with "initiated"',
    outcome: 'initiated; a second later active',
    data: ofAccount('Initiated Traders'),
  },
  'account-fail': {
    when: 'A Synthetic Account is created with a name that begins with "account fail"',
    outcome: 'initiated; a second later failed: it cannot pay or receive, and its name and number are free again',
    data: ofAccount('Account fail Traders'),
  },
  'transfer-fail': {
    when: 'A transfer to or from an external account whose name or counterparty_name begins with "fail"',
    outcome: `queued, pending, then failed when it would have settled; an instant payment with ${DEFAULT_REJECTION}`,
    data: ofAccount('Fail Traders'),
  },
  'ach-99': {
    when: 'An ACH transfer to or from an account number ending in 99NN',
    outcome: `returned with RNN after it has settled; a debit with ${Object.keys(returnCodesFor('debit')).join(', ')}; a credit with ${Object.keys(returnCodesFor('credit')).join(', ')}; a transfer that the code does not fit is not returned`,
  },
  'ach-97': {
    when: `An ACH transfer to or from an account number ending in 97DDNN, DD from 03 to ${LATEST_RETURN_DAY}`,
    outcome:
      'returned late with RNN, at both paces: the return settles on the DDth banking day after the transfer has settled, even if its Customer is archived by then',
  },
  'ach-96': {
    when: 'The reversal of an ACH transfer to or from an account number ending in 96NN',
    outcome: `refused by the other bank after it has settled, with ${Object.keys(reversalRefusals).join(' or ')}; the code of a debit does not refuse a credit`,
  },
  'ach-98': {
    when: 'An ACH transfer to or from an account number ending in 98NN',
    outcome: `a notification of change with CNN after it has settled: ${Object.keys(nocCodes).join(', ')}; none once the correction is sent: another account number, the routing number, the name in capitals, a savings account, an id_number that ends in a blank and two digits, no addenda`,
  },
  'instant-reject': {
    when: 'An instant payment to an account number ending in 9NNN',
    outcome: 'rejected with ERRNNN, when that is a code of the network, such as ERR102 or ERR301; ERR500 after 20 s',
  },
}

export const triggers: readonly Trigger[] = Object.values(triggersById)
