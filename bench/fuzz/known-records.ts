import type { Body } from '../support/client.ts'
import type { Random } from '../support/random.ts'

/** The records that responses have shown, by collection, so that later requests can name existing ones. */

const MOST = 400

/** Which collection a field's uid belongs to, by the end of its name; the first match counts. */
const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/customer_product_uid$/, 'customer_products'],
  [/customer_uid$/, 'customers'],
  [/pool_uids?$/, 'pools'],
  [/product_uids?$/, 'products'],
  [/synthetic_account_type_uid$/, 'synthetic_account_types'],
  [/synthetic_account_uid$/, 'synthetic_accounts'],
  [/custodial_account_uids?$/, 'custodial_accounts'],
  [/virtual_reference_number_uid$/, 'virtual_reference_numbers'],
  [/webhook_uid$/, 'webhooks'],
  [/delivery_uid$/, 'deliveries'],
  [/transaction_event_uid$/, 'transaction_events'],
  [/transaction_uid$/, 'transactions'],
  [/combined_transfer_uid$/, 'combined_transfers'],
  [/transfer_uid$/, 'transfers'],
  [/return_uid$/, 'returns'],
  [/profile_requirement_uid$/, 'profile_requirements'],
  [/program_uid$/, 'programs'],
]

export const collectionOfField = (field: string): string | undefined =>
  FIELDS.find(([ending]) => ending.test(field))?.[1]

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
  /** Decisions that the sandbox listed as possible, newest last. */
  offers: Offer[] = []

  forget() {
    this.#records.clear()
    this.offers = []
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

  /** Returns a function that finds a uid for a field of this name. */
  uidFinder(random: Random) {
    return (field: string): string | undefined => {
      const collection = collectionOfField(field)
      return collection === undefined ? undefined : this.uid(collection, random)
    }
  }
}
