import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CustomerMap } from '../src/api/contract/control/customer-map.ts'
import type { EndpointName } from '../src/api/contract/endpoints.ts'
import { instantAt } from '../src/api/domain/rules/calendar.ts'
import type { World } from '../src/api/store/world.ts'
import { BalanceModel, compareWithTransactions, expectRule, StateChecker } from './support/balance-model.ts'
import { campaignSize } from './support/campaign.ts'
import { toCents } from './support/cents.ts'
import { expectGroupedMap, expectMapOfBooks } from './support/customer-map.ts'
import { PROPERTY_SEED } from './support/property-seed.ts'
import { Actor, type OperationResult } from './support/random-history/actor.ts'
import { type Body, type Doors, httpDoors, memoryDoors } from './support/random-history/doors.ts'
import { Observer } from './support/random-history/observer.ts'
import {
  type History,
  histories,
  type Operation,
  operation,
  shrinkHistory,
} from './support/random-history/operations.ts'
import { startSandbox, type TestSandbox } from './support/sandbox.ts'
import { canonical } from './support/world.ts'

/**
 * Random sequences of API calls, clock moves and operator decisions over several Customers, compared with a small model that adds
 * up the amounts of GET /transactions.
 *
 * SANDBANK_RUNS sets the number of runs. A failure prints its seed, its path and the shrinkHistory sequence that fails;
 * SANDBANK_FC_SEED and SANDBANK_FC_PATH run that one again.
 */
const RUNS = Number(process.env.SANDBANK_RUNS ?? campaignSize(100, 200))
const PATH = process.env.SANDBANK_FC_PATH
const LENGTH = 60
const OVER_HTTP = 5

/** A run takes some 40 ms; shrinking a failure takes longer. */
const LONGEST_MS = 180_000 + RUNS * 500

// ── One run ──────────────────────────────────────────────────────────────────────────────────────────────────────

class Run {
  readonly actor: Actor
  readonly results: OperationResult[] = []
  readonly #observer = new Observer()
  readonly #model = new BalanceModel()
  readonly #stateChecker: StateChecker
  readonly #doors: Doors
  readonly #lines = new Map<string, string>()
  readonly #archived = new Set<string>()

  constructor(doors: Doors) {
    this.#doors = doors
    this.#stateChecker = new StateChecker(doors.store.world.collections as never)
    doors.store.subscribe((commit) => this.#stateChecker.check(commit))
    this.actor = new Actor(doors, { observer: this.#observer })
  }

  async execute({ setup, operations }: History) {
    await this.actor.setUp(setup)
    await this.#checkChanges()
    for (const [i, one] of operations.entries()) {
      const before = new Map(this.#general().map(({ uid }) => [uid, this.#model.available(uid)]))
      const result = await this.actor.perform(one)
      this.results.push(result)
      this.#checkSpending(result, before)
      await this.#checkChanges()
      if (i % 20 === 19) await this.#checkLineItems()
    }
    await this.#checkEnd()
  }

  #general = (): Body[] => this.#observer.all('synthetic_accounts').filter(({ liability }) => liability)
  #program = () => this.#doors.store.world.collections.programs.inOrder()[0]!

  /** More than the available balance cannot be spent, except by ACH in a Program without pre-funding. */
  #checkSpending({ spending }: OperationResult, before: ReadonlyMap<string, bigint>) {
    if (!spending) return
    const available = before.get(spending.account) ?? 0n
    const canBeNegative = spending.category === 'ach_external' && !this.#program().pre_funding
    if (spending.isAccepted)
      expectRule(
        spending.cents <= available || canBeNegative,
        `${spending.cents} cents were accepted, ${available} were available`,
      )
    if (spending.code === INSUFFICIENT)
      expectRule(spending.cents > available, `${spending.cents} cents were refused, ${available} were available`)
  }

  /** After every operation: reads what has changed, and compares it with the model and the state machines. */
  async #checkChanges() {
    const observations = await this.#observer.read()
    expectRule(this.#stateChecker.errors.length === 0, this.#stateChecker.errors.join('\n'))
    const { at: now } = this.#doors.store.world.clock
    const changed = new Set<string>()
    for (const { collection, uid, after } of observations) {
      if (collection === 'synthetic_accounts') changed.add(uid)
      if (collection !== 'transactions') continue
      this.#model.addPayment(after, now)
      changed.add(after.source_synthetic_account_uid).add(after.destination_synthetic_account_uid)
    }
    if (!this.#program().pre_funding) this.#model.allowNegativeBalances()
    const { known } = this.#observer
    for (const uid of changed) this.#model.compare(known.synthetic_accounts.get(uid))
    for (const observation of observations)
      compareWithTransactions(
        { ...observation, after: known[observation.collection].get(observation.uid) },
        known.transactions,
      )
    this.#checkArchived()
  }

  /** Specification 4.5 rule 6, for every archived Customer. */
  #checkArchived() {
    for (const { uid, status, archived_at } of this.#observer.all('customers')) {
      expectRule(
        (status === 'archived') === (archived_at !== null),
        `Customer ${uid} is ${status}, archived at ${archived_at}`,
      )
      if (status !== 'archived') continue
      this.#archived.add(uid)
    }
    if (this.#archived.size === 0) return
    for (const { uid, customer_uid, status } of this.#model.payments.values())
      expectRule(
        !this.#archived.has(customer_uid) || !['queued', 'pending', 'authorization_pending'].includes(status),
        `Transaction ${uid} of an archived Customer is ${status}`,
      )
    for (const customer of this.#archived) {
      const pools: string[] = this.#observer.known.customers.get(customer).pool_uids
      for (const account of this.#observer.all('synthetic_accounts')) {
        if (!pools.includes(account.pool_uid)) continue
        expectRule(
          account.status === 'archived',
          `Account ${account.name} of an archived Customer is ${account.status}`,
        )
        if (account.liability)
          expectRule(
            toCents(account.net_usd_balance) === 0n,
            `Account ${account.name} of an archived Customer holds ${account.net_usd_balance}`,
          )
      }
    }
  }

  /** Line items are only added. */
  async #checkLineItems(): Promise<{ synthetic: Body[]; custodial: Body[]; events: Body[] }> {
    const lists = {
      synthetic: await this.#list('listSyntheticLineItems'),
      custodial: await this.#list('listCustodialLineItems'),
      events: await this.#list('listTransactionEvents'),
    }
    const now = new Map(
      Object.values(lists).flatMap((all) => all.map((one) => [one.uid, JSON.stringify(one)] as const)),
    )
    for (const [uid, was] of this.#lines)
      expectRule(now.get(uid) === was, `a line item was ${was} and is ${now.get(uid)}`)
    for (const [uid, is] of now) this.#lines.set(uid, is)
    return lists
  }

  /** At the end: checks everything from the lists alone. */
  async #checkEnd() {
    await this.actor.configure({ returns: true, combined_transfers: true })
    for (const observation of await this.#observer.readHidden())
      compareWithTransactions(observation, this.#observer.known.transactions)
    await this.#checkChanges()

    const { synthetic, custodial, events } = await this.#checkLineItems()
    const payments = await this.#list('listTransactions', {
      include_zero: true,
      show_denied_auths: true,
      show_expired: true,
    })
    expectRule(
      payments.length === this.#model.payments.size,
      'the list of Transactions differs from the Transactions that were read',
    )
    for (const payment of payments) {
      const known = this.#model.payments.get(payment.uid)
      expectRule(
        known?.status === payment.status && known.settled_at === payment.settled_at,
        `Transaction ${payment.uid} differs in the list`,
      )
      const own = (lines: Body[]) => lines.filter(({ transaction_uid }) => transaction_uid === payment.uid)
      checkPayment(
        payment,
        own(synthetic),
        own(custodial),
        events.filter(({ transaction_uids }) => transaction_uids.includes(payment.uid)),
        this.#observer,
      )
    }
    checkNumbering(payments, 'settled_index', payments.filter(({ status }) => status === 'settled').length)
    checkNumbering(payments, 'id', payments.length)
    for (const lines of [synthetic, custodial, events]) checkNumbering(lines, 'settled_index', lines.length)

    const bySynthetic = balancesOf(synthetic, 'synthetic_account_uid')
    for (const { uid, name, net_usd_balance } of this.#general())
      expectRule(
        (bySynthetic.get(uid) ?? 0n) === toCents(net_usd_balance),
        `${name} shows ${net_usd_balance}; its lines sum to ${bySynthetic.get(uid)}`,
      )
    balancesOf(custodial, 'custodial_account_uid')
    const accounts = this.#observer.all('synthetic_accounts')
    for (const account of await this.#list('listCustodialAccounts'))
      if (account.type === 'dda') this.#model.compareCustodial(account, accounts)
    for (const { uid, pool_uids } of this.#observer.all('customers')) {
      const { body } = (await this.#doors.request('getCustomer', { params: { uid } })) as { body: Body }
      const total = accounts
        .filter((one) => one.liability && pool_uids.includes(one.pool_uid))
        .reduce((sum, one) => sum + toCents(one.net_usd_balance), 0n)
      expectRule(
        toCents(body.total_balance) === total,
        `Customer ${uid} shows ${body.total_balance} in total, and has ${total} cents`,
      )
    }
    await this.#checkReturns()
    await this.#checkMaps()
    checkClosingBalances(await this.#list('listSyntheticAccountClosingBalances'), synthetic)

    const proof = await this.#doors.call('ledger.check', {})
    expect(proof).toMatchObject({ ok: true, value: { balanced: true, problems: [] } })
    const now = this.#doors.store.world.clock.at
    for (const task of this.#doors.store.world.collections.tasks.inOrder()) {
      expectRule(task.failed === null, `The task ${task.kind} failed: ${task.failed}`)
      expectRule(task.due_at > now, `The task ${task.kind} was due at ${task.due_at}, and it is ${now}`)
    }
  }

  /** The flows on the map of each Customer add up to the balances of its accounts. */
  async #checkMaps() {
    for (const { uid: customer_uid, pool_uids } of this.#observer.all('customers')) {
      const readMap = async (limit: number) => {
        const reply = await this.#doors.call('customers.map', { customer_uid, limit })
        if (!reply.ok) throw new Error(JSON.stringify(reply.error))
        return reply.value as CustomerMap
      }
      const whole = await readMap(100)
      expectMapOfBooks(
        whole,
        this.#general().filter(({ pool_uid }) => pool_uids.includes(pool_uid)),
      )
      expectGroupedMap(whole, await readMap(1))
    }
  }

  /** No payment is returned twice, whether by us or by the other bank. */
  async #checkReturns() {
    for (const { uid } of this.#observer.all('transfers')) {
      const { body } = (await this.#doors.request('getTransfer', { params: { uid } })) as { body: Body }
      compareWithTransactions({ collection: 'transfers', uid, before: undefined, after: body }, this.#model.payments)
    }
    const returned = new Set<string>()
    for (const { original_transaction_uid: uid, status } of this.#observer.all('returns')) {
      if (status === 'failed') continue
      expectRule(!returned.has(uid), `Transaction ${uid} was returned twice`)
      returned.add(uid)
    }
  }

  async #list(name: EndpointName, more: object = {}): Promise<Body[]> {
    const found: Body[] = []
    for (;;) {
      const reply = await this.#doors.request(name, { query: { ...more, limit: 1000, offset: found.length } })
      expectRule(reply.ok, `${name} was refused: ${JSON.stringify(reply)}`)
      found.push(...reply.body.data)
      if (found.length >= reply.body.total_count) return found
    }
  }
}

const INSUFFICIENT = 3004

/** Two synthetic line items; if the custodian moved money, one event with two custodial line items. */
function checkPayment(payment: Body, synthetic: Body[], custodial: Body[], events: Body[], observer: Observer) {
  const label = `Transaction ${payment.uid} (${payment.type}, ${payment.status})`
  const cents = toCents(payment.us_dollar_amount)
  const moves = payment.status === 'settled' && cents > 0n
  const parties = [payment.source_synthetic_account_uid, payment.destination_synthetic_account_uid]
  const isInside = parties.every((uid) => observer.known.synthetic_accounts.get(uid).liability)
  const direction = isInside
    ? 'neutral'
    : observer.known.synthetic_accounts.get(parties[1]!).liability
      ? 'positive'
      : 'negative'
  expectRule(payment.net_asset === direction, `${label} is ${payment.net_asset} and should be ${direction}`)
  const expected = moves ? [-cents, cents] : []
  const sides = parties.flatMap((uid) => synthetic.filter((line) => line.synthetic_account_uid === uid))
  expectRule(
    sides.length === synthetic.length &&
      String(sides.map((line) => toCents(line.us_dollar_amount))) === String(expected),
    `${label} has lines of ${synthetic.map((line) => line.us_dollar_amount)}`,
  )
  const outside = moves && !isInside ? 1 : 0
  expectRule(
    events.length === outside && custodial.length === 2 * outside,
    `${label} has ${events.length} events and ${custodial.length} custodial lines`,
  )
  expectRule(
    custodial.reduce((sum, line) => sum + toCents(line.us_dollar_amount), 0n) === 0n,
    `${label}: its custodial lines do not sum to zero`,
  )
  for (const line of [...synthetic, ...custodial, ...events])
    expectRule(
      line.settled_at === payment.settled_at,
      `${label} settled at ${payment.settled_at}, its line at ${line.settled_at}`,
    )
}

/** Numbers begin at 1, have no gap and follow the time. */
function checkNumbering(records: Body[], field: string, count: number) {
  const counted = records.filter((one) => one[field] !== null).sort((a, b) => a[field] - b[field])
  expectRule(counted.length === count, `${count} have a ${field}: ${counted.length}`)
  const time = field === 'id' ? 'created_at' : 'settled_at'
  for (const [i, one] of counted.entries()) {
    expectRule(one[field] === i + 1, `the ${field} ${i + 1} is ${one[field]}`)
    expectRule(i === 0 || counted[i - 1][time] <= one[time], `the ${field} ${i + 1} is earlier than the one before it`)
  }
}

/** The sum of each account's line items; each running balance is right, and the whole book sums to zero. */
function balancesOf(lines: Body[], account: string): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const line of lines.toSorted((a, b) => a.settled_index - b.settled_index)) {
    const sum = (sums.get(line[account]) ?? 0n) + toCents(line.us_dollar_amount)
    sums.set(line[account], sum)
    expectRule(
      toCents(line.running_us_dollar_balance) === sum,
      `line ${line.uid} shows ${line.running_us_dollar_balance}, its account had ${sum} cents`,
    )
  }
  expectRule([...sums.values()].reduce((all, one) => all + one, 0n) === 0n, 'the book does not sum to zero')
  return sums
}

/** A closing balance is what settled strictly before the close of that day. */
function checkClosingBalances(closings: Body[], lines: Body[]) {
  for (const {
    synthetic_account_uid: uid,
    net_usd_closing_balance: shown,
    net_usd_closing_balance_as_of: day,
  } of closings) {
    const close = new Date(instantAt(day, '20:00')).toISOString()
    const before = lines.filter((line) => line.synthetic_account_uid === uid && line.settled_at < close)
    const sum = before.reduce((all, line) => all + toCents(line.us_dollar_amount), 0n)
    expectRule(toCents(shown) === sum, `the closing balance of ${uid} on ${day} is ${shown}; ${sum} cents had settled`)
  }
}

/** Executes the history. If it fails, shrinks it and reports the shrinkHistory history that fails. */
async function executeOrShrink(history: History, open: (history: History) => Promise<Doors> | Doors): Promise<Run> {
  const first = new Run(await open(history))
  if (!(await failureOf(first, history))) return first
  const small = await shrinkHistory(
    history,
    async (smaller) => !!(await failureOf(new Run(await open(smaller)), smaller)),
  )
  const run = new Run(await open(small))
  const error = await failureOf(run, small)
  const { start, pace } = history.setup
  const last = small.operations[run.results.length]
  const steps = run.results.map(({ what, text }, i) => `${String(i + 1).padStart(3)}. ${what} → ${text}`)
  throw new Error(
    [
      `${error?.message ?? 'It fails only sometimes'}\n`,
      `Start ${start}, pace ${pace}:`,
      ...steps,
      ...(last ? [`and then: ${JSON.stringify(last)}`] : []),
    ].join('\n'),
    { cause: error },
  )
}

async function failureOf(run: Run, history: History): Promise<Error | undefined> {
  try {
    await run.execute(history)
    return undefined
  } catch (error) {
    return error as Error
  }
}

/** As fc.assert, but with a shorter report. */
async function assertAll(property: fc.IAsyncProperty<[History]>, numRuns: number) {
  const details = await fc.check(property, {
    seed: PROPERTY_SEED,
    numRuns,
    endOnFailure: true,
    ...(PATH ? { path: PATH } : {}),
  })
  if (!details.failed) return
  const { seed, counterexamplePath: path, numRuns: runs, errorInstance } = details
  throw new Error(
    `It failed at run ${runs}; SANDBANK_FC_SEED=${seed} SANDBANK_FC_PATH=${path} runs it again.\n${(errorInstance as Error).message}`,
  )
}

const openInMemory = ({ setup }: History): Doors => memoryDoors({ seed: 'money', start: Date.parse(setup.start) })

// ── Histories that failed once, or are generated too rarely ──────────────────────────────────────────

const PLAIN = {
  isSameDay: false,
  prenote: false,
  daysAhead: 0,
  sec_code: 'CCD',
  again: null,
  isAcrossPools: false,
} as const
const FRIDAY = '2026-08-14T14:00:00.000Z'

/** Pays the whole available balance to a counterparty whose number forces a return with R02, and settles it. */
const payReturnedPayment = (customerIndex: number, from: number, to: number): Operation[] => [
  { ...PLAIN, do: 'pay', way: 'ach out', customerIndex, from, to, amount: { available_plus: 0 } },
  { do: 'decide', collection: 'transactions', index: 0, move: 0, input: 0, isPossible: true },
]

const cases: { what: string; history: History; ends: (world: World) => void }[] = [
  {
    what: 'a Combined Transfer in progress continues when the Program disables Combined Transfers',
    history: {
      setup: { start: FRIDAY, pace: 'fast' },
      operations: [
        {
          do: 'create combined transfer',
          customerIndex: 1,
          from: 0,
          isOutgoing: true,
          isKnown: false,
          ending: '10',
          amount: { cents: 100 },
        },
        { do: 'change settings', settings: { combined_transfers: false } },
        { do: 'advance', by: { by: 'PT5S' } },
      ],
    },
    ends: ({ collections }) =>
      expect(collections.combined_transfers.inOrder()).toMatchObject([
        { status: expect.stringMatching(/completed|failed/) },
      ]),
  },
  {
    what: 'rails-facts 8.2: "Changing pace affects only tasks scheduled afterwards", and time never goes back',
    history: {
      setup: { start: FRIDAY, pace: 'real' },
      operations: [
        ...payReturnedPayment(2, 0, 2),
        { do: 'set pace', pace: 'fast' },
        { do: 'advance', by: { business_days: 5 } },
      ],
    },
    ends: ({ collections }) =>
      expect(collections.transactions.inOrder().at(-1)).toMatchObject({ type: 'ach_return', status: 'settled' }),
  },
  {
    what: '4.5: "Status becomes archived only with a $0 balance", also when payments are returned afterwards',
    history: {
      setup: { start: FRIDAY, pace: 'real' },
      operations: [
        { do: 'open account', customerIndex: 1, category: 'ach_external', name: 'Mill', ending: '9902' },
        ...payReturnedPayment(1, 0, 1),
        ...payReturnedPayment(1, 1, 1),
        { do: 'archive customer', customerIndex: 1, to: 0, again: true },
        { do: 'advance', by: { business_days: 10 } },
      ],
    },
    ends: ({ collections }) =>
      expect(collections.customers.inOrder().filter(({ status }) => status === 'archived')).toHaveLength(1),
  },
  {
    what: '4.5: "Status becomes archived only with a $0 balance", also when payments are returned at the earlier pace',
    history: {
      setup: { start: FRIDAY, pace: 'real' },
      operations: [
        { do: 'open account', customerIndex: 1, category: 'ach_external', name: 'Mill', ending: '9902' },
        ...payReturnedPayment(1, 0, 1),
        ...payReturnedPayment(1, 1, 1),
        { do: 'set pace', pace: 'fast' },
        { do: 'archive customer', customerIndex: 1, to: 0, again: true },
        { do: 'advance', by: { business_days: 10 } },
      ],
    },
    ends: ({ collections }) =>
      expect(collections.customers.inOrder().filter(({ status }) => status === 'archived')).toHaveLength(1),
  },
]

describe('the books and balances', () => {
  it.each(cases.map(({ what, ...row }) => [what, row] as const))('%s', async (_, { history, ends }) => {
    const { actor } = await executeOrShrink(history, openInMemory)
    ends(actor.world)
  })

  it(
    `equal a model after any ${LENGTH} calls, advances and decisions, and states follow the state machines`,
    async () => {
      const tally = new Map<string, { succeeded: number; refused: number }>()
      const statuses = new Set<string>()
      await assertAll(
        fc.asyncProperty(histories(LENGTH), async (history) => {
          const run = await executeOrShrink(history, openInMemory)
          for (const [i, one] of history.operations.entries()) {
            const count = tally.get(one.do) ?? { succeeded: 0, refused: 0 }
            if (run.results[i]!.ok) count.succeeded++
            else count.refused++
            tally.set(one.do, count)
          }
          for (const { rail, status, type } of run.actor.world.collections.transactions.inOrder())
            statuses.add(`${rail} ${status}`).add(type)
        }),
        RUNS,
      )
      console.info(
        `seed ${PROPERTY_SEED}: ${[...tally].map(([what, { succeeded, refused }]) => `${what} ${succeeded}/${succeeded + refused}`).join(', ')}`,
      )
      // Each kind of operation succeeded at least once.
      const kinds = new Set(fc.sample(operation, { seed: 1, numRuns: 2_000 }).map(({ do: what }) => what))
      for (const what of kinds) expect(tally.get(what)?.succeeded, what).toBeGreaterThan(0)
      for (const rail of ['ach', 'wire', 'instant_payment', 'book'])
        for (const status of ['settled', 'failed']) expect(statuses).toContain(`${rail} ${status}`)
      for (const one of [
        'ach canceled',
        'wire canceled',
        'ach authorization_denied',
        'wire authorization_denied',
        'other',
      ])
        expect(statuses).toContain(one)
      for (const type of ['ach_return', 'initiated_ach_return', 'initiated_ach_reversal', 'initiated_wire_return'])
        expect(statuses).toContain(type)
    },
    LONGEST_MS,
  )

  it('are the same over HTTP, and so is the world', async () => {
    await assertAll(
      fc.asyncProperty(histories(LENGTH), async (history) => {
        const sandboxes: TestSandbox[] = []
        const { actor } = await executeOrShrink(history, async ({ setup }) => {
          const sandbox = await startSandbox({ seed: 'money', start: Date.parse(setup.start) })
          sandboxes.push(sandbox)
          return httpDoors(sandbox)
        })
        expect(canonical(actor.world)).toBe(canonical((await executeOrShrink(history, openInMemory)).actor.world))
        for (const { told } of sandboxes) expect(told).toEqual([])
        await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
      }),
      OVER_HTTP,
    )
  })
})
