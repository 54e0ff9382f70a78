import { type Body, type Client, ConnectionLost, expectSuccess, type Response } from '../support/client.ts'
import type { Random } from '../support/random.ts'
import type { Call, ChangingMethod } from './methods.ts'

/**
 * Mixed load, and a record of what was sent. Every creation has a unique mark, so that its record can be found even when no response
 * came.
 */

export type Kind = 'customer' | 'account' | 'transfer' | 'receipt'

export interface Creation {
  readonly kind: Kind
  /** The external_uid; a receipt has none, so its amount is unique. */
  readonly mark: string
  /** undefined: it was sent by a control method. */
  readonly trace: string | undefined
  readonly json: Body
  /** undefined until a response comes; it never comes when the sandbox is killed first. */
  response: Response | undefined
  /** No later request can have changed its record. */
  isUnchanged: boolean
}

interface CustomerAccounts {
  readonly uid: string
  readonly pool: string
  readonly general: string[]
  readonly external: string[]
  readonly vrn: string
}

const PERSON = {
  first_name: 'Olive',
  last_name: 'Marsh',
  phone: '5155550123',
  ssn: '512-04-8823',
  dob: '1990-04-17',
  address: { street1: '1 Quay', city: 'Ames', state: 'IA', postal_code: '50010' },
}
// No client of the campaign sends this request.
const FAULTS = [{ method: 'PUT', path: '/customers/*', kind: 'latency', ms: 5 }]
const MANY = { daily_amount: '900000000.00', daily_count: 1_000_000 }

export class Load {
  readonly #random: Random
  readonly #customers: CustomerAccounts[] = []
  #types = new Map<string, string>()
  #product = ''
  #created = 0
  #advancing = false
  #toAuthorize: string[] = []
  #cancelable: string[] = []

  /** Everything that was sent since the last start. */
  creations: Creation[] = []
  /** The clock as of the last response. */
  clock = ''
  /** An advance was sent and not answered. */
  isAdvanceUnanswered = false
  /** In this round time passed by itself, so tasks may have changed records at any time. */
  isClockRunning = false
  /** Changes that were acknowledged. */
  acknowledged = 0
  /** Other changes, as one more step. */
  changeSetting: ((client: Client) => Promise<void>) | undefined

  constructor(random: Random) {
    this.#random = random
  }

  /** Creates three Customers with accounts, counterparties and money. */
  async createCustomers(client: Client): Promise<void> {
    const { uid } = (await expectSuccess(client.control('programs.list'))).programs[0]
    const limits = { ach: MANY, wire: MANY, instant_payment: MANY }
    await expectSuccess(client.control('programs.update', { uid, limits }))
    const types = await expectSuccess(client.api('GET', '/synthetic_account_types'))
    for (const type of types.data) this.#types.set(type.synthetic_account_category, type.uid)
    const products = await expectSuccess(client.api('GET', '/products'))
    this.#product = products.data.find((one: Body) => one.prerequisite_product_uids.length === 0).uid
    for (let n = 0; n < 3; n++)
      this.#customers.push(await this.#openAccounts(client, await this.createActiveCustomer(client)))
    this.clock = (await expectSuccess(client.control('clock.advance', { by: 'PT10S' }))).to
  }

  async createActiveCustomer(client: Client): Promise<string> {
    const { uid } = await expectSuccess(client.api('POST', '/customers', { email: 'a@x.test', details: PERSON }))
    const onboarding = { customer_uid: uid, product_uid: this.#product }
    await expectSuccess(client.api('POST', '/customer_products', onboarding))
    this.clock = (await expectSuccess(client.control('clock.advance', { by: 'PT2S' }))).to
    return uid
  }

  async #openAccounts(client: Client, uid: string): Promise<CustomerAccounts> {
    const { pool_uids } = await expectSuccess(client.api('GET', `/customers/${uid}`))
    const pool = pool_uids[0]
    const listed = await expectSuccess(client.api('GET', `/synthetic_accounts?customer_uid=${uid}&liability=true`))
    const general = [listed.data[0].uid]
    for (let n = 0; n < 2; n++) general.push((await expectSuccess(this.#open(client, pool, 'general'))).uid)
    const external = [(await expectSuccess(this.#open(client, pool, 'ach_external'))).uid]
    for (const synthetic_account_uid of general)
      await expectSuccess(
        client.api('POST', '/sandbox/mock_transactions', this.#wire(uid, '900000.00', { synthetic_account_uid })),
      )
    const vrn = await expectSuccess(
      client.api('POST', '/virtual_reference_numbers', {
        name: 'Shop',
        synthetic_account_uid: general[0],
        routing_number: '110000000',
        synchronous_registration: true,
      }),
    )
    return { uid, pool, general, external, vrn: vrn.uid }
  }

  #open = (client: Client, pool: string, category: string) =>
    client.api('POST', '/synthetic_accounts', this.#account(pool, category, undefined))

  #account(pool_uid: string, category: string, external_uid: string | undefined) {
    const numbers = { routing_number: '021000021', account_number: `${70_000 + ++this.#created}0` }
    return {
      ...(external_uid === undefined ? {} : { external_uid }),
      name: `${category} ${this.#created}`,
      pool_uid,
      synthetic_account_type_uid: this.#types.get(category),
      ...(category === 'general'
        ? {}
        : { ...numbers, ach: { account_type: 'checking', counterparty_name: 'Northern Mill Co' } }),
    }
  }

  #wire = (customer_uid: string, us_dollar_amount: string, more: object) => ({
    transaction_type: 'wire',
    customer_uid,
    us_dollar_amount,
    ...more,
  })

  /** Runs so many steps one after the other. */
  async runSteps(client: Client, count: number): Promise<void> {
    this.beginRound()
    for (let n = 0; n < count; n++) await this.#step(client)
  }

  beginRound() {
    this.creations = []
    this.#advancing = false
    this.isAdvanceUnanswered = false
    this.isClockRunning = false
  }

  /** Runs steps in so many workers until the connection is lost. */
  async runUntilLost(client: Client, workers: number, { isClockRunning = false } = {}): Promise<void> {
    let isLost = false
    const work = async () => {
      while (!isLost)
        try {
          await this.#step(client)
        } catch (error) {
          if (!(error instanceof ConnectionLost)) throw error
          isLost = true
        }
    }
    this.isClockRunning = isClockRunning
    const begin = isClockRunning ? client.control('clock.set', { mode: 'running' }).catch(() => {}) : undefined
    await begin
    await Promise.all(Array.from({ length: workers }, work))
    if (this.isAdvanceUnanswered || this.isClockRunning) this.#markAllChanged()
  }

  /** How to call these methods. */
  readonly calls = {
    'clock.advance': (client) => this.#advance(client),
    'tasks.run': (client) => this.#runTask(client),
    'exchanges.send': (client) => this.#sendByControl(client),
    'transactions.inject': (client) => this.#inject(client, this.#random.pick(this.#customers)),
    'faults.set': (client) => client.control('faults.set', { faults: FAULTS }),
    'faults.clear': (client) => client.control('faults.clear'),
    'clock.cancel': (client) => client.control('clock.cancel'),
    'work.cancel': (client) => client.control('work.cancel'),
    'scenarios.pause': (client) => client.control('scenarios.pause'),
    'tokens.expire': (client) => client.control('tokens.expire', { uid: client.program }),
  } satisfies Partial<Record<ChangingMethod, Call>>

  #step(client: Client): Promise<unknown> {
    const customer = this.#random.pick(this.#customers)
    return this.#random.pickWeighted<() => Promise<unknown>>([
      [3, () => this.#createCustomer(client)],
      [2, () => this.#openAccount(client, customer)],
      [8, () => this.#pay(client, customer, customer.general)],
      [6, () => this.#pay(client, customer, customer.external)],
      [5, () => this.#receive(client, customer)],
      [1, () => this.#inject(client, customer)],
      [3, () => this.#authorize(client)],
      [1, () => this.#cancel(client)],
      [3, () => this.calls['clock.advance'](client)],
      [0.2, () => client.control('snapshots.keep', { name: `snapshot ${this.#random.below(3)}` })],
      [4, async () => this.changeSetting?.(client)],
      [1, () => this.calls['tasks.run'](client)],
      [1, () => this.calls['exchanges.send'](client)],
      [0.5, () => this.calls['faults.set'](client)],
      [0.5, () => this.calls['faults.clear'](client)],
      [0.2, () => this.calls['clock.cancel'](client)],
      [0.2, () => this.calls['work.cancel'](client)],
      [0.2, () => this.calls['scenarios.pause'](client)],
      [0.2, () => this.calls['tokens.expire'](client)],
      [0.2, () => client.control('scenarios.record', {})],
      [2, () => client.api('GET', `/transactions?synthetic_account_uid=${customer.general[0]}&limit=20`)],
    ])()
  }

  async #create(client: Client, kind: Kind, path: string, mark: string, json: Body): Promise<Response> {
    const trace = `trace-${mark}`
    const creation: Creation = { kind, mark, trace, json, response: undefined, isUnchanged: true }
    this.creations.push(creation)
    const response = await client.api('POST', path, json, trace)
    creation.response = response
    this.acknowledged++
    return response
  }

  #mark = () => `mark-${++this.#created}`

  #createCustomer(client: Client) {
    const external_uid = this.#mark()
    return this.#create(client, 'customer', '/customers', external_uid, { external_uid, email: 'c@x.test' })
  }

  #openAccount(client: Client, { pool }: CustomerAccounts) {
    const external_uid = this.#mark()
    const json = this.#account(pool, this.#random.pick(['general', 'ach_external']), external_uid)
    return this.#create(client, 'account', '/synthetic_accounts', external_uid, json)
  }

  async #pay(client: Client, { uid, general }: CustomerAccounts, to: readonly string[]) {
    const external_uid = this.#mark()
    const source = this.#random.pick(general)
    const destination = this.#random.pick(to.filter((one) => one !== source))
    const response = await this.#create(client, 'transfer', '/transfers', external_uid, {
      external_uid,
      source_synthetic_account_uid: source,
      destination_synthetic_account_uid: destination,
      initiating_customer_uid: uid,
      usd_transfer_amount: `${this.#random.between(0, 4)}.${this.#random.between(10, 99)}`,
      ach: {
        originator_name: 'Harbor',
        sec_code: 'CCD',
        entry_description: 'PAY',
        service_processing: 'STANDARD',
        effective_entry_date: this.clock.slice(0, 10),
      },
    })
    if (response.body?.status === 'queued') this.#cancelable.push(response.body.uid)
  }

  /** Each receipt has an amount of its own. */
  #amount(): string {
    const n = ++this.#created
    return `${1_000 + Math.floor(n / 100)}.${String(n % 100).padStart(2, '0')}`
  }

  /** The operator creates a Transaction; no request of the log is its cause. */
  async #inject(client: Client, { uid, general }: CustomerAccounts) {
    const us_dollar_amount = this.#amount()
    const json = { customer_uid: uid, us_dollar_amount }
    const creation: Creation = {
      ...{ kind: 'receipt', mark: us_dollar_amount, trace: undefined, json },
      ...{ response: undefined, isUnchanged: true },
    }
    this.creations.push(creation)
    const input = { ...json, movement: 'interest', synthetic_account_uid: this.#random.pick(general) }
    const response = await client.control('transactions.inject', input)
    creation.response = response.status === 200 ? { ...response, status: 201 } : response
    this.acknowledged++
  }

  async #receive(client: Client, { uid, general, vrn }: CustomerAccounts) {
    const amount = this.#amount()
    const onVrn = this.#random.chance(0.5)
    const to = onVrn ? { virtual_reference_number_uid: vrn } : { synthetic_account_uid: this.#random.pick(general) }
    const response = await this.#create(
      client,
      'receipt',
      '/sandbox/mock_transactions',
      amount,
      this.#wire(uid, amount, to),
    )
    if (onVrn && response.status === 201) this.#toAuthorize.push(response.body.uid)
  }

  async #authorize(client: Client) {
    const uid = this.#toAuthorize.shift()
    if (uid === undefined) return
    this.#markAllChanged()
    await client.api(
      'PUT',
      `/transactions/${uid}/authorize`,
      this.#random.chance(0.5)
        ? { authorization_status: 'client_approved' }
        : { authorization_status: 'denied', denied_reason: 'insufficient_funds' },
    )
    this.acknowledged++
  }

  async #cancel(client: Client) {
    const uid = this.#cancelable.shift()
    if (uid === undefined) return
    this.#markAllChanged()
    await client.api('PUT', `/transfers/${uid}/cancel`, { cancellation_reason: 'no more' })
    this.acknowledged++
  }

  /** The request is sent by the sandbox itself, with a trace id of its own. */
  async #sendByControl(client: Client) {
    const external_uid = this.#mark()
    const json = { external_uid, email: 'c@x.test' }
    const creation: Creation = {
      ...{ kind: 'customer', mark: external_uid, trace: undefined, json },
      ...{ response: undefined, isUnchanged: true },
    }
    this.creations.push(creation)
    const input = { method: 'POST', path: '/customers', body: JSON.stringify(json) }
    const response = await client.control('exchanges.send', input)
    const { status, response: answer } = response.body
    creation.response = answer ? { status, headers: {}, text: answer.body, body: JSON.parse(answer.body) } : response
    this.acknowledged++
  }

  async #runTask(client: Client) {
    const { tasks } = await expectSuccess(client.control('tasks.list'))
    const pending = tasks.filter(({ recurring, held }: Body) => !recurring && !held)
    if (pending.length === 0) {
      const customer = this.#random.pick(this.#customers)
      await this.#pay(client, customer, customer.external)
      return
    }
    this.#markAllChanged()
    await client.control('tasks.run', { uid: this.#random.pick<Body>(pending).uid })
    this.#markAllChanged()
    this.acknowledged++
  }

  /** One advance at a time: a second one is refused. It may change every record. */
  async #advance(client: Client) {
    if (this.#advancing) return
    this.#advancing = true
    this.isAdvanceUnanswered = true
    this.#markAllChanged()
    const by = this.#random.pickWeighted([
      [30, `PT${this.#random.between(1, 4)}S`],
      [1, 'PT9H'],
    ])
    const { status, body } = await client.control('clock.advance', { by })
    this.acknowledged++
    this.#markAllChanged()
    if (status === 200) this.clock = body.to
    // A canceled advance does not say how far it came.
    if (status === 200) this.isAdvanceUnanswered = false
    this.#advancing = false
  }

  #markAllChanged() {
    for (const creation of this.creations) creation.isUnchanged = false
  }
}
