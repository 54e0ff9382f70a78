import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../src/api/contract/endpoints.ts'
import type { Customer } from '../src/api/contract/resources/customers.ts'
import type { SyntheticAccount } from '../src/api/contract/resources/synthetic-accounts.ts'
import { demoSteps } from '../src/api/domain/demo.ts'
import { seedWorld } from '../src/api/domain/seed.ts'
import type { SandboxOptions } from '../src/api/sandbox.ts'
import { emptyWorld, type World } from '../src/api/store/world.ts'
import { simulatePast } from '../src/api/time/past.ts'
import { taskRunners as tasks } from '../src/api/time/tasks.ts'
import { toCents } from './support/cents.ts'
import type { Listed } from './support/customers.ts'
import { startSandbox, type TestSandbox } from './support/sandbox.ts'
import { canonical } from './support/world.ts'

/** The demo world has a month of history before its start, whenever it starts. */

const starts = [
  ['a plain Friday', '2026-08-14T14:00:00.000Z'],
  ['a Saturday', '2026-08-15T14:00:00.000Z'],
  ['a Sunday night', '2026-08-16T03:59:59.999Z'],
  ['the close of a business day', '2026-08-14T00:00:00.000Z'],
  ['a millisecond before a close', '2026-08-13T23:59:59.999Z'],
  ['a settlement of ACH', '2026-08-17T12:30:00.000Z'],
  ['Thanksgiving', '2026-11-26T17:00:00.000Z'],
  ['the Friday after Thanksgiving', '2026-11-27T21:00:00.000Z'],
  ['a month after Thanksgiving', '2026-12-26T12:00:00.000Z'],
  ['Christmas', '2026-12-25T15:00:00.000Z'],
  ['the first midnight of a year in New York', '2027-01-01T05:00:00.000Z'],
  ['the first midnight of a year in UTC', '2027-01-01T00:00:00.000Z'],
  ['the Monday of a holiday moved from Sunday', '2027-07-05T16:00:00.000Z'],
  ['a month that begins in winter and ends in summer time', '2027-03-28T18:00:00.000Z'],
  ['the hour that summer time leaves out', '2027-03-14T07:00:00.000Z'],
  ['the hour that comes twice in autumn', '2026-11-01T06:30:00.000Z'],
  ['a leap day', '2028-02-29T23:00:00.000Z'],
  ['a day long ago', '2000-01-03T10:00:00.000Z'],
  ['a night far ahead', '2099-12-31T23:59:59.000Z'],
] as const

/** A sandbox that no test changes. */
const demo = (start: string, options: Partial<SandboxOptions> = {}) =>
  startSandbox({ world: 'demo', start: Date.parse(start), ...options })

/** Every list of the API. */
const lists = Object.values(endpoints).filter(({ method, path }) => method === 'GET' && !path.includes('{'))

const ENDS = ['settled', 'failed', 'canceled', 'authorization_denied', 'completed']

describe('the demo world', () => {
  it.each(starts)(
    'started on %s (%s): no failed task, balanced books, no unfinished payment, the clock at its start',
    async (_, start) => {
      const sandbox = await demo(start)
      const clock = {
        now: start,
        mode: 'frozen',
        pace: 'fast',
        paces: ['fast', 'real'],
        break_on: null,
        next: null,
        due: 0,
      }
      expect(await sandbox.call('clock.read', {})).toEqual({ ok: true, value: clock })
      expect(await sandbox.call('tasks.list', {})).toMatchObject({
        ok: true,
        value: { tasks: [{ kind: 'close of day', recurring: true, held: false, failed: null }] },
      })
      const proof = await sandbox.call('ledger.check', {})
      expect(proof).toMatchObject({ ok: true, value: { balanced: true, problems: [] } })

      const { transfers, transactions, returns, combined_transfers, ...others } = sandbox.store.world.collections
      for (const { uid, status } of [transfers, transactions, returns, combined_transfers].flatMap((all) => [
        ...(all.inOrder() as readonly { uid: string; status: string }[]),
      ]))
        expect(ENDS, `${uid} is ${status}`).toContain(status)
      for (const account of [...others.synthetic_accounts.inOrder(), ...others.custodial_accounts.inOrder()])
        expect(['0.00', null]).toContain(account.net_usd_pending_balance)

      // A month of history that ends at the start.
      const times = [...transactions.inOrder(), ...others.customers.inOrder()].flatMap((record) => [
        record.created_at,
        ...('settled_at' in record && record.settled_at ? [record.settled_at] : []),
      ])
      expect(times.filter((time) => time > start)).toEqual([])
      const days = (Date.parse(start) - Math.min(...times.map((time) => Date.parse(time)))) / 86_400_000
      expect(days).toBeGreaterThan(28)
      expect(days).toBeLessThan(32)
      expect(sandbox.told).toEqual([])
    },
  )

  it.each(starts)(
    'started on %s (%s): a row in every list, and businesses that can pay by every rail',
    async (_, start) => {
      const api = (await demo(start)).client()
      for (const { path } of lists) {
        const { status, body } = await api.get<Listed>(path)
        expect({ path, status }).toEqual({ path, status: 200 })
        expect(body.data.length, path).toBeGreaterThan(0)
      }

      const businesses = (await api.get<{ data: Customer[] }>('/customers?customer_type=sole_proprietor&status=active'))
        .body
      expect(businesses.data.length).toBeGreaterThanOrEqual(2)
      for (const { uid, locked_at } of businesses.data) {
        expect(locked_at).toBeNull()
        const { data } = (
          await api.get<{ data: SyntheticAccount[] }>(`/synthetic_accounts?customer_uid=${uid}&status=active`)
        ).body
        const rich = data.filter(
          ({ liability, net_usd_available_balance: has }) => liability && has && toCents(has) > 100_000n,
        )
        expect(rich.length, 'general accounts above 1000.00').toBeGreaterThanOrEqual(2)
        for (const category of ['ach_external', 'wire_external', 'instant_payment_external'])
          expect(
            data
              .filter((one) => one.synthetic_account_category === category && !isTriggered(one))
              .map(({ name }) => name),
            category,
          ).not.toEqual([])
      }
    },
  )

  it('is the same for the same seed and start, and has other uids for another seed', async () => {
    const [, start] = starts[0]
    const one = await demo(start)
    const two = await demo(start)
    expect(canonical(two.store.world)).toBe(canonical(one.store.world))
    const other = await demo(start, { seed: 'another' })
    const uids = ({ store }: TestSandbox) => store.world.collections.customers.inOrder().map(({ uid }) => uid)
    expect(uids(other)).toHaveLength(3)
    expect(uids(other).filter((uid) => uids(one).includes(uid))).toEqual([])
  })

  it('has these payments and balances: recordings, scenarios and pictures rely on them', () => {
    const { transactions, synthetic_accounts } = createDemoWorld(new Date(starts[0][1])).collections
    expect(
      transactions
        .inOrder()
        .map((one) => [one.created_at, one.type, one.us_dollar_amount, one.status, one.settled_at].join(' ')),
    ).toMatchSnapshot()
    expect(
      synthetic_accounts.inOrder().map((one) => [one.name, one.status, one.net_usd_available_balance].join(' ')),
    ).toMatchSnapshot()
  })

  it('has the same history at every pace', async () => {
    const [, start] = starts[0]
    const past = async (options: Partial<SandboxOptions>) => {
      const { clock: _, ...rest } = JSON.parse(canonical((await demo(start, options)).store.world)) as { clock: object }
      return rest
    }
    expect(JSON.stringify(await past({ pace: 'real' }))).toBe(JSON.stringify(await past({ pace: 'fast' })))
  })
})

/** Whether its name or its number forces an outcome: a name that begins with "fail", an ending 99NN, 98NN or 9NNN. */
const isTriggered = ({ name, ach, wire, instant_payment, account_number_last_four }: SyntheticAccount): boolean => {
  const party = ach ?? wire ?? instant_payment
  return (
    [name, party?.counterparty_name].some((text) => /^\s*fail/i.test(text ?? '')) ||
    /^9/.test(account_number_last_four ?? '9')
  )
}

/** Creates the world without a sandbox. */
function createDemoWorld(start: Date): World {
  const world = emptyWorld('test', start.toISOString())
  simulatePast({ world, clock: { mode: 'frozen', pace: 'fast' }, seed: seedWorld, tasks, steps: demoSteps })
  return world
}

it('the Customer of the first payment in the README is the same on every day', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const uid = /customer_uid=(\w{16})/.exec(readme)![1]!
  // Weekdays, a weekend, before and after holidays, the turn of the year.
  for (const day of [
    '2026-07-03',
    '2026-11-15',
    '2026-11-26',
    '2026-11-27',
    '2026-12-26',
    '2027-01-01',
    '2027-01-20',
  ]) {
    const sandbox = await startSandbox({ world: 'demo', seed: 'sandbank', start: Date.parse(`${day}T02:57:00Z`) })
    const { body } = await sandbox.client().get<{ status: string }>(`/customers/${uid}`)
    expect(body.status, day).toBe('active')
  }
})
