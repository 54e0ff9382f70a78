import { ApiError } from '../../contract/errors.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import type { ReadRecords } from '../../store/tx.ts'
import type { StoredRecord } from '../../store/world.ts'

/** Assumed: an unknown uid of a resource without an error code of its own is 404/1019. */
export function requireRecord<T extends StoredRecord>(records: ReadRecords<T>, uid: Uid, what: string): T {
  const record = records.get(uid)
  if (!record) throw new ApiError('unknownRecord', `there is no ${what} with this uid`)
  return record
}
