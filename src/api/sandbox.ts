import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { ControlReply } from './contract/control/client.ts'
import type { Notice } from './contract/control/notices.ts'
import type { ApiError } from './contract/errors.ts'
import type { Program } from './contract/resources/programs.ts'
import { ActionRecorder } from './control/action-recorder.ts'
import { dispatch } from './control/dispatch.ts'
import { Jobs, type OnText } from './control/jobs.ts'
import { createControl } from './control/methods.ts'
import { createServerHandler } from './control/server.ts'
import { demoSettings, demoSteps } from './domain/demo.ts'
import { checkBooks } from './domain/rules/ledger.ts'
import { seedWorld } from './domain/seed.ts'
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
import type { SandboxClient, ScratchOptions, ScratchSandbox, WorldSetup } from './replay/client.ts'
import { OperatorLog } from './replay/operator-log.ts'
import { runInScratch } from './scenarios/library.ts'
import type { Plan } from './scenarios/plan.ts'
import { requireLoggedCommits } from './store/check-files.ts'
import { Clock, toMs, toTimestamp } from './store/clock.ts'
import { currentWorld } from './store/copies.ts'
import { type Durability, type OpenedDataFolder, openDataFolder, type WorldFile } from './store/data-folder.ts'
import { createTemporaryFolder, removeFolder } from './store/files.ts'
import type { ReportRemark } from './store/lock.ts'
import { LOG_LENGTH } from './store/log.ts'
import { MemoryWorldFile } from './store/memory-world-file.ts'
import { openSnapshots, type Snapshots } from './store/snapshots.ts'
import { runToEnd } from './store/steps.ts'
import { Store } from './store/store.ts'
import { StoreError } from './store/store-error.ts'
import { emptyWorld, type ProgramRecord, type World } from './store/world.ts'
import { simulatePastInSteps } from './time/past.ts'
import { Scheduler } from './time/scheduler.ts'
import { type Runner, taskRunners } from './time/tasks.ts'

// A host imports only this file and files.ts.
export { parseInstant } from './contract/terms/durations.ts'
export { WINDOW_POLICY } from './control/server.ts'
export { parseCidr } from './http/allowlist.ts'
export { PortTakenError } from './http/listener.ts'
export { readScenarios, scenarioNames } from './scenarios/library.ts'
export * as scenarioReports from './scenarios/report.ts'
export { createFolder } from './store/files.ts'
export { StoreError } from './store/store-error.ts'

export interface SandboxOptions {
  readonly version: string
  /** The data folder; null keeps the world in memory. */
  readonly data: string | null
  /** For a new world; refused if the folder holds one. */
  readonly seed?: string | undefined
  readonly start?: number | undefined
  readonly world?: 'demo' | 'empty' | undefined
  /** A world in memory; it belongs to the sandbox from then on. */
  readonly from?: World | undefined
  readonly clock?: 'running' | 'frozen' | undefined
  readonly pace?: 'fast' | 'real' | undefined
  readonly durability?: Durability | undefined
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly allow?: readonly string[] | undefined
  readonly allow_host?: readonly string[] | undefined
  readonly cors?: readonly string[] | undefined
  readonly control_key?: string | undefined
  /** How many requests the log keeps at least; 10,000 by default. */
  readonly log_length?: number | undefined
  /** The folder of the built window, to serve it to browsers. */
  readonly window?: string | undefined
  /** The folder of the library's scenarios. */
  readonly library?: string | undefined
  /** Gets internal errors, and remarks on the data folder. */
  readonly report?: ReportRemark | undefined
  /** Additional task kinds, for tests. */
  readonly tasks?: Readonly<Record<string, Runner>> | undefined
}

export interface Sandbox {
  readonly api: string
  readonly gui: string
  readonly control: string
  readonly control_key: string
  readonly data: string | null
  readonly store: Store
  /** For replays and scenarios in this sandbox. */
  readonly replayClient: SandboxClient
  programs(): readonly Program[]
  /** Calls a control method without a network. */
  call(name: string, input: unknown): Promise<ControlReply>
  subscribe(listener: (notice: Notice) => void): () => void
  close(): Promise<void>
}

export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { store, file, folder } = await openWorld(options)
  const closers = new Closers()
  closers.add(() => file.close())
  try {
    const logs = await openLogs(options, store, closers, folder)
    const snapshots = openSnapshots(store, file, options.data)
    return await assembleSandbox(options, { store, logs, snapshots }, closers)
  } catch (error) {
    await closers.close()
    throw error
  }
}

/** Work to do at the end, the latest first. */
class Closers {
  readonly #all: (() => void | Promise<void>)[] = []

  add(close: () => void | Promise<void>) {
    this.#all.push(close)
  }

  async close() {
    for (const close of this.#all.reverse()) await close()
  }
}

interface Opened {
  readonly store: Store
  readonly logs: Logs
  readonly snapshots: Snapshots
}

interface Logs {
  readonly traces: TraceIds
  readonly exchanges: ExchangeLog
  readonly actions: OperatorLog
}

async function openLogs(
  { data, log_length, durability }: SandboxOptions,
  store: Store,
  closers: Closers,
  folder: OpenedDataFolder | null,
): Promise<Logs> {
  const sync = durability === 'fsync'
  const recent = folder?.recent ?? []
  const traces = await TraceIds.open(data, { sync, recent })
  closers.add(() => traces.close())
  const exchanges = await ExchangeLog.open(data, { length: log_length, sync })
  closers.add(() => exchanges.close())
  const actions = await OperatorLog.open(data, { sync })
  closers.add(() => actions.close())
  requireLoggedCommits(store.world.seq, exchanges.summaries(), join(data ?? '', 'exchanges'))
  requireLoggedCommits(store.world.seq, actions.entries(), join(data ?? '', 'acts'))
  exchanges.addUnlogged(recent)
  actions.addUnlogged(recent)
  for (const { after } of actions.entries()) if (after) exchanges.reserve(after)
  // The commits that were saved hold what these files need; a world file takes the place of the commits.
  folder?.beforeSave(async () => {
    await Promise.all([traces.syncAll(), exchanges.sync(), actions.sync()])
  })
  closers.add(() => folder?.finishSave())
  return { traces, exchanges, actions }
}

/** Puts the parts together: the API first, then the server, whose address the operator's door needs. */
async function assembleSandbox(options: SandboxOptions, opened: Opened, closers: Closers): Promise<Sandbox> {
  const { store, logs, snapshots } = opened
  const { data, host = '127.0.0.1', port = 4010, report = () => {} } = options
  const control_key = options.control_key ?? randomBytes(18).toString('base64url')
  const now = () => toTimestamp(store.clock.now())
  const reportInternalError = (error: ApiError) =>
    report(`Internal error: ${error.cause_for_operator ?? error.message}`)
  store.onListenerError = (error) => reportInternalError(toApiError(error))

  const { notify, subscribe } = createNotices(store, logs.exchanges)
  const allowlist = new Allowlist({ host, allow: options.allow ?? [], allow_host: options.allow_host ?? [] })
  const redaction = new Redaction(() => store.seal, collectKeys(store, control_key))
  const scheduler = new Scheduler({
    store,
    tasks: { ...taskRunners, ...options.tasks },
    notify,
    reportError: (error) => reportInternalError(toApiError(error)),
  })
  const tokens = new Tokens(store, loadTokenSecret(data), () => Date.now())
  const faults = new Faults({
    seed: () => store.world.seed,
    now: () => store.clock.now(),
    elapsed: () => performance.now(),
    onChange: () => notify({ type: 'faults' }),
  })
  const jobs = new Jobs(notify)
  const api = createApiApp({
    ...{ store, ...logs, tokens, allowlist, redaction, faults, reportInternalError },
    cors: options.cors ?? [],
    responses: new ResponseCache(redaction),
    runDue: () => void scheduler.runDue({ through: true }),
    catchUp: () => scheduler.catchUp({ through: true }),
    runSteps: (steps) => jobs.runForCall(steps),
  })

  const listener = await listen({ messageClasses: createMessageClasses(api), host, port, now })
  closers.add(() => listener.close())
  // Nothing is awaited from here on: the handler must be set before the first request.
  const { origin } = listener
  const client: SandboxClient = {
    api: `${origin}/api/v1`,
    programs: async () => store.world.collections.programs.inOrder(),
    token: (program) => tokens.issue(program),
    refreshToken: (program) => signRefreshToken(program, store.clock.now()),
    call: (name, input) => call(name, input),
  }
  const control = createControl({
    ...{ store, scheduler, ...logs, snapshots, faults, client, notify },
    jobs,
    createWorld: createWorldInSteps,
    openScratch: (from, scratch) => openScratch(options, from, scratch),
    library: options.library ?? '',
    ownScenarios: data && join(data, 'scenarios'),
    onClose: (work) => closers.add(work),
    describe: describer(options, store, client.api),
  })
  const recorder = new ActionRecorder({
    ...{ store, ...logs, redaction },
    reportError: (error) => reportInternalError(toApiError(error)),
  })
  const call = (name: string, input: unknown, onText?: OnText): Promise<ControlReply> =>
    dispatch(
      control,
      name,
      input,
      {
        ...{ now, reportInternalError },
        recordAction: (name, input, work) => recorder.record(name, input, work),
        runDue: () => scheduler.runDueForOperator(),
        runSteps: (steps) => jobs.runForCall(steps),
      },
      onText,
    )

  const closing = new AbortController()
  listener.serve(
    createServerHandler({
      ...{ api, call, subscribe, now, reportInternalError, allowlist },
      runSteps: (steps) => jobs.runForCall(steps),
      key: control_key,
      window: options.window,
      closing: closing.signal,
    }),
  )
  closers.add(() => closing.abort())
  closers.add(() => scheduler.stop())
  scheduler.start()

  return {
    ...{ data, store, control_key, call, subscribe },
    replayClient: client,
    api: client.api,
    gui: `${origin}/#key=${control_key}`,
    control: `${origin}/control`,
    programs: () => store.world.collections.programs.inOrder(),
    close: once(async () => {
      try {
        saveTime(store)
      } catch (error) {
        report(`The time at closing could not be saved: ${String(error)}`)
      }
      await closers.close()
    }),
  }
}

/** Sends notices of commits and exchanges, and those passed to `notify`, to the subscribers. */
function createNotices(store: Store, exchanges: ExchangeLog) {
  const listeners = new Set<(notice: Notice) => void>()
  const notify = (notice: Notice) => {
    for (const listener of listeners) listener(notice)
  }
  store.subscribe(({ seq, at, cause, changes, goes_on_from, replacement }) => {
    notify({
      type: 'commit',
      seq,
      at,
      cause,
      collections: [
        ...new Set([...changes.map(({ collection }) => collection), ...Object.keys(replacement?.records ?? {})]),
      ],
      uids: changes.map(({ uid }) => uid),
    })
    if (goes_on_from !== undefined) notify({ type: 'world' })
  })
  exchanges.subscribe((exchange) => notify({ type: 'exchange', exchange }))
  const subscribe = (listener: (notice: Notice) => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return { notify, subscribe }
}

function describer(options: SandboxOptions, store: Store, api: string) {
  const { version, data, log_length = LOG_LENGTH } = options
  const opened_at = toTimestamp(store.clock.now())
  return () => {
    const { seq, seed, start } = store.world
    return { version, api, data, seed, start, seq, allow: [...(options.allow ?? [])], opened_at, log_length }
  }
}

/** All keys that must not be logged, including those that a rewind or a reset removed from the world. */
function collectKeys(store: Store, control_key: string): () => readonly string[] {
  const removed = new Set<string>()
  const keysOf = ({ hmac_key, former_hmac_keys = [] }: ProgramRecord) => [hmac_key, ...former_hmac_keys]
  const collect = () => [
    ...new Set([control_key, ...removed, ...store.world.collections.programs.inOrder().flatMap(keysOf)]),
  ]
  let keys = collect()
  store.subscribe(({ changes, goes_on_from }) => {
    const isReplaced = goes_on_from !== undefined
    if (!isReplaced && !changes.some(({ collection }) => collection === 'programs')) return
    if (isReplaced) for (const key of keys) removed.add(key)
    keys = collect()
  })
  return () => keys
}

/** Simulated time stops while the sandbox is closed, and continues from here. */
function saveTime(store: Store) {
  if (store.clock.mode === 'running')
    store.operate({ door: 'operator', name: 'close' }, (tx) => tx.setClock({ ...tx.clock, at: tx.now }))
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => (running ??= work())
}

// ── Worlds ───────────────────────────────────────────────────────────────────────────────────────────────────────

interface OpenedWorld {
  readonly store: Store
  readonly file: WorldFile
  /** null if the world is in memory. */
  readonly folder: OpenedDataFolder | null
}

/** The world of the data folder, a copy, or a new one. */
async function openWorld(options: SandboxOptions): Promise<OpenedWorld> {
  const { data, durability = 'write', from } = options
  const folder = data === null ? null : await openDataFolder(data, durability, options.report)
  try {
    if (folder?.world) return openSavedWorld(options, folder.world, folder)
    if (from) {
      const file = new MemoryWorldFile()
      return { store: createStore(from, file), file, folder }
    }
    const { world, history } = runToEnd(
      createWorldInSteps({
        kind: options.world ?? 'demo',
        seed: options.seed ?? 'sandbank',
        start: toTimestamp(options.start ?? Date.now()),
        clock: { mode: options.clock ?? 'running', pace: options.pace ?? 'fast' },
      }),
    )
    const file = folder?.file ?? history
    const store = createStore(world, file)
    folder?.begin(world)
    await file.save()
    folder?.saveHistory(history)
    return { store, file, folder }
  } catch (error) {
    await folder?.file.close()
    throw error
  }
}

function openSavedWorld(options: SandboxOptions, world: World, folder: OpenedDataFolder): OpenedWorld {
  const { file } = folder
  const { data, seed, start, world: kind, clock, pace } = options
  const given = [seed !== undefined && '--seed', start !== undefined && '--start', kind !== undefined && '--world']
  const refused = given.filter(Boolean)
  if (refused.length > 0)
    throw new StoreError(
      `The data folder ${data} already contains a world, which has its own seed, start and records: leave ${refused.join(', ')} out, or pass --data with another folder`,
    )
  const store = createStore(world, file)
  if ((clock && clock !== store.clock.mode) || (pace && pace !== store.clock.pace))
    store.operate({ door: 'operator', name: 'clock.set' }, (tx) =>
      tx.setClock({ ...tx.clock, mode: clock ?? tx.clock.mode, pace: pace ?? tx.clock.pace, at: tx.now }),
    )
  return { store, file, folder }
}

const createStore = (world: World, file: WorldFile) =>
  new Store(world, new Clock(world, () => performance.now()), file, checkBooks)

/** A new world, with the history of its simulated past. */
function* createWorldInSteps({ kind, seed, start, clock }: WorldSetup) {
  const world = emptyWorld(seed, start)
  const history = yield* simulatePastInSteps({
    world,
    clock,
    seed: (tx) => seedWorld(tx, kind === 'empty' ? {} : demoSettings),
    tasks: taskRunners,
    steps: kind === 'empty' ? [] : demoSteps,
  })
  return { world, history }
}

// ── Scratch sandboxes ────────────────────────────────────────────────────────────────────────────────────────────

/** A world that is given belongs to the scratch sandbox from then on, and gets a frozen clock. */
export async function openScratch(
  { version, report }: Pick<SandboxOptions, 'version' | 'report'>,
  from: WorldSetup | World,
  { canRestart = false }: ScratchOptions = {},
): Promise<ScratchSandbox> {
  if (canRestart && !('collections' in from)) return openRestartable({ version, report }, from)
  const world =
    'collections' in from
      ? { from: { ...from, clock: { ...from.clock, mode: 'frozen' as const } } }
      : { world: from.kind, seed: from.seed, start: toMs(from.start), clock: from.clock.mode, pace: from.clock.pace }
  const sandbox = await openSandbox({ version, report, data: null, port: 0, ...world })
  return { ...sandbox.replayClient, world: () => currentWorld(sandbox.store), close: sandbox.close }
}

/** A scratch sandbox whose world is in a temporary data folder. */
async function openRestartable(
  { version, report }: Pick<SandboxOptions, 'version' | 'report'>,
  { kind, seed, start, clock: { mode, pace } }: WorldSetup,
): Promise<ScratchSandbox> {
  const data = createTemporaryFolder('sandbank-scenario-')
  const options = { version, report, data, port: 0 }
  try {
    let sandbox = await openSandbox({ ...options, world: kind, seed, start: toMs(start), clock: mode, pace })
    return {
      get api() {
        return sandbox.api
      },
      programs: () => sandbox.replayClient.programs(),
      token: (program) => sandbox.replayClient.token(program),
      refreshToken: (program) => sandbox.replayClient.refreshToken(program),
      call: (name, input) => sandbox.call(name, input),
      world: () => currentWorld(sandbox.store),
      async restart() {
        await sandbox.close()
        sandbox = await openSandbox(options)
      },
      async close() {
        await sandbox.close()
        removeFolder(data)
      },
    }
  } catch (error) {
    removeFolder(data)
    throw error
  }
}

/** Runs a scenario in a scratch sandbox. */
export const runScenario = (plan: Plan, options: Pick<SandboxOptions, 'version' | 'report'>) =>
  runInScratch(plan, (from, scratch) => openScratch(options, from, scratch))
