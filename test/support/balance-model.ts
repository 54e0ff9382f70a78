import { type Machine, machines } from '../../src/api/contract/machines.ts'
import type { Commit } from '../../src/api/store/commit.ts'
import type { CollectionName } from '../../src/api/store/world.ts'
import { type Body, type Sight, toCents } from './arbitraries.ts'

/**
 * A second opinion on money, which knows nothing of rails, calendars or ledgers: what GET /transactions tells, added up
 * in whole cents. An account holds what has settled; what is on its way out is not available; what comes in is not
 * there yet.
 */

const WAY_OFF = ['queued', 'pending', 'authorization_pending']
const OVER = ['settled', 'failed', 'canceled', 'denied', 'expired', 'authorization_denied']

/** What a payment never changes, and what it keeps once it has come to its end. */
const ALWAYS = [
  ...['uid', 'id', 'customer_uid', 'type', 'us_dollar_amount', 'net_asset', 'source_synthetic_account_uid'],
  ...['destination_synthetic_account_uid', 'transfer_uid', 'created_at', 'initial_action_at', 'description'],
  ...['virtual_reference_number_uid', 'custodial_account_uids'],
]
const ONCE_OVER = ['status', 'settled_at', 'settled_index', 'transaction_event_uids', 'authorization']

export interface Expected {
  settled: bigint
  coming: bigint
  going: bigint
}

export class Broken extends Error {
  override name = 'Broken'
}

export function insist(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new Broken(rule)
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

export class BalanceModel {
  readonly payments = new Map<string, Body>()
  readonly #of = new Map<string, Expected>()
  /** Accounts that others may have taken from: only these can owe something. */
  readonly #exposed = new Set<string>()

  see(payment: Body, now: string) {
    const { uid, status } = payment
    const before = this.payments.get(uid)
    const told = `Transaction ${uid} (${payment.type}, ${status})`
    if (before) {
      for (const field of ALWAYS)
        insist(same(before[field], payment[field]), `${told}: ${field} was ${before[field]} and is ${payment[field]}`)
      if (OVER.includes(before.status)) {
        for (const field of ONCE_OVER)
          insist(
            same(before[field], payment[field]),
            `${told} is over: ${field} was ${before[field]} and is ${payment[field]}`,
          )
        if (before.statement_posted_at !== null)
          insist(before.statement_posted_at === payment.statement_posted_at, `${told}: its statement has changed`)
      }
      this.#count(before, -1n)
    }
    insist(WAY_OFF.includes(status) || OVER.includes(status), `${told} is neither on its way nor over`)
    insist(toCents(payment.us_dollar_amount) >= 0n, `${told} is of ${payment.us_dollar_amount}`)
    const isSettled = status === 'settled'
    insist((payment.settled_at !== undefined) === isSettled, `${told} has settled_at ${payment.settled_at}`)
    insist((payment.settled_index !== null) === isSettled, `${told} has settled_index ${payment.settled_index}`)
    if (isSettled) {
      insist(payment.created_at <= payment.settled_at, `${told} settled before it was made`)
      insist(payment.settled_at <= now, `${told} settled in the future`)
    } else insist(payment.transaction_event_uids.length === 0, `${told} has events and did not settle`)
    this.#count(payment, 1n)
    this.payments.set(uid, payment)
    const forced = payment.type === 'ach_return' || (payment.transfer_uid === null && payment.type !== 'other')
    if (forced) this.#exposed.add(payment.source_synthetic_account_uid)
  }

  /** Without pre-funding a Customer itself may spend what is not there. */
  exposeAll() {
    for (const uid of this.#of.keys()) this.#exposed.add(uid)
  }

  #count({ us_dollar_amount, status, ...payment }: Body, times: bigint) {
    const cents = toCents(us_dollar_amount) * times
    const source = this.of(payment.source_synthetic_account_uid)
    const destination = this.of(payment.destination_synthetic_account_uid)
    if (status === 'settled') {
      source.settled -= cents
      destination.settled += cents
    } else if (WAY_OFF.includes(status)) {
      source.going += cents
      destination.coming += cents
    }
  }

  of(account: string): Expected {
    const known = this.#of.get(account) ?? { settled: 0n, coming: 0n, going: 0n }
    this.#of.set(account, known)
    return known
  }

  available(account: string): bigint {
    const { settled, going } = this.of(account)
    return settled - going
  }

  /** Of any account, as it is answered: what it shows, or that it shows nothing. */
  compare(account: Body) {
    const { uid, name, liability, net_usd_balance, net_usd_pending_balance, net_usd_available_balance } = account
    const told = `Account ${name} (${uid})`
    if (!liability) {
      const shown = [net_usd_balance, net_usd_pending_balance, net_usd_available_balance, account.asset_balances]
      insist(
        shown.every((one) => one === null),
        `${told} is not of money, and shows ${shown.join()}`,
      )
      return
    }
    const { settled, coming, going } = this.of(uid)
    const check = (what: string, shown: string, expected: bigint) =>
      insist(toCents(shown) === expected, `${told} shows ${shown} ${what}, expected are ${expected} cents`)
    check('settled', net_usd_balance, settled)
    check('pending', net_usd_pending_balance, coming - going)
    check('available', net_usd_available_balance, settled - going)
    insist(
      settled - going >= 0n || this.#exposed.has(uid),
      `${told} has spent more than it had: ${settled - going} cents`,
    )
  }

  /** The account at the custodian mirrors its Pool; what stays within the Pool does not touch it. */
  compareCustodial(dda: Body, accounts: readonly Body[]) {
    const own = new Set(
      accounts.filter(({ liability, pool_uid }) => liability && pool_uid === dda.pool_uid).map(({ uid }) => uid),
    )
    let settled = 0n
    let coming = 0n
    let going = 0n
    for (const uid of own) settled += this.of(uid).settled
    for (const { status, us_dollar_amount, ...payment } of this.payments.values()) {
      if (!WAY_OFF.includes(status)) continue
      const [from, to] = [payment.source_synthetic_account_uid, payment.destination_synthetic_account_uid].map((it) =>
        own.has(it),
      )
      if (from && !to) going += toCents(us_dollar_amount)
      if (to && !from) coming += toCents(us_dollar_amount)
    }
    const shown = [dda.net_usd_balance, dda.net_usd_pending_balance, dda.net_usd_available_balance].map(toCents)
    const expected = [settled, coming - going, settled - going]
    insist(
      same(shown.map(String), expected.map(String)),
      `Custodial Account ${dda.uid} shows ${shown}, expected are ${expected}`,
    )
  }
}

// ── The tables ───────────────────────────────────────────────────────────────────────────────────────────────────

const reached = new Map<string, ReadonlySet<string>>()

/** Every state that moves lead to from this one, and itself. */
function reach(machine: Machine, from: string): ReadonlySet<string> {
  const key = `${machine.resource}: ${from}`
  const known = reached.get(key)
  if (known) return known
  const found = new Set([from])
  for (const state of found)
    for (const { from: sources, to } of Object.values(machine.moves)) if (sources.includes(state)) found.add(to)
  reached.set(key, found)
  return found
}

interface Table {
  readonly machine: Machine
  readonly state: (record: Body) => string | null | undefined
  /** Where a new record may begin. */
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
    // An evaluation gives its verdict; the moves of the table begin there.
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

/** Lines and events are written once; closing balances and evaluations' beginnings too. */
const APPENDED: readonly CollectionName[] = [
  ...(['synthetic_line_items', 'custodial_line_items', 'transaction_events'] as const),
  ...(['synthetic_account_closing_balances', 'custodial_account_closing_balances'] as const),
]

/** Watches time and the states of everything, commit by commit: within one only a few moves can lie. */
export class Tables {
  readonly #last = new Map<string, Body>()
  #at = ''
  readonly broken: string[] = []

  /** What was there before anybody watched. */
  constructor(collections: Readonly<Record<CollectionName, { inOrder(): readonly { uid: string }[] }>>) {
    for (const [collection, records] of Object.entries(collections))
      for (const record of records.inOrder()) this.#last.set(`${collection} ${record.uid}`, record)
  }

  hear({ changes, cause, at }: Commit) {
    if (at < this.#at) this.broken.push(`time went back from ${this.#at} to ${at} (by the ${cause.door} ${cause.name})`)
    this.#at = at
    for (const { collection, uid, record } of changes) {
      const key = `${collection} ${uid}`
      const before = this.#last.get(key)
      const say = (wrong: string) => void this.broken.push(`${key}: ${wrong} (by the ${cause.door} ${cause.name})`)
      if (before && APPENDED.includes(collection)) say('what is written once was written again')
      if (!record) {
        if (collection !== 'tasks') say('a record is gone')
        continue
      }
      for (const { machine, first, state } of TABLES[collection] ?? []) {
        const [was, is] = [before && state(before), state(record)]
        if (is === null || is === undefined) {
          if (was) say(`${machine.resource} was ${was} and has no state`)
          continue
        }
        const possible = was ? reach(machine, was) : new Set(first.flatMap((one) => [...reach(machine, one)]))
        if (!machine.states.includes(is)) say(`${machine.resource} is ${is}, which is no state`)
        else if (!possible.has(is)) say(`${machine.resource} went from ${was ?? 'nothing'} to ${is}`)
      }
      this.#last.set(key, record)
    }
  }
}

/** What an answer of a Transfer, a Return or a Combined Transfer says, next to its payment. */
export function compareFollower({ collection, after }: Sight, payments: ReadonlyMap<string, Body>) {
  const told = `${collection} ${after.uid} (${after.status})`
  if (collection === 'transfers') {
    const [first, ...others] = after.transaction_uids.map((uid: string) => payments.get(uid))
    insist(first !== undefined, `${told} has no Transaction`)
    insist(first.status === after.status, `${told} has a first Transaction that is ${first.status}`)
    insist(first.us_dollar_amount === after.usd_transfer_amount, `${told} is of another amount than its Transaction`)
    const back = others.filter(({ status }: Body) => status !== 'failed' && status !== 'canceled')
    insist(back.length <= 1, `${told} has come back ${back.length} times`)
    for (const one of others) {
      insist(one.us_dollar_amount === first.us_dollar_amount, `${told} comes back with another amount`)
      insist(first.status === 'settled', `${told} comes back and has not settled`)
    }
  }
  if (collection === 'returns') {
    const own = payments.get(after.return_transaction_uid)
    insist(own?.status === after.status, `${told} has a Transaction that is ${own?.status}`)
    insist(payments.get(after.original_transaction_uid)?.status === 'settled', `${told} returns what has not settled`)
  }
  if (collection === 'combined_transfers') {
    insist(
      (after.transfer.uid !== null) === (after.status === 'completed'),
      `${told} has Transfer ${after.transfer.uid}`,
    )
    insist(
      (after.errors !== undefined) === (after.status === 'failed'),
      `${told} has errors ${JSON.stringify(after.errors)}`,
    )
  }
}
