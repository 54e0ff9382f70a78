import { type Answer, type Body, type Caller, must } from '../support/caller.ts'
import type { Luck } from '../support/luck.ts'

/**
 * Mixed load, and what its client remembers of it. Every creation carries a mark that no other one has, so that the
 * records of a world can be told apart by who asked for them, also when no answer came.
 */

export type Kind = 'customer' | 'account' | 'transfer' | 'receipt'

export interface Deed {
  readonly kind: Kind
  /** An external_uid; of what comes from outside, which has none, the amount. */
  readonly mark: string
  readonly trace: string
  readonly json: Body
  /** undefined while no answer came, and for ever when the sandbox was killed before. */
  answer: Answer | undefined
  /** Nothing that was sent since can have changed its record. */
  untouched: boolean
}

interface Household {
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
const MANY = { daily_amount: '900000000.00', daily_count: 1_000_000 }

export class Load {
  readonly #luck: Luck
  readonly #households: Household[] = []
  #types = new Map<string, string>()
  #made = 0
  #advancing = false
  #asking: string[] = []
  #cancelable: string[] = []

  /** Of this round: everything that was sent. */
  deeds: Deed[] = []
  /** Where an answer said that the clock stands. */
  clock = ''
  /** How often an advance was answered, and whether one still waits for its answer. */
  advanceOpen = false
  answered = 0

  constructor(luck: Luck) {
    this.#luck = luck
  }

  /** Three Customers with accounts, counterparties and money: what the load is about. */
  async begin(caller: Caller): Promise<void> {
    const { uid } = (await must(caller.control('programs.list'))).programs[0]
    const limits = { ach: MANY, wire: MANY, instant_payment: MANY }
    await must(caller.control('programs.update', { uid, limits }))
    const types = await must(caller.api('GET', '/synthetic_account_types'))
    for (const type of types.data) this.#types.set(type.synthetic_account_category, type.uid)
    const products = await must(caller.api('GET', '/products'))
    const product_uid = products.data.find((one: Body) => one.prerequisite_product_uids.length === 0).uid
    for (let n = 0; n < 3; n++) {
      const customer = await must(caller.api('POST', '/customers', { email: 'a@x.test', details: PERSON }))
      await must(caller.api('POST', '/customer_products', { customer_uid: customer.uid, product_uid }))
      await must(caller.control('clock.advance', { by: 'PT2S' }))
      this.#households.push(await this.#settle(caller, customer.uid))
    }
    this.clock = (await must(caller.control('clock.advance', { by: 'PT10S' }))).to
  }

  async #settle(caller: Caller, uid: string): Promise<Household> {
    const { pool_uids } = await must(caller.api('GET', `/customers/${uid}`))
    const pool = pool_uids[0]
    const listed = await must(caller.api('GET', `/synthetic_accounts?customer_uid=${uid}&liability=true`))
    const general = [listed.data[0].uid]
    for (let n = 0; n < 2; n++) general.push((await must(this.#open(caller, pool, 'general'))).uid)
    const external = [(await must(this.#open(caller, pool, 'ach_external'))).uid]
    for (const synthetic_account_uid of general)
      await must(
        caller.api('POST', '/sandbox/mock_transactions', this.#wire(uid, '900000.00', { synthetic_account_uid })),
      )
    const vrn = await must(
      caller.api('POST', '/virtual_reference_numbers', {
        name: 'Shop',
        synthetic_account_uid: general[0],
        routing_number: '110000000',
        synchronous_registration: true,
      }),
    )
    return { uid, pool, general, external, vrn: vrn.uid }
  }

  #open = (caller: Caller, pool: string, category: string) =>
    caller.api('POST', '/synthetic_accounts', this.#account(pool, category, undefined))

  #account(pool_uid: string, category: string, external_uid: string | undefined) {
    const numbers = { routing_number: '021000021', account_number: `${70_000 + ++this.#made}0` }
    return {
      ...(external_uid === undefined ? {} : { external_uid }),
      name: `${category} ${this.#made}`,
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

  /** So many steps, one after the other. */
  async steps(caller: Caller, count: number): Promise<void> {
    this.#beginRound()
    for (let n = 0; n < count; n++) await this.#step(caller)
  }

  #beginRound() {
    this.deeds = []
    this.#advancing = false
    this.advanceOpen = false
  }

  /** So many at once, until the connection is lost; then it answers. */
  async run(caller: Caller, workers: number): Promise<void> {
    this.#beginRound()
    let lost = false
    const work = async () => {
      while (!lost)
        try {
          await this.#step(caller)
        } catch (error) {
          if ((error as Error).name !== 'Lost') throw error
          lost = true
        }
    }
    await Promise.all(Array.from({ length: workers }, work))
    if (this.advanceOpen) this.#disturb()
  }

  #step(caller: Caller): Promise<unknown> {
    const household = this.#luck.pick(this.#households)
    return this.#luck.weighed<() => Promise<unknown>>([
      [3, () => this.#createCustomer(caller)],
      [2, () => this.#openAccount(caller, household)],
      [8, () => this.#pay(caller, household, household.general)],
      [6, () => this.#pay(caller, household, household.external)],
      [5, () => this.#receive(caller, household)],
      [3, () => this.#authorize(caller)],
      [1, () => this.#cancel(caller)],
      [3, () => this.#advance(caller)],
      [0.2, () => caller.control('snapshots.keep', { name: `kept ${this.#luck.below(3)}` })],
      [2, () => caller.api('GET', `/transactions?synthetic_account_uid=${household.general[0]}&limit=20`)],
    ])()
  }

  async #make(caller: Caller, kind: Kind, path: string, mark: string, json: Body): Promise<Answer> {
    const deed: Deed = { kind, mark, trace: `trace-${mark}`, json, answer: undefined, untouched: true }
    this.deeds.push(deed)
    const answer = await caller.api('POST', path, json, deed.trace)
    deed.answer = answer
    this.answered++
    return answer
  }

  #mark = () => `mark-${++this.#made}`

  #createCustomer(caller: Caller) {
    const external_uid = this.#mark()
    return this.#make(caller, 'customer', '/customers', external_uid, { external_uid, email: 'c@x.test' })
  }

  #openAccount(caller: Caller, { pool }: Household) {
    const external_uid = this.#mark()
    const json = this.#account(pool, this.#luck.pick(['general', 'ach_external']), external_uid)
    return this.#make(caller, 'account', '/synthetic_accounts', external_uid, json)
  }

  async #pay(caller: Caller, { uid, general }: Household, to: readonly string[]) {
    const external_uid = this.#mark()
    const source = this.#luck.pick(general)
    const destination = this.#luck.pick(to.filter((one) => one !== source))
    const answer = await this.#make(caller, 'transfer', '/transfers', external_uid, {
      external_uid,
      source_synthetic_account_uid: source,
      destination_synthetic_account_uid: destination,
      initiating_customer_uid: uid,
      usd_transfer_amount: `${this.#luck.between(0, 4)}.${this.#luck.between(10, 99)}`,
      ach: {
        originator_name: 'Harbor',
        sec_code: 'CCD',
        entry_description: 'PAY',
        service_processing: 'STANDARD',
        effective_entry_date: this.clock.slice(0, 10),
      },
    })
    if (answer.body?.status === 'queued') this.#cancelable.push(answer.body.uid)
  }

  /** No two receipts are of one amount. */
  async #receive(caller: Caller, { uid, general, vrn }: Household) {
    const n = ++this.#made
    const amount = `${1_000 + Math.floor(n / 100)}.${String(n % 100).padStart(2, '0')}`
    const onVrn = this.#luck.chance(0.5)
    const to = onVrn ? { virtual_reference_number_uid: vrn } : { synthetic_account_uid: this.#luck.pick(general) }
    const answer = await this.#make(
      caller,
      'receipt',
      '/sandbox/mock_transactions',
      amount,
      this.#wire(uid, amount, to),
    )
    if (onVrn && answer.status === 201) this.#asking.push(answer.body.uid)
  }

  async #authorize(caller: Caller) {
    const uid = this.#asking.shift()
    if (uid === undefined) return
    this.#disturb()
    await caller.api(
      'PUT',
      `/transactions/${uid}/authorize`,
      this.#luck.chance(0.5)
        ? { authorization_status: 'client_approved' }
        : { authorization_status: 'denied', denied_reason: 'insufficient_funds' },
    )
    this.answered++
  }

  async #cancel(caller: Caller) {
    const uid = this.#cancelable.shift()
    if (uid === undefined) return
    this.#disturb()
    await caller.api('PUT', `/transfers/${uid}/cancel`, { cancellation_reason: 'no more' })
    this.answered++
  }

  /** One at a time, as a second one is refused. Whatever is there may change by it. */
  async #advance(caller: Caller) {
    if (this.#advancing) return
    this.#advancing = true
    this.advanceOpen = true
    this.#disturb()
    const by = this.#luck.weighed([
      [30, `PT${this.#luck.between(1, 4)}S`],
      [1, 'PT9H'],
    ])
    const { status, body } = await caller.control('clock.advance', { by })
    if (status === 200) this.clock = body.to
    this.answered++
    this.#disturb()
    this.advanceOpen = false
    this.#advancing = false
  }

  #disturb() {
    for (const deed of this.deeds) deed.untouched = false
  }
}
