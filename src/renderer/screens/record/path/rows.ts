import type { PathPayment, PathState, PaymentPath } from '../../../../api/contract/control/payments.ts'
import { machines } from '../../../../api/contract/machines.ts'
import { edgesFrom } from '../../../components/StateDiagram.tsx'
import { formatAmount } from '../../../format/numbers.ts'
import { formatDateTime } from '../../../format/time.ts'

/** The rows of the path: a state of a payment each, passed or possible next. */

export interface PathRow extends Pick<PathState, 'state' | 'kind' | 'cause'> {
  readonly from: number | null
  readonly until: number | null
  /** The payment does not leave this state. */
  readonly isEnd: boolean
  /** What stands in the place of an unknown time. */
  readonly note: string | null
}

export interface PathGroup {
  readonly key: string
  /** null if there is one payment only. */
  readonly title: string | null
  readonly rows: readonly PathRow[]
}

export const groupsOf = ({ payments }: PaymentPath): PathGroup[] =>
  payments.map(({ transaction_uid, type, amount, states }: PathPayment) => ({
    key: transaction_uid ?? 'return due',
    title:
      payments.length === 1
        ? null
        : `${type} ${formatAmount(amount)}${transaction_uid === null ? ', forced by its data' : ''}`,
    rows: states.map(({ state, kind, from, until, cause, held, event }) => ({
      state,
      kind,
      cause,
      from: ms(from),
      until: ms(until),
      isEnd: edgesFrom(machines.transaction, state).length === 0,
      note: from !== null ? null : held ? 'its task is held' : event === null ? 'time not stored' : `only by ${event}`,
    })),
  }))

const ms = (at: string | null) => (at === null ? null : Date.parse(at))

export const keyOfRow = ({ kind, state, from }: PathRow) => `${kind} ${state} ${from}`

/** The time of a row, in its table and beside its bar. */
export const timeOf = ({ from, note }: PathRow): string => note ?? (from === null ? '' : formatDateTime(from))
