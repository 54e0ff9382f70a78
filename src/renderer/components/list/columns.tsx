import { NetAsset } from '../../../api/contract/resources/transactions.ts'
import type { RecordRow } from '../../data/live-list.ts'
import type { PartyNames } from '../../data/names.ts'
import { formatIsoDate, newYork } from '../../format/time.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { GlyphText } from '../../ui/GlyphText.tsx'
import { Text } from '../../ui/Text.tsx'
import { Uid } from '../RecordLink.tsx'
import { ReturnedMark } from '../Returned.tsx'
import type { PaymentReturn } from '../returned.ts'
import { Status } from '../Status.tsx'
import type { Filter, ListColumn } from './model.ts'
import { NamedRecord, Parties, partiesText, signAmount } from './parts.tsx'

/** Columns and filters that several lists share. */

export const timeColumn = <T,>(header: string, at: (row: T) => string): ListColumn<T> => ({
  id: 'created_at',
  header,
  width: '78px',
  cell: (row) => (
    <span className="soft" title={at(row)}>
      {newYork(Date.parse(at(row))).time}
    </span>
  ),
  text: at,
  field: 'created_at',
  largestFirst: true,
  alone: {
    width: '138px',
    cell: (row) => (
      <span className="soft" title={at(row)}>
        {formatIsoDate(Date.parse(at(row)))} {newYork(Date.parse(at(row))).time.slice(0, 5)}
      </span>
    ),
  },
})

export const uidColumn = <T extends RecordRow>(): ListColumn<T> => ({
  id: 'uid',
  header: 'uid',
  width: '146px',
  optional: true,
  cell: ({ uid }) => <Uid inTable>{uid}</Uid>,
  text: ({ uid }) => uid,
  field: 'uid',
})

interface Payment {
  readonly status: string
  readonly created_at: string
}

export const createdAt = ({ created_at }: Payment) => created_at

export const statusColumn = <T extends Payment>(width = '156px'): ListColumn<T> => ({
  id: 'status',
  header: 'status',
  width,
  cell: ({ status }) => <Status word={status} />,
  text: ({ status }) => status,
  field: 'status',
  filterBy: ({ status }) => ['status', status],
})

export const statusFilter = <T extends Payment>(options: readonly string[]): Filter<T> => ({
  name: 'status',
  options,
  of: ({ status }) => status,
  inApi: true,
  show: (word) => <Status word={word} />,
})

const RETURNED = 'returned'

/** A return is no status, but one looks for returned payments as for failed ones. */
export const statusOrReturnedFilter = <T extends Payment>(
  options: readonly string[],
  isReturned: (row: T) => boolean,
): Filter<T> => ({
  ...statusFilter<T>([...options, RETURNED]),
  // No payment has the status returned.
  inApi: false,
  of: (row) => (isReturned(row) ? [row.status, RETURNED] : row.status),
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
export const statusOrReturnedColumn = <T extends Payment>(
  returnOf: (row: T) => PaymentReturn | null | undefined,
): ListColumn<T> => ({
  ...statusColumn<T>('164px'),
  cell: (row) => {
    const of = returnOf(row)
    return (
      <span className="row" data-tight>
        <Status word={row.status} />
        {of?.is === 'returned' && <ReturnedMark of={of} inTable />}
      </span>
    )
  },
})

const directionMeanings: Readonly<Record<string, string>> = {
  positive: 'in: the balance rises',
  negative: 'out: the balance falls',
  neutral: 'between accounts of the Customer',
}

/** Named `net_asset`, as the field of a Transaction. */
export const directionFilter = <T,>(of: (row: T) => string): Filter<T> => ({
  name: 'net_asset',
  options: NetAsset.options,
  of,
  show: (word) => (
    <span>
      {word} <span className="meta">{directionMeanings[word]}</span>
    </span>
  ),
})

export const textColumn = <T,>(
  id: string,
  width: string,
  of: (row: T) => string | null | undefined,
  header = id,
): ListColumn<T> => ({
  id,
  header,
  width,
  cell: (row) => {
    const text = of(row)
    if (text == null || text === '') return <span className="faint">{text === null ? 'null' : '–'}</span>
    return (
      <span className={id === 'external_uid' ? 'mono soft' : 'soft'} title={text.slice(0, 255)}>
        <Text>{text}</Text>
      </span>
    )
  },
  text: of,
})

export const customerColumn = <T,>(
  names: PartyNames,
  id: string,
  of: (row: T) => string | undefined,
): ListColumn<T> => ({
  id,
  header: 'Customer',
  width: 'minmax(161px, 1fr)',
  optional: true,
  cell: (row) => {
    const uid = of(row)
    return uid === undefined ? (
      <span className="faint">–</span>
    ) : (
      <NamedRecord collection="customers" uid={uid} name={names.customer(uid)} />
    )
  },
  text: (row) => {
    const uid = of(row)
    return uid && (names.customer(uid) ?? uid)
  },
  filterBy: (row) => {
    const uid = of(row)
    return uid === undefined ? undefined : ['customer', uid]
  },
})

/** From this window width on there is space for the uid of a second record. */
export const MIN_ROOMY_WIDTH = 1440

export const recordColumn = <T,>(
  id: string,
  header: string,
  collection: 'transactions' | 'transfers',
  of: (row: T) => string | null | undefined,
  hidden = false,
): ListColumn<T> => ({
  id,
  header,
  width: '128px',
  hidden,
  optional: true,
  cell: (row) => {
    const uid = of(row)
    return uid == null ? (
      <span className="faint">{uid === null ? 'null' : '–'}</span>
    ) : (
      <span className="mono">
        <NamedRecord collection={collection} uid={uid} />
      </span>
    )
  },
  text: of,
})

interface Sides {
  readonly source: string | null | undefined
  readonly destination: string | null | undefined
  readonly outside?: string | undefined
}

export const partiesColumn = <T,>(names: PartyNames, of: (row: T) => Sides): ListColumn<T> => ({
  id: 'parties',
  header: 'From, to',
  width: 'minmax(288px, 6fr)',
  cell: (row) => <Parties names={names} {...of(row)} />,
  text: (row) => partiesText({ names, ...of(row) }),
})

/** Unsettled amounts look different, because they are not part of a balance. */
export const amountColumn = <T extends Payment>(
  id: string,
  amount: (row: T) => string,
  direction: (row: T) => string,
  width = '121px',
): ListColumn<T> => ({
  id,
  header: 'Amount, USD',
  width,
  right: true,
  pinned: true,
  largestFirst: true,
  field: id,
  // The largest payment is the largest in either direction.
  sortBy: amount,
  cell: (row) => (
    <Amount
      value={signAmount(amount(row), direction(row))}
      movement={direction(row) !== 'neutral'}
      pending={!['settled', 'completed'].includes(row.status)}
    />
  ),
  text: (row) => signAmount(amount(row), direction(row)),
})
