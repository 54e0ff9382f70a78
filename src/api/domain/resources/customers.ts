import { ApiError } from '../../contract/errors.ts'
import type { CreateCustomer, Customer } from '../../contract/resources/customers.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import type { Tx } from '../../store/store.ts'
import type { CustomerRecord } from '../../store/world.ts'
import { ZERO } from '../rules/money.ts'

type Details = CustomerRecord['details']

export function find(tx: Tx, uid: Uid): CustomerRecord {
  const customer = tx.customers.get(uid)
  if (!customer) throw new ApiError('customerNotFound')
  return customer
}

/**
 * Section 4.4: every field is optional, and an empty body makes a Customer too.
 *
 * Assumed: a repeated external_uid is 422/4016 over all Programs of the Client; a Customer Type that the Program does
 * not offer, or client_verified where the Program does not accept it, is 400/1007; a secondary without its primary is
 * 400/1003, with an unknown one 404/4002, and with one that is not primary 400/1007.
 */
export function create(tx: Tx, body: CreateCustomer): CustomerRecord {
  const { customer_type = 'primary', external_uid = null } = body
  const client_verified = body.client_verified ?? false
  if (tx.program.client_is_customer) throw new ApiError('creationByOperator')
  if (!tx.program.customer_types.includes(customer_type))
    throw new ApiError('invalidArgument', `customer_type ${customer_type} is not available in this Program`)
  if (client_verified && !tx.program.accepts_client_verified)
    throw new ApiError('invalidArgument', 'client_verified is not accepted by this Program')
  const primary = customer_type === 'secondary' ? primaryOf(tx, body.primary_customer_uid) : undefined
  if (external_uid !== null && tx.clientHasCustomer(external_uid)) throw new ApiError('customerInUse', 'external_uid')

  const { details, ssn } = supplied(tx, body.details ?? {}, customer_type)
  return tx.customers.put({
    uid: tx.uid(),
    program_uid: tx.program.uid,
    external_uid,
    created_at: tx.now,
    archived_at: null,
    customer_type,
    ...(body.email != null ? { email: body.email } : {}),
    client_verified,
    kyc_status: client_verified ? 'pre_verified' : null,
    kyc_status_reasons: null,
    lock_reason: null,
    locked_at: null,
    // Assumed: PII is first confirmed when some of it is given; an empty Customer has none to confirm.
    ...(hasPii(body.details) ? { pii_confirmed_at: tx.now } : {}),
    pool_uids: [],
    primary_customer_uid: primary?.uid ?? null,
    profile_responses: [],
    status: 'initiated',
    details,
    ssn,
  })
}

const hasPii = (part: unknown): boolean =>
  typeof part === 'object' && part !== null ? Object.values(part).some(hasPii) : part !== undefined && part !== null

/**
 * What a Customer looks like from outside.
 *
 * Assumed: a field without a value is null where the specification lets it be null; activated_at, pii_confirmed_at,
 * email and address are then left out. secondary_customer_uids is an empty list for a primary without secondaries.
 */
export function show(tx: Tx, record: CustomerRecord): Customer {
  return {
    ...record,
    secondary_customer_uids:
      record.customer_type === 'primary'
        ? tx.customers.by('primary_customer_uid', record.uid).map(({ uid }) => uid)
        : null,
    total_balance: ZERO,
  }
}

/** A primary_customer_uid is required for, and only applicable to, a secondary. */
function primaryOf(tx: Tx, uid: Uid | null | undefined): CustomerRecord {
  if (!uid) throw new ApiError('missingParameter', 'primary_customer_uid is required for customer_type secondary')
  const primary = tx.customers.get(uid)
  if (!primary) throw new ApiError('customerNotFound', 'primary_customer_uid')
  if (primary.customer_type !== 'primary')
    throw new ApiError('invalidArgument', 'primary_customer_uid must name a Customer of type primary')
  return primary
}

/** Before onboarding nothing of the details is judged (4.6 rule 1); the SSN is sealed before it is kept. */
function supplied(
  tx: Tx,
  given: NonNullable<CreateCustomer['details']>,
  type: CustomerRecord['customer_type'],
): { details: Details; ssn: string | null } {
  const { address } = given
  const ssn = given.ssn || null
  const details: Details = {
    first_name: given.first_name ?? null,
    middle_name: given.middle_name ?? null,
    last_name: given.last_name ?? null,
    suffix: given.suffix ?? null,
    phone: given.phone ?? null,
    business_name: type === 'sole_proprietor' ? (given.business_name ?? null) : null,
    ssn_last_four: ssn && lastFour(ssn),
    dob: given.dob ?? null,
    ...(address
      ? {
          address: {
            street1: address.street1 ?? null,
            street2: address.street2 ?? null,
            city: address.city ?? null,
            state: address.state ?? null,
            postal_code: address.postal_code ?? null,
          },
        }
      : {}),
  }
  return { details, ssn: ssn && tx.seal.seal(ssn) }
}

const lastFour = (ssn: string): string | null => ssn.replace(/\D/g, '').slice(-4) || null
