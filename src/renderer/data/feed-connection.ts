import { type Bridge, type ControlClient, ControlError } from '../../api/contract/control/client.ts'
import type { Notice } from '../../api/contract/control/notices.ts'
import { emptyFeed, type Feed, simulatedNow, useFeed, withRun } from './feed.ts'
import { countRequest, digestNotices, findJumps, mergeExchanges, type Part } from './feed-notices.ts'
import { shownWorld } from './world-address.ts'

/** Notices are collected, so that the feed changes at most four times a second. */
const UPDATE_MS = 250
const PAGE = 1_000
/** The newest commits, in which the advances of the clock are found. */
const COMMITS = 500
/** No notice is sent when a timed fault expires, so faults are polled while one is active. */
const FAULTS_MS = 4_000

/** Keeps the feed up to date until it is stopped. */
export function followFeed(bridge: Bridge, client: ControlClient): () => void {
  let isStopped = false
  /** Increased by each reading of everything, so that answers to an older one are ignored. */
  let readings = 0
  let waiting: Notice[] = []
  let updating: ReturnType<typeof setTimeout> | undefined

  /** What is read at first, and again when a notice says that it has changed. */
  const reads: Readonly<Record<Part, () => Promise<Partial<Feed>>>> = {
    time: async () => {
      const [clock, { tasks }] = await Promise.all([client['clock.read']({}), client['tasks.list']({})])
      return { clock, clockReadAt: performance.now(), tasks }
    },
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
      runExclusive(async () => {
        try {
          const update = await read()
          if (!isStopped) useFeed.setState(update)
        } catch (error) {
          if (!isStopped && part === 'time') fail(error)
        }
      }),
    ]),
  ) as Record<Part, () => Promise<void>>

  async function readEverything() {
    const reading = ++readings
    const isLate = () => isStopped || reading !== readings
    try {
      const [world, newest, { current }, ...parts] = await Promise.all([
        client['world.describe']({}),
        client['exchanges.list']({ limit: PAGE }),
        client['scenarios.list']({}),
        ...Object.values(reads).map((read) => read()),
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
        exchanges: newest.data,
        isLogComplete: newest.data.length >= newest.total_count,
        versions: { ...versions, '*': (versions['*'] ?? 0) + 1 },
      }))
      for (let offset = PAGE; offset < newest.total_count && !isLate(); offset += PAGE) {
        const page = await client['exchanges.list']({ limit: PAGE, offset })
        if (isLate()) return
        useFeed.setState(({ exchanges }) => ({ exchanges: mergeExchanges(exchanges, page.data, world.log_length) }))
      }
      if (!isLate()) useFeed.setState({ isLogComplete: true })
    } catch (error) {
      if (!isLate()) fail(error)
    }
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
    loseConnection()
    void checkRefusal()
  }

  function onNotice(notice: Notice) {
    if (notice.type === 'exchange')
      useFeed.setState(({ requestCounts }) => ({ requestCounts: countRequest(requestCounts, notice.exchange) }))
    // The stream of a desktop window does not end with its world.
    if (notice.type === 'worlds' && shownWorld() !== null) void checkRefusal()
    waiting.push(notice)
    updating ??= setTimeout(update, 0)
  }

  function update() {
    updating = undefined
    if (isStopped || waiting.length === 0) return
    const notices = waiting
    waiting = []
    updating = setTimeout(update, UPDATE_MS)
    const { update: changes, everything, parts } = digestNotices(notices, useFeed.getState())
    useFeed.setState(changes)
    if (everything) return void readEverything()
    for (const part of parts) void reread[part]()
  }

  const polling = setInterval(() => {
    const { connection, faults } = useFeed.getState()
    if (connection === 'live' && faults.some(({ until }) => until !== undefined)) void reread.faults()
  }, FAULTS_MS)
  useFeed.setState(emptyFeed, true)
  // Everything is read once the stream of notices is open, so that nothing in between is missed.
  const unsubscribe = bridge.subscribe(onNotice, onConnected)
  return () => {
    isStopped = true
    clearTimeout(updating)
    clearInterval(polling)
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

/** One call at a time; calls in the meantime run the work once more afterwards. */
function runExclusive(work: () => Promise<void>): () => Promise<void> {
  let isRunning = false
  let again = false
  return async () => {
    again = true
    if (isRunning) return
    isRunning = true
    while (again) {
      again = false
      await work()
    }
    isRunning = false
  }
}
