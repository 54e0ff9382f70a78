import { ApiError } from '../../contract/errors.ts'
import { machines } from '../../contract/machines.ts'
import type { CustomerProduct, OnboardCustomer } from '../../contract/resources/customer-products.ts'
import { toMs } from '../../store/clock.ts'
import type { ReadTx, Tx } from '../../store/tx.ts'
import type { CustomerProductRecord, CustomerRecord, ProductRecord } from '../../store/world.ts'
import { dateAt } from '../rules/calendar.ts'
import { nextState } from '../rules/machine.ts'
import { findPiiErrors } from '../rules/pii.ts'
import { findProfileErrors } from '../rules/profile.ts'
import { isBarredFromApplying } from './archival.ts'
import * as customers from './customers.ts'
import { requireRecord } from './require-record.ts'
import { activateProduct, startEvaluation } from './verification.ts'

/**
 * A valid request starts KYC/AML and freezes the Customer's data. The error names all unmet requirements.
 *
 * Assumed (invented): a further Product of an active Customer is active at once, without another evaluation; a Product that the
 * Customer already has is 422/4016; missing prerequisites are 422/4011; a Customer in verification, rejected or under
 * review is 422/1010.
 */
export function onboard(tx: Tx, { customer_uid, product_uid }: OnboardCustomer): CustomerProductRecord {
  const customer = customers.find(tx, customer_uid)
  const product = requireRecord(tx.products, product_uid, 'Product')
  customers.refuseArchival(customer)
  if (customer.status !== 'initiated' && customer.status !== 'active') throw new ApiError('inactiveCustomer')
  if (customer.locked_at !== null) throw new ApiError('customerLocked')
  if (customer.primary_customer_uid !== null)
    customers.refuseEndedPrimary(customers.find(tx, customer.primary_customer_uid))
  if (isBarredFromApplying(tx, customer)) throw new ApiError('customerInUse', 'the same person may not apply again')
  const others = tx.customer_products.findBy('customer_uid', customer.uid)
  if (others.some((other) => other.product_uid === product.uid))
    throw new ApiError('customerInUse', 'the Customer is on this Product already', undefined, ['product_uid'])
  const lacking = product.prerequisite_product_uids.filter(
    (uid) => !others.some((other) => other.product_uid === uid && other.status === 'active'),
  )
  if (lacking.length > 0)
    throw new ApiError(
      'onboardingIncomplete',
      lacking.map((uid) => `${nameOf(tx, uid)} must be onboarded first`).join('; '),
    )
  const unmet = requirementsUnmet(tx, customer, product)
  if (unmet.length > 0) throw new ApiError('customerDetailsIncomplete', unmet.join('; '))

  const created = tx.customer_products.put({
    uid: tx.uid(),
    program_uid: tx.program.uid,
    customer_uid: customer.uid,
    product_uid: product.uid,
    status: 'created',
  })
  if (customer.status === 'active') return activateProduct(tx, created)
  startEvaluation(
    tx,
    tx.customers.put({ ...customer, status: nextState(machines.customer, customer.status, 'onboard') }),
  )
  return created
}

export function show(tx: ReadTx, record: CustomerProductRecord): CustomerProduct {
  const { email } = customers.find(tx, record.customer_uid)
  return {
    ...record,
    product_name: nameOf(tx, record.product_uid),
    ...(email === undefined ? {} : { customer_email: email }),
  }
}

const nameOf = (tx: ReadTx, product_uid: string) => tx.products.get(product_uid)?.name ?? product_uid

/** Personal data first, in the platform's order, then the requirements of the Product and the Program. */
function requirementsUnmet(tx: Tx, customer: CustomerRecord, product: ProductRecord): string[] {
  const { customer_type } = customer
  const required = product.required_fields.find((row) => row.customer_type === customer_type)?.fields ?? []
  return [
    ...findPiiErrors(customers.piiOf(tx, customer), required, dateAt(toMs(tx.now))).all,
    ...(product.customer_types.includes(customer_type)
      ? []
      : [`Customer type ${customer_type} is not allowed for this Product`]),
    ...(tx.program.accepts_client_verified && !customer.client_verified ? ['Client verified must be true'] : []),
    ...findProfileErrors(product.profile_requirements, customer.profile_responses),
  ]
}
