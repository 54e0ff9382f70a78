import type { CustomerMap, FlowSums, MapFlow, MapNode } from '../contract/control/customer-map.ts'
import type { Period } from '../contract/control/period.ts'
import type { Money, Timestamp, Uid } from '../contract/terms/primitives.ts'
import { isAsset } from '../domain/resources/synthetic-accounts.ts'
import { add, isZero, subtract, ZERO } from '../domain/rules/money.ts'
import { eachInSteps, inSlices, type Steps } from '../store/steps.ts'
import type { ReadTx } from '../store/tx.ts'
import type { SyntheticAccountRecord, TransactionRecord } from '../store/world.ts'
import { endOf } from './books.ts'
import { originalsOf } from './payment-return.ts'
import { startOf } from './period.ts'

/**
 * What moved between the accounts, the VRNs and the counterparties of a Customer. Each Transaction is read as it is posted: from its
 * source to its destination, so the flows of an account add up to its balance. A return is counted, apart, in the flow of the payment
 * that it returns; a refused reversal in turn, which moves the money as the payment did, as settled. A payment on a VRN passes the VRN,
 * which holds nothing.
 */

interface Options {
  readonly period?: Period | undefined
  readonly from?: Timestamp | undefined
  readonly until?: Timestamp | undefined
  readonly limit?: number | undefined
  /** The flow whose Transactions are wanted, too. */
  readonly flow?: { readonly from: string; readonly to: string } | undefined
}

const DEFAULT_LIMIT = 30
const MAX_PAYMENTS = 10_000

export function* mapInSteps(tx: ReadTx, customer_uid: Uid, options: Options): Steps<CustomerMap> {
  const { limit = DEFAULT_LIMIT, flow: wanted, period = 'all' } = options
  // All of it is collected at once: a rewind between two steps may remove records.
  const { now } = tx
  const payments = tx.transactions.findBy('customer_uid', customer_uid)
  const paths = new Paths(tx, tx.synthetic_accounts.findBy('customer_uid', customer_uid))
  const from = options.from ?? startOf(period, now)
  const until = options.until !== undefined && options.until < now ? options.until : now
  const sizes = new Map<string, number>()
  const balances = new Map<Uid, Money>()
  yield* eachInSteps(payments, (payment) => {
    paths.add(payment)
    addToBalances(balances, payment, until)
    if (movementOf(payment, paths.isReturn(payment), from, until, now) === null) return
    for (const id of paths.of(payment)) sizes.set(id, (sizes.get(id) ?? 0) + Number(payment.us_dollar_amount))
  })
  for (const { uid } of paths.ownAccounts) if (!sizes.has(uid) && !isZero(balances.get(uid) ?? ZERO)) sizes.set(uid, 0)
  const nodes = new Nodes(paths, yield* chooseNodes(paths, sizes, limit))
  const flows = new Flows()
  const found: Uid[] = []
  yield* eachInSteps(payments, (payment) => {
    const movement = movementOf(payment, paths.isReturn(payment), from, until, now)
    if (movement === null) return
    const ids = paths.of(payment).map((id) => nodes.idOf(id))
    for (const [i, to] of ids.slice(1).entries()) {
      flows.add(ids[i]!, to, movement, payment)
      if (wanted?.from === ids[i] && wanted?.to === to) found.push(payment.uid)
    }
  })
  const shown = yield* flows.largestFirst()
  return {
    from,
    until,
    nodes: yield* nodes.show(shown, balances),
    flows: shown,
    totals: yield* totalsOf(shown, nodes),
    payments: wanted ? found.slice(-MAX_PAYMENTS).reverse() : null,
  }
}

// ── Payments ─────────────────────────────────────────────────────────────────────────────────────────────────────

type Movement = keyof FlowSums
const MOVEMENTS: readonly Movement[] = ['settled', 'pending', 'returned', 'return_pending']

/** How a payment counts in a time; null if it moved nothing in it. */
function movementOf(
  payment: TransactionRecord,
  isReturn: boolean,
  from: Timestamp | null,
  until: Timestamp,
  now: Timestamp,
): Movement | null {
  if (isZero(payment.us_dollar_amount)) return null
  const settled_at = settledAt(payment)
  if (settled_at && settled_at <= until)
    return from !== null && settled_at < from ? null : isReturn ? 'returned' : 'settled'
  const end = endOf(payment, now)
  const isOpen = payment.created_at <= until && (end === undefined || end > until)
  return isOpen ? (isReturn ? 'return_pending' : 'pending') : null
}

const settledAt = ({ status, settled_at }: TransactionRecord) => (status === 'settled' ? settled_at : undefined)

function addToBalances(balances: Map<Uid, Money>, payment: TransactionRecord, until: Timestamp) {
  const settled_at = settledAt(payment)
  if (!settled_at || settled_at > until) return
  const { source_synthetic_account_uid: source, destination_synthetic_account_uid: destination } = payment
  balances.set(source, subtract(balances.get(source) ?? ZERO, payment.us_dollar_amount))
  balances.set(destination, add(balances.get(destination) ?? ZERO, payment.us_dollar_amount))
}

// ── Nodes ────────────────────────────────────────────────────────────────────────────────────────────────────────

type Fact = Pick<MapNode, 'role' | 'name' | 'uid' | 'category' | 'status'>

/** The nodes that payments pass, and what is known about them. */
class Paths {
  readonly facts = new Map<string, Fact>()
  readonly ownAccounts: readonly SyntheticAccountRecord[]
  readonly #tx: ReadTx
  readonly #assets: ReadonlySet<Uid>
  readonly #payments = new Map<Uid, TransactionRecord>()

  constructor(tx: ReadTx, accounts: readonly SyntheticAccountRecord[]) {
    this.#tx = tx
    this.#assets = new Set(accounts.filter(isAsset).map(({ uid }) => uid))
    this.ownAccounts = accounts.filter(({ liability }) => liability)
    for (const account of accounts)
      this.facts.set(account.uid, {
        role: account.liability ? 'account' : 'party',
        name: account.name,
        uid: account.uid,
        category: account.synthetic_account_category,
        status: account.status,
      })
  }

  /** A payment is added before its return. */
  add(payment: TransactionRecord) {
    this.#payments.set(payment.uid, payment)
  }

  /** Whether it moves money back. The return of a return does not. */
  isReturn(payment: TransactionRecord): boolean {
    return this.#originalsOf(payment).length % 2 === 1
  }

  #originalsOf = (payment: TransactionRecord) => originalsOf(payment, (uid) => this.#payments.get(uid))

  /** In the direction of the payment; of a return, in that of the payment that it returns. */
  of(payment: TransactionRecord): string[] {
    const { source_synthetic_account_uid, destination_synthetic_account_uid } = payment
    const original = this.#originalsOf(payment).at(-1) ?? payment
    const ids = [
      this.#end(source_synthetic_account_uid, original),
      ...this.#vrn(original),
      this.#end(destination_synthetic_account_uid, original),
    ]
    return this.isReturn(payment) ? ids.reverse() : ids
  }

  #end(account: Uid, payment: TransactionRecord): string {
    if (!this.#assets.has(account)) return this.#note(account, account)
    const name = outsideName(payment)
    return this.#note(`outside ${name}`, name)
  }

  #vrn({ virtual_reference_number_uid: uid }: TransactionRecord): string[] {
    if (!uid) return []
    const vrn = this.#tx.virtual_reference_numbers.get(uid)
    return [this.#note(uid, vrn?.name ?? uid, { role: 'vrn', uid, status: vrn?.status ?? null })]
  }

  #note(id: string, name: string, fact: Partial<Fact> = {}): string {
    if (!this.facts.has(id))
      this.facts.set(id, { role: 'party', name, uid: null, category: null, status: null, ...fact })
    return id
  }
}

/** A party without an account here is known by its name; movements that name none are known by their type. */
function outsideName({ ach, wire, instant_payment, check, description, type }: TransactionRecord): string {
  const named = (ach ?? wire ?? instant_payment)?.counterparty_name
  if (named) return named
  if (check) return 'paper check'
  return (description.code === 'outside_movement' && description.facts.counterparty_name) || type
}

type Role = MapNode['role']
const ROLES = ['account', 'vrn', 'party'] as const
const othersOf: Readonly<Record<Role, string>> = {
  account: 'other accounts',
  vrn: 'other VRNs',
  party: 'other parties',
}

type Sized = readonly [id: string, size: number]

/** Of one role: the largest have nodes of their own, the others have one node together. */
interface Choice {
  readonly largest: readonly string[]
  readonly others: number
}

class Nodes {
  readonly #facts: ReadonlyMap<string, Fact>
  readonly #choices: Readonly<Record<Role, Choice>>
  readonly #largest: ReadonlySet<string>

  constructor({ facts }: Paths, choices: Readonly<Record<Role, Choice>>) {
    this.#facts = facts
    this.#choices = choices
    this.#largest = new Set(ROLES.flatMap((role) => choices[role].largest))
  }

  /** The id of the node that contains this account, VRN or party. */
  idOf(id: string): string {
    return this.#largest.has(id) ? id : othersOf[this.#facts.get(id)!.role]
  }

  roleOf(node: string): Role {
    return this.#facts.get(node)?.role ?? ROLES.find((role) => othersOf[role] === node)!
  }

  *show(flows: readonly MapFlow[], balances: ReadonlyMap<Uid, Money>): Steps<MapNode[]> {
    const [ins, outs] = [new Map<string, FlowSums>(), new Map<string, FlowSums>()]
    yield* eachInSteps(flows, (flow) => {
      const [from, to] = [this.roleOf(flow.from), this.roleOf(flow.to)]
      // What an account and its VRN pass to each other is in or out of the account only.
      if (to !== 'vrn' || from === 'party') ins.set(flow.to, addSums(ins.get(flow.to) ?? noSums(), flow))
      if (from !== 'vrn' || to === 'party') outs.set(flow.from, addSums(outs.get(flow.from) ?? noSums(), flow))
    })
    const sumsOf = (id: string) => ({ in: ins.get(id) ?? noSums(), out: outs.get(id) ?? noSums() })
    return ROLES.flatMap((role) => {
      const { largest, others } = this.#choices[role]
      const own = largest.map((id) => {
        const balance = role === 'account' ? (balances.get(id) ?? ZERO) : null
        return { id, ...this.#facts.get(id)!, balance, others: 0, ...sumsOf(id) }
      })
      if (others === 0) return own
      const id = othersOf[role]
      const balance = role === 'account' ? this.#balanceOfOthers(balances) : null
      const unknown = { uid: null, category: null, status: null }
      return [...own, { id, role, name: id, ...unknown, balance, others, ...sumsOf(id) }]
    })
  }

  #balanceOfOthers(balances: ReadonlyMap<Uid, Money>): Money {
    return [...balances]
      .filter(([uid]) => this.#facts.get(uid)?.role === 'account' && !this.#largest.has(uid))
      .reduce((sum, [, balance]) => add(sum, balance), ZERO)
  }
}

function* chooseNodes({ facts }: Paths, sizes: ReadonlyMap<string, number>, limit: number) {
  const byRole: Record<Role, Sized[]> = { account: [], vrn: [], party: [] }
  yield* eachInSteps([...sizes], (sized) => byRole[facts.get(sized[0])!.role].push(sized))
  return {
    account: yield* largestOf(byRole.account, limit),
    vrn: yield* largestOf(byRole.vrn, limit),
    party: yield* largestOf(byRole.party, limit),
  }
}

/** Numbers only compare amounts here; among equal ones the id decides, so the answer is always the same. */
const bySize = ([a, size]: Sized, [b, other]: Sized) => other - size || (a < b ? -1 : 1)

/** Without sorting all of them in one step. A node for the others has at least two. */
function* largestOf(all: readonly Sized[], limit: number): Steps<Choice> {
  const count = all.length === limit + 1 ? all.length : limit
  let largest: Sized[] = []
  for (const part of inSlices(all)) {
    largest = [...largest, ...part].sort(bySize).slice(0, count)
    yield
  }
  return { largest: largest.map(([id]) => id), others: all.length - largest.length }
}

// ── Flows ────────────────────────────────────────────────────────────────────────────────────────────────────────

const noSum = () => ({ us_dollar_amount: ZERO, payments: 0 })
const noSums = (): FlowSums => ({ settled: noSum(), pending: noSum(), returned: noSum(), return_pending: noSum() })

function addTo(sums: FlowSums, movement: Movement, { us_dollar_amount, payments }: FlowSums['settled']) {
  const sum = sums[movement]
  if (payments === 0) return
  sum.us_dollar_amount = add(sum.us_dollar_amount, us_dollar_amount)
  sum.payments += payments
}

function addSums(sums: FlowSums, more: FlowSums): FlowSums {
  for (const movement of MOVEMENTS) addTo(sums, movement, more[movement])
  return sums
}

interface Flow {
  readonly from: string
  readonly to: string
  readonly rails: Map<string, FlowSums>
  newest: Uid
}

class Flows {
  readonly #flows = new Map<string, Flow>()

  /** Payments are added in the order of their creation. */
  add(from: string, to: string, movement: Movement, { uid, rail, us_dollar_amount }: TransactionRecord) {
    const key = `${from}\n${to}`
    const flow = this.#flows.get(key) ?? { from, to, rails: new Map<string, FlowSums>(), newest: uid }
    const sums = flow.rails.get(rail) ?? noSums()
    addTo(sums, movement, { us_dollar_amount, payments: 1 })
    flow.rails.set(rail, sums)
    flow.newest = uid
    this.#flows.set(key, flow)
  }

  *largestFirst(): Steps<MapFlow[]> {
    const sized: (readonly [size: number, flow: MapFlow])[] = []
    yield* eachInSteps([...this.#flows.values()], ({ from, to, rails, newest }) => {
      const byRail = [...rails].sort(([a], [b]) => (a < b ? -1 : 1)).map(([rail, sums]) => ({ rail, ...sums }))
      const sums = byRail.reduce(addSums, noSums())
      sized.push([sizeOf(sums), { from, to, ...sums, rails: byRail, newest }])
    })
    return sized
      .sort(([size, a], [other, b]) => other - size || (`${a.from}\n${a.to}` < `${b.from}\n${b.to}` ? -1 : 1))
      .map(([, flow]) => flow)
  }
}

const sizeOf = (sums: FlowSums) =>
  MOVEMENTS.reduce((size, movement) => size + Number(sums[movement].us_dollar_amount), 0)

function* totalsOf(flows: readonly MapFlow[], nodes: Nodes): Steps<CustomerMap['totals']> {
  const totals = { in: noSums(), out: noSums(), between: noSums() }
  yield* eachInSteps(flows, (flow) => {
    const [from, to] = [nodes.roleOf(flow.from), nodes.roleOf(flow.to)]
    if (from === 'party') addSums(totals.in, flow)
    else if (to === 'party') addSums(totals.out, flow)
    else if (from === 'account' && to === 'account') addSums(totals.between, flow)
  })
  return totals
}
