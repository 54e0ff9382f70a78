import { describe, expect, it, vi } from 'vitest'
import type { Advance, LedgerProof, Notice } from '../../src/api/contract/control.ts'
import { CreateTransfer } from '../../src/api/contract/resources/transfers.ts'
import { initiate } from '../../src/api/domain/resources/transfers.ts'
import { ACH, payments } from '../support/payments.ts'
import { START } from '../support/sandbox.ts'
import { canonical } from '../support/world.ts'

/**
 * Advancing 60 business days with 10,000 pending payments finishes with progress notices, can be canceled half-way
 * leaving a consistent world, and the API answers other requests while it runs.
 */

const PAYMENTS = 10_000
const DAY = 86_400_000
/** So far ahead an entry may be dated. */
const DAYS_AHEAD = 30
const GOAL = { business_days: 60 } as const

/** 10,000 ACH payments on their way at the pace of the banks, dated over a month, of which some come back. */
async function busy() {
  const it = await payments()
  const { sandbox, api } = it
  const customer = await it.customer()
  await it.fund(customer, '100000.00')
  const numbers = { routing_number: '021000021', account_number: '7000010' }
  const mill = await it.account(customer, 'ach_external', { ...numbers, name: 'Mill' })
  const bouncing = await it.account(customer, 'ach_external', {
    ...numbers,
    name: 'Bouncing',
    account_number: '70009901',
  })
  const unlimited = { minimum_amount: '0.01', maximum_amount: null, daily_amount: null, daily_count: null }
  await it.configure({ limits: { ach: unlimited, wire: unlimited, instant_payment: unlimited } })
  await sandbox.call('clock.set', { pace: 'real' })
  for (let from = 0; from < PAYMENTS; from += 1_000)
    sandbox.store.transact(api.program.uid, { door: 'operator', name: 'test' }, (tx) => {
      for (let i = from; i < from + 1_000; i++) {
        const effective_entry_date = new Date(START + (i % DAYS_AHEAD) * DAY).toISOString().slice(0, 10)
        const to = i % 100 === 0 ? bouncing : mill
        const ach = { ...ACH, effective_entry_date }
        initiate(tx, CreateTransfer.parse(it.transferOf(customer, customer.master, to, '1.00', { ach })))
      }
    })
  const ask = async <T>(name: string, input: object = {}) => {
    const reply = await sandbox.call(name, input)
    expect(reply).toMatchObject({ ok: true })
    return (reply as { value: T }).value
  }
  const count = (status: string) =>
    sandbox.store.world.collections.transactions.inOrder().filter((one) => one.status === status).length
  expect(count('queued')).toBe(PAYMENTS)
  const heard: Extract<Notice, { type: 'progress' }>[] = []
  sandbox.subscribe((notice) => {
    if (notice.type === 'progress') heard.push(notice)
  })
  const prove = async () => {
    const { balanced, problems, checked } = await ask<LedgerProof>('ledger.check')
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

describe('60 business days with 10,000 pending payments', () => {
  it('it finishes with progress notices, and requests are answered while it runs; canceled and gone on with, it comes to the same world', {
    timeout: 180_000,
  }, async () => {
    const whole = await busy()
    const advancing = whole.ask<Advance>('clock.advance', GOAL)
    let running = true
    void advancing.finally(() => (running = false))
    const statuses: number[] = []
    const times = new Set<string>()
    const { uid } = whole.customer
    while (running) {
      const [read, clock] = await Promise.all([
        whole.api.get(`/customers/${uid}`),
        whole.ask<{ now: string }>('clock.read'),
      ])
      // Eight hours of a token's life may be over between its issue and its use, so quickly does time pass.
      expect([200, 401]).toContain(read.status)
      statuses.push(read.status)
      times.add(clock.now)
    }
    const { ran, fired, from, to } = await advancing
    expect(statuses.length, 'requests in between').toBeGreaterThan(5)
    expect(statuses).toContain(200)
    expect(times.size, 'and they saw time pass').toBeGreaterThan(5)
    expect(ran).toBe(fired.length)
    expect(ran).toBeGreaterThan(2 * PAYMENTS)
    expect(fired.filter(({ outcome }) => outcome.startsWith('failed'))).toEqual([])
    expect(fired.map(({ at }) => at)).toEqual(fired.map(({ at }) => at).toSorted())
    expect((await whole.ask<{ now: string }>('clock.read')).now).toBe(to)

    expect(whole.count('queued') + whole.count('pending')).toBe(0)
    const returned = PAYMENTS / 100
    // The funding, the payments, and those that came back.
    expect(whole.count('settled')).toBe(1 + PAYMENTS + returned)
    expect(await whole.balances(whole.customer.master)).toMatchObject({
      balance: `${100_000 - PAYMENTS + returned}.00`,
      pending: '0.00',
    })
    const checked = await whole.prove()
    expect(checked.transactions).toBe(1 + PAYMENTS + returned)
    whole.consistent()

    const notices = whole.heard
    expect(notices.length).toBeGreaterThan(10)
    expect(notices.at(-1)).toMatchObject({ from, to, now: to, ran, left: 0, done: true })
    expect(notices.filter(({ done }) => done)).toHaveLength(1)
    for (const [i, notice] of notices.entries()) {
      expect(notice).toMatchObject({ from, to })
      if (i > 0) expect(notice.ran).toBeGreaterThanOrEqual(notices[i - 1]!.ran)
      if (i > 0) expect(notice.now >= notices[i - 1]!.now).toBe(true)
    }

    const parts = await busy()
    const first = parts.ask<Advance>('clock.advance', GOAL)
    await vi.waitFor(() => expect(parts.count('settled')).toBeGreaterThan(PAYMENTS / 3), {
      timeout: 30_000,
      interval: 5,
    })
    expect(await parts.ask('clock.cancel')).toEqual({ canceled: true })
    const halfWay = await first
    expect(halfWay.ran).toBeGreaterThan(0)
    expect(halfWay.ran).toBeLessThan(ran)
    expect(halfWay.fired).toEqual(fired.slice(0, halfWay.ran))
    expect(halfWay.to, 'it stands at the task that it did last').toBe(halfWay.fired.at(-1)!.at)
    expect(parts.heard.at(-1)).toMatchObject({ done: true, ran: halfWay.ran, now: halfWay.to, to })
    expect(parts.heard.at(-1)!.left).toBeGreaterThan(0)
    await parts.prove()
    parts.consistent()
    expect((await parts.api.get('/customers')).status).toBe(200)

    const rest = await parts.ask<Advance>('clock.advance', { to })
    // What else was due at the instant of the canceling was run by the next door, whoever came through it.
    expect(halfWay.ran + rest.ran).toBeLessThanOrEqual(ran)
    expect(rest.fired).toEqual(fired.slice(-rest.ran))
    await parts.prove()
    expect(canonical(parts.sandbox.store.world) === canonical(whole.sandbox.store.world)).toBe(true)
  })
})
