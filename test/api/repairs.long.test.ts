import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isCollection } from '../../src/api/contract/collections.ts'
import type { ExchangeDetail } from '../../src/api/contract/control/exchanges.ts'
import type { OutgoingRequest } from '../../src/api/contract/control/repairs.ts'
import { type ErrorKey, errors } from '../../src/api/contract/errors.ts'
import type { Sandbox } from '../../src/api/sandbox.ts'
import { afterRefusal, expectRefusal } from '../support/client.ts'
import { createCaller } from '../support/operator.ts'
import { ACH } from '../support/payments.ts'
import { startSandbox } from '../support/sandbox.ts'
import { canonical } from '../support/world.ts'

/** Runs the tests that provoke the refusals of the catalogue, and asks for a repair of each refusal at the moment at which it is answered. */

/** How often the same refusal of the same endpoint is repaired. */
const MOST_OF_A_KIND = 4

interface Kind {
  readonly key: string
  readonly repaired: boolean
}
const kinds = new Map<string, Kind>()
const judged = new Map<string, number>()
const refused: string[] = []
const changed: string[] = []
const retargeted: string[] = []
const times: number[] = []

async function judge(given: object, trace: string | null) {
  const sandbox = given as Sandbox
  const ask = createCaller(sandbox)
  if (trace === null || (await ask('clock.read', {})).mode === 'running') return
  const { data } = await ask('exchanges.list', { limit: 20 })
  const found = data.find(({ trace_id, status }) => trace_id === trace && status >= 400)
  if (!found || found.code === errors.internal.code) return
  const exchange = await ask('exchanges.get', { uid: found.uid })
  const kind = `${exchange.refusal?.key} ${exchange.method} ${exchange.endpoint} ${exchange.refusal?.fields ?? ''}`
  const count = (judged.get(kind) ?? 0) + 1
  judged.set(kind, count)
  if (count > MOST_OF_A_KIND || !exchange.refusal) return
  const logged = (await ask('exchanges.list', { limit: 0 })).total_count
  const before = stateOf(sandbox)
  const began = performance.now()
  const { repairs } = await ask('exchanges.repair', { uid: exchange.uid })
  times.push(performance.now() - began)
  // Simultaneous requests of a test may come in between, which are logged.
  const isAlone = (await ask('exchanges.list', { limit: 0 })).total_count === logged
  if (isAlone && stateOf(sandbox) !== before) changed.push(kind)
  for (const { say, change, request, advance } of repairs) {
    const calls = [
      ...(advance === undefined ? [] : [{ method: 'clock.advance', input: { text: advance } }]),
      { method: 'exchanges.send', input: request },
    ]
    const { answers } = await ask('worlds.try', { calls })
    const status = (answers.at(-1)?.output as ExchangeDetail | null)?.status ?? 0
    const uids = change.flatMap(({ field, before }) => (field === '{uid}' ? [String(before)] : []))
    if (exchange.method !== 'GET' && uids.some((uid) => isRecord(sandbox, request, uid)))
      retargeted.push(`${kind}: ${say}`)
    if (status < 200 || status > 299) refused.push(`${kind}: ${say}: ${status}`)
  }
  const isRepaired = repairs.some(({ change, advance }) => change.length > 0 || advance !== undefined)
  kinds.set(kind, { key: exchange.refusal.key, repaired: isRepaired || (kinds.get(kind)?.repaired ?? false) })
}

/** Of the collection of the path, in the Program of the request. */
function isRecord({ store }: Sandbox, { path, program_uid }: OutgoingRequest, uid: string): boolean {
  const [, collection = ''] = path.split(/[/?]/)
  return isCollection(collection) && store.world.collections[collection].get(uid)?.program_uid === program_uid
}

const stateOf = ({ store, worlds }: Sandbox) =>
  `${store.world.seq} ${JSON.stringify(store.world.counters)} ${worlds.list().length} ${canonical(store.world)}`

beforeAll(() => {
  afterRefusal.work = judge
})
afterAll(() => {
  afterRefusal.work = undefined
})

it('a world with several records of each kind provokes what the other tests do not', async () => {
  const sandbox = await startSandbox({ world: 'demo' })
  const ask = createCaller(sandbox)
  const api = sandbox.client()
  const all = async (collection: string) =>
    (await ask('records.list', { collection, limit: 200 })).data as unknown as Record<string, string | boolean>[]
  const accounts = await all('synthetic_accounts')
  const account = (is: (one: Record<string, string | boolean>) => boolean) => String(accounts.find(is)!.uid)
  const remove = (uid: string) => api.call('DELETE', `/synthetic_accounts/${uid}`)
  expectRefusal(await remove(account((one) => one.master_account === true)), 'masterAccountNotArchivable')
  const withBalance = account((one) => one.net_usd_available_balance === '402100.00')
  expectRefusal(await remove(withBalance), 'syntheticAccountHasBalance')
  const closed = account((one) => one.synthetic_account_category === 'ach_external')
  expect((await remove(closed)).status).toBe(204)
  expectRefusal(await remove(closed), 'syntheticAccountNotActive')

  const [first, second] = (await all('virtual_reference_numbers')).map(({ uid }) => `/virtual_reference_numbers/${uid}`)
  const lock = { json: { lock_reason: 'admin' } }
  expect((await api.call('PUT', `${first}/lock`, lock)).status).toBe(200)
  expectRefusal(await api.call('PUT', `${first}/lock`, lock), 'vrnAlreadyLocked')
  await ask('clock.advance', { by: 'P1D' })
  expectRefusal(await api.call('PUT', `${second}/unlock`), 'vrnAlreadyUnlocked')

  const { values } = await ask('requests.examples', {})
  const pay = {
    source_synthetic_account_uid: values.synthetic_accounts,
    destination_synthetic_account_uid: values.counterparty,
    initiating_customer_uid: values.customers,
    usd_transfer_amount: '5.00',
    ach: { ...ACH, effective_entry_date: values.banking_day },
  }
  const transfers = [await api.post('/transfers', pay), await api.post('/transfers', pay)]
  const cancel = () => api.call('PUT', `/transfers/${transfers[0]!.body.uid}/cancel`, { json: {} })
  expect((await cancel()).status).toBe(200)
  expectRefusal(await cancel(), 'transferNotCancelable')

  const payments = await all('transactions')
  for (const [type, key] of [
    ['instant_payment', 'returnUnsupported'],
    ['ach_return', 'returnOfReturn'],
  ] as const) {
    const { uid, customer_uid } = payments.find((one) => one.type === type)!
    const more = { requestor_type: 'customer', return_reason: 'Not ours', requesting_customer_uid: customer_uid }
    expectRefusal(await api.post('/returns', { original_transaction_uid: uid, ...more }), key)
  }
  await ask('faults.set', { faults: [{ kind: 'rate_limit', per_minute: 1 }] })
  for (let left = 2; left > 0; left--) await api.get('/pools')
  await ask('faults.clear', {})

  const uid = values.customers!
  await ask('moves.make', { collection: 'customers', uid, move: 'lock', inputs: { lock_reason: 'Lost' } })
  const vrn = { synthetic_account_uid: values.synthetic_accounts, name: 'Rent', routing_number: '110000000' }
  expectRefusal(await api.post('/virtual_reference_numbers', vrn), 'customerLocked')
})

await import('./account-limits.test.ts')
await import('./accounts.test.ts')
await import('./archival.test.ts')
await import('./auth.test.ts')
await import('./authorization.test.ts')
await import('./combined-transfers.test.ts')
await import('./customer-data.test.ts')
await import('./customers.test.ts')
await import('./errors.test.ts')
await import('./lists.test.ts')
await import('./mock-transactions.test.ts')
await import('./onboarding.test.ts')
await import('./rails-of-products.test.ts')
await import('./required-fields.test.ts')
await import('./returns.test.ts')
await import('./transfer-limits.test.ts')
await import('./transfers.test.ts')
await import('./virtual-reference-numbers.test.ts')
await import('./wire-addresses.test.ts')

const TARGET = 'the record in the path is refused, and another one would be changed instead of it'

/** Errors that no change of the request and no time repairs, with the reason. */
const UNREPAIRABLE: Partial<Record<ErrorKey, string>> = {
  masterAccountNotArchivable: TARGET,
  syntheticAccountHasBalance: TARGET,
  syntheticAccountNotActive: TARGET,
  transferNotCancelable: TARGET,
  vrnAlreadyLocked: TARGET,
  vrnAlreadyUnlocked: TARGET,
  vrnArchived: TARGET,
  internal: 'the sandbox has failed, whatever is sent',
  notAllowed: 'the address of the caller is not a part of the request',
  bodyTooLarge: 'nothing says which part of a body of 1 MB can be left out',
  tooManyRequests: 'a fault has answered: the request is accepted unchanged',
  creationByOperator: 'the Program decides it',
  authorizationDisabled: 'the Program decides it',
  returnsDisabled: 'the Program decides it',
  combinedTransfersDisabled: 'the Program decides it',
  accountLocked: 'the payment names three records of one Customer, whom the operator unlocks',
  customerNotUpdatable: 'the worlds of these tests have no other Customer that can be edited',
  transferNotCanceled: 'the worlds of these tests have no other payment that waits',
  authorizationExpired: 'the world has no other payment that waits for a decision',
  authorizationFinal: 'the world has no other payment that waits for a decision',
  authorizationIneligible: 'the world has no other payment that waits for a decision',
}

describe('the refusals of these tests', () => {
  it('have repairs of which each is accepted when it is sent in a copy of the world', () => {
    expect(refused).toEqual([])
  })
  it('never have repairs that change another record than the one in the path', () => {
    expect(retargeted).toEqual([])
  })
  it('leave the world as it was, byte for byte, and no world behind', () => {
    expect(changed).toEqual([])
  })
  it('are repaired, at least 60 different ones, within 2 seconds at the median', () => {
    const all = [...kinds.values()]
    const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]
    expect(all.filter(({ repaired }) => repaired).length).toBeGreaterThanOrEqual(60)
    expect(median).toBeLessThan(2_000)
  })
  it('are repaired for every error of the catalogue, or there is a reason why not', () => {
    const repaired = new Set([...kinds.values()].filter((kind) => kind.repaired).map(({ key }) => key))
    const raised = Object.entries(errors)
      .filter(([, { raised }]) => raised === true)
      .map(([key]) => key)
    expect(raised.filter((key) => !repaired.has(key)).sort()).toEqual(Object.keys(UNREPAIRABLE).sort())
  })
})
