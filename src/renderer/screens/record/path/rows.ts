import type { PathPayment, PaymentPath } from '../../../../api/contract/control/payments.ts'
import { formatAmount } from '../../../format/numbers.ts'
import { formatDateTime } from '../../../format/time.ts'

/** The rows of the path: a state of a payment each, passed or possible next. */

export interface PathRow {
  readonly key: string
  readonly payment: PathPayment | null
  readonly state: string
  readonly kind: 'passed' | 'current' | 'scheduled' | 'possible'
  /** null if it is not known, or if only a decision leads to it. */
  readonly from: number | null
  readonly until: number | null
  /** The payment does not leave this state. */
  readonly isEnd: boolean
  /** What the table says instead of a time. */
  readonly note: string | null
  readonly cause: PathPayment['passed'][number]['cause']
}

export interface PathGroup {
  readonly key: string
  /** null if there is one payment only. */
  readonly title: string | null
  readonly rows: readonly PathRow[]
}

const ms = (at: string | null) => (at === null ? null : Date.parse(at))
const MOVING = new Set(['queued', 'pending', 'authorization_pending'])

export function groupsOf({ payments, return_due }: PaymentPath): PathGroup[] {
  const hasReturn = payments.length > 1 || return_due !== null
  const groups: PathGroup[] = payments.map((payment) => ({
    key: payment.transaction_uid,
    title: hasReturn ? `${payment.type} ${formatAmount(payment.amount)}` : null,
    rows: rowsOf(payment),
  }))
  if (return_due)
    groups.push({
      key: 'return due',
      title: `ach_return ${formatAmount(payments[0]!.amount)}, forced by its data`,
      rows: [
        dueRow('pending', return_due.held ? null : return_due.arrives_at, return_due.settles_at, return_due.held),
        dueRow('settled', return_due.held ? null : return_due.settles_at, null, return_due.held),
      ],
    })
  return groups
}

function dueRow(state: string, from: string | null, until: string | null, held: boolean): PathRow {
  return {
    ...{ key: `due ${state}`, payment: null, state, kind: 'scheduled', cause: null },
    ...{ from: ms(from), until: from === null ? null : ms(until), isEnd: state === 'settled' },
    note: held ? 'its task is held' : null,
  }
}

function rowsOf(payment: PathPayment): PathRow[] {
  const { passed, next, transaction_uid } = payment
  const rows: PathRow[] = passed.map(({ state, from, until, cause }, i) => ({
    key: `${transaction_uid} ${i}`,
    payment,
    state,
    kind: i === passed.length - 1 ? 'current' : 'passed',
    from: ms(from),
    until: ms(until) ?? (i === passed.length - 1 ? ms(next[0]?.after === state ? next[0].at : null) : null),
    isEnd: !MOVING.has(state),
    note: from === null ? 'time not stored' : null,
    cause,
  }))
  for (const [i, { state, event, at, held }] of next.entries()) {
    const follows = next.find(({ after, at: later }) => after === state && later !== null)
    rows.push({
      key: `${transaction_uid} next ${i}`,
      payment,
      state,
      kind: at === null ? 'possible' : 'scheduled',
      from: ms(at),
      until: at === null ? null : ms(follows?.at ?? null),
      isEnd: !MOVING.has(state),
      note: held ? 'its task is held' : at === null ? `only by ${event}` : null,
      cause: null,
    })
  }
  return rows
}

/** The time of a row, in its table and beside its bar. */
export const timeOf = ({ from, note }: PathRow): string => note ?? (from === null ? '' : formatDateTime(from))
