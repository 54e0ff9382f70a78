import { isCollection } from '../contract/collections.ts'
import type { Cause } from '../contract/control/history.ts'
import type { MethodName } from '../contract/control/methods.ts'
import { ApiError } from '../contract/errors.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import type { ReadTx, Tx } from '../store/tx.ts'
import { type CollectionName, collectionNames, collectionOf, type StoredRecord } from '../store/world.ts'
import type { OperatorDoor } from './door.ts'

/** The operator sees all Programs; these helpers find the one that a method works in. */

export const causeOf = (name: MethodName): Cause => ({ door: 'operator', name })

export const notFound = (extra: string): never => {
  throw new ApiError('routeNotFound', extra)
}

export const requireCollection = (name: string): CollectionName =>
  isCollection(name) ? name : notFound(`there is no collection ${name}; there are ${collectionNames.join(', ')}`)

export const requireRecord = ({ store }: OperatorDoor, collection: CollectionName, uid: string): StoredRecord =>
  collectionOf(store.world, collection).get(uid) ?? notFound(`${collection} holds no record ${uid}`)

/** The named Program, or the first. */
export function requireProgram({ store }: OperatorDoor, program_uid: string | undefined): Uid {
  const { programs } = store.world.collections
  const uid = program_uid ?? programs.inOrder()[0]?.uid
  return uid !== undefined && programs.get(uid) ? uid : notFound(`there is no Program ${uid}`)
}

/** Reads the named Program, or the first. */
export const readProgram = <T>(door: OperatorDoor, program_uid: string | undefined, work: (tx: ReadTx) => T): T =>
  door.store.read(requireProgram(door, program_uid), work, { canWait: true })

/** Reads the Program of a Pool; if both are named, they must belong together. */
export function readProgramOfPool<T>(
  door: OperatorDoor,
  program_uid: string | undefined,
  pool_uid: string | undefined,
  work: (tx: ReadTx) => T,
): T {
  const pool = pool_uid === undefined ? undefined : requireRecord(door, 'pools', pool_uid)
  if (pool && program_uid !== undefined && pool.program_uid !== program_uid)
    return notFound(`Pool ${pool.uid} is not of Program ${program_uid}`)
  return readProgram(door, program_uid ?? pool?.program_uid, work)
}

/** Reads the Program of an account of either book. */
export function readProgramOfAccount<T>(door: OperatorDoor, account_uid: string, work: (tx: ReadTx) => T): T {
  const { custodial_accounts } = door.store.world.collections
  const book = custodial_accounts.get(account_uid) ? 'custodial_accounts' : 'synthetic_accounts'
  return door.store.read(requireRecord(door, book, account_uid).program_uid, work, { canWait: true })
}

/** Writes in the named Program, or the first. */
export const transactIn = <T>(
  door: OperatorDoor,
  method: MethodName,
  program_uid: string | undefined,
  work: (tx: Tx) => T,
): T => door.store.transact(requireProgram(door, program_uid), causeOf(method), work)

/** Writes in the Program of a record. */
export const transactFor = <T>(
  door: OperatorDoor,
  by: MethodName | Cause,
  collection: CollectionName,
  uid: string,
  work: (tx: Tx) => T,
): T => {
  const cause = typeof by === 'string' ? causeOf(by) : by
  return door.store.transact(requireRecord(door, collection, uid).program_uid, cause, work)
}
