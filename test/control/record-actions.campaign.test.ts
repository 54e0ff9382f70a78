import { describe, expect, onTestFinished } from 'vitest'
import { Run } from '../../bench/simulate/run.ts'
import { moneyPlanOf } from '../../bench/simulate/simulate.ts'
import { enterSimulation, SimulatedHost } from '../../bench/simulate/simulated-host.ts'
import type { RecordAction } from '../../src/api/contract/control/requests.ts'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import type { ErrorBody } from '../../src/api/contract/error-body.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import { campaignSize } from '../support/campaign.ts'
import { call } from '../support/operator.ts'
import { openBank } from '../support/operator-sandbox.ts'
import { it, startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { canonical } from '../support/world.ts'

/** requests.try and records.actions, against what the API then answers. */

const COLLECTIONS = [
  'customers',
  'synthetic_accounts',
  'virtual_reference_numbers',
  'transfers',
  'transactions',
] as const

type Uids = readonly { readonly uid: string }[]

async function listAll(sandbox: TestSandbox, collection: string): Promise<Uids> {
  const input = { collection, limit: 1000, include_zero: true, include_initiated: true }
  const filters = { transactions: 'include_zero', customers: 'include_initiated' } as Record<string, string>
  const wanted = Object.fromEntries(
    Object.entries(input).filter(([name]) => !name.startsWith('include') || filters[collection] === name),
  )
  const { data } = await call(sandbox, 'records.list', wanted as never)
  return data as unknown as Uids
}

/** Sends what the action has filled in, as a client does. */
function send(sandbox: TestSandbox, { endpoint, params, body }: RecordAction) {
  const { method, path, body: schema } = endpoints[endpoint] as Endpoint
  return sandbox.client().call(method, path.replace('{uid}', params.uid ?? ''), schema ? { json: body } : {})
}

/** A parameter is missing. */
const INCOMPLETE = 1003

/** Each action of each record: what was said about it, and what the API answers. */
async function compareActions(sandbox: TestSandbox) {
  const { seq } = await call(sandbox, 'world.describe', {})
  const wrong: string[] = []
  const counts = { offered: 0, refused: 0 }
  for (const collection of COLLECTIONS)
    for (const { uid } of await listAll(sandbox, collection)) {
      const before = canonical(sandbox.store.world)
      const { actions } = await call(sandbox, 'records.actions', { collection, uid })
      expect(canonical(sandbox.store.world) === before, 'nothing has changed').toBe(true)
      for (const action of actions) {
        const { status, body, text } = await send(sandbox, action)
        await call(sandbox, 'world.rewind', { seq })
        const [error] = (body as Partial<ErrorBody> | undefined)?.errors ?? []
        if (action.refused?.code === INCOMPLETE) wrong.push(`${action.title} ${uid} is not filled in: ${text}`)
        counts[action.refused ? 'refused' : 'offered']++
        if (error?.code !== action.refused?.code || (error?.extra ?? null) !== (action.refused?.extra ?? null))
          wrong.push(`${action.title} ${uid}, said ${JSON.stringify(action.refused)}: ${status} ${text}`)
      }
    }
  return { wrong, counts }
}

/** Some actions of some records, one after the other; and some decisions, which are legal as listed. */
async function tryActions(host: SimulatedHost, counts: { offered: number; refused: number }) {
  const { random } = host
  for (let n = 0; n < 40; n++) {
    const records = host.records().filter(([name]) => (COLLECTIONS as readonly string[]).includes(name))
    const all = records.flatMap(([collection, list]) => list.map(({ uid }) => ({ collection, uid })))
    const record = random.pick(all)
    if (random.chance(0.2)) await tryDecision(host, record)
    const { actions } = (await host.call('records.actions', record))!.value as { actions: RecordAction[] }
    const asked = actions.length === 0 ? undefined : random.pick(actions)
    // An archived Customer has no more actions, so the world is not archived at once.
    if (!asked || (asked.id === 'archive' && random.chance(0.75))) continue
    const { endpoint, params, body, refused, title } = asked
    const { method, path, body: schema } = endpoints[endpoint] as Endpoint
    const answer = await host.request(
      method,
      path.replace('{uid}', params.uid ?? ''),
      `action-${n}`,
      schema ? (body as object) : undefined,
    )
    const [error] = (answer?.body?.errors ?? []) as ErrorBody['errors']
    const told = refused && { code: refused.code, extra: refused.extra ?? null }
    expect(error ? { code: error.code, extra: error.extra ?? null } : null, title).toEqual(told)
    expect(told?.code, 'filled in').not.toBe(INCOMPLETE)
    counts[told ? 'refused' : 'offered']++
  }
}

async function tryDecision(host: SimulatedHost, record: { readonly collection: string; readonly uid: string }) {
  const { moves } = (await host.call('moves.list', record))!.value
  if (moves.length === 0) return
  const { move, legal, inputs: fields } = host.random.pick(moves as readonly Decision[])
  const inputs = Object.fromEntries(
    fields.filter(({ required }) => required).map(({ name, values }) => [name, values?.[0] ?? 'asked for']),
  )
  expect(await host.call('moves.make', { ...record, move, inputs }), move).toMatchObject({ ok: legal })
}

interface Decision {
  readonly move: string
  readonly legal: boolean
  readonly inputs: readonly { readonly name: string; readonly required: boolean; readonly values?: string[] }[]
}

describe('records.actions', () => {
  it('says of each action of each record of the demo world what the API then answers to it as it is filled in', async () => {
    const sandbox = await startSandbox({ world: 'demo', start: Date.parse('2026-11-24T16:21:02Z') })
    const { wrong, counts } = await compareActions(sandbox)
    expect(wrong).toEqual([])
    expect(counts.offered).toBeGreaterThan(30)
    expect(counts.refused).toBeGreaterThan(30)
  })

  it.each(['P1D', '2 banking days', '8 business days'])(
    'says the same after %s, when deadlines have passed',
    async (text) => {
      const sandbox = await startSandbox({ world: 'demo', start: Date.parse('2026-11-24T16:21:02Z') })
      await call(sandbox, 'clock.advance', { text })
      const { wrong } = await compareActions(sandbox)
      expect(wrong).toEqual([])
    },
  )

  it('says of actions in random worlds what is then answered, one after the other', { timeout: 600_000 }, async () => {
    const counts = { offered: 0, refused: 0 }
    onTestFinished(enterSimulation())
    for (let n = 0; n < campaignSize(10, 150); n++) {
      const plan = { ...moneyPlanOf(`actions-${n}`, 12), compareEvery: 1_000 }
      const host = new SimulatedHost(plan)
      const problem = await new Run(plan, host).execute(() => tryActions(host, counts))
      expect(problem, plan.seed).toBeUndefined()
    }
    expect(counts.offered).toBeGreaterThan(50)
    expect(counts.refused).toBeGreaterThan(50)
  })

  it('has the record filled in, and only accounts that belong to its Customer', async ({ demo: sandbox }) => {
    for (const { uid } of await listAll(sandbox, 'customers')) {
      const { actions } = await call(sandbox, 'records.actions', { collection: 'customers', uid })
      const transfer = actions.find(({ id }) => id === 'transfer')!
      expect(transfer.body.initiating_customer_uid).toBe(uid)
      const accounts = await call(sandbox, 'records.list', { collection: 'synthetic_accounts', customer_uid: [uid] })
      const own = ['', ...(accounts.data as unknown as Uids).map((account) => account.uid)]
      expect(own).toContain(transfer.body.source_synthetic_account_uid)
      expect(own).toContain(transfer.body.destination_synthetic_account_uid)
    }
  })

  it('finds the money and the external accounts of a Customer behind hundreds of newer accounts', async () => {
    const { control, customer, account, fund } = await openBank()
    await account(customer, 'ach_external', { account_number: '7000020' })
    await fund(customer, '100.00')
    for (let n = 0; n < 210; n++) await account(customer, 'general', { name: `pocket ${n}` })
    const { actions } = await control['records.actions']({ collection: 'customers', uid: customer.uid })
    const byId = Object.fromEntries(actions.map((action) => [action.id, action]))
    expect(byId.transfer).toMatchObject({ refused: null, body: { source_synthetic_account_uid: customer.master } })
    expect(byId.archive!.refused).toBeNull()
  })
})
