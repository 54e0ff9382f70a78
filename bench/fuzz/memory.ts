import type { Body } from '../support/caller.ts'
import type { Luck } from '../support/luck.ts'

/** What the answers told of: records by collection, so that later requests speak of what is really there. */

const MOST = 400

/** Fields that name a record of a collection, by how their names end; the first that fits counts. */
const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/customer_product_uid$/, 'customer_products'],
  [/customer_uid$/, 'customers'],
  [/pool_uids?$/, 'pools'],
  [/product_uids?$/, 'products'],
  [/synthetic_account_type_uid$/, 'synthetic_account_types'],
  [/synthetic_account_uid$/, 'synthetic_accounts'],
  [/custodial_account_uids?$/, 'custodial_accounts'],
  [/virtual_reference_number_uid$/, 'virtual_reference_numbers'],
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

export class Memory {
  readonly #records = new Map<string, Map<string, Body>>()
  /** Simulated time, as last heard. */
  now = '2026-08-14T14:00:00.000Z'
  /** Moves that were said to be legal, the newest last. */
  offers: Offer[] = []

  forget() {
    this.#records.clear()
    this.offers = []
  }

  /** Whatever an answer says of a collection. */
  learn(collection: string, answer: Body) {
    if (Array.isArray(answer?.data)) for (const record of answer.data) this.#keep(collection, record)
    else this.#keep(collection, answer)
  }

  learnMoves(of: Body, moves: readonly Body[]) {
    for (const { legal, move, inputs } of moves)
      if (legal) this.offers.push({ collection: of.collection, uid: of.uid, move, inputs })
    this.offers = this.offers.slice(-30)
  }

  #keep(collection: string, record: Body) {
    if (typeof record?.uid !== 'string') return
    const of = this.#of(collection)
    of.delete(record.uid)
    of.set(record.uid, record)
    if (of.size > MOST) of.delete(of.keys().next().value!)
    for (const requirement of record.profile_requirements ?? [])
      this.#of('profile_requirements').set(requirement.profile_requirement_uid, requirement)
    for (const uid of record.pool_uids ?? []) if (!this.#of('pools').has(uid)) this.#of('pools').set(uid, { uid })
  }

  #of(collection: string) {
    let of = this.#records.get(collection)
    if (!of) this.#records.set(collection, (of = new Map()))
    return of
  }

  all(collection: string): Body[] {
    return [...this.#of(collection).values()]
  }

  /** Mostly the newest, whose story is not over. */
  some(collection: string, luck: Luck, fits: (record: Body) => boolean = () => true): Body | undefined {
    const fitting = this.all(collection).filter(fits)
    if (fitting.length === 0) return undefined
    const from = luck.chance(0.5) ? fitting.slice(-8) : fitting
    return luck.pick(from)
  }

  uid(collection: string, luck: Luck): string | undefined {
    return this.some(collection, luck)?.uid
  }

  /** For fields of schemas: the uid that a field of this name might hold. */
  known(luck: Luck) {
    return (field: string): string | undefined => {
      const collection = collectionOfField(field)
      return collection === undefined ? undefined : this.uid(collection, luck)
    }
  }
}
