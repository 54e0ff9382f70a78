import { endpoints } from '../../contract/endpoints.ts'
import type { StoredFact } from '../../contract/messages.ts'
import { type JsonSchema, jsonSchema } from '../../contract/openapi.ts'
import type { Endpoint } from '../../contract/terms/endpoint.ts'
import { findNearest } from '../../contract/terms/nearest.ts'
import { fieldsIn, isSsnName } from '../../http/secret-fields.ts'

/** Decides by the name of a field what it contains: in records, bodies, forms and queries, at any depth. */

export type Kind =
  /** Personal, the complete value. */
  | 'words'
  | 'lines'
  | 'email'
  | 'phone'
  | 'ssn'
  | 'ssnLastFour'
  | 'dob'
  | 'account'
  | 'accountLastFour'
  | 'suffix'
  | 'state'
  /** Free text, which may contain personal data. */
  | 'free'
  /** Written by the sandbox; the only texts of callers in it are names of fields. */
  | 'sandboxText'
  /** Uids, times, amounts and words of fixed lists: not masked. */
  | 'unchanged'

const NAMES = {
  words:
    'first_name middle_name last_name business_name counterparty_name originator_name transmitter_name ' +
    'authorized_representative_name street1 street2 street_number street_name building_number city postal_code id_number ' +
    'transmitter_identifier',
  lines: 'line1 line2 line3',
  email: 'email',
  phone: 'phone',
  dob: 'dob',
  account: 'account_number',
  suffix: 'suffix',
  state: 'state',
  ssnLastFour: 'ssn_last_four',
  accountLastFour: 'account_number_last_four counterparty_account_number_last_four',
}
/** Names that callers may use for the same data. */
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

/** `firstName`, `first-name` and `first_name` are the same name. */
const normalize = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

const byName = new Map<string, Kind>()
const declare = (kind: Kind, names: readonly string[]) => {
  for (const name of names) byName.set(normalize(name), kind)
}
for (const [kind, names] of Object.entries(NAMES)) declare(kind as Kind, names.split(' '))
/** Names that a misspelled field may stand for. */
const misspellable = [...byName.keys()]
for (const [kind, names] of Object.entries(ALIASES)) declare(kind as Kind, names.split(' '))
declare('free', ['external_uid', 'synthetic_account_external_uid', 'transfer_external_uid', 'return_reason'])
// Of events, and of what their receivers answer.
declare('free', ['customer_external_uid', 'destination_customer_external_uid', 'old_name', 'new_name', 'texts'])
// Responses to a Product's profile questions are numbers, or options of the Product.
declare('sandboxText', ['extra', 'title', 'detail', 'did', 'hinted', 'at', 'fault', 'profile_response'])
declare(
  'unchanged',
  (
    'country seed hard_mode hmac_key door exchange endpoint method stage key pass section sort limit offset ' +
    'rdfi_name odfi_name odfi_id rdfi_id originator_street_address originator_city_state_province collection ' +
    'originator_country_postal_code counterparty_street_address counterparty_city_state_province network rail rails ' +
    'counterparty_country_postal_code company_id company_ids transfer_trace_id network_transaction_id payment_id ' +
    'transaction_type prenote service_processing virtual_reference_number profile_requirement product_name trace_id ' +
    'url topic topics envelope event_id_in retry_seconds webhook_hosts failures failure ' +
    'registers account_number_masked ach_return_reason noc_reason failure_reason denied_reason kyc_status_reasons'
  ).split(' '),
)

/** How the facts of stored messages are masked. A fact that is not in the table does not compile. */
const facts: Readonly<Record<StoredFact, Kind>> = {
  account_name: 'free',
  account_uid: 'unchanged',
  ach_return_code: 'unchanged',
  city: 'words',
  combined_transfer_uid: 'unchanged',
  counterparty_name: 'words',
  customer_name: 'words',
  customer_uid: 'unchanged',
  destination_account_name: 'free',
  direction: 'unchanged',
  movement: 'unchanged',
  period_from: 'unchanged',
  period_to: 'unchanged',
  postal_code: 'words',
  rail: 'unchanged',
  return_type: 'unchanged',
  source_account_name: 'free',
  state: 'state',
  street1: 'words',
  text: 'free',
  transaction_type: 'unchanged',
  transaction_uid: 'unchanged',
  us_dollar_amount: 'unchanged',
  vrn_last_four: 'unchanged',
}
for (const [name, kind] of Object.entries(facts)) declare(kind, [name])

const UNCHANGED =
  /(^|_)(uids?|at|status(es)?|type|category|code|codes|amount|amounts|balances?|quantity|date|count|last_four|kind|routing_number|after|before|until|max|min|as_of|index)$/

/** True for the fields of the contract, which are not misspelled. */
let declared: ReadonlySet<string> | undefined
function isDeclared(name: string): boolean {
  declared ??= new Set(
    Object.values(endpoints as Readonly<Record<string, Endpoint>>).flatMap(({ query, body, response, status }) => [
      ...(query ? namesIn(jsonSchema(query, 'input')) : []),
      ...(body ? namesIn(jsonSchema(body, 'input')) : []),
      // A 204 has no body.
      ...(status === 204 ? [] : namesIn(jsonSchema(response, 'output'))),
    ]),
  )
  return declared.has(normalize(name))
}

const namesIn = (schema: JsonSchema) => fieldsIn(schema).map(([name]) => normalize(name))

const kinds = new Map<string, Kind>()

export function kindOf(name: string): Kind {
  const found = kinds.get(name) ?? findKind(name)
  if (kinds.size < 10_000) kinds.set(name, found)
  return found
}

function findKind(name: string): Kind {
  const flat = normalize(name)
  const named = byName.get(flat)
  if (named) return named
  if (isSsnName(name)) return 'ssn'
  if (UNCHANGED.test(name)) return 'unchanged'
  if (flat === '' || isDeclared(name)) return 'free'
  const near = findNearest(flat, misspellable)
  return near === undefined ? 'free' : byName.get(near)!
}

export const isPersonal = (kind: Kind) => kind !== 'free' && kind !== 'sandboxText' && kind !== 'unchanged'
