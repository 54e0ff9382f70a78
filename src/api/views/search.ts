import { ownName, rowOf, type SearchField } from '../contract/collections.ts'
import type { MethodOutput } from '../contract/control/methods.ts'
import { textOf } from '../contract/messages.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { eachInSteps, type Steps } from '../store/steps.ts'
import {
  type CollectionName,
  collectionNames,
  type ReadWorld,
  readCollection,
  type StoredRecord,
} from '../store/world.ts'

/**
 * Searches all collections for a text: a uid, name, number or amount. Exact uids and indexed values are found in the whole
 * world. Other matches are searched in the newest records of each collection, so that the time of a search is limited, or in all.
 */

const DEFAULT_LIMIT = 8
const MAX_SEARCHED = 10_000

type Fields = Readonly<Record<string, unknown>>
type Found = Omit<MethodOutput<'records.search'>['records'][number], 'collection' | 'status' | 'amount'> & {
  readonly collection: CollectionName
}

/** The searched collections, the most important first. Private and sealed fields are never searched. */
const searched = collectionNames
  .flatMap((collection) => {
    const { search } = rowOf(collection)
    return search ? [{ collection, ...search, fields: search.fields as readonly SearchField<StoredRecord>[] }] : []
  })
  .sort((a, b) => a.rank - b.rank)

/** These fields match by their last digits. */
const NUMBERS = /number|last_four|phone/
const AMOUNTS = /amount|balance/

/** How well a text matches: lower is better. */
const SAME_UID = 0
const SAME = 1
const BEGINNING = 2
const BEGINNING_OF_WORD = 3
const WITHIN = 4

interface SearchOptions {
  readonly program_uid?: Uid | undefined
  readonly limit?: number | undefined
  /** Searches all records, not only the newest. */
  readonly isWhole?: boolean | undefined
}

export function* searchAllRecords(
  world: ReadWorld,
  text: string,
  { program_uid, limit = DEFAULT_LIMIT, isWhole = false }: SearchOptions,
): Steps<{ readonly found: readonly Found[]; readonly complete: boolean }> {
  const findBest = matcherOf(text)
  const known = new Set<Uid>()
  const ranks: Found[][] = [[], [], [], [], []]
  const add = (rank: number, collection: CollectionName, record: StoredRecord, field: string, value: string) => {
    if (known.has(record.uid) || ranks[rank]!.length === limit) return
    known.add(record.uid)
    ranks[rank]!.push({
      collection,
      uid: record.uid,
      program_uid: record.program_uid,
      says: nameOf(collection, record),
      field,
      value,
    })
  }
  const isInProgram = (record: StoredRecord) => program_uid === undefined || record.program_uid === program_uid

  for (const collection of collectionNames) {
    const record = readCollection(world, collection).get(text)
    if (record) add(SAME_UID, collection, record, 'uid', text)
  }
  for (const { collection, exact = [] } of searched)
    for (const shelf of readCollection(world, collection).shelves())
      for (const field of exact)
        for (const record of shelf.findByIndex(field, text) ?? [])
          if (isInProgram(record)) add(SAME, collection, record, field, text)

  let complete = true
  for (const { collection, fields } of searched) {
    const records = readCollection(world, collection)
    const all = program_uid === undefined ? records.inOrder() : records.shelf(program_uid).inOrder()
    const newestFirst = (isWhole ? all : all.slice(-MAX_SEARCHED)).toReversed()
    if (newestFirst.length < all.length) complete = false
    yield* eachInSteps(newestFirst, (record) => {
      const best = findBest(record, fields)
      if (best) add(best.rank, collection, record, best.field, best.value)
    })
  }
  return { found: ranks.flat().slice(0, limit), complete }
}

interface Fit {
  readonly rank: number
  readonly field: string
  readonly value: string
}

/** Returns the field of a record that matches best; null if none does. */
function matcherOf(text: string) {
  const wanted = text.toLowerCase()
  const uid = /^[A-Za-z0-9]{4,}$/.test(text) ? text : null
  const digits = /^\d{4,}$/.test(text) ? text : null
  const amount = amountIn(text)
  const rankOf = (field: string, value: string): number | null => {
    if (AMOUNTS.test(field)) return amount !== null && value === amount ? SAME : null
    if (NUMBERS.test(field)) return digits !== null && value.endsWith(digits) ? SAME : null
    const found = value.toLowerCase()
    const at = found.indexOf(wanted)
    if (at < 0) return null
    if (at === 0) return found.length === wanted.length ? SAME : BEGINNING
    return /[\p{L}\p{N}]/u.test(found[at - 1]!) ? WITHIN : BEGINNING_OF_WORD
  }
  return (record: StoredRecord, fields: readonly SearchField<StoredRecord>[]): Fit | null => {
    let best: Fit | null = null
    if (uid !== null && record.uid.startsWith(uid)) best = { rank: BEGINNING, field: 'uid', value: record.uid }
    for (const searchField of fields) {
      const [field, value] =
        typeof searchField === 'string'
          ? [searchField, textOf((record as unknown as Fields)[searchField])]
          : [searchField[0], searchField[1](record)]
      if (typeof value !== 'string' || value === '') continue
      const rank = rankOf(field, value)
      if (rank !== null && (best === null || rank < best.rank)) best = { rank, field, value: value.slice(0, 200) }
    }
    return best
  }
}

/** `1,234.5` and `$1234.50` are the amount `1234.50`. */
function amountIn(text: string): string | null {
  const [, minus = '', whole, places = ''] = /^([-\u2212])?\$?(\d[\d,]*)(?:\.(\d{1,2}))?$/.exec(text) ?? []
  if (whole === undefined) return null
  return `${minus && '-'}${whole.replaceAll(',', '').replace(/^0+(?=\d)/, '')}.${places.padEnd(2, '0')}`
}

/** A record without a name is shown by its uid. */
const nameOf = (collection: CollectionName, record: StoredRecord): string =>
  (ownName(collection, record) ?? record.uid).slice(0, 200)

export const statusOf = ({ status }: Fields): string | null => (typeof status === 'string' ? status : null)
