import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { ControlReply } from './contract/control/client.ts'
import type { MethodInput, MethodOutput } from './contract/control/methods.ts'
import type { Notice } from './contract/control/notices.ts'
import { createReference, type Reference } from './contract/describe/describe.ts'
import type { CommandText } from './contract/describe/entries.ts'
import type { Program } from './contract/resources/programs.ts'
import { parseInput } from './control/dispatch.ts'
import { Openings } from './control/openings.ts'
import { createServerHandler } from './control/server.ts'
import { Allowlist } from './http/allowlist.ts'
import { createApiApp, createMessageClasses } from './http/app.ts'
import { errorBody, noSuchWorld } from './http/error-response.ts'
import { type Listener, listen } from './http/listener.ts'
import { loadTokenSecret } from './http/tokens.ts'
import { maskValue } from './replay/bundles/export.ts'
import type { SandboxClient, ScratchOptions, ScratchSandbox, WorldSetup } from './replay/client.ts'
import { runInScratch } from './scenarios/library.ts'
import type { Plan } from './scenarios/plan.ts'
import { LOG_LENGTH } from './store/call-log.ts'
import { toMs, toTimestamp } from './store/clock.ts'
import { currentWorld } from './store/copies.ts'
import { openSnapshots } from './store/snapshots.ts'
import type { Store } from './store/store.ts'
import type { World } from './store/world.ts'
import { identifyProcess, type ProcessIdentity } from './system/processes.ts'
import { createTemporaryFolder, removeTemporaryFolder } from './system/temporary-folders.ts'
import { type Runner, taskRunners } from './time/tasks.ts'
import { Closers } from './worlds/closers.ts'
import type { OpenWorld } from './worlds/open-world.ts'
import { openLogs, openSavedWorld, type SavedWorld, type WorldOptions } from './worlds/saved-world.ts'
import { WorldTable } from './worlds/world-table.ts'

// A host imports only this file and files.ts.
export { parseInstant } from './contract/terms/amounts-of-time.ts'
export { NoticeBatches } from './control/notice-batches.ts'
export { readWindowFile, WINDOW_HEADERS } from './control/server.ts'
export { parseCidr } from './http/allowlist.ts'
export { PortTakenError } from './http/listener.ts'
export { removeTokens } from './http/secret-text.ts'
export { formatAnnotations } from './scenarios/annotations.ts'
export { formatIssue } from './scenarios/file.ts'
export { foldersOf, readScenarios, SCENARIO_ENDINGS, scenarioNames } from './scenarios/library.ts'
export { DEFAULT_START as SCENARIO_START, type Plan } from './scenarios/plan.ts'
export * as scenarioReports from './scenarios/report.ts'
export { createFolder } from './store/files.ts'
export { lock as lockFolder } from './store/lock.ts'

export interface SandboxOptions extends WorldOptions {
  readonly version: string
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly allow?: readonly string[] | undefined
  readonly allow_host?: readonly string[] | undefined
  readonly cors?: readonly string[] | undefined
  readonly control_key?: string | undefined
  /** How many worlds may be open besides the root world; 2,000 by default. */
  readonly max_worlds?: number | undefined
  /** The folder of the built window, to serve it to browsers. */
  readonly window?: string | undefined
  /** The folder of the library's scenarios. */
  readonly library?: string | undefined
  /** The folder of the pages of docs/, to serve them. */
  readonly docs?: string | undefined
  /** The commands of the host, for `describe`. */
  readonly commands?: (() => readonly CommandText[]) | undefined
  /** Whether webhooks are sent; true by default. */
  readonly delivers?: boolean | undefined
  /** Ends the host after `sandbox.stop`. Without it only the sandbox closes. */
  readonly onStop?: (() => void) | undefined
  /** Additional task kinds, for tests. */
  readonly tasks?: Readonly<Record<string, Runner>> | undefined
}

/** A world, as code in the process of the sandbox uses it. */
export interface SandboxWorld {
  readonly api: string
  readonly gui: string
  readonly control: string
  readonly store: Store
  /** For replays and scenarios in this world. */
  readonly replayClient: SandboxClient
  programs(): readonly Program[]
  /** Calls a control method without a network. */
  call(name: string, input: unknown): Promise<ControlReply>
  subscribe(listener: (notice: Notice) => void): () => void
}

export interface NamedSandboxWorld extends SandboxWorld {
  readonly name: string
}

/** The worlds besides the root world. Refusals are thrown as an ApiError. */
export interface SandboxWorlds {
  create(input?: MethodInput<'worlds.create'>): Promise<NamedSandboxWorld>
  get(name: string): NamedSandboxWorld | undefined
  list(): readonly NamedSandboxWorld[]
  /** Calls a control method of a world without a network. If there is no such world, the reply says so. */
  call(name: string, method: string, input: unknown): Promise<ControlReply>
  drop(name: string): Promise<void>
}

export interface Sandbox extends SandboxWorld {
  readonly control_key: string
  readonly data: string | null
  /** What `sandbox.identify` answers, and what else is known of the process. */
  readonly identity: ProcessIdentity & MethodOutput<'sandbox.identify'>
  readonly worlds: SandboxWorlds
  /** Masks secrets in a text of unknown content. */
  redact(text: string): string
  /** Replaces personal data of the root world in any JSON value by pseudonyms, as bundles do. */
  mask<T>(value: T): Promise<T>
  close(): Promise<void>
}

export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const saved = await openSavedWorld(options)
  const closers = new Closers()
  closers.add(() => saved.file.close())
  try {
    return await assembleSandbox(options, saved, closers)
  } catch (error) {
    await closers.close()
    throw error
  }
}

/** Puts the parts together: the server first, whose address the worlds need. */
async function assembleSandbox(
  options: SandboxOptions,
  { store, file, folder }: SavedWorld,
  closers: Closers,
): Promise<Sandbox> {
  const { data, host = '127.0.0.1', port = 4010, report = () => {}, allow = [], allow_host = [], cors = [] } = options
  const control_key = options.control_key ?? randomBytes(18).toString('base64url')
  const logs = await openLogs(options, store, closers, folder)
  const now = () => toTimestamp(store.clock.now())
  const allowlist = new Allowlist({ host, allow, allow_host })
  const api = createApiApp({ allowlist, cors, docs: options.docs, now })
  const listener = await listen({ messageClasses: createMessageClasses(api), host, port, now })
  closers.add(() => listener.close())
  // Nothing is awaited from here on: the handler must be set before the first request.
  const identity = {
    ...identifyProcess(process.pid),
    started_at: toTimestamp(Date.now()),
    nonce: randomBytes(18).toString('base64url'),
  }
  const close = once(async () => {
    try {
      saveTime(store)
    } catch (error) {
      report(`The time at closing could not be saved: ${String(error)}`)
    }
    await closers.close()
  })
  const { onStop = () => void close().catch((error) => report(`Closing failed: ${String(error)}`)) } = options
  const openings = new Openings()
  const worlds = createWorlds(
    options,
    listener,
    // The call that stops the sandbox is answered first.
    {
      control_key,
      token_secret: loadTokenSecret(data),
      allowlist,
      report,
      identity,
      openings,
      stop: () => void setImmediate(onStop),
    },
    {
      data,
      store,
      logs,
      history: file,
      snapshots: openSnapshots(store, data),
      ownScenarios: data && join(data, 'scenarios'),
    },
  )
  const { root } = worlds
  listener.serve(
    createServerHandler({
      api,
      root,
      allowlist,
      findWorld: (name) => worlds.find(name),
      key: control_key,
      window: options.window,
      openings,
    }),
  )
  closers.add(() => worlds.close())
  closers.add(() => root.stop())
  root.start()
  return {
    ...describeWorld(root),
    data,
    control_key,
    identity,
    worlds: worldsOf(worlds),
    redact: (text) => root.redaction.redactUnknownText(text),
    mask: (value) => root.jobs.runSilent(maskValue(root, value)),
    close,
  }
}

function createWorlds(
  options: SandboxOptions,
  { origin }: Listener,
  shared: Pick<
    ConstructorParameters<typeof WorldTable>[0],
    'control_key' | 'token_secret' | 'allowlist' | 'report' | 'identity' | 'openings' | 'stop'
  >,
  root: ConstructorParameters<typeof WorldTable>[1],
): WorldTable {
  const { version, allow = [], library = '', log_length = LOG_LENGTH, tasks, max_worlds, delivers = true } = options
  let reference: Reference | undefined
  const parts = {
    version,
    origin,
    allow,
    library,
    log_length,
    delivers,
    ...shared,
    reference: () => (reference ??= createReference(options.commands?.())),
    tasks: { ...taskRunners, ...tasks },
    openScratch: (from: WorldSetup | World, scratch?: ScratchOptions) => openScratch(options, from, scratch),
  }
  return new WorldTable(parts, root, max_worlds)
}

const describeWorld = (world: OpenWorld): SandboxWorld => ({
  api: world.api,
  gui: world.gui,
  control: world.control,
  store: world.store,
  replayClient: world.client,
  programs: () => world.programs(),
  call: world.call,
  subscribe: world.subscribe,
})

const describeNamed = (world: OpenWorld): NamedSandboxWorld => ({ ...describeWorld(world), name: world.name! })

function worldsOf(worlds: WorldTable): SandboxWorlds {
  return {
    async create(input = {}) {
      return describeNamed(await worlds.create(parseInput('worlds.create', input), worlds.root))
    },
    get(name) {
      const world = worlds.find(name)
      return world && describeNamed(world)
    },
    list: () => worlds.all().map(describeNamed),
    call: async (name, method, input) =>
      worlds.find(name)?.call(method, input) ?? {
        ok: false,
        error: errorBody(noSuchWorld(name), worlds.root.now()),
      },
    drop: (name) => worlds.drop(name),
  }
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

// ── Scratch sandboxes ────────────────────────────────────────────────────────────────────────────────────────────

/** A world that is given belongs to the scratch sandbox from then on, and gets a frozen clock. */
export async function openScratch(
  { version, report }: Pick<SandboxOptions, 'version' | 'report'>,
  from: WorldSetup | World,
  { canRestart = false, delivers = false }: ScratchOptions = {},
): Promise<ScratchSandbox> {
  if (canRestart && !('collections' in from)) return openRestartable({ version, report }, from)
  const world =
    'collections' in from
      ? // A copy of a world must not send what the world itself sends.
        { from: { ...from, clock: { ...from.clock, mode: 'frozen' as const } }, delivers: false }
      : {
          world: from.kind,
          seed: from.seed,
          start: toMs(from.start),
          clock: from.clock.mode,
          pace: paceOf(from),
          hard_mode: from.hard_mode,
          delivers,
        }
  const sandbox = await openSandbox({ version, report, data: null, port: 0, ...world })
  return { ...sandbox.replayClient, world: () => currentWorld(sandbox.store), close: sandbox.close }
}

/** A replay has the pace of the current world, which a hosted one does not have. */
const paceOf = ({ kind, clock }: WorldSetup) => (kind === 'hosted' ? 'fast' : clock.pace)

/** A scratch sandbox whose world is in a temporary data folder. */
async function openRestartable(
  { version, report }: Pick<SandboxOptions, 'version' | 'report'>,
  from: WorldSetup,
): Promise<ScratchSandbox> {
  const folder = createTemporaryFolder('scenario')
  const data = join(folder, 'data')
  const options = { version, report, data, port: 0 }
  const { kind, start, clock, ...setup } = from
  const begin = { ...setup, world: kind, start: toMs(start), clock: clock.mode, pace: paceOf(from) }
  try {
    let sandbox = await openSandbox({ ...options, ...begin })
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
        removeTemporaryFolder(folder)
      },
    }
  } catch (error) {
    removeTemporaryFolder(folder)
    throw error
  }
}

/** Runs a scenario in a scratch sandbox. */
export const runScenario = (plan: Plan, options: Pick<SandboxOptions, 'version' | 'report'>) =>
  runInScratch(plan, (from, scratch) => openScratch(options, from, scratch))
