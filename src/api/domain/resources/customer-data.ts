import { ApiError } from '../../contract/errors.ts'
import type { UpdateCustomer } from '../../contract/resources/customers.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import type { Tx } from '../../store/tx.ts'
import type { CustomerRecord } from '../../store/world.ts'
import { findPiiErrors } from '../rules/pii.ts'
import { find, mergeDetails, mergeProfileResponses, piiOf } from './customers.ts'
import { startEvaluation } from './verification.ts'

/** Specification 4.6: which data may be changed, when, and with what consequences. */

/** Rule 4: only these are editable when the Customer is active, and rule 3: they must be submitted in full. */
const EDITABLE = ['first_name', 'middle_name', 'last_name', 'suffix', 'phone', 'address'] as const
const IN_FULL = ['first_name', 'last_name', 'email', 'phone', 'street1', 'city', 'state', 'postal_code']

/**
 * Assumed: during verification every change is 422/4018; when rejected, in archival or under review it is 422/1011, and
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
  const kept = email === undefined ? heldEmail : (email ?? undefined)
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
  const { email, details: sentDetails, ...others } = body
  const details = withoutDiscarded(sentDetails, customer.customer_type)
  const frozen = [
    ...given(others),
    ...given(details ?? {})
      .filter((name) => !(EDITABLE as readonly string[]).includes(name))
      .map((name) => `details.${name}`),
  ]
  if (frozen.length > 0) throw new ApiError('piiFrozen', frozen.join('; '))

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
  const { missing, malformed } = findPiiErrors(submitted, IN_FULL)
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

/** Section 2.2: business_name is discarded for other types than sole_proprietor, so for them it is not checked. */
function withoutDiscarded(details: UpdateCustomer['details'], type: CustomerRecord['customer_type']) {
  if (!details || type === 'sole_proprietor') return details
  const { business_name: _, ...rest } = details
  return rest
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
