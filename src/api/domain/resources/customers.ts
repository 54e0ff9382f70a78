import { ApiError } from '../../contract/errors.ts'
import type { CreateCustomer, Customer } from '../../contract/resources/customers.ts'
import type { Money, Uid } from '../../contract/terms/primitives.ts'
import type { ReadTx, Tx } from '../../store/tx.ts'
import type { CustomerRecord } from '../../store/world.ts'
import { type AddDerived, addDerived } from '../rules/derived.ts'
import { sum, ZERO } from '../rules/money.ts'
import type { Pii } from '../rules/pii.ts'

type Details = CustomerRecord['details']

export function find(tx: ReadTx, uid: Uid): CustomerRecord {
  const customer = tx.customers.get(uid)
  if (!customer) throw new ApiError('customerNotFound')
  return customer
}

/** Onboarded, and neither rejected nor in archival. */
export const isActive = ({ status }: CustomerRecord): boolean => status === 'active' || status === 'under_review'

/** Assumed (sibling): in archival a Customer is not active, 422/1010; once it is archived it is 422/1008. */
export function refuseArchival({ status }: CustomerRecord) {
  if (status === 'archived') throw new ApiError('archivedCustomer')
  if (status === 'pending_archival') throw new ApiError('inactiveCustomer', `its status is ${status}`)
}

/** Locked by the operator, or by its archival (4.5 rule 1). */
export function refuseLocked(tx: Tx, uid: Uid) {
  const customer = find(tx, uid)
  refuseArchival(customer)
  if (customer.locked_at !== null) throw new ApiError('customerLocked')
}

/** Assumed (invented): a primary that was rejected or archived gets no further secondaries, and those that it has are not onboarded. */
export function refuseEndedPrimary({ status }: CustomerRecord) {
  if (status === 'rejected' || status === 'pending_archival' || status === 'archived')
    throw new ApiError('inactiveCustomer', `primary_customer_uid: its status is ${status}`)
}

/**
 * Section 4.4: every field is optional, and an empty body creates a Customer, too.
 *
 * Assumed (sibling): a repeated external_uid is 422/4016 over all Programs of the Client; a Customer Type that the Program does
 * not offer, or client_verified where the Program does not accept it, is 400/1007; a secondary without its primary is
 * 400/1003, with an unknown one 404/4002, and with one that is not primary 400/1007.
 */
export function create(tx: Tx, body: CreateCustomer): CustomerRecord {
  if (tx.program.client_is_customer) throw new ApiError('creationByOperator')
  return createUnchecked(tx, body)
}

/** Without the check of the Program's settings: the operator may create Customers in every Program. */
export function createUnchecked(tx: Tx, body: CreateCustomer): CustomerRecord {
  const { customer_type = 'primary', external_uid = null } = body
  const client_verified = body.client_verified ?? false
  if (!tx.program.customer_types.includes(customer_type))
    throw new ApiError('invalidArgument', `customer_type ${customer_type} is not available in this Program`)
  if (client_verified && !tx.program.accepts_client_verified)
    throw new ApiError('invalidArgument', 'client_verified is not accepted by this Program')
  const primary = customer_type === 'secondary' ? primaryOf(tx, body.primary_customer_uid) : undefined
  if (external_uid !== null && tx.clientHasCustomer(external_uid)) throw new ApiError('customerInUse', 'external_uid')

  const details = mergeDetails(tx, { details: EMPTY, ssn: null }, body.details ?? {}, customer_type)
  return tx.customers.put({
    uid: tx.uid(),
    program_uid: tx.program.uid,
    external_uid,
    created_at: tx.now,
    archived_at: null,
    customer_type,
    ...(body.email ? { email: body.email } : {}),
    client_verified,
    kyc_status: client_verified ? 'pre_verified' : null,
    kyc_status_reasons: null,
    lock_reason: null,
    locked_at: null,
    // Assumed (invented): personal data is confirmed for the first time when some of it is given; an empty Customer has none to
    // confirm.
    ...(hasPii([body.email, body.details]) ? { pii_confirmed_at: tx.now } : {}),
    pool_uids: [],
    primary_customer_uid: primary?.uid ?? null,
    profile_responses: mergeProfileResponses(tx, [], body.profile_responses ?? []),
    status: 'initiated',
    ...details,
  })
}

const hasPii = (part: unknown): boolean =>
  typeof part === 'object' && part !== null
    ? Object.values(part).some(hasPii)
    : part !== undefined && part !== null && part !== ''

/**
 * A Customer as the API shows it.
 *
 * Assumed (example): a field without a value is null where the specification allows null; activated_at, pii_confirmed_at, email
 * and address are left out instead. secondary_customer_uids is an empty list for a primary without secondaries.
 */
export const show = (tx: ReadTx, record: CustomerRecord, add: AddDerived = addDerived): Customer =>
  add(record, {
    secondary_customer_uids:
      record.customer_type === 'primary'
        ? tx.customers.findBy('primary_customer_uid', record.uid).map(({ uid }) => uid)
        : null,
    total_balance: balanceOf(tx, record.uid),
  })

/** Over all accounts with a balance. */
export const balanceOf = (tx: ReadTx, uid: Uid): Money =>
  sum(tx.synthetic_accounts.findBy('customer_uid', uid).map(({ net_usd_balance }) => net_usd_balance ?? ZERO))

/** primary_customer_uid is required for a secondary and only allowed for a secondary. */
function primaryOf(tx: Tx, uid: Uid | null | undefined): CustomerRecord {
  if (!uid) throw new ApiError('missingParameter', 'primary_customer_uid is required for customer_type secondary')
  const primary = tx.customers.get(uid)
  if (!primary) throw new ApiError('customerNotFound', 'primary_customer_uid')
  if (primary.customer_type !== 'primary')
    throw new ApiError('invalidArgument', 'primary_customer_uid must name a Customer of type primary')
  refuseEndedPrimary(primary)
  return primary
}

const EMPTY: Details = {
  first_name: null,
  middle_name: null,
  last_name: null,
  suffix: null,
  phone: null,
  business_name: null,
  ssn_last_four: null,
  dob: null,
}
const NO_ADDRESS = { street1: null, street2: null, city: null, state: null, postal_code: null }

type Given = NonNullable<CreateCustomer['details']>
type Held = Pick<CustomerRecord, 'details' | 'ssn'>

/**
 * New values replace stored ones, and null removes them; so does an empty text, which no field may hold (2.2). Nothing is validated here: before onboarding only the JSON
 * types count (4.6 rule 1). The SSN is sealed before it is stored.
 */
export function mergeDetails(tx: Tx, held: Held, given: Given, type: CustomerRecord['customer_type']): Held {
  const { ssn, address, ...rest } = given
  const { address: heldAddress, ...heldRest } = held.details
  const details = { ...heldRest, ...present(rest) }
  const number = ssn === undefined ? held.ssn : ssn ? tx.seal.seal(ssn) : null
  const place =
    address === undefined
      ? heldAddress
      : address === null
        ? undefined
        : { ...NO_ADDRESS, ...heldAddress, ...present(address) }
  return {
    details: {
      ...details,
      business_name: type === 'sole_proprietor' ? details.business_name : null,
      ssn_last_four: ssn === undefined ? details.ssn_last_four : lastFour(tx.seal.open(ssn ?? '')),
      ...(place ? { address: place } : {}),
    },
    ssn: number,
  }
}

type Answers = NonNullable<CreateCustomer['profile_responses']>

/**
 * Assumed (invented): profile responses are sent as `profile_responses` by POST and PUT /customers, as in the platform's earlier
 * API; an ordered list is stored as the text of a JSON list; a response to an unknown requirement is 400/1007.
 */
export function mergeProfileResponses(
  tx: Tx,
  held: Customer['profile_responses'],
  given: Answers,
): Customer['profile_responses'] {
  const requirements = [...tx.products.newestFirst()].flatMap((product) => product.profile_requirements)
  const responses = new Map(held.map((response) => [response.profile_requirement_uid, response]))
  for (const [i, { profile_requirement_uid, profile_response }] of given.entries()) {
    // A withdrawn requirement keeps its response, so the response can be sent back.
    if (profile_response === responses.get(profile_requirement_uid)?.profile_response) continue
    const requirement = requirements.find((known) => known.profile_requirement_uid === profile_requirement_uid)
    if (!requirement)
      throw new ApiError(
        'invalidArgument',
        `profile_responses.${i}.profile_requirement_uid names no requirement of this Program`,
      )
    if (profile_response === null) responses.delete(profile_requirement_uid)
    else
      responses.set(profile_requirement_uid, {
        profile_requirement: requirement.profile_requirement,
        profile_response:
          typeof profile_response === 'object'
            ? JSON.stringify(Object.values(profile_response))
            : String(profile_response),
        profile_requirement_uid,
      })
  }
  return [...responses.values()]
}

/** The name of the business or the person; null when there is none yet. */
const nameOf = ({ details }: CustomerRecord): string | null =>
  details.business_name ?? ([details.first_name, details.last_name].filter(Boolean).join(' ') || null)

/** The facts of messages that name a Customer. */
export const nameFacts = (customer: CustomerRecord) => ({
  customer_name: nameOf(customer),
  customer_uid: customer.uid,
})

/** The personal data that onboarding checks, flat, with the SSN opened. */
export function piiOf(tx: Tx, { email, details, ssn }: CustomerRecord): Pii {
  const { address = NO_ADDRESS, ssn_last_four: _, ssn: __, ...rest } = details
  return { ...rest, ...address, email: email ?? null, ssn: ssn && tx.seal.open(ssn) }
}

/** Without undefined fields; null stays, and an empty text becomes null. */
const present = <T extends object>(given: T) =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value === '' ? null : value]),
  ) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

const lastFour = (ssn: string): string | null => ssn.replace(/\D/g, '').slice(-4) || null
