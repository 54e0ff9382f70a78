import type { Exchange } from '../contract/control/exchanges.ts'
import type { MethodParsed } from '../contract/control/methods.ts'
import { parseInstant } from '../contract/terms/amounts-of-time.ts'
import * as programs from '../domain/resources/programs.ts'
import { showTask } from '../domain/resources/show.ts'
import { findHolidays } from '../domain/rules/calendar.ts'
import { toTimestamp } from '../store/clock.ts'
import { findLeftCommits } from '../store/history.ts'
import type { ReadTx } from '../store/tx.ts'
import { balancesInSteps } from '../views/balances.ts'
import * as books from '../views/books.ts'
import { commitsOf } from '../views/commits.ts'
import { mapInSteps } from '../views/customer-map.ts'
import { historyOf } from '../views/history.ts'
import { pathOf } from '../views/payment-path.ts'
import { pulseInSteps } from '../views/pulse.ts'
import { receivedOnVrns } from '../views/received.ts'
import { reconcileInSteps } from '../views/reconciliation.ts'
import { relatedTo } from '../views/related.ts'
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
import {
  causeOf,
  notFound,
  readProgram,
  readProgramOfAccount,
  readProgramOfPool,
  requireCollection,
  requireProgram,
  requireRecord,
} from './program-scope.ts'
import { listActions, readExamples, tryIn } from './record-actions.ts'
import * as records from './record-methods.ts'
import { describeRecording, replayExchanges } from './replays.ts'
import { ScenarioRunner } from './scenario-runner.ts'
import { sendOperatorRequest } from './send-request.ts'
import * as webhooks from './webhook-methods.ts'
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
    'calendar.read': ({ from, days }) => ({ holidays: findHolidays(from, days) }),
    'tasks.list': () => ({ tasks: store.world.collections.tasks.inOrder().map(showTask) }),
    'tasks.run': ({ uid }) => runTask(door, uid),
    'tasks.hold': ({ uid }) => holdTask(door, uid, true),
    'tasks.release': ({ uid }) => holdTask(door, uid, false),
    'records.list': (input) => records.listRecords(door, input),
    'records.received': ({ program_uid }) => readProgram(door, program_uid, (tx) => ({ received: receivedOnVrns(tx) })),
    'records.get': (input) => records.getRecord(door, input),
    'records.search': (input) => records.searchRecords(door, input),
    'records.history': async ({ collection, uid, limit }) => {
      const steps = historyOf(store, requireCollection(collection), uid, limit)
      return { commits: await jobs.runSilent('records.history', steps) }
    },
    'records.related': ({ collection, uid }) =>
      jobs.runSilent(
        'records.related',
        relatedTo(store.world, requireRecord(door, requireCollection(collection), uid)),
      ),
    'records.story': (input) => records.customerTimeline(door, input),
    why: (input) => records.explain(door, input),
    'payments.path': ({ uid }) =>
      jobs.runSilent('payments.path', pathOf(store, requireRecord(door, 'transactions', uid).uid)),
    'world.pulse': ({ program_uid, period = 'week' }) =>
      jobs.runSilent(
        'world.pulse',
        readProgram(door, program_uid, (tx) => pulseInSteps(tx, exchanges, period)),
      ),
    'customers.map': ({ customer_uid, ...options }) => {
      const { uid, program_uid } = requireRecord(door, 'customers', customer_uid)
      const steps = readProgram(door, program_uid, (tx) => mapInSteps(tx, uid, options))
      return jobs.runSilent('customers.map', steps)
    },
    'records.actions': ({ collection, uid }) => ({ actions: listActions(door, requireCollection(collection), uid) }),
    'requests.examples': (input) => readExamples(door, input),
    'requests.try': ({ program_uid, ...request }) => tryIn(door, requireProgram(door, program_uid), request),
    'moves.list': (input) => records.listDecisions(door, input),
    'moves.make': (input) => records.decide(door, input),
    'transactions.inject': (input) => records.injectTransaction(door, input),
    'operator.create_customer': (input) => records.createCustomer(door, input),
    'ledger.accounts': async ({ program_uid, ...options }) => {
      const steps = readProgram(door, program_uid, (tx) => books.accountsInSteps(tx, options))
      return { accounts: await jobs.runSilent('ledger.accounts', steps) }
    },
    'ledger.lines': ({ program_uid, ...options }) => readProgram(door, program_uid, (tx) => books.linesOf(tx, options)),
    'ledger.balances': ({ account_uid, ...range }) =>
      jobs.runSilent(
        'ledger.balances',
        readProgramOfAccount(door, account_uid, (tx) => balancesInSteps(tx, account_uid, range)),
      ),
    'ledger.reconciliation': ({ program_uid, ...options }) =>
      jobs.runSilent(
        'ledger.reconciliation',
        readProgramOfPool(door, program_uid, options.pool_uid, (tx) => reconcileInSteps(tx, options)),
      ),
    'ledger.trial_balance': async ({ program_uid, pool_uid, at }) => {
      const read = (tx: ReadTx) => books.trialBalanceInSteps(tx, { pool_uid, at })
      const steps = readProgramOfPool(door, program_uid, pool_uid, read)
      return { books: await jobs.runSilent('ledger.trial_balance', steps) }
    },
    'ledger.check': () => jobs.runSilent('ledger.check', books.checkLedgerInSteps(store)),
    'exchanges.list': async (input) => {
      const mark = await markUndone(door)
      const page = exchanges.list(input)
      return { ...page, data: page.data.map(mark) }
    },
    'exchanges.send': (input) => sendOperatorRequest(door, input),
    'exchanges.replay': (input) => replayExchanges(door, input),
    'recordings.describe': (input) => describeRecording(door, input),
    'bundles.export': ({ note = null, keep = [] }, onText) => exportToText(door, { note, keep }, onText),
    'bundles.import': ({ text }) => {
      refuseWhileBusy(door)
      return importFromText(door, text)
    },
    'scenarios.list': async () => ({
      scenarios: await jobs.runSilent('scenarios.list', scenarios.catalog.listInSteps()),
      current: scenarios.current(),
    }),
    'scenarios.read': ({ name }) => scenarios.catalog.read(name),
    'scenarios.save': ({ name, text }) => jobs.runSilent('scenarios.save', scenarios.catalog.saveInSteps(name, text)),
    'scenarios.delete': ({ name }) => ({ deleted: scenarios.catalog.delete(name) }),
    'scenarios.run': (input) => scenarios.run(input),
    'scenarios.step': (input) => scenarios.step(input),
    'scenarios.pause': () => ({ paused: scenarios.pause() }),
    'scenarios.record': (input) => scenarios.record(input),
    'exchanges.get': async ({ uid }) => {
      const mark = await markUndone(door)
      return mark(exchanges.get(uid) ?? notFound(`there is no exchange ${uid}`))
    },
    'programs.list': () => ({
      programs: store.world.collections.programs.inOrder().map(({ uid }) => store.read(uid, programs.showProgram)),
    }),
    'programs.create': ({ name, ...settings }) =>
      store.operate(causeOf('programs.create'), (tx) => programs.create(tx, name, settings)),
    'programs.update': ({ uid, ...changes }) =>
      store.operate(causeOf('programs.update'), (tx) => programs.update(tx, uid, changes)),
    'programs.rotate_key': ({ uid, hmac_key }) =>
      store.operate(causeOf('programs.rotate_key'), (tx) => programs.rotateKey(tx, uid, hmac_key)),
    'tokens.expire': ({ uid }) => store.operate(causeOf('tokens.expire'), (tx) => programs.expireTokens(tx, uid)),
    'webhooks.create': (input) => webhooks.createWebhook(door, input),
    'webhooks.list': (input) => webhooks.listWebhooks(door, input),
    'webhooks.update': (input) => webhooks.updateWebhook(door, input),
    'webhooks.delete': (input) => webhooks.deleteWebhook(door, input),
    'webhooks.test': (input) => webhooks.testWebhook(door, input),
    'webhooks.record_attempts': (input) => webhooks.recordAttempts(door, input),
    'events.list': (input) => webhooks.listEvents(door, input),
    'events.get': (input) => webhooks.getEvent(door, input),
    'events.resend': (input) => webhooks.resendEvent(door, input),
    'events.hold': (input) => webhooks.holdEvent(door, input),
    'events.release': (input) => webhooks.releaseEvent(door, input),
    'snapshots.keep': ({ name }) =>
      jobs.runConcurrent('snapshots.keep', (job) => worlds.saveSnapshot(snapshots, name, job)),
    'snapshots.list': async () => ({ snapshots: await snapshots.list() }),
    'snapshots.delete': async ({ name }) => ({
      deleted: (await snapshots.delete(name)) || notFound(`there is no snapshot "${name}"`),
    }),
    'snapshots.restore': ({ name }) => {
      refuseWhileBusy(door)
      return jobs.runExclusive('snapshots.restore', (job) =>
        worlds.restore(store, causeOf('snapshots.restore'), snapshots, name, job),
      )
    },
    'snapshots.compare': ({ a, b }) =>
      jobs.runConcurrent('snapshots.compare', (job) => worlds.compareWorlds(store, snapshots, a, b, job)),
    'world.commits': ({ limit, before }) => jobs.runSilent('world.commits', commitsOf(store, limit, before)),
    'world.reset': (input) => resetWorld(door, input),
    'world.rewind': ({ seq }) => {
      refuseWhileBusy(door)
      return jobs.runExclusive('world.rewind', (job) => worlds.rewind(store, causeOf('world.rewind'), seq, job))
    },
    'work.cancel': ({ uid }) => ({ canceled: jobs.cancel(uid) }),
    'faults.set': (input) => faults.set(input.faults),
    'faults.list': () => faults.list(),
    'faults.clear': () => faults.clear(),
    'world.describe': () => describe(),
    'sandbox.identify': () => door.identify(),
    'sandbox.stop': ({ nonce }) => door.stop(nonce),
    'worlds.create': (input) => door.worlds.create(input),
    'worlds.list': (input) => door.worlds.list(input),
    'worlds.keep': (input) => door.worlds.keep(input),
    'worlds.compare': (input) => door.worlds.compare(input),
    'worlds.drop': (input) => door.worlds.drop(input),
  }
}

/** Undone requests stay in the request log, with a mark. */
async function markUndone({ store, jobs }: OperatorDoor) {
  const findLeft = findLeftCommits(await jobs.runSilent('exchanges.list', store.findReplacements()))
  return <T extends Exchange>({ undone_by: _, ...exchange }: T): T => {
    const by = findLeft(exchange.seq_after)
    return { ...exchange, ...(by ? { undone_by: { seq: by.seq, name: by.name } } : {}) } as T
  }
}

/** For methods that replace the world. */
function refuseWhileBusy({ scheduler, jobs }: OperatorDoor) {
  refuseDuringAdvance(scheduler)
  jobs.refuseDuringExclusive()
}

/** Values that are not given stay as they are. The trace ids of the old world are forgotten. */
function resetWorld(door: OperatorDoor, input: MethodParsed<'world.reset'>) {
  refuseWhileBusy(door)
  const { store, traces, jobs, createWorld } = door
  const { world } = store
  const {
    world: kind,
    seed = world.seed,
    start = world.start,
    mode = world.clock.mode,
    pace = world.clock.pace,
  } = input
  const setup = { kind, seed, start: toTimestamp(parseInstant(start, 'start')), clock: { mode, pace } }
  return jobs.runExclusive('world.reset', async (job) => {
    const { world: fresh } = await job.runSteps(createWorld(setup), 'steps')
    const result = await worlds.resetWorld(store, causeOf('world.reset'), fresh, job)
    traces.clear(result.seq)
    return result
  })
}
