import { orderKey } from '../../../api/contract/terms/order.ts'
import { rangeTest } from '../../../api/contract/terms/range.ts'
import type { CollectionName } from '../../data/collections.ts'
import { daysOf } from '../../data/days.ts'
import type { ListSource, LiveRecords, RecordRow } from '../../data/live-list.ts'
import type { PartyNames } from '../../data/names.ts'
import type { Route } from '../../data/route.ts'
import type { Column } from '../../ui/DataTable.tsx'

/** A list as data: its columns and filters, and what it reads. A column is shown, searched and exported. */

export type Text = string | null | undefined

/** A column. `C`: what it needs besides the record; a list binds its columns to it. */
export interface ListColumn<T, C = void> extends Omit<Column<T>, 'cell'> {
  readonly cell: (row: T, context: C) => React.ReactNode
  /** For the search and the CSV file. */
  readonly text: (row: T, context: C) => Text
  readonly header: string
  /** Searched and exported, but not shown. */
  readonly hidden?: boolean
  /** Hidden in a narrower window, unless the user chooses it. */
  readonly needs?: keyof Space
  /** Left out where there is too little space, as the details of a record have it, too. */
  readonly optional?: boolean
  /** Instead of `width`. */
  readonly widthIn?: (context: C) => string
  /** What the list is sorted by, if not by the text. */
  readonly sortBy?: (row: T, context: C) => unknown
  /** The field of the record that has this value, by which the sandbox can sort and find records. */
  readonly field?: string
  /** The fields to read, if not only `field`. */
  readonly reads?: readonly string[]
  /** The first click on the header sorts the largest or newest first. */
  readonly largestFirst?: boolean
  /** The address parameter that filters by a value of this column, and that value. Without it, the text is searched. */
  readonly filterBy?: (row: T, context: C) => readonly [name: string, value: string] | undefined
  /** How it looks where no rows above tell the day. */
  readonly alone?: Pick<Column<T>, 'cell' | 'width'>
}

export interface Filter<T, C = void> {
  /** Shown in the chip and used in the address. */
  readonly name: string
  readonly options: readonly string[]
  /** The options that a row matches. */
  readonly of: (row: T, context: C) => string | readonly string[]
  /** The list of the API has the same filter under this name. */
  readonly inApi?: boolean
  readonly show?: (option: string) => React.ReactNode
}

/** Which windows have space for more columns. */
interface Space {
  readonly roomy: boolean
  readonly wide: boolean
}
export const MIN_WIDTHS: Readonly<Record<keyof Space, number>> = { roomy: 1440, wide: 1560 }

export interface ListRow extends RecordRow {
  readonly created_at: string
}

/** What the columns of a list have besides the record. With names, the list can be filtered by Customer. */
export interface ListContext {
  readonly names?: PartyNames
}

interface OnlyThese {
  readonly param: string
  /** For example "Flow". */
  readonly title: string
  readonly text: string
  /** Undefined until it is known which. */
  readonly uids: ReadonlySet<string> | undefined
}

/** The list of a collection. */
export interface RecordList<T extends ListRow, C extends ListContext> {
  readonly collection: CollectionName
  readonly title: string
  /** Names the fields that the search covers. */
  readonly placeholder: string
  readonly columns: readonly ListColumn<T, C>[]
  readonly filters: readonly Filter<T, C>[]
  /** Fields to read besides those of the columns. */
  readonly reads?: readonly string[]
  readonly follows?: ListSource<T>['follows']
  readonly alsoChanges?: ListSource<T>['alsoChanges']
  /** Texts that are searched besides the columns. */
  readonly searchTexts?: (row: T, context: C) => readonly Text[]
  readonly customersOf?: (row: T, context: C) => readonly Text[]
  readonly useContext: (program_uid: string | undefined, records: LiveRecords<T>) => C
  /** Only some records, which an address parameter names. */
  readonly useOnly?: (program_uid: string | undefined, records: LiveRecords<T>, context: C) => OnlyThese | null
  /** Shown if there are no records: what they are, how to create one, an example. */
  readonly empty: React.ReactNode
  readonly renderActions?: (selected: string | null) => React.ReactNode
}

/** What the list reads of its records. */
export const sourceOf = <T extends ListRow, C extends ListContext>(list: RecordList<T, C>): ListSource<T> => ({
  collection: list.collection,
  fields: [
    ...new Set([
      'created_at',
      ...list.columns.flatMap(({ field, reads }) => reads ?? field ?? []),
      ...(list.reads ?? []),
    ]),
  ],
  ...(list.follows ? { follows: list.follows } : {}),
  ...(list.alsoChanges ? { alsoChanges: list.alsoChanges } : {}),
})

export const bindColumn = <T, C>(column: ListColumn<T, C>, context: C, space: Space): ListColumn<T> => {
  const { cell, text, sortBy, filterBy, widthIn, hidden = false, needs, ...rest } = column
  return {
    ...rest,
    cell: (row) => cell(row, context),
    text: (row) => text(row, context),
    hidden: hidden || (needs !== undefined && !space[needs]),
    ...(widthIn ? { width: widthIn(context) } : {}),
    ...(sortBy ? { sortBy: (row) => sortBy(row, context) } : {}),
    ...(filterBy ? { filterBy: (row) => filterBy(row, context) } : {}),
  }
}

type Texts<T> = (row: T) => readonly Text[]
interface FilterTexts<T> {
  /** Texts that are searched but not shown. */
  readonly searchTexts?: Texts<T> | undefined
  readonly customersOf?: Texts<T> | undefined
  /** Only these records. */
  readonly uids?: ReadonlySet<string> | undefined
  readonly ranges?: Ranges<T> | undefined
}

/** The columns that the date and amount ranges of a list apply to. */
interface Ranges<T> {
  readonly time: (row: T) => string
  readonly amount: ListColumn<T> | undefined
}

/** The ranges that the address describes, as bounds that contain their ends. */
export function rangesOf(params: Route['params']) {
  const { min, max } = params
  const time = daysOf(params)
  const amount = { ...(min?.[0] ? { from: min[0] } : {}), ...(max?.[0] ? { to: max[0] } : {}) }
  return {
    time: Object.keys(time).length > 0 ? time : undefined,
    amount: Object.keys(amount).length > 0 ? amount : undefined,
  }
}

/** The filter that the address describes; undefined if all records are shown. */
export function rowFilter<T extends RecordRow>(
  params: Route['params'],
  filters: readonly Filter<T>[],
  columns: readonly ListColumn<T>[],
  { searchTexts: found = () => [], customersOf, uids, ranges }: FilterTexts<T> = {},
): ((row: T) => boolean) | undefined {
  const tests: ((row: T) => boolean)[] = []
  if (uids) tests.push(({ uid }) => uids.has(uid))
  for (const { name, of } of filters) {
    const wanted = params[name]
    if (wanted) tests.push((row) => [of(row)].flat().some((option) => wanted.includes(option)))
  }
  const customers = params.customer
  if (customers && customersOf)
    tests.push((row) => customersOf(row).some((uid) => uid != null && customers.includes(uid)))
  if (ranges) {
    const { time, amount } = rangesOf(params)
    // Instants are all ISO texts in UTC, so they can be compared as text.
    if (time?.from !== undefined) tests.push((row) => ranges.time(row) >= time.from!)
    if (time?.to !== undefined) tests.push((row) => ranges.time(row) <= time.to!)
    const column = ranges.amount
    if (amount && column) {
      const fits = rangeTest(amount)
      tests.push((row) => fits(orderKey((column.sortBy ?? column.text)(row))))
    }
  }
  const query = params.q?.[0]?.trim()
  if (query) {
    // A case-insensitive pattern is cheaper than lower-casing every text.
    const pattern = new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu')
    tests.push(
      (row) =>
        columns.some(({ text }) => pattern.test(text(row) ?? '')) ||
        found(row).some((text) => pattern.test(text ?? '')),
    )
  }
  return tests.length === 0 ? undefined : (row) => tests.every((test) => test(row))
}

/** The column as it looks where no rows above tell the day. */
export const standAlone = <T>(column: ListColumn<T>): ListColumn<T> =>
  column.alone ? { ...column, ...column.alone } : column

export const pickParams = (params: Route['params'], names: readonly string[]) =>
  Object.fromEntries(Object.entries(params).filter(([name]) => names.includes(name)))
