import type { RecordRow } from '../../data/live-list.ts'
import type { Route } from '../../data/route.ts'
import type { Column } from '../../ui/DataTable.tsx'

/** Columns and filters of a list. A column is shown, searched and exported. */

export interface ListColumn<T> extends Column<T> {
  /** For the search and the CSV file. */
  readonly text: (row: T) => string | null | undefined
  /** Searched and exported, but not shown. */
  readonly hidden?: boolean
  readonly header: string
}

export interface Filter<T> {
  /** Shown in the chip and used in the address. */
  readonly name: string
  readonly options: readonly string[]
  /** The options that a row matches. */
  of(row: T): string | readonly string[]
  show?(option: string): React.ReactNode
}

type Texts<T> = (row: T) => readonly (string | null | undefined)[]
interface FilterTexts<T> {
  /** Texts that are searched but not shown. */
  readonly searchTexts?: Texts<T> | undefined
  readonly customersOf?: Texts<T> | undefined
}

/** The filter that the address describes; undefined if all records are shown. */
export function rowFilter<T extends RecordRow>(
  params: Route['params'],
  filters: readonly Filter<T>[],
  columns: readonly ListColumn<T>[],
  { searchTexts: found = () => [], customersOf }: FilterTexts<T> = {},
): ((row: T) => boolean) | undefined {
  const tests: ((row: T) => boolean)[] = []
  for (const { name, of } of filters) {
    const wanted = params[name]
    if (wanted) tests.push((row) => [of(row)].flat().some((option) => wanted.includes(option)))
  }
  const customers = params.customer
  if (customers && customersOf)
    tests.push((row) => customersOf(row).some((uid) => uid != null && customers.includes(uid)))
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
