import type { EndpointName } from '../../src/api/contract/endpoints.ts'
import type { Body } from '../support/client.ts'
import type { Random } from '../support/random.ts'
import type { KnownRecords } from './known-records.ts'

/**
 * Requests that the rules accept. By its schema alone a request never names two accounts of one Customer, for example. A builder
 * returns undefined while the records that it needs are not known.
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

type RequestBuilder = (context: BuilderContext) => BuiltRequest | undefined

const isActive = ({ status }: Body) => status === 'active'
const day = ({ records }: BuilderContext, ahead = 0) =>
  new Date(Date.parse(records.now) + ahead * 86_400_000).toISOString().slice(0, 10)
const money = ({ random }: BuilderContext) =>
  `${random.pickWeighted([
    [6, random.below(40)],
    [2, random.below(900)],
    [1, 5_000_001],
  ])}.${random.between(10, 99)}`
/** Often none; otherwise one that may have been used before. */
const externalUid = ({ random, nextNumber }: BuilderContext) =>
  random.chance(0.3) ? { external_uid: random.chance(0.2) ? `again-${random.below(5)}` : `own-${nextNumber()}` } : {}

const ADDRESS = {
  street_number: '8',
  street1: 'Wharf Road',
  city: 'Toledo',
  state: 'OH',
  postal_code: '43604',
  country: 'US',
}

const person = ({ random, nextNumber }: BuilderContext, customer_type: string) => ({
  first_name: random.pick(['Olive', 'Ada', 'Zoë']),
  last_name: random.pickWeighted([
    [8, 'Quill'],
    [1, 'Smith'],
    [1, 'Johnson'],
  ]),
  phone: '5155550123',
  ssn: `512-04-88${String(nextNumber() % 100).padStart(2, '0')}`,
  dob: random.pick(['1990-04-17', '1955-01-01', '2015-01-01']),
  address: { street1: '1 Quay', city: 'Ames', state: 'IA', postal_code: '50010' },
  ...(customer_type === 'sole_proprietor' ? { business_name: 'Quill Supply' } : {}),
})

const accountsOf = ({ records }: BuilderContext, pool: string, fits: (account: Body) => boolean) =>
  records.all('synthetic_accounts').filter((account) => account.pool_uid === pool && isActive(account) && fits(account))
const isGeneral = (account: Body) => account.liability === true
const isExternal = (account: Body) => account.synthetic_account_category !== 'general'

/** An active Customer whose accounts are known. */
function customerWithAccounts(context: BuilderContext) {
  const { records, random } = context
  const customer = records.pick('customers', random, (one) => isActive(one) && one.pool_uids?.length > 0)
  if (!customer) return undefined
  const general = accountsOf(context, customer.pool_uids[0], isGeneral)
  return general.length === 0 ? undefined : { customer, general, pool: String(customer.pool_uids[0]) }
}

function accountBody(context: BuilderContext, pool_uid: string): Body | undefined {
  const { records, random, nextNumber } = context
  const type = records.pick('synthetic_account_types', random)
  if (!type) return undefined
  const n = nextNumber()
  const ending = random.pickWeighted([
    [6, '10'],
    [1, '9902'],
    [1, '9804'],
    [1, '9301'],
    [1, '9500'],
  ])
  const numbers = { routing_number: '021000021', account_number: `${1_000 + n}${ending}` }
  const counterparty_name = random.chance(0.1) ? 'fail' : 'Northern Mill'
  const more: Readonly<Record<string, object>> = {
    general: {},
    ach_external: { ...numbers, ach: { account_type: random.pick(['checking', 'savings']), counterparty_name } },
    wire_external: { ...numbers, wire: { counterparty_name } },
    instant_payment_external: { ...numbers, instant_payment: { counterparty_name, counterparty_address: ADDRESS } },
  }
  return {
    name: `account ${n}`,
    pool_uid,
    synthetic_account_type_uid: type.uid,
    ...more[type.synthetic_account_category],
  }
}

const ach = (context: BuilderContext) => ({
  originator_name: 'Harbor',
  sec_code: context.random.pick(['CCD', 'PPD', 'WEB', 'TEL']),
  entry_description: 'PAY',
  service_processing: context.random.pick(['STANDARD', 'STANDARD', 'SAMEDAY']),
  effective_entry_date: day(context, context.random.pick([0, 0, 0, 1, 3])),
})

const one =
  (collection: string, fits?: (record: Body) => boolean) =>
  ({ records, random }: BuilderContext) => {
    const record = records.pick(collection, random, fits)
    return record && { uid: String(record.uid) }
  }

export const requestBuilders: Readonly<Partial<Record<EndpointName, RequestBuilder>>> = {
  createCustomer: (context) => {
    const customer_type = context.random.pick(['primary', 'primary', 'sole_proprietor'])
    return {
      body: {
        ...externalUid(context),
        customer_type,
        email: 'olive@example.test',
        details: person(context, customer_type),
      },
    }
  },
  updateCustomer: (context) => {
    const params = one('customers')(context)
    const { dob: _, ssn: __, ...details } = person(context, 'primary')
    return params && { params, body: { email: 'new@example.test', details } }
  },
  onboardCustomer: ({ records, random }) => {
    const customer = records.pick('customers', random, ({ status }) => status === 'initiated')
    const product = records.pick(
      'products',
      random,
      (it) => random.chance(0.2) || it.prerequisite_product_uids.length === 0,
    )
    return customer && product && { body: { customer_uid: customer.uid, product_uid: product.uid } }
  },
  archiveCustomer: (context) => {
    const customer = customerWithAccounts(context)
    if (!customer) return undefined
    const [to] = accountsOf(context, customer.pool, isExternal)
    return {
      params: { uid: customer.customer.uid },
      body: { archive_note: 'leaves', ...(to ? { destination_synthetic_account_uid: to.uid } : {}) },
    }
  },
  createSyntheticAccount: (context) => {
    const customer = customerWithAccounts(context)
    const body = customer && accountBody(context, customer.pool)
    return body && { body: { ...externalUid(context), ...body } }
  },
  updateSyntheticAccount: (context) => {
    const params = one('synthetic_accounts')(context)
    return params && { params, body: { name: `renamed ${context.nextNumber()}`, note: 'asked for' } }
  },
  createTransfer: (context) => {
    const customer = customerWithAccounts(context)
    if (!customer) return undefined
    const { random } = context
    const own = random.pick(customer.general)
    const others = accountsOf(context, customer.pool, (account) => account !== own)
    if (others.length === 0) return undefined
    const other = random.pick(others)
    const [source, destination] = random.chance(0.75) ? [own, other] : [other, own]
    return {
      body: {
        ...externalUid(context),
        source_synthetic_account_uid: source.uid,
        destination_synthetic_account_uid: destination.uid,
        initiating_customer_uid: customer.customer.uid,
        usd_transfer_amount: money(context),
        ...([source, destination].some((it) => it.synthetic_account_category === 'ach_external')
          ? { ach: ach(context) }
          : {}),
      },
    }
  },
  cancelTransfer: (context) => {
    const params = one('transfers', ({ status }) => ['queued', 'pending'].includes(status))(context)
    return params && { params, body: { cancellation_reason: 'no more' } }
  },
  createMockTransaction: (context) => {
    const { records, random } = context
    const sent = records.pick('transactions', random, ({ type, transfer_uid }) => type === 'ach' && transfer_uid)
    if (sent && random.chance(0.1)) return { body: { transaction_type: 'ach_return', transaction_uid: sent.uid } }
    const customer = customerWithAccounts(context)
    if (!customer) return undefined
    const isOwn = (vrn: Body) => customer.general.some(({ uid }) => uid === vrn.synthetic_account_uid)
    const vrn = records.pick('virtual_reference_numbers', random, (it) => isActive(it) && isOwn(it))
    const to = random.pickWeighted([
      [3, {}],
      [4, { synthetic_account_uid: random.pick(customer.general).uid }],
      [vrn ? 4 : 0, { virtual_reference_number_uid: vrn?.uid }],
    ])
    return {
      body: {
        transaction_type: random.pick(['wire', 'wire', 'ach', 'instant_payment']),
        customer_uid: customer.customer.uid,
        us_dollar_amount: `${random.chance(0.15) ? '-' : ''}${money(context)}`,
        ...to,
      },
    }
  },
  authorizeTransaction: (context) => {
    const params = one('transactions', ({ status }) => status === 'authorization_pending')(context)
    const denied = { authorization_status: 'denied', denied_reason: 'insufficient_funds' }
    return params && { params, body: context.random.chance(0.6) ? { authorization_status: 'client_approved' } : denied }
  },
  createVirtualReferenceNumber: (context) => {
    const customer = customerWithAccounts(context)
    if (!customer) return undefined
    const { random, nextNumber } = context
    return {
      body: {
        ...externalUid(context),
        name: random.pickWeighted([
          [8, `Shop ${nextNumber()}`],
          [1, 'fail'],
          [1, 'instant payment fail'],
        ]),
        synthetic_account_uid: random.pick(customer.general).uid,
        routing_number: '110000000',
        synchronous_registration: random.chance(0.5),
      },
    }
  },
  updateVirtualReferenceNumber: (context) => {
    const params = one('virtual_reference_numbers', isActive)(context)
    return params && { params, body: { name: `Shop ${context.nextNumber()}` } }
  },
  lockVirtualReferenceNumber: (context) => {
    const params = one('virtual_reference_numbers', isActive)(context)
    return params && { params, body: { lock_reason: 'admin' } }
  },
  createReturn: (context) => {
    const { records, random } = context
    const settled = records.pick('transactions', random, ({ status, type }) => status === 'settled' && type !== 'book')
    if (!settled) return undefined
    const received = settled.type === 'ach' && settled.transfer_uid === null
    return {
      body: {
        ...externalUid(context),
        original_transaction_uid: settled.uid,
        requesting_customer_uid: settled.customer_uid,
        requestor_type: 'customer',
        return_reason: 'not wanted',
        ...(received ? { ach: { ach_return_code: random.pick(['R01', 'R03', 'R10', 'R23', 'R29']) } } : {}),
      },
    }
  },
  createCombinedTransfer: (context) => {
    const customer = customerWithAccounts(context)
    if (!customer) return undefined
    const { random } = context
    const counterparties = accountsOf(context, customer.pool, isExternal)
    const isKnown = counterparties.length > 0 && random.chance(0.3)
    const other = isKnown ? { uid: random.pick(counterparties).uid } : accountBody(context, customer.pool)
    const own = random.chance(0.6) ? 'source_synthetic_account_uid' : 'destination_synthetic_account_uid'
    return {
      body: {
        ...externalUid(context),
        synthetic_account: other,
        transfer: {
          [own]: random.pick(customer.general).uid,
          initiating_customer_uid: customer.customer.uid,
          usd_transfer_amount: money(context),
          ach: ach(context),
        },
      },
    }
  },
}

/** How often each endpoint is called; an endpoint that is not listed has weight 1. */
export const weights: Readonly<Partial<Record<EndpointName, number>>> = {
  createCustomer: 5,
  onboardCustomer: 5,
  createSyntheticAccount: 5,
  createTransfer: 14,
  createMockTransaction: 12,
  authorizeTransaction: 4,
  createReturn: 5,
  createCombinedTransfer: 4,
  createVirtualReferenceNumber: 3,
  cancelTransfer: 2,
  archiveCustomer: 0.7,
  archiveSyntheticAccount: 0.5,
  listSyntheticAccounts: 2,
  listTransactions: 3,
  listTransfers: 2,
  listCustomers: 2,
}
