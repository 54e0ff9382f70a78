import { useEffect, useState } from 'react'
import { amountOf, isCollection, ownName, rowOf, showHidden } from '../../../api/contract/collections.ts'
import { formatCounterparty, type MessageBody } from '../../../api/contract/messages.ts'
import type { CollectionName } from '../../data/collections.ts'
import { useFeed } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { collectionOf } from './task-kinds.ts'

/** What the records are called that tasks are for, asked for together and once. */

export interface Named {
  readonly name: string
  /** A movement, with its sign. */
  readonly amount: string | null
}

interface Ref {
  readonly kind: string
  readonly record: string | null
  /** Left out: whichever Program has it. */
  readonly program_uid?: string
}

const MOST = 500

export function useRecordNames(refs: readonly Ref[]): ReadonlyMap<string, Named> {
  const [known, setKnown] = useState<{ of: number; named: ReadonlyMap<string, Named> }>({ of: -1, named: new Map() })
  const world = useFeed(({ versions }) => versions['*'] ?? 0)
  const programs = useFeed((feed) => feed.programs)
  // A rewind uses uids again: what is known is known of one world.
  const named = known.of === world ? known.named : NONE
  const wanted = new Map<string, { collection: CollectionName; program_uid: string; uids: Set<string> }>()
  let asked = 0
  for (const { kind, record, program_uid } of refs) {
    const collection = collectionOf(kind)
    if (record === null || !collection || named.has(record) || asked++ >= MOST) continue
    for (const uid of program_uid === undefined ? programs.map((program) => program.uid) : [program_uid]) {
      const key = `${uid} ${collection}`
      const group = wanted.get(key) ?? { collection, program_uid: uid, uids: new Set() }
      wanted.set(key, { ...group, uids: group.uids.add(record) })
    }
  }
  const question = [...wanted.values()].map(({ program_uid, uids }) => `${program_uid} ${[...uids].sort()}`).join(';')
  // biome-ignore lint/correctness/useExhaustiveDependencies: `question` says what `wanted` says.
  useEffect(() => {
    if (question === '') return
    let late = false
    const questions = [...wanted.values()].map(({ collection, program_uid, uids }) =>
      readNames(collection, program_uid, [...uids]),
    )
    Promise.all(questions).then(
      (answers) => {
        if (late) return
        setKnown((was) => {
          const before = was.of === world ? was.named : NONE
          // One that is nowhere is not asked for again.
          const gone = [...wanted.values()].flatMap(({ uids }) => [...uids].map((uid) => [uid, unnamed(uid)] as const))
          return { of: world, named: new Map([...gone, ...before, ...answers.flat()]) }
        })
      },
      // Without names the uids are shown.
      () => {},
    )
    return () => {
      late = true
    }
  }, [question, world])
  return named
}

const NONE: ReadonlyMap<string, Named> = new Map()

const unnamed = (uid: string): Named => ({ name: uid, amount: null })

type Fields = Readonly<Record<string, unknown>>

async function readNames(collection: CollectionName, program_uid: string, uids: string[]) {
  const records = await readRecords(collection, program_uid, uids)
  const { namedAfter } = rowOf(collection).title
  const others = new Map<string, string | null>()
  if (namedAfter && isCollection(namedAfter.collection)) {
    const named = records.map((record) => String(record[namedAfter.field]))
    for (const other of await readRecords(namedAfter.collection, program_uid, named))
      others.set(String(other.uid), ownName(namedAfter.collection, other))
  }
  return records.map((record) => {
    const after = namedAfter && others.get(String(record[namedAfter.field]))
    return [String(record.uid), nameOf(collection, record, after)] as const
  })
}

const readRecords = async (collection: CollectionName, program_uid: string, uids: string[]): Promise<Fields[]> =>
  (await sandbox['records.list']({ collection, program_uid, uids, limit: uids.length, ...showHidden(collection) })).data

function nameOf(collection: CollectionName, record: Fields, after: string | null | undefined): Named {
  const name = ownName(collection, record) ?? after ?? String(record.external_uid ?? record.uid)
  if (collection !== 'transactions') return { name, amount: null }
  const sign = record.net_asset === 'negative' ? '-' : ''
  const counterparty = formatCounterparty(record.message as MessageBody, record.net_asset)
  return { name: counterparty, amount: `${sign}${amountOf(collection, record)}` }
}
