import type { CollectionName } from '../contract/collections.ts'
import type { ExchangeDetail } from '../contract/control/exchanges.ts'
import { endpoints } from '../contract/endpoints.ts'
import { errors } from '../contract/errors.ts'
import { breakingOf, statesOf, withStates } from '../contract/reach.ts'
import type { Endpoint } from '../contract/terms/endpoint.ts'
import type { Timestamp, Uid } from '../contract/terms/primitives.ts'
import { outcomeOf } from '../contract/triggers.ts'
import { findEvents } from '../domain/rules/webhook-events.ts'
import { toTimestamp } from '../store/clock.ts'
import type { Commit } from '../store/commit.ts'
import type { ReadRecords } from '../store/tx.ts'
import { collectionOf as recordsOf, type StoredRecord } from '../store/world.ts'
import { fieldsOf, valueAt, withFields } from './fields.ts'
import { distancesTo, type Goal, isReached } from './goal.ts'
import {
  type Call,
  codeOfGoal,
  collectionOf,
  endpointsWith,
  generalAccount,
  type Move,
  movesFor,
  openingsFor,
  type RequestName,
  request,
  type Sent,
  settingsFor,
  wordsOf,
} from './moves.ts'
import { type Copy, Place } from './place.ts'

/**
 * Looks for a short way to a goal, in copies of a world: from the world as it is and from what a Customer needs for payments, and first where
 * the fewest steps and moves of the machine are expected in all. A world that shows nothing new is not looked at again. Then each step is left
 * out that the goal does not need, and for some more copies a way with fewer steps in all is looked for. Not all are looked at, so another way may
 * be shorter.
 */

export interface Way {
  readonly calls: readonly Call[]
  /** With which code each request was refused; null if it was accepted, and for other calls. */
  readonly codes: readonly (number | null)[]
  readonly record: { readonly collection: CollectionName; readonly uid: Uid } | null
  readonly ends_at: Timestamp
}

/** Ends a search that has found nothing by then. */
const MOST_COPIES = 2_500
/** How many records may be so already. */
const MOST_LOOKED_AT = 5_000

/** How long a way with fewer steps is looked for. */
const FURTHER_COPIES = 300

/** Of a goal without a machine, and of a record that no move leads to it. */
const MOST_LACKING = 4

interface Node {
  readonly copy: Copy
  readonly moves: readonly Move[]
  readonly root: Root
}

/** What the search has seen from one beginning. */
interface Root {
  /** How many lead to it. */
  readonly steps: number
  readonly seen: Set<string>
  /** The endpoints whose example was accepted, so that breaking it was tried. */
  readonly broken: Set<string>
}

interface Taken {
  readonly call: Call
  readonly code: number | null
  readonly record: Way['record']
  readonly isThere: boolean
}

export class Search {
  readonly #goal: Goal
  readonly #source: Copy
  readonly #program: Uid
  readonly #since: number
  readonly #moves: readonly Move[]
  readonly #places = new WeakMap<Copy, Place>()
  /** How many moves of the machine lead from each state to the goal. */
  readonly #distances: ReadonlyMap<string, number>
  #copies = 0

  constructor(goal: Goal, source: Copy) {
    this.#goal = goal
    this.#source = source
    this.#program = goal.program
    this.#since = source.store.world.counters.made
    this.#moves = movesFor(goal)
    this.#distances = distancesTo(goal)
  }

  /** Undefined if nothing was found. */
  async run(): Promise<Way | undefined> {
    const already = this.#findAlready()
    if (already) return { calls: [], codes: [], record: already, ends_at: toTimestamp(this.#source.store.clock.now()) }
    return this.#look()
  }

  #findAlready(): Way['record'] {
    const { state, uid } = this.#goal
    if (!state) return null
    return this.#placeOf(this.#source).read((tx) => {
      const records = tx[state.collection] as ReadRecords<StoredRecord>
      let looked = 0
      for (const one of uid === undefined ? records.newestFirst() : [records.get(uid)!]) {
        if (isReached(this.#goal, state.collection, one)) return { collection: state.collection, uid: one.uid }
        if (++looked === MOST_LOOKED_AT) break
      }
      return null
    })
  }

  /** The place after the steps of a copy, which nothing changes any more. */
  #placeOf(copy: Copy): Place {
    const place = this.#places.get(copy) ?? new Place(copy, this.#goal, this.#program, this.#since)
    this.#places.set(copy, place)
    return place
  }

  async #look(): Promise<Way | undefined> {
    const begins: Node[] = []
    let copy = this.#source.fork()
    let moves: readonly Move[] = []
    // A setting goes with all that follows; it is left out in the end if it is not needed.
    for (const further of openingsFor(this.#goal, this.#moves)) {
      for (const move of further) {
        const taken = await this.#take(copy, move)
        if (!taken) continue
        moves = [...moves, move]
        if (taken.isThere) return this.#shorten(moves)
        await copy.drop()
        copy = taken.copy
      }
      const root = { steps: moves.length, seen: new Set<string>(), broken: new Set<string>() }
      const node = { copy: copy.fork(), moves, root }
      this.#isNew(node)
      begins.push(node)
    }
    const [present, ...prepared] = begins
    // The records of the world first, then what lacks nothing.
    const nodes = [present!, ...prepared.toReversed()]
    for (const node of nodes) {
      const last = await this.#findRefused(node)
      if (last) return this.#shorten([...node.moves, ...last])
    }
    return this.#lookOn(nodes)
  }

  /** Once a way is found, fewer steps in all are looked for, those of the openings included. */
  async #lookOn(nodes: readonly Node[]): Promise<Way | undefined> {
    let best: Way | undefined
    let most = MOST_COPIES
    let queue: Node[][] = []
    const push = (node: Node) => void (queue[this.#rankOf(node, best !== undefined)] ??= []).push(node)
    for (const node of nodes) push(node)
    for (;;) {
      const node = queue.find((nodes) => nodes && nodes.length > 0)?.shift()
      if (!node || this.#copies > most) return best
      const canBeShorter = !best || node.moves.length + 1 < best.calls.length
      const moves = canBeShorter ? await this.#expand(node, push) : undefined
      await node.copy.drop()
      const way = moves && (await this.#shorten(moves))
      if (!way || (best && best.calls.length <= way.calls.length)) continue
      if (!best) most = this.#copies + FURTHER_COPIES
      best = way
      const others = queue.flat()
      queue = []
      for (const other of others) if (other) push(other)
    }
  }

  /** The less the sooner: the steps since the beginning, or all; the moves of its machine that a record still needs; fewer if data forces the code. */
  #rankOf({ copy, moves, root }: Node, inAll: boolean): number {
    const { code, state } = this.#goal
    const place = this.#placeOf(copy)
    const lacking = (state ? place.records(state.collection) : []).map((uid) => {
      const now = textAt(recordsOf(copy.store.world, state!.collection).get(uid)!, state!.field)
      return this.#distances.get(now) ?? MOST_LACKING
    })
    const nearest = Math.min(MOST_LACKING, ...lacking)
    const forced = code ?? (state?.state === 'returned' ? 'ach_return' : undefined)
    const isForced = forced && [...factsOf(place, this.#since)].some((fact) => fact.includes(`"${forced}"`))
    const depth = moves.length - (inAll ? 0 : root.steps) - (isForced ? 2 : 0)
    return Math.max(0, depth + nearest) * (MOST_LACKING + 1) + nearest
  }

  async #expand(node: Node, push: (node: Node) => void): Promise<readonly Move[] | undefined> {
    for (const move of this.#moves) {
      const taken = await this.#take(node.copy, move)
      if (!taken) continue
      const moves = [...node.moves, move]
      if (taken.isThere) {
        await taken.copy.drop()
        return moves
      }
      const next = { copy: taken.copy, moves, root: node.root }
      if (!this.#isNew(next)) {
        await taken.copy.drop()
        continue
      }
      push(next)
      const last = await this.#findRefused(next)
      if (last) return [...moves, ...last]
    }
    return undefined
  }

  /** Takes a step in a fork. Undefined if it is not possible there. */
  async #take(copy: Copy, move: Move): Promise<(Taken & { readonly copy: Copy }) | undefined> {
    const call = await move.make(this.#placeOf(copy))
    if (!call) return undefined
    const next = copy.fork()
    const taken = await this.#call(next, call)
    if (taken) return { copy: next, ...taken }
    await next.drop()
    return undefined
  }

  /** Undefined if it is refused otherwise than the goal says. */
  async #call(copy: Copy, call: Call): Promise<Taken | undefined> {
    this.#copies++
    const commits: Commit[] = []
    const end = copy.store.subscribe((commit) => void commits.push(commit))
    const reply = await copy.call(call.method, call.input)
    end()
    if (!reply.ok) return undefined
    const code = codeOfGoal(this.#goal)
    const answered = call.method === 'exchanges.send' ? codeOfAnswer(reply.value as ExchangeDetail) : null
    if (answered !== null && answered !== code) return undefined
    const record = this.#findRecord(copy, commits)
    return { call, code: answered, record, isThere: record !== null || (code !== null && answered === code) }
  }

  #findRecord({ store }: Copy, commits: readonly Commit[]): Way['record'] {
    const { event } = this.#goal
    for (const commit of commits)
      for (const found of event === undefined ? [] : findEvents(commit))
        if (found.name === event && found.now.program_uid === this.#program)
          return { collection: found.change.collection, uid: found.now.uid }
    for (const { changes } of commits)
      for (const { collection, uid } of changes) {
        const record = recordsOf(store.world, collection).get(uid)
        if (record && (isReached(this.#goal, collection, record) || this.#hasInside(record))) return { collection, uid }
      }
    return null
  }

  /** An error that no response has, only a record. */
  #hasInside(record: StoredRecord): boolean {
    const { error } = this.#goal
    return (
      error !== undefined &&
      errors[error].raised === 'inside' &&
      JSON.stringify(record).includes(`"code":${errors[error].code}`)
    )
  }

  /** Whether something is so in this world that was not so in those before. */
  #isNew({ copy, root: { seen } }: Pick<Node, 'copy' | 'root'>): boolean {
    const before = seen.size
    for (const fact of factsOf(this.#placeOf(copy), this.#since)) seen.add(fact)
    return seen.size > before
  }

  // ── Errors ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Steps that end with a request that is refused with the error here. */
  async #findRefused({ copy, moves, root }: Node): Promise<readonly Move[] | undefined> {
    const { error } = this.#goal
    if (error === undefined) return undefined
    const { send, times = 1 } = breakingOf(this.#goal)
    if (send) {
      const { method, path, body: _, ...further } = send
      const text = [`${method} ${path}`, ...wordsOf(further, further)].join(', ')
      const make: Move['make'] = async ({ program: program_uid }) => ({
        method: 'exchanges.send',
        input: { program_uid, ...send },
        text,
      })
      const move: Move = { id: 'send', about: 'programs', make }
      return [...settingsFor(this.#goal), ...Array.from({ length: times }, () => move)]
    }
    const place = this.#placeOf(copy)
    for (const endpoint of endpointsWith(this.#goal)) {
      const isValid = !root.broken.has(endpoint) && (await this.#isAccepted(place, endpoint))
      if (isValid) root.broken.add(endpoint)
      const isFirst = isValid || moves.length === root.steps
      for (const { id } of requestsAt(place, endpoint, this.#goal, isFirst)) {
        const move = refused(endpoint, id, this.#goal, isFirst)
        if (await move.make(place)) return [move]
      }
    }
    return undefined
  }

  async #isAccepted(place: Place, endpoint: RequestName): Promise<boolean> {
    for (const one of requestsAt(place, endpoint, this.#goal, false))
      if (await request(place, endpoint, one)) return true
    return false
  }

  // ── The way that was found ─────────────────────────────────────────────────────────────────────────────────────

  /** Without each step that it does not need, and those that are not possible without that one: from the last to the first. */
  async #shorten(moves: readonly Move[]): Promise<Way | undefined> {
    let best = await this.#walk(moves)
    for (let at = moves.length - 2; best && at >= 0; at--) {
      if (at > best.moves.length - 2) continue
      const fewer = await this.#walk(best.moves.toSpliced(at, 1))
      // Again without the steps that were not possible, as it will be taken in the world.
      const way = fewer && fewer.moves.length < best.moves.length - 1 ? await this.#walk(fewer.moves) : fewer
      if (way && way.moves.length === fewer?.moves.length) best = way
    }
    return best?.way
  }

  /** Takes the steps in one copy, and leaves out those that are not possible. */
  async #walk(moves: readonly Move[]): Promise<{ readonly way: Way; readonly moves: readonly Move[] } | undefined> {
    const copy = this.#source.fork()
    const calls: Call[] = []
    const codes: (number | null)[] = []
    const kept: Move[] = []
    let way: Way | undefined
    for (const move of moves) {
      const call = await move.make(new Place(copy, this.#goal, this.#program, this.#since))
      const taken = call && (await this.#call(copy, call))
      if (!taken) continue
      calls.push(taken.call)
      codes.push(taken.code)
      kept.push(move)
      way = taken.isThere
        ? { calls, codes, record: taken.record, ends_at: toTimestamp(copy.store.clock.now()) }
        : undefined
      if (way) break
    }
    await copy.drop()
    return way && { way, moves: kept }
  }
}

/** The log does not judge what a fault has answered. */
export const codeOfAnswer = ({ code, fault, response }: ExchangeDetail): number | null =>
  fault === undefined ? code : Number(/"code":(\d{1,9})/.exec(response.body)?.[1] ?? 0) || null

const KINDS = ['type', 'rail', 'customer_type', 'synthetic_account_category', 'originated', 'ach.prenote'] as const
/** They are there, or not. */
const MARKS = ['locked_at', 'turned_at', 'return_uid', 'wire.uetr'] as const
const SIDES = ['source_synthetic_account_uid', 'destination_synthetic_account_uid'] as const

/** The length of the day in an instant, and of its hour. */
const DAY = 10
const HOUR = 13

/** Records do not change, and copies share them: what is read of one is kept. */
function once<T extends object>(read: (record: T, collection: CollectionName) => string) {
  const known = new WeakMap<T, string>()
  return (record: T, collection: CollectionName) => {
    const found = known.get(record) ?? read(record, collection)
    known.set(record, found)
    return found
  }
}

/** What the data of a record forces; with an empty text for each that forces nothing, so a field that is missing makes a difference, too. */
const forcedBy = once<StoredRecord>((record) =>
  fieldsOf(record)
    .flatMap(([path, value]) =>
      typeof value === 'string' ? JSON.stringify(outcomeOf(path.slice(path.lastIndexOf('.') + 1), value) ?? '') : [],
    )
    .join(' '),
)

/** The state, the kind and the forced outcomes of a record. */
const factOf = once<StoredRecord>((record, collection) => {
  const states = statesOf(collection).map(([field]) => textAt(record, field))
  const kinds = KINDS.map((field) => textAt(record, field))
  const marks = MARKS.map((field) => textAt(record, field).length > 9)
  const hasMoney = Number(textAt(record, 'net_usd_available_balance')) > 0
  return [collection, ...states, ...kinds, ...marks, hasMoney, forcedBy(record, collection)].join(' ')
})

/** What of a world can make a difference to the steps that follow: the newest records, and their number. */
function* factsOf(place: Place, since: number): Iterable<string> {
  const { world } = place.copy.store
  const accounts = world.collections.synthetic_accounts
  for (const name of withStates) {
    let made = 0
    for (const uid of place.records(name)) {
      const record = recordsOf(world, name).get(uid)!
      // A step can be possible only with a record of the way, whose Customer is another one.
      const isOfWay = record.made >= since
      if (isOfWay) made++
      const sides = SIDES.flatMap((field) => accounts.get(textAt(record, field)) ?? [])
      yield [isOfWay, factOf(record, name), ...sides.map((side) => forcedBy(side, 'synthetic_accounts'))].join(' ')
    }
    yield `${name} ${Math.min(made, 3)}`
  }
  const { advance } = breakingOf(place.goal)
  yield world.clock.at.slice(0, advance ? HOUR : DAY)
  yield JSON.stringify(world.collections.programs.get(place.program))
}

const textAt = (record: object, path: string): string => String(valueAt(record, path))

interface Candidate extends Sent {
  readonly id: string
}

const UNKNOWN_UID = '1111111111111111'
const WRONG_VALUES = ['x', '0.00', '999999.00', '99999999.00'] as const
const NAMED = ['customers', 'synthetic_accounts', 'transactions', 'products', 'virtual_reference_numbers'] as const

/** Requests of an endpoint that may be refused here: its valid ones about each record, and, with `isFirst`, each field of them broken. */
function* requestsAt(place: Place, endpoint: RequestName, goal: Goal, isFirst: boolean): Iterable<Candidate> {
  const declared: Endpoint = endpoints[endpoint]
  const { query, body: fields } = breakingOf(goal)
  const collection = collectionOf(endpoint)
  const uids = declared.path.includes('{uid}') ? [...place.records(collection), UNKNOWN_UID] : [undefined]
  const example = declared.body ? place.bodyOf(endpoint) : undefined
  const offered = offersOf(place, endpoint)
  const bodies = [...(example ? [example] : []), ...offered.slice(0, 3).map(({ body }) => body)]
  const valid: Candidate[] = [
    ...(endpoint === 'createSyntheticAccount' ? [{ id: 'general', body: generalAccount(place) }] : []),
    ...offered.map(({ uid, body }, at) => ({ id: `offer ${at}`, uid, body })),
    ...uids.map((uid, at) => ({ id: `record ${at}`, uid, query, body: example })),
  ]
  yield* valid
  if (fields)
    for (const one of valid)
      if (one.body)
        yield { ...one, id: `${one.id} with fields`, body: withFields(one.body, place.fill(fields)), decides: fields }
  if (!isFirst) return
  const others = NAMED.flatMap((name) => place.records(name).slice(0, 4))
  // Only an invalid request is answered with 400; other errors are about records and amounts.
  const isInvalid = errors[goal.error!].status === 400
  for (const [at, body] of bodies.entries())
    for (const [path, value] of fieldsOf(body)) {
      const isUid = typeof value === 'string' && value.length === 16 && path.endsWith('_uid')
      const values = isUid ? [UNKNOWN_UID, ...others] : isInvalid || path.endsWith('amount') ? WRONG_VALUES : []
      for (const [i, given] of [...(isInvalid ? [undefined] : []), ...values].entries())
        yield {
          id: `body ${at} ${path} ${i}`,
          uid: uids[0],
          body: withFields(body, { [path]: given }),
          decides: { [path]: given },
        }
    }
}

const offersOf = (place: Place, endpoint: string) =>
  (['customers', 'synthetic_accounts', 'virtual_reference_numbers', 'transfers', 'transactions'] as const).flatMap(
    (name) =>
      place
        .actions(name)
        .flatMap((one) => (one.endpoint === endpoint ? [{ uid: one.params.uid, body: one.body }] : [])),
  )

/** The candidate with this id, wherever it is refused as the goal says. */
const refused = (endpoint: RequestName, id: string, goal: Goal, isFirst: boolean): Move => ({
  id: `refused ${endpoint}`,
  about: collectionOf(endpoint),
  make: async (place) => {
    for (const one of requestsAt(place, endpoint, goal, isFirst))
      if (one.id === id) return request(place, endpoint, one, codeOfGoal(goal))
    return undefined
  },
})
