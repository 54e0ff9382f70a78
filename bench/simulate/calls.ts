import { addDays, instantOf, wallTimeAt } from './model/calendar.ts'
import { ACH_OF_CLIENT, isLiability, type Model, type Refusal } from './model/model.ts'
import type { Account, Customer, Payment, Transfer, Vrn } from './model/state.ts'
import type { Category, Force, Operation, Person, ProgramSettings } from './operations.ts'

/** Turns an operation into a request or a control method call, with what the model expects of it. */

// biome-ignore lint/suspicious/noExplicitAny: the checks know the shape of each body.
export type Body = any

export interface ApiCall {
  readonly door: 'api'
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly refusal: Refusal | undefined
  readonly status: number
  /** The list that has the created record, if the request creates one. */
  readonly creates?: string
  /** Applies the accepted request to a model. `body` is the response, or the created record. */
  readonly apply: (model: Model, body: Body) => void
}

export interface ControlCall {
  readonly door: 'control'
  readonly name: string
  readonly input: object
  readonly apply: (model: Model, value: Body) => void
}

export type Call = ApiCall | ControlCall

/** Ids of the demo Program of `resources/program.json`. */
export interface World {
  readonly program: string
  readonly product: string
  readonly types: Readonly<Record<Category, string>>
}

const at = <T>(all: readonly T[], n: number): number => (all.length === 0 ? -1 : n % all.length)

/** Undefined if the operation has nothing to act on. */
export function callOf(operation: Operation, model: Model, world: World): Call | undefined {
  const { customers, accounts, payments, transfers, vrns, now } = model.state
  const customerOf = (n: number): [Customer, number] => [customers[at(customers, n)]!, at(customers, n)]
  switch (operation.kind) {
    case 'create customer':
      return post('/customers', personOf(operation.person), undefined, (it, { uid }) =>
        it.createCustomer(uid, operation.person),
      )
    case 'onboard': {
      const [customer, of] = customerOf(operation.customer)
      if (!customer) return undefined
      const body = { customer_uid: customer.uid, product_uid: world.product }
      return call('POST', '/customer_products', body, model.checkOnboard(customer), (it) => it.onboard(of))
    }
    case 'open account': {
      const [customer, of] = customerOf(operation.customer)
      if (!customer?.pool) return undefined
      const { category, force } = operation
      const name = `${NAMES[force] ?? 'Account'} ${operation.id}`
      const body = {
        name,
        pool_uid: customer.pool,
        synthetic_account_type_uid: world.types[category],
        ...partyOf(category, operation.id, force),
      }
      return post('/synthetic_accounts', body, model.checkOpenAccount(customer), (it, { uid }) =>
        it.openAccount(uid, name, of, category, force),
      )
    }
    case 'archive account': {
      const of = at(accounts, operation.account)
      const account = accounts[of]
      if (account?.status !== 'active') return undefined
      return {
        ...call('DELETE', `/synthetic_accounts/${account.uid}`, undefined, model.checkArchiveAccount(of), (it) =>
          it.archiveAccount(of),
        ),
        status: 204,
      }
    }
    case 'transfer':
      return transferCall(operation, model)
    case 'cancel': {
      // Mostly one that can be canceled.
      const queued = transfers.filter(({ payment }) => payments[payment]!.status === 'queued')
      const choice = queued.length > 0 && operation.transfer % 4 > 0 ? queued : transfers
      const transfer: Transfer | undefined = choice[at(choice, operation.transfer)]
      if (!transfer || transfer.uid === null) return undefined
      const of = transfers.indexOf(transfer)
      return call('PUT', `/transfers/${transfer.uid}/cancel`, {}, model.checkCancel(of), (it) => it.cancel(of))
    }
    case 'receive':
      return receiveCall(operation, model)
    case 'receive return': {
      const of = at(payments, operation.payment)
      const payment: Payment | undefined = payments[of]
      // The client learns no uid of what the service itself creates.
      if (!payment || !ACH_OF_CLIENT.includes(payment.type) || payment.uid === null) return undefined
      const body = { transaction_type: 'ach_return', transaction_uid: payment.uid }
      return {
        ...post('/sandbox/mock_transactions', body, model.checkReceiveReturn(of), (it, { uid }) =>
          it.receiveReturn(uid, of),
        ),
        creates: '/transactions',
      }
    }
    case 're-present': {
      const returned = payments.filter((one) => one.uid !== null && model.canRePresent(payments.indexOf(one)))
      const payment = returned[at(returned, operation.payment)]
      if (!payment) return undefined
      return control('moves.make', { collection: 'transactions', uid: payment.uid, move: 're-present' }, (it) =>
        it.rePresent(payments.indexOf(payment)),
      )
    }
    case 'return': {
      const of = at(payments, operation.payment)
      const payment = payments[of]
      if (!payment || payment.uid === null) return undefined
      const isReceivedAch = payment.type === 'ach' && payment.isReceived
      const isCredit = isReceivedAch && accounts[payment.source]!.role === 'asset'
      const body = {
        original_transaction_uid: payment.uid,
        requesting_customer_uid: customers[payment.customer]!.uid,
        requestor_type: 'customer',
        return_reason: 'Simulation',
        ...(isReceivedAch ? { ach: { ach_return_code: isCredit ? 'R23' : 'R10' } } : {}),
      }
      return post('/returns', body, model.checkReturn(of), (it, { uid, return_transaction_uid }) =>
        it.return(uid, return_transaction_uid, of),
      )
    }
    case 'open vrn': {
      const of = at(accounts, operation.account)
      const account: Account | undefined = accounts[of]
      if (!account) return undefined
      const name = `${operation.fails ? 'instant payment fail' : 'VRN'} ${operation.id}`
      const body = { name, synthetic_account_uid: account.uid, routing_number: '110000000' }
      return post('/virtual_reference_numbers', body, model.checkOpenVrn(of), (it, { uid }) =>
        it.openVrn(uid, of, operation.fails),
      )
    }
    case 'lock vrn':
    case 'unlock vrn':
    case 'archive vrn': {
      const of = at(vrns, operation.vrn)
      const vrn: Vrn | undefined = vrns[of]
      if (!vrn) return undefined
      const path = `/virtual_reference_numbers/${vrn.uid}`
      const { kind } = operation
      const refusal = model.checkChangeVrn(of, kind)
      const apply = (it: Model) => it.changeVrn(of, kind)
      if (kind === 'archive vrn') return { ...call('DELETE', path, undefined, refusal, apply), status: 204 }
      const isLock = kind === 'lock vrn'
      const body = isLock ? { lock_reason: 'customer_request' } : undefined
      return call('PUT', `${path}/${isLock ? 'lock' : 'unlock'}`, body, refusal, apply)
    }
    case 'authorize': {
      const open = payments.filter(({ authorization }) => authorization !== null)
      const payment = (open.length > 0 ? open : payments)[at(open.length > 0 ? open : payments, operation.payment)]
      if (!payment || payment.uid === null) return undefined
      const of = payments.indexOf(payment)
      const { approve } = operation
      const body = approve
        ? { authorization_status: 'client_approved' }
        : { authorization_status: 'denied', denied_reason: 'unauthorized_credit' }
      return call('PUT', `/transactions/${payment.uid}/authorize`, body, model.checkAuthorize(of), (it) =>
        it.authorize(of, approve),
      )
    }
    case 'read':
      return call('GET', operation.what, undefined, undefined, () => {})
    case 'combine':
      return combineCall(operation, model, world)
    case 'archive customer': {
      const [customer, of] = customerOf(operation.customer)
      if (!customer) return undefined
      return call('DELETE', `/customers/${customer.uid}`, {}, model.checkArchiveCustomer(customer), (it) =>
        it.archiveCustomer(of),
      )
    }
    case 'configure':
      return control('programs.update', { uid: world.program, ...settingsOf(operation.settings) }, (it) =>
        it.configure(operation.settings),
      )
    case 'advance':
      return control('clock.advance', { to: new Date(now + operation.seconds * 1000).toISOString() }, (it, value) =>
        it.advanceTo(Date.parse(value.to)),
      )
    case 'advance days':
      return control('clock.advance', { business_days: operation.businessDays }, (it, value) =>
        it.advanceTo(Date.parse(value.to)),
      )
    case 'advance to': {
      const due = operation.time === null ? nextTask(model) : nextTimeOfDay(now, operation.time)
      const to = Math.max(now, due - operation.early)
      return control('clock.advance', { to: new Date(to).toISOString() }, (it) => it.advanceTo(to))
    }
    case 'set pace':
      return control('clock.set', { pace: operation.pace }, (it) => {
        it.state.pace = operation.pace
      })
    case 'settle now':
    case 'fail now': {
      const open = payments.filter(({ status }) => status === 'queued' || status === 'pending')
      const payment = open[at(open, operation.payment)]
      if (!payment) return undefined
      const of = payments.indexOf(payment)
      const move = operation.kind === 'settle now' ? 'settle' : 'fail'
      return control('moves.make', { collection: 'transactions', uid: payment.uid, move }, (it) =>
        move === 'settle' ? it.settleNow(of) : it.failNow(of),
      )
    }
    default:
      return undefined
  }
}

const nextTask = ({ state: { tasks, now } }: Model): number =>
  Math.min(...tasks.map(({ at }) => at).filter((at) => at > now), now + DAY_MS)

function nextTimeOfDay(now: number, time: string): number {
  const { date } = wallTimeAt(now)
  const today = instantOf(date, time)
  return today > now ? today : instantOf(addDays(date, 1), time)
}

function transferCall(operation: Operation & { kind: 'transfer' }, model: Model): Call | undefined {
  const { customers, accounts, now } = model.state
  const customer = at(customers, operation.customer)
  // Mostly the accounts of this Customer; else of any, which is refused.
  const own = accounts.filter((one) => one.customer === customer && one.role !== 'asset')
  const choice = operation.from % 20 === 0 || own.length === 0 ? accounts : own
  const from = choice[at(choice, operation.from)]
  const to = choice[at(choice, operation.to)]
  if (!from || !to) return undefined
  const [source, destination] = [accounts.indexOf(from), accounts.indexOf(to)]
  const { sameDay, beyond, terms = {} } = operation
  const isBeyond = beyond !== undefined && from.category === 'general'
  const cents = isBeyond ? Math.max(1, model.balances([source]).available + beyond) : operation.cents
  const { daysAhead = 0, isPrenote = false, again } = terms
  const entryDate = addDays(wallTimeAt(now).date, daysAhead)
  const asked = { customer, source, destination, cents, sameDay, entryDate, isPrenote, external: again ?? null }
  const body = {
    ...(again === undefined ? {} : { external_uid: `again-${again}` }),
    source_synthetic_account_uid: from.uid,
    destination_synthetic_account_uid: to.uid,
    initiating_customer_uid: customers[customer]!.uid,
    usd_transfer_amount: dollars(cents),
    ach: {
      ...achEntry(entryDate, sameDay),
      ...(isPrenote ? { prenote: true } : {}),
    },
  }
  // The existing one is returned.
  if (again !== undefined && model.state.transfers.some(({ external }) => external === again))
    return { ...call('POST', '/transfers', body, undefined, () => {}), status: 201 }
  return post('/transfers', body, model.checkTransfer(asked), (it, { uid, transaction_uids }) =>
    it.transfer(uid, transaction_uids[0], asked),
  )
}

function combineCall(operation: Operation & { kind: 'combine' }, model: Model, world: World): Call | undefined {
  const { customers, accounts, now } = model.state
  const active = customers.filter(({ status }) => status === 'active')
  const customer = active[at(active, operation.customer)]
  if (!customer?.pool) return undefined
  const of = customers.indexOf(customer)
  const own = accounts.filter((one) => one.customer === of && isLiability(one))
  const from = own[at(own, operation.from)]
  if (from?.status !== 'active') return undefined
  const { id, cents, isDebit = false } = operation
  const name = `Combined ${id}`
  const entryDate = wallTimeAt(now).date
  const body = {
    synthetic_account: {
      name,
      pool_uid: customer.pool,
      synthetic_account_type_uid: world.types.ach_external,
      ...partyOf('ach_external', id, 'none'),
    },
    transfer: {
      [isDebit ? 'destination_synthetic_account_uid' : 'source_synthetic_account_uid']: from.uid,
      initiating_customer_uid: customer.uid,
      usd_transfer_amount: dollars(cents),
      ach: achEntry(entryDate, false),
    },
  }
  return post('/combined_transfers', body, undefined, (it, { uid }) =>
    it.combine({ uid, name, customer: of, general: accounts.indexOf(from), cents, isDebit, entryDate }),
  )
}

/** The settings as the control API takes them. */
export function settingsOf({ queue_minutes: n, limits, ...settings }: ProgramSettings): object {
  const rail = {
    minimum_amount: dollars(limits?.minimum ?? 1),
    maximum_amount: dollars(limits?.maximum ?? 500_000_000),
    daily_amount: dollars(limits?.daily ?? 1_000_000_000),
  }
  return {
    ...settings,
    ...(n === undefined ? {} : { queue_minutes: { ach: n, wire: n, instant_payment: n, book: n } }),
    ...(limits === undefined ? {} : { limits: { ach: rail, wire: rail, instant_payment: rail } }),
  }
}

const DAY_MS = 86_400_000

const achEntry = (effective_entry_date: string, sameDay: boolean) => ({
  originator_name: 'Simulation',
  sec_code: 'CCD',
  entry_description: 'INVOICE',
  service_processing: sameDay ? 'SAMEDAY' : 'STANDARD',
  effective_entry_date,
})

function receiveCall(operation: Operation & { kind: 'receive' }, model: Model): Call | undefined {
  const { customers, accounts, vrns } = model.state
  const named = operation.vrn === null ? undefined : vrns[at(vrns, operation.vrn)]
  const of = named ? accounts[named.account]!.customer : at(customers, operation.customer)
  const customer = customers[of]
  if (!customer) return undefined
  const general = accounts.filter((one) => one.customer === of && isLiability(one))
  const open = general.filter(({ status }) => status === 'active')
  const account = operation.account === null ? undefined : open[at(open, operation.account)]
  const master = general.find(({ role }) => role === 'master')
  // A wire and an instant payment are always credits.
  const cents = operation.type === 'ach' ? operation.cents : Math.abs(operation.cents)
  const target = named ? accounts[named.account] : (account ?? master)
  const asked = {
    transaction_type: operation.type,
    customer_uid: customer.uid,
    us_dollar_amount: cents / 100,
    ...(named ? { virtual_reference_number_uid: named.uid } : account ? { synthetic_account_uid: account.uid } : {}),
  }
  const vrn = named ? vrns.indexOf(named) : null
  const { type, after } = operation
  const body = { ...asked, ...(after === undefined ? {} : { after: `${after}s` }) }
  return {
    ...post('/sandbox/mock_transactions', body, model.checkReceive(customer, type, named, after), (it, { uid }) =>
      it.receive(uid, type, of, cents, target ? accounts.indexOf(target) : -1, vrn, after),
    ),
    creates: '/transactions',
  }
}

function call(
  method: string,
  path: string,
  body: object | undefined,
  refusal: Refusal | undefined,
  apply: ApiCall['apply'],
): ApiCall {
  return { door: 'api', method, path, refusal, apply, status: 200, ...(body === undefined ? {} : { body }) }
}

const post = (path: string, body: object, refusal: Refusal | undefined, apply: ApiCall['apply']): ApiCall => ({
  ...call('POST', path, body, refusal, apply),
  status: 201,
  creates: path,
})

const control = (name: string, input: object, apply: ControlCall['apply']): ControlCall => ({
  door: 'control',
  name,
  input,
  apply,
})

export const dollars = (cents: number): string =>
  `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`

const ADDRESS = { street1: '1 Quay', city: 'Ames', state: 'IA', postal_code: '50010' }

export function personOf(person: Person): object {
  if (person === 'empty') return {}
  const last_name = person === 'Smith' || person === 'Johnson' ? person : 'Byron'
  const dob = person === 'minor' ? '2015-04-17' : '1990-04-17'
  return {
    email: 'ada@example.test',
    details: { first_name: 'Ada', last_name, phone: '5155550123', ssn: '512-04-8823', dob, address: ADDRESS },
  }
}

/** The beginning of an account's name can force an outcome. */
const NAMES: Readonly<Partial<Record<Force, string>>> = {
  fail: 'fail',
  'open later': 'initiated',
  'fail to open': 'account fail',
}

/** The last digits of an account number can force an outcome. */
const ENDINGS: Readonly<Record<Force, string>> = {
  none: '0',
  fail: '0',
  'open later': '0',
  'fail to open': '0',
  return: '9902',
  'return of debits': '9901',
  'late return': '971002',
  'refuse reversal': '9617',
  correction: '9801',
  reject: '9301',
  'time out': '9500',
}

function partyOf(category: Category, id: number, force: Force): object {
  if (category === 'general') return {}
  const numbers = { routing_number: '021000021', account_number: `7${String(id).padStart(4, '0')}${ENDINGS[force]}` }
  if (category === 'ach_external')
    return { ...numbers, ach: { account_type: 'checking', counterparty_name: 'Mill Co' } }
  if (category === 'wire_external') return { ...numbers, wire: { counterparty_name: 'Leasing Inc' } }
  const street = { street_number: '80', street1: 'Wharf Road', city: 'Toledo', state: 'OH', postal_code: '43604' }
  return {
    ...numbers,
    instant_payment: { counterparty_name: 'Ada Okafor', counterparty_address: { ...street, country: 'US' } },
  }
}
