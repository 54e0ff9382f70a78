import type { MethodOutput } from '../contract/control.ts'
import { Money, type Uid } from '../contract/terms/primitives.ts'
import { type CollectionName, collectionNames, collectionOf, type StoredRecord, type World } from '../store/world.ts'

/**
 * One text over all collections, for whoever knows a name, a number or an amount and not where it belongs. An exact uid
 * is found whatever its collection and Program, and so is whatever an index finds; the rest is looked for among the
 * newest records of each collection, so that an answer costs the same however large the world is.
 */

const USUAL_LIMIT = 8
const MOST_LOOKED_AT = 10_000

type Fields = Readonly<Record<string, unknown>>
type Found = Omit<MethodOutput<'records.search'>['records'][number], 'collection' | 'status' | 'amount'> & {
  readonly collection: CollectionName
}

/** What may be looked for, in the order in which equals are told. What is private or sealed is not among it. */
const sought: readonly (readonly [CollectionName, readonly string[]])[] = [
  ['customers', ['name', 'business_name', 'email', 'external_uid', 'phone', 'ssn_last_four']],
  ['synthetic_accounts', ['name', 'external_uid', 'account_number_last_four', 'net_usd_balance']],
  ['virtual_reference_numbers', ['name', 'external_uid', 'virtual_reference_number']],
  ['transactions', ['description', 'us_dollar_amount']],
  ['transfers', ['external_uid', 'usd_transfer_amount']],
  ['returns', ['return_reason', 'external_uid']],
  ['combined_transfers', ['external_uid']],
  ['programs', ['name']],
  ['products', ['name', 'description']],
  ['synthetic_account_types', ['name', 'description']],
  ['pools', ['name']],
  ['custodial_accounts', ['name', 'external_uid']],
]

/** Fields that may hold a number whose last four digits alone are known. */
const NUMBERS = /number|last_four|phone/
const AMOUNTS = /amount|balance/

/** How well a text fits: the smaller, the better. */
const SAME_UID = 0
const SAME = 1
const BEGINS = 2
const BEGINS_A_WORD = 3
const HOLDS = 4

export function searchAllRecords(
  world: World,
  text: string,
  program_uid: Uid | undefined,
  limit = USUAL_LIMIT,
): { readonly found: readonly Found[]; readonly complete: boolean } {
  const wanted = new Wanted(text)
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
  const isOurs = (record: StoredRecord) => program_uid === undefined || record.program_uid === program_uid

  for (const collection of collectionNames) {
    const record = collectionOf(world, collection).get(text)
    if (record) add(SAME_UID, collection, record, 'uid', text)
  }
  for (const [collection] of sought)
    for (const shelf of collectionOf(world, collection).shelves())
      for (const field of BY_INDEX)
        for (const record of shelf.having(field, text) ?? [])
          if (isOurs(record)) add(SAME, collection, record, field, text)

  let complete = true
  for (const [collection, fields] of sought) {
    const records = collectionOf(world, collection)
    const all = program_uid === undefined ? records.inOrder() : records.shelf(program_uid).inOrder()
    const last = Math.max(0, all.length - MOST_LOOKED_AT)
    if (last > 0) complete = false
    for (let i = all.length - 1; i >= last; i--) {
      const record = all[i]!
      const best = wanted.bestOf(collection, record, fields)
      if (best) add(best.rank, collection, record, best.field, best.value)
    }
  }
  return { found: ranks.flat().slice(0, limit), complete }
}

const BY_INDEX = ['external_uid', 'email', 'virtual_reference_number', 'account_number']

interface Fit {
  readonly rank: number
  readonly field: string
  readonly value: string
}

class Wanted {
  readonly #text: string
  readonly #uid: string | null
  readonly #digits: string | null
  readonly #amount: string | null

  constructor(text: string) {
    this.#text = text.toLowerCase()
    this.#uid = /^[A-Za-z0-9]{4,}$/.test(text) ? text : null
    this.#digits = /^\d{4,}$/.test(text) ? text : null
    this.#amount = amountIn(text)
  }

  bestOf(collection: CollectionName, record: StoredRecord, fields: readonly string[]): Fit | null {
    let best: Fit | null = null
    if (this.#uid !== null && record.uid.startsWith(this.#uid)) best = { rank: BEGINS, field: 'uid', value: record.uid }
    for (const field of fields) {
      const value = textOf(collection, record, field)
      if (!value) continue
      const rank = this.#rank(field, value)
      if (rank !== null && (best === null || rank < best.rank)) best = { rank, field, value: value.slice(0, 200) }
    }
    return best
  }

  #rank(field: string, value: string): number | null {
    if (AMOUNTS.test(field)) return this.#amount !== null && value === this.#amount ? SAME : null
    if (NUMBERS.test(field)) return this.#digits !== null && value.endsWith(this.#digits) ? SAME : null
    const text = value.toLowerCase()
    const at = text.indexOf(this.#text)
    if (at < 0) return null
    if (at === 0) return text.length === this.#text.length ? SAME : BEGINS
    return /[\p{L}\p{N}]/u.test(text[at - 1]!) ? HOLDS : BEGINS_A_WORD
  }
}

/** `1,234.5` and `$1234.50` are the amount `1234.50`. */
function amountIn(text: string): string | null {
  const [, minus = '', whole, places = ''] = /^([-\u2212])?\$?(\d[\d,]*)(?:\.(\d{1,2}))?$/.exec(text) ?? []
  if (whole === undefined) return null
  return `${minus && '-'}${whole.replaceAll(',', '').replace(/^0+(?=\d)/, '')}.${places.padEnd(2, '0')}`
}

function textOf(collection: CollectionName, record: StoredRecord, field: string): string {
  const all = record as unknown as Fields
  if (collection === 'customers') {
    const details = all.details as Fields
    if (field === 'name') return personOf(details)
    if (field in details) return (details[field] as string | null) ?? ''
  }
  // Whole numbers of counterparties are private; their last four digits are not.
  const value = field === 'account_number_last_four' ? (all.account_number as string | null)?.slice(-4) : all[field]
  return typeof value === 'string' ? value : ''
}

const personOf = ({ first_name, middle_name, last_name, suffix }: Fields) =>
  [first_name, middle_name, last_name, suffix].filter(Boolean).join(' ')

/** What it is called; a record without a name by its uid. */
function nameOf(collection: CollectionName, record: StoredRecord): string {
  const { details, name, description, email, why } = record as unknown as Fields
  const own =
    collection === 'customers'
      ? (details as Fields).business_name || personOf(details as Fields) || email
      : collection === 'tasks'
        ? why
        : name || description
  return String(own || record.uid).slice(0, 200)
}

/** The amount that tells a record of money from another, as it is shown. */
export const amountOf = (shown: Fields): Money | null =>
  Money.safeParse(shown.us_dollar_amount ?? shown.usd_transfer_amount ?? shown.total_balance ?? shown.net_usd_balance)
    .data ?? null
export const statusOf = ({ status }: Fields): string | null => (typeof status === 'string' ? status : null)
