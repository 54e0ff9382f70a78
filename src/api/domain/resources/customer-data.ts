import { ApiError } from '../../contract/errors.ts'
import type { UpdateCustomer } from '../../contract/resources/customers.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import { toMs } from '../../store/clock.ts'
import { areEqual } from '../../store/equal.ts'
import type { Tx } from '../../store/tx.ts'
import type { CustomerRecord } from '../../store/world.ts'
import { dateAt } from '../rules/calendar.ts'
import { findPiiErrors } from '../rules/pii.ts'
import { find, mergeDetails, mergeProfileResponses, piiOf } from './customers.ts'
import { startEvaluation } from './verification.ts'

/** Specification 4.6: which data may be changed, when, and with what consequences. */

/** Rule 4: only these are editable when the Customer is active, and rule 3: they must be submitted in full. */
const EDITABLE = ['first_name', 'middle_name', 'last_name', 'suffix', 'phone', 'address'] as const
const IN_FULL = ['first_name', 'last_name', 'email', 'phone', 'street1', 'city', 'state', 'postal_code']

/**
 * Assumed (sibling): during verification every change is 422/4018; when rejected, in archival or under review it is 422/1011, and
 * when archived 422/1008.
 */
export function update(tx: Tx, uid: Uid, body: UpdateCustomer): CustomerRecord {
  const customer = find(tx, uid)
  if (customer.locked_at !== null) throw new ApiError('customerLocked')
  switch (customer.status) {
    case 'initiated':
      return adjustFreely(tx, customer, body)
    case 'active':
      return adjustActive(tx, customer, body)
    case 'queued':
    case 'identity_verified':
    case 'manual_review':
      throw new ApiError('piiFrozen')
    case 'archived':
      throw new ApiError('archivedCustomer')
    default:
      throw new ApiError('customerNotUpdatable', `its status is ${customer.status}`)
  }
}

/** Rule 1: before onboarding, details may be updated or removed without validation. */
function adjustFreely(tx: Tx, customer: CustomerRecord, body: UpdateCustomer): CustomerRecord {
  const { external_uid, email, details, profile_responses } = body
  if (external_uid != null && external_uid !== customer.external_uid && tx.clientHasCustomer(external_uid))
    throw new ApiError('customerInUse', 'external_uid')
  const { email: heldEmail, ...rest } = customer
  const kept = email === undefined ? heldEmail : email || undefined
  // null removes; for an object it removes all of its fields.
  const wanted = details === null ? NOTHING : details
  const isPii = email !== undefined || (wanted !== undefined && given(wanted).length > 0)
  return tx.customers.put({
    ...rest,
    ...(kept === undefined ? {} : { email: kept }),
    ...(external_uid === undefined ? {} : { external_uid }),
    ...(wanted ? mergeDetails(tx, customer, wanted, customer.customer_type) : {}),
    ...(isPii ? { pii_confirmed_at: tx.now } : {}),
    profile_responses:
      profile_responses === null ? [] : mergeProfileResponses(tx, customer.profile_responses, profile_responses ?? []),
  })
}

/**
 * Rules 2 to 5: complete, valid, and only the seven fields; starts a new billable evaluation and a new confirmation.
 */
function adjustActive(tx: Tx, customer: CustomerRecord, body: UpdateCustomer): CustomerRecord {
  const { email } = body
  const frozen = findFrozenChanges(tx, customer, body)
  if (frozen.length > 0) throw new ApiError('piiFrozen', frozen.join('; '))
  const details = body.details && pickEditable(body.details)

  // A field that was not sent is missing, even if it is stored; only optional fields are taken from what is stored.
  const { address, ...names } = details ?? {}
  const sent = {
    ...customer,
    details: { ...customer.details, first_name: null, last_name: null, phone: null, ...names, ssn: undefined },
  } as CustomerRecord
  const submitted = {
    ...piiOf(tx, { ...sent, ...(email == null ? { email: '' } : { email }) }),
    street1: address?.street1 ?? null,
    city: address?.city ?? null,
    state: address?.state ?? null,
    postal_code: address?.postal_code ?? null,
    street2: address?.street2 ?? null,
  }
  const { missing, malformed } = findPiiErrors(submitted, IN_FULL, dateAt(toMs(tx.now)))
  if (missing.length > 0) throw new ApiError('customerDetailsIncomplete', missing.join('; '))
  if (malformed.length > 0) throw new ApiError('malformedUpdate', malformed.join('; '))

  const adjusted = tx.customers.put({
    ...customer,
    email: email!,
    // The address is submitted in full, too: fields that it does not have are removed.
    ...mergeDetails(tx, customer, { ...details!, address: { street2: null, ...address } }, customer.customer_type),
    pii_confirmed_at: tx.now,
  })
  startEvaluation(tx, adjusted)
  return adjusted
}

/**
 * The fields that rule 4 does not let change, and that this request would change. A value that the Customer has already
 * is no change, so a Client can send back what GET answers.
 */
function findFrozenChanges(tx: Tx, customer: CustomerRecord, body: UpdateCustomer): string[] {
  const { external_uid, profile_responses, details } = body
  const wanted = mergeDetails(tx, customer, details ?? {}, customer.customer_type)
  const responses =
    profile_responses === null ? [] : mergeProfileResponses(tx, customer.profile_responses, profile_responses ?? [])
  const isChanged: Readonly<Record<string, boolean>> = {
    external_uid: external_uid !== undefined && external_uid !== customer.external_uid,
    profile_responses: !areEqual(responses, customer.profile_responses),
    'details.ssn': wanted.ssn !== customer.ssn,
    'details.dob': wanted.details.dob !== customer.details.dob,
    // Section 2.2: discarded for other types than sole_proprietor, so for them it is never changed.
    'details.business_name': wanted.details.business_name !== customer.details.business_name,
  }
  return Object.keys(isChanged).filter((field) => isChanged[field])
}

const pickEditable = (details: NonNullable<UpdateCustomer['details']>) =>
  Object.fromEntries(EDITABLE.filter((name) => details[name] !== undefined).map((name) => [name, details[name]])) as {
    [K in (typeof EDITABLE)[number]]?: Exclude<NonNullable<UpdateCustomer['details']>[K], undefined>
  }

const NOTHING = {
  first_name: null,
  middle_name: null,
  last_name: null,
  suffix: null,
  phone: null,
  business_name: null,
  ssn: null,
  dob: null,
  address: null,
}

const given = (part: object) =>
  Object.entries(part)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name)
