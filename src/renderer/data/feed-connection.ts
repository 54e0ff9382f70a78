import { type Bridge, type ControlClient, ControlError } from '../../api/contract/control/client.ts'
import type { Exchange } from '../../api/contract/control/exchanges.ts'
import type { MethodOutput } from '../../api/contract/control/methods.ts'
import { NoticeBatch } from '../../api/contract/control/notice-batch.ts'
import type { Notice } from '../../api/contract/control/notices.ts'
import { emptyFeed, type Feed, simulatedNow, useFeed, withRun } from './feed.ts'
import {
  countLog,
  countRequests,
  digestNotices,
  findJumps,
  mergeExchanges,
  newerThan,
  type Part,
} from './feed-notices.ts'
import { runPaced } from './run-paced.ts'
import { shownWorld } from './world-address.ts'

const PAGE = 1_000
/** While requests arrive: a page takes as long as a call may wait. */
const SMALL_PAGE = 200
/** The newest commits, in which the advances of the clock are found. */
const COMMITS = 500
/** No notice is sent when a timed fault expires, so faults are polled while one is active. */
const FAULTS_MS = 4_000
/** A part is read again at most a fifth of the time: there can be thousands of tasks. */
const REREAD_PAUSES = 4
/** After requests were left out, the log is read once none was for so long, or in the midst of a long load. */
const CALM_MS = 500
const LONG_LOAD_MS = 10_000

/** Keeps the feed up to date until it is stopped. */
export function followFeed(bridge: Bridge, client: ControlClient): () => void {
  let isStopped = false
  /** Increased by each reading of everything, so that answers to an older one are ignored. */
  let readings = 0
  /** The same for the request log. */
  let logReadings = 0
  const waiting = new NoticeBatch()
  let { requestCounts } = emptyFeed
  let updating: ReturnType<typeof setTimeout> | undefined
  /** What is read after the load, in which requests were left out. */
  let load: { readonly since: number; hasNewTasks: boolean; timer?: ReturnType<typeof setTimeout> } | undefined

  const readClock = async () => ({ clock: await client['clock.read']({}), clockReadAt: performance.now() })

  /** What is read at first, and again when a notice says that it has changed. */
  const reads: Readonly<Record<Part, () => Promise<Partial<Feed>>>> = {
    time: async () => {
      const [time, { tasks }] = await Promise.all([readClock(), client['tasks.list']({})])
      // Thousands of tasks take longer than the clock, which may have been read again meanwhile.
      return time.clockReadAt < useFeed.getState().clockReadAt ? { tasks } : { ...time, tasks }
    },
    clock: readClock,
    programs: () => client['programs.list']({}),
    jumps: async () => ({ jumps: findJumps((await client['world.commits']({ limit: COMMITS })).commits) }),
    faults: async () => {
      const { faults } = await client['faults.list']({})
      return JSON.stringify(faults) === JSON.stringify(useFeed.getState().faults) ? {} : { faults }
    },
  }
  const reread = Object.fromEntries(
    Object.entries(reads).map(([part, read]) => [
      part,
      runPaced(async () => {
        const reading = readings
        const isLate = () => isStopped || reading !== readings
        try {
          const update = await read()
          if (!isLate()) useFeed.setState(update)
        } catch (error) {
          if (!isLate() && part === 'time') fail(error)
        }
      }, REREAD_PAUSES),
    ]),
  ) as Record<Part, () => Promise<void>>

  async function readEverything() {
    const reading = ++readings
    logReadings++
    const isLate = () => isStopped || reading !== readings
    // `time` has the clock too.
    const { clock: _, ...wanted } = reads
    try {
      const [world, newest, { current }, ...parts] = await Promise.all([
        client['world.describe']({}),
        client['exchanges.list']({ limit: PAGE }),
        client['scenarios.list']({}),
        ...Object.values(wanted).map((read) => read()),
      ])
      if (isLate()) return
      useFeed.setState(({ versions, run, runs }) => ({
        connection: 'live',
        refusal: null,
        world,
        seq: world.seq,
        progress: null,
        job: null,
        changed: [],
        ...Object.assign({}, ...parts),
        ...(current ? withRun({ run, runs }, current) : { run: null }),
        ...countLog(newest.data),
        isLogComplete: false,
        versions: { ...versions, '*': (versions['*'] ?? 0) + 1 },
      }))
      await readWholeLog(newest)
    } catch (error) {
      if (!isLate()) fail(error)
    }
  }

  /** Page by page, newest first. What the sandbox does not have is dropped at the end. */
  async function readWholeLog(first?: MethodOutput<'exchanges.list'>) {
    const reading = ++logReadings
    const limit = first ? PAGE : SMALL_PAGE
    let page = first ?? (await client['exchanges.list']({ limit }))
    let read: readonly Exchange[] = []
    for (;;) {
      if (isStopped || reading !== logReadings) return
      read = mergeExchanges(read, page.data)
      if (page.offset + page.count >= page.total_count) break
      if (first) useFeed.setState(({ exchanges }) => countLog(mergeExchanges(read, exchanges)))
      page = await client['exchanges.list']({ limit, offset: read.length })
    }
    const hasDeletedRequests = page.log_complete === false
    useFeed.setState(({ exchanges }) => ({
      hasDeletedRequests,
      ...countLog(mergeExchanges(read, newerThan(read, exchanges))),
      isLogComplete: load === undefined,
    }))
  }

  function readAfterLoad() {
    const now = performance.now()
    load ??= { since: now, hasNewTasks: false }
    clearTimeout(load.timer)
    load.timer = setTimeout(endLoad, Math.min(CALM_MS, Math.max(0, load.since + LONG_LOAD_MS - now)))
  }

  function endLoad() {
    if (load?.hasNewTasks) void reread.time()
    load = undefined
    void rereadLog()
  }

  /** One reading at a time: in a load without an end, none would get to its end otherwise. */
  const rereadLog = runPaced(async () => {
    try {
      await readWholeLog()
    } catch {
      // Without a connection, everything is read when it is back.
      if (!isStopped && useFeed.getState().connection === 'live') readAfterLoad()
    }
  }, 0)

  /** Of the many tasks that the requests of a load schedule only the number and the next one are read at once. */
  function readPart(part: Part) {
    if (load && part === 'time') load.hasNewTasks = true
    void reread[load && part === 'time' ? 'clock' : part]()
  }

  /** Distinguishes a server that refuses the key, or a world that was dropped, from a server that does not respond. */
  const checkRefusal = () =>
    client['world.describe']({}).catch((error: unknown) => {
      if (!isStopped && error instanceof ControlError) fail(error)
    })

  function onConnected(isConnected: boolean) {
    if (isStopped) return
    if (isConnected) return void readEverything()
    readings++
    logReadings++
    clearTimeout(load?.timer)
    load = undefined
    // They may be of a sandbox that has ended: another one counts from 1 again.
    waiting.take()
    loseConnection()
    void checkRefusal()
  }

  function onNotices(notices: readonly Notice[]) {
    requestCounts = countRequests(requestCounts, notices)
    for (const notice of notices) waiting.add(notice)
    // The stream of a desktop window does not end with its world.
    if (shownWorld() !== null && notices.some(({ type }) => type === 'worlds')) void checkRefusal()
    updating ??= setTimeout(update, 0)
  }

  /** At most half of the window's time: after an update it is free for as long as that took. A hidden window only counts. */
  function update() {
    clearTimeout(updating)
    updating = undefined
    if (isStopped || waiting.isEmpty || document.hidden) return
    const begun = performance.now()
    const { update: changes, everything, parts, hasGap } = digestNotices(waiting.take(), useFeed.getState())
    useFeed.setState({ ...changes, requestCounts })
    if (hasGap) readAfterLoad()
    if (everything) void readEverything()
    else for (const part of parts) readPart(part)
    const wait = () => {
      updating = setTimeout(update, performance.now() - begun)
    }
    // React renders first.
    updating = setTimeout(wait, 0)
  }
  document.addEventListener('visibilitychange', update)

  const polling = setInterval(() => {
    const { connection, faults } = useFeed.getState()
    if (connection === 'live' && faults.some(({ until }) => until !== undefined)) void reread.faults()
  }, FAULTS_MS)
  useFeed.setState(emptyFeed, true)
  // Everything is read once the stream of notices is open, so that nothing in between is missed.
  const unsubscribe = bridge.subscribe(onNotices, onConnected)
  return () => {
    isStopped = true
    clearTimeout(updating)
    clearTimeout(load?.timer)
    clearInterval(polling)
    document.removeEventListener('visibilitychange', update)
    unsubscribe()
  }
}

function fail(error: unknown) {
  const status = error instanceof ControlError ? error.body.status : undefined
  if (error instanceof ControlError && (status === 401 || status === 403))
    useFeed.setState({ connection: 'refused', refusal: error.body })
  else if (status === 404 && shownWorld() !== null) useFeed.setState({ connection: 'gone' })
  else loseConnection()
}

function loseConnection() {
  useFeed.setState((feed) => ({
    connection: feed.connection === 'refused' || feed.connection === 'gone' ? feed.connection : 'lost',
    progress: null,
    job: null,
    // The clock stops at the last known time.
    ...(feed.clock
      ? { clock: { ...feed.clock, now: new Date(simulatedNow(feed)).toISOString() }, clockReadAt: performance.now() }
      : {}),
  }))
}
