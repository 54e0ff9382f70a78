import type { MockTransaction } from '../contract/resources/mock-transactions.ts'
import type { ProgramSettings } from '../contract/resources/programs.ts'
import type { CreateSyntheticAccount } from '../contract/resources/synthetic-accounts.ts'
import type { CreateTransfer } from '../contract/resources/transfers.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { toMs } from '../store/clock.ts'
import type { Tx } from '../store/tx.ts'
import * as authorization from './resources/authorization.ts'
import * as combinedTransfers from './resources/combined-transfers.ts'
import * as customerProducts from './resources/customer-products.ts'
import * as customers from './resources/customers.ts'
import * as mockTransactions from './resources/mock-transactions.ts'
import * as returns from './resources/returns.ts'
import * as syntheticAccounts from './resources/synthetic-accounts.ts'
import * as transfers from './resources/transfers.ts'
import * as vrns from './resources/virtual-reference-numbers.ts'
import { bankingDayAfter, dateAt } from './rules/calendar.ts'
import { money } from './rules/money.ts'

/**
 * The demo world: two business Customers with funded accounts and a person, with a month of history. It is created by
 * the domain's own operations, at the pace of the banking calendar.
 *
 * A bundle does not mask its names, addresses and numbers, as everyone knows them. So no real person may have them: names are
 * double, postal codes are not assigned, persons were born before 1905, and numbers that are shown alone end in 0000.
 */

export const demoSettings: Partial<ProgramSettings> = { rails_need_products: true }

/** The two businesses of the demo world, as they were staged: with accounts and balances, and without payments of their own. */
export const stagedSettings = { ...demoSettings, behaves_as: 'hosted' } as const

export interface DemoStep {
  /** Days and hours before the world's start. */
  readonly days_ago: number
  readonly work: (tx: Tx, known: Known) => void
}

/** Records of earlier steps, by a name for later steps. */
type Known = Map<string, Uid>

const uidOf = (known: Known, name: string): Uid => {
  const uid = known.get(name)
  if (uid === undefined) throw new Error(`The demo world has no "${name}" yet`)
  return uid
}

interface DemoCustomer {
  readonly key: string
  readonly customer: Parameters<typeof customers.createUnchecked>[1]
  /** In addition to the master account. */
  readonly accounts: readonly string[]
  readonly funding: readonly (readonly [account: string, amount: string])[]
}

const DEMO_CUSTOMERS: readonly DemoCustomer[] = [
  {
    key: 'bakery',
    customer: {
      customer_type: 'sole_proprietor',
      external_uid: 'demo-business-1',
      email: 'accounts@quayside-bakery.example',
      details: {
        first_name: 'Ines-Odile',
        last_name: 'Quayside-Marlow',
        business_name: 'Quayside Bakery',
        phone: '5155550141',
        ssn: '51-2040000',
        dob: '1902-03-14',
        address: { street1: '14 Marlow Bakery Quay', city: 'Quayside-on-Skunk', state: 'IA', postal_code: '00010' },
      },
    },
    accounts: ['Payroll Reserve', 'Tax Reserve'],
    funding: [
      ['Primary Synthetic Account', '100000.00'],
      ['Payroll Reserve', '200000.00'],
    ],
  },
  {
    key: 'chandler',
    customer: {
      customer_type: 'sole_proprietor',
      external_uid: 'demo-business-2',
      email: 'office@lighthouse-supply.example',
      details: {
        first_name: 'Tomas-Ruan',
        last_name: 'Harborne-Reyes',
        business_name: 'Lighthouse Marine Supply',
        phone: '5155550142',
        ssn: '51-2050000',
        dob: '1901-11-02',
        address: { street1: '2 Lighthouse Supply Road', city: 'Superior-Harborne', state: 'MN', postal_code: '00055' },
      },
    },
    accounts: ['Operations', 'Growth'],
    funding: [
      ['Primary Synthetic Account', '300000.00'],
      ['Operations', '400000.00'],
      ['Growth', '500000.00'],
    ],
  },
  {
    key: 'person',
    customer: {
      external_uid: 'demo-person-1',
      email: 'nora.quint@example.test',
      details: {
        first_name: 'Nora-Quill',
        last_name: 'Quint-Orr',
        phone: '5155550143',
        ssn: '51-2060000',
        dob: '1904-07-25',
        address: { street1: '7 Halloway Mill Lane', city: 'Quayside-on-Skunk', state: 'IA', postal_code: '00014' },
      },
    },
    accounts: [],
    funding: [['Primary Synthetic Account', '3250.00']],
  },
]

// ── Steps ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const account = (known: Known, who: string, name: string) => uidOf(known, `${who}: ${name}`)
const MASTER = 'Primary Synthetic Account'

function typeOf(tx: Tx, category: string): Uid {
  const type = [...tx.synthetic_account_types.newestFirst()].find((one) => one.synthetic_account_category === category)
  if (!type) throw new Error(`The Program has no account type of category ${category}`)
  return type.uid
}

function onboard(tx: Tx, known: Known, { key, customer }: DemoCustomer) {
  const { uid } = customers.createUnchecked(tx, customer)
  known.set(key, uid)
  const [first] = [...tx.products.newestFirst()].filter((product) => product.prerequisite_product_uids.length === 0)
  customerProducts.onboard(tx, { customer_uid: uid, product_uid: first!.uid })
}

/** A second Product for an active Customer, and its general accounts. */
function openFurtherAccounts(tx: Tx, known: Known, { key, accounts }: DemoCustomer) {
  const customer = customers.find(tx, uidOf(known, key))
  for (const { uid, prerequisite_product_uids } of [...tx.products.newestFirst()].reverse())
    if (prerequisite_product_uids.length > 0)
      customerProducts.onboard(tx, { customer_uid: customer.uid, product_uid: uid })
  const pool_uid = customer.pool_uids[0]!
  known.set(`${key}: pool`, pool_uid)
  for (const one of tx.synthetic_accounts.findBy('pool_uid', pool_uid))
    if (one.master_account) known.set(`${key}: ${one.name}`, one.uid)
  for (const name of accounts) open(tx, known, key, { name, synthetic_account_type_uid: typeOf(tx, 'general') })
}

type Opened = Omit<CreateSyntheticAccount, 'pool_uid'>

function open(tx: Tx, known: Known, key: string, body: Opened) {
  const made = syntheticAccounts.create(tx, { ...body, pool_uid: uidOf(known, `${key}: pool`) })
  known.set(`${key}: ${body.name}`, made.uid)
}

const ADDRESS = {
  street_number: '80B41',
  street1: 'Lantern Wharf Road',
  city: 'Toledo-Wharf',
  state: 'OH',
  postal_code: '00043',
  country: 'US',
}

/** One counterparty on each rail, without triggers. */
function openCounterparties(tx: Tx, known: Known, key: string, n: number) {
  const numbers = (end: number) => ({ routing_number: '021000021', account_number: `40017${n}3${end}0000` })
  open(tx, known, key, {
    ...numbers(10),
    name: 'Northern Mill Co',
    synthetic_account_type_uid: typeOf(tx, 'ach_external'),
    ach: { account_type: 'checking', counterparty_name: 'Northern Mill Co' },
  })
  open(tx, known, key, {
    ...numbers(20),
    name: 'Harbor Leasing Inc',
    synthetic_account_type_uid: typeOf(tx, 'wire_external'),
    wire: {
      counterparty_name: 'Harbor Leasing Inc',
      counterparty_address: { line1: '80 Harbor Leasing Wharf', line2: 'Toledo-Wharf OH 00043', country: 'US' },
      counterparty_bank_name: 'Great Lakes Bank',
    },
  })
  open(tx, known, key, {
    ...numbers(30),
    name: 'Ada Okafor-Lint',
    synthetic_account_type_uid: typeOf(tx, 'instant_payment_external'),
    instant_payment: { counterparty_name: 'Ada Okafor-Lint', counterparty_address: ADDRESS },
  })
}

const receive = (tx: Tx, known: Known, key: string, body: Omit<MockTransaction, 'customer_uid'>): Uid =>
  mockTransactions.create(tx, { ...body, customer_uid: uidOf(known, key) }).uid

type Paid = Partial<CreateTransfer> & { readonly amount: string }

function pay(tx: Tx, known: Known, key: string, from: string, to: string, { amount, ...body }: Paid) {
  return transfers.initiate(tx, {
    ...body,
    source_synthetic_account_uid: account(known, key, from),
    destination_synthetic_account_uid: account(known, key, to),
    initiating_customer_uid: uidOf(known, key),
    usd_transfer_amount: money(amount),
  })
}

const ach = (tx: Tx, entry_description: string, sec_code: 'CCD' | 'PPD' = 'CCD') => ({
  ach: {
    originator_name: 'Harbor Payments',
    sec_code,
    entry_description,
    service_processing: 'STANDARD' as const,
    effective_entry_date: bankingDayAfter(dateAt(toMs(tx.now))),
  },
})

/** In time order. */
const onboardingSteps = (cast: readonly DemoCustomer[]): readonly DemoStep[] => [
  {
    days_ago: 31,
    work: (tx, known) => {
      for (const one of cast) onboard(tx, known, one)
    },
  },
  {
    days_ago: 30.9,
    work: (tx, known) => {
      for (const one of cast) openFurtherAccounts(tx, known, one)
    },
  },
  {
    days_ago: 30.5,
    work: (tx, known) => {
      for (const { key, funding } of cast)
        for (const [name, amount] of funding)
          receive(tx, known, key, {
            transaction_type: 'wire',
            us_dollar_amount: money(amount),
            synthetic_account_uid: account(known, key, name),
            counterparty_name: 'Great Lakes Bank',
            description: 'Opening balance',
          })
    },
  },
]

export const stagedSteps = onboardingSteps(DEMO_CUSTOMERS.filter(({ key }) => key !== 'person'))

/** The last payments are early enough to have ended by the start of the world. */
export const demoSteps: readonly DemoStep[] = [
  ...onboardingSteps(DEMO_CUSTOMERS),
  {
    days_ago: 26,
    work: (tx, known) => {
      for (const [i, { key }] of DEMO_CUSTOMERS.entries()) openCounterparties(tx, known, key, i + 1)
      open(tx, known, 'person', {
        name: 'Closed Savings',
        routing_number: '021000021',
        account_number: '4001739901',
        synthetic_account_type_uid: typeOf(tx, 'ach_external'),
        ach: { account_type: 'savings', counterparty_name: 'Nora-Quill Quint-Orr' },
      })
      for (const key of ['bakery', 'chandler'])
        for (const [i, name] of ['Invoices', 'Web shop'].entries()) {
          const vrn = vrns.create(tx, {
            external_uid: `demo-${key}-${i + 1}`,
            name,
            synthetic_account_uid: account(known, key, MASTER),
            routing_number: tx.program.routing_number,
          })
          known.set(`${key}: VRN ${name}`, vrn.uid)
        }
    },
  },
  {
    days_ago: 25,
    work: (tx, known) => {
      pay(tx, known, 'bakery', MASTER, 'Northern Mill Co', { amount: '4120.50', ...ach(tx, 'FLOUR') })
      pay(tx, known, 'chandler', 'Operations', 'Harbor Leasing Inc', {
        amount: '12500.00',
        wire: { wire_instructions: 'Lease of berth 4' },
      })
    },
  },
  {
    days_ago: 23.2,
    work: (tx, known) => {
      pay(tx, known, 'bakery', MASTER, 'Tax Reserve', { amount: '1500.00' })
      pay(tx, known, 'chandler', MASTER, 'Ada Okafor-Lint', {
        amount: '860.25',
        instant_payment: { memo: 'Rope, 40 m' },
      })
      pay(tx, known, 'person', MASTER, 'Northern Mill Co', { amount: '45.00', ...ach(tx, 'ORDER 117', 'PPD') })
    },
  },
  {
    days_ago: 21,
    work: (tx, known) => {
      const asked = (name: string, amount: string) =>
        receive(tx, known, 'bakery', {
          transaction_type: 'wire',
          us_dollar_amount: money(amount),
          virtual_reference_number_uid: uidOf(known, `bakery: VRN ${name}`),
          counterparty_name: 'Grand Hotel Ames',
          wire_instructions: 'Invoice 2214',
        })
      known.set('approved', asked('Invoices', '2890.00'))
      known.set('denied', asked('Web shop', '75000.00'))
    },
  },
  {
    days_ago: 20.8,
    work: (tx, known) => {
      authorization.authorize(tx, uidOf(known, 'approved'), { authorization_status: 'client_approved' })
      authorization.authorize(tx, uidOf(known, 'denied'), {
        authorization_status: 'client_denied',
        denied_reason: 'unauthorized_credit',
        denied_memo: 'No such invoice',
      })
    },
  },
  {
    days_ago: 19,
    work: (tx, known) => {
      receive(tx, known, 'bakery', {
        transaction_type: 'ach',
        us_dollar_amount: money('1834.77'),
        counterparty_name: 'Card Settlement Co',
        entry_description: 'CARD SALES',
      })
      known.set(
        'odd debit',
        receive(tx, known, 'chandler', {
          transaction_type: 'ach',
          us_dollar_amount: money('-219.99'),
          counterparty_name: 'Streamline Media',
          entry_description: 'SUBSCRIBE',
        }),
      )
      pay(tx, known, 'person', 'Closed Savings', MASTER, { amount: '200.00', ...ach(tx, 'SAVINGS', 'PPD') })
    },
  },
  {
    days_ago: 16,
    work: (tx, known) =>
      void combinedTransfers.create(tx, {
        external_uid: 'demo-combined-1',
        synthetic_account: {
          name: 'Sailmaker Brandt',
          pool_uid: uidOf(known, 'chandler: pool'),
          synthetic_account_type_uid: typeOf(tx, 'ach_external'),
          routing_number: '091000019',
          account_number: '771200450000',
          ach: { account_type: 'checking', counterparty_name: 'Sailmaker Brandt' },
        },
        transfer: {
          source_synthetic_account_uid: account(known, 'chandler', 'Operations'),
          initiating_customer_uid: uidOf(known, 'chandler'),
          usd_transfer_amount: money('5400.00'),
          ...ach(tx, 'SAILS'),
        },
      }),
  },
  {
    days_ago: 14,
    work: (tx, known) => {
      receive(tx, known, 'person', {
        transaction_type: 'instant_payment',
        us_dollar_amount: money('120.00'),
        counterparty_name: 'Jonas Quint-Orr',
        memo: 'Concert tickets',
      })
      pay(tx, known, 'bakery', 'Payroll Reserve', 'Northern Mill Co', { amount: '0.00', ...prenote(tx) })
    },
  },
  {
    days_ago: 13.4,
    work: (tx, known) =>
      void returns.create(tx, {
        external_uid: 'demo-return-1',
        original_transaction_uid: uidOf(known, 'odd debit'),
        requesting_customer_uid: uidOf(known, 'chandler'),
        requestor_type: 'customer',
        return_reason: 'Nobody here has subscribed',
        ach: { ach_return_code: 'R10' },
      }),
  },
  {
    days_ago: 12,
    work: (tx, known) => {
      pay(tx, known, 'bakery', 'Payroll Reserve', 'Ada Okafor-Lint', {
        amount: '2310.00',
        instant_payment: { memo: 'Wages' },
      })
      pay(tx, known, 'chandler', 'Northern Mill Co', 'Growth', { amount: '9750.00', ...ach(tx, 'INV 5521') })
    },
  },
  {
    days_ago: 9,
    work: (tx, known) => {
      pay(tx, known, 'chandler', 'Growth', 'Operations', { amount: '20000.00' })
      receive(tx, known, 'bakery', {
        transaction_type: 'instant_payment',
        us_dollar_amount: money('312.40'),
        virtual_reference_number_uid: uidOf(known, 'bakery: VRN Web shop'),
        counterparty_name: 'Ruth Hallam-Pike',
        memo: 'Order 3301',
      })
    },
  },
]

function prenote(tx: Tx) {
  const entry = ach(tx, 'PRENOTE')
  return { ach: { ...entry.ach, prenote: true } }
}
