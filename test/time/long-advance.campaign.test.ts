import { describe, expect, it, vi } from 'vitest'
import type { Advance } from '../../src/api/contract/control/clock.ts'
import type { LedgerCheck } from '../../src/api/contract/control/ledger.ts'
import type { Notice } from '../../src/api/contract/control/notices.ts'
import { CreateTransfer } from '../../src/api/contract/resources/transfers.ts'
import { initiate } from '../../src/api/domain/resources/transfers.ts'
import { campaignSize, isLong } from '../support/campaign.ts'
import { createAsker } from '../support/operator.ts'
import { ACH, setUpPayments } from '../support/payments.ts'
import { START } from '../support/sandbox.ts'
import { canonical } from '../support/world.ts'

/**
 * Advancing 60 business days with many pending payments finishes with progress notices, can be canceled half-way
 * leaving a consistent world, and the API answers other requests while it runs.
 */

const PAYMENTS = campaignSize(2_000, 10_000)
/** The rest of the advance lasts for more than so many requests. */
const REQUESTS = campaignSize(0, 5)
const DAY = 86_400_000
/** So far ahead an entry may be dated. */
const DAYS_AHEAD = 30
const GOAL = { business_days: 60 } as const

/** ACH payments on their way at the pace of the banks, dated over a month, of which one in a hundred comes back. */
async function busy(wanted: number) {
  const it = await setUpPayments()
  const { sandbox, api } = it
  const customer = await it.customer()
  await it.fund(customer, '100000.00')
  const numbers = { routing_number: '021000021', account_number: '7000010' }
  const mill = await it.account(customer, 'ach_external', { ...numbers, name: 'Mill' })
  const bouncing = await it.account(customer, 'ach_external', {
    ...numbers,
    name: 'Bouncing',
    account_number: '70009902',
  })
  const unlimited = { minimum_amount: '0.01', maximum_amount: null, daily_amount: null, daily_count: null }
  await it.configure({ limits: { ach: unlimited, wire: unlimited, instant_payment: unlimited } })
  await sandbox.call('clock.set', { pace: 'real' })
  for (let from = 0; from < wanted; from += 1_000)
    sandbox.store.transact(api.program.uid, { door: 'operator', name: 'test' }, (tx) => {
      for (let i = from; i < from + 1_000; i++) {
        const effective_entry_date = new Date(START + (i % DAYS_AHEAD) * DAY).toISOString().slice(0, 10)
        const to = i % 100 === 0 ? bouncing : mill
        const ach = { ...ACH, effective_entry_date }
        initiate(tx, CreateTransfer.parse(it.transferOf(customer, customer.master, to, '1.00', { ach })))
      }
    })
  const ask = createAsker(sandbox)
  const count = (status: string) =>
    sandbox.store.world.collections.transactions.inOrder().filter((one) => one.status === status).length
  expect(count('queued')).toBe(wanted)
  const heard: Extract<Notice, { type: 'progress' }>[] = []
  sandbox.subscribe((notice) => {
    if (notice.type === 'progress') heard.push(notice)
  })
  const prove = async () => {
    const { balanced, problems, checked } = await ask<LedgerCheck>('ledger.check')
    expect({ balanced, problems }).toEqual({ balanced: true, problems: [] })
    return checked
  }
  /** No payment half done, no Transfer apart from its Transaction, a task for each that is on its way. */
  const consistent = () => {
    const { transactions, transfers, tasks, synthetic_line_items } = sandbox.store.world.collections
    const waiting = new Map<string, number>()
    for (const { subject_uid } of tasks.inOrder())
      if (subject_uid !== null) waiting.set(subject_uid, (waiting.get(subject_uid) ?? 0) + 1)
    const lines = new Map<string, number>()
    for (const { transaction_uid } of synthetic_line_items.inOrder())
      lines.set(transaction_uid, (lines.get(transaction_uid) ?? 0) + 1)
    for (const { uid, status, transfer_uid, original_transaction_uid } of transactions.inOrder()) {
      const expected = { queued: [2, undefined], pending: [1, undefined], settled: [undefined, 2] }[status as 'queued']
      if (status !== 'settled') expect([status, waiting.get(uid)]).toEqual([status, expected[0]])
      expect([status, lines.get(uid)]).toEqual([status, expected[1]])
      if (transfer_uid !== null && original_transaction_uid === undefined)
        expect(transfers.get(transfer_uid)!.status).toBe(status)
    }
  }
  return { ...it, ask, count, heard, prove, consistent, customer }
}

type Busy = Awaited<ReturnType<typeof busy>>

/** Begins to advance, and takes it back when a third is settled. */
async function halfWay({ ask, count }: Busy, payments: number) {
  const advancing = ask<Advance>('clock.advance', GOAL)
  await vi.waitFor(() => expect(count('settled')).toBeGreaterThan(payments / 3), { timeout: 600_000, interval: 5 })
  expect(await ask('clock.cancel')).toEqual({ canceled: true })
  return advancing
}

describe(`60 business days with ${PAYMENTS.toLocaleString('en')} pending payments`, () => {
  it('canceled half-way it leaves a consistent world; it finishes with progress notices, and requests are answered while it runs', {
    timeout: 600_000,
  }, async () => {
    const world = await busy(PAYMENTS)
    const part = await halfWay(world, PAYMENTS)
    expect(part.ran).toBeGreaterThan(0)
    expect(part.to, 'it stands at the task that it did last').toBe(part.fired.at(-1)!.at)
    const [goal] = world.heard
    expect(world.heard.at(-1)).toMatchObject({ done: true, ran: part.ran, now: part.to, to: goal!.to })
    expect(world.heard.at(-1)!.left).toBeGreaterThan(0)
    expect(world.count('settled')).toBeLessThan(PAYMENTS)
    await world.prove()
    world.consistent()
    expect((await world.api.get('/customers')).status).toBe(200)

    const before = world.heard.length
    const advancing = world.ask<Advance>('clock.advance', { to: goal!.to })
    let running = true
    void advancing.finally(() => (running = false))
    const statuses: number[] = []
    const times = new Set<string>()
    const { uid } = world.customer
    const readWhileRunning = async () => {
      while (running) {
        const [read, clock] = await Promise.all([
          world.api.get(`/customers/${uid}`),
          world.ask<{ now: string }>('clock.read'),
        ])
        // A token lives for eight hours of simulated time, which may pass between its issue and its use.
        expect([200, 401]).toContain(read.status)
        statuses.push(read.status)
        times.add(clock.now)
      }
    }
    // Several readers: on a fast machine one of them gets too few answers before the advance ends.
    await Promise.all([readWhileRunning(), readWhileRunning(), readWhileRunning(), readWhileRunning()])
    const { ran, fired, from, to } = await advancing
    expect(statuses.length, 'requests in between').toBeGreaterThan(REQUESTS)
    if (isLong) expect(statuses).toContain(200)
    expect(times.size, 'and they saw time pass').toBeGreaterThan(REQUESTS)
    expect(ran).toBe(fired.length)
    // What else was due at the instant of the canceling was run by the request that followed.
    expect(part.ran + ran).toBeGreaterThan(1.9 * PAYMENTS)
    expect([...part.fired, ...fired].filter(({ outcome }) => outcome.startsWith('failed'))).toEqual([])
    const instants = [...part.fired, ...fired].map(({ at }) => at)
    expect(instants).toEqual(instants.toSorted())
    expect((await world.ask<{ now: string }>('clock.read')).now).toBe(to)

    expect(world.count('queued') + world.count('pending')).toBe(0)
    const returned = PAYMENTS / 100
    // The funding, the payments, and those that came back.
    expect(world.count('settled')).toBe(1 + PAYMENTS + returned)
    expect(await world.balances(world.customer.master)).toMatchObject({
      balance: `${100_000 - PAYMENTS + returned}.00`,
      pending: '0.00',
    })
    const checked = await world.prove()
    expect(checked.transactions).toBe(1 + PAYMENTS + returned)
    world.consistent()

    const notices = world.heard.slice(before)
    if (isLong) expect(notices.length, 'some before the last').toBeGreaterThan(1)
    expect(notices.at(-1)).toMatchObject({ from, to, now: to, ran, left: 0, done: true })
    expect(notices.filter(({ done }) => done)).toHaveLength(1)
    for (const [i, notice] of notices.entries()) {
      expect(notice).toMatchObject({ from, to })
      if (i > 0) expect(notice.ran).toBeGreaterThanOrEqual(notices[i - 1]!.ran)
      if (i > 0) expect(notice.now >= notices[i - 1]!.now).toBe(true)
    }
  })
})

it('an advance that is canceled and gone on with comes to the world of one that is not', async () => {
  const payments = 1_000
  const whole = await busy(payments)
  const { ran, fired, to } = await whole.ask<Advance>('clock.advance', GOAL)
  const parts = await busy(payments)
  const part = await halfWay(parts, payments)
  expect(part.ran).toBeGreaterThan(0)
  expect(part.ran).toBeLessThan(ran)
  expect(part.fired).toEqual(fired.slice(0, part.ran))
  parts.consistent()
  const rest = await parts.ask<Advance>('clock.advance', { to })
  // What else was due at the instant of the canceling was run by the next door, whoever came through it.
  expect(part.ran + rest.ran).toBeLessThanOrEqual(ran)
  expect(rest.fired).toEqual(fired.slice(-rest.ran))
  await parts.prove()
  expect(canonical(parts.sandbox.store.world) === canonical(whole.sandbox.store.world)).toBe(true)
})
