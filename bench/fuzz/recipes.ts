import type { EndpointName } from '../../src/api/contract/endpoints.ts'
import type { Body } from '../support/caller.ts'
import type { Luck } from '../support/luck.ts'
import type { Memory } from './memory.ts'

/**
 * Requests that the rules should take: schemas alone never hit upon a transfer between two accounts of one Customer.
 * A recipe answers undefined when there is nothing to make it of yet.
 */

export interface Kitchen {
  readonly memory: Memory
  readonly luck: Luck
  /** A number that no other request of the run has. */
  readonly fresh: () => number
}

export interface Dish {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: Body
}

type Recipe = (kitchen: Kitchen) => Dish | undefined

const isActive = ({ status }: Body) => status === 'active'
const day = ({ memory }: Kitchen, ahead = 0) =>
  new Date(Date.parse(memory.now) + ahead * 86_400_000).toISOString().slice(0, 10)
const money = ({ luck }: Kitchen) =>
  `${luck.weighed([
    [6, luck.below(40)],
    [2, luck.below(900)],
    [1, 5_000_001],
  ])}.${luck.between(10, 99)}`
/** Mostly none; else one that may have been used. */
const external = ({ luck, fresh }: Kitchen) =>
  luck.chance(0.3) ? { external_uid: luck.chance(0.2) ? `again-${luck.below(5)}` : `own-${fresh()}` } : {}

const SOMEWHERE = {
  street_number: '8',
  street1: 'Wharf Road',
  city: 'Toledo',
  state: 'OH',
  postal_code: '43604',
  country: 'US',
}

const person = ({ luck, fresh }: Kitchen, customer_type: string) => ({
  first_name: luck.pick(['Olive', 'Ada', 'Zoë']),
  last_name: luck.weighed([
    [8, 'Quill'],
    [1, 'Smith'],
    [1, 'Johnson'],
  ]),
  phone: '5155550123',
  ssn: `512-04-88${String(fresh() % 100).padStart(2, '0')}`,
  dob: luck.pick(['1990-04-17', '1955-01-01', '2015-01-01']),
  address: { street1: '1 Quay', city: 'Ames', state: 'IA', postal_code: '50010' },
  ...(customer_type === 'sole_proprietor' ? { business_name: 'Quill Supply' } : {}),
})

const accountsOf = ({ memory }: Kitchen, pool: string, fits: (account: Body) => boolean) =>
  memory.all('synthetic_accounts').filter((account) => account.pool_uid === pool && isActive(account) && fits(account))
const isGeneral = (account: Body) => account.liability === true
const isExternal = (account: Body) => account.synthetic_account_category !== 'general'

/** An active Customer whose accounts are known. */
function household(kitchen: Kitchen) {
  const { memory, luck } = kitchen
  const customer = memory.some('customers', luck, (one) => isActive(one) && one.pool_uids?.length > 0)
  if (!customer) return undefined
  const general = accountsOf(kitchen, customer.pool_uids[0], isGeneral)
  return general.length === 0 ? undefined : { customer, general, pool: String(customer.pool_uids[0]) }
}

function party(kitchen: Kitchen, pool_uid: string): Body | undefined {
  const { memory, luck, fresh } = kitchen
  const type = memory.some('synthetic_account_types', luck)
  if (!type) return undefined
  const n = fresh()
  const ending = luck.weighed([
    [6, '10'],
    [1, '9902'],
    [1, '9804'],
    [1, '9301'],
    [1, '9500'],
  ])
  const numbers = { routing_number: '021000021', account_number: `${1_000 + n}${ending}` }
  const counterparty_name = luck.chance(0.1) ? 'fail' : 'Northern Mill'
  const more: Readonly<Record<string, object>> = {
    general: {},
    ach_external: { ...numbers, ach: { account_type: luck.pick(['checking', 'savings']), counterparty_name } },
    wire_external: { ...numbers, wire: { counterparty_name } },
    instant_payment_external: { ...numbers, instant_payment: { counterparty_name, counterparty_address: SOMEWHERE } },
  }
  return {
    name: `account ${n}`,
    pool_uid,
    synthetic_account_type_uid: type.uid,
    ...more[type.synthetic_account_category],
  }
}

const ach = (kitchen: Kitchen) => ({
  originator_name: 'Harbor',
  sec_code: kitchen.luck.pick(['CCD', 'PPD', 'WEB', 'TEL']),
  entry_description: 'PAY',
  service_processing: kitchen.luck.pick(['STANDARD', 'STANDARD', 'SAMEDAY']),
  effective_entry_date: day(kitchen, kitchen.luck.pick([0, 0, 0, 1, 3])),
})

const one =
  (collection: string, fits?: (record: Body) => boolean) =>
  ({ memory, luck }: Kitchen) => {
    const record = memory.some(collection, luck, fits)
    return record && { uid: String(record.uid) }
  }

export const recipes: Readonly<Partial<Record<EndpointName, Recipe>>> = {
  createCustomer: (kitchen) => {
    const customer_type = kitchen.luck.pick(['primary', 'primary', 'sole_proprietor'])
    return {
      body: {
        ...external(kitchen),
        customer_type,
        email: 'olive@example.test',
        details: person(kitchen, customer_type),
      },
    }
  },
  updateCustomer: (kitchen) => {
    const params = one('customers')(kitchen)
    const { dob: _, ssn: __, ...details } = person(kitchen, 'primary')
    return params && { params, body: { email: 'new@example.test', details } }
  },
  onboardCustomer: ({ memory, luck }) => {
    const customer = memory.some('customers', luck, ({ status }) => status === 'initiated')
    const product = memory.some('products', luck, (it) => luck.chance(0.2) || it.prerequisite_product_uids.length === 0)
    return customer && product && { body: { customer_uid: customer.uid, product_uid: product.uid } }
  },
  archiveCustomer: (kitchen) => {
    const home = household(kitchen)
    if (!home) return undefined
    const [to] = accountsOf(kitchen, home.pool, isExternal)
    return {
      params: { uid: home.customer.uid },
      body: { archive_note: 'leaves', ...(to ? { destination_synthetic_account_uid: to.uid } : {}) },
    }
  },
  createSyntheticAccount: (kitchen) => {
    const home = household(kitchen)
    const body = home && party(kitchen, home.pool)
    return body && { body: { ...external(kitchen), ...body } }
  },
  updateSyntheticAccount: (kitchen) => {
    const params = one('synthetic_accounts')(kitchen)
    return params && { params, body: { name: `renamed ${kitchen.fresh()}`, note: 'asked for' } }
  },
  createTransfer: (kitchen) => {
    const home = household(kitchen)
    if (!home) return undefined
    const { luck } = kitchen
    const own = luck.pick(home.general)
    const others = accountsOf(kitchen, home.pool, (account) => account !== own)
    if (others.length === 0) return undefined
    const other = luck.pick(others)
    const [source, destination] = luck.chance(0.75) ? [own, other] : [other, own]
    return {
      body: {
        ...external(kitchen),
        source_synthetic_account_uid: source.uid,
        destination_synthetic_account_uid: destination.uid,
        initiating_customer_uid: home.customer.uid,
        usd_transfer_amount: money(kitchen),
        ...([source, destination].some((it) => it.synthetic_account_category === 'ach_external')
          ? { ach: ach(kitchen) }
          : {}),
      },
    }
  },
  cancelTransfer: (kitchen) => {
    const params = one('transfers', ({ status }) => ['queued', 'pending'].includes(status))(kitchen)
    return params && { params, body: { cancellation_reason: 'no more' } }
  },
  createMockTransaction: (kitchen) => {
    const { memory, luck } = kitchen
    const ours = memory.some('transactions', luck, ({ type, transfer_uid }) => type === 'ach' && transfer_uid)
    if (ours && luck.chance(0.1)) return { body: { transaction_type: 'ach_return', transaction_uid: ours.uid } }
    const home = household(kitchen)
    if (!home) return undefined
    const isOwn = (vrn: Body) => home.general.some(({ uid }) => uid === vrn.synthetic_account_uid)
    const vrn = memory.some('virtual_reference_numbers', luck, (it) => isActive(it) && isOwn(it))
    const to = luck.weighed([
      [3, {}],
      [4, { synthetic_account_uid: luck.pick(home.general).uid }],
      [vrn ? 4 : 0, { virtual_reference_number_uid: vrn?.uid }],
    ])
    return {
      body: {
        transaction_type: luck.pick(['wire', 'wire', 'ach', 'instant_payment']),
        customer_uid: home.customer.uid,
        us_dollar_amount: `${luck.chance(0.15) ? '-' : ''}${money(kitchen)}`,
        ...to,
      },
    }
  },
  authorizeTransaction: (kitchen) => {
    const params = one('transactions', ({ status }) => status === 'authorization_pending')(kitchen)
    const denied = { authorization_status: 'denied', denied_reason: 'insufficient_funds' }
    return params && { params, body: kitchen.luck.chance(0.6) ? { authorization_status: 'client_approved' } : denied }
  },
  createVirtualReferenceNumber: (kitchen) => {
    const home = household(kitchen)
    if (!home) return undefined
    const { luck, fresh } = kitchen
    return {
      body: {
        ...external(kitchen),
        name: luck.weighed([
          [8, `Shop ${fresh()}`],
          [1, 'fail'],
          [1, 'instant payment fail'],
        ]),
        synthetic_account_uid: luck.pick(home.general).uid,
        routing_number: '110000000',
        synchronous_registration: luck.chance(0.5),
      },
    }
  },
  updateVirtualReferenceNumber: (kitchen) => {
    const params = one('virtual_reference_numbers', isActive)(kitchen)
    return params && { params, body: { name: `Shop ${kitchen.fresh()}` } }
  },
  lockVirtualReferenceNumber: (kitchen) => {
    const params = one('virtual_reference_numbers', isActive)(kitchen)
    return params && { params, body: { lock_reason: 'admin' } }
  },
  createReturn: (kitchen) => {
    const { memory, luck } = kitchen
    const settled = memory.some('transactions', luck, ({ status, type }) => status === 'settled' && type !== 'book')
    if (!settled) return undefined
    const received = settled.type === 'ach' && settled.transfer_uid === null
    return {
      body: {
        ...external(kitchen),
        original_transaction_uid: settled.uid,
        requesting_customer_uid: settled.customer_uid,
        requestor_type: 'customer',
        return_reason: 'not wanted',
        ...(received ? { ach: { ach_return_code: luck.pick(['R01', 'R03', 'R10', 'R23', 'R29']) } } : {}),
      },
    }
  },
  createCombinedTransfer: (kitchen) => {
    const home = household(kitchen)
    if (!home) return undefined
    const { luck } = kitchen
    const there = accountsOf(kitchen, home.pool, isExternal)
    const known = there.length > 0 && luck.chance(0.3)
    const other = known ? { uid: luck.pick(there).uid } : party(kitchen, home.pool)
    const own = luck.chance(0.6) ? 'source_synthetic_account_uid' : 'destination_synthetic_account_uid'
    return {
      body: {
        ...external(kitchen),
        synthetic_account: other,
        transfer: {
          [own]: luck.pick(home.general).uid,
          initiating_customer_uid: home.customer.uid,
          usd_transfer_amount: money(kitchen),
          ach: ach(kitchen),
        },
      },
    }
  },
}

/** How often each is asked; the others once as often. */
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
