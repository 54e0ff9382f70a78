import type { Exchange } from '../contract/control/exchanges.ts'
import type { Cause } from '../contract/control/history.ts'
import type { MethodName, MethodOutput, MethodParsed } from '../contract/control/methods.ts'
import { NowPart } from '../contract/control/now.ts'
import type { UndoStep } from '../contract/control/operations.ts'
import { ApiError } from '../contract/errors.ts'
import { parseInstant } from '../contract/terms/amounts-of-time.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { createUnchecked } from '../domain/resources/customers.ts'
import { decisionsFor } from '../domain/resources/decisions.ts'
import { inject as injectTransaction } from '../domain/resources/outside-transactions.ts'
import * as programs from '../domain/resources/programs.ts'
import { showTask } from '../domain/resources/show.ts'
import * as webhooks from '../domain/resources/webhooks.ts'
import { findHolidays } from '../domain/rules/calendar.ts'
import { hardModeOf } from '../domain/rules/hard-mode.ts'
import { kindsOfReset, NO_REAL_PACE } from '../domain/rules/hosted.ts'
import { cutOffs } from '../domain/rules/rails.ts'
import { findExamples } from '../http/examples.ts'
import { toTimestamp } from '../store/clock.ts'
import type { Commit } from '../store/commit.ts'
import { findLeftCommits } from '../store/history.ts'
import type { Steps } from '../store/steps.ts'
import type { ReadTx } from '../store/tx.ts'
import type { CollectionName, CustomerRecord } from '../store/world.ts'
import { foresee, runAhead } from '../time/foresee.ts'
import { balancesInSteps } from '../views/balances.ts'
import * as books from '../views/books.ts'
import { changesSince } from '../views/changes.ts'
import { commitsOf } from '../views/commits.ts'
import { mapInSteps } from '../views/customer-map.ts'
import { readEventLog } from '../views/event-log.ts'
import { historyOf } from '../views/history.ts'
import { judgeInSteps } from '../views/migration.ts'
import { findMoments } from '../views/moments.ts'
import { nameSubjects } from '../views/names.ts'
import { flowInSteps, moneyInSteps, needsInSteps } from '../views/now.ts'
import { countOperations } from '../views/operation-counts.ts'
import { addArrived, findRedo, findUndo, operationsOf, previewUndo, refuseRedo } from '../views/operations.ts'
import { pathOf } from '../views/payment-path.ts'
import { receivedOnVrns } from '../views/received.ts'
import { reconcileInSteps } from '../views/reconciliation.ts'
import { operationsOn } from '../views/record-operations.ts'
import { showRecord } from '../views/records.ts'
import { relatedTo } from '../views/related.ts'
import { timelineOf } from '../views/timeline.ts'
import { exportToText, importFromText } from './bundles.ts'
import {
  advance,
  holdTask,
  previewAdvance,
  readClock,
  refuseDuringAdvance,
  runTask,
  setClock,
} from './clock-methods.ts'
import type { Control, OperatorDoor } from './door.ts'
import type { JobHandle } from './jobs.ts'
import {
  causeOf,
  notFound,
  readProgram,
  readProgramOfAccount,
  readProgramOfPool,
  requireCollection,
  requireProgram,
  requireRecord,
  transactFor,
  transactIn,
} from './program-scope.ts'
import { foreseeRequest, listActions, readExamples, tryIn } from './record-actions.ts'
import * as records from './record-methods.ts'
import { repairRequest } from './repairs.ts'
import { describeRecording, replayExchanges } from './replays.ts'
import { ScenarioRunner } from './scenario-runner.ts'
import { sendOperatorRequest, withOperation } from './send-request.ts'
import { eventLogOf, listEvents, requireEvent, transactForEvent } from './webhook-methods.ts'
import * as worlds from './worlds.ts'

/** One line per control method, in the order of the contract. */
export function createControl(door: OperatorDoor): Control {
  const { store, scheduler, exchanges, faults, snapshots, jobs, describe } = door
  const scenarios = new ScenarioRunner(door)
  return {
    'clock.read': () => readClock(door),
    'clock.set': (input) => setClock(door, input),
    'clock.advance': (input) => advance(door, input),
    'clock.preview': (input) => previewAdvance(door, input),
    'clock.cancel': () => ({ canceled: scheduler.cancel() }),
    'calendar.read': ({ from, days }) => ({ holidays: findHolidays(from, days), cut_offs: [...cutOffs] }),
    'tasks.list': () => {
      const { outcomes } = foresee(door)
      return { tasks: store.world.collections.tasks.inOrder().map((task) => showTask(task, outcomes.get(task.uid))) }
    },
    'tasks.run': ({ uid }) => runTask(door, uid),
    'tasks.hold': ({ uid }) => holdTask(door, uid, true),
    'tasks.release': ({ uid }) => holdTask(door, uid, false),
    'records.list': (input) => records.listRecords(door, input),
    'records.received': ({ program_uid }) => readProgram(door, program_uid, (tx) => ({ received: receivedOnVrns(tx) })),
    'records.get': (input) => records.getRecord(door, input),
    'records.search': (input) => records.searchRecords(door, input),
    'records.names': ({ uids }) => ({ names: nameSubjects(store.world, uids) }),
    *'records.history'({ collection, uid, limit }) {
      return { commits: yield* historyOf(store, requireCollection(collection), uid, limit) }
    },
    'records.operations': ({ collection, uid, limit }) =>
      operationsOn(store, exchanges, requireCollection(collection), uid, limit),
    'records.related': ({ collection, uid }) =>
      relatedTo(store.world, requireRecord(door, requireCollection(collection), uid), foresee(door).outcomes),
    'records.story': ({ uid, ...options }) =>
      timelineOf(store, exchanges, requireRecord(door, 'customers', uid) as CustomerRecord, options),
    why: (input) => records.explain(door, input),
    'payments.path': ({ uid }) =>
      pathOf(store, requireRecord(door, 'transactions', uid).uid, (...wanted) => runAhead(door, ...wanted)),
    'now.read': (input) => readNow(door, input),
    'customers.map': ({ customer_uid, ...options }) => {
      const { uid, program_uid } = requireRecord(door, 'customers', customer_uid)
      return readProgram(door, program_uid, (tx) => mapInSteps(tx, uid, options))
    },
    'records.actions': ({ collection, uid }) => ({ actions: listActions(door, requireCollection(collection), uid) }),
    'requests.examples': (input) => readExamples(door, input),
    'requests.try': ({ program_uid, ...request }) => tryIn(door, requireProgram(door, program_uid), request),
    'requests.foresee': ({ program_uid, ...request }) =>
      foreseeRequest(door, requireProgram(door, program_uid), request),
    'moves.list': (input) => records.listDecisions(door, input),
    'moves.make': (input) => records.decide(door, input),
    'transactions.inject': (input) =>
      transactFor(door, 'transactions.inject', 'customers', input.customer_uid, (tx) =>
        showRecord(tx, 'transactions', injectTransaction(tx, input)),
      ),
    'operator.create_customer': ({ program_uid, customer }) =>
      transactIn(door, 'operator.create_customer', program_uid, (tx) =>
        showRecord(tx, 'customers', createUnchecked(tx, customer)),
      ),
    *'ledger.accounts'({ program_uid, ...options }) {
      return { accounts: yield* readProgram(door, program_uid, (tx) => books.accountsInSteps(tx, options)) }
    },
    'ledger.lines': ({ program_uid, ...options }) => readProgram(door, program_uid, (tx) => books.linesOf(tx, options)),
    'ledger.balances': ({ account_uid, ...range }) =>
      readProgramOfAccount(door, account_uid, (tx) => balancesInSteps(tx, account_uid, range)),
    'ledger.reconciliation': ({ program_uid, ...options }) =>
      readProgramOfPool(door, program_uid, options.pool_uid, (tx) => reconcileInSteps(tx, options)),
    *'ledger.trial_balance'({ program_uid, pool_uid, at }) {
      const read = (tx: ReadTx) => books.trialBalanceInSteps(tx, { pool_uid, at })
      return { books: yield* readProgramOfPool(door, program_uid, pool_uid, read) }
    },
    'ledger.check': () => books.checkLedgerInSteps(store),
    *'exchanges.list'(input) {
      const mark = yield* markUndone(door)
      const page = exchanges.list(input)
      return { ...page, log_complete: exchanges.isComplete, data: page.data.map(mark) }
    },
    'moments.find': ({ text }) => findMoments(store, exchanges, text),
    'exchanges.repair': (input) => repairRequest(door, input),
    'migration.report': ({ program_uid }) => judgeInSteps(store.world, door, program_uid),
    'exchanges.send': async (input) =>
      door.jobs.runSilent(withOperation(store, await sendOperatorRequest(door, input))),
    'exchanges.replay': (input) => replayExchanges(door, input),
    'recordings.describe': (input) => describeRecording(door, input),
    'bundles.export': ({ note = null, keep = [] }, onText) => exportToText(door, { note, keep }, onText),
    'bundles.import': ({ text }) => replaceWorld(door, 'bundles.import', (job) => importFromText(door, text, job)),
    *'scenarios.list'() {
      return { scenarios: yield* scenarios.catalog.listInSteps(), current: scenarios.current() }
    },
    'scenarios.read': ({ name }) => scenarios.catalog.read(name),
    'scenarios.save': ({ name, text }) => scenarios.catalog.saveInSteps(name, text),
    'scenarios.delete': ({ name }) => ({ deleted: scenarios.catalog.delete(name) }),
    'scenarios.run': (input) => scenarios.run(input),
    'scenarios.step': (input) => scenarios.step(input),
    'scenarios.pause': () => ({ paused: scenarios.pause() }),
    'scenarios.record': (input) => scenarios.record(input),
    *'exchanges.get'({ uid }) {
      const mark = yield* markUndone(door)
      return yield* withOperation(store, mark(exchanges.get(uid) ?? notFound(`there is no exchange ${uid}`)))
    },
    'programs.list': () => ({
      programs: store.world.collections.programs.inOrder().map(({ uid }) => store.read(uid, programs.showProgram)),
    }),
    'programs.create': (input) => store.operate(causeOf('programs.create'), (tx) => programs.create(tx, input)),
    'programs.update': ({ uid, ...changes }) =>
      store.operate(causeOf('programs.update'), (tx) => programs.update(tx, uid, changes)),
    'programs.rotate_key': ({ uid, hmac_key }) =>
      store.operate(causeOf('programs.rotate_key'), (tx) => programs.rotateKey(tx, uid, hmac_key)),
    'tokens.expire': (input) =>
      store.operate(causeOf('tokens.expire'), (tx) =>
        programs.expireTokens(tx, 'uid' in input ? input.uid : input.program_uid),
      ),
    'webhooks.create': (input) =>
      transactIn(door, 'webhooks.create', input.program_uid, (tx) =>
        webhooks.create(tx, input, () => eventLogOf(door, tx.program.uid, input.older)),
      ),
    'webhooks.list': ({ program_uid }) => ({
      webhooks: store.world.collections.webhooks
        .inOrder()
        .filter((webhook) => program_uid === undefined || webhook.program_uid === program_uid),
    }),
    'webhooks.update': ({ uid, older, ...changes }) =>
      transactFor(door, 'webhooks.update', 'webhooks', uid, (tx) =>
        webhooks.update(tx, uid, changes, () => eventLogOf(door, tx.program.uid, older)),
      ),
    'webhooks.delete': ({ uid }) =>
      transactFor(door, 'webhooks.delete', 'webhooks', uid, (tx) => {
        webhooks.remove(tx, uid)
        return { deleted: uid }
      }),
    'webhooks.test': ({ uid }) =>
      transactFor(door, 'webhooks.test', 'webhooks', uid, (tx) => webhooks.showEvent(tx, webhooks.test(tx, uid))),
    'webhooks.record_attempts': ({ outcomes }) =>
      store.operate(causeOf('webhooks.record_attempts'), (tx) => ({ recorded: webhooks.recordAttempts(tx, outcomes) })),
    'events.list': (input) => listEvents(door, input),
    *'events.get'({ uid }) {
      yield* readEventLog(store)
      const event = requireEvent(door, uid)
      return readProgram(door, event.program_uid, (tx) => webhooks.showEvent(tx, event))
    },
    'events.resend': (input) =>
      transactForEvent(door, 'events.resend', input, (tx) =>
        webhooks.resend(tx, input.uid, input, () => eventLogOf(door, tx.program.uid, input.older)),
      ),
    'events.send_example': ({ webhook_uid, event }) =>
      transactFor(door, 'events.send_example', 'webhooks', webhook_uid, (tx) =>
        webhooks.showEvent(tx, webhooks.sendExample(tx, webhook_uid, event)),
      ),
    'events.hold': (input) => transactForEvent(door, 'events.hold', input, (tx) => webhooks.hold(tx, input.uid)),
    'events.release': (input) =>
      transactForEvent(door, 'events.release', input, (tx) => webhooks.release(tx, input.uid, input.failure)),
    'snapshots.keep': ({ name }) =>
      jobs.runConcurrent('snapshots.keep', (job) => worlds.saveSnapshot(snapshots, name, job)),
    'snapshots.list': async () => ({ snapshots: await snapshots.list() }),
    'snapshots.delete': async ({ name }) => ({
      deleted: (await snapshots.delete(name)) || notFound(`there is no snapshot "${name}"`),
    }),
    'snapshots.restore': ({ name }) =>
      replaceWorld(door, 'snapshots.restore', (job, cause) => worlds.restore(store, cause, snapshots, name, job)),
    'snapshots.compare': ({ a, b }) =>
      jobs.runConcurrent('snapshots.compare', (job) => worlds.compareSnapshots(store, snapshots, a, b, job)),
    'world.commits': ({ limit, before }) => commitsOf(store, limit, before),
    'world.changes': ({ since }) => changesSince(store, since, toTimestamp(store.clock.now()), foresee(door).outcomes),
    'world.reset': (input) => resetWorld(door, input),
    'world.rewind': ({ seq }) =>
      replaceWorld(door, 'world.rewind', (job, cause) => worlds.rewind(store, cause, seq, job)),
    'operations.list': ({ limit, before }) => operationsOf(store, limit, before),
    'operations.preview': ({ operation }) => previewUndo(store, operation),
    'operations.count': (input) => countOperations(store, exchanges, input),
    'operations.undo': ({ operation }) => move(door, scenarios, 'undo', findUndo(store, operation)),
    'operations.redo': ({ operation }) => move(door, scenarios, 'redo', findRedo(store, operation)),
    'work.cancel': ({ uid }) => ({ canceled: jobs.cancel(uid) }),
    'faults.set': (input) => faults.set(input.faults),
    'faults.list': () => faults.list(),
    'faults.clear': () => faults.clear(),
    'world.describe': () => describe(),
    describe: ({ name, program_uid }) =>
      name === undefined
        ? door.reference().describeMap()
        : readProgram(door, program_uid, (tx) => door.reference().describe(name, findExamples(tx))),
    'sandbox.identify': () => door.identify(),
    'sandbox.open': () => door.open(),
    'sandbox.stop': ({ nonce }) => door.stop(nonce),
    'worlds.create': (input) => door.worlds.create(input),
    'worlds.list': (input) => door.worlds.list(input),
    'worlds.keep': (input) => door.worlds.keep(input),
    'worlds.compare': (input) => door.worlds.compare(input),
    'worlds.try': (input) => door.worlds.try(input),
    reach: (input) => door.worlds.reach(input),
    'worlds.drop': (input) => door.worlds.drop(input),
  }
}

/** Each part by itself, so that the quick ones can be read often. */
function* readNow(
  door: OperatorDoor,
  { program_uid, parts = NowPart.options }: MethodParsed<'now.read'>,
): Steps<MethodOutput<'now.read'>> {
  const { store, exchanges } = door
  const program = requireProgram(door, program_uid)
  const read = <T>(work: (tx: ReadTx) => T) => readProgram(door, program, work)
  const findLeft = findLeftCommits(yield* store.findReplacements())
  const movesOf = (collection: CollectionName, uid: Uid) =>
    store.attempt(program, (tx) => decisionsFor(collection).list(tx, uid))
  const isUndone = ({ seq_after }: Exchange) => findLeft(seq_after) !== undefined
  return {
    needs: parts.includes('needs') ? yield* read((tx) => needsInSteps(tx, store, exchanges, movesOf, isUndone)) : null,
    money: parts.includes('money') ? yield* read(moneyInSteps) : null,
    flow: parts.includes('flow') ? yield* read((tx) => flowInSteps(tx, store, exchanges)) : null,
  }
}

/** Undone requests stay in the request log, with a mark. */
function* markUndone({ store }: OperatorDoor) {
  const findLeft = findLeftCommits(yield* store.findReplacements())
  return <T extends Exchange>({ undone_by: _, ...exchange }: T): T => {
    const by = findLeft(exchange.seq_after)
    return {
      ...exchange,
      ...(by
        ? { undone_by: { seq: by.seq, name: by.cause.undo ? `operations.${by.cause.undo}` : by.cause.name } }
        : {}),
    } as T
  }
}

/** A rewind, also for a replay, a bundle and the webhooks. What arrives meanwhile is undone, too, and is counted; a redo is refused. */
function move(door: OperatorDoor, scenarios: ScenarioRunner, undo: 'undo' | 'redo', find: Steps<UndoStep>) {
  scenarios.refuseDuringRun()
  const { store } = door
  return replaceWorld(door, 'world.rewind', async (job, cause) => {
    const arrived: Commit[] = []
    const unsubscribe = store.subscribe((commit) => arrived.push(commit))
    try {
      const step = await job.runSteps(find, 'commits')
      const check = () => undo === 'redo' && refuseRedo(step, arrived)
      const rewind = () => worlds.rewind(store, { ...cause, undo }, step.to, job, step.at, check)
      const result = await door.recordAction('world.rewind', { seq: step.to }, rewind)
      return { ...(undo === 'undo' ? addArrived(step, arrived) : step), ...result }
    } finally {
      unsubscribe()
    }
  })
}

/** Not during an advance, nor beside another exclusive job. */
function replaceWorld<T>(
  { scheduler, jobs }: OperatorDoor,
  name: MethodName,
  work: (job: JobHandle, cause: Cause) => Promise<T>,
): Promise<T> {
  refuseDuringAdvance(scheduler)
  return jobs.runExclusive(name, (job) => work(job, causeOf(name)))
}

/** Values that are not given stay as they are. The trace ids of the old world are forgotten. */
function resetWorld(door: OperatorDoor, input: MethodParsed<'world.reset'>) {
  const { store, traces, createWorld } = door
  const { world } = store
  const {
    world: kind,
    seed = world.seed,
    start = world.start,
    mode = world.clock.mode,
    pace = world.clock.pace,
  } = input
  if (!kindsOfReset(world).includes(kind))
    throw new ApiError(
      'invalidArgument',
      `world: ${kind} would not behave as hosted: world.reset {"world":"hosted"} starts it over; worlds.create makes another world beside it`,
    )
  if (kind === 'hosted' && input.pace === 'real') throw new ApiError('invalidArgument', `pace: ${NO_REAL_PACE}`)
  const clock = { mode, pace }
  const setup = { kind, seed, start: toTimestamp(parseInstant(start, 'start')), clock, hard_mode: hardModeOf(world) }
  return replaceWorld(door, 'world.reset', async (job, cause) => {
    const { world: fresh } = await job.runSteps(createWorld(setup), 'steps')
    const result = await worlds.resetWorld(store, cause, fresh, job)
    traces.clear()
    return result
  })
}
