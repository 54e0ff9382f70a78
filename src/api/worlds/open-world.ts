import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { ControlReply } from '../contract/control/client.ts'
import { type MethodName, type MethodOutput, methods, onlyReads } from '../contract/control/methods.ts'
import type { Reference } from '../contract/describe/describe.ts'
import { ApiError } from '../contract/errors.ts'
import type { Program } from '../contract/resources/programs.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'
import { ActionRecorder } from '../control/action-recorder.ts'
import { type DispatchContext, dispatch } from '../control/dispatch.ts'
import type { Control, WorldsDoor } from '../control/door.ts'
import { Jobs, type OnText } from '../control/jobs.ts'
import { createControl } from '../control/methods.ts'
import type { Openings } from '../control/openings.ts'
import type { OperationGroup } from '../control/operation-groups.ts'
import type { ControlledWorld } from '../control/server.ts'
import { readLogFor } from '../control/webhook-methods.ts'
import { findHostProblem } from '../domain/resources/webhooks.ts'
import { kindsOfReset } from '../domain/rules/hosted.ts'
import type { Allowlist } from '../http/allowlist.ts'
import { errorBody, noSuchWorld, toApiError } from '../http/error-response.ts'
import type { ExchangeLog } from '../http/exchanges.ts'
import { Faults } from '../http/faults.ts'
import { Redaction } from '../http/redact.ts'
import type { RequestContext } from '../http/request-handling.ts'
import { ResponseCache } from '../http/response-cache.ts'
import { signRefreshToken, Tokens } from '../http/tokens.ts'
import type { TraceIds } from '../http/trace-ids.ts'
import type { OpenScratchSandbox, SandboxClient } from '../replay/client.ts'
import type { OperatorLog } from '../replay/operator-log.ts'
import type { CallLog } from '../store/call-log.ts'
import { toTimestamp } from '../store/clock.ts'
import type { WorldFile } from '../store/data-folder.ts'
import type { ReportRemark } from '../store/lock.ts'
import type { Snapshots } from '../store/snapshots.ts'
import type { Steps } from '../store/steps.ts'
import type { Store } from '../store/store.ts'
import { Scheduler } from '../time/scheduler.ts'
import type { Runner } from '../time/tasks.ts'
import { Dispatcher } from '../webhooks/dispatcher.ts'
import { createWorldInSteps } from './fresh-world.ts'
import { collectKeys } from './keys.ts'
import { Notices } from './notices.ts'

/** What the worlds of a sandbox share. */
export interface SharedParts {
  readonly version: string
  readonly origin: string
  readonly control_key: string
  /** Signs access tokens. */
  readonly token_secret: Uint8Array
  readonly identity: MethodOutput<'sandbox.identify'>
  readonly openings: Openings
  /** Ends the sandbox, after the call that asks for it. */
  readonly stop: () => void
  readonly allowlist: Allowlist
  readonly allow: readonly string[]
  /** The folder of the library's scenarios. */
  readonly library: string
  readonly log_length: number
  readonly tasks: Readonly<Record<string, Runner>>
  readonly openScratch: OpenScratchSandbox
  /** What `describe` answers from. */
  readonly reference: () => Reference
  /** The table of worlds, as the control API of this world uses it. */
  readonly worldsDoor: (world: OpenWorld) => WorldsDoor
  readonly report: ReportRemark
  /** Whether webhooks are sent. */
  readonly delivers: boolean
}

/** What belongs to one world alone. */
export interface WorldParts {
  /** null for the root world, which has no prefix in its addresses. */
  readonly name: string | null
  /** The data folder; null if the world is in memory. */
  readonly data: string | null
  readonly store: Store
  /** Its commits. */
  readonly history: WorldFile
  readonly logs: Logs
  readonly snapshots: Snapshots
  readonly ownScenarios: string | null
  /** The commit after which its logs begin. */
  readonly begins: number
  /** Of a read-only world. */
  readonly look: MethodOutput<'world.describe'>['look']
  /** Keys that were removed from the world that it was made from. */
  readonly formerKeys: readonly string[]
}

export interface Logs {
  /** Holds the others. */
  readonly log: CallLog
  readonly traces: TraceIds
  readonly exchanges: ExchangeLog
  readonly actions: OperatorLog
}

/** Of the world itself. What it sends as requests is judged where it would be saved. */
const changesWorld = (name: string) =>
  Object.hasOwn(methods, name) && !onlyReads(name) && !/^(?:sandbox|worlds|exchanges)\./.test(name)

/** What tokens of the root world carry: they survive a restart. A name may be that of another world later. */
const ROOT = 'root'

/** The reason of the abort. Without one, an error with a stack would be created for each world. */
const CLOSED = 'the world is closed'

/**
 * A world with everything that it shares with no other: its three doors, its logs, tokens, trace ids, faults and jobs. What is
 * needed rarely is created on first use, so that many worlds can be open.
 */
export class OpenWorld implements RequestContext, ControlledWorld {
  readonly name: string | null
  readonly store: Store
  readonly history: WorldFile
  readonly traces: TraceIds
  readonly exchanges: ExchangeLog
  readonly actions: OperatorLog
  readonly snapshots: Snapshots
  readonly tokens: Tokens
  readonly redaction: Redaction
  readonly responses: ResponseCache
  readonly faults: Faults
  readonly jobs: Jobs
  readonly notices: Notices
  readonly begins: number
  readonly opened_at: Timestamp
  readonly allowlist: Allowlist
  readonly #shared: SharedParts
  readonly #parts: Pick<WorldParts, 'data' | 'ownScenarios' | 'logs' | 'look'>
  readonly #scheduler: Scheduler
  readonly #recorder: ActionRecorder
  readonly #dispatcher: Dispatcher
  #closing: AbortController | undefined
  #isStopped = false
  readonly #closers: (() => Promise<void>)[] = []
  #door: { readonly control: Control; readonly context: DispatchContext } | undefined
  #isDropped = false

  constructor(shared: SharedParts, parts: WorldParts) {
    const { store, logs, snapshots, name } = parts
    this.#shared = shared
    this.#parts = parts
    this.name = name
    this.store = store
    this.history = parts.history
    this.traces = logs.traces
    this.exchanges = logs.exchanges
    this.actions = logs.actions
    this.snapshots = snapshots
    this.begins = parts.begins
    this.allowlist = shared.allowlist
    this.opened_at = this.now()
    this.notices = new Notices(store, logs.exchanges)
    const { notify } = this.notices
    this.redaction = new Redaction(() => store.seal, collectKeys(store, [shared.control_key, ...parts.formerKeys]))
    this.responses = new ResponseCache(this.redaction)
    this.tokens = new Tokens(store, shared.token_secret, name === null ? ROOT : randomUUID(), () => Date.now())
    this.faults = new Faults({
      seed: () => store.world.seed,
      now: () => store.clock.now(),
      elapsed: () => performance.now(),
      onChange: () => notify({ type: 'faults' }),
    })
    this.jobs = new Jobs(notify)
    const reportError = (error: unknown) => this.reportInternalError(toApiError(error))
    store.onListenerError = reportError
    this.#dispatcher = new Dispatcher({
      store,
      call: (name, input) => this.#callFor(null, name, input),
      recorded: () => logs.actions.entries(),
      findAddressProblem: ({ url, program_uid }) =>
        findHostProblem(url, store.world.collections.programs.get(program_uid)),
      redact: (text) => this.redaction.redactUnknownText(text),
      userAgent: `Sandbank/${shared.version}`,
      reportError,
    })
    const deliveries = this.#dispatcher
    this.#scheduler = new Scheduler({ store, tasks: shared.tasks, notify, reportError, deliveries })
    this.#recorder = new ActionRecorder({ store, ...logs, redaction: this.redaction, reportError })
    if (parts.look)
      store.addOrigin = () => {
        throw this.#isReadOnly()
      }
  }

  /** From now on a running clock runs due tasks by itself, and webhooks are sent. */
  start() {
    this.#scheduler.start()
    if (this.#shared.delivers) this.#dispatcher.start()
  }

  // ── Its addresses ──────────────────────────────────────────────────────────────────────────────────────────────

  get prefix(): string {
    return this.name === null ? '' : `/worlds/${this.name}`
  }

  get #origin(): string {
    return this.#shared.origin + this.prefix
  }

  get look(): WorldParts['look'] {
    return this.#parts.look
  }

  get log(): CallLog {
    return this.#parts.logs.log
  }

  get api(): string {
    return `${this.#origin}/api/v1`
  }

  get control(): string {
    return `${this.#origin}/control`
  }

  get gui(): string {
    return `${this.#origin}/#key=${this.#shared.control_key}`
  }

  // ── The door of requests ───────────────────────────────────────────────────────────────────────────────────────

  runDue() {
    if (!this.look) this.#scheduler.runDue({ through: true })
  }

  cancelAdvance() {
    this.#scheduler.cancel()
  }

  catchUp(): Promise<void> | undefined {
    return this.look ? undefined : this.#scheduler.catchUp({ through: true })
  }

  runSteps<T>(steps: Steps<T>): Promise<T> {
    return this.jobs.runSilent(steps)
  }

  requireOpen() {
    if (this.#isDropped) throw noSuchWorld(this.name ?? '')
  }

  #isReadOnly(): ApiError {
    const { of, commit } = this.look!
    const whose = of === null ? 'the root world' : `the world "${of}"`
    return new ApiError(
      'invalidArgument',
      `this world is ${whose} as of commit ${commit}, to look at: it cannot be changed. A copy that can: worlds.create {"from":{"world":"${this.name}"}}`,
    )
  }

  reportInternalError(error: ApiError) {
    const place = this.name === null ? '' : ` in the world "${this.name}"`
    const cause = this.redaction.redactUnknownText(error.cause_for_operator ?? error.message)
    this.#shared.report(`Internal error${place}: ${cause}`)
  }

  // ── The door of the operator ───────────────────────────────────────────────────────────────────────────────────

  now(): Timestamp {
    return toTimestamp(this.store.clock.now())
  }

  /** Calls a control method without a network. */
  readonly call = (name: string, input: unknown, onText?: OnText): Promise<ControlReply> =>
    this.#callFor({}, name, input, onText)

  /** `group`: the operation that it is a part of. */
  async #callFor(group: OperationGroup | null, name: string, input: unknown, onText?: OnText): Promise<ControlReply> {
    if (this.#isDropped) return { ok: false, error: errorBody(noSuchWorld(this.name ?? ''), this.now()) }
    if (this.look && changesWorld(name)) return { ok: false, error: errorBody(this.#isReadOnly(), this.now()) }
    this.#door ??= this.#createDoor()
    return dispatch(this.#door.control, name, input, this.#door.context, onText, group)
  }

  get subscribe(): Notices['subscribe'] {
    return this.notices.subscribe
  }

  /** Aborted when the world is dropped or the sandbox closes: ends what waits in it. */
  get closing(): AbortSignal {
    if (!this.#closing) {
      this.#closing = new AbortController()
      if (this.#isStopped) this.#closing.abort(CLOSED)
    }
    return this.#closing.signal
  }

  programs(): readonly Program[] {
    return this.store.world.collections.programs.inOrder()
  }

  /** For replays and scenarios in this world. */
  get client(): SandboxClient {
    return {
      api: this.api,
      programs: async () => this.programs(),
      token: (program) => this.tokens.issue(program),
      refreshToken: (program) => signRefreshToken(program, this.store.clock.now()),
      call: this.call,
    }
  }

  /** All that this client does is one operation. */
  openRun(name: MethodName): SandboxClient {
    const { run, group } = this.#recorder.groups.openRun(name)
    const call = (name: string, input: unknown) => this.#callFor(group, name, input)
    return { ...this.client, run, operation: () => group.first, call }
  }

  #createDoor(): { control: Control; context: DispatchContext } {
    const { store, traces, exchanges, actions, snapshots, faults, jobs, begins, notices, redaction } = this
    const { library, worldsDoor, reference } = this.#shared
    const worlds = worldsDoor(this)
    const openScratch: OpenScratchSandbox = (from, options) =>
      options?.stays && !options.canRestart
        ? worlds.openStaying(from, options)
        : this.#shared.openScratch(from, options)
    const scheduler = this.#scheduler
    const control = createControl({
      store,
      scheduler,
      log: this.#parts.logs.log,
      traces,
      exchanges,
      actions,
      snapshots,
      faults,
      jobs,
      begins,
      openScratch,
      library,
      reference,
      redaction,
      client: this.client,
      openRun: (name) => this.openRun(name),
      recordAction: (name, input, work) => this.#recorder.record(name, input, work),
      notify: notices.notify,
      createWorld: createWorldInSteps,
      ownScenarios: this.#parts.ownScenarios,
      onClose: (work) => void this.#closers.push(work),
      describe: () => this.#describe(),
      identify: () => this.#identify(),
      open: () => this.#open(),
      stop: (nonce) => this.#stopSandbox(nonce),
      worlds,
    })
    const context: DispatchContext = {
      now: () => this.now(),
      reportInternalError: (error) => this.reportInternalError(error),
      recordAction: (...action) => this.#recorder.record(...action),
      runDue: () => (this.look ? undefined : scheduler.runDueForOperator()),
      runSteps: (steps) => jobs.runSilent(steps),
      readFirst: (name, input) => readLogFor(this.store, name, input),
    }
    return { control, context }
  }

  #describe() {
    const { version, allow, log_length } = this.#shared
    const { seq, seed, start } = this.store.world
    const { name, api, opened_at } = this
    const resets_to = kindsOfReset(this.store.world)
    const { look } = this
    const { data } = this.#parts
    const about = { name, version, api, data, seed, start, resets_to, seq, look }
    return { ...about, allow: [...allow], opened_at, log_length }
  }

  #identify() {
    const { pid, host, started_at, nonce } = this.#shared.identity
    return { pid, host, started_at, nonce }
  }

  #open() {
    const { openings, origin } = this.#shared
    return { path: openings.add(this.gui.slice(origin.length)) }
  }

  #stopSandbox(nonce: string) {
    const { stop, identity } = this.#shared
    if (this.name !== null)
      throw new ApiError('invalidArgument', 'it ends the sandbox with all of its worlds: call it in the root world')
    if (nonce !== identity.nonce)
      throw new ApiError(
        'invalidArgument',
        'nonce: it belongs to another sandbox: sandbox.identify has the one of this',
      )
    stop()
    return { stopping: true }
  }

  // ── Its end ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Ends what waits: timers, streams of notices, injected latency, scenarios. */
  async stop() {
    this.#scheduler.stop()
    await this.#dispatcher.stop()
    this.#isStopped = true
    this.#closing?.abort(CLOSED)
    for (const close of this.#closers.splice(0)) await close()
  }

  /** From now on its doors are shut. An advance ends after the task that is running, and jobs are canceled. */
  async drop() {
    this.#isDropped = true
    await this.stop()
    this.jobs.cancel()
    await this.jobs.whenIdle()
    this.notices.removeAll()
  }
}
