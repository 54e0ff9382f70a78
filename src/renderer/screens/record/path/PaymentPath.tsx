import { ArrowUpRight } from 'lucide-react'
import { paymentOf, rowOf } from '../../../../api/contract/collections.ts'
import type { PaymentPath as Path, PathPayment } from '../../../../api/contract/control/payments.ts'
import { ALL_COLLECTIONS, type LoadedRecordProps } from '../../../components/fields/use-record.ts'
import { CauseLink, RecordLink, ScreenLink } from '../../../components/ScreenLink.tsx'
import { Status } from '../../../components/Status.tsx'
import { useTableToggle } from '../../../components/use-table-toggle.tsx'
import { useQuery } from '../../../data/sandbox.ts'
import { formatAmount, formatInstant, formatShortInstant, truncate } from '../../../format/text.ts'
import { Row, Section, Stack } from '../../../ui/Layout.tsx'
import { Loaded } from '../../../ui/Notice.tsx'
import { RowTable, type TableColumn } from '../../../ui/Table.tsx'
import { Amount } from '../../../ui/Text.tsx'
import { groupsOf, keyOfRow, PathChart, type PathGroup, type PathRow } from './PathChart.tsx'
import styles from './PathEntries.module.css'

/** A payment over banking days, and from its source to its destination through both books. */
export function PaymentPath({ collection, fields, decided }: LoadedRecordProps & Pick<PathBodyProps, 'decided'>) {
  const payment = rowOf(collection).main ? paymentOf(collection, fields) : null
  const query = useQuery('payments.path', payment === null ? null : { uid: payment }, ALL_COLLECTIONS)
  const { button, showTable } = useTableToggle()
  if (payment === null) return null
  return (
    <Section
      title="Path of the payment"
      note="Solid: passed · outlined: possible next · hatched: banks are closed"
      end={button}
      style={{ paddingBottom: 10 }}
    >
      <Loaded query={query} failure="The path could not be read." rows={4}>
        {(path) => <PathBody path={path} showTable={showTable} decided={decided} />}
      </Loaded>
    </Section>
  )
}

interface PathBodyProps {
  readonly path: Path
  readonly showTable: ReturnType<typeof useTableToggle>['showTable']
  /** States that have a button. */
  readonly decided: readonly string[]
}

function PathBody({ path, showTable, decided }: PathBodyProps) {
  const groups = groupsOf(path, decided)
  return (
    <Stack pad="0 16">
      <PathChart path={path} groups={groups} />
      {path.times.length > 0 && (
        <p className="meta">
          Dashed lines: {namesOf(path, false)} · dotted: {namesOf(path, true)}, in New York time
        </p>
      )}
      {showTable(() => (
        <PathTable path={path} groups={groups} />
      ))}
      {path.payments.map((one) => (
        <PathEntries
          key={one.transaction_uid}
          label={`Entries of ${one.transaction_uid === null ? 'the return' : one.type}`}
          caption={<EntriesCaption payment={one} />}
          entries={one.entries}
        />
      ))}
    </Stack>
  )
}

const namesOf = ({ times }: Path, settles: boolean): string =>
  [...new Set(times.map(({ name }) => name))].filter((name) => /settlement/.test(name) === settles).join(', ') || 'none'

function EntriesCaption({ payment }: { payment: PathPayment }) {
  const { transaction_uid, type, amount, entries, posted, states } = payment
  const settled = states.find(({ state }) => state === 'settled')
  const at = settled?.from == null ? null : formatShortInstant(Date.parse(settled.from))
  if (transaction_uid === null) return <>The return would post next{at === null ? '; its task is held' : `, ${at}`}</>
  const isOpen = states.at(-1)!.kind !== 'current'
  return (
    <>
      <ScreenLink collection="transactions" record={transaction_uid}>
        {type} {formatAmount(amount)}
      </ScreenLink>
      {posted
        ? `: posted ${at ?? ''}`
        : entries.length === 0
          ? `: no entries ${isOpen ? 'will post' : 'were posted'}`
          : `: would post next, ${at ?? 'when it settles'}`}
    </>
  )
}

const columns: readonly TableColumn<PathRow>[] = [
  { label: 'State', width: 160, cell: ({ state }) => <Status word={state} /> },
  { label: 'Is', width: 80, cell: ({ kind }) => kind },
  { label: 'From', width: 176, cell: ({ from, note }) => (from === null ? (note ?? '–') : formatInstant(from)) },
  { label: 'Until', width: 176, cell: ({ until }) => (until === null ? '–' : formatInstant(until)) },
  { label: 'Cause', cell: ({ cause }) => (cause ? <CauseLink cause={cause} /> : '–') },
]
const timeColumns: readonly TableColumn<Path['times'][number]>[] = [
  { label: 'Time of the rail', width: 176, cell: ({ at }) => formatInstant(Date.parse(at)) },
  { label: 'Name', cell: ({ name }) => name },
]

/** The same facts as the picture. */
function PathTable({ path, groups }: { path: Path; groups: readonly PathGroup[] }) {
  const closed = path.days.filter(({ banking }) => !banking)
  return (
    <Stack gap={8} style={{ paddingTop: 8 }}>
      {groups.map(({ key, title, rows }) => (
        <div key={key}>
          {title !== null && <p className="data">{title}</p>}
          <RowTable columns={columns} rows={rows} keyOf={keyOfRow} />
        </div>
      ))}
      {path.times.length > 0 && (
        <RowTable columns={timeColumns} rows={path.times} keyOf={({ at, name }) => `${at} ${name}`} />
      )}
      {closed.length > 0 && (
        <p className="meta">
          Banks are closed: {closed.map(({ date, holiday }) => `${date}${holiday ? ` (${holiday})` : ''}`).join(', ')}
        </p>
      )}
    </Stack>
  )
}

type Entries = PathPayment['entries']

const BOOKS = ['synthetic', 'custodial'] as const

interface PathEntriesProps {
  /** For example "posted", or when the entries would post. */
  readonly caption: React.ReactNode
  readonly label: string
  readonly entries: Entries
}

/** From source to destination through both books: each entry is solid once it is posted, and outlined before. */
function PathEntries({ caption, label, entries }: PathEntriesProps) {
  return (
    <Stack as="section" gap={4} style={{ padding: '8px 0 2px' }} aria-label={label}>
      <p className={`meta ${styles.caption}`}>{caption}</p>
      {BOOKS.map((book) => {
        const [source, destination] = entries.filter((entry) => entry.book === book).toSorted(bySign)
        return (
          <div key={book} className={styles.book} data-book={book}>
            <span className="meta">{book === 'synthetic' ? 'Synthetic book' : 'Custodial book'}</span>
            {source && destination ? (
              <>
                <Node entry={source} side="from" />
                <Arrow isPosted={source.line_item_uid !== null} />
                <Node entry={destination} side="to" />
              </>
            ) : (
              <span className={`soft data ${styles.none}`}>
                no entries: the money stays inside one Custodial Account
              </span>
            )}
          </div>
        )
      })}
    </Stack>
  )
}

const bySign = (a: Entries[number], b: Entries[number]) =>
  Number(b.amount.startsWith('-')) - Number(a.amount.startsWith('-'))

const NODE = {
  justifyContent: 'space-between',
  border: '1px dashed var(--edge)',
  borderRadius: 'var(--radius)',
} as const
const POSTED = { ...NODE, border: '1px solid var(--ink-2)' }

function Node({ entry: { book, account, amount, line_item_uid }, side }: { entry: Entries[number]; side: string }) {
  const value = <Amount value={amount} movement />
  return (
    <Row
      as="span"
      gap={12}
      pad="0 8"
      least={28}
      text="data"
      fill={line_item_uid === null ? undefined : 'paper'}
      style={line_item_uid === null ? NODE : POSTED}
      data-posted={line_item_uid === null ? undefined : ''}
    >
      <span className="row" data-tight>
        <span className="unseen">{side} </span>
        {account.outside && <ArrowUpRight size={12} strokeWidth={1.8} aria-label="outside" />}
        <RecordLink collection={`${book}_accounts`} uid={account.uid} title={account.name}>
          {truncate(account.name)}
        </RecordLink>
      </span>
      {line_item_uid === null ? (
        value
      ) : (
        <ScreenLink collection={`${book}_line_items`} record={line_item_uid} title={`line item ${line_item_uid}`}>
          {value}
        </ScreenLink>
      )}
    </Row>
  )
}

const Arrow = ({ isPosted }: { isPosted: boolean }) => (
  <svg className={styles.arrow} viewBox="0 0 40 10" width="40" height="10" aria-hidden="true">
    <path
      d="M0 5H33"
      fill="none"
      stroke={isPosted ? 'var(--ink-2)' : 'var(--ink-3)'}
      strokeDasharray={isPosted ? undefined : '3 3'}
    />
    <path d="M33 1 39 5 33 9z" fill="var(--ink-2)" />
  </svg>
)
