import type { CollectionName } from '../contract/collections.ts'
import type { ControlReply } from '../contract/control/client.ts'
import type { MethodInput, MethodName, MethodOutput } from '../contract/control/methods.ts'
import type { EndpointName } from '../contract/endpoints.ts'
import { fillExample } from '../contract/terms/examples.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { type Body, exampleOf, fillIn } from '../control/record-actions.ts'
import { type FoundExamples, findExamples } from '../http/examples.ts'
import type { Store } from '../store/store.ts'
import type { ReadRecords, ReadTx } from '../store/tx.ts'
import type { StoredRecord } from '../store/world.ts'
import type { Goal } from './goal.ts'

/** A copy of a world, which is dropped after the search. */
export interface Copy {
  readonly store: Store
  call(method: string, input: unknown): Promise<ControlReply>
  fork(): Copy
  drop(): Promise<void>
}

type Offered = ReturnType<typeof fillIn> extends Iterable<infer One> ? One : never

/** How many records of a collection are looked at: the newest. */
const FEW = 6

/** A world as a step finds it: the records that it can be about. */
export class Place {
  readonly copy: Copy
  readonly goal: Goal
  readonly program: Uid
  /** The Customer that the goal names, or the newest that the way to here has created. */
  readonly customer: Uid | undefined
  #found: FoundExamples | undefined
  readonly #actions = new Map<CollectionName, Offered[]>()

  /** `since`: the position of the first record that the way to here has created. */
  constructor(copy: Copy, goal: Goal, program: Uid, since: number) {
    this.copy = copy
    this.goal = goal
    this.program = program
    this.customer = goal.customer ?? this.read((tx) => newest(tx.customers, 1).find(({ made }) => made >= since)?.uid)
  }

  read<T>(work: (tx: ReadTx) => T): T {
    return this.copy.store.read(this.program, work)
  }

  get values() {
    this.#found ??= this.read((tx) => {
      const { customer } = this
      return findExamples(tx, customer === undefined ? undefined : { collection: 'customers', uid: customer })
    })
    return this.#found.values
  }

  fill<T>(example: T): T {
    return fillExample(example, this.values)
  }

  /** The body of the example, with values of this world. */
  bodyOf(endpoint: Exclude<EndpointName, 'createAccessToken'>): Body {
    return this.fill(exampleOf(endpoint))
  }

  /** The records that a step can be about, the likeliest first. */
  records(collection: CollectionName): readonly Uid[] {
    const { uid, account, state } = this.goal
    if (uid !== undefined && state?.collection === collection) return [uid]
    const named = collection === 'synthetic_accounts' ? account : collection === 'customers' ? this.customer : undefined
    const likely = [named, this.values.get(collection as never)]
    return this.read((tx) => {
      const records = tx[collection] as ReadRecords<StoredRecord>
      const named = likely.map((one) => records.get(one ?? ''))
      // The newest account is the counterparty that a step has just created.
      const found =
        collection === 'synthetic_accounts' ? [...newest(records, FEW), ...named] : [...named, ...newest(records, FEW)]
      return [...new Set(found.flatMap((record) => record?.uid ?? []))]
    })
  }

  /** The requests that the likeliest records offer. */
  actions(collection: CollectionName) {
    const known = this.#actions.get(collection)
    if (known) return known
    const uids = this.records(collection)
    const found = this.read((tx) =>
      uids.flatMap((uid) => {
        const record = (tx[collection] as ReadRecords<StoredRecord>).get(uid)
        return record ? [...fillIn(tx, collection, record)] : []
      }),
    )
    this.#actions.set(collection, found)
    return found
  }

  async ask<N extends MethodName>(method: N, input: MethodInput<N>): Promise<MethodOutput<N> | undefined> {
    const reply = await this.copy.call(method, input)
    return reply.ok ? (reply.value as MethodOutput<N>) : undefined
  }
}

function newest<T extends StoredRecord>(records: ReadRecords<T>, most: number): T[] {
  const found: T[] = []
  for (const record of records.newestFirst()) if (found.push(record) === most) break
  return found
}
