import type { EndpointName } from '../../api/contract/endpoints.ts'
import { endpoints } from '../../api/contract/endpoints.ts'
import { shapeOf } from '../../api/contract/shape.ts'
import { type ExampleName, examples, fillExample, namesIn } from '../../api/contract/terms/examples.ts'
import { codesOf, DEFAULT_REJECTION, type Trigger, triggersById } from '../../api/contract/triggers.ts'
import { createExample } from './example.ts'
import type { Examples } from './use-examples.ts'
import { type JsonObject, replaceAt } from './values.ts'

/** The injections: requests that simulate incoming payments, force outcomes, or stand for those of an app. */

export interface Injection {
  readonly id: string
  readonly group: string
  readonly title: string
  readonly description: string
  readonly outcome?: string
  readonly endpoint: EndpointName
  /** With texts of the contract's examples for values of the world. */
  readonly body: () => JsonObject
  /** The fields that the form shows first, in this order. */
  readonly leads?: readonly string[]
  /** Network codes that the last digits of the account number select. */
  readonly codes?: ReturnType<typeof codesOf>
  /** The last digits of its account number. */
  readonly ending?: string
  /** The field with a record that can be used only once. */
  readonly spends?: string
  /** The body for one more record, where names and numbers must be unique. */
  readonly renew?: (body: JsonObject) => JsonObject
  /** The usual next injection, for the created record. */
  readonly next?: {
    readonly kind: string
    readonly label: string
    /** Names the created record. */
    readonly field: string
    readonly without?: string
  }
}

/** With values of this world; empty where it lacks the record. */
export const fillBody = (body: JsonObject, { values, missing }: Examples): JsonObject =>
  fillExample(body, new Map([...values, ...[...missing].map((name) => [name, ''] as const)]))

export function bodyOf({ body, ending }: Injection, of: Examples): JsonObject {
  const filled = fillBody(body(), of)
  return ending === undefined
    ? filled
    : { ...filled, account_number: withEnding(filled.account_number, ending, PLAIN_DIGITS) }
}

/** The body of the usual next injection, for the created record. */
export function bodyAfter(
  { next, codes }: Injection,
  { uid, account_number }: CreatedRecord,
  of: Examples,
): JsonObject {
  const { kind, field, without = '' } = next!
  const { [without]: _, ...body } = bodyOf(findInjection(kind, { vrn: false }), of)
  const code = codes?.find(({ ending }) => String(account_number).endsWith(ending))
  if (!code?.isForDebits) return { ...body, [field]: uid }
  const { source_synthetic_account_uid: own } = body
  return { ...body, source_synthetic_account_uid: uid, destination_synthetic_account_uid: own }
}

type CreatedRecord = { readonly uid: string; readonly account_number?: unknown }

/** What this world lacks for a body; null if nothing. */
export function findMissing(body: JsonObject, { customer, missing }: Examples) {
  const [lacking] = namesIn(body).filter((name) => missing.has(name))
  if (lacking === undefined) return null
  const other = MISSING[lacking]
  return { text: other ?? missingAccount(customer !== undefined), isAccount: other === undefined }
}

const MISSING: Readonly<Partial<Record<ExampleName, string>>> = {
  virtual_reference_numbers: `This Customer has no active VRN. POST ${endpoints.createVirtualReferenceNumber.path} creates one.`,
  returnable_ach:
    'This Customer has no settled ACH that can be returned. Send one (below: Create a Transfer), and let it settle.',
  initiated_customer:
    'No Customer is waiting to be onboarded. Create one (above); then use the Next button below its result.',
}

const missingAccount = (isOfCustomer: boolean) =>
  isOfCustomer
    ? 'This Customer has no active account. Onboard it (below: Requests of your app), or choose another Customer.'
    : 'This Program has no active Customer with an account. Create and onboard one (below: Requests of your app), or choose another Program.'

// ── Incoming payments ─────────────────────────────────────────────────────────────────────────────────────────────────

const PARTY = ['counterparty_name', 'description']
const LEADS: Readonly<Record<string, readonly string[]>> = {
  ach: [...PARTY, 'sec_code', 'entry_description', 'addenda'],
  wire: [...PARTY, 'counterparty_bank_name', 'wire_instructions'],
  instant_payment: [...PARTY, 'network', 'memo'],
}
const ACCOUNT = ['transaction_type', 'customer_uid', 'us_dollar_amount', 'synthetic_account_uid']
const VRN = ['transaction_type', 'customer_uid', 'us_dollar_amount', 'virtual_reference_number_uid']

type Rail = 'ach' | 'wire' | 'instant_payment'
type IncomingPayment = readonly [
  id: string,
  title: string,
  rail: Rail,
  amount: number,
  description: string,
  extraFields?: JsonObject,
]

const injectTo =
  (to: 'account' | 'VRN') =>
  ([id, title, rail, amount, description, extraFields = {}]: IncomingPayment): Injection => ({
    id,
    group: to === 'VRN' ? 'Incoming, to a VRN' : 'Incoming, to an account',
    title,
    description,
    endpoint: 'createMockTransaction',
    leads: [...(to === 'VRN' ? VRN : ACCOUNT), ...LEADS[rail]!, ...Object.keys(extraFields)],
    body: () => ({
      transaction_type: rail,
      customer_uid: to === 'VRN' ? examples.vrn_customer : examples.customers,
      us_dollar_amount: amount,
      ...extraFields,
      ...(to === 'VRN'
        ? { virtual_reference_number_uid: examples.virtual_reference_numbers }
        : { synthetic_account_uid: examples.synthetic_accounts }),
      counterparty_name: 'Bayline Hotels',
    }),
  })

const ACH_CREDIT =
  'A counterparty pays into the account by ACH. The Transaction is pending at once and settles like any incoming ACH.'
const ACH_DEBIT =
  'A counterparty debits the account by ACH. It is never refused for insufficient funds: the balance can become negative.'
const IAT = 'An ACH credit with the details of an international payment (IAT), in Programs that show them.'
const INSTANT = 'A counterparty sends an instant payment to the account, over tch or fednow.'
const INSTANT_DEBIT = 'An instant payment debits the account: a negative amount.'
const toAccount: readonly IncomingPayment[] = [
  ['ach-credit', 'Incoming ACH credit', 'ach', 1250, ACH_CREDIT],
  ['ach-debit', 'Incoming ACH debit', 'ach', -48.2, ACH_DEBIT],
  ['ach-iat', 'Incoming international ACH', 'ach', 980.5, IAT, { iat: true }],
  ['wire', 'Incoming wire', 'wire', 18_450, 'A counterparty sends a wire to the account.'],
  ['wire-debit', 'Incoming wire debit', 'wire', -2400, 'A wire debits the account: a negative amount.'],
  ['instant', 'Incoming instant payment', 'instant_payment', 312.4, INSTANT],
  ['instant-debit', 'Incoming instant payment debit', 'instant_payment', -75, INSTANT_DEBIT],
]

const AUTHORIZED =
  'If the Program requires authorization by the Client, the Transaction is authorization_pending until it is approved or denied.'
const VRN_DEBIT = 'A counterparty debits the account by the number of a VRN. The Client can deny it.'
const VRN_INSTANT = 'It settles without authorization. The VRN must be registered for instant payments.'
const toVrn: readonly IncomingPayment[] = [
  ['vrn', 'Wire to a VRN', 'wire', 18_450, AUTHORIZED],
  ['vrn-ach', 'ACH credit to a VRN', 'ach', 640, AUTHORIZED],
  ['vrn-ach-debit', 'ACH debit on a VRN', 'ach', -120, VRN_DEBIT],
  ['vrn-instant', 'Instant payment to a VRN', 'instant_payment', 312.4, VRN_INSTANT],
]

const incoming: readonly Injection[] = [
  ...toAccount.map(injectTo('account')),
  ...toVrn.map(injectTo('VRN')),
  {
    id: 'ach-return',
    group: 'Returns',
    title: 'Return a settled ACH',
    description: 'A settled ACH of the Customer is returned in full: a debit with R01, a credit with R03.',
    endpoint: 'createMockTransaction',
    leads: ['transaction_type', 'transaction_uid'],
    spends: 'transaction_uid',
    body: () => ({ transaction_type: 'ach_return', transaction_uid: examples.returnable_ach }),
  },
]

// ── Forced outcomes ───────────────────────────────────────────────────────────────────────────────────────────────

const exampleBody = (endpoint: EndpointName): JsonObject => {
  const declared = endpoints[endpoint]
  return 'body' in declared ? (createExample(shapeOf(declared.body)) as JsonObject) : {}
}

const onboardNext: NonNullable<Injection['next']> = {
  kind: 'onboard',
  label: 'Onboard this Customer',
  field: 'customer_uid',
}

const FIRST_ACCOUNT = 441_020
/** The zeros at the end of an example's account number. */
const PLAIN_DIGITS = 4

/** The same account number with the last digits that force another outcome, in place of as many. */
export const withEnding = (number: unknown, ending: string, replaced = ending.length) =>
  `${typeof number === 'string' && number.length > replaced ? number.slice(0, -replaced) : FIRST_ACCOUNT}${ending}`

/** No two accounts of a Pool have the same name or the same number. */
function renewCounterparty(body: JsonObject): JsonObject {
  const [, words = '', count = '1'] = /^(.*?)(?: (\d{1,9}))?$/.exec(String(body.name)) ?? []
  const [, start, ending] = /^(\d{1,13}?)(97\d{4}|\d{4})$/.exec(String(body.account_number)) ?? []
  return {
    ...body,
    name: `${words} ${Number(count) + 1}`,
    ...(start === undefined ? {} : { account_number: `${Number(start) + 1}${ending}` }),
  }
}

const counterparty = (rail: 'ach' | 'instant_payment'): Partial<Injection> => ({
  leads: ['name', 'pool_uid', 'synthetic_account_type_uid', 'routing_number', 'account_number', rail],
  ending: '0000',
  renew: renewCounterparty,
  next: {
    kind: 'transfer',
    label: 'Send a Transfer to it',
    field: 'destination_synthetic_account_uid',
    ...(rail === 'ach' ? {} : { without: 'ach' }),
  },
})

/** The example of a new account, for instant payments instead of ACH. */
function instantBody(): JsonObject {
  const { ach: _, ...body } = exampleBody('createSyntheticAccount')
  const { shape } = shapeOf(endpoints.createSyntheticAccount.body).fields.find((one) => one.name === 'instant_payment')!
  return {
    ...body,
    synthetic_account_type_uid: examples.instant_payment_account_type,
    instant_payment: createExample(shape, 'instant_payment'),
  }
}

const ways: Readonly<Record<NonNullable<Trigger['data']>['endpoint'], Partial<Injection>>> = {
  createCustomer: { leads: ['customer_type', 'email', 'details'], next: onboardNext },
  createVirtualReferenceNumber: {},
  createSyntheticAccount: counterparty('ach'),
}

const titles: Readonly<Record<string, string>> = {
  'kyc-minor': 'Onboard a minor',
  'kyc-smith': 'KYC result: manual_review',
  'kyc-johnson': 'KYC result: denied',
  'vrn-fail': 'VRN creation fails',
  'vrn-registration-fail': 'VRN registration fails',
  'account-initiated': 'A Synthetic Account is initiated first',
  'account-fail': 'A Synthetic Account fails',
  'transfer-fail': 'Transfers to a counterparty fail',
  'ach-99': 'Return our ACH with a code',
  'ach-97': 'Return our ACH late',
  'ach-96': 'Refuse our reversal',
  'ach-98': 'Notification of change for our ACH',
  'instant-reject': 'Reject an instant payment',
}

/** The codes that a form begins with. */
const FIRST = ['R02', 'R17', 'C01', DEFAULT_REJECTION]

/** The injections whose data triggers an outcome. */
const forced: readonly Injection[] = Object.entries(triggersById).map(([id, { when, outcome, data }]) => {
  const described = { id, group: 'Forced outcomes', title: titles[id]!, description: when, outcome }
  if (data) {
    const { endpoint, fields } = data
    const body = () =>
      Object.entries(fields).reduce<unknown>(
        (body, [path, value]) => replaceAt(body, path.split('.'), value),
        exampleBody(endpoint),
      ) as JsonObject
    return { ...described, endpoint, ...ways[endpoint], body }
  }
  const codes = codesOf(id)
  const isInstant = id === 'instant-reject'
  return {
    ...described,
    endpoint: 'createSyntheticAccount',
    ...counterparty(isInstant ? 'instant_payment' : 'ach'),
    codes,
    ending: (codes.find(({ code }) => FIRST.includes(code)) ?? codes[0]!).ending,
    body: () => ({
      ...(isInstant ? instantBody() : exampleBody('createSyntheticAccount')),
      name: `Bayline Hotels ${examples.new_account_number}`,
    }),
  }
})

// ── Requests of your app ─────────────────────────────────────────────────────────────────────────────────────

const appRequests: readonly Injection[] = [
  {
    id: 'customer',
    group: 'Requests of your app',
    title: 'Create a Customer',
    description: 'With all data that KYC/AML requires. The Customer is initiated until it is onboarded.',
    endpoint: 'createCustomer',
    leads: ['customer_type', 'email', 'details'],
    next: onboardNext,
    body: () => exampleBody('createCustomer'),
  },
  {
    id: 'onboard',
    group: 'Requests of your app',
    title: 'Onboard a Customer',
    description:
      'A valid onboarding request starts KYC/AML. Two seconds later its result depends on the data of the Customer.',
    endpoint: 'onboardCustomer',
    spends: 'customer_uid',
    body: () => exampleBody('onboardCustomer'),
  },
  {
    id: 'transfer',
    group: 'Requests of your app',
    title: 'Create a Transfer',
    description: 'From a general account of the Customer to a counterparty, over the rail of the external account.',
    endpoint: 'createTransfer',
    body: () => exampleBody('createTransfer'),
  },
]

export const injections: readonly Injection[] = [...incoming, ...forced, ...appRequests]

/** Injections that are no requests of the API. */
export const OUTSIDE = {
  id: 'outside',
  title: 'Card, direct deposit, interest, fee',
  group: 'Outside the application',
} as const
export const DECISIONS = {
  id: 'decisions',
  title: 'Bank and compliance decisions',
  group: 'Operator decisions',
} as const

export const groups = [...new Set(injections.map(({ group }) => group))].map((title) => ({
  title,
  items: injections.filter(({ group }) => group === title),
}))

/** The injection for an address: by its id, or by the record that the address names. */
export function findInjection(named: string | undefined, has: { vrn: boolean }): Injection {
  return injections.find(({ id }) => id === (named ?? (has.vrn ? 'vrn' : 'ach-credit'))) ?? injections[0]!
}
