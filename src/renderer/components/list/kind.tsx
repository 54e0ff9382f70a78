import type { CollectionName } from '../../data/collections.ts'
import type { RecordRow } from '../../data/live-list.ts'
import type { Route } from '../../data/route.ts'
import { newYork } from '../../format/time.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { RecordLink, Uid } from '../RecordLink.tsx'

/** What a list of records is, said once: its columns draw it, search it and export it. */

export interface Col<T> {
  readonly id: string
  readonly header: string
  /** A track of the grid: `80px`, `minmax(120px, 1fr)`. */
  readonly width: string
  readonly right?: boolean
  /** Searched and exported, and not drawn. */
  readonly hidden?: boolean
  draw(row: T): React.ReactNode
  /** In other programs, and for whoever searches. */
  text(row: T): string | null | undefined
}

export interface Filter<T> {
  /** As the address has it, and the chip. */
  readonly name: string
  readonly options: readonly string[]
  of(row: T): string
  show?(option: string): React.ReactNode
}

export function tableColumns<T extends RecordRow>(cols: readonly Col<T>[]): readonly Column<T>[] {
  return cols
    .filter(({ hidden }) => !hidden)
    .map(({ id, header, width, right = false, draw }) => ({
      id,
      header,
      meta: { width, right },
      cell: ({ row }) => draw(row.original),
    }))
}

type Texts<T> = (row: T) => readonly (string | null | undefined)[]
interface FilterTexts<T> {
  /** Not shown, and searched all the same. */
  readonly found?: Texts<T> | undefined
  readonly customersOf?: Texts<T> | undefined
}

/** Which records are shown, as the address says it. Undefined when all of them are. */
export function rowFilter<T extends RecordRow>(
  params: Route['params'],
  filters: readonly Filter<T>[],
  cols: readonly Col<T>[],
  { found = () => [], customersOf }: FilterTexts<T> = {},
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
        cols.some(({ text }) => sought.test(text(row) ?? '')) || found(row).some((text) => sought.test(text ?? '')),
    )
  }
  return tests.length === 0 ? undefined : (row) => tests.every((test) => test(row))
}

// ── Columns that several lists have ────────────────────────────────────────────────────────────────────────────────

export const timeCol = <T,>(header: string, at: (row: T) => string): Col<T> => ({
  id: 'created_at',
  header,
  width: '78px',
  draw: (row) => (
    <span className="soft" title={at(row)}>
      {newYork(Date.parse(at(row))).time}
    </span>
  ),
  text: at,
})

export const uidCol = <T extends RecordRow>(): Col<T> => ({
  id: 'uid',
  header: 'uid',
  width: '146px',
  draw: ({ uid }) => <Uid inTable>{uid}</Uid>,
  text: ({ uid }) => uid,
})

/** A record by its name, or by its uid until the name is known. */
export const NamedRecord = ({
  collection,
  uid,
  name,
}: {
  collection: CollectionName
  uid: string
  name?: string | null | undefined
}) => (
  <RecordLink collection={collection} uid={uid} inTable title={name ?? uid}>
    {name ?? uid}
  </RecordLink>
)
