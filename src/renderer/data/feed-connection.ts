import type { Bridge, ControlClient } from '../../api/contract/control/client.ts'
import { ControlError } from '../../api/contract/control/client.ts'
import type { Notice } from '../../api/contract/control/notices.ts'
import { emptyFeed, type Feed, simulatedNow, useFeed, withRun } from './feed.ts'
import { countRequest, digestNotices, mergeExchanges } from './feed-notices.ts'
import { findJumps } from './jumps.ts'
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
  const connection = new FeedConnection(client)
  useFeed.setState(emptyFeed, true)
  // Everything is read once the stream of notices is open, so that nothing in between is missed.
  const unsubscribe = bridge.subscribe(connection.onNotice, connection.onConnected)
  return () => {
    connection.stop()
    unsubscribe()
  }
}

class FeedConnection {
  readonly #client: ControlClient
  #stopped = false
  /** Increased by each reading of everything, so that answers to an older one are ignored. */
  #reading = 0
  #waiting: Notice[] = []
  #updating: ReturnType<typeof setTimeout> | undefined
  readonly #polling: ReturnType<typeof setInterval>

  constructor(client: ControlClient) {
    this.#client = client
    this.#polling = setInterval(() => {
      const { connection, faults } = useFeed.getState()
      if (connection === 'live' && faults.some(({ until }) => until !== undefined)) void this.#readFaults()
    }, FAULTS_MS)
  }

  stop() {
    this.#stopped = true
    clearTimeout(this.#updating)
    clearInterval(this.#polling)
  }

  readonly onConnected = (isConnected: boolean) => {
    if (this.#stopped) return
    if (isConnected) return void this.#readEverything()
    this.#reading++
    loseConnection()
    this.#checkRefusal()
  }

  /** Distinguishes a server that refuses the key, or a world that was dropped, from a server that does not respond. */
  #checkRefusal() {
    this.#client['world.describe']({}).catch((error: unknown) => {
      if (!this.#stopped && error instanceof ControlError) fail(error)
    })
  }

  readonly onNotice = (notice: Notice) => {
    if (notice.type === 'exchange')
      useFeed.setState(({ requestCounts: beats }) => ({ requestCounts: countRequest(beats, notice.exchange) }))
    // The stream of a desktop window does not end with its world.
    if (notice.type === 'worlds' && shownWorld() !== null) this.#checkRefusal()
    this.#waiting.push(notice)
    this.#updating ??= setTimeout(this.#update, 0)
  }

  readonly #update = () => {
    this.#updating = undefined
    if (this.#stopped || this.#waiting.length === 0) return
    const notices = this.#waiting
    this.#waiting = []
    this.#updating = setTimeout(this.#update, UPDATE_MS)
    const { update, reread } = digestNotices(notices, useFeed.getState())
    useFeed.setState(update)
    if (reread.everything) return void this.#readEverything()
    if (reread.time) void this.#readTime()
    if (reread.programs) void this.#readPrograms()
    if (reread.faults) void this.#readFaults()
    if (reread.jumps) void this.#readJumps()
  }

  async #readEverything() {
    const reading = ++this.#reading
    const isLate = () => this.#stopped || reading !== this.#reading
    const client = this.#client
    try {
      const [world, clock, { tasks }, { programs }, newest, { faults }, { current }, { commits }] = await Promise.all([
        client['world.describe']({}),
        client['clock.read']({}),
        client['tasks.list']({}),
        client['programs.list']({}),
        client['exchanges.list']({ limit: PAGE }),
        client['faults.list']({}),
        client['scenarios.list']({}),
        client['world.commits']({ limit: COMMITS }),
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
        clock,
        clockReadAt: performance.now(),
        tasks,
        programs,
        faults,
        jumps: findJumps(commits),
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

  readonly #readTime = runExclusive(async () => {
    try {
      const [clock, { tasks }] = await Promise.all([this.#client['clock.read']({}), this.#client['tasks.list']({})])
      this.#set({ clock, clockReadAt: performance.now(), tasks })
    } catch (error) {
      if (!this.#stopped) fail(error)
    }
  })

  readonly #readPrograms = runExclusive(async () => this.#set(await this.#client['programs.list']({})))

  readonly #readJumps = runExclusive(async () => {
    const { commits } = await this.#client['world.commits']({ limit: COMMITS })
    this.#set({ jumps: findJumps(commits) })
  })

  readonly #readFaults = runExclusive(async () => {
    const { faults } = await this.#client['faults.list']({})
    if (JSON.stringify(faults) !== JSON.stringify(useFeed.getState().faults)) this.#set({ faults })
  })

  #set(update: Partial<Feed>) {
    if (!this.#stopped) useFeed.setState(update)
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
