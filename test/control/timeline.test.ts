import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { call, expectRefusedCall } from '../support/operator.ts'
import { openBank, openOperator } from '../support/operator-sandbox.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'

describe('records.story', () => {
  async function openWithHistory() {
    const it = await openBank()
    const other = await it.anotherCustomer()
    await it.fund(it.customer, '100.00')
    await it.fund(other, '7.77')
    const { uid: transaction_uid } = await it.send('30.00')
    await it.advance({ until: 'idle' })
    const path = `/customers/${it.customer.uid}`
    expect((await it.api.call('PUT', path, { json: { customer_type: 'secondary' } })).status).toBe(422)
    await it.advance({ by: 'P3D' })
    const story = async (limit?: number) =>
      (await it.control['records.story']({ uid: it.customer.uid, ...(limit ? { limit } : {}) })).entries
    return { ...it, other, transaction_uid, path, story }
  }

  it('lists requests, states, money and clock changes, newest first, each with its commit and cause', async () => {
    const { story, transaction_uid, other, control, path, customer } = await openWithHistory()
    const entries = await story()
    const times = entries.map((entry) => entry.at)
    expect(times).toEqual(times.toSorted().reverse())
    expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(['request', 'state', 'money', 'time', 'record']))
    const texts = entries.map(({ text }) => text)
    expect(texts.filter((text) => /Synthetic Account": .* → /.test(text))).toEqual([
      'synthetic account "Primary Synthetic Account": 100.00 → 70.00',
      'synthetic account "Primary Synthetic Account": available 100.00 → 70.00',
      'synthetic account "Primary Synthetic Account": 0.00 → 100.00',
    ])
    const states = entries.filter(({ uid }) => uid === transaction_uid)
    expect(states.map(({ kind, cause }) => [kind, cause?.name])).toEqual([
      ['state', 'finish payment'],
      ['state', 'send payment'],
      ['money', 'POST /transfers'],
    ])
    expect(entries.at(-1)).toMatchObject({ kind: 'request', text: 'POST /customers', cause: { door: 'request' } })

    const refusal = entries.find(({ seq }) => seq === null)!
    expect(refusal).toMatchObject({ kind: 'request', cause: { door: 'request', name: `PUT ${path}` } })
    expect(refusal.text).toMatch(/^PUT \/customers\/\w+ → 422: /)
    const exchange = await control['exchanges.get']({ uid: refusal.cause!.exchange! })
    expect(exchange.status).toBe(422)

    const { commits } = await control['records.history']({ collection: 'customers', uid: customer.uid })
    for (const { seq } of commits) expect(entries.some((entry) => entry.seq === seq)).toBe(true)
    expect(JSON.stringify(entries), 'no data of other Customers').not.toMatch(new RegExp(`${other.uid}|7\\.77`))
  })

  it('limit returns only the newest entries', async () => {
    const { story, sandbox, control, customer } = await openWithHistory()
    const all = await story()
    expect(all.length).toBeGreaterThan(15)
    for (const limit of [1, 7]) expect(await story(limit)).toEqual(all.slice(0, limit))
    await expectRefusedCall(
      sandbox,
      () => control['records.story']({ uid: customer.uid, limit: 0 }),
      'invalidArgument',
      /^limit: /,
    )
  })

  it('each jump of the clock is one entry, from its start to its end', async () => {
    const { story, control } = await openWithHistory()
    const { from, to } = await control['clock.advance']({ business_days: 1 })
    const [jump] = (await story()).filter(({ kind }) => kind === 'time')
    expect(jump).toMatchObject({ at: to, text: `the clock went from ${from} to ${to}` })
  })

  it('also a jump that ends exactly at a task', async () => {
    const { story, control, api, customer } = await openWithHistory()
    const mock = { transaction_type: 'wire', customer_uid: customer.uid, us_dollar_amount: 1 }
    expect((await api.post('/sandbox/mock_transactions', mock)).status).toBe(201)
    const { from, to, fired } = await control['clock.advance']({ until: 'next' })
    expect(fired.at(-1)?.at).toBe(to)
    const [jump] = await story()
    expect(jump).toMatchObject({ kind: 'time', at: to, text: `the clock went from ${from} to ${to}` })
    await control['clock.advance']({ to })
    expect((await story())[0], 'no time has passed').toEqual(jump)
  })

  it('time that ran by itself until a freeze or the end of the sandbox is no jump; an advance of a running clock is', async () => {
    const data = mkdtempSync(join(tmpdir(), 'sandbank-test-'))
    onTestFinished(() => rmSync(data, { recursive: true, force: true }))
    const first = await startSandbox({ data, world: 'demo', clock: 'running' })
    const jumpsOf = async (sandbox: TestSandbox) => {
      const { commits } = await call(sandbox, 'world.commits', { limit: 1_000 })
      return commits.flatMap(({ moved, cause }) => (moved ? [cause.name] : []))
    }
    const before = await jumpsOf(first)
    await setTimeout(30)
    await call(first, 'clock.set', { mode: 'frozen' })
    await call(first, 'clock.set', { mode: 'running' })
    await setTimeout(30)
    expect(await jumpsOf(first)).toEqual(before)
    await call(first, 'clock.advance', { by: 'PT1H' })
    await setTimeout(30)
    await first.close()
    expect(await jumpsOf(await startSandbox({ data }))).toEqual(['clock.advance', ...before])
  })

  it('leaves out refused requests of an abandoned branch, and contains those before it', async () => {
    const { story, control, api, path, sandbox } = await openWithHistory()
    const refuse = async (n: number) =>
      expect((await api.call('PUT', `${path}?n=${n}`, { json: { customer_type: 'secondary' } })).status).toBe(422)
    const told = async () =>
      (await story())
        .filter(({ seq, text }) => seq === null && text.includes('→ 422'))
        .map(({ text }) => /n=(\d)/.exec(text)?.[1] ?? 'first')
    const { seq } = sandbox.store.world
    await refuse(1)
    await control['clock.advance']({ by: 'P1D' })
    await refuse(2)
    const { seq: later } = sandbox.store.world
    await control['world.rewind']({ seq })
    await refuse(3)
    expect(await told()).toEqual(['3', '1', 'first'])
    // Undoing the rewind abandons the commits that followed it.
    await control['world.rewind']({ seq: later })
    await refuse(4)
    expect(await told()).toEqual(['4', '2', '1', 'first'])
  })

  it('refuses an unknown Customer', async () => {
    const { refused, control } = await openOperator()
    await refused(() => control['records.story']({ uid: 'x' }), 'routeNotFound', 'customers holds no record x')
  })
})
