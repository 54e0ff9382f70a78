import { ApiError, type ErrorKey } from '../../contract/errors.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import type { ReadRecords, ReadTx } from '../../store/tx.ts'
import type { StoredRecord } from '../../store/world.ts'

/** Assumed (invented): an unknown uid of a resource without an error code of its own is 404/1019. */
export function requireRecord<T extends StoredRecord>(records: ReadRecords<T>, uid: Uid, what: string): T {
  const record = records.get(uid)
  if (!record) throw new ApiError('unknownRecord', `there is no ${what} with this uid`)
  return record
}

/** The record that has the external_uid of a request, unless the Program refuses a repeated one. */
export function knownUnlessRefused<T>({ program }: ReadTx, known: T, key: ErrorKey): T {
  if (program.repeated_external_uid === 'returned') return known
  const setting = { setting: 'repeated_external_uid' }
  throw new ApiError(key, 'external_uid has already been taken', undefined, ['external_uid'], setting)
}
