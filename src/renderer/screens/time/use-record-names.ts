import { useEffect, useState } from 'react'
import { isCollection, showHidden } from '../../../api/contract/collection-names.ts'
import { amountOf, ownName, rowOf } from '../../../api/contract/collections.ts'
import { formatCounterparty, type MessageBody } from '../../../api/contract/messages.ts'
import type { CollectionName } from '../../data/collections.ts'
import { useFeed } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { collectionOf } from './task-kinds.ts'

/** The names and amounts of the records that tasks are for, read in one call per collection and Program. */

export interface RecordName {
  readonly name: string
  /** Of a transaction, with its sign. */
  readonly amount: string | null
}

interface RecordRef {
  readonly kind: string
  readonly record: string | null
  /** Undefined: search all Programs. */
  readonly program_uid?: string
}

const MAX_NAMES = 500

export function useRecordNames(refs: readonly RecordRef[]): ReadonlyMap<string, RecordName> {
  const [known, setKnown] = useState<KnownNames>({ world: -1, names: NONE })
  const world = useFeed(({ versions }) => versions['*'] ?? 0)
  const programs = useFeed((feed) => feed.programs)
  // A reset issues the uids of its seed again, so names are only valid for the world that they were read from.
  const names = known.world === world ? known.names : NONE
  const wanted = new Map<string, { collection: CollectionName; program_uid: string; uids: Set<string> }>()
  let count = 0
  for (const { kind, record, program_uid } of refs) {
    const collection = collectionOf(kind)
    if (record === null || !collection || names.has(record) || count++ >= MAX_NAMES) continue
    for (const uid of program_uid === undefined ? programs.map((program) => program.uid) : [program_uid]) {
      const key = `${uid} ${collection}`
      const group = wanted.get(key) ?? { collection, program_uid: uid, uids: new Set() }
      wanted.set(key, { ...group, uids: group.uids.add(record) })
    }
  }
  const wantedKey = [...wanted.values()].map(({ program_uid, uids }) => `${program_uid} ${[...uids].sort()}`).join(';')
  // biome-ignore lint/correctness/useExhaustiveDependencies: `wantedKey` has the content of `wanted`.
  useEffect(() => {
    if (wantedKey === '') return
    let isStale = false
    const reads = [...wanted.values()].map(({ collection, program_uid, uids }) =>
      readNames(collection, program_uid, [...uids]),
    )
    Promise.all(reads).then(
      (answers) => {
        if (isStale) return
        setKnown((current) => {
          const before = current.world === world ? current.names : NONE
          // A record that was not found gets its uid as name, so that it is not read again.
          const missing = [...wanted.values()].flatMap(({ uids }) =>
            [...uids].map((uid) => [uid, nameByUid(uid)] as const),
          )
          return { world, names: new Map([...missing, ...before, ...answers.flat()]) }
        })
      },
      // On an error the uids are shown instead.
      () => {},
    )
    return () => {
      isStale = true
    }
  }, [wantedKey, world])
  return names
}

interface KnownNames {
  readonly world: number
  readonly names: ReadonlyMap<string, RecordName>
}

const NONE: ReadonlyMap<string, RecordName> = new Map()

const nameByUid = (uid: string): RecordName => ({ name: uid, amount: null })

type Fields = Readonly<Record<string, unknown>>

async function readNames(collection: CollectionName, program_uid: string, uids: string[]) {
  const records = await readRecords(collection, program_uid, uids)
  const { namedAfter } = rowOf(collection).title
  const others = new Map<string, string | null>()
  if (namedAfter && isCollection(namedAfter.collection)) {
    const uids = records.map((record) => String(record[namedAfter.field]))
    for (const other of await readRecords(namedAfter.collection, program_uid, uids))
      others.set(String(other.uid), ownName(namedAfter.collection, other))
  }
  return records.map((record) => {
    const after = namedAfter && others.get(String(record[namedAfter.field]))
    return [String(record.uid), nameOf(collection, record, after)] as const
  })
}

const readRecords = async (collection: CollectionName, program_uid: string, uids: string[]): Promise<Fields[]> =>
  (await sandbox['records.list']({ collection, program_uid, uids, limit: uids.length, ...showHidden(collection) })).data

function nameOf(collection: CollectionName, record: Fields, after: string | null | undefined): RecordName {
  const name = ownName(collection, record) ?? after ?? String(record.external_uid ?? record.uid)
  if (collection !== 'transactions') return { name, amount: null }
  const sign = record.net_asset === 'negative' ? '-' : ''
  const counterparty = formatCounterparty(record.message as MessageBody, record.net_asset)
  return { name: counterparty, amount: `${sign}${amountOf(collection, record)}` }
}
