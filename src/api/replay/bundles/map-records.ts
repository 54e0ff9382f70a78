import type { Commit } from '../../store/commit.ts'
import {
  type CollectionName,
  collectionOf,
  emptyCollections,
  type StoredRecord,
  type World,
} from '../../store/world.ts'

/** Changes records of a bundle: in the world, and in the commits. */

/** The other collections are those of the given world. */
export function mapCollection(world: World, name: CollectionName, map: (record: StoredRecord) => StoredRecord): World {
  const copy: World = { ...world, collections: { ...world.collections, [name]: emptyCollections()[name] } }
  for (const record of collectionOf(world, name).inOrder()) collectionOf(copy, name).set(record.uid, map(record))
  return copy
}

export const mapCommitRecords = <C extends Pick<Commit, 'changes'>>(
  commit: C,
  map: (record: StoredRecord) => StoredRecord,
): C => ({
  ...commit,
  changes: commit.changes.map(({ record, was, ...change }) => ({
    ...change,
    record: record && map(record),
    was: was && map(was),
  })),
})

/** The settings of Programs and webhooks are part of a bundle, their keys are not. */
export const removeKeys = (record: StoredRecord): StoredRecord =>
  isKeyOwner(record)
    ? (Object.fromEntries(Object.entries(record).filter(([name]) => !KEYS.has(name))) as unknown as StoredRecord)
    : record
/** A public key names its owner. */
const KEYS = new Set(['hmac_key', 'former_hmac_keys', 'pgp_public_key'])

/** Also without its key. */
export const isProgram = (record: StoredRecord): boolean => 'client_uid' in record && 'allowlist' in record

/** Also without its keys. */
export const isWebhook = (record: StoredRecord): boolean => 'envelope' in record && 'topics' in record

/** A Program or a webhook, also without its keys. */
export const isKeyOwner = (record: StoredRecord): boolean => isProgram(record) || isWebhook(record)
