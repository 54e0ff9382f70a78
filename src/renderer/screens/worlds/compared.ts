import type { CollectionName } from '../../data/collections.ts'

/** What the comparison and its two sides read again: no notice of another world reaches this window. */
export const COMPARED = 'compared worlds'

export interface RecordToDecide {
  readonly collection: CollectionName
  readonly uid: string
}
