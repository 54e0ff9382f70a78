import { create } from 'zustand'
import type {
  Bridge,
  Clock,
  ControlClient,
  Exchange,
  MethodOutput,
  Notice,
  ScenarioRun,
} from '../../api/contract/control.ts'
import { ControlError } from '../../api/contract/control.ts'
import type { ErrorBody } from '../../api/contract/openapi.ts'
import type { Task } from '../../api/contract/resources/tasks.ts'

/** What arrives by itself. Notices are gathered, and the screen is painted at most four times a second. */

const PAINT_MS = 250
const PAGE = 1_000
const BEATS = 30
const MOST_RAN = 200
/** Nobody tells that a fault has ended as its time has come: while one has an end by the clock, it is asked for. */
const FAULTS_MS = 4_000

export type World = MethodOutput<'world.describe'>
export type Program = MethodOutput<'programs.list'>['programs'][number]
export type ActiveFault = MethodOutput<'faults.list'>['faults'][number]
export type Progress = Extract<Notice, { type: 'progress' }>
export type Job = Extract<Notice, { type: 'work' }>

/** One second of traffic, by the real clock. */
export interface Beat {
  readonly second: number
  readonly requests: number
  readonly refused: number
}

/** A commit of a task that ran. */
export interface TaskRun {
  readonly seq: number
  readonly at: string
  readonly task: string
}

export interface ClockJump {
  readonly from: string
  readonly to: string
  readonly ran: number
}

interface Feed {
  readonly connection: 'opening' | 'live' | 'lost' | 'refused'
  readonly refusal: ErrorBody | null
  readonly world: World | null
  readonly programs: readonly Program[]
  readonly clock: Clock | null
  /** When `clock` was read, by the page's own monotonic clock: a running clock runs on from there. */
  readonly read_at: number
  readonly tasks: readonly Task[]
  readonly seq: number
  /** Newest first. */
  readonly exchanges: readonly Exchange[]
  /** Every exchange that is kept has been read. */
  readonly complete: boolean
  readonly progress: Progress | null
  /** What takes long besides an advance. */
  readonly job: Job | null
  readonly faults: readonly ActiveFault[]
  /** The scenario that was begun last, by whoever began it. */
  readonly run: ScenarioRun | null
  /** The latest run of each scenario that this window has seen, by its name. */
  readonly runs: Readonly<Record<string, ScenarioRun>>
  /** Jumps of the clock that this window has seen, newest first. */
  readonly jumps: readonly ClockJump[]
  /** What time has done while this window looked, the newest first. */
  readonly taskRuns: readonly TaskRun[]
  readonly beats: readonly Beat[]
  /** How often each collection has changed; `*` counts the times when everything may have. */
  readonly versions: Readonly<Record<string, number>>
  /** The records that the latest paint changed. */
  readonly changed: readonly string[]
}

const emptyFeed: Feed = {
  connection: 'opening',
  refusal: null,
  world: null,
  programs: [],
  clock: null,
  read_at: 0,
  tasks: [],
  seq: 0,
  exchanges: [],
  complete: false,
  progress: null,
  job: null,
  faults: [],
  run: null,
  runs: {},
  jumps: [],
  taskRuns: [],
  beats: [],
  versions: {},
  changed: [],
}

export const useFeed = create<Feed>()(() => emptyFeed)

/** Simulated now, as this window knows it. It stands still while the connection is lost. */
export function simulatedNow({ clock, read_at, progress, connection }: Feed): number {
  if (!clock) return 0
  if (progress) return Date.parse(progress.now)
  const ticks = clock.mode === 'running' && connection === 'live'
  return Date.parse(clock.now) + (ticks ? performance.now() - read_at : 0)
}

export const isRefused = ({ status }: Pick<Exchange, 'status'>) => status >= 400

/** The caller got no answer: a fault dropped the connection. */
export const isDropped = ({ status, fault }: Pick<Exchange, 'status' | 'fault'>) =>
  status === 0 || (fault?.includes('drop_after_commit') ?? false)

/** Keeps the feed up to date until it is told to stop. */
export function listen(bridge: Bridge, client: ControlClient): () => void {
  const set = useFeed.setState
  const get = useFeed.getState
  let stopped = false
  /** Rises with each reading of everything: an answer to an older one comes too late. */
  let reading = 0
  set(emptyFeed, true)

  const readEverything = async () => {
    const mine = ++reading
    const late = () => stopped || mine !== reading
    try {
      const [world, clock, { tasks }, { programs }, newest, { faults }, { current }] = await Promise.all([
        client['world.describe']({}),
        client['clock.read']({}),
        client['tasks.list']({}),
        client['programs.list']({}),
        client['exchanges.list']({ limit: PAGE }),
        client['faults.list']({}),
        client['scenarios.list']({}),
      ])
      if (late()) return
      set(({ versions, run, runs }) => ({
        connection: 'live',
        refusal: null,
        world,
        clock,
        read_at: performance.now(),
        tasks,
        programs,
        seq: world.seq,
        progress: null,
        job: null,
        faults,
        ...(current ? withRun({ run, runs }, current) : { run: null }),
        exchanges: newest.data,
        complete: newest.data.length >= newest.total_count,
        versions: { ...versions, '*': (versions['*'] ?? 0) + 1 },
        changed: [],
      }))
      for (let offset = PAGE; offset < newest.total_count && !late(); offset += PAGE) {
        const page = await client['exchanges.list']({ limit: PAGE, offset })
        if (late()) return
        set(({ exchanges }) => ({ exchanges: mergeExchanges(exchanges, page.data, world.log_length) }))
      }
      if (!late()) set({ complete: true })
    } catch (error) {
      if (!late()) fail(error)
    }
  }

  const fail = (error: unknown) => {
    if (error instanceof ControlError && [401, 403].includes(error.body.status))
      set({ connection: 'refused', refusal: error.body })
    else loseConnection()
  }

  const loseConnection = () =>
    set((feed) => ({
      connection: feed.connection === 'refused' ? 'refused' : 'lost',
      progress: null,
      job: null,
      // From here on the clock shows the time of what is seen.
      ...(feed.clock
        ? { clock: { ...feed.clock, now: new Date(simulatedNow(feed)).toISOString() }, read_at: performance.now() }
        : {}),
    }))

  const readTime = runExclusive(async () => {
    try {
      const [clock, { tasks }] = await Promise.all([client['clock.read']({}), client['tasks.list']({})])
      if (!stopped) set({ clock, read_at: performance.now(), tasks })
    } catch (error) {
      if (!stopped) fail(error)
    }
  })
  const readPrograms = runExclusive(async () => {
    const { programs } = await client['programs.list']({})
    if (!stopped) set({ programs })
  })

  const readFaults = runExclusive(async () => {
    const { faults } = await client['faults.list']({})
    if (!stopped && JSON.stringify(faults) !== JSON.stringify(get().faults)) set({ faults })
  })
  const looking = setInterval(() => {
    const { connection, faults } = get()
    if (connection === 'live' && faults.some(({ until }) => until !== undefined)) void readFaults()
  }, FAULTS_MS)

  let waiting: Notice[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const paint = () => {
    timer = undefined
    if (stopped || waiting.length === 0) return
    const notices = waiting
    waiting = []
    timer = setTimeout(paint, PAINT_MS)
    const told = digestNotices(notices, get())
    set(told.feed)
    if (told.everything) void readEverything()
    else {
      if (told.time) void readTime()
      if (told.programs) void readPrograms()
      if (told.faults) void readFaults()
    }
  }
  const take = (notice: Notice) => {
    if (notice.type === 'exchange') set(({ beats }) => ({ beats: countBeat(beats, notice.exchange) }))
    waiting.push(notice)
    timer ??= setTimeout(paint, 0)
  }

  // Everything is read once the stream of notices is open, so that nothing is missed between the two.
  const stop = bridge.subscribe(take, (is) => {
    if (stopped) return
    if (is) void readEverything()
    else {
      reading++
      loseConnection()
      // A server that is there but refuses us is another matter than none.
      client['world.describe']({}).catch((error: unknown) => {
        if (!stopped && error instanceof ControlError) fail(error)
      })
    }
  })
  return () => {
    stopped = true
    clearTimeout(timer)
    clearInterval(looking)
    stop()
  }
}

/** What a handful of notices changes, and what has to be asked again because of them. */
function digestNotices(notices: readonly Notice[], feed: Feed) {
  let { seq, progress, job: working, jumps, run, runs } = feed
  let time = false
  let programs = false
  let faults = false
  let everything = false
  const arrived: Exchange[] = []
  const fired: TaskRun[] = []
  const versions = { ...feed.versions }
  const changed = new Set<string>()
  for (const notice of notices) {
    if (notice.type === 'exchange') {
      arrived.unshift(notice.exchange)
      faults ||= notice.exchange.fault !== undefined
    }
    if (notice.type === 'scenario') ({ run, runs } = withRun({ run, runs }, notice.run))
    if (notice.type === 'commit') {
      seq = Math.max(seq, notice.seq)
      if (notice.cause.door === 'time') fired.push({ seq: notice.seq, at: notice.at, task: notice.cause.name })
      for (const name of notice.collections) versions[name] = (versions[name] ?? 0) + 1
      for (const uid of notice.uids) changed.add(uid)
      time ||= notice.cause.door !== 'request' || notice.collections.includes('tasks')
      programs ||= notice.collections.includes('programs')
    }
    if (notice.type === 'progress') {
      progress = notice.done ? null : notice
      time ||= notice.done
      if (notice.done && notice.now !== notice.from)
        jumps = [{ from: notice.from, to: notice.now, ran: notice.ran }, ...jumps].slice(0, 100)
    }
    // Of several that go on at a time the first is shown, and then the next.
    if (notice.type === 'work' && (!working || working.uid === notice.uid)) working = notice.over ? null : notice
    time ||= notice.type === 'task_failed'
    faults ||= notice.type === 'faults'
    everything ||= notice.type === 'world'
  }
  const told: Partial<Feed> = {
    seq,
    progress,
    job: working,
    run,
    runs,
    jumps,
    versions,
    changed: [...changed],
    ...(fired.length > 0 ? { taskRuns: [...fired.reverse(), ...feed.taskRuns].slice(0, MOST_RAN) } : {}),
    ...(arrived.length > 0 ? { exchanges: mergeExchanges(arrived, feed.exchanges, feed.world?.log_length) } : {}),
  }
  return { feed: told, time, programs, faults, everything }
}

/** Something that no notice tells of was changed from here: whoever shows it asks again. */
export const markChanged = (collection: string) =>
  useFeed.setState(({ versions }) => ({ versions: { ...versions, [collection]: (versions[collection] ?? 0) + 1 } }))

/** A run that has not begun yet takes the place of no result. */
export function withRun({ runs }: Pick<Feed, 'run' | 'runs'>, run: ScenarioRun): Pick<Feed, 'run' | 'runs'> {
  const { name } = run
  const says = name !== null && (hasBegun(run) || !runs[name])
  return { run, runs: says ? { ...runs, [name]: run } : runs }
}

/** It stands before its first step, in a world that holds nothing of anybody's. */
export const hasBegun = ({ at, into }: ScenarioRun) => at > 0 || into === 'present'

/** The same exchange may come in a page and in a notice. The sandbox forgets the oldest by quarters of its log. */
function mergeExchanges(newer: readonly Exchange[], older: readonly Exchange[], log_length = Number.POSITIVE_INFINITY) {
  const known = new Set(newer.map(({ uid }) => uid))
  return [...newer, ...older.filter(({ uid }) => !known.has(uid))].slice(0, Math.ceil(log_length * 1.25))
}

function countBeat(beats: readonly Beat[], exchange: Exchange): Beat[] {
  const second = Math.floor(Date.now() / 1000)
  const refused = isRefused(exchange) ? 1 : 0
  const last = beats.at(-1)
  if (last?.second === second)
    return [...beats.slice(0, -1), { second, requests: last.requests + 1, refused: last.refused + refused }]
  return [...beats.filter((b) => b.second > second - BEATS), { second, requests: 1, refused }]
}

/** One at a time: what is asked for meanwhile is done once, afterwards. */
function runExclusive(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let again = false
  const run = async (): Promise<void> => {
    if (running) {
      again = true
      return running
    }
    running = work().catch(() => {})
    await running
    running = undefined
    if (again) {
      again = false
      await run()
    }
  }
  return run
}
