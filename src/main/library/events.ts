import type { Control, ControlMethods } from './contract.ts'

/** The events of a world, as its webhooks tell of them, for tests. */

export type WebhookEvent = ControlMethods['events.get']['output']

export interface NextOptions {
  /** Skips events for which this is false. */
  readonly where?: ((event: WebhookEvent) => boolean) | undefined
  /** How long to wait for it in real time. Default: 5,000 */
  readonly timeout_ms?: number | undefined
}

export interface WorldEvents {
  /** Keeps the events from now on: all, or those of some topics and events. Nothing is sent. */
  listen(topics?: readonly string[]): Promise<void>
  /**
   * The oldest event of a topic (`transfers`), or of one kind (`transfers.created`), that `next` has not returned yet. Waits for it, and
   * throws if it does not come.
   */
  next(name: string, options?: NextOptions): Promise<WebhookEvent>
}

const PAGE = 1_000
const POLL_MS = 20

export function createEvents(
  { webhooks, events }: Pick<Control, 'webhooks' | 'events'>,
  program_uid: string,
): WorldEvents {
  let isListening = false
  const returned = new Set<string>()

  async function find(name: string, where: (event: WebhookEvent) => boolean): Promise<WebhookEvent | undefined> {
    const [topic, event_type] = name.split('.')
    const filter = {
      program_uid,
      wanted: true,
      ...(topic ? { topic } : {}),
      ...(event_type ? { event_type } : {}),
      limit: PAGE,
    }
    let found: WebhookEvent | undefined
    for (let offset = 0; ; offset += PAGE) {
      const { data, total_count } = await events.list({ ...filter, offset })
      // Newest first.
      found = data.findLast((event) => !returned.has(event.uid) && where(event)) ?? found
      if (offset + PAGE >= total_count) return found
    }
  }

  /** After a reset, an equal world issues the uids of events again that are gone. */
  async function forgetGone() {
    if (returned.size === 0) return
    const { total_count } = await events.list({ program_uid, wanted: true, limit: 1 })
    if (total_count === 0) returned.clear()
  }

  return {
    async listen(topics) {
      await forgetGone()
      await webhooks.create({ program_uid, url: null, ...(topics ? { topics: [...topics] } : {}) } as never)
      isListening = true
    },
    async next(name, { where = () => true, timeout_ms = 5_000 } = {}) {
      if (!isListening) throw new Error('next() needs a webhook: call events.listen() before what causes the events')
      const end = Date.now() + timeout_ms
      for (;;) {
        const found = await find(name, where)
        if (found) {
          returned.add(found.uid)
          return found
        }
        if (Date.now() >= end) {
          const { webhooks: keeping } = await webhooks.list({ program_uid })
          const hint =
            keeping.length === 0
              ? 'The world has no webhooks any more: after a reset, call events.listen() again'
              : 'Has its time come? Advance the clock first'
          throw new Error(`There was no event ${name} within ${timeout_ms} ms. ${hint}`)
        }
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
    },
  }
}
