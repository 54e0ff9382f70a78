import type { EndpointName } from '../../src/api/contract/endpoints.ts'
import type { JsonSchema } from '../../src/api/contract/openapi.ts'
import type { Body } from '../support/client.ts'
import { bodySchemas, exampleBody, exampleUid } from '../support/examples.ts'
import type { Random } from '../support/random.ts'
import type { KnownRecords } from './known-records.ts'
import { isTree, type Tree } from './values.ts'

/**
 * Requests that the rules accept: the examples of the contract with the values of one Customer, some fields with another valid value. By
 * its schema alone a request never names two accounts of one Customer, for example.
 */

export interface BuilderContext {
  readonly records: KnownRecords
  readonly random: Random
  /** Returns a number that no other request of the run has. */
  readonly nextNumber: () => number
}

export interface BuiltRequest {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: Body
}

export function validRequest(name: EndpointName, context: BuilderContext): BuiltRequest {
  const { records, random, nextNumber } = context
  const uid = exampleUid(name, records.examples)
  const params = uid === undefined ? {} : { uid }
  const example = exampleBody(name, records.examples)
  if (example === undefined) return { params }
  const body = name.endsWith('Account') ? { ...example, ...accountOfAnyKind(example, context) } : example
  const own = random.chance(0.2) ? `again-${random.below(5)}` : `own-${nextNumber()}`
  return {
    params,
    body: {
      ...(random.chance(0.4) ? body : vary(body, bodySchemas.get(name), context)),
      ...(bodySchemas.get(name)?.properties?.external_uid && random.chance(0.3) ? { external_uid: own } : {}),
      ...(name === 'createCustomer' ? { details: { ...body.details, ...personOf(context) } } : {}),
    },
  }
}

/** A Customer is verified by its SSN; its name or its age may force another outcome. */
const personOf = ({ random, nextNumber }: BuilderContext) => ({
  last_name: random.pick(['Harbor', 'Harbor', 'Harbor', 'Quill', 'Smith', 'Johnson']),
  ssn: `512-04-88${String(nextNumber() % 100).padStart(2, '0')}`,
  dob: random.pick(['1990-04-17', '1990-04-17', '1955-01-01', '2015-01-01']),
})

const ADDRESS = { street_number: '8', street1: 'Wharf Road', city: 'Toledo', state: 'OH', postal_code: '43604' }
const PARTIES: Readonly<Record<string, (name: string) => object>> = {
  ach_external: (counterparty_name) => ({ ach: { account_type: 'savings', counterparty_name } }),
  wire_external: (counterparty_name) => ({ wire: { counterparty_name } }),
  instant_payment_external: (counterparty_name) => ({
    instant_payment: { counterparty_name, counterparty_address: { ...ADDRESS, country: 'US' } },
  }),
}

/** The example is an ACH counterparty. The name or the last digits of the number may force an outcome. */
function accountOfAnyKind({ routing_number, ach }: Body, { records, random, nextNumber }: BuilderContext) {
  const type = records.pick('synthetic_account_types', random)
  if (!type || !ach) return {}
  const name = `account ${nextNumber()}`
  const all = { name, synthetic_account_type_uid: type.uid, ach: undefined }
  const party = PARTIES[type.synthetic_account_category]
  if (!party) return { ...all, routing_number: undefined, account_number: undefined }
  const ending = random.pick(['10', '10', '10', '10', '9902', '9804', '9301', '9500'])
  const counterparty = random.chance(0.1) ? 'fail' : 'Northern Mill'
  return { ...all, routing_number, account_number: `${1_000 + nextNumber()}${ending}`, ...party(counterparty) }
}

/** The texts that fields have otherwise. */
const OTHERS: Readonly<Record<string, readonly unknown[]>> = {
  name: ['Shop', 'Shop', 'fail', 'instant payment fail'],
  authorization_status: ['client_approved', 'denied'],
  usd_transfer_amount: ['0.01', '3.50', '812.00', '5000001.00'],
  us_dollar_amount: ['0.01', '3.50', '812.00', '-7.10', '5000001.00'],
}
/** The optional fields that a rule may ask for. */
const ADDED: Readonly<Record<string, (context: BuilderContext) => unknown>> = {
  denied_reason: () => 'insufficient_funds',
  synchronous_registration: () => true,
  virtual_reference_number_uid: ({ records }) => records.examples.get('virtual_reference_numbers'),
  transaction_uid: ({ records }) => records.examples.get('returnable_ach'),
}
/** The field that one of these replaces: a payment to a VRN names no account. */
const REPLACED: Readonly<Record<string, string>> = { virtual_reference_number_uid: 'synthetic_account_uid' }
/** Of a return of a received ACH. */
const CODES = ['R01', 'R03', 'R10', 'R23', 'R29']

/** The example with other valid values in some of its fields. */
export function vary(body: Tree, schema: JsonSchema | undefined, context: BuilderContext): Tree {
  const { random, records } = context
  const properties = schema?.properties ?? {}
  const varied: Tree = {}
  for (const [name, value] of Object.entries(body))
    varied[name] = isTree(value)
      ? vary(value, properties[name], context)
      : random.chance(0.7)
        ? value
        : otherValue(name, value, properties[name], context)
  for (const [name, create] of Object.entries(ADDED))
    if (name in properties && !(name in body) && random.chance(0.3)) {
      varied[name] = create(context)
      if (REPLACED[name]) delete varied[REPLACED[name]]
    }
  if ('original_transaction_uid' in varied && random.chance(0.5)) Object.assign(varied, returnOfAny(context))
  if (typeof body.collection === 'string' && 'uid' in body) Object.assign(varied, records.anyRecord(random))
  return 'source_synthetic_account_uid' in varied && random.chance(0.25) ? withSidesSwapped(varied) : varied
}

function otherValue(name: string, value: unknown, schema: JsonSchema | undefined, context: BuilderContext): unknown {
  const { random, records } = context
  if (OTHERS[name]) return random.pick(OTHERS[name])
  if (schema?.enum) return random.pick(schema.enum)
  return records.uidFinder(random)(name) ?? value
}

/** The example returns a wire. */
function returnOfAny({ records, random }: BuilderContext): object {
  const settled = records.pick('transactions', random, ({ status, type }) => status === 'settled' && type !== 'book')
  if (!settled) return {}
  return {
    original_transaction_uid: settled.uid,
    requesting_customer_uid: settled.customer_uid,
    ...(settled.type === 'ach' && !settled.transfer_uid ? { ach: { ach_return_code: random.pick(CODES) } } : {}),
  }
}

function withSidesSwapped({
  source_synthetic_account_uid: from,
  destination_synthetic_account_uid: to,
  ...rest
}: Tree) {
  return {
    ...rest,
    ...(to === undefined ? {} : { source_synthetic_account_uid: to }),
    destination_synthetic_account_uid: from,
  }
}

/** How often each endpoint is called; an endpoint that is not listed has weight 1. */
export const weights: Readonly<Partial<Record<EndpointName, number>>> = {
  createCustomer: 5,
  onboardCustomer: 5,
  archiveCustomer: 0.7,
  listCustomers: 2,
  createSyntheticAccount: 5,
  archiveSyntheticAccount: 0.5,
  listSyntheticAccounts: 2,
  createTransfer: 14,
  cancelTransfer: 2,
  createCombinedTransfer: 4,
  listTransfers: 2,
  createMockTransaction: 12,
  authorizeTransaction: 4,
  listTransactions: 3,
  createReturn: 5,
  createVirtualReferenceNumber: 3,
}
