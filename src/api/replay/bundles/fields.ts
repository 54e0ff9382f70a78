import { endpoints } from '../../contract/endpoints.ts'
import type { StoredFact } from '../../contract/messages.ts'
import { type JsonSchema, jsonSchema } from '../../contract/openapi.ts'
import type { Endpoint } from '../../contract/terms/endpoint.ts'
import { findNearest } from '../../http/hints.ts'
import { isSsnName } from '../../http/redact.ts'

/** What a field holds, told by its name: in a record, a body, a form or a query, at any depth. */

export type Kind =
  /** Somebody's, whole. */
  | 'words'
  | 'lines'
  | 'email'
  | 'phone'
  | 'ssn'
  | 'dob'
  | 'account'
  /** Free text, with somebody's data in it or not. */
  | 'free'
  /** Text of our own, in which nothing of a caller's stands but names of fields. */
  | 'said'
  /** Uids, times, amounts, and words of closed lists. */
  | 'kept'

const WORDS = [
  'first_name',
  'middle_name',
  'last_name',
  'business_name',
  'counterparty_name',
  'originator_name',
  'transmitter_name',
  'authorized_representative_name',
  'street1',
  'street2',
  'street_number',
  'city',
  'postal_code',
  'id_number',
  'transmitter_identifier',
]
const LINES = ['line1', 'line2', 'line3']
/** As people call them elsewhere. */
const ALIASES = {
  words:
    'fname lname mname forename given_name surname family_name full_name maiden_name nickname legal_name company_name ' +
    'street street3 address1 address2 address_line1 address_line2 town zip zip_code zipcode postcode ' +
    'payment_related_information_1',
  email: 'mail e_mail email_address mail_address customer_email',
  phone: 'phone_number mobile mobile_number mobile_phone cell cell_phone telephone tel fax',
  dob: 'date_of_birth birth_date birthdate birthday birth_day born',
  account: 'account_no iban',
}

/** `firstName`, `first-name` and `first_name` are one. */
const squeezed = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

const byName = new Map<string, Kind>()
const declare = (kind: Kind, names: readonly string[]) => {
  for (const name of names) byName.set(squeezed(name), kind)
}
declare('words', WORDS)
declare('lines', LINES)
declare('email', ['email'])
declare('phone', ['phone'])
declare('dob', ['dob'])
declare('account', ['account_number'])
/** Those that a slip of the hand may be meant for. */
const meant = [...byName.keys()]
for (const [kind, names] of Object.entries(ALIASES)) declare(kind as Kind, names.split(' '))
declare('free', ['external_uid', 'synthetic_account_external_uid', 'transfer_external_uid', 'return_reason'])
// Answers to a Product's questions are numbers, or of the Product's own lists.
declare('said', ['extra', 'title', 'detail', 'did', 'hinted', 'at', 'fault', 'profile_response'])
declare(
  'kept',
  (
    'suffix state country seed hmac_key door exchange endpoint method stage key pass section sort limit offset ' +
    'rdfi_name odfi_name odfi_id rdfi_id originator_street_address originator_city_state_province collection ' +
    'originator_country_postal_code counterparty_street_address counterparty_city_state_province network rail ' +
    'counterparty_country_postal_code company_id company_ids transfer_trace_id network_transaction_id payment_id ' +
    'transaction_type prenote service_processing virtual_reference_number profile_requirement product_name trace_id ' +
    'account_number_masked ach_return_reason noc_reason failure_reason denied_reason kyc_status_reasons'
  ).split(' '),
)

/** How the facts of stored messages are masked. A fact that is not in the table does not compile. */
const facts: Readonly<Record<StoredFact, Kind>> = {
  account_name: 'free',
  account_uid: 'kept',
  ach_return_code: 'kept',
  city: 'words',
  combined_transfer_uid: 'kept',
  counterparty_name: 'words',
  customer_name: 'words',
  customer_uid: 'kept',
  destination_account_name: 'free',
  direction: 'kept',
  movement: 'kept',
  noc_code: 'kept',
  postal_code: 'words',
  rail: 'kept',
  return_type: 'kept',
  source_account_name: 'free',
  state: 'kept',
  street1: 'words',
  text: 'free',
  transaction_type: 'kept',
  transaction_uid: 'kept',
  us_dollar_amount: 'kept',
  vrn_last_four: 'kept',
}
for (const [name, kind] of Object.entries(facts)) declare(kind, [name])

const KEPT =
  /(^|_)(uids?|at|status(es)?|type|category|code|codes|amount|amounts|balances?|quantity|date|count|last_four|kind|routing_number|after|before|until|max|min|as_of|index)$/

/** Fields of the contract are written as they are meant. */
let declared: ReadonlySet<string> | undefined
function isDeclared(name: string): boolean {
  declared ??= new Set(
    Object.values(endpoints as Readonly<Record<string, Endpoint>>).flatMap(({ query, body, response, status }) => [
      ...(query ? namesIn(jsonSchema(query, 'input')) : []),
      ...(body ? namesIn(jsonSchema(body, 'input')) : []),
      // A 204 has nothing to print.
      ...(status === 204 ? [] : namesIn(jsonSchema(response, 'output'))),
    ]),
  )
  return declared.has(squeezed(name))
}

function namesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const { properties } = node as JsonSchema
  return [
    ...(properties ? Object.keys(properties).map(squeezed) : []),
    ...Object.values(node).flatMap((part) => namesIn(part)),
  ]
}

const known = new Map<string, Kind>()

export function kindOf(name: string): Kind {
  const found = known.get(name) ?? judge(name)
  if (known.size < 10_000) known.set(name, found)
  return found
}

function judge(name: string): Kind {
  const flat = squeezed(name)
  const named = byName.get(flat)
  if (named) return named
  if (isSsnName(name)) return 'ssn'
  if (KEPT.test(name)) return 'kept'
  if (flat === '' || isDeclared(name)) return 'free'
  const near = findNearest(flat, meant)
  return near === undefined ? 'free' : byName.get(near)!
}

export const isPersonal = (kind: Kind) => kind !== 'free' && kind !== 'said' && kind !== 'kept'
