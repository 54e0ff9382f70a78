import type { EndpointName } from '../../../src/api/contract/endpoints.ts'
import type { Commit } from '../../../src/api/store/commit.ts'
import type { CollectionName } from '../../../src/api/store/world.ts'
import { type Body, type Doors, InternalError } from './doors.ts'

const readers = {
  customers: 'getCustomer',
  custodial_accounts: 'getCustodialAccount',
  synthetic_accounts: 'getSyntheticAccount',
  transfers: 'getTransfer',
  transactions: 'getTransaction',
  virtual_reference_numbers: 'getVirtualReferenceNumber',
  returns: 'getReturn',
  combined_transfers: 'getCombinedTransfer',
} as const satisfies Partial<Record<CollectionName, EndpointName>>
export type ObservedCollection = keyof typeof readers
const CAN_BE_DISABLED: readonly ObservedCollection[] = ['returns', 'combined_transfers']

const isObserved = (name: CollectionName): name is ObservedCollection => Object.hasOwn(readers, name)

export interface Observation {
  readonly collection: ObservedCollection
  readonly uid: string
  readonly before: Body | undefined
  readonly after: Body
}

/** Reads what a commit has changed through the API, as a client would. */
export class Observer {
  readonly known: { readonly [N in ObservedCollection]: Map<string, Body> } = {
    customers: new Map(),
    custodial_accounts: new Map(),
    synthetic_accounts: new Map(),
    transfers: new Map(),
    transactions: new Map(),
    virtual_reference_numbers: new Map(),
    returns: new Map(),
    combined_transfers: new Map(),
  }
  #unread = new Map<string, ObservedCollection>()
  /** Records of features that the Program has disabled. */
  #hidden = new Map<string, ObservedCollection>()
  #doors!: Doors

  observe(doors: Doors) {
    this.#doors = doors
    doors.store.subscribe((commit) => this.#addChanges(commit))
  }

  #addChanges({ changes }: Commit) {
    for (const { collection, uid, record } of changes)
      if (isObserved(collection) && record) this.#unread.set(uid, collection)
  }

  /** Reads all changed records. A read can run due tasks, which change more records, so it repeats until nothing is unread. */
  async read(): Promise<Observation[]> {
    const observations: Observation[] = []
    while (this.#unread.size > 0) {
      const unread = [...this.#unread]
      this.#unread.clear()
      for (const [uid, collection] of unread) {
        const reply = await this.#doors.request(readers[collection], { params: { uid } })
        if (!reply.ok) {
          if (!CAN_BE_DISABLED.includes(collection))
            throw new InternalError(`${collection} ${uid} cannot be read: ${reply.status}/${reply.code}`)
          this.#hidden.set(uid, collection)
          continue
        }
        observations.push({ collection, uid, before: this.known[collection].get(uid), after: reply.body })
        this.known[collection].set(uid, reply.body)
      }
    }
    return observations
  }

  /** Tries again to read the records of disabled features. */
  readHidden(): Promise<Observation[]> {
    for (const [uid, collection] of this.#hidden) this.#unread.set(uid, collection)
    this.#hidden.clear()
    return this.read()
  }

  all(collection: ObservedCollection): Body[] {
    return [...this.known[collection].values()]
  }
}
