import type { Cause } from '../contract/control.ts'
import type { Source } from '../contract/terms/list.ts'
import type { Timestamp, Uid } from '../contract/terms/primitives.ts'
import { type Clock, toMs, toTimestamp } from './clock.ts'
import type { Collection, Field } from './collection.ts'
import { type Seal, sealOf } from './seal.ts'
import { digitsAt, uidAt } from './uid.ts'
import {
  type ClockState,
  type CollectionName,
  type Counters,
  collectionNames,
  collectionOf,
  type ProgramRecord,
  type RecordOf,
  type StoredRecord,
  type TaskRecord,
  type World,
} from './world.ts'

/**
 * The world is changed only here, inside `transact` or `operate`: all of the work happens, or none.
 *
 * The work writes into the collections at once, and every write notes what was there before. When the work or the
 * saving throws, the notes are played backwards. As all of this is synchronous nobody can look in between, so this
 * gives what an overlay would give, and a draft reads its own writes, through indexes and lists too, for nothing.
 */

/** A record to be put: the store gives the order of making to a new one. */
export type NewRecord<T extends StoredRecord> = Omit<T, 'made'> & { readonly made?: number }

export interface Records<T extends StoredRecord> extends Source<T> {
  get(uid: Uid): T | undefined
  /** The records whose indexed field is exactly this, in order of making. */
  by(field: Field<T>, value: string): T[]
  /** The same, the newest first, for whoever may stop early. */
  newestBy(field: Field<T>, value: string): Iterable<T>
  /** How many records have this value in an indexed field, case ignored. */
  count(field: Field<T>, value: string): number
  put(record: NewRecord<T>): T
  remove(uid: Uid): void
}

type AllRecords = { readonly [N in CollectionName]: Records<RecordOf[N]> }

/** What a draft without a Program can do: the operator's, and the making of worlds. It sees every Program. */
export interface WorldTx extends AllRecords {
  readonly now: Timestamp
  readonly clock: ClockState
  setClock(clock: ClockState): void
  /** The same draft, seen from one Program. */
  inProgram(uid: Uid): Tx
  uid(): Uid
  readonly seal: Seal
}

/** A draft of one Program: other Programs' records are not there. */
export interface Tx extends AllRecords {
  readonly now: Timestamp
  readonly pace: ClockState['pace']
  readonly program: ProgramRecord
  uid(): Uid
  /** A number of so many digits that no other drawing gives again, but by rare chance. */
  digits(length: number): string
  readonly seal: Seal
  schedule(task: Pick<TaskRecord, 'kind' | 'due_at' | 'subject_uid' | 'why'> & { recurring?: boolean }): TaskRecord
  /** The one question that crosses Programs: is this external_uid taken by a Customer of the same Client? */
  clientHasCustomer(external_uid: string): boolean
}

export interface Change {
  readonly collection: CollectionName
  readonly uid: Uid
  /** null when the record is no more. */
  readonly record: StoredRecord | null
  /** What was there before; null when the record is new. So the history can be walked backwards. */
  readonly was: StoredRecord | null
}

export interface Commit {
  readonly seq: number
  readonly at: Timestamp
  readonly cause: Cause
  readonly counters: Counters
  /** Only when the commit set it, with what it was before. */
  readonly clock?: ClockState
  readonly was_clock?: ClockState
  /** Only when a clock that does not tick stood later than the work was due, as after a task that was held back. */
  readonly stood_at?: Timestamp
  /** Only when the commit put another world in the place of this one, grown from another seed. */
  readonly origin?: Origin
  readonly was_origin?: Origin
  /** Only when the commit put another state in the place of the one before: the commit that it goes on from. */
  readonly goes_on_from?: number
  readonly changes: readonly Change[]
}

/** What everything else of a world follows from, besides what came in. */
export interface Origin {
  readonly seed: string
  readonly start: Timestamp
}

/** A whole world to put in the place of the present one; or only how it differs. */
export interface Target {
  /** The commit after which the world was so; 0 for a fresh one. */
  readonly seq: number
  readonly origin: Origin
  readonly clock: ClockState
  readonly counters: Counters
  readonly changes: readonly Pick<Change, 'collection' | 'uid' | 'record'>[]
}

/** A change with what was there before: for whoever checks a commit before it is kept. */
export interface Checked {
  readonly collection: CollectionName
  readonly before: StoredRecord | undefined
  readonly after: StoredRecord | undefined
}
/** Throws when the changes break a rule that always holds; then nothing has happened. */
export type Check = (changes: readonly Checked[], world: World) => void

/**
 * Which commits somebody has a use for: those that hold one of the texts, and those before a commit. Others may be left
 * out, but for those that put another state in the place of the one before.
 */
export interface WantedCommits {
  readonly texts?: readonly string[] | undefined
  readonly before?: number | undefined
}

/** Where commits are kept. Throws when it could not keep this one. */
export interface CommitLog {
  append(commit: Commit, world: World): void
  /** The commits that are kept, the newest first. */
  newestFirst(wanted?: WantedCommits): Iterable<Commit>
  /** The number of the first commit that is kept, or less. */
  readonly from: number
}

/** The work was done and could not be kept, as on a full disk: it has not happened, and may be tried again. */
export class NotKept extends Error {
  override name = 'NotKept'
}

export class Store {
  readonly world: World
  readonly clock: Clock
  #seal: Seal
  readonly #log: CommitLog
  readonly #check: Check
  readonly #listeners = new Set<(commit: Commit) => void>()
  #draft: Draft | null = null
  /** Looked for when somebody first asks. */
  #turn: Commit | null | undefined
  onListenerFault: (error: unknown) => void = () => {}

  constructor(world: World, clock: Clock, log: CommitLog, check: Check = () => {}) {
    this.world = world
    this.clock = clock
    this.#seal = sealOf(world.seed)
    this.#log = log
    this.#check = check
  }

  /** Grown from the world's seed, so that one seed seals the same everywhere. */
  get seal(): Seal {
    return this.#seal
  }

  /** Work in one Program. `at` is given by the passing of time; every other door works at simulated now. */
  transact<T>(program: Uid, cause: Cause, work: (tx: Tx) => T, at = this.clock.now()): T {
    return this.#run(cause, at, (draft) => work(draft.forProgram(program)))
  }

  /** Work on the whole world. */
  operate<T>(cause: Cause, work: (tx: WorldTx) => T, at = this.clock.now()): T {
    return this.#run(cause, at, (draft) => work(draft.forWorld()))
  }

  /** The commit that last put another state in the place of the present one; null when none is kept. */
  get turn(): Commit | null {
    if (this.#turn === undefined) {
      this.#turn = null
      for (const commit of this.history({ texts: [] }))
        if (commit.goes_on_from !== undefined) {
          this.#turn = commit
          break
        }
    }
    return this.#turn
  }

  /** The first commit that the history can hold. */
  get historyFrom(): number {
    return this.#log.from
  }

  /** The history as it is kept, the newest commit first. */
  history(wanted?: WantedCommits): Iterable<Commit> {
    return this.#log.newestFirst(wanted)
  }

  /**
   * Puts another state in the place of the present one, as a commit like any other, so that it can be undone like any
   * other. The books of that state were proved when it came about.
   */
  replace(cause: Cause, { seq, origin, clock, counters, changes }: Target): void {
    this.#run(
      cause,
      toMs(clock.at),
      (draft) => {
        draft.place(changes)
        draft.become(seq, origin, clock, counters)
      },
      () => {},
    )
  }

  /** A commit of another world's history, done again in this one as it was, and checked again. */
  relive({ cause, at, changes, counters, clock }: Omit<Commit, 'seq'>): void {
    this.#run(cause, toMs(at), (draft) => {
      draft.place(changes)
      draft.count(counters)
      if (clock) draft.forWorld().setClock(clock)
    })
  }

  subscribe(listener: (commit: Commit) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** What was committed stays so, whatever a listener makes of it. */
  #tell(commit: Commit) {
    for (const listener of this.#listeners)
      try {
        listener(commit)
      } catch (error) {
        this.onListenerFault(error)
      }
  }

  #run<T>(cause: Cause, at: number, work: (draft: Draft) => T, check = this.#check): T {
    if (this.#draft) throw new Error('A transaction is open already: the domain takes its tx as an argument')
    const draft = new Draft(this.world, this.seal, toTimestamp(at), !this.clock.ticks)
    // A clock that does not tick by itself stands where the last work was done.
    if (!this.clock.ticks && draft.now > this.world.clock.at) this.world.clock = { ...this.world.clock, at: draft.now }
    this.#draft = draft
    let commit: Commit | undefined
    let result: T
    try {
      result = work(draft)
      commit = draft.commit(cause)
      if (commit) {
        draft.pass(check, cause)
        try {
          this.#log.append(commit, this.world)
        } catch (error) {
          throw new NotKept(error instanceof Error ? error.message : String(error), { cause: error })
        }
        this.world.seq = commit.seq
      } else draft.undo()
    } catch (error) {
      draft.undo()
      throw error
    } finally {
      this.#draft = null
    }
    if (commit?.goes_on_from !== undefined) this.#turn = commit
    if (commit?.origin) this.#seal = sealOf(commit.origin.seed)
    if (commit?.clock) this.clock.restart()
    if (commit) this.#tell(commit)
    return result
  }
}

class Draft {
  readonly #world: World
  readonly #seal: Seal
  readonly now: Timestamp
  readonly #counters: Counters
  readonly #clock: ClockState
  readonly #origin: Origin
  #goesOnFrom: number | undefined
  /** The clock does not tick by itself. */
  readonly #stands: boolean
  readonly #before = new Map<CollectionName, Map<Uid, StoredRecord | undefined>>()

  constructor(world: World, seal: Seal, now: Timestamp, stands: boolean) {
    this.#stands = stands
    this.#world = world
    this.#seal = seal
    this.now = now
    this.#counters = world.counters
    this.#clock = world.clock
    this.#origin = { seed: world.seed, start: world.start }
  }

  uid = (): Uid => {
    const { uid, made } = this.#world.counters
    this.#world.counters = { uid: uid + 1, made }
    return uidAt(this.#world.seed, uid)
  }

  forWorld(): WorldTx {
    const world = this.#world
    const seen = this.#records(undefined)
    const own: Omit<WorldTx, keyof AllRecords | 'clock'> = {
      now: this.now,
      setClock(clock) {
        world.clock = clock
      },
      inProgram: (uid) => this.forProgram(uid),
      uid: this.uid,
      seal: this.#seal,
    }
    const tx = Object.assign(seen, own)
    Object.defineProperty(tx, 'clock', { get: () => world.clock })
    return tx as WorldTx
  }

  forProgram(program_uid: Uid): Tx {
    const program = this.#world.collections.programs.get(program_uid)
    if (!program) throw new Error(`There is no Program ${program_uid}`)
    const records = this.#records(program_uid)
    const own: Omit<Tx, keyof AllRecords> = {
      now: this.now,
      pace: this.#world.clock.pace,
      program,
      uid: this.uid,
      digits: (length) => {
        const { uid, made } = this.#world.counters
        this.#world.counters = { uid: uid + 1, made }
        return digitsAt(this.#world.seed, uid, length)
      },
      seal: this.#seal,
      schedule: ({ kind, due_at, subject_uid, why, recurring = false }) => {
        const task = { uid: this.uid(), program_uid, kind, due_at, subject_uid, why, recurring }
        return records.tasks.put({ held: false, failed: null, ...task })
      },
      clientHasCustomer: (external_uid) => {
        const { programs, customers } = this.#world.collections
        const siblings = programs.inOrder().filter(({ client_uid }) => client_uid === program.client_uid)
        return siblings.some(({ uid }) =>
          customers
            .shelf(uid)
            .having('external_uid', external_uid)
            ?.some((customer) => customer.external_uid === external_uid),
        )
      },
    }
    return Object.assign(records, own)
  }

  #records(program_uid: Uid | undefined): AllRecords {
    return new Views(
      (name) => new View(collectionOf(this.#world, name), program_uid, (uid, after) => this.#write(name, uid, after)),
    ) as unknown as AllRecords
  }

  /** Records as they were kept once, with their places in the order of making. */
  place(changes: Target['changes']) {
    for (const { collection, uid, record } of changes) this.#write(collection, uid, record ?? undefined)
  }

  count(counters: Counters) {
    this.#world.counters = counters
  }

  become(seq: number, { seed, start }: Origin, clock: ClockState, counters: Counters) {
    this.#goesOnFrom = seq
    Object.assign(this.#world, { seed, start, clock, counters })
  }

  #write(name: CollectionName, uid: Uid, after: NewRecord<StoredRecord> | undefined): StoredRecord | undefined {
    let record: StoredRecord | undefined
    if (after) {
      const { uid: count, made } = this.#world.counters
      // It is the store's from here on, and gets its place.
      if (after.made === undefined) {
        Object.assign(after, { made })
        this.#world.counters = { uid: count, made: made + 1 }
      }
      record = after as StoredRecord
      freeze(record)
    }
    const was = collectionOf(this.#world, name).set(uid, record)
    let notes = this.#before.get(name)
    if (!notes) this.#before.set(name, (notes = new Map()))
    if (!notes.has(uid)) notes.set(uid, was)
    return record
  }

  /** Whoever checks is told what caused the commit, as the fault is ours. */
  pass(check: Check, { door, name }: Cause) {
    const changes = [...this.#before].flatMap(([collection, notes]) =>
      [...notes].map(([uid, before]) => ({
        collection,
        before,
        after: collectionOf(this.#world, collection).get(uid),
      })),
    )
    try {
      check(changes, this.#world)
    } catch (error) {
      throw new Error(`${(error as Error).message} (by the ${door} ${name})`, { cause: error })
    }
  }

  commit(cause: Cause): Commit | undefined {
    const { counters, clock, seq } = this.#world
    const changes: Change[] = []
    for (const [name, notes] of this.#before)
      for (const [uid, was] of notes) {
        const record = collectionOf(this.#world, name).get(uid) ?? null
        if (record || was) changes.push({ collection: name, uid, record, was: was ?? null })
      }
    const moved = clock !== this.#clock
    const { seed, start } = this.#world
    const became = seed !== this.#origin.seed || start !== this.#origin.start
    if (changes.length === 0 && !moved && !became) return undefined
    return {
      seq: seq + 1,
      at: this.now,
      cause,
      counters,
      ...(moved ? { clock, was_clock: this.#clock } : {}),
      ...(this.#stands && !moved && clock.at > this.now ? { stood_at: clock.at } : {}),
      ...(became ? { origin: { seed, start }, was_origin: this.#origin } : {}),
      ...(this.#goesOnFrom === undefined ? {} : { goes_on_from: this.#goesOnFrom }),
      changes,
    }
  }

  undo() {
    for (const [name, notes] of [...this.#before].reverse())
      for (const [uid, was] of [...notes].reverse()) collectionOf(this.#world, name).set(uid, was)
    const { seed, start } = this.#origin
    Object.assign(this.#world, { seed, start, counters: this.#counters, clock: this.#clock })
  }
}

/** A draft looks at few of the collections: each view is made when it is asked for. */
class Views {
  readonly #make: (name: CollectionName) => View<StoredRecord>
  readonly #made = new Map<CollectionName, View<StoredRecord>>()

  constructor(make: (name: CollectionName) => View<StoredRecord>) {
    this.#make = make
  }

  static {
    for (const name of collectionNames)
      Object.defineProperty(Views.prototype, name, {
        get(this: Views) {
          let view = this.#made.get(name)
          if (!view) this.#made.set(name, (view = this.#make(name)))
          return view
        },
      })
  }
}

/** A collection as a draft sees it: one Program's shelf, or everything. */
class View<T extends StoredRecord> implements Records<T> {
  readonly #collection: Collection<T>
  readonly #program: Uid | undefined
  readonly #write: (uid: Uid, after: NewRecord<T> | undefined) => StoredRecord | undefined

  constructor(
    collection: Collection<T>,
    program: Uid | undefined,
    write: (uid: Uid, after: NewRecord<T> | undefined) => StoredRecord | undefined,
  ) {
    this.#collection = collection
    this.#program = program
    this.#write = write
  }

  get size(): number {
    return this.#program === undefined ? this.#collection.size : this.#collection.shelf(this.#program).size
  }

  get(uid: Uid): T | undefined {
    const record = this.#collection.get(uid)
    return this.#program === undefined || record?.program_uid === this.#program ? record : undefined
  }

  *newestFirst(): Iterable<T> {
    const records =
      this.#program === undefined ? this.#collection.inOrder() : this.#collection.shelf(this.#program).inOrder()
    for (let i = records.length - 1; i >= 0; i--) yield records[i]!
  }

  findByIndex(field: string, values: readonly string[]): readonly T[] | undefined {
    const shelves = this.#shelves()
    const [only, ...others] = shelves
    if (only && others.length === 0 && values.length === 1) return only.having(field, values[0]!)?.toReversed()
    const found = new Set<T>()
    for (const shelf of shelves)
      for (const value of values) {
        const some = shelf.having(field, value)
        if (!some) return undefined
        for (const record of some) found.add(record)
      }
    return [...found].sort((a, b) => b.made - a.made)
  }

  bucket(field?: string, value?: string) {
    const [only, ...others] = this.#shelves()
    return only && others.length === 0 ? only.bucket(field, value) : undefined
  }

  by(field: Field<T>, value: string): T[] {
    const found = this.findByIndex(field, [value])
    if (!found) throw noIndex(field)
    return found.filter((record) => hasExactly(record[field], value)).reverse()
  }

  *newestBy(field: Field<T>, value: string): Iterable<T> {
    if (this.#program === undefined) return yield* this.by(field, value).reverse()
    const found = this.#collection.shelf(this.#program).having(field, value)
    if (!found) throw noIndex(field)
    for (let i = found.length - 1; i >= 0; i--) if (hasExactly(found[i]![field], value)) yield found[i]!
  }

  count(field: Field<T>, value: string): number {
    return this.#shelves().reduce((sum, shelf) => {
      const found = shelf.having(field, value)
      if (!found) throw noIndex(field)
      return sum + found.length
    }, 0)
  }

  #shelves() {
    return this.#program === undefined ? [...this.#collection.shelves()] : [this.#collection.shelf(this.#program)]
  }

  put(record: NewRecord<T>): T {
    if (this.#program !== undefined && record.program_uid !== this.#program)
      throw new Error(`A draft of Program ${this.#program} cannot write a record of ${record.program_uid}`)
    return this.#write(record.uid, record) as unknown as T
  }

  remove(uid: Uid): void {
    if (this.get(uid)) this.#write(uid, undefined)
  }
}

const noIndex = (field: string) => new Error(`No index on ${field}: declare it in world.ts`)

const hasExactly = (held: unknown, value: string) => (Array.isArray(held) ? held.includes(value) : held === value)

/** A put record is never changed again, so drafts, notices, snapshots and the window may share it. */
function freeze(value: object) {
  Object.freeze(value)
  for (const part of Object.values(value))
    if (typeof part === 'object' && part !== null && !Object.isFrozen(part)) freeze(part)
}
