import type { EndpointName } from '../../../api/contract/endpoints.ts'
import { endpoints } from '../../../api/contract/endpoints.ts'
import { achReturnCodes, instantPaymentRejections, nocCodes } from '../../../api/contract/network-codes.ts'
import { kycTriggers, type Trigger, triggers, USUAL_REJECTION } from '../../../api/contract/triggers.ts'
import { createExample } from '../../forms/example.ts'
import { exampleValuesFrom, type SampleRecords } from '../../forms/sample-records.ts'
import { shapeOf } from '../../forms/shape.ts'
import type { JsonObject } from '../../forms/values.ts'

/** Everything that can be made to happen by a request: what comes from outside, and what data can force. */

export interface Code {
  readonly code: string
  readonly says: string
  /** What the field must hold for it. */
  readonly value: string
}

export interface Kind {
  readonly id: string
  readonly group: string
  readonly title: string
  readonly says: string
  readonly outcome?: string
  readonly endpoint: EndpointName
  readonly body: (facts: SampleRecords) => JsonObject
  /** The fields that matter for it, in this order. */
  readonly leads?: readonly string[]
  /** Codes of a network that one field chooses. */
  readonly codes?: { readonly field: string; readonly list: readonly Code[] }
  /** What is missing in this world for it. */
  readonly lacks?: (facts: SampleRecords) => string | null
  /** What would be done next with what was made. */
  readonly next?: {
    readonly kind: string
    readonly label: string
    readonly body: (made: string, facts: SampleRecords) => JsonObject
  }
}

// ── From outside ─────────────────────────────────────────────────────────────────────────────────────────────────

const PARTY = ['counterparty_name', 'description']
const LEADS: Readonly<Record<string, readonly string[]>> = {
  ach: [...PARTY, 'sec_code', 'entry_description', 'addenda'],
  wire: [...PARTY, 'counterparty_bank_name', 'wire_instructions'],
  instant_payment: [...PARTY, 'network', 'memo'],
}
const ACCOUNT = ['transaction_type', 'customer_uid', 'us_dollar_amount', 'synthetic_account_uid']
const VRN = ['transaction_type', 'customer_uid', 'us_dollar_amount', 'virtual_reference_number_uid']

type Rail = 'ach' | 'wire' | 'instant_payment'
type Mocked = Pick<Kind, 'id' | 'title' | 'says'> & {
  readonly rail: Rail
  readonly amount: number
  readonly more?: JsonObject
}

const mock = (facts: SampleRecords, { rail, amount, more }: Mocked): JsonObject => ({
  transaction_type: rail,
  customer_uid: facts.customer?.uid ?? '',
  us_dollar_amount: amount,
  ...more,
})

export const noAccount = ({ customer, generalAccounts: general }: SampleRecords) =>
  customer && general.length > 0
    ? null
    : 'This Program has no active Customer with an account. Create and onboard one (below: As your app would), or choose another Program.'

const toAccount = (mocked: Mocked): Kind => ({
  id: mocked.id,
  group: 'From outside, to an account',
  title: mocked.title,
  says: mocked.says,
  endpoint: 'createMockTransaction',
  leads: [...ACCOUNT, ...LEADS[mocked.rail]!, ...Object.keys(mocked.more ?? {})],
  lacks: noAccount,
  body: (facts) => ({
    ...mock(facts, mocked),
    synthetic_account_uid: facts.generalAccounts[0]?.uid ?? '',
    counterparty_name: 'Bayline Hotels',
  }),
})

const registered = ({ vrns }: SampleRecords) =>
  vrns.find(({ instant_payment_rail_registration_status: status }) => status === 'registered') ?? vrns[0]

const toVrn = (mocked: Mocked): Kind => ({
  id: mocked.id,
  group: 'From outside, to a VRN',
  title: mocked.title,
  says: mocked.says,
  endpoint: 'createMockTransaction',
  leads: [...VRN, ...LEADS[mocked.rail]!],
  lacks: (facts) =>
    noAccount(facts) ??
    (facts.vrns.length > 0
      ? null
      : `This Customer has no active VRN. POST ${endpoints.createVirtualReferenceNumber.path} creates one.`),
  body: (facts) => ({
    ...mock(facts, mocked),
    virtual_reference_number_uid: (mocked.rail === 'instant_payment' ? registered(facts) : facts.vrns[0])?.uid ?? '',
    counterparty_name: 'Bayline Hotels',
  }),
})

const fromOutside: readonly Kind[] = [
  toAccount({
    id: 'ach-credit',
    title: 'ACH credit comes in',
    says: 'Somebody pays into the account by ACH. It is pending at once, and settles when ACH from outside settles.',
    rail: 'ach',
    amount: 1250,
  }),
  toAccount({
    id: 'ach-debit',
    title: 'ACH debit takes money',
    says: 'Somebody draws on the account by ACH. It is never refused for lack of funds: the balance may fall below zero.',
    rail: 'ach',
    amount: -48.2,
  }),
  toAccount({
    id: 'ach-iat',
    title: 'International ACH comes in',
    says: 'An ACH credit with the detail of an international payment, in Programs that show it.',
    rail: 'ach',
    amount: 980.5,
    more: { iat: true },
  }),
  toAccount({
    id: 'wire',
    title: 'Wire comes in',
    says: 'Somebody sends a wire to the account.',
    rail: 'wire',
    amount: 18_450,
  }),
  toAccount({
    id: 'wire-debit',
    title: 'Wire takes money',
    says: 'A wire draws on the account: a negative amount.',
    rail: 'wire',
    amount: -2400,
  }),
  toAccount({
    id: 'instant',
    title: 'Instant payment comes in',
    says: 'Somebody pays instantly into the account, over tch or fednow.',
    rail: 'instant_payment',
    amount: 312.4,
  }),
  toAccount({
    id: 'instant-debit',
    title: 'Instant payment takes money',
    says: 'An instant payment draws on the account: a negative amount.',
    rail: 'instant_payment',
    amount: -75,
  }),
  toVrn({
    id: 'vrn',
    title: 'Wire to a VRN',
    says: 'Where the Program asks the Client, the Transaction is authorization_pending until somebody decides.',
    rail: 'wire',
    amount: 18_450,
  }),
  toVrn({
    id: 'vrn-ach',
    title: 'ACH credit to a VRN',
    says: 'Where the Program asks the Client, the Transaction is authorization_pending until somebody decides.',
    rail: 'ach',
    amount: 640,
  }),
  toVrn({
    id: 'vrn-ach-debit',
    title: 'ACH debit on a VRN',
    says: 'Somebody draws on the account by the number of a VRN; the Client may deny it.',
    rail: 'ach',
    amount: -120,
  }),
  toVrn({
    id: 'vrn-instant',
    title: 'Instant payment to a VRN',
    says: 'Nobody is asked: it settles. The VRN must be registered for instant payments.',
    rail: 'instant_payment',
    amount: 312.4,
  }),
  {
    id: 'ach-return',
    group: 'Comes back',
    title: 'Our own ACH is returned',
    says: 'A settled ACH that a Customer began comes back: R01 if it took money, R03 if it sent some. It has the amount of the original.',
    endpoint: 'createMockTransaction',
    leads: ['transaction_type', 'transaction_uid'],
    lacks: ({ returnable }) =>
      returnable.length > 0
        ? null
        : 'No settled ACH of this Customer can come back. Send one (below: A Transfer), and let it settle.',
    body: ({ returnable }) => ({ transaction_type: 'ach_return', transaction_uid: returnable[0]?.uid ?? '' }),
  },
]

// ── Forced by data ───────────────────────────────────────────────────────────────────────────────────────────────

const FORCED = 'Forced by data'
type Forced = Omit<Kind, 'group' | 'says' | 'outcome'>

const example = (endpoint: EndpointName, facts: SampleRecords): JsonObject => {
  const declared = endpoints[endpoint]
  return 'body' in declared ? (createExample(shapeOf(declared.body), exampleValuesFrom(facts)) as JsonObject) : {}
}

const ONBOARD: Kind['next'] = {
  kind: 'onboard',
  label: 'Onboard this Customer',
  body: (customer_uid, facts) => ({ ...example('onboardCustomer', facts), customer_uid }),
}

const customer = (id: string, title: string, change: (facts: SampleRecords) => JsonObject): Forced => ({
  id,
  title,
  endpoint: 'createCustomer',
  leads: ['customer_type', 'email', 'details'],
  next: ONBOARD,
  body: (facts) => {
    const body = example('createCustomer', facts)
    return { ...body, details: { ...(body.details as JsonObject), ...change(facts) } }
  },
})

const vrn = (id: string, title: string, name: string): Forced => ({
  id,
  title,
  endpoint: 'createVirtualReferenceNumber',
  lacks: noAccount,
  body: (facts) => ({ ...example('createVirtualReferenceNumber', facts), name }),
})

/** A Transfer to a counterparty, over its rail. */
function transferTo(destination: string, facts: SampleRecords, rail: 'ach' | 'instant_payment'): JsonObject {
  const { ach, ...body } = example('createTransfer', facts)
  return { ...body, destination_synthetic_account_uid: destination, ...(rail === 'ach' ? { ach } : {}) }
}

const counterparty = (
  id: string,
  title: string,
  rail: 'ach' | 'instant_payment',
  change: JsonObject,
  codes?: readonly Code[],
): Forced => ({
  id,
  title,
  endpoint: 'createSyntheticAccount',
  leads: ['name', 'pool_uid', 'synthetic_account_type_uid', 'routing_number', 'account_number', rail],
  lacks: noAccount,
  ...(codes ? { codes: { field: 'account_number', list: codes } } : {}),
  next: {
    kind: 'transfer',
    label: 'Send it a Transfer',
    body: (made, facts) => transferTo(made, facts, rail),
  },
  body: (facts) => {
    const { ach, ...body } = example('createSyntheticAccount', facts)
    const type = facts.accountTypes.find(({ synthetic_account_category: of }) => of === `${rail}_external`)
    const [instant] = shapeOf(endpoints.createSyntheticAccount.body).fields.filter(({ name }) => name === rail)
    return {
      ...body,
      ...(type ? { synthetic_account_type_uid: type.uid } : {}),
      ...(rail === 'ach' ? { ach } : { [rail]: createExample(instant!.shape, exampleValuesFrom(facts)) }),
      ...change,
    }
  },
})

const coded = (codes: Readonly<Record<string, string | { readonly reason: string }>>, prefix: RegExp, stem: string) =>
  Object.entries(codes).map(([code, said]) => ({
    code,
    says: typeof said === 'string' ? said : said.reason,
    value: `${stem}${code.replace(prefix, '')}`,
  }))

const yearsBefore = (date: string, years: number) => `${Number(date.slice(0, 4)) - years}${date.slice(4)}`
const rejections = coded(instantPaymentRejections, /^ERR/, '4410209')

/** In the order of the contract's table of triggers. */
const forced: readonly Forced[] = [
  customer('kyc-minor', 'A minor is onboarded', ({ today }) => ({ dob: yearsBefore(today || '2026-11-20', 12) })),
  ...kycTriggers.map(({ last_name, outcome }) =>
    customer(`kyc-${last_name.toLowerCase()}`, `KYC comes to ${outcome}`, () => ({ last_name })),
  ),
  vrn('vrn-fail', 'A VRN is not created', 'fail: Invoice 2291'),
  vrn('vrn-registration-fail', 'Registration of a VRN fails', 'instant payment fail: Invoice 2291'),
  counterparty('transfer-fail', 'Transfers to a counterparty fail', 'ach', { name: 'Fail Traders' }),
  counterparty(
    'ach-99',
    'Our ACH comes back with a code',
    'ach',
    { account_number: '4410209901' },
    coded(achReturnCodes, /^R/, '44102099'),
  ),
  counterparty(
    'ach-98',
    'Our ACH brings a notification of change',
    'ach',
    { account_number: '4410209801' },
    coded(nocCodes, /^C/, '44102098'),
  ),
  counterparty(
    'instant-reject',
    'An instant payment is rejected',
    'instant_payment',
    { account_number: rejections.find(({ code }) => code === USUAL_REJECTION)?.value ?? rejections[0]!.value },
    rejections,
  ),
]

const said = ({ when, outcome }: Trigger) => ({ says: when, outcome })
const byData: readonly Kind[] = forced.map((kind, at) => ({ ...kind, group: FORCED, ...said(triggers[at]!) }))

// ── What your app would send ─────────────────────────────────────────────────────────────────────────────────────

const own: readonly Kind[] = [
  {
    id: 'customer',
    group: 'As your app would',
    title: 'A Customer is created',
    says: 'With all that KYC/AML asks for. It is initiated, and waits to be onboarded.',
    endpoint: 'createCustomer',
    leads: ['customer_type', 'email', 'details'],
    next: ONBOARD,
    body: (facts) => example('createCustomer', facts),
  },
  {
    id: 'onboard',
    group: 'As your app would',
    title: 'A Customer is onboarded',
    says: 'A valid onboarding request starts KYC/AML; two seconds later it is decided by the data.',
    endpoint: 'onboardCustomer',
    lacks: ({ initiatedCustomer: newcomer }) =>
      newcomer ? null : 'No Customer waits to be onboarded. Create one (above), and the next step leads here.',
    body: (facts) => ({ ...example('onboardCustomer', facts), customer_uid: facts.initiatedCustomer?.uid ?? '' }),
  },
  {
    id: 'transfer',
    group: 'As your app would',
    title: 'A Transfer',
    says: 'From a general account of the Customer to a counterparty. The rail is that of the external account.',
    endpoint: 'createTransfer',
    lacks: noAccount,
    body: (facts) => example('createTransfer', facts),
  },
]

export const kinds: readonly Kind[] = [...fromOutside, ...byData, ...own]

export const groups = [...new Set(kinds.map(({ group }) => group))].map((title) => ({
  title,
  items: kinds.filter(({ group }) => group === title),
}))

/** What an address asks for: a kind by its name, or what fits the record that it names. */
export function kindFor(named: string | undefined, has: { vrn: boolean }): Kind {
  return kinds.find(({ id }) => id === (named ?? (has.vrn ? 'vrn' : 'ach-credit'))) ?? kinds[0]!
}
