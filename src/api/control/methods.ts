import {
  type Advance,
  type AdvanceInput,
  type Cause,
  type Clock,
  KycEvaluation,
  type LedgerProof,
  type MethodName,
  type MethodOutput,
  type MethodParsed,
  type MovableCollection,
  Task,
} from '../contract/control.ts'
import { ApiError } from '../contract/errors.ts'
import {
  CustodialAccountClosingBalance,
  custodialClosingBalanceList,
  SyntheticAccountClosingBalance,
  syntheticClosingBalanceList,
} from '../contract/resources/closing-balances.ts'
import { CombinedTransfer, combinedTransferList } from '../contract/resources/combined-transfers.ts'
import { CustodialAccount, custodialAccountList } from '../contract/resources/custodial-accounts.ts'
import { CustomerProduct, customerProductList } from '../contract/resources/customer-products.ts'
import { Customer, customerList } from '../contract/resources/customers.ts'
import { Pool, poolList } from '../contract/resources/pools.ts'
import { Product, productList } from '../contract/resources/products.ts'
import { Program } from '../contract/resources/programs.ts'
import { Return, returnList } from '../contract/resources/returns.ts'
import {
  SyntheticAccount,
  SyntheticAccountType,
  syntheticAccountList,
  syntheticAccountTypeList,
} from '../contract/resources/synthetic-accounts.ts'
import {
  CustodialLineItem,
  custodialLineItemList,
  SyntheticLineItem,
  syntheticLineItemList,
  Transaction,
  TransactionEvent,
  transactionEventList,
  transactionList,
} from '../contract/resources/transactions.ts'
import { Transfer, transferList } from '../contract/resources/transfers.ts'
import { VirtualReferenceNumber, virtualReferenceNumberList } from '../contract/resources/virtual-reference-numbers.ts'
import type { Schema } from '../contract/terms/endpoint.ts'
import { anyOf, type List, list, page } from '../contract/terms/list.ts'
import * as combinedTransfers from '../domain/resources/combined-transfers.ts'
import * as custodialAccounts from '../domain/resources/custodial-accounts.ts'
import * as customerProducts from '../domain/resources/customer-products.ts'
import * as customers from '../domain/resources/customers.ts'
import { movables } from '../domain/resources/moves.ts'
import * as syntheticAccounts from '../domain/resources/synthetic-accounts.ts'
import * as transactions from '../domain/resources/transactions.ts'
import * as transfers from '../domain/resources/transfers.ts'
import * as vrns from '../domain/resources/virtual-reference-numbers.ts'
import { holidaysAmong, plusBankingDays } from '../domain/rules/calendar.ts'
import { inspect } from '../domain/rules/ledger.ts'
import { furtherProgram } from '../domain/seed.ts'
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
    'moves.list': ({ collection, uid }) =>
      inProgramOf(door, collection, uid, causeOf('moves.list'), (tx) => ({
        moves: movables[collection].list(tx, uid),
      })),
    'moves.make': (input) => makeMove(door, input),
    'operator.create_customer': ({ program_uid, customer }) => createCustomer(door, program_uid, customer),
    'ledger.check': () => checkLedger(door),
    'exchanges.list': (input) => exchanges.list(input),
    'exchanges.get': ({ uid }) => exchanges.get(uid) ?? notFound(`there is no exchange ${uid}`),
    'programs.list': () => ({ programs: store.world.collections.programs.inOrder().map((p) => Program.parse(p)) }),
    'programs.create': (input) => createProgram(door, input),
    'programs.update': (input) => updateProgram(door, input),
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

function makeMove(door: OperatorDoor, { collection, uid, move, inputs = {} }: MethodParsed<'moves.make'>) {
  const cause: Cause = { door: 'operator', name: `moves.make ${move}` }
  return inProgramOf(door, collection, uid, cause, (tx) => {
    movables[collection].make(tx, uid, move, inputs)
    const moved = tx[collection].get(uid) ?? notFound(`${collection} holds no record ${uid} any more`)
    return show(tx, collection, moved)
  })
}

/** Every Program keeps books of its own. */
function checkLedger({ store }: OperatorDoor): LedgerProof {
  const programs = store.world.collections.programs.inOrder()
  const proofs = programs.map(({ uid }) => store.transact(uid, causeOf('ledger.check'), inspect))
  const checked: Record<string, number> = {}
  for (const proof of proofs)
    for (const [what, count] of Object.entries(proof.checked)) checked[what] = (checked[what] ?? 0) + count
  return {
    balanced: proofs.every(({ balanced }) => balanced),
    checked: { programs: programs.length, ...checked },
    problems: proofs.flatMap(({ problems }) => problems),
  }
}

function createProgram({ store }: OperatorDoor, { name, ...settings }: MethodParsed<'programs.create'>): Program {
  return store.operate(causeOf('programs.create'), (tx) => Program.parse(furtherProgram(tx, name, given(settings))))
}

function updateProgram({ store }: OperatorDoor, { uid, ...settings }: MethodParsed<'programs.update'>): Program {
  return store.operate(causeOf('programs.update'), (tx) => {
    const program = tx.programs.get(uid) ?? notFound(`there is no Program ${uid}`)
    return Program.parse(tx.programs.put({ ...program, ...given(settings) }))
  })
}

/** What was given, without what was left out. */
const given = <T extends object>(part: T) =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
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

/** The operator names a record by its uid alone. */
function inProgramOf<T>(
  { store }: OperatorDoor,
  collection: MovableCollection,
  uid: string,
  cause: Cause,
  work: (tx: Tx) => T,
): T {
  const record = store.world.collections[collection].get(uid) ?? notFound(`${collection} holds no record ${uid}`)
  return store.transact(record.program_uid, cause, work)
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
  transfers: { schema: Transfer, list: transferList, show: transfers.show },
  transactions: { schema: Transaction, list: transactionList, show: transactions.show },
  transaction_events: { schema: TransactionEvent, list: transactionEventList },
  synthetic_line_items: { schema: SyntheticLineItem, list: syntheticLineItemList },
  custodial_line_items: { schema: CustodialLineItem, list: custodialLineItemList },
  virtual_reference_numbers: { schema: VirtualReferenceNumber, list: virtualReferenceNumberList, show: vrns.show },
  returns: { schema: Return, list: returnList },
  combined_transfers: { schema: CombinedTransfer, list: combinedTransferList, show: combinedTransfers.show },
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
