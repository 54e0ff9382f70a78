import type { CollectionName } from './collections.ts'

/** Every kind of task, one row each. `time/tasks.ts` has a runner for each of them. */

/** How the window draws a task that waits: what it begins, ends or decides. */
export type TaskGlyph = 'not-begun' | 'under-way' | 'stopped' | 'closed' | 'repeats'

interface TaskRow {
  /** The collection of the record that the task is for. */
  readonly subject: CollectionName | null
  /** The rule that it carries out, and the section of the specification that has it. */
  readonly rule: string
  readonly section: string | null
  readonly glyph: TaskGlyph
}

export const taskKinds = {
  'decide kyc': {
    subject: 'kyc_evaluations',
    rule: 'KYC/AML is decided two seconds after it began, by the data',
    section: '3.2',
    glyph: 'not-begun',
  },
  'begin payment': {
    subject: 'transactions',
    rule: 'When the movement begins, Transfer and Transaction become pending',
    section: '3',
    glyph: 'not-begun',
  },
  'finish payment': {
    subject: 'transactions',
    rule: 'At the time of its rail a payment settles and its line items are written, or it fails',
    section: '6',
    glyph: 'under-way',
  },
  'receive return': {
    subject: 'transactions',
    rule: 'An ACH to an account number ending in 99NN is returned with RNN',
    section: null,
    glyph: 'under-way',
  },
  'receive notification of change': {
    subject: 'transactions',
    rule: 'An ACH to an account number ending in 98NN is answered with a notification of change',
    section: null,
    glyph: 'under-way',
  },
  'continue archival': {
    subject: 'customers',
    rule: 'Remaining balances are refunded by ACH, else by a paper check',
    section: '4.5',
    glyph: 'not-begun',
  },
  'finish archival': {
    subject: 'customers',
    rule: 'Status becomes archived only with a $0 balance and no pending transactions',
    section: '4.5',
    glyph: 'closed',
  },
  'close authorization': {
    subject: 'transactions',
    rule: 'An unanswered authorization is decided as the Program says',
    section: '3.4',
    glyph: 'stopped',
  },
  'register vrn': {
    subject: 'virtual_reference_numbers',
    rule: 'For instant payments a VRN must be registered before use',
    section: '1',
    glyph: 'not-begun',
  },
  'continue combined transfer': {
    subject: 'combined_transfers',
    rule: 'First the counterparty, then the Transfer',
    section: '3.3',
    glyph: 'not-begun',
  },
  'close of day': {
    subject: null,
    rule: 'Closing balances are calculated once per business day',
    section: null,
    glyph: 'repeats',
  },
} as const satisfies Readonly<Record<string, TaskRow>>

export type TaskKind = keyof typeof taskKinds

/** The row of a kind. Undefined for the kinds of tests, which are not in the table. */
export const taskRow = (kind: string): TaskRow | undefined =>
  Object.hasOwn(taskKinds, kind) ? taskKinds[kind as TaskKind] : undefined
