import { amountOf, isCollection, rowOf } from '../contract/collections.ts'
import type { Advance, AdvanceInput, Cause, Clock, MethodName, MethodParsed } from '../contract/control.ts'
import { ApiError } from '../contract/errors.ts'
import { type Machine, machines } from '../contract/machines.ts'
import { formatMessage, messageBody } from '../contract/messages.ts'
import { parseDuration, parseInstant } from '../contract/terms/durations.ts'
import { type List, paginate, type Source } from '../contract/terms/list.ts'
import type { Money } from '../contract/terms/primitives.ts'
import * as customers from '../domain/resources/customers.ts'
import { decisionsFor } from '../domain/resources/decisions.ts'
import * as programs from '../domain/resources/programs.ts'
import { showTask } from '../domain/resources/show.ts'
import { holidaysAmong, plusBankingDays } from '../domain/rules/calendar.ts'
import { toRefusal } from '../http/error-response.ts'
import { toMs, toTimestamp } from '../store/clock.ts'
import type { Records, Tx } from '../store/tx.ts'
import {
  type ClockState,
  type CollectionName,
  type CustomerRecord,
  collectionNames,
  collectionOf,
  type StoredRecord,
} from '../store/world.ts'
import type { Goal, Scheduler } from '../time/scheduler.ts'
import { balancesOf } from '../views/balances.ts'
import * as books from '../views/books.ts'
import { commitsOf } from '../views/commits.ts'
import { historyOf, why } from '../views/history.ts'
import { receivedOnVrns } from '../views/received.ts'
import { reconcile } from '../views/reconciliation.ts'
import { fieldPicker, showRecord, showWithMessage } from '../views/records.ts'
import { relatedTo } from '../views/related.ts'
import { searchAllRecords, statusOf } from '../views/search.ts'
import { timelineOf } from '../views/timeline.ts'
import type { Control, OperatorDoor } from './door.ts'
import * as replays from './replays.ts'
import { ScenarioRunner } from './scenario-runner.ts'
import { sendOperatorRequest } from './send-request.ts'
import * as worlds from './worlds.ts'

/** One line per control method; the longer ones are below. */
export function createControl(door: OperatorDoor): Control {
  const { store, scheduler, exchanges, faults, snapshots, work, describe } = door
  const scenarios = new ScenarioRunner(door)
  return {
    'clock.read': () => readClock(door),
    'clock.set': (input) => setClock(door, input),
    'clock.advance': (input) => advance(door, input),
    'clock.cancel': () => ({ canceled: scheduler.cancel() }),
    'calendar.read': ({ from, days }) => ({ holidays: holidaysAmong(from, days) }),
    'tasks.list': () => ({ tasks: store.world.collections.tasks.inOrder().map(showTask) }),
    'tasks.run': ({ uid }) => runTask(door, uid),
    'tasks.hold': ({ uid }) => holdTask(door, uid, true),
    'tasks.release': ({ uid }) => holdTask(door, uid, false),
    'records.list': (input) => listRecords(door, input),
    'records.received': ({ program_uid }) =>
      inProgram(door, program_uid, 'records.received', (tx) => ({ received: receivedOnVrns(tx) })),
    'records.get': (input) => getRecord(door, input),
    'records.search': (input) => searchRecords(door, input),
    'records.history': ({ collection, uid, limit }) => ({
      commits: historyOf(store, collectionNamed(collection), uid, limit),
    }),
    'records.related': ({ collection, uid }) => {
      const name = collectionNamed(collection)
      return relatedTo(store.world, known(door, name, uid))
    },
    'records.story': ({ uid, ...wanted }) =>
      timelineOf(store, exchanges, known(door, 'customers', uid) as CustomerRecord, wanted),
    why: ({ collection, uid, field }) => {
      const name = collectionNamed(collection)
      const [first = ''] = field?.split('.') ?? []
      if (field !== undefined && !Object.hasOwn(rowOf(name).schema.shape, first))
        throw new ApiError('invalidArgument', `field: ${name} have no ${field}`)
      return why(store, name, known(door, name, uid).uid, field)
    },
    'moves.list': ({ collection, uid }) =>
      inProgramOf(door, collectionNamed(collection), uid, causeOf('moves.list'), (tx) => ({
        moves: decisionsFor(collectionNamed(collection)).list(tx, uid),
      })),
    'moves.make': (input) => makeMove(door, input),
    'operator.create_customer': ({ program_uid, customer }) => createCustomer(door, program_uid, customer),
    'ledger.accounts': ({ program_uid, ...wanted }) =>
      inProgram(door, program_uid, 'ledger.accounts', (tx) => ({ accounts: books.accountsOf(tx, wanted) })),
    'ledger.lines': ({ program_uid, ...wanted }) =>
      inProgram(door, program_uid, 'ledger.lines', (tx) => books.linesOf(tx, wanted)),
    'ledger.balances': ({ account_uid, ...range }) =>
      inProgramOf(door, bookOf(door, account_uid), account_uid, causeOf('ledger.balances'), (tx) =>
        balancesOf(tx, account_uid, range),
      ),
    'ledger.reconciliation': ({ program_uid, ...wanted }) =>
      inProgramOfPool(door, program_uid, wanted.pool_uid, 'ledger.reconciliation', (tx) => reconcile(tx, wanted)),
    'ledger.trial_balance': ({ program_uid, ...wanted }) =>
      inProgramOfPool(door, program_uid, wanted.pool_uid, 'ledger.trial_balance', (tx) => ({
        books: books.trialBalance(tx, wanted),
      })),
    'ledger.check': () => work.runSilent('ledger.check', books.checkLedgerInSteps(store)),
    'exchanges.list': (input) => exchanges.list(input),
    'exchanges.send': (input) => sendOperatorRequest(door, input),
    'exchanges.replay': (input) => replays.replayExchanges(door, input),
    'bundles.export': ({ note }) => replays.exportBundle(door, note ?? null),
    'bundles.import': ({ text }) => {
      refuseWhileBusy(door)
      return replays.importBundle(door, text)
    },
    'scenarios.list': () => ({ scenarios: scenarios.list(), current: scenarios.current() }),
    'scenarios.read': ({ name }) => scenarios.read(name),
    'scenarios.save': ({ name, text }) => scenarios.save(name, text),
    'scenarios.delete': ({ name }) => ({ deleted: scenarios.delete(name) }),
    'scenarios.run': (input) => scenarios.run(input),
    'scenarios.step': (input) => scenarios.step(input),
    'scenarios.pause': () => ({ paused: scenarios.pause() }),
    'scenarios.record': (input) => scenarios.record(input),
    'exchanges.get': ({ uid }) => exchanges.get(uid) ?? notFound(`there is no exchange ${uid}`),
    'programs.list': () =>
      store.operate(causeOf('programs.list'), (tx) => ({
        programs: store.world.collections.programs.inOrder().map(({ uid }) => programs.inFull(tx.inProgram(uid))),
      })),
    'programs.create': ({ name, ...chosen }) =>
      store.operate(causeOf('programs.create'), (tx) => programs.create(tx, name, chosen)),
    'programs.update': ({ uid, ...changes }) =>
      store.operate(causeOf('programs.update'), (tx) => programs.update(tx, uid, changes)),
    'programs.rotate_key': ({ uid, hmac_key }) =>
      store.operate(causeOf('programs.rotate_key'), (tx) => programs.rotateKey(tx, uid, hmac_key)),
    'snapshots.keep': ({ name }) =>
      work.runConcurrent('snapshots.keep', (underway) => worlds.saveSnapshot(snapshots, name, underway)),
    'snapshots.list': async () => ({ snapshots: await snapshots.list() }),
    'snapshots.delete': async ({ name }) => ({
      deleted: (await snapshots.delete(name)) || notFound(`there is no snapshot "${name}"`),
    }),
    'snapshots.restore': ({ name }) => {
      refuseWhileBusy(door)
      return work.runExclusive('snapshots.restore', (underway) =>
        worlds.restore(store, causeOf('snapshots.restore'), snapshots, name, underway),
      )
    },
    'snapshots.compare': ({ a, b }) =>
      work.runConcurrent('snapshots.compare', (underway) => worlds.compareWorlds(store, snapshots, a, b, underway)),
    'world.commits': ({ limit, before }) => commitsOf(store, limit, before),
    'world.reset': (input) => reset(door, input),
    'world.rewind': ({ seq }) => {
      refuseWhileBusy(door)
      return work.runExclusive('world.rewind', (underway) =>
        worlds.rewind(store, causeOf('world.rewind'), seq, underway),
      )
    },
    'work.cancel': ({ uid }) => ({ canceled: work.cancel(uid) }),
    'faults.set': (input) => faults.set(input.faults),
    'faults.list': () => faults.list(),
    'faults.clear': () => faults.clear(),
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
    now: toTimestamp(store.clock.now()),
    mode: store.clock.mode,
    pace: store.clock.pace,
    break_on: store.world.clock.break_on ?? null,
    next: next ? { at: next.due_at, what: formatMessage(next.why), message: messageBody(next.why) } : null,
    due: once.length,
  }
}

function runTask({ scheduler }: OperatorDoor, uid: string) {
  refuseWhileAdvancing(scheduler)
  return scheduler.runNow(uid) ?? notFound(`there is no task ${uid}`)
}

function holdTask({ store }: OperatorDoor, uid: string, held: boolean) {
  return store.operate(causeOf(held ? 'tasks.hold' : 'tasks.release'), (tx) => {
    const task = tx.tasks.get(uid) ?? notFound(`there is no task ${uid}`)
    // Time does not go back: what is let go after it was due runs now.
    const due_at = !held && task.due_at < tx.now ? tx.now : task.due_at
    return showTask(tx.tasks.put({ ...task, held, due_at }))
  })
}

function setClock(door: OperatorDoor, { mode, pace, break_on }: MethodParsed<'clock.set'>): Clock {
  const { store, scheduler } = door
  refuseWhileAdvancing(scheduler)
  const now = store.clock.now()
  store.operate(causeOf('clock.set'), (tx) => tx.setClock(clockOf(tx.clock, { mode, pace, break_on }, tx.now)), now)
  return readClock(door)
}

function clockOf(was: ClockState, { mode, pace, break_on }: MethodParsed<'clock.set'>, at: string): ClockState {
  if (break_on) refuseUnknownStatus(collectionNamed(break_on.collection), break_on.status)
  const kept = break_on === undefined ? was.break_on : break_on
  return { mode: mode ?? was.mode, pace: pace ?? was.pace, at, ...(kept ? { break_on: kept } : {}) }
}

/** One that no record ever comes to would never stop the clock. */
function refuseUnknownStatus(collection: CollectionName, status: string) {
  const { status: name } = rowOf(collection).machines ?? {}
  const machine: Machine | undefined = name && machines[name]
  if (machine && !machine.states.includes(status))
    throw new ApiError('invalidArgument', `break_on.status: ${collection} are ${machine.states.join(', ')}`)
}

async function advance(door: OperatorDoor, input: AdvanceInput): Promise<Advance> {
  refuseWhileAdvancing(door.scheduler)
  // What puts another world in the place of this one must find time standing still; a replay moves it, an export only reads.
  if (door.work.name && REPLACING.has(door.work.name)) door.work.refuseWhileUnderWay()
  return door.scheduler.advance(goalOf(input, door.store.clock.now()), causeOf('clock.advance'))
}

const REPLACING: ReadonlySet<MethodName> = new Set(['world.rewind', 'snapshots.restore', 'bundles.import'])

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

/** For whatever puts another world in the place of this one. */
function refuseWhileBusy({ scheduler, work }: OperatorDoor) {
  refuseWhileAdvancing(scheduler)
  work.refuseWhileUnderWay()
}

function makeMove(door: OperatorDoor, { collection: named, uid, move, inputs = {} }: MethodParsed<'moves.make'>) {
  const collection = collectionNamed(named)
  const cause: Cause = { door: 'operator', name: `moves.make ${move}`, decision: move }
  return inProgramOf(door, collection, uid, cause, (tx) => {
    decisionsFor(collection).make(tx, uid, move, inputs)
    const moved = tx[collection].get(uid) ?? notFound(`${collection} holds no record ${uid} any more`)
    return showRecord(tx, collection, moved)
  })
}

/** The trace ids belong to the world that ends. */
function reset(door: OperatorDoor, input: MethodParsed<'world.reset'>) {
  refuseWhileBusy(door)
  const { store, traces, freshWorld } = door
  const was = store.world
  const { world: kind, seed = was.seed, start = was.start, mode = was.clock.mode, pace = was.clock.pace } = input
  const fresh = freshWorld({ kind, seed, start, clock: { mode, pace } })
  const begun = worlds.resetWorld(store, causeOf('world.reset'), fresh)
  traces.clear()
  return begun
}

function createCustomer(
  door: OperatorDoor,
  program_uid: string,
  body: MethodParsed<'operator.create_customer'>['customer'],
) {
  const { store } = door
  if (!store.world.collections.programs.get(program_uid)) return notFound(`there is no Program ${program_uid}`)
  return store.transact(program_uid, causeOf('operator.create_customer'), (tx) =>
    showRecord(tx, 'customers', customers.make(tx, body)),
  )
}

function known({ store }: OperatorDoor, name: CollectionName, uid: string): StoredRecord {
  return collectionOf(store.world, name).get(uid) ?? notFound(`${name} holds no record ${uid}`)
}

/** Of the Program that is named, or else of the first. */
function inProgram<T>({ store }: OperatorDoor, named: string | undefined, name: MethodName, work: (tx: Tx) => T): T {
  const uid = named ?? store.world.collections.programs.inOrder()[0]?.uid
  if (uid === undefined || !store.world.collections.programs.get(uid)) return notFound(`there is no Program ${uid}`)
  return store.transact(uid, causeOf(name), work)
}

/** A Pool that is named is of the Program that is named, or names the Program itself. */
function inProgramOfPool<T>(
  door: OperatorDoor,
  named: string | undefined,
  pool_uid: string | undefined,
  name: MethodName,
  work: (tx: Tx) => T,
): T {
  const pool = pool_uid === undefined ? undefined : known(door, 'pools', pool_uid)
  if (pool && named !== undefined && pool.program_uid !== named)
    return notFound(`Pool ${pool.uid} is not of Program ${named}`)
  return inProgram(door, named ?? pool?.program_uid, name, work)
}

const bookOf = ({ store }: OperatorDoor, account_uid: string): CollectionName =>
  store.world.collections.custodial_accounts.get(account_uid) ? 'custodial_accounts' : 'synthetic_accounts'

/** The operator names a record by its uid alone. */
function inProgramOf<T>(
  { store }: OperatorDoor,
  collection: CollectionName,
  uid: string,
  cause: Cause,
  work: (tx: Tx) => T,
): T {
  const record = collectionOf(store.world, collection).get(uid) ?? notFound(`${collection} holds no record ${uid}`)
  return store.transact(record.program_uid, cause, work)
}

// ── Records ──────────────────────────────────────────────────────────────────────────────────────────────────────

function listRecords({ store }: OperatorDoor, input: MethodParsed<'records.list'>) {
  const { collection, program_uid, uids, fields, ...query } = input
  const name = collectionNamed(collection)
  const take =
    fields === undefined
      ? (record: StoredRecord, tx: Tx) => showWithMessage(tx, name, record)
      : fieldPicker(name, fields)
  const spec = rowOf(name).list as unknown as List<StoredRecord>
  const parsed = spec.query.safeParse(asLists(spec, query))
  if (!parsed.success) throw toRefusal(parsed.error.issues, query)
  const program = program_uid ?? store.world.collections.programs.inOrder()[0]?.uid
  if (program === undefined || !store.world.collections.programs.get(program))
    return notFound(`there is no Program ${program}`)
  return store.transact(program, causeOf('records.list'), (tx) => {
    const records = tx[name] as unknown as Records<StoredRecord>
    const found = paginate(spec, uids === undefined ? records : among(records, uids), parsed.data)
    return { ...found, data: found.data.map((record) => take(record, tx)) }
  })
}

/** A list of only these. */
function among(records: Records<StoredRecord>, uids: readonly string[]): Source<StoredRecord> {
  const found = [...new Set(uids)].flatMap((uid) => records.get(uid) ?? []).sort((a, b) => b.made - a.made)
  return { size: found.length, newestFirst: () => found, findByIndex: () => undefined }
}

/** One value of a filter that takes several may stand alone, as it may in a query. */
const asLists = ({ filters }: List<StoredRecord>, query: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const schema = Object.hasOwn(filters, name) ? filters[name]?.schema : undefined
      const isOneOfMany = typeof value === 'string' && schema?.safeParse([value]).success
      return [name, isOneOfMany ? [value] : value]
    }),
  )

function getRecord({ store }: OperatorDoor, { collection, uid }: MethodParsed<'records.get'>) {
  const name = collectionNamed(collection)
  const record = store.world.collections[name].get(uid) ?? notFound(`${name} holds no record ${uid}`)
  return store.transact(record.program_uid, causeOf('records.get'), (tx) => showWithMessage(tx, name, record))
}

function searchRecords({ store }: OperatorDoor, { text, program_uid, limit }: MethodParsed<'records.search'>) {
  const { found, complete } = searchAllRecords(store.world, text, program_uid, limit)
  const records = found.map(({ collection, uid, ...told }) => {
    const record = collectionOf(store.world, collection).get(uid)!
    const seen = store.transact(record.program_uid, causeOf('records.search'), (tx) =>
      showRecord(tx, collection, record),
    )
    return { collection, uid, ...told, status: statusOf(seen), amount: amountOf(collection, seen) as Money | null }
  })
  return { records, complete }
}

const collectionNamed = (name: string): CollectionName =>
  isCollection(name) ? name : notFound(`there is no collection ${name}; there are ${collectionNames.join(', ')}`)
