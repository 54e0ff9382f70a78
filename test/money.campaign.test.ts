import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EndpointName } from '../src/api/contract/endpoints.ts'
import { instantAt } from '../src/api/domain/rules/calendar.ts'
import type { World } from '../src/api/store/world.ts'
import {
  Actor,
  type Body,
  type Deed,
  type Doors,
  type History,
  histories,
  httpDoors,
  innerDoors,
  type Operation,
  operation,
  smallest,
  toCents,
  Witness,
} from './support/arbitraries.ts'
import { BalanceModel, compareFollower, insist, Tables } from './support/balance-model.ts'
import { campaignSize } from './support/campaign.ts'
import { startSandbox, type TestSandbox } from './support/sandbox.ts'
import { canonical } from './support/world.ts'

/**
 * Random sequences of API calls, clock moves and operator decisions over several Customers, compared with a small model that adds
 * up the amounts of GET /transactions.
 *
 * SANDBANK_RUNS sets the number of runs. A failure prints its seed, its path and the smallest sequence that fails;
 * SANDBANK_FC_SEED and SANDBANK_FC_PATH run that one again.
 */
const SEED = Number(process.env.SANDBANK_FC_SEED ?? 20_260_814)
const RUNS = Number(process.env.SANDBANK_RUNS ?? campaignSize(100, 200))
const PATH = process.env.SANDBANK_FC_PATH
const LENGTH = 60
const OVER_HTTP = 5

/** Some forty milliseconds for a run, and time to make a failure smaller. */
const LONGEST_MS = 180_000 + RUNS * 500

// ── One run ──────────────────────────────────────────────────────────────────────────────────────────────────────

class Run {
  readonly actor: Actor
  readonly deeds: Deed[] = []
  readonly #witness = new Witness()
  readonly #model = new BalanceModel()
  readonly #tables: Tables
  readonly #doors: Doors
  readonly #lines = new Map<string, string>()
  readonly #archived = new Set<string>()

  constructor(doors: Doors) {
    this.#doors = doors
    this.#tables = new Tables(doors.store.world.collections as never)
    doors.store.subscribe((commit) => this.#tables.hear(commit))
    this.actor = new Actor(doors, { witness: this.#witness })
  }

  async go({ beginning, operations }: History) {
    await this.actor.begin(beginning)
    await this.#judge()
    for (const [i, one] of operations.entries()) {
      const before = new Map(this.#general().map(({ uid }) => [uid, this.#model.available(uid)]))
      const done = await this.actor.perform(one)
      this.deeds.push(done)
      this.#judgeSpending(done, before)
      await this.#judge()
      if (i % 20 === 19) await this.#judgeLines()
    }
    await this.#judgeAll()
  }

  #general = (): Body[] => this.#witness.all('synthetic_accounts').filter(({ liability }) => liability)
  #program = () => this.#doors.store.world.collections.programs.inOrder()[0]!

  /** What is not available cannot be spent; only an ACH may, where the Program wants no pre-funding. */
  #judgeSpending({ spending }: Deed, before: ReadonlyMap<string, bigint>) {
    if (!spending) return
    const available = before.get(spending.account) ?? 0n
    const mayOwe = spending.category === 'ach_external' && !this.#program().pre_funding
    if (spending.taken)
      insist(spending.cents <= available || mayOwe, `${spending.cents} cents were taken, ${available} were available`)
    if (spending.code === INSUFFICIENT)
      insist(spending.cents > available, `${spending.cents} cents were refused, ${available} were available`)
  }

  /** After every operation: whatever has changed is read, and held against the model and the tables. */
  async #judge() {
    const sights = await this.#witness.read()
    insist(this.#tables.broken.length === 0, this.#tables.broken.join('\n'))
    const { at: now } = this.#doors.store.world.clock
    const changed = new Set<string>()
    for (const { collection, uid, after } of sights) {
      if (collection === 'synthetic_accounts') changed.add(uid)
      if (collection !== 'transactions') continue
      this.#model.see(after, now)
      changed.add(after.source_synthetic_account_uid).add(after.destination_synthetic_account_uid)
    }
    if (!this.#program().pre_funding) this.#model.exposeAll()
    const { known } = this.#witness
    for (const uid of changed) this.#model.compare(known.synthetic_accounts.get(uid))
    for (const sight of sights)
      compareFollower({ ...sight, after: known[sight.collection].get(sight.uid) }, known.transactions)
    this.#judgeArchived()
  }

  /** Specification 4.5 rule 6, from then on. */
  #judgeArchived() {
    for (const { uid, status, archived_at } of this.#witness.all('customers')) {
      insist(
        (status === 'archived') === (archived_at !== null),
        `Customer ${uid} is ${status}, archived at ${archived_at}`,
      )
      if (status !== 'archived') continue
      this.#archived.add(uid)
    }
    if (this.#archived.size === 0) return
    for (const { uid, customer_uid, status } of this.#model.payments.values())
      insist(
        !this.#archived.has(customer_uid) || !['queued', 'pending', 'authorization_pending'].includes(status),
        `Transaction ${uid} of an archived Customer is ${status}`,
      )
    for (const customer of this.#archived) {
      const pools: string[] = this.#witness.known.customers.get(customer).pool_uids
      for (const account of this.#witness.all('synthetic_accounts')) {
        if (!pools.includes(account.pool_uid)) continue
        insist(account.status === 'archived', `Account ${account.name} of an archived Customer is ${account.status}`)
        if (account.liability)
          insist(
            toCents(account.net_usd_balance) === 0n,
            `Account ${account.name} of an archived Customer holds ${account.net_usd_balance}`,
          )
      }
    }
  }

  /** Line items are added, and never changed. */
  async #judgeLines(): Promise<{ synthetic: Body[]; custodial: Body[]; events: Body[] }> {
    const lists = {
      synthetic: await this.#list('listSyntheticLineItems'),
      custodial: await this.#list('listCustodialLineItems'),
      events: await this.#list('listTransactionEvents'),
    }
    const now = new Map(
      Object.values(lists).flatMap((all) => all.map((one) => [one.uid, JSON.stringify(one)] as const)),
    )
    for (const [uid, was] of this.#lines) insist(now.get(uid) === was, `what was ${was} is ${now.get(uid)}`)
    for (const [uid, is] of now) this.#lines.set(uid, is)
    return lists
  }

  /** At the end: everything once more from the lists alone. */
  async #judgeAll() {
    await this.actor.configure({ returns: true, combined_transfers: true })
    for (const sight of await this.#witness.readHidden()) compareFollower(sight, this.#witness.known.transactions)
    await this.#judge()

    const { synthetic, custodial, events } = await this.#judgeLines()
    const payments = await this.#list('listTransactions', {
      include_zero: true,
      show_denied_auths: true,
      show_expired: true,
    })
    insist(payments.length === this.#model.payments.size, 'the list of Transactions is not what was seen of them')
    for (const payment of payments) {
      const known = this.#model.payments.get(payment.uid)
      insist(
        known?.status === payment.status && known.settled_at === payment.settled_at,
        `Transaction ${payment.uid} differs in the list`,
      )
      const own = (lines: Body[]) => lines.filter(({ transaction_uid }) => transaction_uid === payment.uid)
      judgePayment(
        payment,
        own(synthetic),
        own(custodial),
        events.filter(({ transaction_uids }) => transaction_uids.includes(payment.uid)),
        this.#witness,
      )
    }
    judgeOrder(payments, 'settled_index', payments.filter(({ status }) => status === 'settled').length)
    judgeOrder(payments, 'id', payments.length)
    for (const lines of [synthetic, custodial, events]) judgeOrder(lines, 'settled_index', lines.length)

    const bySynthetic = balancesOf(synthetic, 'synthetic_account_uid')
    for (const { uid, name, net_usd_balance } of this.#general())
      insist(
        (bySynthetic.get(uid) ?? 0n) === toCents(net_usd_balance),
        `${name} shows ${net_usd_balance}; its lines sum to ${bySynthetic.get(uid)}`,
      )
    balancesOf(custodial, 'custodial_account_uid')
    const accounts = this.#witness.all('synthetic_accounts')
    for (const account of await this.#list('listCustodialAccounts'))
      if (account.type === 'dda') this.#model.compareCustodial(account, accounts)
    for (const { uid, pool_uids } of this.#witness.all('customers')) {
      const { body } = (await this.#doors.request('getCustomer', { params: { uid } })) as { body: Body }
      const total = accounts
        .filter((one) => one.liability && pool_uids.includes(one.pool_uid))
        .reduce((sum, one) => sum + toCents(one.net_usd_balance), 0n)
      insist(
        toCents(body.total_balance) === total,
        `Customer ${uid} shows ${body.total_balance} in total, and has ${total} cents`,
      )
    }
    await this.#judgeReturned()
    judgeClosings(await this.#list('listSyntheticAccountClosingBalances'), synthetic)

    const proof = await this.#doors.call('ledger.check', {})
    expect(proof).toMatchObject({ ok: true, value: { balanced: true, problems: [] } })
    const now = this.#doors.store.world.clock.at
    for (const task of this.#doors.store.world.collections.tasks.inOrder()) {
      insist(task.failed === null, `The task ${task.kind} failed: ${task.failed}`)
      insist(task.due_at > now, `The task ${task.kind} was due at ${task.due_at}, and it is ${now}`)
    }
  }

  /** No payment comes back twice, whoever sends it back. */
  async #judgeReturned() {
    for (const { uid } of this.#witness.all('transfers')) {
      const { body } = (await this.#doors.request('getTransfer', { params: { uid } })) as { body: Body }
      compareFollower({ collection: 'transfers', uid, before: undefined, after: body }, this.#model.payments)
    }
    const returned = new Set<string>()
    for (const { original_transaction_uid: uid, status } of this.#witness.all('returns')) {
      if (status === 'failed') continue
      insist(!returned.has(uid), `Transaction ${uid} was returned twice`)
      returned.add(uid)
    }
  }

  async #list(name: EndpointName, more: object = {}): Promise<Body[]> {
    const found: Body[] = []
    for (;;) {
      const answered = await this.#doors.request(name, { query: { ...more, limit: 1000, offset: found.length } })
      insist(answered.ok, `${name} was refused: ${JSON.stringify(answered)}`)
      found.push(...answered.body.data)
      if (found.length >= answered.body.total_count) return found
    }
  }
}

const INSUFFICIENT = 3004

/** Two lines in the synthetic book, and where money left or reached the custodian one event with two lines. */
function judgePayment(payment: Body, synthetic: Body[], custodial: Body[], events: Body[], witness: Witness) {
  const told = `Transaction ${payment.uid} (${payment.type}, ${payment.status})`
  const cents = toCents(payment.us_dollar_amount)
  const moves = payment.status === 'settled' && cents > 0n
  const parties = [payment.source_synthetic_account_uid, payment.destination_synthetic_account_uid]
  const isInside = parties.every((uid) => witness.known.synthetic_accounts.get(uid).liability)
  const direction = isInside
    ? 'neutral'
    : witness.known.synthetic_accounts.get(parties[1]!).liability
      ? 'positive'
      : 'negative'
  insist(payment.net_asset === direction, `${told} is ${payment.net_asset} and should be ${direction}`)
  const expected = moves ? [-cents, cents] : []
  const sides = parties.flatMap((uid) => synthetic.filter((line) => line.synthetic_account_uid === uid))
  insist(
    sides.length === synthetic.length &&
      String(sides.map((line) => toCents(line.us_dollar_amount))) === String(expected),
    `${told} has lines of ${synthetic.map((line) => line.us_dollar_amount)}`,
  )
  const outside = moves && !isInside ? 1 : 0
  insist(
    events.length === outside && custodial.length === 2 * outside,
    `${told} has ${events.length} events and ${custodial.length} custodial lines`,
  )
  insist(
    custodial.reduce((sum, line) => sum + toCents(line.us_dollar_amount), 0n) === 0n,
    `${told}: its custodial lines do not sum to zero`,
  )
  for (const line of [...synthetic, ...custodial, ...events])
    insist(
      line.settled_at === payment.settled_at,
      `${told} settled at ${payment.settled_at}, its line at ${line.settled_at}`,
    )
}

/** Counted from 1 without a gap, in the order of time. */
function judgeOrder(records: Body[], field: string, count: number) {
  const counted = records.filter((one) => one[field] !== null).sort((a, b) => a[field] - b[field])
  insist(counted.length === count, `${count} have a ${field}: ${counted.length}`)
  const time = field === 'id' ? 'created_at' : 'settled_at'
  for (const [i, one] of counted.entries()) {
    insist(one[field] === i + 1, `the ${field} ${i + 1} is ${one[field]}`)
    insist(i === 0 || counted[i - 1][time] <= one[time], `the ${field} ${i + 1} is earlier than the one before it`)
  }
}

/** Sums by account, line by line as each line says it; all of a book is nothing. */
function balancesOf(lines: Body[], account: string): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const line of lines.toSorted((a, b) => a.settled_index - b.settled_index)) {
    const sum = (sums.get(line[account]) ?? 0n) + toCents(line.us_dollar_amount)
    sums.set(line[account], sum)
    insist(
      toCents(line.running_us_dollar_balance) === sum,
      `line ${line.uid} shows ${line.running_us_dollar_balance}, its account stood at ${sum} cents`,
    )
  }
  insist([...sums.values()].reduce((all, one) => all + one, 0n) === 0n, 'the book does not sum to zero')
  return sums
}

/** What had settled strictly before the close of that day. */
function judgeClosings(closings: Body[], lines: Body[]) {
  for (const {
    synthetic_account_uid: uid,
    net_usd_closing_balance: shown,
    net_usd_closing_balance_as_of: day,
  } of closings) {
    const close = new Date(instantAt(day, '20:00')).toISOString()
    const before = lines.filter((line) => line.synthetic_account_uid === uid && line.settled_at < close)
    const sum = before.reduce((all, line) => all + toCents(line.us_dollar_amount), 0n)
    insist(toCents(shown) === sum, `the closing balance of ${uid} on ${day} is ${shown}; ${sum} cents had settled`)
  }
}

/** The smallest story that fails, for whoever has to mend it; without a failure the run itself. */
async function tell(history: History, open: (history: History) => Promise<Doors> | Doors): Promise<Run> {
  const first = new Run(await open(history))
  if (!(await failureOf(first, history))) return first
  const small = await smallest(history, async (smaller) => !!(await failureOf(new Run(await open(smaller)), smaller)))
  const run = new Run(await open(small))
  const error = await failureOf(run, small)
  const { start, pace } = history.beginning
  const last = small.operations[run.deeds.length]
  const story = run.deeds.map(({ what, said }, i) => `${String(i + 1).padStart(3)}. ${what} → ${said}`)
  throw new Error(
    [
      `${error?.message ?? 'It fails only sometimes'}\n`,
      `It begins at ${start}, at pace ${pace}:`,
      ...story,
      ...(last ? [`and then: ${JSON.stringify(last)}`] : []),
    ].join('\n'),
    { cause: error },
  )
}

async function failureOf(run: Run, history: History): Promise<Error | undefined> {
  try {
    await run.go(history)
    return undefined
  } catch (error) {
    return error as Error
  }
}

/** fast-check's own report prints every operation as an object; ours prints the story alone. */
async function assertAll(property: fc.IAsyncProperty<[History]>, numRuns: number) {
  const details = await fc.check(property, { seed: SEED, numRuns, endOnFailure: true, ...(PATH ? { path: PATH } : {}) })
  if (!details.failed) return
  const { seed, counterexamplePath: path, numRuns: runs, errorInstance } = details
  throw new Error(
    `It failed at run ${runs}; SANDBANK_FC_SEED=${seed} SANDBANK_FC_PATH=${path} runs it again.\n${(errorInstance as Error).message}`,
  )
}

const inner = ({ beginning }: History): Doors => innerDoors({ seed: 'money', start: Date.parse(beginning.start) })

// ── Histories that once went wrong, or come too rarely to be waited for ──────────────────────────────────────────

const PLAIN = { same_day: false, prenote: false, ahead: 0, sec_code: 'CCD', again: null, stray: false } as const
const FRIDAY = '2026-08-14T14:00:00.000Z'

/** All that the account has, to a counterparty whose number says that it comes back with R02; settled at once. */
const payWhatComesBack = (who: number, from: number, to: number): Operation[] => [
  { ...PLAIN, do: 'pay', way: 'ach out', who, from, to, amount: { available_plus: 0 } },
  { do: 'move', collection: 'transactions', which: 0, move: 0, input: 0, legal: true },
]

const stories: { what: string; history: History; ends: (world: World) => void }[] = [
  {
    what: 'a Combined Transfer that is under way goes on when the Program turns them off',
    history: {
      beginning: { start: FRIDAY, pace: 'fast' },
      operations: [
        { do: 'combine', who: 1, from: 0, out: true, known: false, ending: '10', amount: { cents: 100 } },
        { do: 'configure', settings: { combined_transfers: false } },
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
      beginning: { start: FRIDAY, pace: 'real' },
      operations: [
        ...payWhatComesBack(2, 0, 2),
        { do: 'pace', pace: 'fast' },
        { do: 'advance', by: { business_days: 5 } },
      ],
    },
    ends: ({ collections }) =>
      expect(collections.transactions.inOrder().at(-1)).toMatchObject({ type: 'ach_return', status: 'settled' }),
  },
  {
    what: '4.5: "Status becomes archived only with a $0 balance", whatever comes back afterwards',
    history: {
      beginning: { start: FRIDAY, pace: 'real' },
      operations: [
        { do: 'open', who: 1, category: 'ach_external', name: 'Mill', ending: '9902' },
        ...payWhatComesBack(1, 0, 1),
        ...payWhatComesBack(1, 1, 1),
        { do: 'archive', who: 1, to: 0, again: true },
        { do: 'advance', by: { business_days: 10 } },
      ],
    },
    ends: ({ collections }) =>
      expect(collections.customers.inOrder().filter(({ status }) => status === 'archived')).toHaveLength(1),
  },
  {
    what: '4.5: "Status becomes archived only with a $0 balance", whatever comes back at the pace of before',
    history: {
      beginning: { start: FRIDAY, pace: 'real' },
      operations: [
        { do: 'open', who: 1, category: 'ach_external', name: 'Mill', ending: '9902' },
        ...payWhatComesBack(1, 0, 1),
        ...payWhatComesBack(1, 1, 1),
        { do: 'pace', pace: 'fast' },
        { do: 'archive', who: 1, to: 0, again: true },
        { do: 'advance', by: { business_days: 10 } },
      ],
    },
    ends: ({ collections }) =>
      expect(collections.customers.inOrder().filter(({ status }) => status === 'archived')).toHaveLength(1),
  },
]

describe('the books, whatever happens', () => {
  it.each(stories.map(({ what, ...story }) => [what, story] as const))('%s', async (_, { history, ends }) => {
    const { actor } = await tell(history, inner)
    ends(actor.world)
  })

  it(
    `any ${LENGTH} calls, clock moves and decisions: books and balances are those of the model, and states those of the tables`,
    async () => {
      const tally = new Map<string, { made: number; refused: number }>()
      const statuses = new Set<string>()
      await assertAll(
        fc.asyncProperty(histories(LENGTH), async (history) => {
          const run = await tell(history, inner)
          for (const [i, one] of history.operations.entries()) {
            const count = tally.get(one.do) ?? { made: 0, refused: 0 }
            if (run.deeds[i]!.ok) count.made++
            else count.refused++
            tally.set(one.do, count)
          }
          for (const { rail, status, type } of run.actor.world.collections.transactions.inOrder())
            statuses.add(`${rail} ${status}`).add(type)
        }),
        RUNS,
      )
      console.info(
        `seed ${SEED}: ${[...tally].map(([what, { made, refused }]) => `${what} ${made}/${made + refused}`).join(', ')}`,
      )
      // A generator of nothing but refusals would prove nothing.
      const kinds = new Set(fc.sample(operation, { seed: 1, numRuns: 2_000 }).map(({ do: what }) => what))
      for (const what of kinds) expect(tally.get(what)?.made, what).toBeGreaterThan(0)
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

  it('over HTTP it is the same, and the same world', async () => {
    await assertAll(
      fc.asyncProperty(histories(LENGTH), async (history) => {
        const sandboxes: TestSandbox[] = []
        const { actor } = await tell(history, async ({ beginning }) => {
          const sandbox = await startSandbox({ seed: 'money', start: Date.parse(beginning.start) })
          sandboxes.push(sandbox)
          return httpDoors(sandbox)
        })
        expect(canonical(actor.world)).toBe(canonical((await tell(history, inner)).actor.world))
        for (const { told } of sandboxes) expect(told).toEqual([])
        await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
      }),
      OVER_HTTP,
    )
  })
})
