import type { Agent } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { SilentWebhook } from '../contract/control/clock.ts'
import {
  type AttemptOutcome,
  attemptsOf,
  type DeliveryAttempt,
  isAccepted,
  MAX_ANSWER,
} from '../contract/resources/webhooks.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import type { Commit } from '../store/commit.ts'
import type { Store } from '../store/store.ts'
import type { WebhookDeliveryRecord, WebhookEventRecord, WebhookRecord } from '../store/world.ts'
import { createAgent } from './agents.ts'
import { Breakers } from './breakers.ts'
import { LANES, Lanes } from './lanes.ts'
import { OutcomeRecorder } from './outcome-recorder.ts'
import { type Outcome, postEvent, probeHealth, withoutAnswer } from './post.ts'
import { UndoneOutcomes } from './undone-outcomes.ts'

/**
 * Sends the deliveries that are due, and has their outcomes recorded. Sending depends on other processes, so it is outside the deterministic
 * world: the world says what is due, and the outcome comes back as an operator action.
 */

interface DispatcherParts {
  readonly store: Store
  readonly call: (name: 'webhooks.record_attempts' | 'webhooks.update', input: object) => Promise<unknown>
  /** The actions that the operator log has, oldest first. */
  readonly recorded: () => readonly LoggedAction[]
  /** Why nothing is sent to the address of the webhook; undefined if it is allowed. */
  readonly findAddressProblem: (webhook: WebhookRecord) => string | undefined
  /** Removes secrets from what a receiver answers. */
  readonly redact: (text: string) => string
  readonly userAgent: string
  readonly reportError: (error: unknown) => void
}

interface LoggedAction {
  readonly name: string
  readonly seq_after: number
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
/** They undo attempts, which are not made again. */
const UNDOING: ReadonlySet<string> = new Set(['world.rewind', 'snapshots.restore'])
/** Their last commits pause the webhooks. */
const COPYING: ReadonlySet<string> = new Set(['worlds.create', 'bundles.import'])
const COMMITS_PER_STEP = 200

export class Dispatcher {
  readonly #parts: DispatcherParts
  /** By webhook. */
  readonly #lanes = new Map<Uid, Lanes<AttemptOutcome | undefined>>()
  readonly #agents = new Map<Uid, Agent>()
  /** Grows when the uids of the world may be issued again: what was being sent before is of another world. */
  #epoch = 0
  /** The deliveries in the lanes, and when the outcome of each will have been recorded. */
  readonly #sending = new Map<Uid, Promise<void>>()
  readonly #underWay = new Set<UnderWay>()
  #turn: Promise<void> = Promise.resolve()
  readonly #recorder = new OutcomeRecorder((outcomes) => this.#recordTogether(outcomes))
  readonly #undone = new UndoneOutcomes()
  /** undefined while no advance waits for receivers. */
  #breakers: Breakers | undefined
  #isStopped = false
  #unsubscribe: (() => void) | undefined
  /** Until what a rewind has undone is known, and webhooks that it has made active again are paused, nothing is sent. */
  #preparing: Promise<void> | undefined

  constructor(parts: DispatcherParts) {
    this.#parts = parts
  }

  start() {
    const { store, recorded } = this.#parts
    this.#unsubscribe = store.subscribe((commit) => this.#notice(commit))
    const actions = recorded()
    const since = actions.slice(actions.findLastIndex(({ name }) => FORGETTING.has(name)) + 1)
    const undoing = since.filter(({ name }) => UNDOING.has(name))
    if (undoing.length === 0) return this.#sendAllDue()
    this.#prepare(async () => {
      for (const { seq_after } of undoing)
        for (const commit of store.commitsBetween(seq_after, seq_after)) await this.#undone.addFrom(commit)
    })
  }

  /** What was being sent stays due, and is sent again by the next start. */
  async stop() {
    this.#unsubscribe?.()
    this.#isStopped = true
    this.#abort(() => true)
    await this.#preparing
    await this.#whenSent()
    for (const agent of this.#agents.values()) agent.destroy()
  }

  // ── For an advance ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** Resolves when what is being sent now has its outcomes; undefined if nothing is being sent. */
  outstanding(): Promise<void> | undefined {
    return this.#preparing ?? this.#whenSent()
  }

  /** Outcomes that could not be saved, for example because the disk was full, are recorded now. */
  beginAdvance() {
    this.#breakers = new Breakers()
    if (this.#unsubscribe) this.#sendAllDue()
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
    // The webhooks may have gone, or have other addresses.
    if (goes_on_from !== undefined) for (const uid of this.#agents.keys()) this.#retireAgent(uid)
    if (FORGETTING.has(cause.name)) this.#forget()
    if (UNDOING.has(cause.name) && goes_on_from !== undefined)
      return this.#prepare(async () => {
        await this.#undone.addFrom(commit)
        if (cause.name === 'world.rewind') await this.#pauseCopied(commit)
      })
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
    this.#recorder.forget()
    this.#undone.clear()
  }

  /**
   * In a world that was copied from another one, or imported, the webhooks are paused. A rewind to before that makes those active again that were
   * active then, so they are paused again: the receivers belong to the other world.
   */
  async #pauseCopied({ goes_on_from, seq }: Commit) {
    const { store, call } = this.#parts
    const isActive = ({ status }: WebhookRecord) => status !== 'paused'
    if (!store.world.collections.webhooks.inOrder().some(isActive)) return
    if (!(await isCopied(store, goes_on_from!, seq))) return
    for (const { uid } of store.world.collections.webhooks.inOrder().filter(isActive))
      if (!this.#isStopped) await call('webhooks.update', { uid, status: 'paused' })
  }

  /** Nothing is sent until this is done. */
  #prepare(work: () => Promise<void>) {
    const before = this.#preparing ?? Promise.resolve()
    const preparing: Promise<void> = before
      .then(work)
      .catch(this.#parts.reportError)
      .then(() => {
        if (this.#preparing !== preparing) return
        this.#preparing = undefined
        this.#sendAllDue()
      })
    this.#preparing = preparing
  }

  #sendAllDue() {
    const { webhooks, webhook_events, webhook_deliveries } = this.#parts.store.world.collections
    if (webhooks.size === 0) return
    // A late webhook gets deliveries of events that are older than those that wait.
    const madeAt = ({ event_uid }: WebhookDeliveryRecord) => webhook_events.get(event_uid)?.made ?? 0
    for (const shelf of webhook_deliveries.shelves())
      for (const delivery of [...(shelf.findByIndex('status', 'due') ?? [])].sort((a, b) => madeAt(a) - madeAt(b)))
        this.#sendIfDue(delivery)
  }

  #sendIfDue({ uid, event_uid, webhook_uid }: WebhookDeliveryRecord) {
    if (this.#sending.has(uid)) return
    const sendable = this.#findSendable(uid)
    if (!sendable) return
    const epoch = this.#epoch
    let lanes = this.#lanes.get(webhook_uid)
    if (!lanes) {
      this.#lanes.set(webhook_uid, (lanes = new Lanes((delivery) => this.#send(delivery, epoch))))
    }
    const sent = lanes.add(uid, sendable.event.record_uid ?? event_uid)
    this.#sending.set(
      uid,
      sent.then((outcome) => this.#finish(uid, epoch, outcome)),
    )
  }

  #findSendable(uid: Uid): Sendable | undefined {
    const { webhooks, webhook_events, webhook_deliveries } = this.#parts.store.world.collections
    const delivery = webhook_deliveries.get(uid)
    const webhook = delivery && webhooks.get(delivery.webhook_uid)
    const event = delivery && webhook_events.get(delivery.event_uid)
    const canSend = delivery?.status === 'due' && webhook && canGet(webhook) && event && isSentTo(webhook, event)
    return canSend && !this.#isStopped && !this.#preparing ? { delivery, webhook, event } : undefined
  }

  // ── Sending ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Requests come first: in each turn of the event loop one delivery begins or ends, after the requests that have arrived by then. */
  #waitForTurn(): Promise<void> {
    return (this.#turn = this.#turn.then(() => setImmediate()))
  }

  /** The outcome of an attempt that was made, or repeated; undefined if none was. Never rejects. */
  async #send(uid: Uid, epoch: number): Promise<AttemptOutcome | undefined> {
    try {
      return epoch === this.#epoch && this.#findSendable(uid) ? await this.#attempt(uid, epoch) : undefined
    } catch (error) {
      this.#parts.reportError(error)
      return undefined
    }
  }

  async #attempt(uid: Uid, epoch: number): Promise<AttemptOutcome | undefined> {
    await this.#waitForTurn()
    const sendable = epoch === this.#epoch ? this.#findSendable(uid) : undefined
    if (!sendable) return undefined
    const attempt = this.#attemptsOf(sendable.delivery).length + 1
    const undone = this.#undone.find(uid, attempt)
    if (undone) return { ...undone, sent_before: true }
    const outcome = await this.#post(sendable)
    if (!outcome) return undefined
    const answer = outcome.answer === null ? null : cut(this.#parts.redact(outcome.answer))
    return { delivery_uid: uid, attempt, ...outcome, answer }
  }

  #attemptsOf({ uid, program_uid }: WebhookDeliveryRecord): DeliveryAttempt[] {
    const { webhook_attempts } = this.#parts.store.world.collections
    return attemptsOf(uid, webhook_attempts.shelf(program_uid).findByIndex('delivery_uid', uid) ?? [])
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

  async #postWithin(signal: AbortSignal, { webhook, event, delivery }: Sendable) {
    const attempts = this.#attemptsOf(delivery)
    const sending = { agent: this.#agentOf(webhook), signal, userAgent: this.#parts.userAgent }
    const isCorrupted =
      delivery.failure === 'corrupt_signature' && !attempts.some((attempt) => attempt.signature_corrupted)
    const posted = await postEvent(webhook, event, { ...sending, isCorrupted })
    if (!posted) return undefined
    if (posted.isSilent) this.#breakers?.noteSilence(webhook)
    const outcome: Outcome = { ...posted.outcome, ...(isCorrupted ? { signature_corrupted: true } : {}) }
    const isLast = attempts.length >= webhook.retry_seconds.length
    if (!isLast || isAccepted(outcome)) return outcome
    const health = await probeHealth(webhook, event, sending)
    return health && { ...outcome, health }
  }

  // ── Recording ──────────────────────────────────────────────────────────────────────────────────────────────────────

  async #finish(uid: Uid, epoch: number, outcome: AttemptOutcome | undefined) {
    if (epoch !== this.#epoch) return
    if (outcome) {
      const recorded = this.#recorder.add(outcome)
      this.#recordIfLast()
      await recorded
      if (epoch !== this.#epoch) return
    }
    this.#sending.delete(uid)
    this.#finishDelivery(uid, outcome)
    this.#recordIfLast()
    if (this.#sending.size === 0) this.#lanes.clear()
  }

  /** Nothing else is being sent that could be recorded together with what waits for it. */
  #recordIfLast() {
    if (this.#recorder.size === this.#sending.size) void this.#recorder.flush()
  }

  async #recordTogether(outcomes: readonly AttemptOutcome[]) {
    const epoch = this.#epoch
    try {
      await this.#waitForTurn()
      if (epoch === this.#epoch) await this.#parts.call('webhooks.record_attempts', { outcomes })
    } catch (error) {
      this.#parts.reportError(error)
    }
  }

  /** A rewind during the attempt may have undone it, or made another one due; its webhook may be active again after a pause. */
  #finishDelivery(uid: Uid, outcome: AttemptOutcome | undefined) {
    const delivery = this.#parts.store.world.collections.webhook_deliveries.get(uid)
    const made = delivery ? this.#attemptsOf(delivery).length : 0
    const isRecorded = !outcome || made >= outcome.attempt
    if (!isRecorded) this.#undone.add(outcome)
    // A world that is dropped records nothing more.
    if (delivery?.status !== 'due' || this.#isStopped) return
    if (made + 1 !== outcome?.attempt) this.#sendIfDue(delivery)
    else
      this.#parts.reportError(new Error(`The outcome of attempt ${made + 1} of the delivery ${uid} was not recorded`))
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

/** An unconfirmed webhook gets test events only. */
const isSentTo = ({ status }: WebhookRecord, { topic }: WebhookEventRecord) => status === 'active' || topic === 'test'

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
