import { releases, version } from '../../package.json' with { type: 'json' }
import { send } from './library/http.ts'
import type { Preferences } from './preferences.ts'

/**
 * Looks for a newer version, if the user has switched it on: one GET of the feed a day. Nothing is downloaded. Whatever goes wrong costs a
 * line in the log.
 */

/** The page of releases; undefined in a build without one, which never looks for updates. */
export const RELEASES = (releases as string) || undefined
/** Assumed (invented): beside the page of releases is this file with the newest `version`. */
const FEED = RELEASES && `${RELEASES}/latest.json`

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const ANSWERS_WITHIN_MS = 10_000
const MOST_BYTES = 64 << 10

interface UpdatesOptions {
  readonly preferences: Preferences
  readonly log: (line: string) => void
  /** A version was found that was not known before. */
  readonly onFound: (newest: string) => void
  readonly feed?: string
}

export class Updates {
  readonly #options: UpdatesOptions
  #isLooking = false

  constructor(options: UpdatesOptions) {
    this.#options = options
  }

  /** The newer version that is known. */
  get newest(): string | null {
    const { look_for_updates, newest_version } = this.#options.preferences.values
    return look_for_updates && newest_version !== null && isNewer(newest_version, version) ? newest_version : null
  }

  start() {
    void this.look()
    setInterval(() => void this.look(), HOUR_MS).unref()
  }

  /** Reads the feed if it is switched on, and was not read for a day. After a failure the next look reads it again. */
  async look(now = Date.now()): Promise<void> {
    const { preferences, log, onFound, feed = FEED } = this.#options
    const { look_for_updates, looked_for_updates_at } = preferences.values
    // A clock that was set back must not keep it from reading.
    if (feed === undefined || !look_for_updates || Math.abs(now - Date.parse(looked_for_updates_at)) < DAY_MS) return
    if (this.#isLooking) return
    this.#isLooking = true
    const known = this.newest
    try {
      preferences.save({ newest_version: await readFeed(feed), looked_for_updates_at: new Date(now).toISOString() })
    } catch (error) {
      return log(`${feed} was not read: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      this.#isLooking = false
    }
    if (this.newest !== null && this.newest !== known) onFound(this.newest)
  }
}

async function readFeed(feed: string): Promise<string> {
  const headers = { accept: 'application/json', 'user-agent': `Sandbank/${version}` }
  const { status, text } = await send(feed, {
    method: 'GET',
    headers,
    withinMs: ANSWERS_WITHIN_MS,
    mostBytes: MOST_BYTES,
  })
  if (status !== 200) throw new Error(`200 is expected, found ${status}`)
  const { version: newest } = (JSON.parse(text) ?? {}) as { version?: unknown }
  if (typeof newest !== 'string' || !VERSION.test(newest)) throw new Error('a version such as 1.2.3 is expected in it')
  return newest
}

const VERSION = /^\d{1,5}\.\d{1,5}\.\d{1,5}$/

function isNewer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.split('.').map(Number)) as [number[], number[]]
  const at = a.findIndex((part, index) => part !== b[index])
  return at >= 0 && a[at]! > b[at]!
}
