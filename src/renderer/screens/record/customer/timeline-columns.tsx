import { ArrowRight, BookText, Circle, Diamond, List, SkipBack, SkipForward } from 'lucide-react'
import { formatCause } from '../../../../api/contract/control/causes.ts'
import type { TimelineEntry } from '../../../../api/contract/control/history.ts'
import { formatCounterparty } from '../../../../api/contract/messages.ts'
import { ReturnedMark } from '../../../components/Returned.tsx'
import { RecordLink, ScreenLink } from '../../../components/ScreenLink.tsx'
import { Status, statusGlyphs } from '../../../components/Status.tsx'
import { collections, isCollection } from '../../../data/collections.ts'
import {
  escapeControls,
  formatAmount,
  formatCount,
  formatInstant,
  formatShortInstant,
  formatTimeOfDay,
} from '../../../format/text.ts'
import { amountTrack } from '../../../ui/amount-width.ts'
import type { Column } from '../../../ui/DataTable.tsx'
import { Row } from '../../../ui/Layout.tsx'
import { Amount, Glyph, GlyphText, Text, Time } from '../../../ui/Text.tsx'
import styles from './timeline-columns.module.css'
import { LANES, type Lane, type TimelineRow } from './timeline-rows.ts'

const MARK = { position: 'absolute', top: '50%', width: 9, height: 9, margin: '-4.5px 0 0 -4.5px' } as const
const BAR = { ...MARK, width: 3, height: 16, margin: '-8px 0 0 -1.5px' }

/** The lanes: what their filters and their rows are called, their icons, and their marks. */
export const lanes = {
  request: {
    label: 'Requests',
    name: 'request',
    Icon: List,
    mark: { ...MARK, left: 11.5, borderRadius: '50%', background: 'var(--ink-2)' },
  },
  state: {
    label: 'States',
    name: 'state',
    Icon: Diamond,
    mark: { ...MARK, left: 35.5, transform: 'rotate(45deg) scale(0.85)', background: 'var(--ink-2)' },
  },
  money: { label: 'Money', name: 'money', Icon: BookText, mark: { ...MARK, left: 59.5, background: 'var(--accent)' } },
  time: {
    label: 'Clock',
    name: 'clock change',
    Icon: SkipForward,
    mark: { ...BAR, left: 83.5, background: 'var(--wait)' },
  },
} as const

/** The mark of a lane for the legend. */
export function LaneKey({ lane }: { lane: Lane }) {
  const Shape = lane === 'request' ? Circle : Diamond
  return lane === 'request' || lane === 'state' ? (
    <Shape size={9} fill="currentColor" aria-hidden="true" />
  ) : (
    <i style={{ ...KEYS[lane], background: lanes[lane].mark.background }} />
  )
}

const KEYS = { money: { width: 8, height: 8 }, time: { width: 3, height: 11 } }

/** The columns of the amounts are as wide as these rows need. */
export function fitColumns(rows: readonly TimelineRow[]): readonly Column<TimelineRow>[] {
  const [amounts, balances] = [rows.map((row) => row.amount), rows.map((row) => row.balance)]
  const widths: Readonly<Record<string, string>> = {
    amount: amountTrack(amounts, { least: 100, isMovement: true }),
    balance: amountTrack(balances, { padding: 24, least: 108 }),
  }
  return columns.map((column) => ({ ...column, width: widths[column.id] ?? column.width }))
}

const columns: readonly Column<TimelineRow>[] = [
  {
    id: 'time',
    header: 'Time',
    width: '78px',
    cell: ({ lane, entry }) => lane !== 'time' && <Time at={entry.at} format={formatTimeOfDay} />,
  },
  {
    id: 'lanes',
    header: (
      <span className={styles.lanes} data-heads title="requests, states, money, clock changes">
        {LANES.map((lane) => {
          const { Icon } = lanes[lane]
          return <Icon key={lane} size={12} aria-hidden="true" />
        })}
        <span className="unseen">Lane</span>
      </span>
    ),
    width: '96px',
    cell: (row) => (
      <span className={styles.lanes} data-lane={row.lane} data-bare={hasFigures(row) ? undefined : ''}>
        <i style={lanes[row.lane].mark} />
        <span className="unseen">{lanes[row.lane].name}</span>
      </span>
    ),
  },
  {
    id: 'what',
    header: 'Event',
    width: 'var(--what)',
    cell: (row) => <EventCell row={row} />,
  },
  {
    id: 'detail',
    header: 'Detail',
    width: 'minmax(120px, 1fr)',
    cell: (row) => <DetailCell row={row} />,
  },
  {
    id: 'amount',
    header: 'Amount',
    width: '100px',
    right: true,
    cell: (row) => (row.amount === null ? null : <Amount value={row.amount} movement pending={row.pending} />),
  },
  {
    id: 'balance',
    header: 'Balance',
    width: '108px',
    right: true,
    cell: (row) => (row.balance === null ? null : <Amount value={row.balance} />),
  },
]

/** A row without figures uses their columns for its text. */
const hasFigures = ({ amount, balance }: TimelineRow) => amount !== null || balance !== null

function EventCell({ row: { entry, lane } }: { row: TimelineRow }) {
  if (lane === 'time') return <ClockJumpCell entry={entry} />
  if (entry.kind === 'request') return <RequestCell entry={entry} />
  if (entry.kind === 'state') return <StateCell entry={entry} />
  if (entry.payment)
    return (
      <span title={escapeControls(`${entry.payment.type} ${describePayment(entry)}`.slice(0, MAX_TITLE))}>
        <RecordLink collection="transactions" uid={entry.payment.uid} inTable>
          {entry.payment.type}
        </RecordLink>{' '}
        <Text>{describePayment(entry)}</Text>
      </span>
    )
  return (
    <>
      <RecordCell entry={entry} /> <Text>{entry.kind === 'money' ? 'available' : describeChange(entry.message)}</Text>
    </>
  )
}

/** Follows the name of the record, such as in "Transfer abcd… is created". */
function describeChange(message: TimelineEntry['message']): string {
  if (message?.code === 'record_created') return `is created${message.facts.status ? `, ${message.facts.status}` : ''}`
  if (message?.code === 'record_removed') return 'is removed'
  return message?.code === 'customer_data_changed' ? 'is changed' : ''
}

/** The longest text of a title attribute. */
const MAX_TITLE = 255

/** The sign of the amount tells which party is the counterparty. */
function describePayment({ payment, amount }: TimelineEntry): string {
  const direction = amount === null || amount === '0.00' ? undefined : amount.startsWith('-') ? 'negative' : 'positive'
  return payment === null ? '' : formatCounterparty(payment.message, direction)
}

function RecordCell({ entry: { collection, uid }, short = false }: { entry: TimelineEntry; short?: boolean }) {
  if (!isCollection(collection) || uid === null) return null
  return (
    <RecordLink collection={collection} uid={uid} inTable title={`${collections[collection].one} ${uid}`}>
      {short ? `${uid.slice(0, 4)}…` : `${collections[collection].one} ${uid.slice(0, 4)}…`}
    </RecordLink>
  )
}

function RequestCell({ entry: { exchange, text, cause } }: { entry: TimelineEntry }) {
  const name = exchange ? exchange.method : (text.split(' ')[0] ?? '')
  const path = exchange ? exchange.path : text.slice(name.length + 1)
  const isRefused = exchange !== null && exchange.status >= 400
  return (
    <span className={`row ${styles.request}`}>
      <ScreenLink
        className="mono cut"
        screen="requests"
        record={exchange?.uid ?? cause?.exchange ?? null}
        tabIndex={-1}
        title={path}
      >
        <b>{name}</b> <Text>{path}</Text>
      </ScreenLink>
      {exchange &&
        (isRefused ? (
          <GlyphText signal="bad">
            <Glyph name="broken" /> {exchange.status}
          </GlyphText>
        ) : (
          <span className="soft">{exchange.status}</span>
        ))}
    </span>
  )
}

function StateCell({ entry }: { entry: TimelineEntry }) {
  const { field, from, to } = entry
  return (
    <Row as="span" gap={6} data-state-change>
      <RecordCell entry={entry} short />
      {field === 'status' && (
        <>
          <StateWord word={from} />
          <ArrowRight size={11} strokeWidth={1.8} aria-label="to" />
        </>
      )}
      <StateWord word={to} isTime={field === 'locked_at'} />
    </Row>
  )
}

function StateWord({ word, isTime = false }: { word: string | null; isTime?: boolean }) {
  if (word === null) return <span className="faint">null</span>
  if (isTime) return <time dateTime={word}>{formatInstant(Date.parse(word))}</time>
  return word in statusGlyphs ? <Status word={word} /> : <span>{word}</span>
}

function ClockJumpCell({ entry: { from, to } }: { entry: TimelineEntry }) {
  const ms = Date.parse(to ?? '') - Date.parse(from ?? '')
  const Icon = ms < 0 ? SkipBack : SkipForward
  return (
    <span className="row wait">
      <Icon size={12} strokeWidth={1.8} aria-hidden="true" />
      <b>
        {formatDistance(Math.abs(ms))} {ms < 0 ? 'back' : 'forward'}
      </b>
      <span className="soft">to {to === null ? '' : formatShortInstant(Date.parse(to))} by the operator</span>
    </span>
  )
}

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const

/** `2 days 20 h 35 min`, without parts that are zero. */
export function formatDistance(ms: number): string {
  const parts: string[] = []
  let left = ms
  for (const [size, unit] of UNITS) {
    const n = Math.floor(left / size)
    left -= n * size
    if (n > 0) parts.push(`${formatCount(n)} ${unit}${unit === 'day' && n > 1 ? 's' : ''}`)
  }
  return parts.join(' ') || '0 s'
}

function DetailCell({ row }: { row: TimelineRow }) {
  if (row.lane === 'time') return null
  const detail = row.entry.kind === 'request' ? <RequestDetail row={row} /> : <ChangeDetail entry={row.entry} />
  const { paymentReturn } = row
  if (paymentReturn === null) return detail
  return (
    <span className="row" data-tight>
      {paymentReturn.is === 'returned' ? (
        <ReturnedMark of={paymentReturn} />
      ) : (
        <span className="nowrap">
          returns{' '}
          <RecordLink
            collection="transactions"
            uid={paymentReturn.uid}
            inTable
            title={`Transaction ${paymentReturn.uid}`}
          >
            {`${paymentReturn.uid.slice(0, 4)}…`}
          </RecordLink>
        </span>
      )}
      <span className="cut">{detail}</span>
    </span>
  )
}

/** The error of a refused request, else what it created, else what it did. */
function RequestDetail({ row: { entry, created } }: { row: TimelineRow }) {
  const { exchange } = entry
  const isRefused = exchange !== null && exchange.status >= 400
  const [first] = created
  if (isRefused || !first || !isCollection(first.collection) || first.uid === null) {
    const effect = isRefused ? [exchange.code, exchange.did].filter((part) => part !== null).join(': ') : exchange?.did
    return (
      <span title={escapeControls((effect ?? '').slice(0, MAX_TITLE))}>
        <Text className={isRefused ? 'bad' : 'soft'}>{effect ?? ''}</Text>
      </span>
    )
  }
  const main = created.find(({ collection }) => collection === 'transfers') ?? first
  const payment = created.find((one) => one.payment)
  const { one: kind } = collections[main.collection as 'transfers']
  // Do not count the Transaction of a Transfer: it is the same payment.
  const more = created.filter((other) => other !== main && other !== payment).length
  const text = `${payment ? describePayment(payment) : (main.name ?? '')}${more > 0 ? ` and ${more} more` : ''}`
  return (
    <span className="soft" title={escapeControls(`${kind} ${text}`.slice(0, MAX_TITLE))}>
      <RecordLink collection={main.collection as 'transfers'} uid={main.uid!} inTable>
        {kind}
      </RecordLink>{' '}
      <Text>{text}</Text>
    </span>
  )
}

/** The party or name of the changed record, and the task or decision that changed it. */
function ChangeDetail({ entry }: { entry: TimelineEntry }) {
  const { kind, text } = entry
  const name = nameOf(entry)
  const cause = entry.cause === null || entry.cause.door === 'request' ? '' : formatCause({ cause: entry.cause })
  return (
    <span className="soft" title={escapeControls(`${text.slice(0, MAX_TITLE)}${cause === '' ? '' : `; ${cause}`}`)}>
      {kind === 'state' && entry.field !== 'status' && (
        <span className="faint">{`${entry.field?.split('.').at(-1)}, was ${entry.from ?? 'null'}; `}</span>
      )}
      <Text>{name}</Text>
      {cause !== '' &&
        (name === '' ? (
          <span className="faint">{cause}</span>
        ) : (
          <span className={`faint ${styles.cause}`}> · {cause}</span>
        ))}
      {kind === 'money' && entry.field && entry.from !== null && entry.to !== null && (
        <span className="faint">{` · ${formatAmount(entry.from)} → ${formatAmount(entry.to)}`}</span>
      )}
    </span>
  )
}

/** The destination of a payment, else the record's name; empty if the row already shows it. */
function nameOf({ name, name_message, payment }: TimelineEntry): string {
  if (name === null || name === payment?.description) return ''
  return name_message ? formatCounterparty(name_message, 'negative') : name
}
