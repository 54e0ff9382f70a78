import type { Hint } from '../contract/control/exchanges.ts'
import type { Source } from '../contract/terms/list.ts'
import type { Timestamp, Uid } from '../contract/terms/primitives.ts'
import type { Field } from './collection.ts'
import type { Seal } from './seal.ts'
import type { ClockState, CollectionName, ProgramRecord, RecordOf, StoredRecord, TaskRecord } from './world.ts'

/** What the code inside a transaction sees of the world. `ReadTx` is the part of it that only reads. */

export interface ReadRecords<T extends StoredRecord> extends Source<T> {
  get(uid: Uid): T | undefined
  /** The records whose indexed field has exactly this value, oldest first. */
  findBy(field: Field<T>, value: string): T[]
  /** The same, newest first and lazily, for callers that stop early. */
  newestFirstBy(field: Field<T>, value: string): Iterable<T>
  /** How many records have this value in an indexed field, case ignored. */
  countBy(field: Field<T>, value: string): number
}

export interface Records<T extends StoredRecord> extends ReadRecords<T> {
  /** Takes ownership: freezes the record and assigns its position to a new one. Do not reuse the object. */
  put(record: NewRecord<T>): T
  remove(uid: Uid): void
}

/** The store assigns `made`, the position in the order of creation. */
export type NewRecord<T extends StoredRecord> = Omit<T, 'made'> & { readonly made?: number }

type AllReadRecords = { readonly [N in CollectionName]: ReadRecords<RecordOf[N]> }
export type AllRecords = { readonly [N in CollectionName]: Records<RecordOf[N]> }

interface ProgramScope {
  readonly now: Timestamp
  readonly pace: ClockState['pace']
  readonly program: ProgramRecord
  readonly seal: Seal
}

/** One Program, read-only. Records of other Programs do not exist in it. */
export interface ReadTx extends ProgramScope, AllReadRecords {}

/** The draft of one Program. Records of other Programs do not exist in it. */
export interface Tx extends ProgramScope, AllRecords {
  uid(): Uid
  /** A random number of this many digits, which hardly ever repeats. */
  digits(length: number): string
  schedule(task: Pick<TaskRecord, 'kind' | 'due_at' | 'subject_uid' | 'why'> & { recurring?: boolean }): TaskRecord
  /** Remarks for the client about a request that is accepted. */
  readonly hints: Hint[]
  /** The only question across Programs: does a Customer of the same Client have this external_uid? */
  clientHasCustomer(external_uid: string): boolean
}

/** The draft of the whole world, over all Programs: for the operator and for creating worlds. */
export interface WorldTx extends AllRecords {
  readonly now: Timestamp
  readonly clock: ClockState
  setClock(clock: ClockState): void
  /** The same draft, limited to one Program. */
  inProgram(uid: Uid): Tx
  uid(): Uid
  readonly seal: Seal
}
