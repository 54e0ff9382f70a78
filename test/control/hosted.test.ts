import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateKey } from 'openpgp'
import { describe, expect } from 'vitest'
import { hostedRules, WITHOUT_HOSTED } from '../../src/api/contract/hosted.ts'
import { runScenario, type SandboxOptions, type SandboxWorld } from '../../src/api/sandbox.ts'
import { readScenario } from '../../src/api/scenarios/file.ts'
import { createPlans } from '../../src/api/scenarios/plan.ts'
import { apiClient } from '../support/client.ts'
import { OLIVE, type Resource } from '../support/customers.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { call } from '../support/operator.ts'
import { ACH } from '../support/payments.ts'
import { it, startSandbox } from '../support/sandbox.ts'

interface Page {
  readonly data: readonly Resource[]
  readonly total_count: number
}

const AS_HOSTED = { world: 'hosted' } as const
const startHosted = (options: Partial<SandboxOptions> = {}) => startSandbox({ ...AS_HOSTED, ...options })
const refusal = async (sandbox: Pick<SandboxWorld, 'call'>, name: string, input: object) => {
  const reply = await sandbox.call(name, input)
  return reply.ok ? 'accepted' : `${reply.error.errors[0]!.code} ${reply.error.errors[0]!.extra}`
}
const programOf = (sandbox: Pick<SandboxWorld, 'programs'>) => sandbox.programs()[0]!
const hintsOf = ({ headers }: { headers: Headers }) => decodeURIComponent(headers.get('x-sandbank-hints') ?? '')
const readNewest = async (sandbox: SandboxWorld) => {
  const [exchange] = (await call(sandbox, 'exchanges.list', { limit: 1 })).data
  return await call(sandbox, 'exchanges.get', { uid: exchange!.uid })
}
const pgpKey = async () =>
  (await generateKey({ type: 'curve25519', userIDs: [{ name: 'app' }], format: 'armored' })).publicKey

/** A staged account with money, the type of an external account, and the Customer of both. */
async function setUp(sandbox: SandboxWorld) {
  const api = apiClient(sandbox)
  const list = async (path: string) => (await api.get<Page>(path)).body
  const { data: accounts } = await list('/synthetic_accounts?limit=100')
  const from = accounts.find(({ name }) => name === 'Operations')!
  const { data: types } = await list('/synthetic_account_types')
  const typeOf = (category: string) =>
    types.find(({ synthetic_account_category }) => synthetic_account_category === category)!.uid
  const { data: pools } = await list('/pools')
  const pool = pools.find(({ uid }) => uid === from.pool_uid)!
  const external = (category: 'ach_external' | 'wire_external', name: string, account_number: string) =>
    api.post<Resource>('/synthetic_accounts', {
      ...{ name, account_number, routing_number: '021000021', pool_uid: from.pool_uid },
      synthetic_account_type_uid: typeOf(category),
      ...(category === 'ach_external'
        ? { ach: { account_type: 'checking', counterparty_name: name } }
        : {
            wire: {
              counterparty_name: name,
              counterparty_address: { line1: '1 Main St', line2: 'Ames IA 50010', country: 'US' },
            },
          }),
    })
  const pay = (to: Resource, more: object = {}) =>
    api.post<Resource>('/transfers', {
      source_synthetic_account_uid: from.uid,
      destination_synthetic_account_uid: to.uid,
      initiating_customer_uid: pool.owner_customer_uid,
      usd_transfer_amount: '25.00',
      ...more,
    })
  const payments = async (transfer = '') =>
    (await list('/transactions?limit=100')).data.filter(({ transfer_uid }) => transfer_uid === transfer)
  return { api, list, from, typeOf, pool, external, pay, payments, customer_uid: pool.owner_customer_uid as string }
}

/** Each sentence of the public documents, and that a world which behaves as hosted keeps it. */
const sentences: Readonly<Record<string, () => Promise<void>>> = {
  'no-customers': async () => {
    const sandbox = await startHosted()
    const refused = await sandbox.client().post('/customers', OLIVE)
    expect(refused).toMatchObject({ status: 403, body: { errors: [{ code: 1018 }] } })
    expect(refused.text).not.toContain('hosted')
    expect(hintsOf(refused)).toBe(WITHOUT_HOSTED)
    const { hinted, refusal } = await readNewest(sandbox)
    expect(hinted).toEqual([{ at: 'createCustomer', text: WITHOUT_HOSTED }])
    expect(refusal!.pass).toBe('The Program setting behaves_as decides it.')
    const ofProgram = { program_uid: programOf(sandbox).uid }
    const tried = await call(sandbox, 'requests.try', { endpoint: 'createCustomer', body: {} })
    expect(tried.refused).toMatchObject({ status: 403, code: 1018, extra: null, cause: WITHOUT_HOSTED })
    expect(await call(sandbox, 'operator.create_customer', { ...ofProgram, customer: OLIVE })).toMatchObject({
      status: 'initiated',
    })
  },
  'no-general-accounts': async () => {
    const sandbox = await startHosted()
    const { api, from, typeOf, external } = await setUp(sandbox)
    const refused = await api.post('/synthetic_accounts', {
      ...{ name: 'Savings', pool_uid: from.pool_uid, synthetic_account_type_uid: typeOf('general') },
    })
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ code: 2009 }] } })
    expect(hintsOf(refused)).toBe(WITHOUT_HOSTED)
    expect((await readNewest(sandbox)).refusal!.pass).toBe('The Program setting behaves_as decides it.')
    expect((await external('ach_external', 'Mill', '400171')).status).toBe(201)
  },
  'staged-businesses': async () => {
    const { list } = await setUp(await startHosted())
    const { data: customers } = await list('/customers')
    const balances = await Promise.all(
      customers.map(async ({ uid }) => {
        const { data } = await list(`/synthetic_accounts?customer_uid=${uid}&limit=100`)
        return data.flatMap(({ net_usd_balance }) => net_usd_balance ?? []).sort()
      }),
    )
    expect(balances.sort()).toEqual([
      ['0.00', '100000.00', '200000.00'],
      ['300000.00', '400000.00', '500000.00'],
    ])
  },
  'products-onboarded': async () => {
    const { list } = await setUp(await startHosted())
    const [customers, products, onboarded] = [
      await list('/customers?status=active'),
      await list('/products'),
      await list('/customer_products?status=active&limit=100'),
    ]
    expect([customers.total_count, onboarded.total_count]).toEqual([2, 2 * products.total_count])
  },
  'account-numbers': async () => {
    const [one, same, other] = [await startHosted(), await startHosted(), await startHosted({ seed: 'other' })]
    const [first, second, third] = await Promise.all(
      [one, same, other].map(async (sandbox) => {
        const accounts = sandbox.store.world.collections.synthetic_accounts.inOrder()
        const numbered = accounts.filter(({ account_number }) => account_number !== null)
        expect(new Set(numbered.map(({ routing_number }) => routing_number))).toEqual(
          new Set([programOf(sandbox).routing_number]),
        )
        return numbered.map(({ account_number }) => account_number)
      }),
    )
    expect(new Set(first).size).toBe(6)
    expect(first).toEqual(second)
    expect(first!.filter((number) => third!.includes(number))).toEqual([])
  },
  'allowlist-and-keys': async () => {
    const sandbox = await startHosted()
    const { uid, hmac_key } = programOf(sandbox)
    const api = sandbox.client()
    expect((await api.get('/customers')).status).toBe(200)
    await call(sandbox, 'programs.update', { uid, allowlist: ['10.0.0.0/8'] })
    expect(await api.get('/customers')).toMatchObject({ status: 403, body: { errors: [{ code: 1013 }] } })
    await call(sandbox, 'programs.update', { uid, allowlist: ['127.0.0.0/8'] })
    expect((await call(sandbox, 'programs.rotate_key', { uid })).hmac_key).not.toBe(hmac_key)
    expect((await sandbox.client().get('/customers')).status).toBe(200)
  },
  'webhooks-encrypted': async () => {
    const sandbox = await startHosted()
    const url = 'http://127.0.0.1:9/hooks'
    expect(await refusal(sandbox, 'webhooks.create', { url })).toBe(
      `1003 pgp_public_key is missing: webhook details are always encrypted. Give one (--pgp-key FILE of sandbank listen and sandbank webhooks), or no url (events are kept, and sent nowhere): ${WITHOUT_HOSTED}`,
    )
    const kept = await call(sandbox, 'webhooks.create', { url: null })
    expect(await refusal(sandbox, 'webhooks.update', { uid: kept.uid, url })).toMatch(/^1003 pgp_public_key/)
    const { uid } = await call(sandbox, 'webhooks.create', { url, pgp_public_key: await pgpKey() })
    expect(await refusal(sandbox, 'webhooks.update', { uid, pgp_public_key: null })).toMatch(/^1003 pgp_public_key/)
    expect((await call(sandbox, 'webhooks.list', {})).webhooks).toHaveLength(2)
  },
  'webhooks-by-support': async () => {
    const sandbox = await startHosted()
    const { status } = await sandbox.client().get('/webhooks')
    expect(status).toBe(404)
    const webhook = await call(sandbox, 'webhooks.create', { url: null, topics: ['transfers'] })
    expect(webhook).toMatchObject({ topics: ['transfers'], hmac_key: expect.any(String) })
  },
  'mocks-settled': async () => {
    const sandbox = await startHosted()
    const { api, customer_uid, from } = await setUp(sandbox)
    const mocks = ['ach', 'wire', 'instant_payment'].map((transaction_type) => ({
      ...{ transaction_type, customer_uid, synthetic_account_uid: from.uid, us_dollar_amount: 10, after: '3d' },
    }))
    const { uid: webhook } = await call(sandbox, 'webhooks.create', { url: null })
    for (const mock of mocks) {
      const made = await api.post<Resource>('/sandbox/mock_transactions', mock)
      expect(hintsOf(made)).toBe(`after was ignored: ${WITHOUT_HOSTED}`)
      expect((await api.get(`/transactions/${made.body.uid}`)).body.status).toBe('settled')
      const { data } = await call(sandbox, 'events.list', { limit: 100 })
      expect(data.filter(({ record_uid }) => record_uid === made.body.uid).length).toBeGreaterThan(1)
    }
    expect((await api.get(`/synthetic_accounts/${from.uid}`)).body.net_usd_balance).toBe('400030.00')
    expect(webhook).toBeTruthy()
    await call(sandbox, 'programs.update', { uid: programOf(sandbox).uid, strict: true })
    const strict = await api.post<Resource>('/sandbox/mock_transactions', mocks[0]!)
    expect([strict.status, hintsOf(strict)]).toEqual([201, `after was ignored: ${WITHOUT_HOSTED}`])
    expect(await api.post('/sandbox/mock_transactions', { ...mocks[0]!, unknown: 1 })).toMatchObject({ status: 400 })
  },
  'failures-by-staff': async () => {
    const sandbox = await startHosted()
    const { external, pay, payments } = await setUp(sandbox)
    // In a Program that does not behave as hosted the number fails each payment to it.
    const { body: to } = await external('wire_external', 'Harbor', '880010')
    const paid = async () => (await pay(to, { wire: {} })).body.uid
    const statusOf = async (transfer?: string) => (await payments(transfer))[0]!.status
    const [settling, failing] = [await paid(), await paid()]
    const { uid } = (await payments(failing))[0]!
    await call(sandbox, 'moves.make', { collection: 'transactions', uid: uid!, move: 'fail', inputs: {} })
    await call(sandbox, 'clock.advance', { until: 'idle' })
    expect([await statusOf(settling), await statusOf(failing)]).toEqual(['settled', 'failed'])
    const { commits } = await call(sandbox, 'records.history', { collection: 'transactions', uid: uid! })
    const failure = commits.find(({ fields }) => fields.some(({ to: state }) => state === 'failed'))
    expect(failure!.cause).toMatchObject({ door: 'operator', decision: 'fail' })
    const { findings } = await call(sandbox, 'migration.report', {})
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'failures-by-staff', count: 1, of: 'actions' }))
  },
  'published-triggers': async () => {
    const sandbox = await startHosted()
    const { api, from, external, pay, payments } = await setUp(sandbox)
    const vrn = { synthetic_account_uid: from.uid, routing_number: '110000000' }
    expect(await api.post('/virtual_reference_numbers', { ...vrn, name: 'fail please' })).toMatchObject({
      body: { errors: [{ code: 30_001 }] },
    })
    const { body: registering } = await api.post<Resource>('/virtual_reference_numbers', {
      ...{ ...vrn, name: 'instant payment fail' },
    })
    const wanted = await Promise.all([
      external('ach_external', 'Fail Co', '4001719901'),
      external('ach_external', 'initiated Co', '4001719801'),
      external('wire_external', 'account fail Co', '400173'),
    ])
    expect(wanted.map(({ body }) => body.status)).toEqual(['active', 'active', 'active'])
    const sent = [await pay(wanted[0]!.body, { ach: ACH }), await pay(wanted[1]!.body, { ach: ACH })]
    await call(sandbox, 'clock.advance', { by: 'P10D' })
    for (const { body } of sent) {
      const [payment, ...returns] = await payments(body.uid)
      expect([payment!.status, returns, payment!.ach]).toMatchObject(['settled', [], { noc_code: null }])
    }
    const { body: registered } = await api.get<Resource>(`/virtual_reference_numbers/${registering.uid}`)
    expect(registered.instant_payment_rail_registration_status).toBe('failed')
  },
  'wire-failures': async () => {
    const sandbox = await startHosted()
    const { uid } = programOf(sandbox)
    const { external, pay, payments } = await setUp(sandbox)
    expect(await refusal(sandbox, 'clock.set', { pace: 'real' })).toMatch(/^1007 pace: payments take seconds/)
    expect(await refusal(sandbox, 'programs.update', { uid, queue_minutes: { wire: 5 } })).toMatch(
      /^1007 queue_minutes: .*"wire":0.* is expected \(Wire failures after about 2 s\.\)/,
    )
    const { body: to } = await external('wire_external', 'Harbor', '400174')
    const paid = async () => (await pay(to, { wire: {} })).body.uid
    const [failing, settling] = [await paid(), await paid()]
    const fail = async (transfer?: string) => {
      const [payment] = await payments(transfer)
      const input = { collection: 'transactions', uid: payment!.uid!, move: 'fail', inputs: {} }
      return [await refusal(sandbox, 'moves.make', input), (await payments(transfer))[0]!.status]
    }
    await call(sandbox, 'clock.advance', { by: 'PT1.9S' })
    expect((await payments(settling))[0]!.status).toBe('pending')
    expect(await fail(failing)).toEqual(['accepted', 'failed'])
    await call(sandbox, 'clock.advance', { by: 'PT0.1S' })
    // It is over: it has settled, and cannot fail any more.
    expect(await fail(settling)).toEqual([expect.stringMatching(/^\d+ /), 'settled'])
  },
  'event-at-each-change': async () => {
    const sandbox = await startHosted()
    const { external, pay, payments } = await setUp(sandbox)
    await call(sandbox, 'webhooks.create', { url: null, topics: ['transactions'] })
    const { body: to } = await external('wire_external', 'Harbor', '400175')
    const { body: transfer } = await pay(to, { wire: {} })
    await call(sandbox, 'clock.advance', { until: 'idle' })
    const [payment] = await payments(transfer.uid)
    const { data } = await call(sandbox, 'events.list', { limit: 100, record_uid: payment!.uid! })
    expect(data.map(({ event_type }) => event_type).reverse()).toEqual(['created', 'status_change', 'status_change'])
  },
  files: async () => {
    expect(await (await startHosted()).client().get('/files')).toMatchObject({ status: 404 })
    const page = readFileSync(join(import.meta.dirname, '../../docs/not-simulated.md'), 'utf8')
    expect(page).toMatch(/^\| Files: .* by SFTP \|/m)
  },
  'no-clearing': async () => {
    const sandbox = await startHosted()
    const { external, list } = await setUp(sandbox)
    await external('ach_external', 'Mill', '400176')
    expect(await refusal(sandbox, 'world.reset', { world: 'demo' })).toMatch(
      /^1007 world: demo would not behave as hosted: world\.reset \{"world":"hosted"\} starts it over/,
    )
    await call(sandbox, 'world.reset', { world: 'hosted' })
    expect((await list('/synthetic_accounts?limit=100')).data.filter(({ name }) => name === 'Mill')).toEqual([])
    expect(programOf(sandbox).behaves_as).toBe('hosted')
  },
}

describe('a world that behaves as the hosted sandbox keeps each sentence of its public documents', () => {
  for (const { id, published, here } of hostedRules)
    it(`${published} Here: ${here}`, async () => {
      expect(Object.keys(sentences)).toContain(id)
      await sentences[id]!()
    })
})

it('a payment to a VRN still waits for an authorization, and settles at once when it is given', async () => {
  const sandbox = await startHosted()
  const { api, customer_uid, from } = await setUp(sandbox)
  const vrn = { synthetic_account_uid: from.uid, routing_number: '110000000', name: 'Rent' }
  const { uid: virtual_reference_number_uid } = (await api.post<Resource>('/virtual_reference_numbers', vrn)).body
  const mock = { transaction_type: 'ach', customer_uid, virtual_reference_number_uid, us_dollar_amount: 10 }
  const { uid } = (await api.post<Resource>('/sandbox/mock_transactions', mock)).body
  const statusOf = async () => (await api.get(`/transactions/${uid}`)).body.status
  const balance = async () => (await api.get(`/synthetic_accounts/${from.uid}`)).body.net_usd_balance
  await call(sandbox, 'clock.advance', { by: 'PT1H' })
  expect([await statusOf(), await balance()]).toEqual(['authorization_pending', '400000.00'])
  const json = { authorization_status: 'client_approved' }
  expect((await api.call('PUT', `/transactions/${uid}/authorize`, { json })).status).toBe(200)
  expect([await statusOf(), await balance()]).toEqual(['settled', '400010.00'])
  const refused = (await api.post<Resource>('/sandbox/mock_transactions', mock)).body.uid
  const denied = { authorization_status: 'client_denied', denied_reason: 'unauthorized_credit' }
  await api.call('PUT', `/transactions/${refused}/authorize`, { json: denied })
  await call(sandbox, 'clock.advance', { until: 'idle' })
  expect((await api.get(`/transactions/${refused}`)).body.status).toBe('authorization_denied')
  expect(await balance()).toBe('400010.00')
})

const isRefused = async (sandbox: SandboxWorld) => (await apiClient(sandbox).post('/customers', OLIVE)).status === 403

describe('the profile is kept', () => {
  it('by a restart, which takes --as hosted again, and refuses another profile, pace or kind of world', async () => {
    const data = createTemporaryFolder()
    const open = async (options: Partial<SandboxOptions>) => {
      const sandbox = await startSandbox({ data, ...options })
      const refused = await isRefused(sandbox)
      await sandbox.close()
      return refused
    }
    expect(await open(AS_HOSTED)).toBe(true)
    expect(await open(AS_HOSTED)).toBe(true)
    expect(await open({})).toBe(true)
    await expect(open({ pace: 'real' })).rejects.toThrow(/^--pace: payments take seconds/)
    await expect(open({ world: 'demo' })).rejects.toThrow(/leave --world out/)
    await expect(startHosted({ pace: 'real' })).rejects.toThrow(/^--pace: payments take seconds/)
    const other = createTemporaryFolder()
    await (await startSandbox({ data: other })).close()
    await expect(startHosted({ data: other })).rejects.toThrow(
      /already contains a world, .*: leave --as out, or pass --data with another folder$/,
    )
  })

  it('by a world of its own (worlds.create {from}), its forks, a rewind, its undo, a snapshot and a bundle', async () => {
    const sandbox = await startSandbox()
    const { name } = await call(sandbox, 'worlds.create', { from: 'hosted' })
    const world = sandbox.worlds.get(name)!
    const api = apiClient(world)
    await call(world, 'snapshots.keep', { name: 'begin' })
    const { seq } = await call(world, 'world.describe', {})
    const [customer] = (await api.get<Page>('/customers')).body.data
    const mock = { transaction_type: 'wire', customer_uid: customer!.uid, us_dollar_amount: 5 }
    await api.post('/sandbox/mock_transactions', mock)
    await call(world, 'worlds.create', { name: 'fork', from: { world: name } })
    await call(world, 'worlds.create', { name: 'earlier', from: { commit: seq } })
    await call(world, 'world.rewind', { seq })
    const rewound = (await call(world, 'world.describe', {})).seq
    await call(world, 'world.rewind', { seq: rewound - 1 })
    await call(world, 'snapshots.restore', { name: 'begin' })
    const { text } = await call(world, 'bundles.export', {})
    await call(sandbox, 'bundles.import', { text })
    for (const one of [world, sandbox.worlds.get('fork')!, sandbox.worlds.get('earlier')!, sandbox])
      expect([programOf(one).behaves_as, await isRefused(one)]).toEqual(['hosted', true])
    expect((await call(sandbox, 'worlds.list', {})).worlds[0]).toMatchObject({ name, from: 'hosted' })
    expect(await refusal(sandbox, 'worlds.create', { from: 'hosted', pace: 'real' })).toMatch(/^1007 pace: /)
    expect((await call(sandbox, 'ledger.check', {})).balanced).toBe(true)
  })

  it('by each Program alone: one may behave as hosted, and one as all of the platform', async () => {
    const sandbox = await startHosted()
    await call(sandbox, 'programs.create', { name: 'Full', behaves_as: 'full' })
    await call(sandbox, 'programs.create', { name: 'Like the first' })
    expect(sandbox.programs().map(({ behaves_as }) => behaves_as)).toEqual(['hosted', 'full', 'hosted'])
    expect((await apiClient(sandbox, 1).post('/customers', OLIVE)).status).toBe(201)
    expect((await apiClient(sandbox, 2).post('/customers', {})).status).toBe(403)
    // The clock is of both.
    expect((await call(sandbox, 'clock.read', {})).paces).toEqual(['fast', 'real'])
    expect((await call(sandbox, 'clock.set', { pace: 'real' })).pace).toBe('real')
    const { external, pay, payments } = await setUp(sandbox)
    const { body: to } = await external('wire_external', 'Harbor', '400177')
    const { body: transfer } = await pay(to, { wire: {} })
    await call(sandbox, 'clock.advance', { by: 'PT2S' })
    expect((await payments(transfer.uid))[0]!.status).toBe('settled')
    expect(await refusal(sandbox, 'programs.update', { uid: programOf(sandbox).uid, behaves_as: 'full' })).toMatch(
      /^1007 .*behaves_as/,
    )
  })

  it('with the pace fast by a rewind, also of a fork with the pace real, to before there was another Program', async () => {
    const sandbox = await startHosted()
    const { seq } = await call(sandbox, 'world.describe', {})
    await call(sandbox, 'programs.create', { name: 'Full', behaves_as: 'full' })
    const { name } = await call(sandbox, 'worlds.create', { from: 'current', pace: 'real', clock: 'running' })
    await call(sandbox, 'clock.set', { pace: 'real' })
    for (const world of [sandbox, sandbox.worlds.get(name)!]) {
      expect((await call(world, 'clock.read', {})).pace).toBe('real')
      await call(world, 'world.rewind', { seq })
      expect(await call(world, 'clock.read', {})).toMatchObject({ pace: 'fast', paces: ['fast'] })
    }
    expect((await call(sandbox.worlds.get(name)!, 'clock.read', {})).mode).toBe('running')
  })

  it('with the pace fast by a reset of a world at the pace real, its forks, and a scenario that is recorded in it', async () => {
    const sandbox = await startSandbox({ pace: 'real' })
    expect((await call(sandbox, 'world.describe', {})).resets_to).toEqual(['demo', 'empty', 'hosted'])
    expect(await refusal(sandbox, 'world.reset', { world: 'hosted', pace: 'real' })).toMatch(/^1007 pace: /)
    await call(sandbox, 'world.reset', { world: 'hosted' })
    expect(await call(sandbox, 'clock.read', {})).toMatchObject({ pace: 'fast', paces: ['fast'] })
    expect((await call(sandbox, 'world.describe', {})).resets_to).toEqual(['hosted'])
    expect(await refusal(sandbox, 'worlds.create', { from: 'current', pace: 'real' })).toMatch(
      /^1007 pace: payments take seconds/,
    )
    expect((await call(sandbox, 'worlds.list', {})).worlds).toEqual([])
    await sandbox.client().get('/customers')
    const { text } = await call(sandbox, 'scenarios.record', { name: 'Of a hosted world' })
    const [plan] = createPlans(readScenario(text, 'hosted.yaml'), () => expect.fail('no other scenario is named'))
    expect(plan!.setup).toMatchObject({ kind: 'hosted', clock: { pace: 'fast' } })
    expect((await runScenario(plan!, { version: '0.0.0-test' })).ok).toBe(true)
  })

  it('by a replay of an ordinary world’s bundle into it, which says what is refused', async ({ demo: sandbox }) => {
    const { api, customer_uid } = await setUp(sandbox)
    await api.post('/customers', OLIVE)
    await api.post('/sandbox/mock_transactions', { transaction_type: 'wire', customer_uid, us_dollar_amount: 5 })
    const { text } = await call(sandbox, 'bundles.export', {})
    const { exchanges } = await call(sandbox, 'exchanges.replay', { text, into: { fresh: 'hosted' } })
    const created = exchanges.find(({ method, path }) => method === 'POST' && path === '/customers')
    expect(created).toMatchObject({ verdict: 'refused', recorded: { status: 201 }, replayed: { status: 403 } })
    expect(await isRefused(sandbox)).toBe(false)
  })
})

describe('migration.report', () => {
  it('says that nothing is logged', async ({ sandbox }) => {
    expect(await call(sandbox, 'migration.report', {})).toEqual({
      ...{ findings: [], requests: 0, actions: 0, log_complete: true },
    })
  })

  it('lists for each rule how many requests and actions it concerns, the first and the last', async () => {
    const sandbox = await startSandbox({ world: 'demo' })
    const { api, from, typeOf, external, pay, customer_uid } = await setUp(sandbox)
    await api.post('/customers', OLIVE)
    await api.call('POST', '/customers', { form: 'email=ada@example.test' })
    await api.post('/customers', { email: 5 }) // Refused here, so nothing differs.
    await api.call('POST', '/synthetic_accounts', {
      form: `name=Savings&pool_uid=${from.pool_uid}&synthetic_account_type_uid=${typeOf('general')}`,
    })
    const { body: to } = await external('ach_external', 'Mill', '4001719901')
    await external('ach_external', 'Plain', '40017188')
    await pay(to, { ach: ACH })
    await api.post('/sandbox/mock_transactions', { transaction_type: 'wire', customer_uid, us_dollar_amount: 5 })
    await call(sandbox, 'webhooks.create', { url: 'http://127.0.0.1:9/hooks', confirm: false })
    await call(sandbox, 'clock.set', { pace: 'real' })
    const { findings, requests, actions } = await call(sandbox, 'migration.report', {})
    expect([requests, actions]).toEqual([12, 2])
    expect(findings.map(({ rule, count, of }) => [rule, count, of])).toEqual([
      ['no-customers', 2, 'requests'],
      ['no-general-accounts', 1, 'requests'],
      ['webhooks-encrypted', 1, 'actions'],
      ['webhooks-by-support', 1, 'actions'],
      ['mocks-settled', 1, 'requests'],
      ['published-triggers', 1, 'requests'],
      ['wire-failures', 1, 'actions'],
    ])
    const [customers] = findings
    expect(customers).toMatchObject({ there: '403, code 1018: Customer Creation Not Allowed' })
    const read = await call(sandbox, 'exchanges.get', { uid: customers!.first })
    expect([read.path, read.request.body]).toEqual(['/customers', expect.stringContaining(OLIVE.email)])
    expect(customers!.last).not.toBe(customers!.first)
    for (const { todo } of findings) expect(todo).not.toBe('')
  })

  it('counts of the actions only those that the platform’s staff does there', async ({ demo: sandbox }) => {
    const { external, pay, payments, customer_uid } = await setUp(sandbox)
    const countOf = async (id: string) =>
      (await call(sandbox, 'migration.report', {})).findings.find(({ rule }) => rule === id)?.count ?? 0
    const { uid } = programOf(sandbox)
    await call(sandbox, 'programs.update', { uid, name: 'Renamed' })
    expect(await countOf('allowlist-and-keys')).toBe(0)
    await call(sandbox, 'programs.update', { uid, allowlist: ['127.0.0.0/8'] })
    await call(sandbox, 'programs.rotate_key', { uid })
    expect(await countOf('allowlist-and-keys')).toBe(2)

    const customer = { collection: 'customers', uid: customer_uid }
    await call(sandbox, 'moves.make', { ...customer, move: 'lock', inputs: { lock_reason: 'test' } })
    await call(sandbox, 'moves.make', { ...customer, move: 'unlock' })
    expect(await countOf('failures-by-staff')).toBe(0)
    const { body: to } = await external('wire_external', 'Harbor', '400178')
    const { body: transfer } = await pay(to, { wire: {} })
    const [payment] = await payments(transfer.uid)
    await call(sandbox, 'moves.make', { collection: 'transactions', uid: payment!.uid!, move: 'fail' })
    expect(await countOf('failures-by-staff')).toBe(1)

    const url = 'http://127.0.0.1:9/hooks'
    const keyed = { url, pgp_public_key: await pgpKey(), confirm: false }
    const webhook = await call(sandbox, 'webhooks.create', keyed)
    await call(sandbox, 'webhooks.update', { uid: webhook.uid, url: `${url}/2` })
    expect(await countOf('webhooks-encrypted')).toBe(0)
    await call(sandbox, 'webhooks.update', { uid: webhook.uid, pgp_public_key: null })
    expect(await countOf('webhooks-encrypted')).toBe(1)

    // An undo is a rewind in the log.
    await call(sandbox, 'operations.undo', {})
    expect(await countOf('no-clearing')).toBe(1)
  })

  it('is of the log of its world: a fork begins with none, and after a restart it is the same', async () => {
    const data = createTemporaryFolder()
    const sandbox = await startSandbox({ data, world: 'demo' })
    await sandbox.client().post('/customers', OLIVE)
    const before = await call(sandbox, 'migration.report', {})
    const { name } = await call(sandbox, 'worlds.create', { from: 'current' })
    expect(await call(sandbox.worlds.get(name)!, 'migration.report', {})).toMatchObject({ findings: [], requests: 0 })
    await sandbox.close()
    expect(await call(await startSandbox({ data }), 'migration.report', {})).toEqual(before)
  })

  it('lists in a world that behaves as hosted what was refused, and only for the Program that is asked for, which must be there', async () => {
    const sandbox = await startHosted()
    await call(sandbox, 'programs.create', { name: 'Second' })
    await isRefused(sandbox)
    const ask = async (program: number) =>
      (await call(sandbox, 'migration.report', { program_uid: sandbox.programs()[program]!.uid })).findings.filter(
        ({ of }) => of === 'requests',
      )
    expect(await ask(0)).toMatchObject([{ rule: 'no-customers', count: 1 }])
    expect(await ask(1)).toEqual([])
    const [first, second] = sandbox.programs()
    await call(sandbox, 'programs.update', { uid: second!.uid, allowlist: ['127.0.0.0/8'] })
    const actionsOf = async (program_uid: string) =>
      (await call(sandbox, 'migration.report', { program_uid })).findings.find(
        ({ rule }) => rule === 'allowlist-and-keys',
      )?.count
    expect([await actionsOf(first!.uid), await actionsOf(second!.uid)]).toEqual([1, 2])
    const unknown = '00000000-0000-4000-8000-000000000000'
    expect(await refusal(sandbox, 'migration.report', { program_uid: unknown })).toBe(
      `1001 there is no Program ${unknown}`,
    )
  })
})
