import { ApiError } from '../../contract/errors.ts'
import { machines } from '../../contract/machines.ts'
import type { ArchiveCustomer } from '../../contract/resources/customers.ts'
import type { OutcomeOf } from '../../contract/tasks.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import { toMs, toTimestamp } from '../../store/clock.ts'
import type { Tx } from '../../store/tx.ts'
import type { CustomerRecord, SyntheticAccountRecord, TaskRecord } from '../../store/world.ts'
import { closeAfter, dateAt } from '../rules/calendar.ts'
import { nextState } from '../rules/machine.ts'
import { isNegative, isPositive, isZero } from '../rules/money.ts'
import { returnTimeline } from '../rules/rails.ts'
import { isReturnExpected } from './bank-responses.ts'
import * as customers from './customers.ts'
import { outsideAccountOf } from './open-accounts.ts'
import { close as closeAccount, endOpening, find as findAccount, isAsset } from './synthetic-accounts.ts'
import * as transactions from './transactions.ts'
import * as transfers from './transfers.ts'

/** Specification 4.5: from the archive request to the archived Customer. */

/**
 * Rule 1: on receipt, status becomes pending_archival and the accounts are locked: only the archival itself and
 * payments from outside move money of a Customer in archival.
 *
 * Assumed (invented): a Customer that is already in archival, or was rejected, is 422/1011; any external category may receive the
 * balance, by ACH; the Customer's own locked_at stays null; the refund begins at once.
 */
export function archive(tx: Tx, uid: Uid, body: ArchiveCustomer): CustomerRecord {
  const customer = customers.find(tx, uid)
  if (customer.status === 'archived') throw new ApiError('archivedCustomer')
  if (!machines.customer.moves.archive.from.includes(customer.status))
    throw new ApiError('customerNotUpdatable', `its status is ${customer.status}`)
  const destination = destinationOf(tx, customer, body.destination_synthetic_account_uid ?? undefined)
  return begin(tx, customer, body, destination)
}

/**
 * Assumed (invented): the secondaries of a primary follow it into archival. No request names the external account for their balances, so
 * one that has several is refunded by check.
 */
function begin(tx: Tx, customer: CustomerRecord, body: ArchiveCustomer, destination: Uid | undefined): CustomerRecord {
  cancelTransfers(tx, customer)
  const archiving = tx.customers.put({
    ...customer,
    status: nextState(machines.customer, customer.status, 'archive'),
    archival: {
      archive_note: body.archive_note ?? null,
      can_apply_again: body.can_apply_again ?? true,
      destination_synthetic_account_uid: destination ?? null,
    },
  })
  for (const secondary of tx.customers.findBy('primary_customer_uid', customer.uid)) {
    if (!machines.customer.moves.archive.from.includes(secondary.status)) continue
    const externals = externalsOf(tx, secondary)
    begin(tx, secondary, body, externals.length === 1 ? externals[0]?.uid : undefined)
  }
  continueWithRules(tx, archiving)
  return archiving
}

/**
 * Rule 2: up to 8 business days, so a transfer cannot wait for its date or its queue.
 *
 * Assumed (invented): an archive request cancels the Customer's queued transfers; a Return is owed to the other bank and goes on.
 */
function cancelTransfers(tx: Tx, { uid }: CustomerRecord) {
  for (const transfer of tx.transfers.findBy('initiating_customer_uid', uid))
    if (transfer.status === 'queued') transfers.cancelQueued(tx, transfer)
}

/** Runs when a payment that the archival waits for has ended. */
export const continueArchival = (tx: Tx, { subject_uid }: TaskRecord): OutcomeOf<'continue archival'> =>
  continueWithRules(tx, customers.find(tx, subject_uid ?? ''))

/**
 * Rules 2 to 6. Each payment that it waits for schedules it again at its end, so nothing is polled.
 *
 * Assumed (invented): a late return reaches the master account of an archived Customer. Money that comes back is mailed as a check; a
 * balance below 0.00 stays.
 */
function continueWithRules(tx: Tx, customer: CustomerRecord): OutcomeOf<'continue archival'> {
  if (customer.status !== 'pending_archival' && customer.status !== 'archived')
    return { code: 'archival_not_needed', facts: { customer_status: customer.status } }
  const accounts = listGeneralAccounts(tx, customer)
  // Rule 5: raised to at least 0.00 before archival continues.
  if (accounts.some(({ net_usd_balance }) => isNegative(net_usd_balance!)))
    return { code: 'archival_waits_for_funds', facts: {} }
  // What open payments have reserved is not free.
  const free = accounts.filter(({ net_usd_available_balance }) => isPositive(net_usd_available_balance!))
  if (free.length === 0) {
    if (customer.status === 'archived') return { code: 'archival_not_needed', facts: { customer_status: 'archived' } }
    const payment_count = transactions.openPaymentsOf(tx, customer.uid).length
    return payment_count > 0 ? { code: 'archival_waits', facts: { payment_count } } : scheduleFinish(tx, customer)
  }
  const destination = findRefundAccount(tx, customer)
  for (const account of free)
    if (destination) sendByAch(tx, customer, account, destination)
    else mailCheck(tx, customer, account)
  return destination
    ? { code: 'refunded_by_ach', facts: { account_count: free.length } }
    : { code: 'checks_mailed', facts: { check_count: free.length } }
}

/** Rule 3: when the balance is positive and an external account exists, an ACH transfer zeroes the balance. */
function sendByAch(
  tx: Tx,
  customer: CustomerRecord,
  source: SyntheticAccountRecord,
  destination: SyntheticAccountRecord,
) {
  const today = dateAt(toMs(tx.now))
  transfers.createUnchecked(tx, {
    customer,
    source,
    destination,
    rail: 'ach',
    amount: source.net_usd_available_balance!,
    body: {
      ach: {
        originator_name: tx.program.name.replaceAll(/[^a-zA-Z0-9.,' -]/g, '').slice(0, 16),
        sec_code: customer.customer_type === 'sole_proprietor' ? 'CCD' : 'PPD',
        entry_description: 'CLOSING',
        service_processing: 'STANDARD',
        effective_entry_date: today,
      },
    },
    purpose: 'archival',
  })
}

/** Rule 4: when there is no external account or the ACH fails, a paper check is mailed to the address on file. */
function mailCheck(tx: Tx, customer: CustomerRecord, source: SyntheticAccountRecord) {
  const { street1, city, state, postal_code } = customer.details.address ?? {}
  // Assumed (invented): a check is posted when it is mailed.
  transactions.settle(
    tx,
    transactions.create(tx, {
      type: 'other',
      rail: 'ach',
      originated: true,
      customer_uid: customer.uid,
      source,
      destination: outsideAccountOf(tx, source.pool_uid),
      us_dollar_amount: source.net_usd_available_balance!,
      description: {
        code: 'paper_check',
        facts: { ...customers.nameFacts(customer), street1, city, state, postal_code },
      },
      timeline: { pending_at: toMs(tx.now), settles_at: toMs(tx.now) },
      status: 'pending',
      check: {},
    }),
  )
}

/** The external account for the refund, unless a refund to it has failed or was returned. */
function findRefundAccount(tx: Tx, customer: CustomerRecord): SyntheticAccountRecord | undefined {
  const uid = customer.archival?.destination_synthetic_account_uid
  const destination = uid ? tx.synthetic_accounts.get(uid) : undefined
  const failed = refunds(tx, customer).some(
    (refund) =>
      refund.status === 'failed' ||
      tx.transactions.findBy('transfer_uid', refund.uid).some(({ type }) => type === 'ach_return'),
  )
  return failed || destination?.status !== 'active' ? undefined : destination
}

const refunds = (tx: Tx, customer: CustomerRecord) =>
  tx.transfers.findBy('initiating_customer_uid', customer.uid).filter(({ purpose }) => purpose === 'archival')

/**
 * Assumed (invented): a Customer without balances is archived at the next close of a business day, but not before the two banking
 * days have passed in which the other bank may return its latest ACH or refuse its reversal. For a return that is late it does
 * not wait.
 */
function scheduleFinish(tx: Tx, customer: CustomerRecord): OutcomeOf<'continue archival'> {
  let safe = toMs(tx.now)
  for (const { type, originated, settled_at } of tx.transactions.findBy('customer_uid', customer.uid))
    if (((type === 'ach' && originated) || type === 'initiated_ach_reversal') && settled_at)
      safe = Math.max(safe, returnTimeline[tx.pace](toMs(settled_at)).settles_at)
  for (const task of tx.tasks.findBy('subject_uid', customer.uid))
    if (task.kind === 'finish archival') tx.tasks.remove(task.uid)
  const due_at = toTimestamp(closeAfter(safe))
  tx.schedule({
    kind: 'finish archival',
    due_at,
    subject_uid: customer.uid,
    why: { code: 'archival_ends', facts: customers.nameFacts(customer) },
  })
  return { code: 'archival_scheduled', facts: { archived_at: due_at } }
}

/** Rule 6: status becomes archived only with a $0 balance and no pending transactions. */
export function finishArchival(tx: Tx, { subject_uid }: TaskRecord): OutcomeOf<'finish archival'> {
  const customer = customers.find(tx, subject_uid ?? '')
  const payment_count = transactions.openPaymentsOf(tx, customer.uid).length
  if (payment_count > 0) return { code: 'archival_waits', facts: { payment_count } }
  if (isReturnExpected(tx, customer.uid)) return { code: 'archival_waits_for_return', facts: {} }
  if (listGeneralAccounts(tx, customer).some(({ net_usd_balance }) => !isZero(net_usd_balance!)))
    return continueWithRules(tx, customer)
  for (const account of tx.synthetic_accounts.findBy('customer_uid', customer.uid))
    if (account.status === 'active') closeAccount(tx, account)
    else if (account.status === 'initiated') endOpening(tx, account, 'fail')
  for (const account of tx.custodial_accounts.findBy('customer_uid', customer.uid))
    tx.custodial_accounts.put({ ...account, status: account.status && 'archived', closed_at: tx.now })
  tx.customers.put({
    ...customer,
    status: nextState(machines.customer, customer.status, 'finish archival'),
    archived_at: tx.now,
  })
  return { code: 'archived', facts: {} }
}

/**
 * True if this person was archived in this Program with `can_apply_again` false. Assumed (invented): the same person has the same
 * SSN.
 */
export const isBarredFromApplying = (tx: Tx, { uid, ssn }: CustomerRecord): boolean =>
  ssn !== null &&
  tx.customers.findBy('ssn', ssn).some((other) => other.uid !== uid && other.archival?.can_apply_again === false)

const listGeneralAccounts = (tx: Tx, customer: CustomerRecord): SyntheticAccountRecord[] =>
  tx.synthetic_accounts.findBy('customer_uid', customer.uid).filter(({ net_usd_balance }) => net_usd_balance !== null)

function destinationOf(tx: Tx, customer: CustomerRecord, uid: Uid | undefined): Uid | undefined {
  if (uid !== undefined) {
    const account = findAccount(tx, uid)
    if (account.customer_uid !== customer.uid || account.liability || isAsset(account) || account.status !== 'active')
      throw new ApiError(
        'invalidArgument',
        'destination_synthetic_account_uid must name an active external account of the Customer',
      )
    return uid
  }
  const externals = externalsOf(tx, customer)
  if (externals.length > 1)
    throw new ApiError(
      'missingParameter',
      `destination_synthetic_account_uid is required: the Customer has ${externals.length} active external accounts`,
    )
  return externals[0]?.uid
}

const externalsOf = (tx: Tx, { uid }: CustomerRecord): SyntheticAccountRecord[] =>
  tx.synthetic_accounts
    .findBy('customer_uid', uid)
    .filter((account) => !account.liability && !isAsset(account) && account.status === 'active')
