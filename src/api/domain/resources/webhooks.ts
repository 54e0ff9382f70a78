import { ApiError } from '../../contract/errors.ts'
import type { Program } from '../../contract/resources/programs.ts'
import {
  type AttemptOutcome,
  attemptsOf,
  type CreateWebhook,
  type DeliveryAttempt,
  type DeliveryFailure,
  type EventWithDeliveries,
  type FailureRule,
  failureSeconds,
  isAccepted,
  MAX_EVENTS,
  nameOf,
  packOutcomes,
  type Webhook,
  type WebhookChanges,
  type WebhookDelivery,
  webhookDefaults,
} from '../../contract/resources/webhooks.ts'
import type { OutcomeOf } from '../../contract/tasks.ts'
import type { Timestamp, Uid } from '../../contract/terms/primitives.ts'
import { exampleDetails, type WebhookEventName, webhookEvents } from '../../contract/webhooks.ts'
import { toMs, toTimestamp } from '../../store/clock.ts'
import type { Announce } from '../../store/draft.ts'
import type { ReadTx, Tx, WorldTx } from '../../store/tx.ts'
import { uidAt } from '../../store/uid.ts'
import type { TaskRecord, WebhookDeliveryRecord, WebhookEventRecord, WebhookRecord } from '../../store/world.ts'
import { type AddDerived, addDerived } from '../rules/derived.ts'
import { refuseUnencrypted } from '../rules/hosted.ts'
import { createEvent, findEvents, type Others } from '../rules/webhook-events.ts'

/**
 * The specification leaves notifications of the Client open; the platform sends them as webhooks. An event is written in the commit that it
 * tells of. Sending it is no part of the world: a delivery that is due is sent by `webhooks/dispatcher.ts`, and the operator action
 * webhooks.record_attempts brings its outcome in.
 *
 * Assumed (invented): an event is a record if a webhook of its Program wants it, also one that is unconfirmed, paused or without an address. The others are
 * found in the history (`views/event-log.ts`): writing them would make a payment take 1.7 times as long.
 */

// ── Events ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Numbers the events of a transaction, and writes those that a webhook of their Program wants. What is for a webhook that is unconfirmed or
 * paused is due, too: it waits until the webhook is active, so nothing depends on when a receiver answers.
 */
export function writeEvents(commit: Parameters<Announce>[0], draft: Parameters<Announce>[1]) {
  const found = findEvents(commit)
  if (found.length === 0) return
  const numbers = draft.numberEvents(found.length)
  if (!draft.hasWebhooks) return
  for (const [position, event] of found.entries()) {
    const tx = draft.forProgram(event.now.program_uid)
    const interested = oldestFirst(tx).filter((webhook) => wants(webhook, event.name))
    if (interested.length === 0) continue
    const written = tx.webhook_events.put(createEvent(event, numbers, position, tx.now, othersIn(tx)))
    // It follows the older ones, so that those of one record keep their order.
    for (const { uid } of interested)
      if (tx.webhooks.get(uid)!.next_event_uid !== null) wakeAt(tx, uid, tx.now)
      else deliver(tx, written, uid, chooseFailure(tx, uid, event.name), uidsFor(written, uid))
    removeOldest(tx)
  }
}

const othersIn = (tx: ReadTx): Others => ({
  externalUid: (uid) => tx.customers.get(uid)?.external_uid ?? null,
  transactionUids: ({ uid }) => tx.transactions.findBy('transfer_uid', uid).map((transaction) => transaction.uid),
})

/** Whenever an event is given to a webhook, it is the same delivery, which is not sent twice. */
const uidsFor = (event: WebhookEventRecord, webhook_uid: Uid) => (copy: number) =>
  uidAt(`${event.uid} ${webhook_uid}`, copy)

/**
 * Assumed (invented): a Program keeps its newest 20,000 events with their deliveries. Older ones are removed, a hundred at a time, also those that were not
 * delivered: a webhook that is paused or fails does not fill the memory and the disk.
 */
const REMOVED_TOGETHER = 100

function removeOldest(tx: Tx) {
  if (tx.webhook_events.size < MAX_EVENTS + REMOVED_TOGETHER) return
  for (const event of [...tx.webhook_events.newestFirst()].slice(MAX_EVENTS)) {
    for (const { uid } of tx.webhook_deliveries.findBy('event_uid', event.uid)) {
      tx.webhook_deliveries.remove(uid)
      removeAttempts(tx, uid)
    }
    tx.webhook_events.remove(event.uid)
  }
}

/** A record of attempts is removed with the last of its deliveries. */
function removeAttempts(tx: Tx, delivery: Uid) {
  for (const { uid, delivery_uid } of tx.webhook_attempts.findBy('delivery_uid', delivery))
    if (delivery_uid.every((other) => !tx.webhook_deliveries.get(other))) tx.webhook_attempts.remove(uid)
}

const oldestFirst = (tx: ReadTx): readonly WebhookRecord[] => [...tx.webhooks.newestFirst()].reverse()

export const wants = ({ topics }: { readonly topics?: Webhook['topics'] | undefined }, name: WebhookEventName) =>
  !topics || topics.includes(name) || topics.includes(webhookEvents[name].topic)

/** The first rule of the webhook that applies to the event. A rule for a number of times counts down. */
function chooseFailure(tx: Tx, webhook_uid: Uid, name: WebhookEventName): DeliveryFailure | undefined {
  const webhook = tx.webhooks.get(webhook_uid)!
  if (webhook.url === null) return undefined
  const applies = ({ kind, topics, rate = 1 }: FailureRule) =>
    wants({ topics }, name) &&
    // Two neighbors change places: the next event must come before the one that waits for it.
    !(kind === 'reorder' && findReordered(tx, webhook)) &&
    (rate === 1 || Number(`0.${tx.digits(9)}`) < rate)
  const rule = webhook.failures.find(applies)
  if (rule?.times !== undefined) {
    const left = rule.times === 1 ? [] : [{ ...rule, times: rule.times - 1 }]
    const failures = webhook.failures.flatMap((other) => (other === rule ? left : [other]))
    tx.webhooks.put({ ...webhook, failures })
  }
  return rule
}

/** The delivery of the webhook that waits until another one has been sent. */
function findReordered(tx: Tx, { reordered_delivery_uid: uid }: WebhookRecord): WebhookDeliveryRecord | undefined {
  const delivery = uid === null ? undefined : tx.webhook_deliveries.get(uid)
  return delivery?.status === 'waiting' ? delivery : undefined
}

/** Without an address an event is only kept. */
function deliver(
  tx: Tx,
  event: WebhookEventRecord,
  webhook_uid: Uid,
  failure?: DeliveryFailure,
  uidOf: (copy: number) => Uid = () => tx.uid(),
): boolean {
  if (tx.webhooks.get(webhook_uid)!.url === null) return false
  for (let copies = failure?.kind === 'duplicate' ? 2 : 1; copies > 0; copies--)
    send(tx, { uid: uidOf(copies), event_uid: event.uid, webhook_uid }, failure)
  return true
}

type NewDelivery = Pick<WebhookDeliveryRecord, 'uid' | 'event_uid' | 'webhook_uid'>

function send(tx: Tx, delivery: NewDelivery, failure: DeliveryFailure | undefined) {
  const { program, now } = tx
  const kind = failure?.kind ?? null
  const put = (status: WebhookDeliveryRecord['status'], next_attempt_at: Timestamp | null, precedes_uid?: Uid) =>
    tx.webhook_deliveries.put({
      uid: delivery.uid,
      program_uid: program.uid,
      event_uid: delivery.event_uid,
      webhook_uid: delivery.webhook_uid,
      status,
      failure: kind,
      precedes_uid: precedes_uid ?? null,
      next_attempt_at,
    })
  if (kind === 'drop') return put('dropped', null)
  if (kind === 'hold') return put('held', null)
  const webhook = tx.webhooks.get(delivery.webhook_uid)
  if (kind === 'delay' || kind === 'reorder') {
    const next_attempt_at = addSeconds(now, failure?.seconds ?? failureSeconds[kind])
    wakeAt(tx, delivery.webhook_uid, next_attempt_at)
    if (kind === 'reorder' && webhook) tx.webhooks.put({ ...webhook, reordered_delivery_uid: delivery.uid })
    return put('waiting', next_attempt_at)
  }
  const reordered = webhook && findReordered(tx, webhook)
  if (reordered) tx.webhooks.put({ ...webhook, reordered_delivery_uid: null })
  return put('due', now, reordered?.uid)
}

const addSeconds = (at: Timestamp, seconds: number) => toTimestamp(toMs(at) + seconds * 1_000)

// ── Waits ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** One commit makes so many deliveries due. */
const MAX_DUE_AT_ONCE = 200

const taskOf = (tx: Tx, webhook_uid: Uid): TaskRecord | undefined =>
  tx.tasks.findBy('subject_uid', webhook_uid).find(({ failed }) => failed === null)

/** A webhook has one task, at the time of the first of its deliveries that wait: there may be thousands of these. */
function wakeAt(tx: Tx, webhook_uid: Uid, due_at: Timestamp) {
  const task = taskOf(tx, webhook_uid)
  if (task && task.due_at <= due_at) return
  if (task) tx.tasks.put({ ...task, due_at })
  else
    tx.schedule({
      kind: 'send waiting events',
      due_at,
      subject_uid: webhook_uid,
      why: { code: 'events_due_again', facts: {} },
    })
}

/** The wait of deliveries is over, or older events are to be sent. */
export function sendWaiting(tx: Tx, { subject_uid, due_at }: TaskRecord): OutcomeOf<'send waiting events'> {
  const waiting = tx.webhook_deliveries
    .findBy('status', 'waiting')
    .filter(({ webhook_uid }) => webhook_uid === subject_uid)
  const over = waiting.filter(({ next_attempt_at }) => next_attempt_at! <= due_at)
  const missed = sendSomeMissed(tx, subject_uid!)
  const now = over.slice(0, MAX_DUE_AT_ONCE - missed)
  for (const delivery of now) tx.webhook_deliveries.put({ ...delivery, status: 'due' })
  const webhook = tx.webhooks.get(subject_uid!)
  if (now.some(({ uid }) => uid === webhook?.reordered_delivery_uid))
    tx.webhooks.put({ ...webhook!, reordered_delivery_uid: null })
  if (over.length > now.length) wakeAt(tx, subject_uid!, due_at)
  else
    for (const { next_attempt_at } of waiting) if (next_attempt_at! > due_at) wakeAt(tx, subject_uid!, next_attempt_at!)
  return { code: 'events_due', facts: { events: now.length + missed } }
}

// ── Webhooks ───────────────────────────────────────────────────────────────────────────────────────────────────────

const MAX_WEBHOOKS = 50

/** Assumed (invented): without an address there is nobody to accept a test event, so the webhook is active at once. */
export function create(
  tx: Tx,
  { confirm = true, program_uid: _, from = 'now', ...chosen }: CreateWebhook,
  readLog: ReadLog = () => [],
): WebhookRecord {
  requireHost(tx, chosen.url)
  if (tx.webhooks.size >= MAX_WEBHOOKS)
    throw refuse(
      `a Program has at most ${MAX_WEBHOOKS} webhooks: delete one that is no longer needed with webhooks.delete`,
    )
  const webhook = tx.webhooks.put({
    uid: tx.uid(),
    program_uid: tx.program.uid,
    created_at: tx.now,
    status: confirm && chosen.url !== null ? 'unconfirmed' : 'active',
    url: chosen.url,
    topics: chosen.topics ?? webhookDefaults.topics,
    hmac_key: chosen.hmac_key ?? `${tx.uid()}${tx.uid()}`,
    envelope: chosen.envelope ?? webhookDefaults.envelope,
    event_id_in: chosen.event_id_in ?? webhookDefaults.event_id_in,
    retry_seconds: chosen.retry_seconds ?? [...webhookDefaults.retry_seconds],
    pgp_public_key: chosen.pgp_public_key ?? webhookDefaults.pgp_public_key,
    failures: chosen.failures ?? [...webhookDefaults.failures],
    reordered_delivery_uid: null,
    next_event_uid: null,
  })
  refuseUnencrypted(tx, webhook)
  if (webhook.status === 'unconfirmed') test(tx, webhook.uid)
  if (from !== 'now') sendMissed(tx, webhook.uid, from, readLog)
  return tx.webhooks.get(webhook.uid)!
}

/**
 * Assumed (invented): an address that changes need not be confirmed again. Without an address there is nothing to send to or to confirm: its deliveries
 * that are not finished fail, and it is active.
 */
export function update(
  tx: Tx,
  uid: Uid,
  { from, ...changes }: WebhookChanges,
  readLog: ReadLog = () => [],
): WebhookRecord {
  const webhook = find(tx, uid)
  const { url = webhook.url } = changes
  if (changes.url || changes.status === 'active') requireHost(tx, url)
  if (url === null) failUnfinished(tx, uid)
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const status = url === null && webhook.status === 'unconfirmed' ? 'active' : webhook.status
  const next_event_uid = from === 'now' || url === null ? null : webhook.next_event_uid
  refuseUnencrypted(tx, tx.webhooks.put({ ...webhook, status, ...given, url, next_event_uid }))
  if (from === 'now') failUnfinished(tx, uid, (delivery) => !isTest(tx, delivery))
  else if (from !== undefined) sendMissed(tx, uid, from, readLog)
  return tx.webhooks.get(uid)!
}

/**
 * The events since one of them, or all of the log, that the webhook wants and that were never on their way to it: the first of them at
 * once, the others by its task.
 */
function sendMissed(tx: Tx, webhook_uid: Uid, from: Uid, readLog: ReadLog) {
  const log = readLog()
  const oldest = oldestOf([...[...tx.webhook_events.newestFirst()].slice(-1), ...log.slice(0, 1)])
  const since = from === 'beginning' ? oldest : (tx.webhook_events.get(from) ?? log.find(({ uid }) => uid === from))
  if (!since && from !== 'beginning')
    throw refuse(
      `from: there is no event ${from} in the log${oldest ? `, whose oldest event is ${oldest.uid}` : ', which is empty'}: pass one that events.list has, now, or beginning`,
    )
  const isMissed = (event: WebhookEventRecord) => isSince(event, since!) && wants(webhook, nameOf(event)!)
  const webhook = tx.webhooks.get(webhook_uid)!
  writeMissing(tx, since ? log.filter(isMissed) : [])
  removeOldest(tx)
  const first = since && oldestOf([...tx.webhook_events.newestFirst()].filter((event) => isSince(event, since)))
  if (!first || webhook.url === null) return
  const before = webhook.next_event_uid === null ? undefined : tx.webhook_events.get(webhook.next_event_uid)
  if (!before || first.made < before.made) tx.webhooks.put({ ...webhook, next_event_uid: first.uid })
  sendSomeMissed(tx, webhook_uid)
}

const oldestOf = ([first, ...others]: readonly WebhookEventRecord[]): WebhookEventRecord | undefined =>
  others.reduce((oldest, event) => (event.made < oldest!.made ? event : oldest), first)

/** An event and the newer ones; of these without test events. */
export const isSince = ({ uid, made, collection }: WebhookEventRecord, first: WebhookEventRecord) =>
  uid === first.uid || (made > first.made && collection !== null)

/** All events of the Program in the log, oldest first. */
type ReadLog = () => readonly WebhookEventRecord[]

/**
 * Events of the log become records when a webhook wants them: the same ones as if it had wanted them before. All in one commit: a task that goes on
 * knows the world, not its history.
 */
export function writeMissing(tx: Tx, events: readonly WebhookEventRecord[]) {
  for (const event of events) if (!tx.webhook_events.get(event.uid)) tx.webhook_events.put(event)
}

/** One commit sends so many of them, and the next task goes on. Returns how many. */
function sendSomeMissed(tx: Tx, webhook_uid: Uid): number {
  const webhook = tx.webhooks.get(webhook_uid)
  if (!webhook || webhook.next_event_uid === null) return 0
  const goOnFrom = (next_event_uid: Uid | null) => tx.webhooks.put({ ...tx.webhooks.get(webhook_uid)!, next_event_uid })
  // The oldest events may have been removed since.
  const first = tx.webhook_events.get(webhook.next_event_uid) ?? [...tx.webhook_events.newestFirst()].at(-1)
  let sent = 0
  for (const event of first ? eventsSince(tx, first) : []) {
    if (sent === MAX_DUE_AT_ONCE) {
      goOnFrom(event.uid)
      wakeAt(tx, webhook_uid, tx.now)
      return sent
    }
    // An example tells of nothing.
    const name = event.collection === null ? undefined : nameOf(event)
    const isWanted = name !== undefined && wants(webhook, name)
    const isKnown = tx.webhook_deliveries.findBy('event_uid', event.uid).some((one) => one.webhook_uid === webhook_uid)
    if (!isWanted || isKnown) continue
    const failure = chooseFailure(tx, webhook_uid, name)
    if (deliver(tx, event, webhook_uid, failure, uidsFor(event, webhook_uid))) sent++
  }
  goOnFrom(null)
  return sent
}

export function wantsEvent(webhook: Pick<Webhook, 'topics'>, event: WebhookEventRecord): boolean {
  const name = nameOf(event)
  return name !== undefined && wants(webhook, name)
}

/** Its deliveries that are not finished fail; its events stay. */
export function remove(tx: Tx, uid: Uid): WebhookRecord {
  const webhook = find(tx, uid)
  failUnfinished(tx, uid)
  tx.webhooks.remove(uid)
  return webhook
}

function failUnfinished(tx: Tx, webhook_uid: Uid, fails: (delivery: WebhookDeliveryRecord) => boolean = () => true) {
  for (const { uid } of tx.tasks.findBy('subject_uid', webhook_uid)) tx.tasks.remove(uid)
  for (const delivery of tx.webhook_deliveries.findBy('webhook_uid', webhook_uid).filter(isUnfinished))
    if (fails(delivery)) tx.webhook_deliveries.put({ ...delivery, status: 'failed', next_attempt_at: null })
    else if (delivery.status === 'waiting') wakeAt(tx, webhook_uid, delivery.next_attempt_at!)
}

/** Of a world that is a copy of another one, whose receivers must not get everything twice. */
export function pauseAll(tx: WorldTx): Uid[] {
  const active = [...tx.webhooks.newestFirst()].filter(({ status }) => status !== 'paused')
  for (const webhook of active) tx.webhooks.put({ ...webhook, status: 'paused' })
  return active.map(({ uid }) => uid)
}

const TEST = 'test'

/** Sends an event that tells of nothing, to the path `/test`. */
export const test = (tx: Tx, uid: Uid): WebhookEventRecord =>
  sendOwn(tx, uid, { topic: TEST, event_type: TEST, details: {} })

function sendOwn(
  tx: Tx,
  uid: Uid,
  about: Pick<WebhookEventRecord, 'topic' | 'event_type' | 'details'>,
): WebhookEventRecord {
  const webhook = find(tx, uid)
  if (webhook.url === null) throw refuse(`uid: the webhook ${uid} has no address that an event could be sent to`)
  const event = tx.webhook_events.put({
    uid: tx.uid(),
    program_uid: tx.program.uid,
    created_at: tx.now,
    ...about,
    collection: null,
    record_uid: null,
  })
  deliver(tx, event, webhook.uid)
  return event
}

/** Sends an example of an event, which tells of no record. */
export function sendExample(tx: Tx, uid: Uid, name: WebhookEventName): WebhookEventRecord {
  const { topic, event_type } = webhookEvents[name]
  return sendOwn(tx, uid, { topic, event_type, details: exampleDetails(name) })
}

const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Webhooks go to this machine, unless the Program allows their host. Returns the reason if it does not. */
export function findHostProblem(
  url: string | null,
  program: Pick<Program, 'webhook_hosts'> | undefined,
): string | undefined {
  if (url === null) return undefined
  const { host, hostname } = new URL(url)
  if (LOCAL_HOST.test(hostname)) return undefined
  if (program?.webhook_hosts.some((allowed) => allowed === host || allowed === hostname)) return undefined
  return `webhooks are sent to this machine only, as in http://127.0.0.1:8080; to allow ${host}, add it to webhook_hosts of the Program`
}

function requireHost(tx: Tx, url: string | null) {
  const reason = findHostProblem(url, tx.program)
  if (reason !== undefined) throw refuse(`url: ${reason}`)
}

// ── Deliveries ─────────────────────────────────────────────────────────────────────────────────────────────────────

const isUnfinished = ({ status }: WebhookDeliveryRecord) =>
  status === 'due' || status === 'waiting' || status === 'held'

/**
 * Brings the outcomes of attempts into the world, each Program's as one record. What is not due any more is left out: a rewind may have
 * removed it, or it was deleted, while it was being sent.
 */
export function recordAttempts(world: WorldTx, outcomes: readonly AttemptOutcome[]): number {
  const due = new Map<Uid, AttemptOutcome>()
  for (const outcome of outcomes) if (isExpected(world, outcome)) due.set(outcome.delivery_uid, outcome)
  const programOf = ({ delivery_uid }: AttemptOutcome) => world.webhook_deliveries.get(delivery_uid)!.program_uid
  for (const program_uid of new Set([...due.values()].map(programOf))) {
    const tx = world.inProgram(program_uid)
    const own = [...due.values()].filter((outcome) => programOf(outcome) === program_uid)
    for (const outcome of own) recordAttempt(tx, outcome)
    // Which outcomes come together depends on the receivers: later uids must not, so this one is not the next of the world.
    const uid = uidAt(`${own[0]!.delivery_uid} ${own[0]!.attempt}`, 0)
    tx.webhook_attempts.put({ uid, program_uid, at: tx.now, ...packOutcomes(own) })
  }
  if (due.size > 0) return due.size
  const [{ attempt, delivery_uid } = {}] = outcomes
  throw refuse(
    `outcomes: none is of an attempt that is due; the first is of attempt ${attempt} of the delivery ${delivery_uid}`,
  )
}

function isExpected(world: WorldTx, { delivery_uid, attempt, ...outcome }: AttemptOutcome): boolean {
  const delivery = world.webhook_deliveries.get(delivery_uid)
  // It may have been held, and released with a failure, while it was being sent.
  if (!delivery || delivery.status === 'delivered') return false
  // Its webhook may have gone on from now, or lost its address: only what was accepted counts.
  if (delivery.status === 'failed' && !isAccepted(outcome)) return false
  return findAttempts(world.inProgram(delivery.program_uid), delivery).length + 1 === attempt
}

function recordAttempt(tx: Tx, { delivery_uid, attempt, ...outcome }: AttemptOutcome) {
  const delivery = tx.webhook_deliveries.get(delivery_uid)!
  const webhook = tx.webhooks.get(delivery.webhook_uid)
  const put = (status: WebhookDeliveryRecord['status'], next_attempt_at: Timestamp | null) =>
    tx.webhook_deliveries.put({ ...delivery, status, next_attempt_at })
  sendReordered(tx, delivery)
  if (isAccepted(outcome)) {
    if (webhook?.status === 'unconfirmed' && isTest(tx, delivery)) tx.webhooks.put({ ...webhook, status: 'active' })
    return put('delivered', null)
  }
  if (delivery.status !== 'due') return delivery
  const wait = webhook?.retry_seconds[attempt - 1]
  if (wait === undefined) return put('failed', null)
  const next_attempt_at = addSeconds(tx.now, wait)
  wakeAt(tx, delivery.webhook_uid, next_attempt_at)
  return put('waiting', next_attempt_at)
}

/** The event that waited for this one is sent now. */
function sendReordered(tx: Tx, { precedes_uid }: WebhookDeliveryRecord) {
  const waiting = precedes_uid === null ? undefined : tx.webhook_deliveries.get(precedes_uid)
  if (waiting?.status === 'waiting') tx.webhook_deliveries.put({ ...waiting, status: 'due', next_attempt_at: tx.now })
}

const isTest = (tx: Tx, { event_uid }: WebhookDeliveryRecord) => tx.webhook_events.get(event_uid)?.topic === TEST

interface Resend {
  readonly webhook_uid?: Uid | undefined
  readonly failure?: DeliveryFailure | undefined
  readonly and_newer?: boolean | undefined
}

/** Sends an event once more, to all webhooks that it was for, or to one; with `and_newer` the newer ones, too, oldest first, to one only those that it wants. */
export function resend(
  tx: Tx,
  event_uid: Uid,
  { webhook_uid, failure, and_newer }: Resend,
  readLog: ReadLog = () => [],
): EventWithDeliveries {
  const event = findEvent(tx, event_uid)
  const webhook = webhook_uid === undefined ? undefined : find(tx, webhook_uid)
  const isWanted = (one: WebhookEventRecord) => !and_newer || !webhook || wantsEvent(webhook, one)
  if (and_newer && webhook) {
    const newer = readLog().filter((one) => isSince(one, event) && isWanted(one))
    writeMissing(tx, newer)
    removeOldest(tx)
  }
  const isSent = (one: WebhookEventRecord) => {
    const before = tx.webhook_deliveries.findBy('event_uid', one.uid).map((delivery) => delivery.webhook_uid)
    const chosen = webhook ? [webhook] : [...new Set(before)].flatMap((uid) => tx.webhooks.get(uid) ?? [])
    return chosen.filter(({ uid }) => deliver(tx, one, uid, failure)).length > 0
  }
  const sent = (and_newer ? eventsSince(tx, event) : [event]).filter((one) => isWanted(one) && isSent(one))
  if (sent.length > 0) return showEvent(tx, event)
  if (and_newer && webhook)
    throw refuse(`webhook_uid: the webhook ${webhook.uid} has no address, or wants none of these events`)
  throw refuse(`uid: the event ${event_uid} was for no webhook that has an address now`)
}

const eventsSince = (tx: ReadTx, first: WebhookEventRecord): WebhookEventRecord[] => {
  const found: WebhookEventRecord[] = []
  for (const event of tx.webhook_events.newestFirst()) {
    if (event.made < first.made) break
    if (isSince(event, first)) found.push(event)
  }
  return found.reverse()
}

/** Holds the deliveries of an event that are not finished. */
export function hold(tx: Tx, event_uid: Uid): EventWithDeliveries {
  const event = findEvent(tx, event_uid)
  for (const delivery of tx.webhook_deliveries.findBy('event_uid', event_uid))
    if (delivery.status === 'due' || delivery.status === 'waiting')
      tx.webhook_deliveries.put({ ...delivery, status: 'held', next_attempt_at: null })
  return showEvent(tx, event)
}

/** Sends the held deliveries of an event. */
export function release(tx: Tx, event_uid: Uid, failure?: DeliveryFailure): EventWithDeliveries {
  const event = findEvent(tx, event_uid)
  for (const delivery of tx.webhook_deliveries.findBy('event_uid', event_uid))
    if (delivery.status === 'held') {
      send(tx, delivery, failure)
      if (failure?.kind === 'duplicate') send(tx, { ...delivery, uid: tx.uid() }, failure)
    }
  return showEvent(tx, event)
}

export const showEvent = (tx: ReadTx, event: WebhookEventRecord): EventWithDeliveries => ({
  ...event,
  deliveries: tx.webhook_deliveries.findBy('event_uid', event.uid).map((delivery) => showDelivery(tx, delivery)),
})

export const showDelivery = (
  tx: ReadTx,
  delivery: WebhookDeliveryRecord,
  add: AddDerived = addDerived,
): WebhookDelivery => add(delivery, { attempts: findAttempts(tx, delivery) })

const findAttempts = (tx: ReadTx, { uid }: WebhookDeliveryRecord): DeliveryAttempt[] =>
  attemptsOf(uid, tx.webhook_attempts.findBy('delivery_uid', uid))

function findEvent(tx: ReadTx, uid: Uid): WebhookEventRecord {
  const event = tx.webhook_events.get(uid)
  if (!event) throw new ApiError('routeNotFound', `there is no event ${uid}`)
  return event
}

function find(tx: Tx, uid: Uid): WebhookRecord {
  const webhook = tx.webhooks.get(uid)
  if (!webhook) throw new ApiError('routeNotFound', `there is no webhook ${uid}`)
  return webhook
}

const refuse = (extra: string) => new ApiError('invalidArgument', extra)
