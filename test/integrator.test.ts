import { createHmac, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { startSandbox } from './support/sandbox.ts'

/**
 * A test suite as an integrator writes it for a headless sandbox, with `fetch` alone: it creates a Program, resets the world, injects
 * payments, advances the clock and checks results. It knows three addresses and a key.
 */

type Json = Record<string, unknown>

interface Running {
  api: string
  control: string
  control_key: string
}
let sandbox: Running

beforeEach(async () => {
  // In CI this is the line that `sandbank serve --json` prints.
  const { api, control, control_key } = await startSandbox()
  sandbox = { api, control, control_key }
})

/** Calls a control method. */
async function operate<T = Json>(method: string, body: Json = {}): Promise<T> {
  const response = await fetch(`${sandbox.control}/${method}`, {
    method: 'POST',
    headers: { 'x-control-key': sandbox.control_key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${method}: ${JSON.stringify(answer)}`)
  return answer as T
}

/** Signs in as the app under test would: with a refresh token signed with the Program's key. */
async function signIn({ uid, hmac_key }: { uid: string; hmac_key: string }): Promise<string> {
  const part = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${part({ alg: 'HS512', typ: 'JWT' })}.${part({ sub: uid, iat: Math.floor(Date.now() / 1000) })}`
  const signature = createHmac('sha512', hmac_key).update(content).digest('base64url')
  const response = await fetch(`${sandbox.api}/auth`, {
    method: 'POST',
    headers: { authorization: `${content}.${signature}`, 'x-trace-id': randomUUID() },
  })
  expect(response.status).toBe(201)
  return ((await response.json()) as { token: string }).token
}

const app = (token: string) => ({
  async request<T = Json>(method: string, path: string, body?: Json): Promise<{ status: number; body: T }> {
    const response = await fetch(sandbox.api + path, {
      method,
      headers: {
        authorization: token,
        'x-trace-id': randomUUID(),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, body: (await response.json()) as T }
  },
  async list<T = Record<string, string>>(path: string): Promise<T[]> {
    const { status, body } = await this.request<{ data: T[] }>('GET', path)
    expect(status).toBe(200)
    return body.data
  },
  async create(path: string, body: Json): Promise<Record<string, string>> {
    const answer = await this.request<Record<string, string>>('POST', path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  },
})

describe('an integrator and a sandbox', () => {
  it('receives and sends money in a new Program, and finds the expected balances a month later', async () => {
    // Start from the same world every time.
    await operate('world.reset', { world: 'empty', seed: 'nightly' })
    await operate('clock.set', { mode: 'frozen' })
    const program = await operate<{ uid: string; hmac_key: string }>('programs.create', { name: 'Nightly tests' })
    const mine = app(await signIn(program))

    // A Customer, verified.
    const customer = await mine.create('/customers', {
      email: 'ada@example.test',
      details: {
        first_name: 'Ada',
        last_name: 'Byron',
        phone: '5155550123',
        ssn: '512-04-8823',
        dob: '1990-04-17',
        address: { street1: '1 Quay', city: 'Ames', state: 'IA', postal_code: '50010' },
      },
    })
    const products = await mine.list<{ uid: string; prerequisite_product_uids: string[] }>('/products')
    const product = products.find(({ prerequisite_product_uids }) => prerequisite_product_uids.length === 0)!
    await mine.create('/customer_products', { customer_uid: customer.uid, product_uid: product.uid })
    await operate('clock.advance', { until: 'idle' })
    const [active] = await mine.list<{ status: string; pool_uids: string[] }>(`/customers?uid=${customer.uid}`)
    expect(active!.status).toBe('active')

    // Inject a payment and advance the clock until it has settled.
    const [account] = await mine.list(`/synthetic_accounts?customer_uid=${customer.uid}&liability=true`)
    await mine.create('/sandbox/mock_transactions', {
      transaction_type: 'wire',
      customer_uid: customer.uid,
      us_dollar_amount: 250,
    })
    await operate('clock.advance', { until: 'idle' })
    const balance = async () => {
      const { body } = await mine.request('GET', `/synthetic_accounts/${account!.uid}`)
      return [body.net_usd_balance, body.net_usd_available_balance]
    }
    expect(await balance()).toEqual(['250.00', '250.00'])

    // Send a transfer to a counterparty and follow its status.
    const types = await mine.list('/synthetic_account_types')
    const type = types.find(({ synthetic_account_category }) => synthetic_account_category === 'ach_external')!
    const mill = await mine.create('/synthetic_accounts', {
      name: 'Northern Mill',
      pool_uid: active!.pool_uids[0],
      synthetic_account_type_uid: type.uid,
      routing_number: '021000021',
      account_number: '7000010',
      ach: { account_type: 'checking', counterparty_name: 'Northern Mill Co' },
    })
    const transfer = await mine.create('/transfers', {
      external_uid: 'invoice-4711',
      source_synthetic_account_uid: account!.uid,
      destination_synthetic_account_uid: mill.uid,
      initiating_customer_uid: customer.uid,
      usd_transfer_amount: '99.99',
      ach: {
        originator_name: 'Harbor Payments',
        sec_code: 'CCD',
        entry_description: 'INVOICE',
        service_processing: 'STANDARD',
        effective_entry_date: '2026-08-14',
      },
    })
    expect(transfer.status).toBe('queued')
    expect(await balance()).toEqual(['250.00', '150.01'])
    const { fired } = await operate<{ fired: { task: string; outcome: string }[] }>('clock.advance', { until: 'idle' })
    expect(fired).toMatchObject([
      { task: 'send payment', outcome: 'pending' },
      { task: 'finish payment', outcome: 'settled' },
    ])
    expect(await balance()).toEqual(['150.01', '150.01'])

    // The same external_uid sends it only once.
    const [again] = await mine.list(`/transfers?external_uid=invoice-4711`)
    expect(again!.status).toBe('settled')

    // Ask why the balance is what it is, and check the books.
    const { chain } = await operate<{ chain: { collection: string; uid: string }[] }>('why', {
      collection: 'synthetic_accounts',
      uid: account!.uid,
      field: 'net_usd_balance',
    })
    expect(chain.at(-1)).toMatchObject({ collection: 'transfers', uid: transfer.uid })
    expect(await operate('ledger.check')).toMatchObject({ balanced: true, problems: [] })

    // The closing balances exist a business day later. The token is valid for eight hours of real time, or until it is expired.
    await operate('clock.advance', { business_days: 1 })
    expect((await mine.request('GET', '/customers')).status).toBe(200)
    await operate('tokens.expire', { uid: program.uid })
    expect((await mine.request('GET', '/customers')).status).toBe(401)
    const later = app(await signIn(program))
    const closing = await later.list(`/synthetic_account_closing_balances?synthetic_account_uid=${account!.uid}`)
    expect(closing).toMatchObject([{ net_usd_closing_balance: '150.01', net_usd_closing_balance_as_of: '2026-08-14' }])
  })

  it('saves a snapshot once and restores it for each case', async () => {
    const program = await operate<{ uid: string; hmac_key: string }>('programs.create', { name: 'Cases' })
    await operate('snapshots.keep', { name: 'clean' })
    for (const email of ['one@example.test', 'two@example.test']) {
      const mine = app(await signIn(program))
      await mine.create('/customers', { email })
      const found = await mine.list('/customers?include_initiated=true')
      expect(found.map((customer) => customer.email)).toEqual([email])
      await operate('snapshots.restore', { name: 'clean' })
    }
  })

  it('creates one Customer when the app retries after a dropped connection', async () => {
    const program = await operate<{ uid: string; hmac_key: string }>('programs.create', { name: 'Retries' })
    const mine = app(await signIn(program))
    await operate('faults.set', {
      faults: [{ kind: 'drop_after_commit', path: '/customers', method: 'POST', times: 1 }],
    })
    const create = () => mine.request('POST', '/customers', { external_uid: 'crm-17' })
    await expect(create(), 'the answer got lost').rejects.toThrow()
    expect((await create()).status, 'it is there already').toBe(422)
    expect(await mine.list('/customers?include_initiated=true&external_uid=crm-17')).toHaveLength(1)
  })

  it('sees why a request is refused, in the response and in the request log', async () => {
    const program = await operate<{ uid: string; hmac_key: string }>('programs.create', { name: 'Refusals' })
    const mine = app(await signIn(program))
    const { status, body } = await mine.request<{ errors: { code: number }[] }>('GET', '/customers/nobody')
    expect([status, body.errors[0]!.code]).toEqual([404, 4002])
    const { data } = await operate<{ data: { uid: string }[] }>('exchanges.list', { limit: 1 })
    const exchange = await operate<{ refusal: { stage: string; pass: string | null } }>('exchanges.get', {
      uid: data[0]!.uid,
    })
    expect(exchange.refusal.stage).toBe('rules')
    await expect(operate('world.rewind', { seq: 999 })).rejects.toThrow(/there is no commit 999 yet/)
  })
})
