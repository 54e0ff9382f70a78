import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import type { ApiError } from '../../src/api/contract/errors.ts'
import { type JsonSchema, jsonSchema } from '../../src/api/contract/openapi.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import { inlineRefs, validate } from '../../src/api/http/route.ts'
import { PERSON } from '../support/customers.ts'
import { ACH, STRUCTURED } from '../support/payments.ts'

/**
 * The fields of every request body: which are required, of which type, and their bounds. The bodies are judged by the function that
 * judges each request before the rules of its resource (errors.test.ts has the order of the checks).
 */

type Body = Record<string, unknown>

const CUSTOMER = {
  external_uid: 'c-1',
  email: 'olive@example.com',
  details: {
    ...PERSON,
    middle_name: 'Pearl',
    suffix: 'Jr',
    business_name: 'Olive and Sons',
    address: { ...PERSON.address, street2: 'Suite 4A' },
  },
  profile_responses: [{ profile_requirement_uid: 'r', profile_response: 'yes' }],
}
const LINES = { line1: '1 Quay', line2: 'Pier 4', line3: 'Toledo OH', country: 'US' }
const PLACE = { ...STRUCTURED, street2: 'Suite 4A' }
const TRANSMITTER = { name: 'Dockside Pay', transmitter_identifier: 'DOCK1' }
const ENTRY = { ...ACH, company_id: 'C1', company_discretionary_data: 'ABC', payment_type: 'S', prenote: false }
const NUMBERS = { routing_number: '021000021', account_number: '123456789' }
const BANK = { counterparty_bank_name: 'First Bank', counterparty_bank_address: LINES }
const INTERMEDIARY = {
  intermediary_bank_name: 'First Harbor Bank',
  intermediary_bank_address: LINES,
  intermediary_bank_routing_number: '021000021',
}
const TRANSFER = {
  external_uid: 't-1',
  source_synthetic_account_uid: 'a',
  destination_synthetic_account_uid: 'b',
  initiating_customer_uid: 'c',
  destination_customer_uid: 'd',
  usd_transfer_amount: '1.00',
  initiator_type: 'transmitter',
}
const ACCOUNT = {
  external_uid: 'a-1',
  name: 'Mill',
  pool_uid: 'p',
  synthetic_account_type_uid: 't',
  external_processor_token: 'token',
  ...NUMBERS,
}
const ACH_PARTY = { account_type: 'checking', counterparty_name: 'Northern Mill Co' }
const MOCK = {
  customer_uid: 'c',
  us_dollar_amount: 5,
  synthetic_account_uid: 's',
  virtual_reference_number_uid: 'v',
  description: 'A payment',
}

const PROFILE_RESPONSE = ['', '.profile_requirement_uid', '.profile_response']
  .map((it) => `profile_responses.0${it}`)
  .join(' ')
const PARTS_OF_PLACE = Object.keys(STRUCTURED)
const TRANSMITTER_OF_WIRE = ['name', 'transmitter_identifier', 'line1', 'country']
const TRANSMITTER_OF_INSTANT = ['name', 'transmitter_identifier', ...PARTS_OF_PLACE]

/** For each endpoint with a body, bodies with all of their fields; then the fields that the specification marks with "*". */
const BODIES: Readonly<Record<string, readonly [endpoint: keyof typeof endpoints, body: Body, required: string]>> = {
  'a Customer': [
    'createCustomer',
    { customer_type: 'secondary', primary_customer_uid: 'c', client_verified: false, ...CUSTOMER },
    PROFILE_RESPONSE,
  ],
  'changes of a Customer': ['updateCustomer', CUSTOMER, PROFILE_RESPONSE],
  'the archival of a Customer': [
    'archiveCustomer',
    { destination_synthetic_account_uid: 'a', archive_note: 'moved', can_apply_again: false },
    '',
  ],
  'the onboarding of a Customer': [
    'onboardCustomer',
    { customer_uid: 'c', product_uid: 'p' },
    'customer_uid product_uid',
  ],
  'an ACH counterparty': [
    'createSyntheticAccount',
    { ...ACCOUNT, ach: ACH_PARTY },
    'name pool_uid synthetic_account_type_uid ach.account_type ach.counterparty_name',
  ],
  'a wire counterparty': [
    'createSyntheticAccount',
    { ...ACCOUNT, wire: { counterparty_name: 'Harbor', counterparty_address: LINES, ...BANK } },
    'name pool_uid synthetic_account_type_uid wire.counterparty_name',
  ],
  'an instant counterparty': [
    'createSyntheticAccount',
    {
      ...ACCOUNT,
      instant_payment: {
        counterparty_name: 'Ada',
        counterparty_address: PLACE,
        email: 'a@b.test',
        phone: '5155550188',
      },
    },
    `name pool_uid synthetic_account_type_uid instant_payment.counterparty_address instant_payment.counterparty_name
    ${PARTS_OF_PLACE.map((it) => `instant_payment.counterparty_address.${it}`).join(' ')}`,
  ],
  'an ACH Transfer': [
    'createTransfer',
    { ...TRANSFER, ach: { ...ENTRY, id_number: 'A 1', addenda: 'Invoice 44' } },
    `source_synthetic_account_uid destination_synthetic_account_uid initiating_customer_uid usd_transfer_amount
    ach.originator_name ach.entry_description ach.sec_code ach.service_processing ach.effective_entry_date`,
  ],
  'a wire Transfer': [
    'createTransfer',
    {
      ...TRANSFER,
      instant_payment_transmitter: { ...TRANSMITTER, ...STRUCTURED },
      wire: { ...INTERMEDIARY, wire_instructions: 'Lease', wire_transmitter: { ...TRANSMITTER, ...LINES } },
    },
    `source_synthetic_account_uid destination_synthetic_account_uid initiating_customer_uid usd_transfer_amount
    wire.intermediary_bank_routing_number ${TRANSMITTER_OF_WIRE.map((it) => `wire.wire_transmitter.${it}`).join(' ')}
    ${TRANSMITTER_OF_INSTANT.map((it) => `instant_payment_transmitter.${it}`).join(' ')}`,
  ],
  'an instant Transfer': [
    'createTransfer',
    {
      ...TRANSFER,
      company_id: 'C1',
      wire_transmitter: { ...TRANSMITTER, ...LINES },
      instant_payment: {
        memo: 'Rent',
        purpose_of_payment: 'PAYR',
        instant_payment_transmitter: { ...TRANSMITTER, ...STRUCTURED },
      },
    },
    `source_synthetic_account_uid destination_synthetic_account_uid initiating_customer_uid usd_transfer_amount
    ${TRANSMITTER_OF_WIRE.map((it) => `wire_transmitter.${it}`).join(' ')}
    ${TRANSMITTER_OF_INSTANT.map((it) => `instant_payment.instant_payment_transmitter.${it}`).join(' ')}`,
  ],
  'a cancellation': ['cancelTransfer', { authorized_representative_name: 'Swee', cancellation_reason: 'Twice' }, ''],
  'an authorization': [
    'authorizeTransaction',
    { authorization_status: 'client_denied', denied_reason: 'vrn_locked', denied_memo: 'who?' },
    'authorization_status',
  ],
  'a VRN': [
    'createVirtualReferenceNumber',
    {
      external_uid: 'v-1',
      name: 'Till 4',
      synthetic_account_uid: 'a',
      routing_number: '110000000',
      synchronous_registration: true,
    },
    'synthetic_account_uid routing_number',
  ],
  'changes of a VRN': ['updateVirtualReferenceNumber', { external_uid: 'v-1', name: 'Till 4' }, ''],
  'the lock of a VRN': ['lockVirtualReferenceNumber', { lock_reason: 'admin' }, 'lock_reason'],
  'the return of an ACH': [
    'createReturn',
    {
      external_uid: 'r-1',
      original_transaction_uid: 't',
      requesting_customer_uid: 'c',
      requestor_type: 'customer',
      return_reason: 'Twice',
      ach: { ach_return_code: 'R02', addenda_info: 'see letter' },
      wire: { wire_instructions: 'back' },
    },
    'original_transaction_uid requesting_customer_uid requestor_type return_reason',
  ],
  'a mocked wire': [
    'createMockTransaction',
    {
      transaction_type: 'wire',
      ...MOCK,
      counterparty_name: 'Judith',
      wire_instructions: '#4',
      chips: '1234',
      ...BANK,
      ...INTERMEDIARY,
      counterparty_address: LINES,
    },
    'transaction_type',
  ],
  'a mocked instant payment': [
    'createMockTransaction',
    {
      transaction_type: 'instant_payment',
      ...MOCK,
      network: 'tch',
      memo: 'Tea',
      counterparty_address: LINES,
      imad: '1234',
    },
    'transaction_type',
  ],
  'a mocked wire that settles at an instant': [
    'createMockTransaction',
    { transaction_type: 'wire', resolve_at: '2026-08-20T14:00:00.000Z' },
    'transaction_type',
  ],
  'a mocked wire that settles after some time': [
    'createMockTransaction',
    { transaction_type: 'wire', after: '2 business days' },
    'transaction_type',
  ],
  'a mocked ACH': [
    'createMockTransaction',
    {
      transaction_type: 'ach',
      ...MOCK,
      transaction_uid: 't',
      sec_code: 'CCD',
      entry_description: 'Entry',
      addenda: 'Invoice 7',
      uetr: '1234',
      iat: true,
    },
    'transaction_type',
  ],
}
const bodies = Object.entries(BODIES)

/** A copy with another value at this path; undefined removes the field. */
function withPart(body: Body, path: string, value: unknown): Body {
  const [first = '', ...rest] = path.split('.')
  const part = rest.length === 0 ? value : withPart(body[first] as Body, rest.join('.'), value)
  return Array.isArray(body) ? (body.with(Number(first), part) as unknown as Body) : { ...body, [first]: part }
}
const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null
const pathsOf = (body: Body): string[] =>
  Object.entries(body).flatMap(([name, value]) => [
    name,
    ...(isObject(value) ? pathsOf(value).map((inner) => `${name}.${inner}`) : []),
  ])
const partOf = (body: Body, path: string) => path.split('.').reduce<unknown>((part, name) => (part as Body)[name], body)

/** What a request with this body is refused with before its rules; undefined if it is taken. */
function judge(name: string, path: string, value: unknown): string | undefined {
  const [endpoint, body] = BODIES[name]!
  try {
    validate((endpoints[endpoint] as Endpoint).body!, withPart(body, path, value))
    return undefined
  } catch (error) {
    const { key, extra } = error as ApiError
    return `${key} ${extra}`
  }
}

it('each endpoint that takes fields is here', () => {
  const withFields = Object.entries<Endpoint>(endpoints).filter(([, { body }]) => body !== undefined)
  const tested = new Set<string>(bodies.map(([, [endpoint]]) => endpoint))
  const missing = withFields.map(([name]) => name).filter((name) => !tested.has(name))
  // Both consist of the fields of others, and are tested with their resource.
  expect(missing.sort()).toEqual(['createCombinedTransfer', 'updateSyntheticAccount'])
})

/** Structured addresses in the place of lines: of wires in wire-addresses.test.ts, of mocks at the bounds below. */
const TESTED_ELSEWHERE =
  /^counterparty_address\.(?:street_number|street1|street2|city|state|postal_code)$|^(?:wire\.counterparty_address|(?:wire\.)?wire_transmitter)\.(?:building_number|street_name|city|state|postal_code)$/

/** The paths of all fields of a schema. An array has one element. */
function fieldsOf({ properties = {}, items, anyOf = [] }: JsonSchema): string[] {
  const own = Object.entries({ ...properties, ...(items?.properties ? { 0: items } : {}) }).flatMap(([name, part]) => [
    name,
    ...fieldsOf(part).map((inner) => `${name}.${inner}`),
  ])
  return [...new Set([...own, ...anyOf.flatMap(fieldsOf)])]
}

it.each([...new Set(bodies.map(([, [endpoint]]) => endpoint))])('all fields of %s are here', (endpoint) => {
  const tested = bodies.flatMap(([, [of, body]]) => (of === endpoint ? pathsOf(body) : []))
  const declared = fieldsOf(inlineRefs(jsonSchema((endpoints[endpoint] as Endpoint).body!, 'input')))
  expect([...new Set(tested)].sort()).toEqual(declared.filter((path) => !TESTED_ELSEWHERE.test(path)).sort())
})

/** Amounts, dates and the requestor have errors of their own. */
const ERRORS: Readonly<Record<string, string>> = {
  usd_transfer_amount: 'transferAmountNotNumeric',
  'ach.effective_entry_date': 'unparseableDate',
  requestor_type: 'returnRequestorUnknown',
}
/** Optional, and may not be null. */
const NOT_NULL = ['customer_type']
/** Required, and may be null. */
const NULLABLE =
  /profile_response$|(?:counterparty_address|instant_payment_transmitter)\.(?:city|state|postal_code|country)$|wire_transmitter\.line1$/

/** Texts that may be written as numbers. */
const NUMERIC = /(?:^|\.)(?:usd_transfer_amount|id_number|transmitter_identifier|street_number|postal_code)$/
/** Take values of several types. */
const OF_SEVERAL_TYPES: Readonly<Record<string, readonly unknown[]>> = {
  'profile_responses.0.profile_response': [true, [1], { x: 'y' }],
  iat: [[], {}],
}

/** Values of types that a field does not take, from one that it takes. */
function otherTypes(path: string, value: unknown): readonly unknown[] {
  if (OF_SEVERAL_TYPES[path]) return OF_SEVERAL_TYPES[path]
  if (isObject(value)) return ['x', 1, true, Array.isArray(value) ? {} : []]
  const none = [[], ['x'], {}]
  if (typeof value === 'boolean') return [...none, 'yes', 1]
  return typeof value === 'number' || NUMERIC.test(path) ? [...none, true] : [...none, true, 1]
}

describe.each(bodies)('%s', (name, [, body, required]) => {
  const paths = pathsOf(body)
  const needed = required.split(/\s+/).filter(Boolean)

  it('1003: "*" marks required fields: each that is absent is named', () => {
    const missing = paths.filter((path) => judge(name, path, undefined) === `missingParameter ${path} is missing`)
    expect(missing.sort()).toEqual([...needed].sort())
    for (const path of paths.filter((it) => !needed.includes(it)))
      expect(judge(name, path, undefined), path).toBeUndefined()
  })

  it('null counts as absent where it is optional, and is refused where it is required', () => {
    for (const path of paths) {
      const isRefused = (needed.includes(path) && !NULLABLE.test(path)) || NOT_NULL.includes(path)
      expect(judge(name, path, null) !== undefined, path).toBe(isRefused)
    }
  })

  it('1007: "only JSON types are checked" first: a value of another type is refused, and the field is named', () => {
    for (const path of paths)
      for (const value of otherTypes(path, partOf(body, path)))
        expect(`${judge(name, path, value)}`, `${path} ${JSON.stringify(value)}`).toMatch(
          new RegExp(`^${ERRORS[path] ?? 'invalidArgument'} ${path.replaceAll('.', '\\.')}\\b`),
        )
  })
})

// ── Bounds ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const x = (n: number) => 'x'.repeat(n)
const nine = (n: number) => '9'.repeat(n)
/** What address lines and the pattern of plain characters leave out. */
const NOT_IN_LINES = [...'#@$!"%&*;<>{}[]_^\\~'].map((sign) => `Pier ${sign}`)
const NOT_PLAIN = ['Müller', 'a/b', 'a_b', 'a\nb', 'a&b', 'a@b', '(a)']
const LINE = "d'Été 4,(left)-a/b:c.+='?|`"

type Bounds = readonly [field: string, refused: readonly unknown[], taken: readonly unknown[]]
const EXTERNAL_UID: Bounds = ['external_uid', ['', x(256), 7], ['x', x(255)]]
const ROUTING: readonly unknown[] = ['', nine(8), nine(10), '02100002x', ' 021000021', '021 00021']
const COUNTRY: Bounds = ['country', ['', 'U', 'USA', 'U1', 'U '], ['US', 'CA']]
const at = (object: string, rows: readonly Bounds[]) =>
  rows.map(([field, refused, taken]): Bounds => [`${object}.${field}`, refused, taken])
const lines = (object: string) =>
  at(object, [
    ['line1', [x(36), ...NOT_IN_LINES], [x(35), LINE]],
    ['line2', [x(36), ...NOT_IN_LINES], [x(35), LINE]],
    ['line3', [x(33), ...NOT_IN_LINES], [x(32), LINE]],
    COUNTRY,
  ])
const place = (object: string) =>
  at(object, [
    ['street_number', ['', x(17), '1-2', '1 a'], ['1', x(16), '80B']],
    ['street1', ['', x(71), "O'Hara St", 'A, B'], [x(70), 'St. Paul-Rd #4/5']],
    ['city', ['', x(36), 'Ames 2', 'Ames, IA'], ['x', x(35), 'St. Louis-East/W']],
    ['state', ['', 'O', 'OHI', '1O'], ['OH']],
    ['postal_code', ['', '4360', '436041', '43604-12', '43604 1234', 'ABCDE'], ['43604', '43604-1234']],
    COUNTRY,
  ])
const BOUNDS: Readonly<Record<string, readonly Bounds[]>> = {
  'a Customer': [EXTERNAL_UID],
  'changes of a Customer': [EXTERNAL_UID],
  'an ACH counterparty': [
    EXTERNAL_UID,
    ['routing_number', ROUTING, ['021000021', '123456789']],
    ['account_number', ['', nine(18), '12-34', '12 34', 'x', 123456789], ['1', nine(17)]],
    ['ach.account_type', ['', 'loan', 'CHECKING'], ['checking', 'savings']],
    ['ach.counterparty_name', ['', x(23)], ['x', x(22)]],
  ],
  'a wire counterparty': [
    ['wire.counterparty_name', ['', x(36)], ['x', x(35)]],
    ['wire.counterparty_bank_name', [x(36)], ['', x(35)]],
    ...lines('wire.counterparty_address'),
    ...lines('wire.counterparty_bank_address'),
  ],
  'an instant counterparty': [
    ['instant_payment.counterparty_name', ['', x(141), 'P@P'], ['x', x(140), "O'Neil Jr. 2"]],
    ['instant_payment.phone', ['', '515555018', '51555501888', '515-555-01'], ['5155550188']],
    ...place('instant_payment.counterparty_address'),
    ['instant_payment.counterparty_address.street1', ['ab'], ['abc']],
    ['instant_payment.counterparty_address.street2', [x(71), 'Apt,4'], [x(70), 'Apt 4']],
  ],
  'an ACH Transfer': [
    EXTERNAL_UID,
    ['initiator_type', ['Customer', 'client', '', 1], ['customer', 'transmitter']],
    ['ach.originator_name', ['', x(17), ...NOT_PLAIN], ['x', x(16), "J. O'Hara-Li, 3"]],
    ['ach.company_id', ['', x(11), 'a_b', 1], ['x', x(10)]],
    ['ach.company_discretionary_data', ['', x(11), ...NOT_PLAIN], ['x', x(10), "A.,' -1"]],
    ['ach.entry_description', ['', x(11), 'a-b', 'a.b', 'Tür', 'Dividend Payment'], ['x', x(10), 'ACH Entry1']],
    ['ach.sec_code', ['', 'ccd', 'ARC', 'IAT', 'CTX'], ['CCD', 'PPD', 'WEB']],
    ['ach.service_processing', ['', 'SAME_DAY', 'standard', 'EXPRESS'], ['STANDARD', 'SAMEDAY']],
    ['ach.payment_type', ['', 's', 'SINGLE', 'RS'], ['R', 'S', 'ST']],
    ['ach.addenda', ['', x(81), 'two\nlines'], ['x', x(80), 'Ça va? #@$!"%&*;<>{}[]_^\\~']],
    ['ach.prenote', ['false', 'true', 0, 1, ''], [true, false]],
  ],
  'a wire Transfer': [
    ['wire.intermediary_bank_name', [x(36)], ['x', x(35)]],
    ...lines('wire.intermediary_bank_address'),
    ['wire.intermediary_bank_routing_number', ROUTING, ['021000021', '123456789']],
    ['wire.wire_instructions', [x(141)], ['', x(140)]],
    ['wire.wire_transmitter.name', ['', x(36), ...NOT_PLAIN], ['x', x(35), "J. O'Hara-Li, 3"]],
    ['wire.wire_transmitter.transmitter_identifier', ['', x(25), 'A-1', 'A 1'], ['a', nine(24), 1234]],
    ...lines('wire.wire_transmitter'),
    ['wire.wire_transmitter.line1', [''], ['x']],
  ],
  'an instant Transfer': [
    ['instant_payment.memo', [x(141), 'a "b"', 'a\\b', 'Ça', 'a\nb'], ['', x(140), ". !@#$%^&*',/:;<=>?~`|[]{})(+=_-"]],
    ['instant_payment.purpose_of_payment', ['RENT', 'payr', 7], ['PAYR', 'MP2P', '']],
    ...at('instant_payment.instant_payment_transmitter', [
      ['name', ['', x(141)], ['x', x(140), "Marge's Roofing Inc"]],
      ['transmitter_identifier', ['', x(25), 'A-1', 'A 1'], ['a', nine(24), 1234]],
      ['street_number', [], [80]],
      ['postal_code', [], [43604]],
    ]),
    ...place('instant_payment.instant_payment_transmitter'),
  ],
  'a cancellation': [
    ['authorized_representative_name', [x(36), 1], [x(35)]],
    ['cancellation_reason', [x(136), 1], [x(135)]],
  ],
  'an authorization': [
    [
      'authorization_status',
      ['approved', 'auto_approved', 'client_unanswered_auto_denied', 'created', '', true],
      ['client_approved', 'client_denied', 'denied'],
    ],
    ['denied_reason', ['because', 'VRN_LOCKED'], ['vrn_locked', 'unauthorized_credit']],
    ['denied_memo', [x(45), 44], ['', x(44)]],
  ],
  'a VRN': [
    EXTERNAL_UID,
    ['name', [x(256), 4], ['', x(255)]],
    ['routing_number', ROUTING, ['123456789']],
    ['synchronous_registration', ['yes', 1], [true, false]],
  ],
  'changes of a VRN': [EXTERNAL_UID, ['name', [x(256), 4], ['', x(255)]]],
  'the lock of a VRN': [['lock_reason', ['disabled by client request', 'Admin', '', 7], ['admin', 'customer_request']]],
  'the return of an ACH': [
    EXTERNAL_UID,
    ['return_reason', ['', x(141)], ['y', x(140)]],
    // What other banks may give as a reason, a client may not.
    ['ach.ach_return_code', ['R05', 'R99', 'r02', 2], ['R02', 'R23']],
    ['ach.addenda_info', [x(45)], [x(44)]],
    ['wire.wire_instructions', [x(141)], [x(140)]],
  ],
  'a mocked wire': [
    ['transaction_type', ['check', 'WIRE', 'book_transfer', '', 4], ['wire']],
    ['description', ['1234567', '', 12345678], ['12345678']],
    ['counterparty_name', [x(36), 7], [x(35)]],
    ['counterparty_bank_name', [x(36)], [x(35)]],
    ['intermediary_bank_name', [x(36)], [x(35)]],
    ['intermediary_bank_routing_number', [nine(8)], [nine(9)]],
    ['wire_instructions', [x(141)], [x(140)]],
    ...lines('counterparty_bank_address'),
    ...lines('intermediary_bank_address'),
    [
      'counterparty_address',
      [
        ...['Quay 1', { line1: x(36) }, { line2: x(36) }, { line3: x(33) }, { line1: 'Suite #4' }, { line1: 'A & B' }],
        ...[{ country: 'USA' }, { ...PLACE, postal_code: '4360' }, { ...PLACE, state: 'Ohio' }],
        ...[
          { ...PLACE, street_number: '80 b' },
          { ...PLACE, street1: 'Rd' },
          { street1: 'Wharf Road', city: 'Toledo' },
        ],
      ],
      [LINES, PLACE, { line1: x(35), line2: x(35), line3: x(32), country: 'CA' }],
    ],
  ],
  'a mocked instant payment': [
    ['network', ['visa', 'TCH'], ['tch', 'fednow']],
    ['memo', [x(141), 'a "quoted" word', 'back\\slash'], [x(140)]],
  ],
  'a mocked ACH': [
    ['sec_code', ['IAT', 'ccd'], ['CCD', 'CIE', 'PPD', 'WEB']],
    ['entry_description', ['ACH Entry 11', 'Entry-1', ''], ['ACH Entry1']],
    ['addenda', ['', x(81)], [x(80)]],
  ],
}

it.each(Object.entries(BOUNDS))(
  '1007: a value beyond the bounds of its field is refused, and the field is named; one at the bounds is taken: %s',
  (name, rows) => {
    for (const [path, refused, taken] of rows) {
      for (const value of refused)
        expect(judge(name, path, value), `${path} ${JSON.stringify(value)}`).toMatch(
          new RegExp(`^invalidArgument ${path.replaceAll('.', '\\.')}\\b`),
        )
      for (const value of taken) expect(judge(name, path, value), `${path} ${JSON.stringify(value)}`).toBeUndefined()
    }
  },
)
