import { ApiError } from '../../contract/errors.ts'
import { machines } from '../../contract/machines.ts'
import type { ArchiveCustomer } from '../../contract/resources/customers.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import { toMs, toText } from '../../store/clock.ts'
import type { Tx } from '../../store/store.ts'
import type { CustomerRecord, TaskRecord } from '../../store/world.ts'
import { closeAfter } from '../rules/calendar.ts'
import { next } from '../rules/machine.ts'
import { isZero } from '../rules/money.ts'
import * as customers from './customers.ts'
import { find as findAccount } from './synthetic-accounts.ts'

/** Specification 4.5: from the archive request to the archived Customer. */

export const CONTINUE_ARCHIVAL = 'continue archival'

/**
 * On receipt, status becomes pending_archival and the accounts are locked: nothing moves for a Customer in archival.
 *
 * Assumed: a Customer that is in archival already, or was rejected, is 422/1011; any external category may receive the
 * rest; the Customer's own locked_at stays null.
 */
export function archive(tx: Tx, uid: Uid, body: ArchiveCustomer): CustomerRecord {
  const customer = customers.find(tx, uid)
  if (customer.status === 'archived') throw new ApiError('archivedCustomer')
  if (!machines.customer.moves.archive.from.includes(customer.status))
    throw new ApiError('customerNotUpdatable', `its status is ${customer.status}`)
  const destination = destinationOf(tx, customer, body.destination_synthetic_account_uid ?? undefined)
  const archiving = tx.customers.put({
    ...customer,
    status: next(machines.customer, customer.status, 'archive'),
    archival: {
      archive_note: body.archive_note ?? null,
      can_apply_again: body.can_apply_again ?? true,
      destination_synthetic_account_uid: destination ?? null,
    },
  })
  scheduleNext(tx, archiving)
  return archiving
}

/**
 * The task. Status becomes archived only with a $0 balance; until then it looks again at every close of day.
 *
 * Assumed: a Customer with nothing left is archived at the next close of a business day.
 */
export function continueArchival(tx: Tx, { subject_uid }: TaskRecord): string {
  const customer = customers.find(tx, subject_uid ?? '')
  const accounts = tx.synthetic_accounts.by('customer_uid', customer.uid)
  const unsettled = accounts.filter(({ net_usd_balance }) => net_usd_balance !== null && !isZero(net_usd_balance))
  if (unsettled.length > 0) {
    scheduleNext(tx, customer)
    return `waits: ${unsettled.length} accounts are not at 0.00`
  }
  for (const account of accounts)
    if (account.status === 'active')
      tx.synthetic_accounts.put({
        ...account,
        status: next(machines.synthetic_account, account.status, 'archive'),
        closed_at: tx.now,
      })
  for (const account of tx.custodial_accounts.by('customer_uid', customer.uid))
    tx.custodial_accounts.put({ ...account, status: account.status && 'archived', closed_at: tx.now })
  tx.customers.put({
    ...customer,
    status: next(machines.customer, customer.status, 'finish archival'),
    archived_at: tx.now,
  })
  return 'archived'
}

/** Whether this person was archived in this Program with `can_apply_again` false. Assumed: the same person has the same SSN. */
export const mayNotApply = (tx: Tx, { uid, ssn }: CustomerRecord): boolean =>
  ssn !== null &&
  tx.customers.by('ssn', ssn).some((other) => other.uid !== uid && other.archival?.can_apply_again === false)

function destinationOf(tx: Tx, customer: CustomerRecord, uid: Uid | undefined): Uid | undefined {
  if (uid !== undefined) {
    const account = findAccount(tx, uid)
    if (account.customer_uid !== customer.uid || account.liability || account.status !== 'active')
      throw new ApiError(
        'invalidArgument',
        'destination_synthetic_account_uid must name an active external account of the Customer',
      )
    return uid
  }
  const externals = tx.synthetic_accounts
    .by('customer_uid', customer.uid)
    .filter(({ liability, status }) => !liability && status === 'active')
  if (externals.length > 1)
    throw new ApiError(
      'missingParameter',
      `destination_synthetic_account_uid is required: the Customer has ${externals.length} active external accounts`,
    )
  return externals[0]?.uid
}

const scheduleNext = (tx: Tx, customer: CustomerRecord) =>
  tx.schedule({
    kind: CONTINUE_ARCHIVAL,
    due_at: toText(closeAfter(toMs(tx.now))),
    subject_uid: customer.uid,
    why: `The archival of ${customers.nameOf(customer)} goes on`,
  })
