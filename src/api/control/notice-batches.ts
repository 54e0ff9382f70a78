import { performance } from 'node:perf_hooks'
import { MAX_NEWEST, NoticeBatch } from '../contract/control/notice-batch.ts'
import type { Notice } from '../contract/control/notices.ts'

/**
 * The notices of one window, over IPC and over HTTP, in batches: a message for each notice would keep the window busy, and its own calls would
 * wait behind them.
 */

/** About three frames of a screen. */
const BATCH_MS = 48
/** While more arrives than a person can read, a batch has so many of the newest requests and commits: some 300 a second. */
const BUSY_NEWEST = 15

/** The next batch is not sent before this is settled. */
type Send = (notices: readonly Notice[]) => Promise<void> | undefined

export class NoticeBatches {
  readonly #send: Send
  readonly #batch = new NoticeBatch()
  #allowed = MAX_NEWEST
  #sentAt = 0
  #isSending = false
  #isStopped = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(send: Send) {
    this.#send = send
  }

  readonly add = (notice: Notice) => {
    this.#batch.add(notice)
    this.#schedule()
  }

  stop() {
    clearTimeout(this.#timer)
    this.#isStopped = true
  }

  #schedule() {
    if (this.#isStopped || this.#isSending || this.#timer || this.#batch.isEmpty) return
    const wait = this.#sentAt + BATCH_MS - performance.now()
    // A window that cannot be reached is told no more; its page follows again when it is back.
    this.#timer = setTimeout(() => void this.#sendBatch().catch(() => this.stop()), Math.max(0, wait))
  }

  async #sendBatch() {
    this.#timer = undefined
    const notices = this.#takeBatch()
    const taken = this.#send(notices)
    if (!taken) return this.#schedule()
    this.#isSending = true
    await taken
    this.#isSending = false
    this.#schedule()
  }

  /** What was not used of the number that may be sent in a second is saved for a burst. */
  #takeBatch(): Notice[] {
    const now = performance.now()
    this.#allowed = Math.min(MAX_NEWEST, this.#allowed + ((now - this.#sentAt) * MAX_NEWEST) / 1_000)
    this.#sentAt = now
    const notices = this.#batch.take(Math.max(BUSY_NEWEST, Math.floor(this.#allowed)))
    this.#allowed = Math.max(0, this.#allowed - notices.length)
    return notices
  }
}
