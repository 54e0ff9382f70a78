import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import type { MethodOutput } from '../contract/control/methods.ts'
import type { EventWithDeliveries, Webhook, WebhookDelivery } from '../contract/resources/webhooks.ts'
import { EVENT_EXPECTED, type ExpectedEvent, type Path } from '../contract/scenarios.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { listEvents } from '../contract/webhooks.ts'
import { wants } from '../domain/resources/webhooks.ts'
import { type ComparedValue, compareFields, compareValues } from './match.ts'
import { valueAt } from './paths.ts'

/**
 * Compares the events of webhooks with those that a scenario expects.
 *
 * Assumed (invented): an expectation looks at all events of the run that no earlier expectation has taken, and takes those that it finds: without `times`
 * the oldest one that matches, with `times` all that match. Their order counts only where `in_order` asks for it, because the platform
 * promises an order for the events of one record only.
 *
 * Assumed (invented): an expectation that finds no event fails if no active webhook keeps such events, also one of `times: 0`, which would prove nothing.
 */

/** Calls a control method that must succeed. */
type CallMethod = (name: 'events.list' | 'webhooks.list', input: unknown) => Promise<unknown>

type Event = EventWithDeliveries

interface CheckedEvents {
  readonly checks: readonly ComparedValue[]
  /** What came instead, and what to do. */
  readonly trouble?: string
}

/** The name of an event, from a variable, is wrong. */
export class UnknownEvent extends Error {}

const PAGE = 1_000
const MAX_SHOWN = 5
const POLL_MS = 20
/** Longer than eight receivers in a row that do not answer. */
const MAX_WAIT_MS = 60_000

export class EventChecker {
  readonly #call: CallMethod
  readonly #taken = new Set<Uid>()

  constructor(call: CallMethod) {
    this.#call = call
  }

  /** For a world that was replaced: it may issue the same uids again. */
  forget() {
    this.#taken.clear()
  }

  async check(expected: readonly ExpectedEvent[], program_uid: Uid, at: Path): Promise<CheckedEvents> {
    const events = await this.#readEvents(program_uid)
    const { webhooks } = (await this.#call('webhooks.list', { program_uid })) as MethodOutput<'webhooks.list'>
    const checks: ComparedValue[] = []
    const troubles: string[] = []
    let after = -1
    for (const [i, entry] of expected.entries()) {
      const search = this.#search(entry, events, after, webhooks)
      const compared = compareSearch(search, [...at, i])
      checks.push(...compared)
      if (compared.some(({ ok }) => !ok)) {
        troubles.push(explain(search))
        continue
      }
      for (const { uid } of search.found) this.#taken.add(uid)
      after = Math.max(after, ...search.found.map((event) => events.indexOf(event)))
      if (entry.delivered === undefined) continue
      const delivered = await this.#checkDelivered(search, program_uid, [...at, i, 'delivered'])
      checks.push(...delivered.checks)
      if (delivered.trouble !== undefined) troubles.push(delivered.trouble)
    }
    const [trouble] = troubles
    return { checks, ...(trouble === undefined ? {} : { trouble }) }
  }

  #search(entry: ExpectedEvent, events: readonly Event[], after: number, webhooks: readonly Webhook[]): Search {
    if (listEvents(entry.event).length === 0)
      throw new UnknownEvent(`there is no event "${entry.event}"; ${EVENT_EXPECTED}`)
    const matching = events.filter((event) => isNamed(event, entry) && countDiffering(event, entry) === 0)
    const untaken = matching.filter(({ uid }) => !this.#taken.has(uid))
    const inOrder = untaken.filter((event) => entry.in_order !== true || events.indexOf(event) > after)
    return {
      entry,
      found: entry.times === undefined ? inOrder.slice(0, 1) : inOrder,
      isTaken: untaken.length < matching.length,
      isEarlier: inOrder.length < untaken.length,
      others: nearestFirst(
        events.filter((event) => !this.#taken.has(event.uid) && !matching.includes(event)),
        entry,
      ),
      notKept: explainNotKept(entry, webhooks),
    }
  }

  /** Oldest first. */
  async #readEvents(program_uid: Uid): Promise<readonly Event[]> {
    const events = new Map<Uid, Event>()
    for (let offset = 0; ; offset += PAGE) {
      const input = { program_uid, wanted: true, limit: PAGE, offset }
      const { data, total_count } = (await this.#call('events.list', input)) as MethodOutput<'events.list'>
      for (const event of data) events.set(event.uid, event)
      if (offset + PAGE >= total_count) break
    }
    // A test event tells of nothing.
    return [...events.values()].reverse().filter(({ collection }) => collection !== null)
  }

  /** Waits for what is being sent. */
  async #checkDelivered({ entry, found }: Search, program_uid: Uid, at: Path): Promise<CheckedEvents> {
    const { webhooks } = (await this.#call('webhooks.list', { program_uid })) as MethodOutput<'webhooks.list'>
    const paused = new Set(webhooks.flatMap(({ uid, status }) => (status === 'paused' ? [uid] : [])))
    const isBeingSent = ({ status, webhook_uid }: WebhookDelivery) => status === 'due' && !paused.has(webhook_uid)
    const uids = new Set(found.map(({ uid }) => uid))
    let events = found
    for (const begun = performance.now(); events.some(({ deliveries }) => deliveries.some(isBeingSent)); ) {
      if (performance.now() - begun > MAX_WAIT_MS) break
      await setTimeout(POLL_MS)
      events = (await this.#readEvents(program_uid)).filter(({ uid }) => uids.has(uid))
    }
    const wrong = events.find(({ deliveries }) => {
      const accepted = new Set(deliveries.flatMap((one) => (one.status === 'delivered' ? [one.webhook_uid] : [])))
      if (entry.delivered === false) return accepted.size > 0
      return deliveries.length === 0 || deliveries.some(({ webhook_uid }) => !accepted.has(webhook_uid))
    })
    const actual = wrong ? wrong.deliveries.map(({ status }) => status).join(', ') || 'not sent' : entry.delivered
    const check = { what: `delivered ${entry.event}`, expected: entry.delivered, actual, ok: !wrong, at }
    return { checks: [check], ...(wrong ? { trouble: explainDelivery(wrong, webhooks) } : {}) }
  }
}

interface Search {
  readonly entry: ExpectedEvent
  readonly found: readonly Event[]
  /** An earlier expectation has taken one that matches. */
  readonly isTaken: boolean
  /** One that matches came before those of the entry before. */
  readonly isEarlier: boolean
  /** The untaken events that do not match, nearest first. */
  readonly others: readonly Event[]
  /** Why such events are not kept; undefined if they are. */
  readonly notKept: string | undefined
}

const nameOf = ({ topic, event_type }: Event) => `${topic}.${event_type}`
const isNamed = (event: Event, { event: name }: ExpectedEvent) => event.topic === name || nameOf(event) === name

const compareDetails = ({ details }: Event, entry: ExpectedEvent, at: Path): ComparedValue[] =>
  compareFields(entry.event, entry.details ?? {}, details, at)
const countDiffering = (event: Event, entry: ExpectedEvent) =>
  compareDetails(event, entry, []).filter(({ ok }) => !ok).length

/** By name, then by topic, then by the number of details that differ; newest first. */
function nearestFirst(events: readonly Event[], entry: ExpectedEvent): readonly Event[] {
  const [topic] = entry.event.split('.')
  const ranked = events.map((event, i) => ({
    event,
    rank: [isNamed(event, entry) ? 0 : event.topic === topic ? 1 : 2, countDiffering(event, entry), -i],
  }))
  const compare = (a: readonly number[], b: readonly number[]) => a.map((n, i) => n - b[i]!).find((n) => n !== 0) ?? 0
  return ranked.sort((a, b) => compare(a.rank, b.rank)).map(({ event }) => event)
}

/** The details are compared with those of the event that was found, or of the nearest one. */
function compareSearch({ entry, found, others, notKept }: Search, at: Path): ComparedValue[] {
  const { event, details, times } = entry
  const inDetails = [...at, 'details']
  const [nearest] = others.filter((other) => isNamed(other, entry))
  const missing: ComparedValue[] = nearest
    ? compareDetails(nearest, entry, inDetails)
    : [{ what: `event ${event}`, expected: details ?? 'one', ok: false, at }]
  if (times === undefined) {
    const [one] = found
    if (!one) return missing
    return details && Object.keys(details).length > 0
      ? compareDetails(one, entry, inDetails)
      : [{ what: `event ${event}`, expected: 'one', actual: 'one', ok: true, at }]
  }
  const counted = compareValues(`number of ${event}`, times, found.length, [...at, 'times'])
  if (found.length > 0) return counted
  if (notKept !== undefined) return counted.map((check) => ({ ...check, ok: false }))
  return counted.some(({ ok }) => !ok) && nearest ? [...counted, ...missing] : counted
}

// ── Explanations ─────────────────────────────────────────────────────────────────────────────────────────────────

function explain({ entry, found, isTaken, isEarlier, others, notKept }: Search): string {
  const { event, details } = entry
  if (found.length > 0)
    return `${found.length} such ${found.length === 1 ? 'event came' : 'events came'}: ${formatEvents(found, entry)}`
  if (notKept !== undefined) return notKept
  const what = `${event}${details ? ' with these details' : ''}`
  if (isEarlier)
    return `${what} came before the events of the expectation above it: change their order, or leave out in_order`
  const taken = isTaken
    ? '; an earlier expectation has taken one: put the expectation with more details first, or count them with times'
    : ''
  if (others.length === 0) return `${what} did not come, nor did another event${taken || `; ${ADVANCE}`}`
  return `${what} did not come${taken}; other events that came, nearest first: ${formatEvents(others, entry)}`
}

const ADVANCE = 'if its time has not come yet, advance the clock before'

/** The first ones, with the fields that are expected. */
function formatEvents(events: readonly Event[], entry: ExpectedEvent): string {
  const shown = events.slice(0, MAX_SHOWN).map((event) => {
    const paths = isNamed(event, entry) ? Object.keys(entry.details ?? {}) : []
    const fields = paths.map((path) => `${path}: ${JSON.stringify(valueAt(event.details, path)) ?? 'absent'}`)
    return fields.length === 0 ? describeEvent(event) : `${describeEvent(event)} (${fields.join(', ')})`
  })
  return `${shown.join(', ')}${events.length > MAX_SHOWN ? ` and ${events.length - MAX_SHOWN} more` : ''}`
}

const describeEvent = (event: Event) => `${nameOf(event)} of ${event.collection}/${event.record_uid}`

function explainNotKept({ event }: ExpectedEvent, webhooks: readonly Webhook[]): string | undefined {
  if (webhooks.length === 0)
    return 'no webhook keeps events: add the step operator: { call: webhooks.create, input: { url: null } } before what causes them'
  if (listEvents(event).every((name) => webhooks.some((webhook) => wants(webhook, name)))) return undefined
  const topics = [...new Set(webhooks.flatMap((webhook) => webhook.topics ?? []))]
  return `the webhooks keep no events ${event}, only ${topics.join(', ')}: add ${event} to the topics of webhooks.create`
}

function explainDelivery(event: Event, webhooks: readonly Webhook[]): string {
  const { deliveries } = event
  const what = describeEvent(event)
  if (deliveries.length === 0) return `${what} was sent nowhere: give webhooks.create the url of a receiver`
  const delivery = deliveries.find(({ status }) => status !== 'delivered') ?? deliveries[0]!
  const { status, attempts, next_attempt_at, webhook_uid } = delivery
  const last = attempts.at(-1)
  const answered = last
    ? ` (attempt ${attempts.length}: ${last.status === null ? last.error : `status ${last.status}`})`
    : ''
  const webhook = webhooks.find(({ uid }) => uid === webhook_uid)
  switch (status) {
    case 'delivered':
      return `${what} was delivered${answered}`
    case 'waiting':
      return `${what} waits for its next attempt${answered}: advance the clock to ${next_attempt_at}`
    case 'held':
      return `${what} is held${answered}: call events.release`
    case 'dropped':
      return `${what} was dropped on purpose: call events.resend to send it`
    case 'failed':
      return `${what} was not delivered, and no attempt is left${answered}: check the receiver`
    case 'due':
      if (webhook?.status === 'paused')
        return `${what} is not sent, because its webhook is paused: call webhooks.update with status: active`
      if (webhook?.status === 'unconfirmed')
        return `${what} is not sent, because the receiver of its webhook has not accepted the test event: start the receiver and advance the clock, or create the webhook with confirm: false`
      return `${what} is still being sent${answered}: check the receiver`
  }
}
