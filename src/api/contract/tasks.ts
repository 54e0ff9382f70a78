import type { CollectionName } from './collection-names.ts'
import type { Outcome, OutcomeCode } from './messages.ts'

/** Every kind of task, one row each. `time/tasks.ts` has a runner for each of them. */

/** The glyph of a waiting task in the window. */
type TaskGlyph = 'not-begun' | 'under-way' | 'stopped' | 'closed' | 'repeats'

interface TaskRow {
  /** The collection of the record that the task is for. */
  readonly subject: CollectionName | null
  /** The rule that it carries out, and the section of the specification that has it. */
  readonly rule: string
  readonly section: string | null
  readonly glyph: TaskGlyph
  /** The outcomes that its runner can return. It can also fail with an error. */
  readonly outcomes: readonly OutcomeCode[]
}

const archivalOutcomes = [
  'archival_not_needed',
  'archival_waits',
  'archival_waits_for_funds',
  'refunded_by_ach',
  'checks_mailed',
  'archival_scheduled',
] as const

export const taskKinds = {
  'decide kyc': {
    subject: 'kyc_evaluations',
    rule: 'KYC/AML is decided a second after it began, by the data',
    section: '3.2',
    glyph: 'not-begun',
    outcomes: ['kyc', 'kyc_not_needed'],
  },
  'activate customer': {
    subject: 'customers',
    rule: 'A second after its identity is verified, a Customer has its accounts and is active',
    section: '3.1',
    glyph: 'under-way',
    outcomes: ['activated', 'activation_waits', 'activation_not_needed'],
  },
  'send payment': {
    subject: 'transactions',
    rule: 'When the movement begins, Transfer and Transaction become pending',
    section: '3',
    glyph: 'not-begun',
    outcomes: ['pending'],
  },
  'finish payment': {
    subject: 'transactions',
    rule: 'At the time that its rail gives, a payment settles and its line items are written, or it fails or expires',
    section: '6',
    glyph: 'under-way',
    outcomes: ['settled', 'failed', 'expired'],
  },
  'receive return': {
    subject: 'transactions',
    rule: 'An ACH to an account number ending in 99NN or 97DDNN is returned with RNN; the reversal of one ending in 96NN is refused',
    section: null,
    glyph: 'under-way',
    outcomes: ['returned', 'returned_before'],
  },
  'receive notification of change': {
    subject: 'transactions',
    rule: 'An ACH to an account number ending in 98NN is answered with a notification of change',
    section: null,
    glyph: 'under-way',
    outcomes: ['notified_of_change'],
  },
  'continue archival': {
    subject: 'customers',
    rule: 'Remaining balances are refunded by ACH, else by a paper check',
    section: '4.5',
    glyph: 'not-begun',
    outcomes: archivalOutcomes,
  },
  'finish archival': {
    subject: 'customers',
    rule: 'Status becomes archived only with a $0 balance and no pending transactions',
    section: '4.5',
    glyph: 'closed',
    outcomes: [...archivalOutcomes, 'archival_waits_for_return', 'archived'],
  },
  'close authorization': {
    subject: 'transactions',
    rule: 'An unanswered authorization is decided as the Program says',
    section: '3.4',
    glyph: 'stopped',
    outcomes: ['authorization'],
  },
  'register vrn': {
    subject: 'virtual_reference_numbers',
    rule: 'For instant payments a VRN must be registered before use',
    section: '1',
    glyph: 'not-begun',
    outcomes: ['registration'],
  },
  'open account': {
    subject: 'synthetic_accounts',
    rule: 'A Synthetic Account whose name begins with "initiated" or "account fail" is active or failed after a second',
    section: null,
    glyph: 'not-begun',
    outcomes: ['account'],
  },
  'continue combined transfer': {
    subject: 'combined_transfers',
    rule: 'First the counterparty, then the Transfer',
    section: '3.3',
    glyph: 'not-begun',
    outcomes: ['combined_transfer', 'failed_with'],
  },
  'send waiting events': {
    subject: 'webhooks',
    rule: 'Events that their receiver has not accepted are sent again, after a wait that grows; those that are delayed on purpose are sent',
    section: null,
    glyph: 'under-way',
    outcomes: ['events_due'],
  },
  'close of day': {
    subject: null,
    rule: 'Closing balances are calculated once per business day',
    section: null,
    glyph: 'repeats',
    outcomes: ['closing_balances', 'no_close'],
  },
} as const satisfies Readonly<Record<string, TaskRow>>

export type TaskKind = keyof typeof taskKinds

/** What a runner of this kind returns. */
export type OutcomeOf<K extends TaskKind> = Extract<
  Outcome,
  { readonly code: (typeof taskKinds)[K]['outcomes'][number] }
>

/** The row of a kind. Undefined for the kinds of tests, which are not in the table. */
export const taskRow = (kind: string): TaskRow | undefined =>
  Object.hasOwn(taskKinds, kind) ? taskKinds[kind as TaskKind] : undefined

/** How the window draws a task that ran. */
type OutcomeGlyph = 'done' | 'under-way' | 'stopped' | 'closed' | 'broken'

const glyphsOfOutcomes: Readonly<Partial<Record<OutcomeCode, OutcomeGlyph>>> = {
  pending: 'under-way',
  failed: 'broken',
  failed_with: 'broken',
  expired: 'stopped',
  returned: 'broken',
  returned_before: 'stopped',
  kyc_not_needed: 'stopped',
  activation_waits: 'stopped',
  activation_not_needed: 'stopped',
  archival_not_needed: 'stopped',
  archival_waits: 'stopped',
  archival_waits_for_return: 'stopped',
  archival_waits_for_funds: 'stopped',
  no_close: 'stopped',
  archived: 'closed',
}

/** The glyph of an outcome. Only its fact says that a registration or an opening failed. */
export function outcomeGlyph({ code, facts }: { readonly code: string; readonly facts: object }): OutcomeGlyph {
  if ('registration_status' in facts && facts.registration_status === 'failed') return 'broken'
  if ('account_status' in facts && facts.account_status === 'failed') return 'broken'
  return glyphsOfOutcomes[code as OutcomeCode] ?? 'done'
}
