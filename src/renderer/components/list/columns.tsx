import type { PaymentReturn } from '../../../api/contract/control/history.ts'
import { NetAsset } from '../../../api/contract/resources/transactions.ts'
import type { CollectionName } from '../../data/collections.ts'
import type { RecordRow } from '../../data/live-list.ts'
import type { PartyNames } from '../../data/names.ts'
import { formatIsoDate, newYork } from '../../format/text.ts'
import { Amount, Glyph, GlyphText, Text as SafeText } from '../../ui/Text.tsx'
import { ReturnedMark } from '../Returned.tsx'
import { Uid } from '../ScreenLink.tsx'
import { Status } from '../Status.tsx'
import type { Filter, ListColumn, Text } from './model.ts'
import { LockedMark, NamedRecord, Parties, partiesText, signAmount } from './parts.tsx'

/** The kinds of columns and filters of lists. Fields are paths, e.g. `ach.ach_return_code`. */

type More<T, C> = Partial<ListColumn<T, C>>

interface WithNames {
  readonly names: PartyNames
}

/** Reads a field of a record by its path. */
export const readField =
  <V = Text>(path: string) =>
  (row: object): V => {
    let value: unknown = row
    for (const name of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name]
    return value as V
  }

const lastPart = (path: string) => path.slice(path.lastIndexOf('.') + 1)

const Missing = ({ value }: { value: null | '' | undefined }) => (
  <span className="faint">{value === null ? 'null' : '–'}</span>
)

/** A time of day: rows of days are above it, or the date is beside it. */
export function timeColumn(header: string, field = 'created_at', id = field): ListColumn<object, unknown> {
  const read = readField<string>(field)
  const render = (format: (ms: number) => string) => (row: object) => (
    <span className="soft" title={read(row)}>
      {format(Date.parse(read(row)))}
    </span>
  )
  return {
    id,
    header,
    field,
    text: read,
    largestFirst: true,
    width: '78px',
    cell: render((ms) => newYork(ms).time),
    alone: { width: '138px', cell: render((ms) => `${formatIsoDate(ms)} ${newYork(ms).time.slice(0, 5)}`) },
  }
}

export const uidColumn: ListColumn<RecordRow, unknown> = {
  id: 'uid',
  header: 'uid',
  width: '146px',
  optional: true,
  field: 'uid',
  cell: ({ uid }) => <Uid inTable>{uid}</Uid>,
  text: ({ uid }) => uid,
}

/** A field of a row, or one of a part of it, such as `details.phone`. */
type FieldOf<T> = {
  [K in keyof T & string]:
    | K
    | (NonNullable<T[K]> extends readonly unknown[]
        ? never
        : NonNullable<T[K]> extends object
          ? `${K}.${keyof NonNullable<T[K]> & string}`
          : never)
}[keyof T & string]

/** The text of a field, or of a function. */
export function textColumn<T extends object, C = unknown>(
  from: FieldOf<T> | ((row: T) => Text),
  width: string,
  more: More<T, C> = {},
): ListColumn<T, C> {
  const read = typeof from === 'string' ? readField(from) : from
  const id = more.id ?? (typeof from === 'string' ? lastPart(from) : '')
  return {
    id,
    header: id,
    width,
    text: read,
    ...(typeof from === 'string' ? { field: from } : {}),
    cell: (row) => {
      const text = read(row)
      return text == null || text === '' ? (
        <Missing value={text} />
      ) : (
        <span className={id === 'external_uid' ? 'mono soft' : 'soft'} title={text.slice(0, 255)}>
          <SafeText>{text}</SafeText>
        </span>
      )
    },
    ...more,
  }
}

/** The name of the record of the row, with a link to it. */
export const nameColumn = <T extends RecordRow>(
  collection: CollectionName,
  width: string,
  of: (row: T) => Text,
  none: string,
): ListColumn<T, unknown> => ({
  id: 'name',
  header: 'Name',
  width,
  text: of,
  cell: (row) => <NamedRecord collection={collection} uid={row.uid} name={of(row) ?? none} />,
})

interface StatusOptions {
  readonly field?: string
  readonly header?: string
  /** The name of its filter, if it is not the field. */
  readonly filter?: string
  readonly isLockable?: boolean
}

/** A status, with the padlock of a locked record if `locked_at` is read. */
export function statusColumn(width: string, options: StatusOptions = {}): ListColumn<object, unknown> {
  const { field = 'status', header = field, filter = field, isLockable = false } = options
  const read = readField(field)
  return {
    id: field,
    header,
    width,
    field,
    text: read,
    ...(isLockable ? { reads: [field, 'locked_at'] } : {}),
    cell: (row) => {
      const word = read(row)
      if (word == null) return <Missing value={word} />
      return (
        <LockedMark at={isLockable ? readField<string | null>('locked_at')(row) : null}>
          <Status word={word} />
        </LockedMark>
      )
    },
    filterBy: (row) => [filter, String(read(row))],
  }
}

/** Filters by a status, or by another field with a few values. */
export const statusFilter = (
  options: readonly string[],
  { name = 'status', field = name, inApi = false }: { name?: string; field?: string; inApi?: boolean } = {},
): Filter<object, unknown> => {
  const read = readField(field)
  return {
    name,
    options,
    inApi,
    of: (row) => String(read(row)),
    show: (word) => (word === 'null' ? <Missing value={null} /> : <Status word={word} />),
  }
}

/** The return of the payment of a row. */
type ReturnOf<T> = (row: T) => PaymentReturn | null | undefined

const RETURNED = 'returned'

/** A return is no status, but one looks for returned payments as for failed ones. */
export const statusOrReturnedFilter = <T extends object>(
  options: readonly string[],
  returnOf: ReturnOf<T>,
): Filter<T, unknown> => ({
  name: 'status',
  options: [...options, RETURNED],
  of: (row) => {
    const status = String(readField('status')(row))
    return returnOf(row)?.is === RETURNED ? [status, RETURNED] : status
  },
  show: (word) =>
    word === RETURNED ? (
      <GlyphText signal="bad">
        <Glyph name="broken" />
        <span>{word}</span> <span className="meta">by a later payment</span>
      </GlyphText>
    ) : (
      <Status word={word} />
    ),
})

/** The status, and beside it the return: a returned payment stays settled. */
export const statusOrReturnedColumn = <T extends object>(returnOf: ReturnOf<T>): ListColumn<T, unknown> => {
  const column = statusColumn('164px')
  return {
    ...column,
    cell: (row) => {
      const of = returnOf(row)
      return (
        <span className="row" data-tight>
          {column.cell(row, undefined)}
          {of?.is === 'returned' && <ReturnedMark of={of} />}
        </span>
      )
    },
  }
}

const directionMeanings: Readonly<Record<string, string>> = {
  positive: 'in: the balance rises',
  negative: 'out: the balance falls',
  neutral: 'between accounts of the Customer',
}

type Direction<T, C> = (row: T, context: C) => string

/** Named `net_asset`, as the field of a Transaction. */
export const directionFilter = <T, C = unknown>(of: Direction<T, C>): Filter<T, C> => ({
  name: 'net_asset',
  options: NetAsset.options,
  of,
  show: (word) => (
    <span>
      {word} <span className="meta">{directionMeanings[word]}</span>
    </span>
  ),
})

type RecordColumnOptions<T, C> = Omit<More<T, C>, 'id' | 'header'> & {
  readonly id: string
  readonly header: string
  /** What it is called, if not by its uid. */
  readonly nameOf?: (uid: string, context: C) => string | undefined
}

/** A link to a record that the row names: to the first of several. */
export function recordColumn<T extends object, C = unknown>(
  collection: CollectionName,
  from: string | ((row: T, context: C) => Text),
  { nameOf, ...more }: RecordColumnOptions<T, C>,
): ListColumn<T, C> {
  const read = typeof from === 'string' ? readField<Text | readonly string[]>(from) : from
  return {
    width: '128px',
    optional: true,
    ...(typeof from === 'string' ? { reads: [from] } : {}),
    cell: (row, context) => {
      const [uid] = [read(row, context)].flat()
      if (uid == null) return <Missing value={uid} />
      if (nameOf) return <NamedRecord collection={collection} uid={uid} name={nameOf(uid, context)} />
      return (
        <span className="mono">
          <NamedRecord collection={collection} uid={uid} />
        </span>
      )
    },
    text: (row, context) =>
      [read(row, context)]
        .flat()
        .map((uid) => (uid && nameOf?.(uid, context)) ?? uid)
        .join(' ') || undefined,
    ...more,
  }
}

export const customerColumn = <T extends object>(
  id: string,
  from: string | ((row: T, context: WithNames) => Text),
): ListColumn<T, WithNames> => {
  const read = typeof from === 'string' ? readField(from) : from
  return recordColumn('customers', from, {
    id,
    header: 'Customer',
    width: 'minmax(161px, 1fr)',
    nameOf: (uid, { names }) => names.customer(uid),
    filterBy: (row, context) => {
      const uid = read(row, context)
      return uid == null ? undefined : ['customer', uid]
    },
  })
}

interface Sides {
  readonly source: Text
  readonly destination: Text
  readonly outside?: string | undefined
}

export const partiesColumn = <T,>(reads: readonly string[], of: (row: T) => Sides): ListColumn<T, WithNames> => ({
  id: 'parties',
  header: 'From, to',
  width: 'minmax(288px, 6fr)',
  reads,
  cell: (row, { names }) => <Parties names={names} {...of(row)} />,
  text: (row, { names }) => partiesText({ names, ...of(row) }),
})

/** A sum at the right edge of the list; undefined while it is not known. */
export const sumColumn = <T, C>(
  id: string,
  header: string,
  of: (row: T, context: C) => Text,
  more: More<T, C> = {},
): ListColumn<T, C> => ({
  id,
  header,
  width: '121px',
  right: true,
  pinned: true,
  largestFirst: true,
  text: of,
  cell: (row, context) => <Amount value={of(row, context) ?? undefined} />,
  ...more,
})

/** The amount of a payment. Unsettled ones look different, because they are not part of a balance. */
export function amountColumn<T extends object, C>(
  field: string,
  direction: Direction<T, C>,
  more: More<T, C> = {},
): ListColumn<T, C> {
  const amount = readField(field)
  const of = (row: T, context: C) => {
    const unsigned = amount(row)
    return unsigned && signAmount(unsigned, direction(row, context))
  }
  return sumColumn(lastPart(field), 'Amount, USD', of, {
    field,
    // The largest payment is the largest in either direction.
    sortBy: amount,
    cell: (row, context) => (
      <Amount
        value={of(row, context) ?? undefined}
        movement={direction(row, context) !== 'neutral'}
        pending={!['settled', 'completed'].includes(String(readField('status')(row)))}
      />
    ),
    ...more,
  })
}
