import { create } from 'zustand'
import type { CollectionName } from './collections.ts'

/** The record whose page was shown last. Forms on other screens begin with it and with the records of its Customer. */

export interface RecordRef {
  readonly collection: CollectionName
  readonly uid: string
}

export const useAtHand = create<{ readonly record: RecordRef | null }>()(() => ({ record: null }))

export const setRecordAtHand = (record: RecordRef) => useAtHand.setState({ record })
