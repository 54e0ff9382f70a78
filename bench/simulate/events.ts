import type { Body } from './calls.ts'
import { readPages } from './lists.ts'
import type { Model } from './model/model.ts'

/**
 * Every change has its event exactly once, in order, and is exactly once on its way to each webhook that wanted it, whatever the webhooks did
 * meanwhile.
 */

type Read = (method: string, input: object) => Promise<Body>

/** Those that tell of a record, oldest first. */
export async function readEvents(read: Read): Promise<Body[]> {
  const events = await readPages((_, page) => read('events.list', page))
  return events.filter(({ collection }) => collection !== null).reverse()
}

/** An event as the model writes it. */
function describeEvent({ topic, event_type, record_uid, details }: Body, positions: ReadonlyMap<string, number>) {
  const was = details.old_status ?? details.prior_status
  const change = was === undefined ? [] : [`${was} to ${details.new_status}`]
  return [topic, positions.get(record_uid) ?? record_uid, event_type, ...change].join(' ')
}

function findPositions({ state }: Model): ReadonlyMap<string, number> {
  const { customers, accounts, payments, transfers, vrns } = state
  const all: readonly (readonly { uid: string | null }[])[] = [customers, accounts, payments, transfers, vrns]
  return new Map(all.flatMap((records) => records.map(({ uid }, of) => [uid ?? '', of] as const)))
}

const recordOf = (event: string) => event.split(' ', 2).join(' ')

/** Of each event of the sandbox its position in the model, where the events of one record are in the same order; or the problem. */
export function matchEvents(model: Model, found: readonly Body[]): number[] | string {
  const positions = findPositions(model)
  const left = new Map<string, number[]>()
  for (const [position, event] of model.state.events.entries()) {
    if (model.state.forgotten.includes(position)) continue
    const record = recordOf(event)
    const known = left.get(record)
    if (known) known.push(position)
    else left.set(record, [position])
  }
  if (model.state.mayForget) forgetOldest(model, left, found, positions)
  const matched: number[] = []
  for (const event of found) {
    const text = describeEvent(event, positions)
    const position = left.get(recordOf(text))?.shift()
    const expected = position === undefined ? 'no more event' : model.state.events[position]
    if (position === undefined || text !== expected)
      return `events.list has "${text}" of ${event.record_uid}, expected was ${expected}`
    matched.push(position)
  }
  const [missing] = [...left.values()].flat()
  return missing === undefined ? matched : `events.list lacks "${model.state.events[missing]}"`
}

/** A bundle has only the end of a long history: the oldest events of a record may be missing in its world. */
function forgetOldest(
  { state }: Model,
  left: ReadonlyMap<string, number[]>,
  found: readonly Body[],
  positions: ReadonlyMap<string, number>,
) {
  const records = found.map((event) => recordOf(describeEvent(event, positions)))
  for (const [record, known] of left) {
    const kept = records.filter((one) => one === record).length
    state.forgotten.push(...known.splice(0, Math.max(0, known.length - kept)))
  }
  state.mayForget = false
}

/** Learns the uid of a webhook that was created without an answer. */
export async function findWebhookProblem(model: Model, read: Read): Promise<string | undefined> {
  const { webhooks } = model.state
  const found: Body[] = (await read('webhooks.list', {})).webhooks
  const unknown = found.filter(({ uid }) => !webhooks.some((one) => one.uid === uid))
  for (const webhook of webhooks) webhook.uid ??= unknown.shift()?.uid ?? null
  const expected = webhooks.map(({ uid }) => uid).sort()
  const uids = found.map(({ uid }) => uid).sort()
  if (expected.join() !== uids.join()) return `webhooks.list has ${uids}, expected were ${expected}`
  const listed = await readEvents(read)
  const matched = matchEvents(model, listed)
  return typeof matched === 'string' ? matched : findDeliveryProblem(model, listed, matched)
}

function findDeliveryProblem({ state }: Model, listed: readonly Body[], matched: readonly number[]) {
  for (const { uid, owed, hasAddress } of state.webhooks) {
    const wanted = new Set(owed)
    for (const [n, event] of listed.entries()) {
      const count = event.deliveries.filter(({ webhook_uid }: Body) => webhook_uid === uid).length
      const expected = hasAddress && wanted.has(matched[n]!) ? 1 : 0
      if (count !== expected)
        return `The event "${state.events[matched[n]!]}" is ${count} times on its way to the webhook ${uid}, expected was ${expected}`
    }
  }
  return undefined
}

/** What the receivers of all webhooks got, outside of the world. */
export class Receiver {
  accepts = true
  /** It has refused something, so a delivery may have failed for good. */
  hasRefused = false
  /** Each accepted event by the address of its webhook, in order. */
  readonly accepted = new Map<string, string[]>()
  /** What was accepted, whose outcome may not be recorded yet. */
  #recent = new Set<string>()
  /** What must not be sent again: its outcome is in the world. */
  #recorded = new Set<string>()
  attempts = 0
  problem: string | undefined

  receive = (url: URL, text: string): number => {
    this.attempts++
    if (!this.accepts) {
      this.hasRefused = true
      return 503
    }
    const [, webhook = ''] = url.pathname.split('/')
    const { event_id } = JSON.parse(text)
    const key = `${webhook} ${event_id}`
    if (this.#recent.has(key) || this.#recorded.has(key))
      this.problem ??= `The receiver ${webhook} got the event ${event_id} twice`
    this.#recent.add(key)
    this.accepted.set(webhook, [...(this.accepted.get(webhook) ?? []), event_id])
    return 204
  }

  /** What was sent so far is recorded in the world. */
  noteRecorded() {
    for (const key of this.#recent) this.#recorded.add(key)
    this.#recent.clear()
  }

  /** A crash or a failing disk may have lost the outcomes that were not recorded yet. */
  allowRepetition() {
    this.#recent.clear()
  }

  /** The world is another one, whose uids may be issued again. */
  forget() {
    this.#recent.clear()
    this.#recorded.clear()
  }

  /** When everything was sent: what was delivered was received, in the order of the events of each record. */
  async findProblem(model: Model, isOrdered: boolean, read: Read): Promise<string | undefined> {
    if (this.problem !== undefined) return this.problem
    const listed = await readEvents(read)
    const addresses: Body[] = (await read('webhooks.list', {})).webhooks
    for (const { uid, hasAddress, wasMoved } of model.state.webhooks) {
      if (!hasAddress) continue
      const { url } = addresses.find((one) => one.uid === uid)
      const accepted = this.accepted.get(new URL(url).pathname.slice(1)) ?? []
      const latest = new Map<string, number>()
      for (const { uid: event, record_uid, deliveries } of listed) {
        const delivery = deliveries.find(({ webhook_uid }: Body) => webhook_uid === uid)
        if (!delivery) continue
        const at = accepted.indexOf(event)
        const mayFail = this.hasRefused || wasMoved
        if (delivery.status !== 'delivered' && !(mayFail && delivery.status === 'failed'))
          return `The event ${event} is ${delivery.status} to the webhook ${uid}, though its receiver accepts it`
        if (delivery.status === 'delivered' && at < 0) return `The receiver of ${uid} never got the event ${event}`
        if (!isOrdered || mayFail) continue
        if (at < (latest.get(record_uid) ?? 0))
          return `The receiver of ${uid} got the event ${event} before an earlier one`
        latest.set(record_uid, at)
      }
    }
    return undefined
  }
}
