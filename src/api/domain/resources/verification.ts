import { machines } from '../../contract/machines.ts'
import type { KycStatus, KycStatusReason } from '../../contract/resources/customers.ts'
import type { OutcomeOf } from '../../contract/tasks.ts'
import { toMs, toTimestamp } from '../../store/clock.ts'
import type { Tx } from '../../store/tx.ts'
import type { CustomerProductRecord, CustomerRecord, TaskRecord } from '../../store/world.ts'
import { dateAt } from '../rules/calendar.ts'
import { ACTIVATION_TAKES_MS, decideKyc, KYC_TAKES_MS } from '../rules/kyc.ts'
import { nextState } from '../rules/machine.ts'
import * as customers from './customers.ts'
import { openAccounts } from './open-accounts.ts'

/**
 * KYC/AML evaluations: started by onboarding or by new data of an active Customer, decided a second later or by the
 * operator.
 */

/** Specification 2.1: if client_verified is true, kyc_status is pre_verified. */
const VERIFIED_BY_CLIENT = { kyc_status: 'pre_verified', reason: 'Approved' } as const

/** Each evaluation after activation is billable to the Program. */
export function startEvaluation(tx: Tx, customer: CustomerRecord) {
  const evaluation = tx.kyc_evaluations.put({
    uid: tx.uid(),
    program_uid: tx.program.uid,
    customer_uid: customer.uid,
    began_at: tx.now,
    decided_at: null,
    billable: customer.activated_at !== undefined,
    outcome: null,
  })
  tx.schedule({
    kind: 'decide kyc',
    due_at: toTimestamp(toMs(tx.now) + KYC_TAKES_MS),
    subject_uid: evaluation.uid,
    why: { code: 'kyc_decided', facts: customers.nameFacts(customer) },
  })
}

export function decideEvaluation(tx: Tx, { subject_uid }: TaskRecord): OutcomeOf<'decide kyc'> {
  const evaluation = tx.kyc_evaluations.get(subject_uid ?? '')
  if (!evaluation) throw new Error(`There is no evaluation ${subject_uid}`)
  const customer = customers.find(tx, evaluation.customer_uid)
  if (customer.status === 'pending_archival' || customer.status === 'archived') {
    tx.kyc_evaluations.put({ ...evaluation, decided_at: tx.now })
    return { code: 'kyc_not_needed', facts: { customer_status: customer.status } }
  }
  const { kyc_status, reason } = customer.client_verified
    ? VERIFIED_BY_CLIENT
    : decideKyc(customer.details, dateAt(toMs(tx.now)), tx.program)
  tx.kyc_evaluations.put({ ...evaluation, decided_at: tx.now, outcome: kyc_status })
  applyKycStatus(tx, customer, kyc_status, [reason])
  return { code: 'kyc', facts: { kyc_status } }
}

/** The consequences of a kyc_status for the Customer and its Products. */
export function applyKycStatus(tx: Tx, customer: CustomerRecord, found: KycStatus, reasons: KycStatusReason[]) {
  const kyc_status = customer.client_verified && found === 'approved' ? 'pre_verified' : found
  const judged = tx.customers.put({ ...customer, kyc_status, kyc_status_reasons: reasons })
  const passed = isPassed(kyc_status)
  if (customer.activated_at !== undefined)
    return applyRepeatedEvaluation(tx, judged, passed, isPassed(customer.kyc_status))
  if (passed) return verify(tx, judged)
  const event = kyc_status === 'denied' ? 'reject' : 'send to manual review'
  if (event === 'send to manual review' && judged.status === 'manual_review') return
  tx.customers.put({ ...judged, status: nextState(machines.customer, judged.status, event) })
  for (const product of undecided(tx, customer))
    tx.customer_products.put({ ...product, status: nextState(machines.customer_product, product.status, event) })
}

/** Assumed (invented): a Customer is identity_verified for a second; then it has its accounts and is active. */
function verify(tx: Tx, customer: CustomerRecord) {
  const verified = tx.customers.put({ ...customer, status: nextState(machines.customer, customer.status, 'verify') })
  scheduleActivation(tx, verified, toMs(tx.now) + ACTIVATION_TAKES_MS)
}

const scheduleActivation = (tx: Tx, customer: CustomerRecord, at: number) =>
  tx.schedule({
    kind: 'activate customer',
    due_at: toTimestamp(at),
    subject_uid: customer.uid,
    why: { code: 'activation_due', facts: customers.nameFacts(customer) },
  })

/**
 * The Customer gets its accounts and becomes active in one transaction.
 *
 * Assumed (invented): a verified secondary waits until its primary is active.
 */
export function activate(tx: Tx, { subject_uid }: TaskRecord): OutcomeOf<'activate customer'> {
  const customer = customers.find(tx, subject_uid ?? '')
  const { status: customer_status } = customer
  if (customer_status !== 'identity_verified') return { code: 'activation_not_needed', facts: { customer_status } }
  const primary = customer.primary_customer_uid === null ? undefined : customers.find(tx, customer.primary_customer_uid)
  if (primary && !customers.isActive(primary))
    return { code: 'activation_waits', facts: { customer_status: primary.status } }
  const pool = openAccounts(tx, customer)
  tx.customers.put({
    ...customer,
    status: nextState(machines.customer, customer_status, 'activate'),
    activated_at: tx.now,
    pool_uids: [pool.uid],
  })
  for (const product of undecided(tx, customer)) activateProduct(tx, product)
  for (const secondary of tx.customers.findBy('primary_customer_uid', customer.uid))
    if (secondary.status === 'identity_verified') scheduleActivation(tx, secondary, toMs(tx.now))
  return { code: 'activated', facts: {} }
}

export const activateProduct = (tx: Tx, product: CustomerProductRecord) =>
  tx.customer_products.put({
    ...product,
    status: nextState(machines.customer_product, product.status, 'activate'),
    activated_at: tx.now,
  })

/**
 * A Customer that the operator has put under review stays there.
 *
 * Assumed (invented): an evaluation of an active Customer that does not pass puts it under review until another one passes.
 */
function applyRepeatedEvaluation(tx: Tx, customer: CustomerRecord, passed: boolean, hadPassed: boolean) {
  if (passed && !hadPassed && customer.status === 'under_review')
    tx.customers.put({ ...customer, status: nextState(machines.customer, customer.status, 'end review') })
  if (!passed && customer.status === 'active')
    tx.customers.put({ ...customer, status: nextState(machines.customer, customer.status, 'put under review') })
}

const isPassed = (status: KycStatus | null) => status === 'approved' || status === 'pre_verified'

const undecided = (tx: Tx, customer: CustomerRecord) =>
  tx.customer_products
    .findBy('customer_uid', customer.uid)
    .filter(({ status }) => status === 'created' || status === 'manual_review')
