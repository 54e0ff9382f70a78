import type { Cause } from '../contract/control/history.ts'
import type { Timestamp, Uid } from '../contract/terms/primitives.ts'
import type { Collection, Field } from './collection.ts'
import type { Change, Commit, EventNumbers, Origin, PassedStatus, WorldDiff } from './commit.ts'
import type { Seal } from './seal.ts'
import type { AllRecords, NewRecord, ReadTx, Records, Tx, WorldTx } from './tx.ts'
import { digitsAt, uidAt } from './uid.ts'
import {
  type ClockState,
  type CollectionName,
  type Collections,
  type Counters,
  collectionNames,
  collectionOf,
  digestOf,
  eventCollections,
  type StoredRecord,
  type World,
} from './world.ts'

/** Throws if the commit breaks an invariant; the draft is then undone. */
export type Check = (commit: Pick<Commit, 'changes' | 'goes_on_from'>) => void

/** What differs when all records are replaced: in a list, or in a file if there are many. */
export type ReplacedRecords = Pick<Commit, 'changes' | 'replacement'>

/** Adds what follows from the changes of a transaction to records that have events. */
export type Announce = (changes: Pick<Commit, 'changes' | 'passed'>, draft: Draft) => void

/**
 * The writes of one transaction. They go to the collections at once, and each notes the record before it; `undo` restores
 * these. Transactions are synchronous, so no other code can see a draft.
 */
export class Draft {
  readonly #world: World
  readonly #seal: Seal
  readonly now: Timestamp
  readonly #isFrozen: boolean
  readonly #canWait: boolean
  readonly #counters: Counters
  readonly #clock: ClockState
  readonly #origin: Origin
  readonly #collections: Collections
  #continuesFrom: number | undefined
  #replaced: ReplacedRecords | undefined
  readonly #before = new Map<CollectionName, Map<Uid, StoredRecord | undefined>>()
  readonly #passed: PassedStatus[] = []
  #events: Pick<Commit, 'events' | 'passed'> = {}
  /** What it changes has happened before. */
  #isRepeated = false

  /** `canWait`: throws IndexMissing instead of building a large index at once. */
  constructor(world: World, seal: Seal, now: Timestamp, isFrozen: boolean, canWait = false) {
    this.#world = world
    this.#seal = seal
    this.now = now
    this.#isFrozen = isFrozen
    this.#canWait = canWait
    this.#collections = world.collections
    this.#counters = world.counters
    this.#clock = world.clock
    this.#origin = { seed: world.seed, start: world.start }
  }

  forWorld(): WorldTx {
    const world = this.#world
    const own: Omit<WorldTx, keyof AllRecords | 'clock'> = {
      now: this.now,
      setClock(clock) {
        world.clock = clock
      },
      inProgram: (uid) => this.forProgram(uid),
      uid: this.#nextUid,
      seal: this.#seal,
    }
    const tx = Object.assign(this.#records(undefined), own)
    Object.defineProperty(tx, 'clock', { get: () => world.clock })
    return tx as WorldTx
  }

  forProgram(program_uid: Uid, now = this.now): Tx {
    const { program, pace } = this.#scope(program_uid)
    const records = this.#records(program_uid)
    const own: Omit<Tx, keyof AllRecords> = {
      now,
      pace,
      program,
      seal: this.#seal,
      hints: [],
      uid: this.#nextUid,
      digits: (length) => digitsAt(this.#world.seed, this.#nextCount(), length),
      schedule: ({ kind, due_at, subject_uid, why, recurring = false }) => {
        const uid = this.#nextUid()
        return records.tasks.put({
          uid,
          program_uid,
          kind,
          due_at,
          subject_uid,
          why,
          recurring,
          held: false,
          failed: null,
        })
      },
      clientHasCustomer: (external_uid) => {
        const { programs, customers } = this.#world.collections
        const siblings = programs.inOrder().filter(({ client_uid }) => client_uid === program.client_uid)
        return siblings.some(({ uid }) =>
          customers
            .shelf(uid)
            .findByIndex('external_uid', external_uid)
            ?.some((customer) => customer.external_uid === external_uid),
        )
      },
    }
    return Object.assign(records, own)
  }

  /** Throws on writes: a ReadTx that is cast to a Tx must not change the world without a commit. */
  forReading(program_uid: Uid): ReadTx {
    const { program, pace } = this.#scope(program_uid)
    const records = this.#records(program_uid, () => {
      throw new Error('Reading does not change records: use transact')
    })
    return Object.assign(records, { now: this.now, pace, program, seal: this.#seal })
  }

  announceChanges(announce: Announce) {
    if (!this.#isRepeated) announce({ changes: this.#changes(eventCollections), passed: this.#passed }, this)
  }

  get hasWebhooks(): boolean {
    return this.#collections.webhooks.size > 0
  }

  /** A commit that draws no uid draws one here, so that no other commit has these numbers. */
  numberEvents(count: number): EventNumbers {
    if (this.#world.counters.uid === this.#counters.uid) this.#nextCount()
    const { uid, made } = this.#world.counters
    this.#world.counters = { uid, made: made + count }
    this.repeatEvents({ events: { uid, made }, ...(this.#passed.length > 0 ? { passed: this.#passed } : {}) })
    return { uid, made }
  }

  /** Of a commit that is repeated. */
  repeatEvents({ events, passed }: Pick<Commit, 'events' | 'passed'>) {
    this.#events = { ...(events ? { events } : {}), ...(passed ? { passed } : {}) }
  }

  /** Writes saved records, which have their position already. */
  putRecords(changes: WorldDiff['changes']) {
    this.#isRepeated = true
    for (const { collection, uid, record } of changes) this.#write(collection, uid, record ?? undefined)
  }

  setCounters(counters: Counters) {
    this.#world.counters = counters
  }

  /** Continues from the commit `seq`, perhaps of another world. */
  continueFrom({ seq, origin, clock, counters, issued_uids }: Omit<WorldDiff, 'changes'>) {
    this.#continuesFrom = seq
    const { seed, start } = origin
    const issued = seed === this.#world.seed ? this.#world.counters.uid : 0
    const uid = issued_uids === undefined ? counters.uid : Math.max(counters.uid, issued_uids, issued)
    Object.assign(this.#world, { seed, start, clock, counters: { ...counters, uid } })
  }

  /** Replaces all records; `replaced` has the differences. */
  replaceCollections(collections: Collections, replaced: ReplacedRecords) {
    this.#world.collections = collections
    this.#replaced = replaced
  }

  /** An error names the cause of the commit: a failed check is a defect of the sandbox. */
  runCheck(check: Check, commit: Commit) {
    try {
      check(commit)
    } catch (error) {
      const { door, name } = commit.cause
      throw new Error(`${(error as Error).message} (by the ${door} ${name})`, { cause: error })
    }
  }

  /** undefined if nothing changed. */
  toCommit(cause: Cause): Commit | undefined {
    const { counters, clock, seq, seed, start } = this.#world
    const { changes = this.#changes(), replacement } = this.#replaced ?? {}
    const hasNewClock = clock !== this.#clock
    const hasNewOrigin = seed !== this.#origin.seed || start !== this.#origin.start
    if (changes.length === 0 && !hasNewClock && !hasNewOrigin && !this.#replaced) return undefined
    return {
      seq: seq + 1,
      at: this.now,
      cause,
      counters,
      ...(hasNewClock ? { clock, was_clock: this.#clock } : {}),
      ...(this.#isFrozen && !hasNewClock && clock.at > this.now ? { stood_at: clock.at } : {}),
      ...(hasNewOrigin ? { origin: { seed, start }, was_origin: this.#origin } : {}),
      ...(this.#continuesFrom === undefined ? {} : { goes_on_from: this.#continuesFrom }),
      changes,
      ...this.#events,
      digest: `${digestOf(this.#world)}`,
      ...(replacement ? { replacement } : {}),
    }
  }

  undo() {
    this.#world.collections = this.#collections
    for (const [name, notes] of [...this.#before].reverse())
      for (const [uid, before] of [...notes].reverse()) collectionOf(this.#world, name).set(uid, before)
    const { seed, start } = this.#origin
    Object.assign(this.#world, { seed, start, counters: this.#counters, clock: this.#clock })
  }

  #changes(wanted?: ReadonlySet<CollectionName>): Commit['changes'] {
    const changes: Change[] = []
    for (const [collection, notes] of this.#before) {
      if (wanted && !wanted.has(collection)) continue
      const records = collectionOf(this.#world, collection)
      for (const [uid, before] of notes) {
        const record = records.get(uid) ?? null
        if (record || before) changes.push({ collection, uid, record, was: before ?? null })
      }
    }
    return changes
  }

  #nextCount(): number {
    const { uid, made } = this.#world.counters
    this.#world.counters = { uid: uid + 1, made }
    return uid
  }

  #nextUid = (): Uid => uidAt(this.#world.seed, this.#nextCount())

  #scope(program_uid: Uid) {
    const program = this.#world.collections.programs.get(program_uid)
    if (!program) throw new Error(`There is no Program ${program_uid}`)
    return { program, pace: program.behaves_as === 'hosted' ? 'fast' : this.#world.clock.pace } as const
  }

  #records(program_uid: Uid | undefined, write = this.#write): AllRecords {
    return new LazyCollections(
      (name) =>
        new ScopedRecords(
          collectionOf(this.#world, name),
          { program: program_uid, canWait: this.#canWait },
          (uid, after) => write(name, uid, after),
        ),
    ) as unknown as AllRecords
  }

  #notePassed(uid: Uid, [first, before, after]: readonly (StoredRecord | undefined)[]) {
    const status = statusOf(before)
    if (status !== undefined && status !== statusOf(first) && status !== statusOf(after))
      this.#passed.push({ uid, status })
  }

  #write = (name: CollectionName, uid: Uid, after: NewRecord<StoredRecord> | undefined): StoredRecord | undefined => {
    if (after && after.made === undefined) {
      const { uid: count, made } = this.#world.counters
      Object.assign(after, { made })
      this.#world.counters = { uid: count, made: made + 1 }
    }
    const record = after as StoredRecord | undefined
    if (record) freeze(record)
    const before = collectionOf(this.#world, name).set(uid, record)
    let notes = this.#before.get(name)
    if (!notes) this.#before.set(name, (notes = new Map()))
    if (!notes.has(uid)) notes.set(uid, before)
    else if (before && eventCollections.has(name)) this.#notePassed(uid, [notes.get(uid), before, record])
    return record
  }
}

const statusOf = (record: StoredRecord | undefined) => (record as { readonly status?: string } | undefined)?.status

/** Most drafts use few collections, so access to each is created on first use (docs/performance.md). */
class LazyCollections {
  readonly #create: (name: CollectionName) => ScopedRecords<StoredRecord>
  readonly #created = new Map<CollectionName, ScopedRecords<StoredRecord>>()

  constructor(create: (name: CollectionName) => ScopedRecords<StoredRecord>) {
    this.#create = create
  }

  static {
    for (const name of collectionNames)
      Object.defineProperty(LazyCollections.prototype, name, {
        get(this: LazyCollections) {
          let records = this.#created.get(name)
          if (!records) this.#created.set(name, (records = this.#create(name)))
          return records
        },
      })
  }
}

/** A collection, limited to one Program or not. */
class ScopedRecords<T extends StoredRecord> implements Records<T> {
  readonly #collection: Collection<T>
  readonly #program: Uid | undefined
  readonly #canWait: boolean
  readonly #write: (uid: Uid, after: NewRecord<T> | undefined) => StoredRecord | undefined

  constructor(
    collection: Collection<T>,
    { program, canWait }: { program: Uid | undefined; canWait: boolean },
    write: (uid: Uid, after: NewRecord<T> | undefined) => StoredRecord | undefined,
  ) {
    this.#collection = collection
    this.#program = program
    this.#canWait = canWait
    this.#write = write
  }

  get size(): number {
    return this.#program === undefined ? this.#collection.size : this.#collection.shelf(this.#program).size
  }

  get(uid: Uid): T | undefined {
    const record = this.#collection.get(uid)
    return this.#program === undefined || record?.program_uid === this.#program ? record : undefined
  }

  newestFirst(): Iterable<T> {
    return this.#program === undefined
      ? newestOf(this.#collection.inOrder())
      : this.#collection.shelf(this.#program).newestFirst()
  }

  findByIndex(field: string, values: readonly string[]): readonly T[] | undefined {
    const shelves = this.#shelves(field)
    const [only, ...others] = shelves
    if (only && others.length === 0 && values.length === 1) return only.findByIndex(field, values[0]!)?.toReversed()
    const found = new Set<T>()
    for (const shelf of shelves)
      for (const value of values) {
        const records = shelf.findByIndex(field, value)
        if (!records) return undefined
        for (const record of records) found.add(record)
      }
    return [...found].sort((a, b) => b.made - a.made)
  }

  bucket(field?: string, value?: string) {
    const [only, ...others] = this.#shelves(field)
    return only && others.length === 0 ? only.bucket(field, value) : undefined
  }

  findBy(field: Field<T>, value: string): T[] {
    const found = this.findByIndex(field, [value])
    if (!found) throw noIndex(field)
    return found.filter((record) => hasExactly(record[field], value)).reverse()
  }

  *newestFirstBy(field: Field<T>, value: string): Iterable<T> {
    if (this.#program === undefined) return yield* this.findBy(field, value).reverse()
    const found = this.#shelves(field)[0]!.bucket(field, value)
    if (!found) throw noIndex(field)
    for (const record of found.newestFirst()) if (hasExactly(record[field], value)) yield record
  }

  countBy(field: Field<T>, value: string): number {
    return this.#shelves(field).reduce((sum, shelf) => {
      const found = shelf.bucket(field, value)
      if (!found) throw noIndex(field)
      return sum + found.size
    }, 0)
  }

  put(record: NewRecord<T>): T {
    if (this.#program !== undefined && record.program_uid !== this.#program)
      throw new Error(`A draft of Program ${this.#program} cannot write a record of ${record.program_uid}`)
    return this.#write(record.uid, record) as unknown as T
  }

  remove(uid: Uid): void {
    if (this.get(uid)) this.#write(uid, undefined)
  }

  /** `field`: whose index is needed. */
  #shelves(field?: string) {
    const collection = this.#collection
    const shelves = this.#program === undefined ? [...collection.shelves()] : [collection.shelf(this.#program)]
    if (this.#canWait && field !== undefined) for (const shelf of shelves) shelf.requireIndex(field)
    return shelves
  }
}

function* newestOf<T>(records: readonly T[]): Iterable<T> {
  for (let i = records.length - 1; i >= 0; i--) yield records[i]!
}

const noIndex = (field: string) => new Error(`No index on ${field}: declare it in world.ts`)

const hasExactly = (held: unknown, value: string) => (Array.isArray(held) ? held.includes(value) : held === value)

/** Frozen records can be shared by drafts, notices, snapshots and the window. */
function freeze(value: object) {
  Object.freeze(value)
  for (const part of Object.values(value))
    if (typeof part === 'object' && part !== null && !Object.isFrozen(part)) freeze(part)
}
