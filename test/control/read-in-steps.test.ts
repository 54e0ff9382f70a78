import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { ScenarioInfo } from '../../src/api/contract/control/scenarios.ts'
import { parseInSteps, printInSteps } from '../../src/api/control/long-lists.ts'
import { ExchangeLog, printExchange } from '../../src/api/http/exchanges.ts'
import { OperatorLog } from '../../src/api/replay/operator-log.ts'
import { readEntriesSince } from '../../src/api/replay/record.ts'
import { readSourceInSteps } from '../../src/api/replay/source.ts'
import { ScenarioCatalog } from '../../src/api/scenarios/catalog.ts'
import { readScenarioInSteps } from '../../src/api/scenarios/file.ts'
import { recordScenario } from '../../src/api/scenarios/record.ts'
import { CallLog } from '../../src/api/store/call-log.ts'
import { IndexMissing, Shelf } from '../../src/api/store/collection.ts'
import type { Commit, CommitFilter, CommitLog } from '../../src/api/store/commit.ts'
import { files } from '../../src/api/store/files.ts'
import { runToEnd, type Steps } from '../../src/api/store/steps.ts'
import { Store } from '../../src/api/store/store.ts'
import type { ReadTx } from '../../src/api/store/tx.ts'
import { balancesInSteps } from '../../src/api/views/balances.ts'
import { accountsInSteps, trialBalanceInSteps } from '../../src/api/views/books.ts'
import { commitsOf } from '../../src/api/views/commits.ts'
import { mapInSteps } from '../../src/api/views/customer-map.ts'
import { historyOf } from '../../src/api/views/history.ts'
import { reconcileInSteps } from '../../src/api/views/reconciliation.ts'
import { relatedTo } from '../../src/api/views/related.ts'
import { timelineOf } from '../../src/api/views/timeline.ts'
import { explainRecord } from '../../src/api/views/why.ts'
import { exchangesOf } from '../api/support.ts'
import { expectRefusal } from '../support/client.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { openBank } from '../support/operator-sandbox.ts'

/** Methods that read the history, all indexes or all scenarios read a bounded part of them between two pauses. */

interface Work {
  readonly total: number
  /** The most between two steps. */
  readonly most: number
}

/** `count` returns how much has been read. */
function measureSteps<T>(steps: Steps<T>, count: () => number): Work {
  const began = count()
  for (let before = began, most = 0; ; ) {
    const { done } = steps.next()
    most = Math.max(most, count() - before)
    before = count()
    if (done) return { total: before - began, most }
  }
}

describe('between two pauses', () => {
  it('records.history, why, world.commits and records.story read one commit', async () => {
    const { sandbox, customer, fund } = await openBank()
    for (let n = 0; n < 5; n++) await fund(customer, '1.00')
    const { store } = sandbox
    const exchanges = new ExchangeLog(CallLog.inMemory())
    const { uid } = customer
    const record = store.world.collections.customers.get(uid)!
    let commits = 0
    const { historyInSteps } = store
    vi.spyOn(store, 'historyInSteps').mockImplementation(function* (filter) {
      for (const commit of historyInSteps.call(store, filter)) {
        commits++
        yield commit
      }
    })
    const all = [...store.history()].length
    const reads: Record<string, Steps<unknown>> = {
      'records.history': historyOf(store, 'programs', record.program_uid),
      why: explainRecord(store, 'customers', uid, 'status'),
      'world.commits': commitsOf(store, 1000),
      'records.story': timelineOf(store, exchanges, record, { limit: 1000 }),
    }
    for (const [name, steps] of Object.entries(reads)) {
      const { total, most } = measureSteps(steps, () => commits)
      expect([name, most]).toEqual([name, 1])
      expect(total).toBeGreaterThan(name === 'why' ? 1 : all - 1)
    }
  })

  it('scenarios.record and exchanges.replay read one commit or one request', async () => {
    const { sandbox, customer, fund } = await openBank({ world: 'empty' })
    for (let n = 0; n < 3; n++) await fund(customer, '1.00')
    const { store } = sandbox
    const log = CallLog.inMemory()
    const [exchanges, actions] = [new ExchangeLog(log), new OperatorLog(log)]
    for (const exchange of (await exchangesOf(sandbox)).reverse()) log.add(printExchange(exchange))
    // A store that has not read its history yet.
    const unread = () => {
      const file = {
        newestFirst: (filter?: CommitFilter) => store.historyInSteps(filter),
        oldestFirst: (from: number, to: number) => store.commitsBetween(from, to),
        firstSeq: store.firstSeq,
      } as unknown as CommitLog
      return { store: new Store(store.world, store.clock, file), exchanges, actions }
    }
    let [commits, requests] = [0, 0]
    const countCommits = function* <T>(all: Iterable<T>) {
      for (const commit of all) {
        commits++
        yield commit
      }
    }
    for (const method of ['historyInSteps', 'commitsBetween'] as const) {
      const read = store[method] as (...args: unknown[]) => Iterable<Commit>
      vi.spyOn(store, method).mockImplementation((...args: unknown[]) => countCommits(read.apply(store, args)))
    }
    const { entries } = exchanges
    vi.spyOn(exchanges, 'entries').mockImplementation(function* (isWanted) {
      for (const exchange of entries.call(exchanges, isWanted)) {
        requests++
        yield exchange
      }
    })
    const logged = exchanges.summaries().length
    const reads: Record<string, () => Steps<unknown>> = {
      'exchanges.replay': () => readEntriesSince(unread(), 1),
      'scenarios.record': () =>
        recordScenario(unread(), { since: 0, name: 'A session', teaches: undefined, removeSecrets: (text) => text }),
    }
    for (const [name, read] of Object.entries(reads)) {
      expect([name, measureSteps(read(), () => commits).most]).toEqual([name, 1])
      const { total, most } = measureSteps(read(), () => requests)
      expect([name, most]).toEqual([name, 1])
      expect(total).toBeGreaterThanOrEqual(logged)
    }
  })

  it('records.related searches one index', async () => {
    const { sandbox, customer } = await openBank()
    const { store } = sandbox
    const record = store.world.collections.customers.get(customer.uid)!
    const find = vi.spyOn(Shelf.prototype, 'findByIndex')
    const searches = () => find.mock.calls.length
    const related = measureSteps(relatedTo(store.world, record, new Map()), searches)
    expect(related.most).toBe(1)
    expect(related.total).toBeGreaterThan(20)
    find.mockRestore()
  })

  it('ledger.trial_balance, ledger.reconciliation and ledger.accounts add up 1,000 lines', () => {
    let amounts = 0
    const LINES = 5_500
    const account = { uid: 'a', pool_uid: 'p', net_usd_balance: '0.00', opened_at: '2026-01-01T00:00:00.000Z' }
    const line = {
      synthetic_account_uid: 'a',
      settled_at: '2026-02-01T00:00:00.000Z',
      get us_dollar_amount() {
        amounts++
        return '1.00'
      },
    }
    const recordsOf = (items: readonly object[]) => ({
      newestFirst: () => items,
      get: () => undefined,
      countBy: () => 0,
    })
    const tx = {
      now: '2026-03-01T00:00:00.000Z',
      customers: recordsOf([]),
      transactions: recordsOf([]),
      synthetic_accounts: recordsOf([account]),
      custodial_accounts: recordsOf([account]),
      synthetic_line_items: recordsOf(Array(LINES).fill(line)),
      custodial_line_items: recordsOf([]),
    } as unknown as ReadTx
    const at = tx.now
    const reads = [trialBalanceInSteps(tx, { at }), reconcileInSteps(tx, { at }), accountsInSteps(tx, { at })]
    for (const steps of reads as Steps<unknown>[])
      expect(measureSteps(steps, () => amounts)).toEqual({ total: LINES, most: 1_000 })
  })

  it('ledger.balances adds up 1,000 lines', () => {
    let read = 0
    const account = { uid: 'a', pool_uid: 'p', net_usd_balance: '0.00', opened_at: '2026-01-01T00:00:00.000Z' }
    const lines = Array.from({ length: 5_500 }, (_, n) => ({
      settled_at: new Date(Date.UTC(2026, 1, 1) + n * 1000).toISOString(),
      get us_dollar_amount() {
        read++
        return '1.00'
      },
    }))
    const tx = {
      now: '2026-03-01T00:00:00.000Z',
      synthetic_accounts: { get: () => account },
      synthetic_line_items: { findBy: () => lines },
      transactions: { findBy: () => [] },
    } as unknown as ReadTx
    const steps = balancesInSteps(tx, 'a', {})
    expect(measureSteps(steps, () => read)).toEqual({ total: 5_500, most: 1_000 })
    expect(runToEnd(balancesInSteps(tx, 'a', {})).steps.at(-1)).toMatchObject({ settled: '5500.00' })
  })

  it('customers.map reads 1,000 payments, twice each', () => {
    let read = 0
    const payments = Array.from({ length: 5_500 }, (_, n) => ({
      uid: `t${n}`,
      us_dollar_amount: '1.00',
      status: 'settled',
      rail: 'wire',
      source_synthetic_account_uid: 'outside',
      destination_synthetic_account_uid: 'a',
      wire: { counterparty_name: `Sender ${n}` },
      created_at: '2026-01-01T00:00:00.000Z',
      get settled_at() {
        read++
        return '2026-02-01T00:00:00.000Z'
      },
    }))
    const accounts = [
      { uid: 'a', name: 'A', liability: true, synthetic_account_category: 'general', status: 'active' },
      { uid: 'outside', name: 'Outside', liability: false, synthetic_account_category: 'general', status: 'active' },
    ]
    const tx = {
      now: '2026-03-01T00:00:00.000Z',
      synthetic_accounts: { findBy: () => accounts },
      transactions: { findBy: () => payments },
    } as unknown as ReadTx
    // The first time a payment is read for the balances, too.
    expect(measureSteps(mapInSteps(tx, 'c', {}), () => read)).toEqual({ total: 3 * 5_500, most: 2_000 })
    expect(runToEnd(mapInSteps(tx, 'c', {})).nodes.at(-1)).toMatchObject({ others: 5_470 })
  })

  it('answers validate and print 1,000 items of a long list', () => {
    let read = 0
    const entries = Array.from({ length: 2_500 }, (_, n) => ({
      get name() {
        read++
        return `item ${n}`
      },
      more: n % 2 === 0 ? null : { n },
    }))
    const schema = z.object({ entries: z.array(z.object({ name: z.string(), more: z.unknown() })), more: z.boolean() })
    const value = { entries, more: true }
    expect(measureSteps(parseInSteps(schema, value), () => read)).toEqual({ total: 2_500, most: 1_000 })
    expect(
      measureSteps(
        printInSteps(value, () => {}),
        () => read,
      ),
    ).toEqual({ total: 2_500, most: 1_000 })
    const parsed = runToEnd(parseInSteps(schema, { ...value, unknown: 1 })) as object
    const print = (printed: object) => {
      const pieces: string[] = []
      runToEnd(printInSteps(printed, (piece) => void pieces.push(piece)))
      return pieces
    }
    expect(print(parsed).join('')).toBe(JSON.stringify(schema.parse(value)))
    expect(Math.max(...print(parsed).map((piece) => piece.length))).toBeLessThan(JSON.stringify(parsed).length / 2)
    expect(print({ a: undefined, b: 1 })).toEqual(['{"b":1}'])
    const broken = [...entries.slice(0, 2_400), { name: 1, more: null }]
    expect(() => runToEnd(parseInSteps(schema, { ...value, entries: broken }))).toThrow(/expected string/)
  })

  it('scenarios.list reads one scenario', () => {
    const read = vi.spyOn(files, 'open')
    const { total, most } = measureSteps(libraryOfThree().listInSteps(), () => read.mock.calls.length)
    expect({ total, most }).toEqual({ total: 3, most: 1 })
    read.mockRestore()
  })
})

describe('a call that needs the index of a large collection', () => {
  const NAME = { collection: 'transactions', filters: '?customer_uid=' } as const
  /** The first use of the index on the Customers of Transactions is refused, as if there were many. */
  const refuseOnce = (build: () => void, index = 'customer_uid') => {
    let isBuilt = false
    return vi.spyOn(Shelf.prototype, 'requireIndex').mockImplementation((field) => {
      if (field !== index || isBuilt) return
      throw new IndexMissing(function* () {
        yield
        build()
        isBuilt = true
      })
    })
  }

  it('waits until it is built in steps, and is then answered once', async () => {
    const { sandbox, api, control, customer, fund } = await openBank()
    await fund(customer, '1.00')
    let built = 0
    for (const isRequest of [true, false]) {
      const require = refuseOnce(() => built++)
      const logged = (await control['exchanges.list']({})).total_count
      const found = isRequest
        ? (await api.get(`/${NAME.collection}${NAME.filters}${customer.uid}&unknown=1`)).body
        : await control['records.list']({ collection: NAME.collection, customer_uid: customer.uid })
      expect(found.total_count).toBe(1)
      require.mockRestore()
      const log = await exchangesOf(sandbox)
      expect(log.length - logged).toBe(isRequest ? 1 : 0)
      if (isRequest) expect(log[0]).toMatchObject({ status: 200, hints: 1 })
    }
    expect(built).toBe(2)
  })

  it('is answered from its body as it was sent, also if that is packed', async () => {
    const { api, customer } = await openBank()
    const path = `/synthetic_accounts?customer_uid=${customer.uid}`
    const [account] = (await api.get<{ data: [{ uid: string }] }>(path)).body.data
    const require = refuseOnce(() => {}, 'external_uid')
    const body = {
      external_uid: 'packed',
      source_synthetic_account_uid: account.uid,
      destination_synthetic_account_uid: account.uid,
      initiating_customer_uid: customer.uid,
      usd_transfer_amount: '1.00',
    }
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const answer = await api.call('POST', '/transfers', { raw: gzipSync(JSON.stringify(body)), headers })
    expect(require).toHaveBeenCalled()
    require.mockRestore()
    expectRefusal(answer, 'sameAccounts')
  })

  it('is refused if its trace id was used before, and uses it up once', async () => {
    const { api, customer } = await openBank()
    const require = refuseOnce(() => {})
    const path = `/transactions?customer_uid=${customer.uid}`
    const trace = { headers: { 'x-trace-id': 'waited' } }
    expect((await api.get(path, trace)).status).toBe(200)
    expect((await api.get(path, trace)).status).toBe(409)
    require.mockRestore()
  })
})

it('a list of scenarios leaves out one that is deleted before its step', () => {
  const catalog = libraryOfThree()
  for (const name of ['mine', 'other']) runToEnd(catalog.saveInSteps(name, SCENARIO))
  const list = catalog.listInSteps()
  list.next()
  catalog.delete('other')
  expect(runToEnd(list).map(({ name }) => name)).toEqual(['mine', 'one', 'three', 'two'])
})

it('a list of scenarios shows each as it is at its step, after another that it begins with is saved', () => {
  const catalog = libraryOfThree()
  const text = (given: string) => `name: A scenario${given}\nsteps:\n  - request: GET /customers\n`
  runToEnd(catalog.saveInSteps('mine', text('')))
  runToEnd(catalog.saveInSteps('other', text('\ngiven: { scenario: new }')))
  const infos = () => catalog.listInSteps()
  const troubleOf = (list: readonly ScenarioInfo[]) => list.find(({ name }) => name === 'other')!.trouble
  expect(troubleOf(runToEnd(infos()))).toContain('new')
  const list = infos()
  list.next()
  runToEnd(catalog.saveInSteps('new', text('')))
  expect(troubleOf(runToEnd(list))).toBeNull()
})

const SCENARIO = 'scenario: { name: A scenario }\nsteps:\n  - GET: /customers\n'

function libraryOfThree(): ScenarioCatalog {
  const folder = createTemporaryFolder()
  for (const name of ['one', 'two', 'three']) writeFileSync(join(folder, `${name}.yaml`), SCENARIO)
  return new ScenarioCatalog(folder, null)
}

describe('a recording is read a part at a time', () => {
  const URL = 'http://127.0.0.1:4010/api/v1/customers'
  const entry = JSON.stringify({ startedDateTime: '2026-08-14T14:00:00.000Z', request: { method: 'GET', url: URL } })
  const har = (entries: number) => `{"log":{"version":"1.2","entries":[${Array(entries).fill(entry).join()}]}}`
  const steps = (text: string) => [...readSourceInSteps(text)].length

  it.each([
    ['curl lines, one per step', (n: number) => `curl ${URL}\n`.repeat(n)],
    ['lines of other commands, one per step', (n: number) => `curl ${URL}\n${'a\n'.repeat(n)}`],
    ['the entries of a HAR file, one per step', har],
  ])('%s', (_, text) => {
    // Each is located, too, and its masked values are replaced.
    expect(steps(text(2_000)) - steps(text(1_000))).toBeGreaterThanOrEqual(3_000)
  })

  it.each([
    ['words', (n: number) => `curl ${URL}\n${'a '.repeat(n)}`],
    ['variables in quotes', (n: number) => `curl ${URL}\ncurl ${URL} -d "${'$a'.repeat(n)}"`],
    ['escaped characters', (n: number) => `curl ${URL} -d $'${'\\n'.repeat(n)}'`],
    ['lines of a here-document', (n: number) => `curl ${URL}\ncat <<E\n${'a\n'.repeat(n)}E`],
  ])('one line with many %s, at least 500 per step', (_, text) => {
    const more = steps(text(20_000)) - steps(text(10_000))
    expect(more).toBeGreaterThanOrEqual(10_000 / 500)
    expect(more).toBeLessThan(10_000 / 100)
  })

  it('exchanges.replay reads a recording in a job, so that it can be canceled', async () => {
    const { control } = await openBank()
    const replay = control['exchanges.replay']({ text: `curl ${URL}\n`.repeat(20_000) })
    await new Promise((resolve) => setImmediate(resolve))
    expect(await control['work.cancel']({})).toEqual({ canceled: true })
    await expect(replay).rejects.toThrow()
  })
})

it('a scenario is read 500 tokens per step, and the steps can be run', () => {
  const text = (steps: number) => `name: A\nsteps:\n${'  - advance: P1D\n'.repeat(steps)}`
  const steps = (count: number) => [...readScenarioInSteps(text(count), 'a.yaml')].length
  // Each step of the scenario has ten tokens.
  expect(steps(2_000) - steps(1_000)).toBe(20)
  const saved = new ScenarioCatalog(createTemporaryFolder(), null).saveInSteps('mine', text(1_000))
  expect(runToEnd(saved)).toMatchObject({ steps: 1_000, trouble: null })
})
