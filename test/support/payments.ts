import { expect } from 'vitest'
import type { CustodialAccount } from '../../src/api/contract/resources/custodial-accounts.ts'
import type { Transaction } from '../../src/api/contract/resources/transactions.ts'
import type { Transfer } from '../../src/api/contract/resources/transfers.ts'
import { achReturnFor, nocFor, rejectionFor } from '../../src/api/contract/triggers.ts'
import type { SandboxOptions } from '../../src/api/sandbox.ts'
import { type Listed, PERSON, type Resource, setUpCustomers } from './customers.ts'

/** A sandbox for tests of payments: shorthands for Customers, accounts, counterparties and the payments between them. */

export const STRUCTURED = {
  street_number: '80',
  street1: 'Wharf Road',
  city: 'Toledo',
  state: 'OH',
  postal_code: '43604',
  country: 'US',
}

/** A standard ACH entry, dated on the day on which the sandbox starts. */
export const ACH = {
  originator_name: 'Harbor Payments',
  sec_code: 'CCD',
  entry_description: 'INVOICE',
  service_processing: 'STANDARD',
  effective_entry_date: '2026-08-14',
}

/** Fields that are shown as null while there is nothing to show. */
export const nulls = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]))
/** Of an ACH entry with the least that it needs. */
export const NO_MORE_ACH = nulls('company_id', 'company_discretionary_data', 'id_number', 'addenda')
export const NO_INTERMEDIARY = nulls(
  'intermediary_bank_name',
  'intermediary_bank_address',
  'intermediary_bank_routing_number',
)
export const NO_RETURN_OR_NOTICE = nulls(
  'ach_return_code',
  'ach_return_reason',
  'noc_code',
  'noc_reason',
  'noc_corrected_data',
)

/** Of POST /returns. */
export const returnBody = (uid: string | undefined, customer: string, more: object = {}) => ({
  original_transaction_uid: uid,
  requesting_customer_uid: customer,
  requestor_type: 'customer',
  return_reason: 'Not ours',
  ...more,
})

export type Category = 'general' | 'ach_external' | 'wire_external' | 'instant_payment_external'

/** Makes account numbers unique. */
let count = 0
const nextNumber = () => `${70_000 + ++count}0`
/** One whose end forces no outcome. */
function nextPlainNumber(): string {
  let number = nextNumber()
  while (achReturnFor(number) || nocFor(number) || rejectionFor(number)) number = nextNumber()
  return number
}

export interface Balances {
  balance: string | null
  pending: string | null
  available: string | null
}

export async function setUpPayments(options: Partial<SandboxOptions> = {}) {
  const told = await setUpCustomers(options)
  const { api, sandbox, active } = told

  const types = await api.get<Listed>('/synthetic_account_types')
  const typeOf = (category: Category) =>
    types.body.data.find(({ synthetic_account_category }) => synthetic_account_category === category)!.uid!

  /** An active Customer with its Pool and its master account. */
  async function customer(details: object = PERSON) {
    const resource: Resource = await active(details)
    const { body } = await api.get<Listed>(`/synthetic_accounts?customer_uid=${resource.uid}&liability=true`)
    return { uid: resource.uid!, pool: resource.pool_uids[0]!, master: body.data[0]!.uid! }
  }
  type Customer = Awaited<ReturnType<typeof customer>>

  /** Opens an account in the Customer's Pool; `more` replaces default fields. */
  async function account(of: Customer, category: Category, more: Record<string, unknown> = {}): Promise<string> {
    const account_number = nextPlainNumber()
    const n = count
    const numbers = { routing_number: '021000021', account_number }
    const party = {
      general: {},
      ach_external: { ...numbers, ach: { account_type: 'checking', counterparty_name: 'Northern Mill Co' } },
      wire_external: { ...numbers, wire: { counterparty_name: 'Harbor Leasing Inc' } },
      instant_payment_external: {
        ...numbers,
        instant_payment: { counterparty_name: 'Ada Okafor', counterparty_address: STRUCTURED },
      },
    }[category]
    const answer = await api.post('/synthetic_accounts', {
      name: `${category} ${n}`,
      pool_uid: of.pool,
      synthetic_account_type_uid: typeOf(category),
      ...party,
      ...more,
    })
    expect(answer).toMatchObject({ status: 201 })
    return String(answer.body.uid)
  }

  /** Receives a wire and settles it at once; without an account the money goes to the master account. */
  async function fund(of: Customer, amount: number | string, synthetic_account_uid?: string): Promise<string> {
    const uid = await mock({
      transaction_type: 'wire',
      customer_uid: of.uid,
      us_dollar_amount: amount,
      ...(synthetic_account_uid === undefined ? {} : { synthetic_account_uid }),
    })
    return settle(uid)
  }

  /** A decision of the operator that must succeed. */
  async function move(collection: string, uid: string, name: string, inputs: object = {}) {
    expect(await sandbox.call('moves.make', { collection, uid, move: name, inputs })).toMatchObject({ ok: true })
  }

  /** Lets the operator settle a Transaction; answers with its uid. */
  async function settle(uid: string): Promise<string> {
    await move('transactions', uid, 'settle')
    return uid
  }

  /** The account that the service keeps for its own accounting. */
  async function outside(of: Customer): Promise<string> {
    const query = `liability=false&synthetic_account_category=general&customer_uid=${of.uid}`
    const [asset, ...more] = await list<{ uid: string }>(`/synthetic_accounts?${query}`)
    expect(more).toEqual([])
    return asset!.uid
  }

  /** The dda of a Customer at the custodian, in full. */
  async function dda(customer_uid: string) {
    const [{ uid }] = (await list<CustodialAccount>(`/custodial_accounts?customer_uid=${customer_uid}&type=dda`)) as [
      CustodialAccount,
    ]
    return (await api.get<CustodialAccount>(`/custodial_accounts/${uid}`)).body
  }

  /** POST /sandbox/mock_transactions that must succeed; answers with the Transaction's uid. */
  async function mock(body: Record<string, unknown>): Promise<string> {
    const answer = await api.post('/sandbox/mock_transactions', body)
    expect(answer).toMatchObject({ status: 201 })
    return String(answer.body.uid)
  }

  /** The body of a Transfer; the rail is that of the external account, and ACH entries say what they usually say. */
  const transferOf = (of: Customer, from: string, to: string, amount: unknown, more: Record<string, unknown> = {}) => ({
    source_synthetic_account_uid: from,
    destination_synthetic_account_uid: to,
    initiating_customer_uid: of.uid,
    usd_transfer_amount: amount,
    ach: ACH,
    ...more,
  })

  /** POST /transfers, whatever the answer. */
  const tryToPay = (of: Customer, from: string, to: string, amount: unknown, more?: Record<string, unknown>) =>
    api.post('/transfers', transferOf(of, from, to, amount, more))

  /** POST /transfers that must succeed. */
  async function pay(of: Customer, from: string, to: string, amount: unknown, more?: Record<string, unknown>) {
    const answer = await tryToPay(of, from, to, amount, more)
    expect(answer).toMatchObject({ status: 201 })
    return answer.body as unknown as Transfer
  }

  async function balances(uid: string): Promise<Balances> {
    const { body } = await api.get(`/synthetic_accounts/${uid}`)
    return {
      balance: body.net_usd_balance as string | null,
      pending: body.net_usd_pending_balance as string | null,
      available: body.net_usd_available_balance as string | null,
    }
  }

  const transaction = async (uid: string) => (await api.get<Transaction>(`/transactions/${uid}`)).body
  const transfer = async (uid: string) => (await api.get<Transfer>(`/transfers/${uid}`)).body
  const list = async <T = Record<string, unknown>>(path: string) =>
    (await api.get<{ total_count: number; data: T[] }>(path)).body.data

  /** Changes settings of the sandbox's Program. */
  async function configure(settings: Record<string, unknown>) {
    const reply = await sandbox.call('programs.update', { uid: api.program.uid, ...settings })
    expect(reply).toMatchObject({ ok: true })
  }

  /** Expects that both books balance, computed from the line items alone. */
  async function expectBalancedLedger() {
    const reply = await sandbox.call('ledger.check', {})
    expect(reply).toMatchObject({ ok: true, value: { balanced: true, problems: [] } })
  }

  const advance = async (input: object) => {
    const reply = await sandbox.call('clock.advance', input)
    expect(reply).toMatchObject({ ok: true })
    return (reply as { ok: true; value: { fired: { task: string; record: string; outcome: string; at: string }[] } })
      .value
  }

  return {
    ...told,
    advance,
    typeOf,
    customer,
    account,
    fund,
    move,
    settle,
    outside,
    dda,
    mock,
    transferOf,
    tryToPay,
    pay,
    balances,
    transaction,
    transfer,
    list,
    configure,
    expectBalancedLedger,
  }
}
