import type { Agent } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { SilentWebhook } from '../contract/control/clock.ts'
import { AttemptOutcome, isAccepted, MAX_ANSWER } from '../contract/resources/webhooks.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import type { Commit } from '../store/commit.ts'
import type { Store } from '../store/store.ts'
import type { WebhookDeliveryRecord, WebhookEventRecord, WebhookRecord } from '../store/world.ts'
import { createAgent } from './agents.ts'
import { Breakers } from './breakers.ts'
import { LANES, Lanes } from './lanes.ts'
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

/** What a delivery that can be sent now needs. */
interface Sendable {
  readonly delivery: WebhookDeliveryRecord
  readonly webhook: WebhookRecord
  readonly event: WebhookEventRecord
}

/** An attempt that is under way. */
interface UnderWay {
  readonly webhook_uid: Uid
  readonly ending: AbortController
}

/** After these, the uids of the world may be issued again. */
const FORGETTING: ReadonlySet<string> = new Set(['world.reset', 'bundles.import'])
/** Their last commits pause the webhooks. */
const COPYING: ReadonlySet<string> = new Set(['worlds.create', 'bundles.import'])
const COMMITS_PER_STEP = 200

export class Dispatcher {
  readonly #parts: DispatcherParts
  /** By webhook. */
  readonly #lanes = new Map<Uid, Lanes>()
  readonly #agents = new Map<Uid, Agent>()
  /** Grows when the uids of the world may be issued again: what was being sent before is of another world. */
  #epoch = 0
  /** The deliveries in the lanes, and when each will have been sent. */
  readonly #sending = new Map<Uid, Promise<void>>()
  readonly #underWay = new Set<UnderWay>()
  #turn: Promise<void> = Promise.resolve()
  /** The outcomes of attempts, also of those that a rewind has undone: these are not made again. */
  readonly #outcomes = new Map<string, Outcome>()
  /** undefined while no advance waits for receivers. */
  #breakers: Breakers | undefined
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

  /** What was being sent stays due, and is sent again by the next start. */
  async stop() {
    this.#unsubscribe?.()
    this.#isStopped = true
    this.#abort(() => true)
    await this.#pausing
    await this.#whenSent()
    for (const agent of this.#agents.values()) agent.destroy()
  }

  // ── For an advance ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** Resolves when what is being sent now has its outcomes; undefined if nothing is being sent. */
  outstanding(): Promise<void> | undefined {
    return this.#pausing ?? this.#whenSent()
  }

  beginAdvance() {
    this.#breakers = new Breakers()
  }

  endAdvance(): SilentWebhook[] {
    const silent = this.#breakers?.summarize() ?? []
    this.#breakers = undefined
    return silent
  }

  /** What is added meanwhile is not waited for: that may have no end. */
  #whenSent(): Promise<void> | undefined {
    return this.#sending.size === 0 ? undefined : Promise.all(this.#sending.values()).then(() => {})
  }

  // ── What is to be sent ─────────────────────────────────────────────────────────────────────────────────────────────

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
    if (was && !canGet(now)) this.#abort(({ webhook_uid }) => webhook_uid === was.uid)
    if (now?.url !== was?.url || now?.status !== was?.status) this.#sendAllDue()
  }

  /** Ends attempts at once. Their deliveries stay due, unless the webhook was deleted. */
  #abort(isMeant: (attempt: UnderWay) => boolean) {
    for (const attempt of this.#underWay) if (isMeant(attempt)) attempt.ending.abort()
  }

  /** What is being sent is of a world that is gone: its outcome is not waited for, and its uids may be used again. */
  #forget() {
    this.#epoch++
    this.#abort(() => true)
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

  #sendIfDue({ uid, event_uid, webhook_uid }: WebhookDeliveryRecord) {
    if (this.#sending.has(uid)) return
    const sendable = this.#findSendable(uid)
    if (!sendable) return
    let lanes = this.#lanes.get(webhook_uid)
    if (!lanes) {
      const epoch = this.#epoch
      this.#lanes.set(webhook_uid, (lanes = new Lanes((delivery) => this.#send(delivery, epoch))))
    }
    this.#sending.set(uid, lanes.add(uid, sendable.event.record_uid ?? event_uid))
  }

  #findSendable(uid: Uid): Sendable | undefined {
    const { webhooks, webhook_events, webhook_deliveries } = this.#parts.store.world.collections
    const delivery = webhook_deliveries.get(uid)
    const webhook = delivery && webhooks.get(delivery.webhook_uid)
    const event = delivery && webhook_events.get(delivery.event_uid)
    const canSend = delivery?.status === 'due' && webhook && canGet(webhook) && event
    return canSend && !this.#isStopped && !this.#pausing ? { delivery, webhook, event } : undefined
  }

  // ── Sending ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Requests come first: in each turn of the event loop one delivery begins or ends, after the requests that have arrived by then. */
  #waitForTurn(): Promise<void> {
    return (this.#turn = this.#turn.then(() => setImmediate()))
  }

  /** Never rejects. */
  async #send(uid: Uid, epoch: number) {
    let attempt: number | undefined
    try {
      if (epoch === this.#epoch && this.#findSendable(uid)) attempt = await this.#attempt(uid, epoch)
    } catch (error) {
      this.#parts.reportError(error)
    }
    if (epoch !== this.#epoch) return
    this.#sending.delete(uid)
    this.#sendAgain(uid, attempt)
    if (this.#sending.size === 0) this.#lanes.clear()
  }

  /** A rewind during the attempt may have made another one due, or its webhook was paused and is active again. */
  #sendAgain(uid: Uid, attempt: number | undefined) {
    const delivery = this.#parts.store.world.collections.webhook_deliveries.get(uid)
    if (delivery?.status !== 'due') return
    if (delivery.attempts.length + 1 !== attempt) this.#sendIfDue(delivery)
    else this.#parts.reportError(new Error(`The outcome of attempt ${attempt} of the delivery ${uid} was refused`))
  }

  /** The number of the attempt that was made, or repeated; undefined if none was. */
  async #attempt(uid: Uid, epoch: number): Promise<number | undefined> {
    await this.#waitForTurn()
    const sendable = epoch === this.#epoch ? this.#findSendable(uid) : undefined
    if (!sendable) return undefined
    const attempt = sendable.delivery.attempts.length + 1
    const known = this.#outcomes.get(keyOf(uid, attempt))
    const outcome = known ?? (await this.#post(sendable))
    if (!outcome) return undefined
    await this.#waitForTurn()
    if (epoch !== this.#epoch) return undefined
    await this.#record({ delivery_uid: uid, attempt, ...outcome, ...(known ? { sent_before: true } : {}) })
    return attempt
  }

  /** undefined: it was aborted. */
  async #post({ webhook, event, delivery }: Sendable): Promise<Outcome | undefined> {
    const problem = this.#parts.findAddressProblem(webhook) ?? this.#breakers?.refuse(webhook)
    if (problem !== undefined) return withoutAnswer(problem)
    const underWay: UnderWay = { webhook_uid: webhook.uid, ending: new AbortController() }
    this.#underWay.add(underWay)
    try {
      return await this.#postWithin(underWay.ending.signal, { webhook, event, delivery })
    } finally {
      this.#underWay.delete(underWay)
    }
  }

  async #postWithin(signal: AbortSignal, { webhook, event, delivery: { failure, attempts } }: Sendable) {
    const sending = { agent: this.#agentOf(webhook), signal, userAgent: this.#parts.userAgent }
    const isCorrupted = failure === 'corrupt_signature' && !attempts.some((attempt) => attempt.signature_corrupted)
    const posted = await postEvent(webhook, event, { ...sending, isCorrupted })
    if (!posted) return undefined
    if (posted.isSilent) this.#breakers?.noteSilence(webhook)
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

const canGet = (webhook: WebhookRecord | null) =>
  webhook !== null && webhook.url !== null && webhook.status !== 'paused'

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
