import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { ControlReply, MethodName, Notice } from './contract/control.ts'
import type { ApiError } from './contract/errors.ts'
import type { Program } from './contract/resources/programs.ts'
import { dispatch } from './control/dispatch.ts'
import { Jobs } from './control/jobs.ts'
import { createControl } from './control/methods.ts'
import { server } from './control/server.ts'
import { past } from './domain/demo.ts'
import { checkBooks } from './domain/rules/ledger.ts'
import { seed as seedWorld } from './domain/seed.ts'
import { Allowlist } from './http/allowlist.ts'
import { createApiApp, createMessageClasses } from './http/app.ts'
import { toApiError } from './http/error-response.ts'
import { ExchangeLog } from './http/exchanges.ts'
import { Faults } from './http/faults.ts'
import { listen } from './http/listener.ts'
import { Redaction } from './http/redact.ts'
import { ResponseCache } from './http/response-cache.ts'
import { loadTokenSecret, signRefreshToken, Tokens } from './http/tokens.ts'
import { TraceIds } from './http/trace-ids.ts'
import type { OpenScratchSandbox, SandboxClient, ScratchSandbox, WorldSetup } from './replay/client.ts'
import { OperatorLog } from './replay/operator-log.ts'
import { runFresh } from './scenarios/library.ts'
import type { Plan } from './scenarios/plan.ts'
import { Clock, toMs, toTimestamp } from './store/clock.ts'
import { type Durability, MemoryWorldFile, openDataFolder } from './store/data-folder.ts'
import { LOG_LENGTH } from './store/log.ts'
import { copyCurrentWorld, copyWorld, openSnapshots } from './store/snapshots.ts'
import { Store } from './store/store.ts'
import { StoreError } from './store/store-error.ts'
import { emptyWorld, type ProgramRecord, type World } from './store/world.ts'
import { simulatePast } from './time/past.ts'
import { Scheduler } from './time/scheduler.ts'
import { type Runner, taskRunners } from './time/tasks.ts'

export { parseInstant } from './contract/terms/durations.ts'
export { WINDOW_POLICY } from './control/server.ts'
export { parseCidr } from './http/allowlist.ts'
export { PortTakenError } from './http/listener.ts'
/** What a host needs of the floors below, so that it imports this file alone. */
export { namesIn as scenarioNames, readScenarios } from './scenarios/library.ts'
export * as scenarioReports from './scenarios/report.ts'
export { StoreError } from './store/store-error.ts'

/** Everything put together, once. Both hosts and every test open the same sandbox. */

export interface SandboxOptions {
  readonly version: string
  /** The data folder; null keeps nothing. */
  readonly data: string | null
  /** For a fresh world; refused on a folder that holds one. */
  readonly seed?: string | undefined
  readonly start?: number | undefined
  readonly world?: 'demo' | 'empty' | undefined
  /** A world that there is already: it is copied, and in memory. */
  readonly from?: World | undefined
  readonly clock?: 'running' | 'frozen' | undefined
  readonly pace?: 'fast' | 'real' | undefined
  readonly durability?: Durability | undefined
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly allow?: readonly string[] | undefined
  readonly allow_host?: readonly string[] | undefined
  readonly control_key?: string | undefined
  /** How many requests the log keeps at least; 10,000 if nobody says otherwise. */
  readonly log_length?: number | undefined
  /** The folder of the built window, for browsers. */
  readonly window?: string | undefined
  /** The folder of the scenarios that come with it. */
  readonly library?: string | undefined
  /** Where a fault of ours, or a remark on the data folder, is told. */
  readonly tell?: ((line: string) => void) | undefined
  /** For tests: kinds of task besides the world's own. */
  readonly tasks?: Readonly<Record<string, Runner>> | undefined
}

export interface Sandbox {
  readonly api: string
  readonly gui: string
  readonly control: string
  readonly control_key: string
  readonly data: string | null
  readonly store: Store
  /** How a replay or a scenario meets it. */
  readonly target: SandboxClient
  programs(): readonly Program[]
  /** The operator's door without a network, for the desktop's window. */
  call(name: string, input: unknown): Promise<ControlReply>
  subscribe(listener: (notice: Notice) => void): () => void
  close(): Promise<void>
}

export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { data, host = '127.0.0.1', port = 4010, log_length = LOG_LENGTH, tell = () => {} } = options
  const control_key = options.control_key ?? randomBytes(18).toString('base64url')
  const allowlist = new Allowlist({ host, allow: options.allow ?? [], allow_host: options.allow_host ?? [] })
  const { store, file } = await openWorld(options)

  const closing: (() => void | Promise<void>)[] = [() => file.close()]
  const closeAll = async () => {
    for (const close of closing.reverse()) await close()
  }
  try {
    const traces = await TraceIds.open(data)
    closing.push(() => traces.close())
    const exchanges = await ExchangeLog.open(data, log_length)
    closing.push(() => exchanges.close())
    const acts = await OperatorLog.open(data)
    closing.push(() => acts.close())

    const listeners = new Set<(notice: Notice) => void>()
    const notify = (notice: Notice) => {
      for (const listener of listeners) listener(notice)
    }
    store.subscribe(({ seq, at, cause, changes, goes_on_from }) => {
      notify({
        type: 'commit',
        seq,
        at,
        cause,
        collections: [...new Set(changes.map(({ collection }) => collection))],
        uids: changes.map(({ uid }) => uid),
      })
      if (goes_on_from !== undefined) notify({ type: 'world' })
    })
    exchanges.subscribe((exchange) => notify({ type: 'exchange', exchange }))

    const fault = (error: ApiError) => tell(`A fault of the sandbox: ${error.cause_for_operator ?? error.message}`)
    store.onListenerError = (error) => fault(toApiError(error))
    const tasks = { ...taskRunners, ...options.tasks }
    const scheduler = new Scheduler({ store, tasks, notify, trouble: (error) => fault(toApiError(error)) })
    const realNow = () => Date.now()
    const runDue = () => void scheduler.runDue({ through: true })
    const runDueForOperator = () => scheduler.runDueForOperator()
    const tokens = new Tokens(store, loadTokenSecret(data), realNow)
    const redaction = new Redaction(() => store.seal, keysOf(store, control_key))
    const faults = new Faults({
      seed: () => store.world.seed,
      now: () => store.clock.now(),
      elapsed: () => performance.now(),
      onChange: () => notify({ type: 'faults' }),
    })
    const api = createApiApp({
      ...{
        store,
        tokens,
        traces,
        exchanges,
        responses: new ResponseCache(),
        allowlist,
        redaction,
        faults,
        runDue,
        reportInternalError: fault,
      },
    })

    const now = () => toTimestamp(store.clock.now())
    const opened_at = now()
    const { version } = options
    const describe = () => {
      const { seq, seed, start } = store.world
      const allow = [...(options.allow ?? [])]
      return { version, api: sandbox.api, data, seed, start, seq, allow, opened_at, log_length }
    }
    const freshWorld = (from: WorldSetup) => made(from).world
    const scratch: OpenScratchSandbox = (from) => openScratch(options, from)
    const target: Writable<SandboxClient> = {
      api: '', // Once it listens.
      programs: async () => store.world.collections.programs.inOrder(),
      token: (program) => tokens.issue(program),
      refreshToken: (program) => signRefreshToken(program, store.clock.now()),
      call: (name, input) => call(name, input),
    }
    const operator = createControl({
      store,
      scheduler,
      exchanges,
      acts,
      traces,
      faults,
      target,
      snapshots: openSnapshots(store, data),
      freshWorld,
      scratch,
      library: options.library ?? '',
      ownScenarios: data && join(data, 'scenarios'),
      notify,
      work: new Jobs(notify),
      whenClosed: (work) => void closing.push(work),
      describe,
    })
    const wrote = (name: MethodName, input: unknown, seq_before: number) => {
      try {
        acts.add({
          name,
          input: redaction.redactBody(JSON.stringify(input), 'application/json'),
          at: now(),
          after: exchanges.newestUid,
          seq_before,
          seq_after: store.world.seq,
        })
      } catch (error) {
        fault(toApiError(error)) // What was done is done, also where the disk is too full to tell of it.
      }
    }
    const seq = () => store.world.seq
    const call = (name: string, input: unknown) =>
      dispatch(operator, name, input, { now, runDue: runDueForOperator, fault, seq, wrote })
    const subscribe = (listener: (notice: Notice) => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }

    const closingStreams = new AbortController()
    const app = server({
      call,
      subscribe,
      now,
      fault,
      allowlist,
      key: control_key,
      window: options.window,
      closing: closingStreams.signal,
      api,
    })
    const listener = await listen({ app, messageClasses: createMessageClasses(api), host, port, now })
    closing.push(() => listener.close())
    closing.push(() => closingStreams.abort())
    closing.push(() => scheduler.stop())
    scheduler.start()

    const { origin } = listener
    target.api = `${origin}/api/v1`
    const sandbox: Sandbox = {
      api: target.api,
      gui: `${origin}/#key=${control_key}`,
      control: `${origin}/control`,
      control_key,
      data,
      store,
      target,
      programs: () => store.world.collections.programs.inOrder(),
      call,
      subscribe,
      close: once(async () => {
        try {
          keepTime(store)
        } catch (error) {
          tell(`The time at closing could not be kept: ${String(error)}`)
        }
        await closeAll()
      }),
    }
    return sandbox
  } catch (error) {
    await closeAll()
    throw error
  }
}

async function openWorld(options: SandboxOptions) {
  const { data, seed, start, world: kind, durability = 'write' } = options
  const elapsed = () => performance.now()
  const kept = data === null ? null : await openDataFolder(data, durability, options.tell)
  try {
    if (kept?.world) {
      const asked = [seed !== undefined && '--seed', start !== undefined && '--start', kind !== undefined && '--world']
      const refused = asked.filter(Boolean)
      if (refused.length > 0)
        throw new StoreError(
          `The data folder ${data} holds a world already, which has its own seed, start and records: leave ${refused.join(', ')} out, or pass --data with another folder`,
        )
      const store = new Store(kept.world, new Clock(kept.world, elapsed), kept.file, checkBooks)
      const { clock, pace } = options
      if ((clock && clock !== store.clock.mode) || (pace && pace !== store.clock.pace))
        store.operate({ door: 'operator', name: 'clock.set' }, (tx) =>
          tx.setClock({ ...tx.clock, mode: clock ?? tx.clock.mode, pace: pace ?? tx.clock.pace, at: tx.now }),
        )
      return { store, file: kept.file }
    }
    if (options.from) {
      const world = copyWorld(options.from)
      const file = new MemoryWorldFile()
      return { store: new Store(world, new Clock(world, elapsed), file, checkBooks), file }
    }
    const { world, history } = made({
      kind: kind ?? 'demo',
      seed: seed ?? 'sandbank',
      start: toTimestamp(start ?? Date.now()),
      clock: { mode: options.clock ?? 'running', pace: options.pace ?? 'fast' },
    })
    const file = kept?.file ?? history
    const store = new Store(world, new Clock(world, elapsed), file, checkBooks)
    kept?.begin(world)
    await file.save()
    kept?.saveHistory(history)
    return { store, file }
  } catch (error) {
    await kept?.file.close()
    throw error
  }
}

/** Whatever has been a key is one to the request log, also one that a rewind or a reset has left behind. */
function keysOf(store: Store, control_key: string): () => readonly string[] {
  const left = new Set<string>()
  const of = ({ hmac_key, former_hmac_keys = [] }: ProgramRecord) => [hmac_key, ...former_hmac_keys]
  const present = () => [control_key, ...left, ...store.world.collections.programs.inOrder().flatMap(of)]
  let keys = present()
  store.subscribe(({ changes, goes_on_from }) => {
    const ofPrograms = changes.filter(({ collection }) => collection === 'programs')
    if (ofPrograms.length === 0) return
    if (goes_on_from !== undefined)
      for (const { was } of ofPrograms) if (was) for (const key of of(was as ProgramRecord)) left.add(key)
    keys = present()
  })
  return () => keys
}

/** A world for a replay or a scenario: nothing of it is kept, and its clock stands still unless it is told to run. */
export async function openScratch(
  { version, tell }: Pick<SandboxOptions, 'version' | 'tell'>,
  from: WorldSetup | World,
): Promise<ScratchSandbox> {
  const begun =
    'collections' in from
      ? { from: { ...from, clock: { ...from.clock, mode: 'frozen' as const } } }
      : { world: from.kind, seed: from.seed, start: toMs(from.start), clock: from.clock.mode, pace: from.clock.pace }
  const sandbox = await openSandbox({ version, tell, data: null, port: 0, ...begun })
  return { ...sandbox.target, world: () => copyCurrentWorld(sandbox.store), close: sandbox.close }
}

/** A scenario in a world of its own. */
export const runScenario = (plan: Plan, options: Pick<SandboxOptions, 'version' | 'tell'>) =>
  runFresh(plan, (from) => openScratch(options, from))

/** A fresh world that has lived through its past, with the history of it. */
function made({ kind, seed, start, clock }: WorldSetup) {
  const world = emptyWorld(seed, start)
  const history = simulatePast({
    world,
    clock,
    seed: seedWorld,
    tasks: taskRunners,
    steps: kind === 'empty' ? [] : past,
  })
  return { world, history }
}

/** Simulated time stands still while the sandbox is closed: it goes on from this very moment. */
function keepTime(store: Store) {
  if (store.clock.mode === 'running')
    store.operate({ door: 'operator', name: 'close' }, (tx) => tx.setClock({ ...tx.clock, at: tx.now }))
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => (running ??= work())
}
