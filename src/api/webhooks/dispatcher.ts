import { setMaxListeners } from 'node:events'
import type { Agent } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { AttemptOutcome, isAccepted, type Webhook } from '../contract/resources/webhooks.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import type { Commit } from '../store/commit.ts'
import type { Store } from '../store/store.ts'
import type { WebhookDeliveryRecord, WebhookEventRecord, WebhookRecord } from '../store/world.ts'
import { createAgent, type Outcome, postEvent, probeHealth } from './post.ts'

/**
 * Sends the deliveries that are due, and has their outcomes recorded. Sending depends on other processes, so it is outside the deterministic
 * world: the world says what is due, and the outcome comes back as an operator action.
 */

interface DispatcherParts {
  readonly store: Store
  /** Calls webhooks.record_attempt. */
  readonly record: (outcome: AttemptOutcome) => Promise<unknown>
  /** The attempts that the operator log has, in its order. */
  readonly recorded: () => Iterable<LoggedAction>
  /** Removes secrets from what a receiver answers. */
  readonly redact: (text: string) => string
  readonly userAgent: string
  readonly reportError: (error: unknown) => void
}

interface LoggedAction {
  readonly name: string
  readonly input: string
}

/** How many requests to one receiver are under way. Those that tell of one record follow each other. */
const LANES = 8
/** After these, the uids of the world may be issued again. */
const FORGETTING: ReadonlySet<string> = new Set(['world.reset', 'bundles.import'])

export class Dispatcher {
  readonly #parts: DispatcherParts
  readonly #lanes = new Map<string, Promise<void>>()
  readonly #agents = new Map<Uid, { readonly url: string | null; readonly agent: Agent }>()
  readonly #sending = new Set<Uid>()
  #turn: Promise<void> = Promise.resolve()
  /** The outcomes of attempts, also of those that a rewind has undone: these are not made again. */
  readonly #outcomes = new Map<string, Outcome>()
  /** Created on first use, because a sandbox may have thousands of worlds. */
  #ending: AbortController | undefined
  #isStopped = false
  #unsubscribe: (() => void) | undefined
  #idle: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined

  constructor(parts: DispatcherParts) {
    this.#parts = parts
  }

  start() {
    const { store, recorded } = this.#parts
    for (const { name, input } of recorded()) {
      if (FORGETTING.has(name)) this.#outcomes.clear()
      if (name === 'webhooks.record_attempt') this.#remember(AttemptOutcome.parse(JSON.parse(input)))
    }
    this.#unsubscribe = store.subscribe((commit) => this.#notice(commit))
    this.#sendAllDue()
  }

  /** Resolves when nothing is being sent; undefined if nothing is. */
  outstanding(): Promise<void> | undefined {
    return this.#sending.size === 0 ? undefined : this.#idle?.promise
  }

  /** What was being sent stays due, and is sent again by the next start. */
  async stop() {
    this.#unsubscribe?.()
    this.#isStopped = true
    this.#ending?.abort()
    await Promise.all(this.#lanes.values())
    for (const { agent } of this.#agents.values()) agent.destroy()
  }

  #notice({ cause, changes, goes_on_from }: Commit) {
    if (FORGETTING.has(cause.name)) this.#outcomes.clear()
    if (goes_on_from !== undefined || changes.some(({ collection }) => collection === 'webhooks'))
      return this.#sendAllDue()
    for (const { collection, record } of changes)
      if (collection === 'webhook_deliveries' && record) this.#sendIfDue(record as WebhookDeliveryRecord)
  }

  #sendAllDue() {
    const { webhooks, webhook_deliveries } = this.#parts.store.world.collections
    if (webhooks.size === 0) return
    for (const shelf of webhook_deliveries.shelves())
      for (const delivery of shelf.findByIndex('status', 'due') ?? []) this.#sendIfDue(delivery)
  }

  #sendIfDue({ uid, status, webhook_uid, event_uid }: WebhookDeliveryRecord) {
    const { webhooks, webhook_events } = this.#parts.store.world.collections
    const webhook = webhooks.get(webhook_uid)
    if (status !== 'due' || !webhook || webhook.status === 'paused' || this.#sending.has(uid)) return
    if (this.#isStopped) return
    this.#sending.add(uid)
    this.#idle ??= createSignal()
    const subject = webhook_events.get(event_uid)?.record_uid ?? event_uid
    const lane = `${webhook_uid} ${laneOf(subject)}`
    const before = this.#lanes.get(lane) ?? Promise.resolve()
    this.#lanes.set(
      lane,
      before
        .then(() => this.#waitForTurn())
        .then(() => this.#send(uid))
        .catch(this.#parts.reportError)
        .finally(() => this.#end(uid)),
    )
  }

  /** Requests come first: one delivery begins in each turn of the event loop, after the requests that have arrived by then. */
  #waitForTurn(): Promise<void> {
    return (this.#turn = this.#turn.then(() => setImmediate()))
  }

  #end(uid: Uid) {
    this.#sending.delete(uid)
    if (this.#sending.size > 0) return
    this.#lanes.clear()
    this.#idle?.resolve()
    this.#idle = undefined
  }

  async #send(uid: Uid) {
    const { webhooks, webhook_events, webhook_deliveries } = this.#parts.store.world.collections
    const delivery = webhook_deliveries.get(uid)
    const webhook = delivery && webhooks.get(delivery.webhook_uid)
    const event = delivery && webhook_events.get(delivery.event_uid)
    if (this.#isStopped || !webhook?.url || !event || delivery.status !== 'due') return
    const attempt = delivery.attempts.length + 1
    const known = this.#outcomes.get(keyOf(uid, attempt))
    const outcome = known ?? (await this.#post(webhook, event, delivery))
    if (this.#isStopped && outcome.status === null) return
    await this.#record({ delivery_uid: uid, attempt, ...outcome, ...(known ? { sent_before: true } : {}) })
  }

  async #post(webhook: WebhookRecord, event: WebhookEventRecord, { failure, attempts }: WebhookDeliveryRecord) {
    const { signal } = (this.#ending ??= createEnding())
    const sending = { agent: this.#agentOf(webhook), signal, userAgent: this.#parts.userAgent }
    const isCorrupted = failure === 'corrupt_signature' && !attempts.some((attempt) => attempt.signature_corrupted)
    const outcome: Outcome = {
      ...(await postEvent(webhook, event, { ...sending, isCorrupted })),
      ...(isCorrupted ? { signature_corrupted: true } : {}),
    }
    const isLast = attempts.length >= webhook.retry_seconds.length
    if (!isLast || isAccepted(outcome)) return outcome
    return { ...outcome, health: await probeHealth(webhook, event, sending) }
  }

  async #record(outcome: AttemptOutcome) {
    const { redact, record } = this.#parts
    const answer = outcome.answer === null ? null : redact(outcome.answer)
    const safe = { ...outcome, answer }
    this.#remember(safe)
    // A refusal means that a rewind has removed the delivery, or that it was deleted, meanwhile.
    await record(safe)
  }

  #remember({ delivery_uid, attempt, sent_before: _, ...outcome }: AttemptOutcome) {
    this.#outcomes.set(keyOf(delivery_uid, attempt), outcome)
  }

  #agentOf(webhook: WebhookRecord): Agent {
    const known = this.#agents.get(webhook.uid)
    if (known?.url === webhook.url) return known.agent
    known?.agent.destroy()
    const agent = createAgent(webhook as Webhook, LANES)
    this.#agents.set(webhook.uid, { url: webhook.url, agent })
    return agent
  }
}

/** Each attempt listens to it, and there are as many as webhooks have lanes. */
function createEnding(): AbortController {
  const ending = new AbortController()
  setMaxListeners(0, ending.signal)
  return ending
}

function createSignal() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}

const keyOf = (delivery_uid: Uid, attempt: number) => `${delivery_uid} ${attempt}`

function laneOf(uid: Uid): number {
  let sum = 0
  for (const letter of uid) sum += letter.charCodeAt(0)
  return sum % LANES
}
