import type { ControlReply } from '../../../src/api/contract/control/client.ts'
import type { EndpointName } from '../../../src/api/contract/endpoints.ts'
import { achReturnCodes } from '../../../src/api/contract/network-codes.ts'
import { dateAt, instantAt, plusDays } from '../../../src/api/domain/rules/calendar.ts'
import type { World } from '../../../src/api/store/world.ts'
import { formatCents, toCents } from '../cents.ts'
import { OLIVE, PERSON } from '../customers.ts'
import { type Body, type Doors, type Input, InternalError, type Reply } from './doors.ts'
import { Observer } from './observer.ts'
import type { Advance, Amount, Category, Operation, Setup, Way } from './operations.ts'

/** The result of an operation; `what` and `text` describe it for people. */
export interface OperationResult {
  readonly what: string
  readonly ok: boolean
  readonly text: string
  /** Set for a payment out of a general account: whether it was accepted. */
  readonly spending?: {
    readonly account: string
    readonly cents: bigint
    readonly category: string
    readonly isAccepted: boolean
    readonly code: number | undefined
  }
}

const pick = <T>(from: readonly T[], n: number): T | undefined =>
  from.length === 0 ? undefined : from[n % from.length]
/** 0 is the newest. */
const pickRecent = <T>(from: readonly T[], n: number): T | undefined =>
  from.length === 0 ? undefined : from[from.length - 1 - (n % from.length)]

/** The matching records; all of them if none matches. */
const prefer = (all: Body[], matches: (one: Body) => boolean): Body[] => {
  const found = all.filter(matches)
  return found.length > 0 ? found : all
}
const isActive = ({ status }: Body) => status === 'active'

const ADDRESS = {
  street_number: '8',
  street1: 'Wharf Road',
  city: 'Toledo',
  state: 'OH',
  postal_code: '43604',
  country: 'US',
}

/** How an actor advances the clock. */
export type AdvanceClock = (doors: Doors, input: object) => Promise<ControlReply>
const advanceAtOnce: AdvanceClock = (doors, input) => doors.call('clock.advance', input)

const CATEGORY: Partial<Record<Way, Category>> = {
  'ach out': 'ach_external',
  'ach in': 'ach_external',
  wire: 'wire_external',
  instant: 'instant_payment_external',
}
const ENDPOINT_OF = {
  lock: 'lockVirtualReferenceNumber',
  unlock: 'unlockVirtualReferenceNumber',
  archive: 'archiveVirtualReferenceNumber',
  rename: 'updateVirtualReferenceNumber',
} as const

export class Actor {
  doors: Doors
  readonly observer: Observer
  readonly #advanceClock: AdvanceClock
  #program = ''
  #types = new Map<string, string>()
  #products: string[] = []
  /** Makes names and account numbers unique. */
  #count = 0

  constructor(
    doors: Doors,
    {
      observer = new Observer(),
      advanceClock = advanceAtOnce,
    }: { observer?: Observer; advanceClock?: AdvanceClock } = {},
  ) {
    this.doors = doors
    this.observer = observer
    this.#advanceClock = advanceClock
    observer.observe(doors)
  }

  get world(): World {
    return this.doors.store.world
  }

  get now(): number {
    return Date.parse(this.world.clock.at)
  }

  /** Continues with another process that has the same world. */
  reconnect(doors: Doors) {
    this.doors = doors
    this.observer.observe(doors)
  }

  /** Creates three funded Customers: with a counterparty of each kind, with a single one, and with none. */
  async setUp({ pace }: Setup): Promise<void> {
    this.#program = this.world.collections.programs.inOrder()[0]!.uid
    const types = await this.#request('listSyntheticAccountTypes')
    for (const { uid, synthetic_account_category } of types.data) this.#types.set(synthetic_account_category, uid)
    const products = await this.#request('listProducts')
    this.#products = products.data.map(({ uid }: Body) => uid)
    for (const [i, type] of ['primary', 'sole_proprietor', 'primary'].entries()) {
      const { uid } = await this.#request('createCustomer', { body: person(type, ['Oyl', 'Reyes', 'Quint'][i]!, i) })
      await this.#request('onboardCustomer', { body: { customer_uid: uid, product_uid: this.#firstProduct() } })
    }
    await this.doors.call('clock.advance', { by: 'PT2S' })
    await this.observer.read()
    for (const [i, customer] of this.#customers().entries()) {
      await this.#request('createSyntheticAccount', {
        body: this.#account(customer.pool_uids[0], 'general', 'Reserve', ''),
      })
      if (i === 0)
        for (const [category, name, end] of COUNTERPARTIES)
          await this.#request('createSyntheticAccount', {
            body: this.#account(customer.pool_uids[0], category, name, end),
          })
      if (i === 1)
        await this.#request('createSyntheticAccount', {
          body: this.#account(customer.pool_uids[0], 'ach_external', 'Mill', '10'),
        })
    }
    await this.observer.read()
    for (const customer of this.#customers())
      for (const [i, { uid, pool_uid }] of this.#general(customer).entries()) {
        await this.#request('createVirtualReferenceNumber', {
          body: {
            name: `Shop of ${pool_uid}`,
            synthetic_account_uid: uid,
            routing_number: '110000000',
            synchronous_registration: true,
          },
        })
        await this.#request('createMockTransaction', {
          body: {
            transaction_type: 'wire',
            customer_uid: customer.uid,
            us_dollar_amount: i === 0 ? '1000.00' : '250.50',
            synthetic_account_uid: uid,
          },
        })
      }
    await this.doors.call('clock.advance', { by: 'PT2S' })
    if (pace === 'real') await this.doors.call('clock.set', { pace })
  }

  async perform(operation: Operation): Promise<OperationResult> {
    switch (operation.do) {
      case 'pay':
        return this.#pay(operation)
      case 'cancel': {
        const transfer = pickRecent(
          prefer(this.observer.all('transfers'), ({ status }) => status === 'queued' || status === 'pending'),
          operation.index,
        )
        if (!transfer) return NO_RECORD
        return this.#run(`cancel ${describe(transfer)}`, 'cancelTransfer', {
          params: { uid: transfer.uid },
          body: { cancellation_reason: 'no more' },
        })
      }
      case 'receive':
        return this.#receive(operation)
      case 'receive return': {
        const ours = this.observer
          .all('transactions')
          .filter(({ type, transfer_uid }) => type === 'ach' && transfer_uid)
        const payment = pickRecent(ours, operation.index)
        if (!payment) return NO_RECORD
        return this.#run(`mock the return of ${describe(payment)}`, 'createMockTransaction', {
          body: { transaction_type: 'ach_return', transaction_uid: payment.uid },
        })
      }
      case 'authorize': {
        const { index, approve, reason, isAny } = operation
        const all = this.observer.all('transactions')
        const payment = pickRecent(isAny ? all : prefer(all, ({ status }) => status === 'authorization_pending'), index)
        if (!payment) return NO_RECORD
        return this.#run(`${approve ? 'approve' : `deny (${reason})`} ${describe(payment)}`, 'authorizeTransaction', {
          params: { uid: payment.uid },
          body: approve
            ? { authorization_status: 'client_approved' }
            : { authorization_status: 'denied', denied_reason: reason },
        })
      }
      case 'return':
        return this.#return(operation)
      case 'create combined transfer':
        return this.#createCombinedTransfer(operation)
      case 'create VRN': {
        const account = this.#generalOf(operation.customerIndex, operation.index)
        if (!account) return NO_RECORD
        return this.#run(`create a VRN "${operation.name}" of ${account.name}`, 'createVirtualReferenceNumber', {
          body: {
            name: operation.name,
            synthetic_account_uid: account.uid,
            routing_number: '110000000',
            synchronous_registration: operation.isSynchronous,
          },
        })
      }
      case 'change VRN': {
        const { change, index } = operation
        const vrn = pick(this.observer.all('virtual_reference_numbers'), index)
        if (!vrn) return NO_RECORD
        const body =
          change === 'lock'
            ? { lock_reason: 'admin' }
            : change === 'rename'
              ? { name: `Shop ${++this.#count}` }
              : undefined
        return this.#run(`${change} VRN ${vrn.uid}`, ENDPOINT_OF[change], {
          params: { uid: vrn.uid },
          ...(body ? { body } : {}),
        })
      }
      case 'open account': {
        const { customerIndex, category, name, ending: end } = operation
        const customer = this.#customer(customerIndex)
        if (!customer) return NO_RECORD
        const body = this.#account(customer.pool_uids[0], category, name, end)
        return this.#run(`open ${body.name} for ${customer.details.last_name}`, 'createSyntheticAccount', { body })
      }
      case 'close account': {
        const account = pick(this.#accountsOf(this.#customer(operation.customerIndex)), operation.index)
        if (!account) return NO_RECORD
        return this.#run(`close ${account.name}`, 'archiveSyntheticAccount', { params: { uid: account.uid } })
      }
      case 'rename account': {
        const account = pick(this.#accountsOf(this.#customer(operation.customerIndex)), operation.index)
        if (!account) return NO_RECORD
        return this.#run(`rename ${account.name}`, 'updateSyntheticAccount', {
          params: { uid: account.uid },
          body: { name: `${account.name}'`, note: 'asked for' },
        })
      }
      case 'create customer': {
        const { type, last_name, dob, ssn } = operation
        const created = await this.doors.request('createCustomer', { body: person(type, last_name, 10 + ssn, dob) })
        if (!created.ok) return resultOf(`create ${last_name}`, created)
        return this.#run(`create and onboard ${last_name}, ${type}, born ${dob}`, 'onboardCustomer', {
          body: { customer_uid: created.body.uid, product_uid: this.#firstProduct() },
        })
      }
      case 'onboard': {
        const customer = pick(this.observer.all('customers'), operation.customerIndex)
        if (!customer) return NO_RECORD
        return this.#run(`onboard ${customer.details.last_name} further`, 'onboardCustomer', {
          body: { customer_uid: customer.uid, product_uid: pick(this.#products, operation.product) },
        })
      }
      case 'update customer': {
        const customer = pick(this.observer.all('customers'), operation.customerIndex)
        if (!customer) return NO_RECORD
        const { first_name, phone, address } = PERSON
        return this.#run(`${customer.details.last_name} is renamed to ${operation.last_name}`, 'updateCustomer', {
          params: { uid: customer.uid },
          body: { email: OLIVE.email, details: { first_name, phone, address, last_name: operation.last_name } },
        })
      }
      case 'archive customer': {
        const customer = pick(this.observer.all('customers'), operation.customerIndex)
        if (!customer) return NO_RECORD
        const external = this.#accountsOf(customer).filter(({ liability }) => !liability)
        const to = operation.to === null ? undefined : pick(external, operation.to)
        return this.#run(
          `archive ${customer.details.last_name}${to ? `, the rest to ${to.name}` : ''}`,
          'archiveCustomer',
          {
            params: { uid: customer.uid },
            body: {
              can_apply_again: operation.again,
              ...(to ? { destination_synthetic_account_uid: to.uid } : {}),
            },
          },
        )
      }
      case 'decide':
        return this.#decide(operation)
      case 'advance':
        return this.#advance(operation.by)
      case 'set pace':
        return resultOf(
          `the pace is ${operation.pace}`,
          replyOf(await this.doors.call('clock.set', { pace: operation.pace })),
        )
      case 'change settings': {
        const reply = await this.doors.call('programs.update', { uid: this.#program, ...operation.settings })
        return resultOf(`set ${JSON.stringify(operation.settings)}`, replyOf(reply))
      }
    }
  }

  async configure(settings: object) {
    await this.doors.call('programs.update', { uid: this.#program, ...settings })
  }

  async #pay(operation: Extract<Operation, { do: 'pay' }>): Promise<OperationResult> {
    const { way, customerIndex, amount: asked, isSameDay, prenote, daysAhead, sec_code, isAcrossPools } = operation
    const customer = this.#customer(customerIndex, way)
    const others = isAcrossPools ? this.#customer(customerIndex + 1) : customer
    const reached = (category: string) =>
      prefer(this.#accountsOf(others), isActive).filter((a) => a.synthetic_account_category === category)
    const general = prefer(this.#general(customer), isActive)
    const any = this.#accountsOf(customer, true)
    const [sources, destinations] = {
      'ach out': [general, reached('ach_external')],
      'ach in': [reached('ach_external'), general],
      wire: [general, reached('wire_external')],
      instant: [general, reached('instant_payment_external')],
      book: [general, isAcrossPools ? this.#general(others) : general],
      any: [any, any],
    }[way]
    const source = pick(sources!, operation.from)
    const destination = pick(
      destinations!.length > 1 ? destinations!.filter((one) => one !== source) : destinations!,
      operation.to,
    )
    if (!customer || !source || !destination) return NO_RECORD
    const isPrenote = prenote && way.startsWith('ach')
    const text = isPrenote ? '0.00' : this.#text(asked, source)
    const again = operation.again === null ? {} : { external_uid: `again-${operation.again}` }
    const isRepeated = this.observer
      .all('transfers')
      .some(({ external_uid }) => external_uid !== undefined && external_uid === again.external_uid)
    const reply = await this.doors.request('createTransfer', {
      body: {
        ...again,
        source_synthetic_account_uid: source.uid,
        destination_synthetic_account_uid: destination.uid,
        initiating_customer_uid: customer.uid,
        usd_transfer_amount: text,
        ach: {
          originator_name: 'Harbor',
          sec_code,
          entry_description: 'PAY',
          service_processing: isSameDay ? 'SAMEDAY' : 'STANDARD',
          effective_entry_date: plusDays(dateAt(this.now), daysAhead),
          prenote: isPrenote,
          ...(sec_code === 'CIE' ? { id_number: '77' } : {}),
        },
      },
    })
    const particulars = [
      isSameDay && 'SAMEDAY',
      isPrenote && 'prenote',
      daysAhead !== 0 && `${daysAhead} days ahead`,
      again.external_uid,
    ]
    const what = `pay ${text} from ${source.name} to ${destination.name} ${particulars.filter(Boolean).join(', ')}`
    const { liability, uid } = source
    if (!liability || isRepeated) return resultOf(what, reply)
    return {
      ...resultOf(what, reply),
      spending: {
        account: uid,
        cents: toCents(text),
        category: destination.synthetic_account_category,
        isAccepted: reply.ok,
        code: reply.ok ? undefined : reply.code,
      },
    }
  }

  #receive({ type, customerIndex, amount: asked, isDebit, to, index }: Extract<Operation, { do: 'receive' }>) {
    const customer = this.#customer(customerIndex)
    if (!customer) return NO_RECORD
    const general = this.#general(customer)
    const vrns = this.observer
      .all('virtual_reference_numbers')
      .filter(({ synthetic_account_uid }) => general.some(({ uid }) => uid === synthetic_account_uid))
    const account = pick(general, index)
    const vrn = pick(vrns, index)
    const text = this.#text(asked, account)
    const target =
      to === 'vrn' && vrn
        ? { virtual_reference_number_uid: vrn.uid }
        : to === 'account' && account
          ? { synthetic_account_uid: account.uid }
          : {}
    return this.#run(
      `${customer.details.last_name} receives ${isDebit ? '-' : ''}${text} by ${type} ${to === 'vrn' ? `on VRN ${vrn?.uid}` : to === 'account' ? `on ${account?.name}` : ''}`,
      'createMockTransaction',
      {
        body: {
          transaction_type: type,
          customer_uid: customer.uid,
          us_dollar_amount: `${isDebit ? '-' : ''}${text}`,
          ...target,
        },
      },
    )
  }

  #return({ index, code, isFitting, again: repeated }: Extract<Operation, { do: 'return' }>) {
    const settled = this.observer
      .all('transactions')
      .filter((it) => !isFitting || (it.status === 'settled' && ['ach', 'wire'].includes(it.type)))
    const payment = pickRecent(settled, index)
    if (!payment) return NO_RECORD
    const isOurs = payment.transfer_uid !== null
    const hit = payment.net_asset === 'negative' ? 'debit' : 'credit'
    const codes = ['R01', 'R02', 'R03', 'R04', 'R06', 'R09', 'R10', 'R16', 'R17', 'R20', 'R23', 'R29', 'R31']
    const fitting = codes.filter(
      (one) => !isFitting || achReturnCodes[one]!.hits === 'both' || achReturnCodes[one]!.hits === hit,
    )
    const takesCode = isFitting ? payment.type === 'ach' && !isOurs : code % 2 === 0
    const ach = takesCode ? { ach: { ach_return_code: pick(fitting, code) } } : {}
    return this.#run(`return ${describe(payment)} ${takesCode ? pick(fitting, code) : ''}`, 'createReturn', {
      body: {
        ...(repeated === null ? {} : { external_uid: `again-${repeated}` }),
        original_transaction_uid: payment.uid,
        requesting_customer_uid: payment.customer_uid,
        requestor_type: 'customer',
        return_reason: 'not wanted',
        ...ach,
      },
    })
  }

  #createCombinedTransfer({
    customerIndex,
    from,
    isOutgoing,
    isKnown,
    ending: end,
    amount: asked,
  }: Extract<Operation, { do: 'create combined transfer' }>) {
    const customer = this.#customer(customerIndex)
    const account = pick(this.#general(customer), from)
    if (!account) return NO_RECORD
    const counterparty = isKnown
      ? pick(
          this.#accountsOf(customer).filter(({ liability }) => !liability),
          from,
        )
      : undefined
    const party = counterparty
      ? { uid: counterparty.uid }
      : this.#account(customer.pool_uids[0], 'ach_external', 'Sails', end)
    const text = this.#text(asked, account)
    return this.#run(
      `combined: ${isOutgoing ? 'send' : 'collect'} ${text} ${account.name} with ${counterparty?.name ?? `a new account ${end}`}`,
      'createCombinedTransfer',
      {
        body: {
          synthetic_account: party,
          transfer: {
            [isOutgoing ? 'source_synthetic_account_uid' : 'destination_synthetic_account_uid']: account.uid,
            initiating_customer_uid: customer.uid,
            usd_transfer_amount: text,
            ach: {
              originator_name: 'Harbor',
              sec_code: 'CCD',
              entry_description: 'SAILS',
              service_processing: 'STANDARD',
              effective_entry_date: dateAt(this.now),
            },
          },
        },
      },
    )
  }

  /** A decision that is listed as legal succeeds, and another one is refused. */
  async #decide({
    collection,
    index,
    move,
    input,
    isPossible,
  }: Extract<Operation, { do: 'decide' }>): Promise<OperationResult> {
    const all = this.observer.all(collection)
    const isMovable = ({ status, type }: Body) => ['queued', 'pending'].includes(status) || type === 'ach'
    const record = pickRecent(isPossible && collection === 'transactions' ? prefer(all, isMovable) : all, index)
    if (!record) return NO_RECORD
    const listed = await this.doors.call('moves.list', { collection, uid: record.uid })
    if (!listed.ok) throw new InternalError(`The decisions on ${record.uid} cannot be listed`)
    const { moves } = listed.value as { moves: Body[] }
    const wanted = pick(
      moves.filter((one) => one.legal === isPossible),
      move,
    )
    if (!wanted) return NO_RECORD
    const inputs = Object.fromEntries(
      wanted.inputs
        .filter(({ required }: Body) => required)
        .map(({ name, values }: Body) => [name, values ? pick(values, input) : 'asked for']),
    )
    const what = `decide: ${wanted.move} ${Object.values(inputs).join(' ')} ${collection} ${describe(record)}`
    const reply = await this.doors.call('moves.make', { collection, uid: record.uid, move: wanted.move, inputs })
    if (reply.ok !== wanted.legal)
      throw new InternalError(`${what} is ${wanted.legal ? '' : 'not '}legal: ${JSON.stringify(reply)}`)
    return resultOf(what, replyOf(reply))
  }

  async #advance(by: Advance): Promise<OperationResult> {
    const input = 'clock' in by ? { to: new Date(this.#nextTime(by.clock, by.early_ms)).toISOString() } : by
    const reply = await this.#advanceClock(this.doors, input)
    if (!reply.ok) throw new InternalError(`The clock did not advance: ${JSON.stringify(reply.error)}`)
    return { what: `advance ${Object.values(input).join()}`, ok: true, text: `it is ${this.world.clock.at}` }
  }

  #nextTime(clock: string, early_ms: number): number {
    for (let date = dateAt(this.now); ; date = plusDays(date, 1)) {
      const ms = instantAt(date, clock) - early_ms
      if (ms >= this.now) return ms
    }
  }

  // ── The records

  #customers = () => this.observer.all('customers').filter(({ pool_uids }) => pool_uids.length > 0)

  /** Mostly an active Customer with a counterparty for this kind of payment. */
  #customer(n: number, way?: Way): Body {
    const category = way && CATEGORY[way]
    const reaches = (customer: Body) =>
      !category || this.#accountsOf(customer).some((one) => one.synthetic_account_category === category)
    const acts = ({ status, locked_at }: Body) => status === 'active' && locked_at === null
    const all = this.#customers()
    return pick(n % 8 === 0 ? all : prefer(prefer(all, acts), reaches), n)
  }
  #firstProduct = () => this.#products[0]!

  #accountsOf(customer: Body, withAssets = false): Body[] {
    if (!customer) return []
    return this.observer
      .all('synthetic_accounts')
      .filter(
        (account) =>
          account.pool_uid === customer.pool_uids[0] &&
          (withAssets || account.liability || account.synthetic_account_category !== 'general'),
      )
  }
  #general = (customer: Body) => this.#accountsOf(customer).filter(({ liability }) => liability)
  #generalOf = (customerIndex: number, index: number) => pick(this.#general(this.#customer(customerIndex)), index)

  #text(amount: Amount, account: Body | undefined): string {
    if ('cents' in amount) return formatCents(BigInt(amount.cents))
    const known = account && this.observer.known.synthetic_accounts.get(account.uid)?.net_usd_available_balance
    const available = known ? toCents(known) : 10_000n
    const cents = 'part' in amount ? available / BigInt(amount.part) : available + BigInt(amount.available_plus)
    return formatCents(cents > 0n ? cents : 1n)
  }

  #account(pool_uid: string, category: Category, name: string, end: string): Body {
    const n = ++this.#count
    const counterparty_name = `${name} ${n}`
    const numbers = { routing_number: '021000021', account_number: `${1_000 + n}${end}` }
    const party = {
      general: {},
      ach_external: { ...numbers, ach: { account_type: 'checking', counterparty_name } },
      wire_external: { ...numbers, wire: { counterparty_name } },
      instant_payment_external: { ...numbers, instant_payment: { counterparty_name, counterparty_address: ADDRESS } },
    }[category]
    return {
      name: `${name} ${n}${end ? ` (…${end}, ${category})` : ''}`,
      pool_uid,
      synthetic_account_type_uid: this.#types.get(category),
      ...party,
    }
  }

  async #run(what: string, name: EndpointName, input: Input): Promise<OperationResult> {
    return resultOf(what, await this.doors.request(name, input))
  }

  async #request(name: EndpointName, input?: Input): Promise<Body> {
    const reply = await this.doors.request(name, input)
    if (!reply.ok)
      throw new InternalError(`The setup was refused: ${name} ${reply.status}/${reply.code} ${reply.extra}`)
    return reply.body
  }
}

const COUNTERPARTIES: readonly (readonly [Category, string, string])[] = [
  ['ach_external', 'Mill', '10'],
  ['ach_external', 'fail', '10'],
  ['ach_external', 'Mill', '9902'],
  ['ach_external', 'Mill', '9804'],
  ['wire_external', 'Lease', '10'],
  ['wire_external', 'fail', '10'],
  ['instant_payment_external', 'Ada', '10'],
  ['instant_payment_external', 'Ada', '9301'],
  ['instant_payment_external', 'Ada', '9500'],
]

const person = (customer_type: string, last_name: string, n: number, dob = PERSON.dob) => ({
  customer_type,
  email: OLIVE.email,
  details: {
    ...PERSON,
    last_name,
    dob,
    ssn: `512-04-${8800 + n}`,
    ...(customer_type === 'sole_proprietor' ? { business_name: `${last_name} Supply` } : {}),
  },
})

const NO_RECORD: OperationResult = { what: 'no record to do it with', ok: false, text: '' }

const replyOf = (reply: ControlReply): Reply => {
  if (reply.ok) return { ok: true, body: reply.value }
  const { errors: found, status } = reply.error
  return { ok: false, status, code: found[0]!.code, extra: found[0]!.extra ?? '' }
}

const resultOf = (what: string, reply: Reply): OperationResult => ({
  what,
  ok: reply.ok,
  text: reply.ok
    ? [reply.body?.status, reply.body?.uid].filter(Boolean).join(' ')
    : `refused ${reply.status}/${reply.code} ${reply.extra}`,
})

const describe = ({ uid, status, type, us_dollar_amount, usd_transfer_amount, details }: Body) =>
  [details?.last_name, us_dollar_amount ?? usd_transfer_amount, type, `(${uid}, ${status})`].filter(Boolean).join(' ')
