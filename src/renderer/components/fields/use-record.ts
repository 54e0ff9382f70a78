import { useMemo } from 'react'
import type { MethodOutput } from '../../../api/contract/control/methods.ts'
import { type CollectionName, collections, isCollection } from '../../data/collections.ts'
import { useFeed } from '../../data/feed.ts'
import { useQuery } from '../../data/sandbox.ts'

export type Fields = Readonly<Record<string, unknown>>
export interface RecordProps {
  readonly collection: CollectionName
  readonly uid: string
}

/** A record with its fields, which has been read. */
export interface LoadedRecordProps extends RecordProps {
  readonly fields: Fields
}

export type Related = MethodOutput<'records.related'>

interface RecordName {
  readonly collection: CollectionName
  readonly uid: string
  readonly name: string
  readonly status: string | null
  readonly amount: string | null
}
export type RecordNames = ReadonlyMap<string, RecordName>

export const ALL_COLLECTIONS = Object.keys(collections)

/** The related records, and the names of all records that this one refers to. Any commit may change them. */
export function useRelated(collection: CollectionName, uid: string) {
  const { data } = useQuery('records.related', { collection, uid }, ALL_COLLECTIONS)
  const programs = useFeed((feed) => feed.programs)
  const names = useMemo((): RecordNames => {
    const byUid = new Map<string, RecordName>()
    for (const { uid: program, name } of programs)
      byUid.set(program, { collection: 'programs', uid: program, name, status: null, amount: null })
    for (const { collection: of, records } of data?.related ?? [])
      if (isCollection(of)) for (const record of records) byUid.set(record.uid, { ...record, collection: of })
    for (const one of data?.named ?? [])
      if (isCollection(one.collection)) byUid.set(one.uid, { ...one, collection: one.collection })
    return byUid
  }, [data, programs])
  return { related: data, names }
}

export const textField = (fields: Fields, name: string): string | null => {
  const value = fields[name]
  return typeof value === 'string' ? value : null
}
