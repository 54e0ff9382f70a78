import { useId, useState } from 'react'
import type { PaymentPath as Path, PathPayment } from '../../../../api/contract/control/payments.ts'
import { ALL_COLLECTIONS, type Fields, textField } from '../../../components/fields/use-record.ts'
import { ScreenLink } from '../../../components/ScreenLink.tsx'
import { Status } from '../../../components/Status.tsx'
import type { CollectionName } from '../../../data/collections.ts'
import { useQuery } from '../../../data/use-query.ts'
import { formatAmount } from '../../../format/numbers.ts'
import { formatInstant, formatShortInstant } from '../../../format/time.ts'
import { Button } from '../../../ui/Button.tsx'
import { Caption } from '../../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../../ui/Notice.tsx'
import { Table } from '../../../ui/Table.tsx'
import { PathChart } from './PathChart.tsx'
import { PathEntries } from './PathEntries.tsx'
import styles from './PaymentPath.module.css'
import { groupsOf, type PathGroup, type PathRow } from './rows.ts'

interface PaymentPathProps {
  readonly collection: CollectionName
  readonly uid: string
  readonly fields: Fields
}

/** A payment over banking days, and from its source to its destination through both books. */
export function PaymentPath({ collection, uid, fields }: PaymentPathProps) {
  const payment = transactionOf(collection, uid, fields)
  const { data, error, slow } = useQuery('payments.path', payment === null ? null : { uid: payment }, ALL_COLLECTIONS)
  const [isTable, setTable] = useState(false)
  const table = useId()
  if (payment === null) return null
  const groups = data ? groupsOf(data) : []
  return (
    <section className={styles.path} aria-label="Path of the payment">
      <Caption className={styles.caption}>
        <h2>Path of the payment</h2>
        <span className="meta">Solid: passed · outlined: possible next · hatched: banks are closed</span>
        <span className="end">
          <Button small aria-expanded={isTable} aria-controls={table} onClick={() => setTable(!isTable)}>
            {isTable ? 'Hide table' : 'Show as table'}
          </Button>
        </span>
      </Caption>
      {error !== undefined && !data && <Notice title="The path could not be read." error={error} />}
      {!data && slow && <Skeleton rows={4} />}
      {data && (
        <>
          <PathChart path={data} groups={groups} />
          {data.times.length > 0 && (
            <p className="meta">
              Dashed lines: {namesOf(data, false)} · dotted: {namesOf(data, true)}, in New York time
            </p>
          )}
          <div id={table} hidden={!isTable}>
            {isTable && <PathTable path={data} groups={groups} />}
          </div>
          {data.payments.map((one) => (
            <PathEntries
              key={one.transaction_uid}
              label={`Entries of ${one.type}`}
              caption={<EntriesCaption payment={one} />}
              entries={one.entries}
            />
          ))}
          {data.return_due && (
            <PathEntries
              label="Entries of the return"
              caption={
                <>
                  The return would post next
                  {data.return_due.held
                    ? '; its task is held'
                    : `, ${formatShortInstant(Date.parse(data.return_due.settles_at))}`}
                </>
              }
              entries={data.return_due.entries}
            />
          )}
        </>
      )}
    </section>
  )
}

/** A Transfer and a Return follow their Transaction. */
function transactionOf(collection: CollectionName, uid: string, fields: Fields): string | null {
  if (collection === 'transactions') return uid
  if (collection === 'transfers') return (fields.transaction_uids as string[] | undefined)?.[0] ?? null
  return collection === 'returns' ? textField(fields, 'return_transaction_uid') : null
}

const namesOf = ({ times }: Path, settles: boolean): string =>
  [...new Set(times.map(({ name }) => name))].filter((name) => /settlement/.test(name) === settles).join(', ') || 'none'

function EntriesCaption({ payment }: { payment: PathPayment }) {
  const { transaction_uid, type, amount, entries, posted, passed, next } = payment
  const link = (
    <ScreenLink collection="transactions" record={transaction_uid}>
      {type} {formatAmount(amount)}
    </ScreenLink>
  )
  if (posted)
    return (
      <>
        {link}: posted {formatAt(passed.at(-1)?.from ?? null)}
      </>
    )
  if (entries.length === 0)
    return (
      <>
        {link}: no entries {next.length > 0 ? 'will post' : 'were posted'}
      </>
    )
  const settles = next.find(({ state, at }) => state === 'settled' && at !== null)
  return (
    <>
      {link}: would post next{settles ? `, ${formatAt(settles.at)}` : ', when it settles'}
    </>
  )
}

const formatAt = (at: string | null) => (at === null ? '' : formatShortInstant(Date.parse(at)))

const HEADS = [
  { label: 'State', width: 160 },
  { label: 'Is', width: 80 },
  { label: 'From', width: 176 },
  { label: 'Until', width: 176 },
  { label: 'Cause' },
]
const TIME_HEADS = [{ label: 'Time of the rail', width: 176 }, { label: 'Name' }]

/** The same facts as the picture. */
function PathTable({ path, groups }: { path: Path; groups: readonly PathGroup[] }) {
  const closed = path.days.filter(({ banking }) => !banking)
  return (
    <div className={styles.table}>
      {groups.map(({ key, title, rows }) => (
        <div key={key}>
          {title !== null && <p className="data">{title}</p>}
          <Table headers={HEADS}>
            {rows.map((row) => (
              <TableRow key={row.key} row={row} />
            ))}
          </Table>
        </div>
      ))}
      {path.times.length > 0 && (
        <Table headers={TIME_HEADS}>
          {path.times.map(({ at, name }) => (
            <tr key={`${at} ${name}`}>
              <td>{formatInstant(Date.parse(at))}</td>
              <td>{name}</td>
            </tr>
          ))}
        </Table>
      )}
      {closed.length > 0 && (
        <p className="meta">
          Banks are closed: {closed.map(({ date, holiday }) => `${date}${holiday ? ` (${holiday})` : ''}`).join(', ')}
        </p>
      )}
    </div>
  )
}

function TableRow({ row: { state, kind, from, until, note, cause } }: { row: PathRow }) {
  return (
    <tr>
      <td>
        <Status word={state} />
      </td>
      <td>{kind}</td>
      <td>{from === null ? (note ?? '–') : formatInstant(from)}</td>
      <td>{until === null ? '–' : formatInstant(until)}</td>
      <td>
        {cause?.exchange ? (
          <ScreenLink screen="requests" record={cause.exchange}>
            {cause.name}
          </ScreenLink>
        ) : (
          (cause?.name ?? '–')
        )}
      </td>
    </tr>
  )
}
