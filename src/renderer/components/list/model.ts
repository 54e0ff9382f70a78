import type { RecordRow } from '../../data/live-list.ts'
import type { Route } from '../../data/route.ts'
import type { Column } from '../../ui/DataTable.tsx'

/** What a list of records consists of: its columns show, search and export it. */

export interface ListColumn<T> extends Column<T> {
  /** As the search and the CSV file have it. */
  readonly text: (row: T) => string | null | undefined
  /** Searched and exported, but not shown. */
  readonly hidden?: boolean
  readonly header: string
}

export interface Filter<T> {
  /** As the address has it, and the chip. */
  readonly name: string
  readonly options: readonly string[]
  of(row: T): string
  show?(option: string): React.ReactNode
}

type Texts<T> = (row: T) => readonly (string | null | undefined)[]
interface FilterTexts<T> {
  /** Not shown, and searched all the same. */
  readonly searchTexts?: Texts<T> | undefined
  readonly customersOf?: Texts<T> | undefined
}

/** Which records are shown, as the address says it. Undefined when all of them are. */
export function rowFilter<T extends RecordRow>(
  params: Route['params'],
  filters: readonly Filter<T>[],
  columns: readonly ListColumn<T>[],
  { searchTexts: found = () => [], customersOf }: FilterTexts<T> = {},
): ((row: T) => boolean) | undefined {
  const tests: ((row: T) => boolean)[] = []
  for (const { name, of } of filters) {
    const wanted = params[name]
    if (wanted) tests.push((row) => wanted.includes(of(row)))
  }
  const customers = params.customer
  if (customers && customersOf)
    tests.push((row) => customersOf(row).some((uid) => uid != null && customers.includes(uid)))
  const words = params.q?.[0]?.trim()
  if (words) {
    // Case is ignored without writing every text anew.
    const sought = new RegExp(words.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu')
    tests.push(
      (row) =>
        columns.some(({ text }) => sought.test(text(row) ?? '')) || found(row).some((text) => sought.test(text ?? '')),
    )
  }
  return tests.length === 0 ? undefined : (row) => tests.every((test) => test(row))
}
