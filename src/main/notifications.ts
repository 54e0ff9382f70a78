import { Notification } from 'electron'
import type { ControlReply } from '../api/contract/control/client.ts'
import type { Clock } from '../api/contract/control/clock.ts'
import type { Notice } from '../api/contract/control/notices.ts'
import type { Task } from '../api/contract/resources/tasks.ts'
import type { WebhookDelivery } from '../api/contract/resources/webhooks.ts'

/** Notifications of the system about the root world, and of a newer version. The engine is asked what fails and what is about to close. */

type Kind = 'task' | 'webhook' | 'authorization' | 'update'

interface Content {
  readonly title: string
  readonly body: string
  /** The place that a click shows. */
  readonly address: string
}

interface NotificationContext {
  /** False if the user has turned them off, or looks at a window. */
  isWanted(): boolean
  call(name: string, input: unknown): Promise<ControlReply>
  go(address: string): void
  /** For the console. */
  report(line: string): void
}

/** Of simulated time. */
const SOON_MS = 10 * 60_000
const EVERY_MS = 60_000
/** At most as often commits make it ask what is about to close. */
const AFTER_COMMITS_MS = 1_000
const MAX_UIDS = 1_000

export class Notifications {
  readonly #context: NotificationContext
  /** Those that the user has not seen. They are kept, because a click on a forgotten one is lost. */
  readonly #unseen = new Map<Kind, Notification>()
  readonly #deliveries = new Set<string>()
  #isAsking = false
  /** The task of which the user was told. */
  #closing: string | undefined
  #timer: NodeJS.Timeout | undefined
  #hasReported = false

  constructor(context: NotificationContext) {
    this.#context = context
    // The clock may run without a commit.
    setInterval(() => void this.#askForClosing(), EVERY_MS).unref()
  }

  onNotice(notice: Notice) {
    if (notice.type === 'task_failed') {
      const { why, failed } = notice.task
      this.#show('task', { title: 'A task failed', body: `${why}: ${failed ?? ''}`, address: '#/?line=tasks' })
    } else if (notice.type === 'world') this.reset()
    else if (notice.type === 'progress' && notice.done) void this.#askForClosing()
    else if (notice.type === 'progress') this.#askSoon()
    else if (notice.type === 'commit') {
      // With no collection it changes the clock.
      if (notice.collections.length === 0 || notice.collections.includes('tasks')) this.#askSoon()
      if (!notice.collections.includes('webhook_deliveries')) return
      for (const uid of notice.uids) if (this.#deliveries.size < MAX_UIDS) this.#deliveries.add(uid)
      void this.#askForFailures()
    }
  }

  /** Another world, or another time of this one: the same uid may be another task. */
  reset() {
    this.#closing = undefined
    this.#deliveries.clear()
    this.#askSoon()
  }

  #askSoon() {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#askForClosing()
    }, AFTER_COMMITS_MS).unref()
  }

  showUpdate(newest: string, present: string) {
    this.#show('update', { title: `Sandbank ${newest} can be had`, body: `This is ${present}.`, address: '#/settings' })
  }

  /** A window has the focus. */
  markSeen() {
    this.#unseen.clear()
  }

  #isWanted(kind: Kind): boolean {
    return this.#context.isWanted() && !this.#unseen.has(kind)
  }

  /** One call at a time; the commits that come meanwhile are asked for together. */
  async #askForFailures() {
    if (this.#isAsking) return
    this.#isAsking = true
    while (this.#deliveries.size > 0) {
      const uids = [...this.#deliveries]
      this.#deliveries.clear()
      if (!this.#isWanted('webhook')) continue
      const input = { collection: 'webhook_deliveries', uids, status: ['waiting', 'failed'], limit: uids.length }
      const found = await this.#list<WebhookDelivery>(input)
      const failing = found.find(({ attempts }) => attempts.length > 0)
      if (failing) this.#show('webhook', describeFailure(failing))
    }
    this.#isAsking = false
  }

  async #askForClosing() {
    if (!this.#isWanted('authorization')) return
    const order = { field: 'due_at' }
    const input = { collection: 'tasks', kind: 'close authorization', held: false, order, limit: 1 }
    const [task] = await this.#list<Task>(input)
    if (!task || task.uid === this.#closing) return
    const clock = await this.#ask<Clock>('clock.read', {})
    if (!clock || Date.parse(task.due_at) - Date.parse(clock.now) > SOON_MS) return
    this.#closing = task.uid
    const address = task.record === null ? '#/?line=tasks' : `#/transactions/${task.record}`
    this.#show('authorization', {
      title: 'A window to authorize closes soon',
      body: `${task.why}: ${task.due_at}`,
      address,
    })
  }

  async #list<T>(input: object): Promise<readonly T[]> {
    return (await this.#ask<{ readonly data: readonly T[] }>('records.list', input))?.data ?? []
  }

  /** Undefined while another world is being opened. */
  async #ask<T>(name: string, input: object): Promise<T | undefined> {
    const reply = await this.#context.call(name, input).catch(() => undefined)
    return reply?.ok ? (reply.value as T) : undefined
  }

  #show(kind: Kind, { title, body, address }: Content) {
    if (!this.#isWanted(kind)) return
    if (!Notification.isSupported()) return this.#reportOnce('this system has none')
    const notification = new Notification({ title, body })
    this.#unseen.set(kind, notification)
    notification.on('click', () => this.#context.go(address))
    notification.on('failed', (_event, error) => {
      this.#unseen.delete(kind)
      this.#reportOnce(error)
    })
    notification.show()
  }

  #reportOnce(why: string) {
    if (!this.#hasReported) this.#context.report(`Notifications are not shown: ${why}. The window lists what fails.`)
    this.#hasReported = true
  }
}

function describeFailure({ event_uid, attempts }: WebhookDelivery): Content {
  const { status, error } = attempts.at(-1)!
  const why = status === null ? (error ?? 'it did not answer') : `it answered ${status}`
  return {
    title: 'A webhook fails',
    body: `Attempt ${attempts.length}: ${why}`,
    address: `#/webhook_events/${event_uid}`,
  }
}
