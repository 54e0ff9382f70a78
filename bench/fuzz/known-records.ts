import { collectionNames } from '../../src/api/contract/collections.ts'
import type { ExampleName, ExampleValues } from '../../src/api/contract/terms/examples.ts'
import type { Body } from '../support/client.ts'
import type { Random } from '../support/random.ts'

/** The records that responses have shown, by collection, so that later requests can name existing ones. */

const MOST = 400

/** Records that are parts of others. */
const PARTS = ['profile_requirements', 'deliveries']
const COLLECTIONS = [...collectionNames, ...PARTS].sort((a, b) => b.length - a.length)

/** The collection that a field such as `initiating_customer_uid` names. */
const collectionOfField = (field: string): string | undefined => {
  const words = field.replace(/y_uid$/, 'ies_uid').replace(/s?_uids?$/, 's')
  return /_uids?$/.test(field) ? COLLECTIONS.find((name) => words.replace(/ies_uid$/, 'ies').endsWith(name)) : undefined
}

/** Those whose records change. */
const CHANGING = [
  ...['customers', 'synthetic_accounts', 'transfers', 'transactions'],
  ...['virtual_reference_numbers', 'returns', 'combined_transfers'],
]

export interface Offer {
  readonly collection: string
  readonly uid: string
  readonly move: string
  readonly inputs: readonly { readonly name: string; readonly required: boolean; readonly values?: readonly string[] }[]
}

export class KnownRecords {
  readonly #records = new Map<string, Map<string, Body>>()
  /** Simulated time as of the last response. */
  now = '2026-08-14T14:00:00.000Z'
  /** The number of commits as of the last response that has it. */
  seq = 0
  /** The Program that sends the requests. */
  mainProgram = ''
  /** The values near one Customer that `requests.examples` found last. */
  examples: ExampleValues = new Map()
  /** Decisions that the sandbox listed as possible, newest last. */
  offers: Offer[] = []

  forget() {
    this.#records.clear()
    this.offers = []
    this.examples = new Map()
  }

  /** Adds the record, or the records of the list, in a response. */
  learn(collection: string, body: Body) {
    if (Array.isArray(body?.data)) for (const record of body.data) this.#add(collection, record)
    else this.#add(collection, body)
  }

  learnMoves({ collection, uid }: Body, moves: readonly Body[]) {
    for (const { legal, move, inputs } of moves) if (legal) this.offers.push({ collection, uid, move, inputs })
    this.offers = this.offers.slice(-30)
  }

  #add(collection: string, record: Body) {
    if (typeof record?.uid !== 'string') return
    const known = this.#of(collection)
    known.delete(record.uid)
    known.set(record.uid, record)
    if (known.size > MOST) known.delete(known.keys().next().value!)
    for (const requirement of record.profile_requirements ?? [])
      this.#of('profile_requirements').set(requirement.profile_requirement_uid, requirement)
    for (const delivery of record.deliveries ?? []) this.#add('deliveries', delivery)
    for (const uid of record.pool_uids ?? []) if (!this.#of('pools').has(uid)) this.#of('pools').set(uid, { uid })
  }

  #of(collection: string) {
    let known = this.#records.get(collection)
    if (!known) this.#records.set(collection, (known = new Map()))
    return known
  }

  all(collection: string): Body[] {
    return [...this.#of(collection).values()]
  }

  /** One of the records that fit, often a new one, because new records can still change. */
  pick(collection: string, random: Random, fits: (record: Body) => boolean = () => true): Body | undefined {
    const fitting = this.all(collection).filter(fits)
    if (fitting.length === 0) return undefined
    const from = random.chance(0.5) ? fitting.slice(-8) : fitting
    return random.pick(from)
  }

  uid(collection: string, random: Random): string | undefined {
    return this.pick(collection, random)?.uid
  }

  anyRecord(random: Random) {
    const collection = random.pick(CHANGING)
    return { collection, uid: this.uid(collection, random) ?? 'unknown' }
  }

  /** Returns a function that finds a uid for a field of this name: mostly one of the present Customer. */
  uidFinder(random: Random) {
    return (field: string): string | undefined => {
      const collection = collectionOfField(field)
      if (collection === undefined) return undefined
      const near = this.examples.get(collection as ExampleName)
      return near && random.chance(0.6) ? near : this.uid(collection, random)
    }
  }
}
