import { randomUUID } from 'node:crypto'
import { isAbsolute, resolve } from 'node:path'
import type { MethodOutput, MethodParsed } from '../contract/control/methods.ts'
import type { Tried } from '../contract/control/try.ts'
import { type CreatedWorld, isWorldKind, type WorldInfo, type WorldKind } from '../contract/control/worlds.ts'
import { ApiError } from '../contract/errors.ts'
import { parseInstant } from '../contract/terms/amounts-of-time.ts'
import type { WorldsDoor } from '../control/door.ts'
import { canceledError, type JobHandle } from '../control/jobs.ts'
import { compareInJob, readSnapshot, reportBytes, worldAtInJob } from '../control/worlds.ts'
import { pauseAll } from '../domain/resources/webhooks.ts'
import { hardModeOf } from '../domain/rules/hard-mode.ts'
import { refuseRealPace } from '../domain/rules/hosted.ts'
import { noSuchWorld } from '../http/error-response.ts'
import { ExchangeLog } from '../http/exchanges.ts'
import { TraceIds } from '../http/trace-ids.ts'
import type { ScratchSandbox, WorldSetup } from '../replay/client.ts'
import { OperatorLog } from '../replay/operator-log.ts'
import { DEFAULT_START } from '../scenarios/plan.ts'
import { CallLog, numberOf } from '../store/call-log.ts'
import { toTimestamp } from '../store/clock.ts'
import { currentWorld, forkWorld } from '../store/copies.ts'
import type { WorldFile } from '../store/data-folder.ts'
import { forkLog, MemoryWorldFile } from '../store/memory-world-file.ts'
import { openSnapshots } from '../store/snapshots.ts'
import type { Steps } from '../store/steps.ts'
import { sizeOf, type World } from '../store/world.ts'
import { createWorldInSteps } from './fresh-world.ts'
import { OpenWorld, type SharedParts, type WorldParts } from './open-world.ts'
import { reach } from './reach.ts'
import { createStore, writeDataFolder } from './saved-world.ts'
import { Templates } from './templates.ts'

/** How a comparison calls it. */
const ROOT = 'the root world'
/** What a try runs by default, in about a second. */
const MOST_TASKS = 10_000
/** A try ends after this. */
const MOST_TRIED_MS = 30_000
/** The default of the number of worlds besides the root world. */
const MAX_WORLDS = 2_000
/** Assumed (invented): a window that is closed does not drop the world that it looked at, so the newest 8 of these are kept. */
const MAX_LOOKS = 8

interface NamedWorld {
  readonly world: OpenWorld
  readonly from: WorldInfo['from']
  /** In no list: of worlds.try, or to look at. */
  readonly kind?: 'trial' | 'look' | undefined
}

type RootWorld = Omit<WorldParts, 'name' | 'begins' | 'look' | 'formerKeys'>

/** A world that another one was made of. It belongs to the new world from then on. */
interface Origin {
  readonly world: World
  readonly history: WorldFile
  /** Not there for a fresh world. */
  readonly source?: OpenWorld
}

type Create = MethodParsed<'worlds.create'>

/** The worlds of a sandbox besides the root world, by name. They are in memory, and end with the sandbox. */
export class WorldTable {
  readonly #shared: SharedParts
  readonly #most: number
  readonly #worlds = new Map<string, NamedWorld>()
  /** Names of worlds that are being created. */
  readonly #opening = new Set<string>()
  readonly #templates = new Templates()
  readonly #drawn = new Map<string, number>()
  #isClosed = false

  /** The world without a name, at /api/v1. */
  readonly root: OpenWorld

  constructor(shared: Omit<SharedParts, 'worldsDoor'>, root: RootWorld, most = MAX_WORLDS) {
    this.#shared = { ...shared, worldsDoor: (world) => this.#doorOf(world) }
    this.#most = most
    this.root = new OpenWorld(this.#shared, { ...root, name: null, begins: 0, look: null, formerKeys: [] })
  }

  find(name: string): OpenWorld | undefined {
    return this.#worlds.get(name)?.world
  }

  all(): readonly OpenWorld[] {
    return [...this.#worlds.values()].map(({ world }) => world)
  }

  /** The control methods worlds.* as one world calls them. */
  #doorOf(world: OpenWorld): WorldsDoor {
    return {
      create: async (input) => describeCreated(await this.create(input, world)),
      list: () => ({ worlds: [...this.#worlds.values()].filter(({ kind }) => kind === undefined).map(describe) }),
      drop: async ({ name }) => {
        await this.drop(name)
        return { dropped: true }
      },
      keep: ({ name, folder }) => this.#keep(name, folder),
      compare: (names) => this.#compare(names, world),
      openStaying: (from, options) => this.#openStaying(from, options!.stays!, world),
      try: (input) => this.#try(input, world),
      reach: (input) =>
        reach(input, world, {
          open: (source) => this.#openTrial(source),
          drop: (trial) => this.#dropTrial(trial),
        }),
    }
  }

  async create(input: Create, source: OpenWorld): Promise<OpenWorld> {
    const { from = 'demo' } = input
    const kind = input.read_only && 'look'
    const name = this.#chooseName(input.name, kind)
    this.#opening.add(name)
    try {
      const origin = await this.#findOrigin(input, source)
      if (this.#isClosed) throw isClosing()
      const world = this.#open(name, origin, input)
      // In the list, `current` is the world without a name.
      this.#worlds.set(name, {
        world,
        kind,
        from: from === 'current' && source.name !== null ? { world: source.name } : from,
      })
      // Never started: nothing of it runs by itself.
      if (kind) await this.#dropOldLooks()
      else world.start()
      this.#notifyAll()
      return world
    } finally {
      this.#opening.delete(name)
    }
  }

  async #dropOldLooks() {
    const looks = [...this.#worlds].filter(([, { kind }]) => kind === 'look')
    for (const [name] of looks.slice(0, -MAX_LOOKS)) await this.drop(name)
  }

  /** Resolves when nothing of it runs any more. */
  async drop(name: string): Promise<void> {
    const world = this.#require(name)
    this.#worlds.delete(name)
    // Its own window, too, learns that it is gone: before its streams end.
    world.notices.notify({ type: 'worlds' })
    this.#notifyAll()
    await world.drop()
  }

  async close() {
    this.#isClosed = true
    const worlds = this.all()
    this.#worlds.clear()
    await Promise.all(worlds.map((world) => world.drop()))
  }

  #notifyAll() {
    for (const world of [this.root, ...this.all()]) world.notices.notify({ type: 'worlds' })
  }

  #require(name: string): OpenWorld {
    const world = this.find(name)
    if (world) return world
    throw noSuchWorld(name)
  }

  #chooseName(given: string | undefined, begins = 'world'): string {
    if (this.#worlds.size + this.#opening.size >= this.#most)
      throw new ApiError(
        'invalidArgument',
        `there are ${this.#most} worlds already: drop one that is no longer needed with worlds.drop`,
      )
    const drawn = (prefix: string) => {
      const n = (this.#drawn.get(prefix) ?? 0) + 1
      this.#drawn.set(prefix, n)
      return n
    }
    const isUsed = (name: string) => this.#worlds.has(name) || this.#opening.has(name)
    if (given === undefined) {
      let name: string
      do name = `${begins}-${drawn(begins)}`
      while (isUsed(name))
      return name
    }
    if (isUsed(given))
      throw new ApiError(
        'invalidArgument',
        `name: there is a world "${given}" already: choose another name, or drop that world with worlds.drop`,
      )
    return given
  }

  /**
   * Assumed (invented): a world that is made from another one begins with its records, clock, Programs and keys, and with its history; its request
   * log, trace ids, faults, snapshots and own scenarios begin empty, and its webhooks are paused.
   */
  #open(name: string, { world, history, source }: Origin, input: Create, use?: 'trial' | 'run'): OpenWorld {
    const { pace, read_only } = input
    const clock = read_only ? 'frozen' : input.clock
    refuseRealPace(world, pace)
    world.clock = { ...world.clock, mode: clock ?? world.clock.mode }
    const store = createStore(world, history)
    if (source && !use && !read_only)
      store.operate({ door: 'operator', name: 'worlds.create' }, (tx) => {
        // In the commit, so that a rewind to before it has the pace of then.
        if (pace && pace !== tx.clock.pace) tx.setClock({ ...tx.clock, pace, at: tx.now })
        pauseAll(tx)
      })
    const log = CallLog.inMemory({ length: this.#shared.log_length })
    // The commits of the source name its requests, so the numbers go on.
    log.reserve({ requests: numberOf(source?.exchanges.newestUid) })
    if (source && read_only) log.beginWith(source.log, world.seq)
    const shared = source && use === 'run' ? { ...this.#shared, delivers: false } : this.#shared
    return new OpenWorld(shared, {
      name,
      data: null,
      store,
      history,
      logs: { log, traces: new TraceIds(log), exchanges: new ExchangeLog(log), actions: new OperatorLog(log) },
      snapshots: openSnapshots(store, null),
      ownScenarios: null,
      begins: !source ? 0 : read_only ? source.begins : world.seq,
      look: read_only ? { of: source?.look ? source.look.of : (source?.name ?? null), commit: world.seq } : null,
      formerKeys: source?.redaction.keys ?? [],
    })
  }

  async #findOrigin({ from = 'demo', ...input }: Create, current: OpenWorld): Promise<Origin> {
    if (isWorldKind(from)) return this.#createFresh(from, input, current)
    if (from === 'current') return forkOf(current)
    if ('world' in from) return forkOf(this.#require(from.world))
    return current.jobs.runConcurrent('worlds.create', async (job) => {
      const world =
        'snapshot' in from
          ? await readSnapshot(current.snapshots, from.snapshot, reportBytes('worlds.create', job))
          : await worldAtInJob(current.store, from.commit, job)
      const history = 'snapshot' in from ? new MemoryWorldFile() : forkLog(current.history, world.seq)
      return { world, history, source: current }
    })
  }

  async #createFresh(
    kind: WorldKind,
    { seed = 'sandbank', clock: mode = 'frozen', pace = 'fast', start }: Omit<Create, 'from'>,
    current: OpenWorld,
  ): Promise<Origin> {
    const setup = { kind, seed, clock: { mode, pace }, hard_mode: hardModeOf(current.store.world) }
    const runSteps = <T>(steps: Steps<T>) => current.runSteps(steps)
    // No second world begins at the same instant of real time.
    if (start === undefined && mode === 'running')
      return runSteps(createWorldInSteps({ ...setup, start: toTimestamp(Date.now()) }))
    const first = start === undefined ? DEFAULT_START : toTimestamp(parseInstant(start, 'start'))
    const template = await this.#templates.find({ ...setup, start: first }, runSteps)
    const world = forkWorld(template.world)
    return { world, history: forkLog(template.history, world.seq) }
  }

  async #keep(name: string, folder: string): Promise<MethodOutput<'worlds.keep'>> {
    const source = this.#require(name)
    if (!isAbsolute(folder))
      throw new ApiError('invalidArgument', 'folder: an absolute path is expected, as the sandbox may run elsewhere')
    const path = resolve(folder)
    return source.jobs.runConcurrent('worlds.keep', async () => {
      const { world, history } = forkOf(source)
      await writeDataFolder(path, world, history, (steps) => source.jobs.runSilent(steps))
      return { folder: path, seq: world.seq, records: sizeOf(world) }
    })
  }

  #compare({ a, b }: MethodParsed<'worlds.compare'>, caller: OpenWorld): Promise<MethodOutput<'worlds.compare'>> {
    const worldOf = (name: string | undefined) =>
      forkWorld(currentWorld((name === undefined ? this.root : this.#require(name)).store))
    const [left, right] = [worldOf(a), worldOf(b)]
    return caller.jobs.runConcurrent('worlds.compare', (job) => compareInJob(left, right, [a ?? ROOT, b ?? ROOT], job))
  }

  /**
   * The copy is never started, so no task runs by itself, and what would be sent stays due. It has none of the faults that are set. It ends
   * when the job is canceled, between two calls, or after a time.
   */
  async #try({ calls, most_tasks = MOST_TASKS }: MethodParsed<'worlds.try'>, source: OpenWorld) {
    const ofOthers = calls.find(({ method }) => /^(?:sandbox|worlds)\./.test(method))
    if (ofOthers)
      throw new ApiError(
        'invalidArgument',
        `calls: ${ofOthers.method} is about more than one world, and cannot be tried`,
      )
    const world = this.#openTrial(source)
    const timer = setTimeout(() => void this.drop(world.name!), MOST_TRIED_MS)
    try {
      return await source.jobs.runConcurrent('worlds.try', (job) => this.#makeCalls(world, calls, most_tasks, job))
    } catch (error) {
      if (this.#isClosed) throw isClosing()
      if (this.#worlds.has(world.name!)) throw error
      throw new ApiError('invalidArgument', `calls: they take more than ${MOST_TRIED_MS / 1_000} s: try less`)
    } finally {
      clearTimeout(timer)
      await this.#dropTrial(world)
    }
  }

  /**
   * The world of a run, which stays. Assumed (invented): one that begins as a copy sends no webhooks, as what happens in it would be sent twice.
   */
  async #openStaying(
    from: WorldSetup | World,
    kind: 'replay' | 'scenario',
    current: OpenWorld,
  ): Promise<ScratchSandbox> {
    const name = this.#chooseName(undefined, kind)
    this.#opening.add(name)
    try {
      const isCopy = 'collections' in from
      const origin: Origin = isCopy
        ? { world: from, history: new MemoryWorldFile(), source: current }
        : await current.runSteps(createWorldInSteps(from))
      if (this.#isClosed) throw isClosing()
      const world = this.#open(name, origin, isCopy ? { clock: 'frozen' } : {}, 'run')
      this.#worlds.set(name, { world, from: kind })
      world.start()
      this.#notifyAll()
      return { ...world.client, name, world: () => currentWorld(world.store), close: async () => {} }
    } finally {
      this.#opening.delete(name)
    }
  }

  /** A world in no list, which is dropped soon: it is never started. */
  #openTrial(source: OpenWorld): OpenWorld {
    if (this.#isClosed) throw isClosing()
    const name = this.#chooseName(`try-${randomUUID()}`)
    const world = this.#open(name, forkOf(source), { clock: 'frozen' }, 'trial')
    this.#worlds.set(name, { world, from: 'current', kind: 'trial' })
    return world
  }

  async #dropTrial(world: OpenWorld) {
    if (this.#worlds.delete(world.name!)) await world.drop()
  }

  async #makeCalls(world: OpenWorld, calls: MethodParsed<'worlds.try'>['calls'], most_tasks: number, job: JobHandle) {
    const since = world.store.world.seq
    const limit = limitTasks(world, most_tasks)
    const answers: Tried['answers'] = []
    for (const [done, { method, input }] of calls.entries()) {
      if (!(await job.reportProgress({ done, of: calls.length, unit: 'steps' }))) throw canceledError('worlds.try')
      const reply = await world.call(method, input)
      limit.check()
      world.requireOpen()
      const answer = { method, output: reply.ok ? reply.value : null, refused: reply.ok ? null : reply.error }
      answers.push(removeKeys(world, answer))
      if (!reply.ok) break
    }
    const changes = await world.call('world.changes', { since })
    world.requireOpen()
    return { answers, changes: removeKeys(world, (changes as { value: Tried['changes'] }).value) }
  }
}

/** The keys of a copy are those that the same calls would draw in the world itself. */
const removeKeys = <T extends object>(world: OpenWorld, value: T): T =>
  JSON.parse(world.redaction.removeSecrets(JSON.stringify(value))) as T

const isClosing = () => new ApiError('invalidArgument', 'the sandbox is closing')

/** Ends an advance that runs more tasks. */
function limitTasks(world: OpenWorld, most: number) {
  let ran = 0
  world.store.subscribe(({ cause }) => {
    if (cause.door === 'time' && ++ran > most) world.cancelAdvance()
  })
  return {
    check() {
      if (ran > most)
        throw new ApiError('invalidArgument', `calls: they run more than ${most} tasks: try less, or pass most_tasks`)
    },
  }
}

function forkOf(source: OpenWorld): Origin {
  const world = forkWorld(currentWorld(source.store))
  return { world, history: forkLog(source.history, world.seq), source }
}

const describeCreated = (world: OpenWorld): CreatedWorld => ({
  ...addressesOf(world),
  programs: world.programs().map(({ uid, name, hmac_key }) => ({ uid, name, hmac_key })),
})

const addressesOf = ({ name, api, control, gui }: OpenWorld) => ({ name: name!, api, control, gui })

const describe = ({ world, from }: NamedWorld): WorldInfo => ({
  ...addressesOf(world),
  from,
  at: world.now(),
  seq: world.store.world.seq,
  records: sizeOf(world.store.world),
  opened_at: world.opened_at,
})
