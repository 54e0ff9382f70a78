import { type Machine, machines } from '../../src/api/contract/machines.ts'
import type { Commit } from '../../src/api/store/commit.ts'
import type { CollectionName } from '../../src/api/store/world.ts'
import { toCents } from './cents.ts'
import type { Body } from './random-history/doors.ts'
import type { Observation } from './random-history/observer.ts'

/**
 * Balances computed without rails, calendars or ledger, from the amounts of GET /transactions alone: settled payments are the balance,
 * pending outgoing ones reduce the available balance, pending incoming ones do not count yet.
 */

const UNFINISHED = ['queued', 'pending', 'authorization_pending']
const FINISHED = ['settled', 'failed', 'canceled', 'denied', 'expired', 'authorization_denied']

/** Fields that never change, and fields that do not change once the payment is finished. */
const CONSTANT = [
  ...['uid', 'id', 'customer_uid', 'type', 'us_dollar_amount', 'net_asset', 'source_synthetic_account_uid'],
  ...['destination_synthetic_account_uid', 'transfer_uid', 'created_at', 'initial_action_at', 'description'],
  ...['virtual_reference_number_uid', 'custodial_account_uids'],
]
const CONSTANT_AT_END = ['status', 'settled_at', 'settled_index', 'transaction_event_uids', 'authorization']

export interface Expected {
  settled: bigint
  incoming: bigint
  outgoing: bigint
}

export class RuleBroken extends Error {
  override name = 'RuleBroken'
}

export function expectRule(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new RuleBroken(rule)
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

export class BalanceModel {
  readonly payments = new Map<string, Body>()
  readonly #of = new Map<string, Expected>()
  /** Accounts that others may have debited: only their balance can be negative. */
  readonly #debitable = new Set<string>()

  addPayment(payment: Body, now: string) {
    const { uid, status } = payment
    const before = this.payments.get(uid)
    const label = `Transaction ${uid} (${payment.type}, ${status})`
    if (before) {
      for (const field of CONSTANT)
        expectRule(
          same(before[field], payment[field]),
          `${label}: ${field} was ${before[field]} and is ${payment[field]}`,
        )
      if (FINISHED.includes(before.status)) {
        for (const field of CONSTANT_AT_END)
          expectRule(
            same(before[field], payment[field]),
            `${label} is finished: ${field} was ${before[field]} and is ${payment[field]}`,
          )
        if (before.statement_posted_at !== null)
          expectRule(before.statement_posted_at === payment.statement_posted_at, `${label}: its statement has changed`)
      }
      this.#count(before, -1n)
    }
    expectRule(UNFINISHED.includes(status) || FINISHED.includes(status), `${label} has an unknown status`)
    expectRule(toCents(payment.us_dollar_amount) >= 0n, `${label} is of ${payment.us_dollar_amount}`)
    const isSettled = status === 'settled'
    expectRule((payment.settled_at !== undefined) === isSettled, `${label} has settled_at ${payment.settled_at}`)
    expectRule((payment.settled_index !== null) === isSettled, `${label} has settled_index ${payment.settled_index}`)
    if (isSettled) {
      expectRule(payment.created_at <= payment.settled_at, `${label} settled before it was created`)
      expectRule(payment.settled_at <= now, `${label} settled in the future`)
    } else expectRule(payment.transaction_event_uids.length === 0, `${label} has events although it did not settle`)
    this.#count(payment, 1n)
    this.payments.set(uid, payment)
    const forced = payment.type === 'ach_return' || (payment.transfer_uid === null && payment.type !== 'other')
    if (forced) this.#debitable.add(payment.source_synthetic_account_uid)
  }

  /** Without pre-funding a Customer may spend more than the balance. */
  allowNegativeBalances() {
    for (const uid of this.#of.keys()) this.#debitable.add(uid)
  }

  #count({ us_dollar_amount, status, ...payment }: Body, times: bigint) {
    const cents = toCents(us_dollar_amount) * times
    const source = this.of(payment.source_synthetic_account_uid)
    const destination = this.of(payment.destination_synthetic_account_uid)
    if (status === 'settled') {
      source.settled -= cents
      destination.settled += cents
    } else if (UNFINISHED.includes(status)) {
      source.outgoing += cents
      destination.incoming += cents
    }
  }

  of(account: string): Expected {
    const known = this.#of.get(account) ?? { settled: 0n, incoming: 0n, outgoing: 0n }
    this.#of.set(account, known)
    return known
  }

  available(account: string): bigint {
    const { settled, outgoing } = this.of(account)
    return settled - outgoing
  }

  /** Compares the balances that the API returns for an account; an external account has none. */
  compare(account: Body) {
    const { uid, name, liability, net_usd_balance, net_usd_pending_balance, net_usd_available_balance } = account
    const label = `Account ${name} (${uid})`
    if (!liability) {
      const shown = [net_usd_balance, net_usd_pending_balance, net_usd_available_balance, account.asset_balances]
      expectRule(
        shown.every((one) => one === null),
        `${label} has no balances, but shows ${shown.join()}`,
      )
      return
    }
    const { settled, incoming, outgoing } = this.of(uid)
    const check = (what: string, shown: string, expected: bigint) =>
      expectRule(toCents(shown) === expected, `${label} shows ${shown} ${what}; ${expected} cents were expected`)
    check('settled', net_usd_balance, settled)
    check('pending', net_usd_pending_balance, incoming - outgoing)
    check('available', net_usd_available_balance, settled - outgoing)
    expectRule(
      settled - outgoing >= 0n || this.#debitable.has(uid),
      `${label} has spent more than its balance: ${settled - outgoing} cents`,
    )
  }

  /** A Custodial Account mirrors its Pool; payments within the Pool do not affect it. */
  compareCustodial(dda: Body, accounts: readonly Body[]) {
    const own = new Set(
      accounts.filter(({ liability, pool_uid }) => liability && pool_uid === dda.pool_uid).map(({ uid }) => uid),
    )
    let settled = 0n
    let incoming = 0n
    let outgoing = 0n
    for (const uid of own) settled += this.of(uid).settled
    for (const { status, us_dollar_amount, ...payment } of this.payments.values()) {
      if (!UNFINISHED.includes(status)) continue
      const [from, to] = [payment.source_synthetic_account_uid, payment.destination_synthetic_account_uid].map((it) =>
        own.has(it),
      )
      if (from && !to) outgoing += toCents(us_dollar_amount)
      if (to && !from) incoming += toCents(us_dollar_amount)
    }
    const shown = [dda.net_usd_balance, dda.net_usd_pending_balance, dda.net_usd_available_balance].map(toCents)
    const expected = [settled, incoming - outgoing, settled - outgoing]
    expectRule(
      same(shown.map(String), expected.map(String)),
      `Custodial Account ${dda.uid} shows ${shown}; ${expected} were expected`,
    )
  }
}

// ── The state machines ───────────────────────────────────────────────────────────────────────────────────────────────────

const reachable = new Map<string, ReadonlySet<string>>()

/** The states that can be reached from this one, including itself. */
function reachableStates(machine: Machine, from: string): ReadonlySet<string> {
  const key = `${machine.resource}: ${from}`
  const known = reachable.get(key)
  if (known) return known
  const found = new Set([from])
  for (const state of found)
    for (const { from: sources, to } of Object.values(machine.moves)) if (sources.includes(state)) found.add(to)
  reachable.set(key, found)
  return found
}

interface Table {
  readonly machine: Machine
  readonly state: (record: Body) => string | null | undefined
  /** The states that a new record may have. */
  readonly first: readonly string[]
}

const table = (machine: Machine, first: readonly string[], state: Table['state'] = ({ status }) => status): Table => ({
  machine,
  first,
  state,
})

const TABLES: Partial<Record<CollectionName, readonly Table[]>> = {
  customers: [
    table(machines.customer, ['initiated']),
    // The evaluation sets the first state.
    table(machines.kyc, ['approved', 'denied', 'manual_review', 'pre_verified'], ({ kyc_status }) => kyc_status),
  ],
  customer_products: [table(machines.customer_product, ['created'])],
  synthetic_accounts: [table(machines.synthetic_account, ['initiated', 'active'])],
  transfers: [table(machines.transfer, ['queued'])],
  transactions: [
    table(machines.transaction, ['queued', 'pending', 'authorization_pending']),
    table(machines.authorization, ['created'], ({ authorization }) => authorization?.authorization_status),
  ],
  returns: [table(machines.return, ['queued'])],
  combined_transfers: [table(machines.combined_transfer, ['queued'])],
  virtual_reference_numbers: [
    table(machines.virtual_reference_number, ['active']),
    table(
      machines.vrn_registration,
      ['pending', 'unregistered'],
      ({ instant_payment_rail_registration_status }) => instant_payment_rail_registration_status,
    ),
  ],
}

/** Collections whose records never change. */
const APPEND_ONLY: readonly CollectionName[] = [
  ...(['synthetic_line_items', 'custodial_line_items', 'transaction_events'] as const),
  ...(['synthetic_account_closing_balances', 'custodial_account_closing_balances'] as const),
]

/** Checks each commit: time never goes back, and states change only as the state machines allow. */
export class StateChecker {
  readonly #last = new Map<string, Body>()
  #at = ''
  readonly errors: string[] = []

  /** The collections as they are now. */
  constructor(collections: Readonly<Record<CollectionName, { inOrder(): readonly { uid: string }[] }>>) {
    for (const [collection, records] of Object.entries(collections))
      for (const record of records.inOrder()) this.#last.set(`${collection} ${record.uid}`, record)
  }

  check({ changes, cause, at }: Commit) {
    if (at < this.#at) this.errors.push(`time went back from ${this.#at} to ${at} (by the ${cause.door} ${cause.name})`)
    this.#at = at
    for (const { collection, uid, record } of changes) {
      const key = `${collection} ${uid}`
      const before = this.#last.get(key)
      const report = (text: string) => void this.errors.push(`${key}: ${text} (by the ${cause.door} ${cause.name})`)
      if (before && APPEND_ONLY.includes(collection)) report('a record that never changes was changed')
      if (!record) {
        if (collection !== 'tasks') report('a record was removed')
        continue
      }
      for (const { machine, first, state } of TABLES[collection] ?? []) {
        const [was, is] = [before && state(before), state(record)]
        if (is === null || is === undefined) {
          if (was) report(`${machine.resource} was ${was} and has no state now`)
          continue
        }
        const possible = was
          ? reachableStates(machine, was)
          : new Set(first.flatMap((one) => [...reachableStates(machine, one)]))
        if (!machine.states.includes(is)) report(`${machine.resource} is ${is}, which is not a state of it`)
        else if (!possible.has(is)) report(`${machine.resource} went from ${was ?? 'nothing'} to ${is}`)
      }
      this.#last.set(key, record)
    }
  }
}

/** Compares a Transfer, a Return or a Combined Transfer with its Transactions. */
export function compareWithTransactions({ collection, after }: Observation, payments: ReadonlyMap<string, Body>) {
  const label = `${collection} ${after.uid} (${after.status})`
  if (collection === 'transfers') {
    const [first, ...others] = after.transaction_uids.map((uid: string) => payments.get(uid))
    expectRule(first !== undefined, `${label} has no Transaction`)
    expectRule(first.status === after.status, `${label} has a first Transaction that is ${first.status}`)
    expectRule(first.us_dollar_amount === after.usd_transfer_amount, `${label} has another amount than its Transaction`)
    const returns = others.filter(({ status }: Body) => status !== 'failed' && status !== 'canceled')
    expectRule(returns.length <= 1, `${label} was returned ${returns.length} times`)
    for (const one of others) {
      expectRule(one.us_dollar_amount === first.us_dollar_amount, `${label} is returned with another amount`)
      expectRule(first.status === 'settled', `${label} is returned but has not settled`)
    }
  }
  if (collection === 'returns') {
    const own = payments.get(after.return_transaction_uid)
    expectRule(own?.status === after.status, `${label} has a Transaction that is ${own?.status}`)
    expectRule(
      payments.get(after.original_transaction_uid)?.status === 'settled',
      `${label} returns a Transaction that has not settled`,
    )
  }
  if (collection === 'combined_transfers') {
    expectRule(
      (after.transfer.uid !== null) === (after.status === 'completed'),
      `${label} has Transfer ${after.transfer.uid}`,
    )
    expectRule(
      (after.errors !== undefined) === (after.status === 'failed'),
      `${label} has errors ${JSON.stringify(after.errors)}`,
    )
  }
}
