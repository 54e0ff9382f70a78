import { setMaxListeners } from 'node:events'
import type { Agent } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { AttemptOutcome, isAccepted, MAX_ANSWER } from '../contract/resources/webhooks.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import type { Commit } from '../store/commit.ts'
import type { Store } from '../store/store.ts'
import type { WebhookDeliveryRecord, WebhookEventRecord, WebhookRecord } from '../store/world.ts'
import { createAgent } from './agents.ts'
import { type Outcome, postEvent, probeHealth, withoutAnswer } from './post.ts'

/**
 * Sends the deliveries that are due, and has their outcomes recorded. Sending depends on other processes, so it is outside the deterministic
 * world: the world says what is due, and the outcome comes back as an operator action.
 */

interface DispatcherParts {
  readonly store: Store
  readonly call: (name: 'webhooks.record_attempt' | 'webhooks.update', input: object) => Promise<unknown>
  /** The attempts that the operator log has, in its order. */
  readonly recorded: () => Iterable<LoggedAction>
  /** Why nothing is sent to the address of the webhook; undefined if it is allowed. */
  readonly findAddressProblem: (webhook: WebhookRecord) => string | undefined
  /** Removes secrets from what a receiver answers. */
  readonly redact: (text: string) => string
  readonly userAgent: string
  readonly reportError: (error: unknown) => void
}

interface LoggedAction {
  readonly name: string
  readonly input: string
}

/** The attempt that a call of #send has made, or repeated; undefined if it has made none. */
type Attempt = number | undefined

/**
 * How many requests to one receiver are under way. Those that tell of one record follow each other.
 *
 * Assumed: a later event of a record does not wait for the retries or the delay of an earlier one.
 */
const LANES = 8
/** After these, the uids of the world may be issued again. */
const FORGETTING: ReadonlySet<string> = new Set(['world.reset', 'bundles.import'])
/** Their last commits pause the webhooks. */
const COPYING: ReadonlySet<string> = new Set(['worlds.create', 'bundles.import'])
const COMMITS_PER_STEP = 200

export class Dispatcher {
  readonly #parts: DispatcherParts
  readonly #lanes = new Map<string, Promise<void>>()
  readonly #agents = new Map<Uid, Agent>()
  /** Grows when the uids of the world may be issued again: what was being sent before is of another world. */
  #epoch = 0
  readonly #sending = new Set<Uid>()
  #turn: Promise<void> = Promise.resolve()
  /** The outcomes of attempts, also of those that a rewind has undone: these are not made again. */
  readonly #outcomes = new Map<string, Outcome>()
  /** Created on first use, because a sandbox may have thousands of worlds. */
  #ending: AbortController | undefined
  #isStopped = false
  #unsubscribe: (() => void) | undefined
  /** Until webhooks that a rewind has made active again are paused, nothing is sent. */
  #pausing: Promise<void> | undefined

  constructor(parts: DispatcherParts) {
    this.#parts = parts
  }

  start() {
    for (const { name, input } of this.#parts.recorded()) {
      if (FORGETTING.has(name)) this.#outcomes.clear()
      if (name === 'webhooks.record_attempt') this.#remember(AttemptOutcome.parse(JSON.parse(input)))
    }
    this.#unsubscribe = this.#parts.store.subscribe((commit) => this.#notice(commit))
    this.#sendAllDue()
  }

  /** Resolves when what is being sent now has its outcomes; undefined if nothing is being sent. */
  outstanding(): Promise<void> | undefined {
    if (this.#pausing) return this.#pausing
    return this.#sending.size === 0 ? undefined : Promise.all(this.#lanes.values()).then(() => {})
  }

  /** What was being sent stays due, and is sent again by the next start. */
  async stop() {
    this.#unsubscribe?.()
    this.#isStopped = true
    this.#ending?.abort()
    await this.#pausing
    await Promise.all(this.#lanes.values())
    for (const agent of this.#agents.values()) agent.destroy()
  }

  #notice(commit: Commit) {
    const { cause, changes, goes_on_from } = commit
    if (FORGETTING.has(cause.name)) this.#forget()
    if (cause.name === 'world.rewind' && goes_on_from !== undefined) return this.#pauseCopied(commit)
    if (goes_on_from !== undefined) return this.#sendAllDue()
    for (const { collection, record, was } of changes) {
      if (collection === 'webhooks') this.#noticeWebhook(record as WebhookRecord | null, was as WebhookRecord | null)
      if (collection === 'webhook_deliveries' && record) this.#sendIfDue(record as WebhookDeliveryRecord)
    }
  }

  #noticeWebhook(now: WebhookRecord | null, was: WebhookRecord | null) {
    if (now?.url !== was?.url && was) this.#retireAgent(was.uid)
    if (now?.url !== was?.url || now?.status !== was?.status) this.#sendAllDue()
  }

  /** What is being sent is of a world that is gone: its outcome is not waited for, and its uids may be used again. */
  #forget() {
    this.#epoch++
    this.#ending?.abort()
    this.#ending = undefined
    this.#sending.clear()
    this.#lanes.clear()
    this.#outcomes.clear()
  }

  /**
   * In a world that was copied from another one, or imported, the webhooks are paused. A rewind to before that makes those active again that were
   * active then, so they are paused again: the receivers belong to the other world.
   */
  #pauseCopied({ goes_on_from, seq }: Commit) {
    const { store, call, reportError } = this.#parts
    const isActive = ({ status }: WebhookRecord) => status !== 'paused'
    if (!store.world.collections.webhooks.inOrder().some(isActive)) return
    const pause = async () => {
      if (!(await isCopied(store, goes_on_from!, seq))) return
      for (const { uid } of store.world.collections.webhooks.inOrder().filter(isActive))
        if (!this.#isStopped) await call('webhooks.update', { uid, status: 'paused' })
    }
    const before = this.#pausing ?? Promise.resolve()
    const pausing: Promise<void> = before
      .then(pause)
      .catch(reportError)
      .then(() => {
        if (this.#pausing !== pausing) return
        this.#pausing = undefined
        this.#sendAllDue()
      })
    this.#pausing = pausing
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
    if (this.#isStopped || this.#pausing) return
    this.#sending.add(uid)
    const epoch = this.#epoch
    const subject = webhook_events.get(event_uid)?.record_uid ?? event_uid
    const lane = `${webhook_uid} ${laneOf(subject)}`
    const before = this.#lanes.get(lane) ?? Promise.resolve()
    this.#lanes.set(
      lane,
      before
        .then(() => this.#waitForTurn())
        .then(() => this.#send(uid, epoch))
        .catch(this.#parts.reportError)
        .then((attempt) => this.#end(uid, epoch, attempt as Attempt)),
    )
  }

  /** Requests come first: in each turn of the event loop one delivery begins or ends, after the requests that have arrived by then. */
  #waitForTurn(): Promise<void> {
    return (this.#turn = this.#turn.then(() => setImmediate()))
  }

  /** A rewind during the attempt may have made another one due. */
  #end(uid: Uid, epoch: number, attempt: Attempt) {
    if (epoch !== this.#epoch) return
    this.#sending.delete(uid)
    const delivery = this.#parts.store.world.collections.webhook_deliveries.get(uid)
    if (attempt !== undefined && delivery?.status === 'due') {
      if (delivery.attempts.length + 1 !== attempt) this.#sendIfDue(delivery)
      else this.#parts.reportError(new Error(`The outcome of attempt ${attempt} of the delivery ${uid} was refused`))
    }
    if (this.#sending.size === 0) this.#lanes.clear()
  }

  async #send(uid: Uid, epoch: number): Promise<Attempt> {
    const { webhooks, webhook_events, webhook_deliveries } = this.#parts.store.world.collections
    const delivery = webhook_deliveries.get(uid)
    const webhook = delivery && webhooks.get(delivery.webhook_uid)
    const event = delivery && webhook_events.get(delivery.event_uid)
    if (epoch !== this.#epoch || !webhook?.url || webhook.status === 'paused' || !event) return undefined
    if (this.#isStopped || this.#pausing || delivery.status !== 'due') return undefined
    const attempt = delivery.attempts.length + 1
    const known = this.#outcomes.get(keyOf(uid, attempt))
    const outcome = known ?? (await this.#post(webhook, event, delivery))
    if (!outcome) return undefined
    await this.#waitForTurn()
    if (epoch !== this.#epoch) return undefined
    await this.#record({ delivery_uid: uid, attempt, ...outcome, ...(known ? { sent_before: true } : {}) })
    return attempt
  }

  /** undefined: it was aborted. */
  async #post(
    webhook: WebhookRecord,
    event: WebhookEventRecord,
    { failure, attempts }: WebhookDeliveryRecord,
  ): Promise<Outcome | undefined> {
    const problem = this.#parts.findAddressProblem(webhook)
    if (problem !== undefined) return withoutAnswer(problem)
    const { signal } = (this.#ending ??= createEnding())
    const sending = { agent: this.#agentOf(webhook), signal, userAgent: this.#parts.userAgent }
    const isCorrupted = failure === 'corrupt_signature' && !attempts.some((attempt) => attempt.signature_corrupted)
    const posted = await postEvent(webhook, event, { ...sending, isCorrupted })
    if (!posted) return undefined
    const outcome: Outcome = { ...posted.outcome, ...(isCorrupted ? { signature_corrupted: true } : {}) }
    const isLast = attempts.length >= webhook.retry_seconds.length
    if (!isLast || isAccepted(outcome)) return outcome
    const health = await probeHealth(webhook, event, sending)
    return health && { ...outcome, health }
  }

  /** It is refused if a rewind has removed the delivery, or it was deleted, meanwhile. */
  async #record(outcome: AttemptOutcome) {
    const { redact, call } = this.#parts
    const answer = outcome.answer === null ? null : cut(redact(outcome.answer))
    const safe = { ...outcome, answer }
    this.#remember(safe)
    await call('webhooks.record_attempt', safe)
  }

  #remember({ delivery_uid, attempt, sent_before: _, ...outcome }: AttemptOutcome) {
    this.#outcomes.set(keyOf(delivery_uid, attempt), outcome)
  }

  #agentOf({ uid, url }: WebhookRecord): Agent {
    const known = this.#agents.get(uid)
    if (known) return known
    const agent = createAgent(url!, LANES)
    this.#agents.set(uid, agent)
    return agent
  }

  /** Attempts that are under way go on. */
  #retireAgent(uid: Uid) {
    const agent = this.#agents.get(uid) as (Agent & { keepAlive?: boolean }) | undefined
    if (!agent) return
    this.#agents.delete(uid)
    agent.keepAlive = false
    for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
  }
}

/** Each attempt listens to it, and there are as many as webhooks have lanes. */
function createEnding(): AbortController {
  const ending = new AbortController()
  setMaxListeners(0, ending.signal)
  return ending
}

/** Whether the webhooks after a rewind are those of another world: of commits that were copied or imported, before the webhooks were paused. */
async function isCopied(store: Store, goes_on_from: number, newest: number): Promise<boolean> {
  const from = followRewinds(store, goes_on_from)
  let read = 0
  for (const { cause, imports } of store.commitsBetween(from + 1, newest)) {
    // An import is a commit of its own, then those of the bundle, then one that pauses.
    if (imports) return false
    if (COPYING.has(cause.name)) return true
    if (++read % COMMITS_PER_STEP === 0) await setImmediate()
  }
  return false
}

/** The commit whose state the given one has, if it is a rewind itself. */
function followRewinds(store: Store, seq: number): number {
  const [commit] = store.commitsBetween(seq, seq)
  const to = commit?.cause.name === 'world.rewind' ? commit.goes_on_from : undefined
  return to === undefined ? seq : followRewinds(store, to)
}

/** A copy, because a slice of a text keeps the whole text in memory. */
const cut = (text: string) => Buffer.from(text.slice(0, MAX_ANSWER).replace(/[\uD800-\uDBFF]$/, '')).toString()

const keyOf = (delivery_uid: Uid, attempt: number) => `${delivery_uid} ${attempt}`

function laneOf(uid: Uid): number {
  let sum = 0
  for (const letter of uid) sum += letter.charCodeAt(0)
  return sum % LANES
}
