import { orderKey } from '../../../api/contract/terms/order.ts'
import { rangeTest } from '../../../api/contract/terms/range.ts'
import { daysOf } from '../../data/days.ts'
import type { RecordRow } from '../../data/live-list.ts'
import type { Route } from '../../data/route.ts'
import type { Column } from '../../ui/DataRow.tsx'

/** Columns and filters of a list. A column is shown, searched and exported. */

export interface ListColumn<T> extends Column<T> {
  /** For the search and the CSV file. */
  readonly text: (row: T) => string | null | undefined
  /** Searched and exported, but not shown. */
  readonly hidden?: boolean
  /** Left out where there is too little space, as the details of a record have it, too. */
  readonly optional?: boolean
  readonly header: string
  /** What the list is sorted by, if not by the text. */
  readonly sortBy?: (row: T) => unknown
  /** The field of the record that has this value, by which the sandbox can sort and find records. */
  readonly field?: string
  /** The first click on the header sorts the largest or newest first. */
  readonly largestFirst?: boolean
  /** The address parameter that filters by a value of this column, and that value. Without it, the text is searched. */
  readonly filterBy?: (row: T) => readonly [name: string, value: string] | undefined
  /** How it looks where no rows above tell the day. */
  readonly alone?: Pick<Column<T>, 'cell' | 'width'>
}

export interface Filter<T> {
  /** Shown in the chip and used in the address. */
  readonly name: string
  readonly options: readonly string[]
  /** The options that a row matches. */
  of(row: T): string | readonly string[]
  /** The list of the API has the same filter under this name. */
  readonly inApi?: boolean
  show?(option: string): React.ReactNode
}

type Texts<T> = (row: T) => readonly (string | null | undefined)[]
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
