import {
  type Advance,
  type AdvanceInput,
  type Cause,
  type Clock,
  KycEvaluation,
  type MethodName,
  type MethodOutput,
  type MethodParsed,
  Task,
} from '../contract/control.ts'
import { ApiError } from '../contract/errors.ts'
import {
  CustodialAccountClosingBalance,
  custodialClosingBalanceList,
  SyntheticAccountClosingBalance,
  syntheticClosingBalanceList,
} from '../contract/resources/closing-balances.ts'
import { CustodialAccount, custodialAccountList } from '../contract/resources/custodial-accounts.ts'
import { CustomerProduct, customerProductList } from '../contract/resources/customer-products.ts'
import { Customer, customerList } from '../contract/resources/customers.ts'
import { Pool, poolList } from '../contract/resources/pools.ts'
import { Product, productList } from '../contract/resources/products.ts'
import { Program } from '../contract/resources/programs.ts'
import {
  SyntheticAccount,
  SyntheticAccountType,
  syntheticAccountList,
  syntheticAccountTypeList,
} from '../contract/resources/synthetic-accounts.ts'
import type { Schema } from '../contract/terms/endpoint.ts'
import { anyOf, type List, list, page } from '../contract/terms/list.ts'
import * as custodialAccounts from '../domain/resources/custodial-accounts.ts'
import * as customerProducts from '../domain/resources/customer-products.ts'
import * as customers from '../domain/resources/customers.ts'
import * as moves from '../domain/resources/moves.ts'
import * as syntheticAccounts from '../domain/resources/synthetic-accounts.ts'
import { holidaysAmong, plusBankingDays } from '../domain/rules/calendar.ts'
import type { ExchangeLog } from '../http/exchanges.ts'
import { refusalOf } from '../http/failure.ts'
import { toMs, toText } from '../store/clock.ts'
import type { Records, Store, Tx } from '../store/store.ts'
import { type CollectionName, collectionNames, type Kept, type TaskRecord } from '../store/world.ts'
import { type Goal, type Scheduler, showTask } from '../time/scheduler.ts'
import { parseDuration, parseInstant } from './time-words.ts'

/** What the door of the operator stands on. */
export interface OperatorDoor {
  readonly store: Store
  readonly scheduler: Scheduler
  readonly exchanges: ExchangeLog
  readonly describe: () => MethodOutput<'world.describe'>
}

export type Control = {
  readonly [N in MethodName]: (input: MethodParsed<N>) => MethodOutput<N> | Promise<MethodOutput<N>>
}

/** One line per control method; the longer ones are below. */
export function control(door: OperatorDoor): Control {
  const { store, scheduler, exchanges, describe } = door
  return {
    'clock.read': () => readClock(door),
    'clock.set': (input) => setClock(door, input),
    'clock.advance': (input) => advance(door, input),
    'clock.cancel': () => ({ canceled: scheduler.cancel() }),
    'calendar.read': ({ from, days }) => ({ holidays: holidaysAmong(from, days) }),
    'tasks.list': () => ({ tasks: store.world.collections.tasks.inOrder().map(showTask) }),
    'records.list': (input) => listRecords(door, input),
    'records.get': (input) => getRecord(door, input),
    'moves.list': ({ uid }) => inProgramOf(door, uid, causeOf('moves.list'), (tx) => ({ moves: moves.list(tx, uid) })),
    'moves.make': (input) => makeMove(door, input),
    'operator.create_customer': ({ program_uid, customer }) => createCustomer(door, program_uid, customer),
    'exchanges.list': (input) => exchanges.list(input),
    'exchanges.get': ({ uid }) => exchanges.get(uid) ?? notFound(`there is no exchange ${uid}`),
    'programs.list': () => ({ programs: store.world.collections.programs.inOrder().map((p) => Program.parse(p)) }),
    'world.describe': () => describe(),
  }
}

const causeOf = (name: MethodName): Cause => ({ door: 'operator', name })
const notFound = (extra: string): never => {
  throw new ApiError('routeNotFound', extra)
}

function readClock({ store, scheduler }: OperatorDoor): Clock {
  const once = scheduler.waiting().filter(({ recurring }) => !recurring)
  const [next] = once
  return {
    now: toText(store.clock.now()),
    mode: store.clock.mode,
    pace: store.clock.pace,
    next: next ? { at: next.due_at, what: next.why } : null,
    due: once.length,
  }
}

function setClock(door: OperatorDoor, { mode, pace }: MethodParsed<'clock.set'>): Clock {
  const { store, scheduler } = door
  refuseWhileAdvancing(scheduler)
  const now = store.clock.now()
  store.operate(
    causeOf('clock.set'),
    (tx) => tx.setClock({ mode: mode ?? tx.clock.mode, pace: pace ?? tx.clock.pace, at: tx.now }),
    now,
  )
  return readClock(door)
}

async function advance(door: OperatorDoor, input: AdvanceInput): Promise<Advance> {
  refuseWhileAdvancing(door.scheduler)
  return door.scheduler.advance(goalOf(input, door.store.clock.now()), causeOf('clock.advance'))
}

function goalOf(input: AdvanceInput, now: number): Goal {
  if ('until' in input) return input
  const to =
    'business_days' in input
      ? plusBankingDays(now, input.business_days)
      : 'by' in input
        ? now + parseDuration(input.by)
        : parseInstant(input.to)
  if (to < now)
    throw new ApiError(
      'invalidArgument',
      'to: time does not go back; rewinding to an earlier commit does (world.rewind)',
    )
  if (to > LAST) throw new ApiError('invalidArgument', 'the time is beyond the year 9900')
  return { to }
}
/** Later years have five digits, and text would not sort as time any more. */
const LAST = toMs('9900-01-01T00:00:00.000Z')

function refuseWhileAdvancing(scheduler: Scheduler) {
  if (scheduler.advancing)
    throw new ApiError('invalidArgument', 'an advance is running: wait for it, or stop it with clock.cancel')
}

function makeMove(door: OperatorDoor, { uid, move, inputs = {} }: MethodParsed<'moves.make'>) {
  const cause: Cause = { door: 'operator', name: `moves.make ${move}` }
  return inProgramOf(door, uid, cause, (tx) => show(tx, 'customers', moves.make(tx, uid, move, inputs)))
}

function createCustomer(
  door: OperatorDoor,
  program_uid: string,
  body: MethodParsed<'operator.create_customer'>['customer'],
) {
  const { store } = door
  if (!store.world.collections.programs.get(program_uid)) return notFound(`there is no Program ${program_uid}`)
  return store.transact(program_uid, causeOf('operator.create_customer'), (tx) =>
    show(tx, 'customers', customers.make(tx, body)),
  )
}

/** The operator names a Customer by its uid alone. */
function inProgramOf<T>({ store }: OperatorDoor, uid: string, cause: Cause, work: (tx: Tx) => T): T {
  const customer = store.world.collections.customers.get(uid) ?? notFound(`customers holds no record ${uid}`)
  return store.transact(customer.program_uid, cause, work)
}

// ── Records ──────────────────────────────────────────────────────────────────────────────────────────────────────

interface Shown {
  readonly schema: Schema
  readonly list?: List<never>
  readonly show?: (tx: Tx, record: never) => object
}

/** How each collection is listed and shown. The schema drops what is private, as it does for the API. */
const shown: { readonly [N in CollectionName]: Shown } = {
  programs: { schema: Program },
  customers: { schema: Customer, list: customerList, show: customers.show },
  products: { schema: Product, list: productList },
  synthetic_account_types: { schema: SyntheticAccountType, list: syntheticAccountTypeList },
  pools: { schema: Pool, list: poolList },
  customer_products: { schema: CustomerProduct, list: customerProductList, show: customerProducts.show },
  custodial_accounts: { schema: CustodialAccount, list: custodialAccountList, show: custodialAccounts.show },
  synthetic_accounts: { schema: SyntheticAccount, list: syntheticAccountList, show: syntheticAccounts.show },
  custodial_account_closing_balances: { schema: CustodialAccountClosingBalance, list: custodialClosingBalanceList },
  synthetic_account_closing_balances: { schema: SyntheticAccountClosingBalance, list: syntheticClosingBalanceList },
  kyc_evaluations: { schema: KycEvaluation },
  tasks: { schema: Task, show: (_tx, task: TaskRecord) => showTask(task) },
}
const byUid = list<Kept>()({ filters: { uid: anyOf((record) => record.uid) } })

function listRecords({ store }: OperatorDoor, input: MethodParsed<'records.list'>) {
  const { collection, program_uid, ...query } = input
  const name = collectionNamed(collection)
  const spec = (shown[name].list ?? byUid) as unknown as List<Kept>
  const parsed = spec.query.safeParse(query)
  if (!parsed.success) throw refusalOf(parsed.error.issues, query)
  const program = program_uid ?? store.world.collections.programs.inOrder()[0]?.uid
  if (program === undefined || !store.world.collections.programs.get(program))
    return notFound(`there is no Program ${program}`)
  return store.transact(program, causeOf('records.list'), (tx) => {
    const found = page(spec, tx[name] as unknown as Records<Kept>, parsed.data)
    return { ...found, data: found.data.map((record) => show(tx, name, record)) }
  })
}

function getRecord({ store }: OperatorDoor, { collection, uid }: MethodParsed<'records.get'>) {
  const name = collectionNamed(collection)
  const record = store.world.collections[name].get(uid) ?? notFound(`${name} holds no record ${uid}`)
  return store.transact(record.program_uid, causeOf('records.get'), (tx) => show(tx, name, record))
}

function show(tx: Tx, name: CollectionName, record: Kept) {
  const { schema, show } = shown[name]
  return schema.parse(show ? show(tx, record as never) : record) as Record<string, unknown>
}

const collectionNamed = (name: string): CollectionName =>
  collectionNames.find((known) => known === name) ??
  notFound(`there is no collection ${name}; there are ${collectionNames.join(', ')}`)
