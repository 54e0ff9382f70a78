import { paymentOf, rowOf } from '../../../../api/contract/collections.ts'
import type { PaymentPath as Path, PathPayment } from '../../../../api/contract/control/payments.ts'
import { CauseLink } from '../../../components/CauseLink.tsx'
import { ALL_COLLECTIONS, type LoadedRecordProps } from '../../../components/fields/use-record.ts'
import { ScreenLink } from '../../../components/ScreenLink.tsx'
import { Status } from '../../../components/Status.tsx'
import { useTableToggle } from '../../../components/use-table-toggle.tsx'
import { useQuery } from '../../../data/use-query.ts'
import { formatAmount } from '../../../format/numbers.ts'
import { formatInstant, formatShortInstant } from '../../../format/time.ts'
import { Stack } from '../../../ui/Box.tsx'
import { Notice, Skeleton } from '../../../ui/Notice.tsx'
import { Section } from '../../../ui/Section.tsx'
import { Table } from '../../../ui/Table.tsx'
import { PathChart } from './PathChart.tsx'
import { PathEntries } from './PathEntries.tsx'
import { groupsOf, type PathGroup, type PathRow } from './rows.ts'

/** A payment over banking days, and from its source to its destination through both books. */
export function PaymentPath({ collection, fields }: LoadedRecordProps) {
  const payment = rowOf(collection).main ? paymentOf(collection, fields) : null
  const { data, error, slow } = useQuery('payments.path', payment === null ? null : { uid: payment }, ALL_COLLECTIONS)
  const { button, showTable } = useTableToggle()
  if (payment === null) return null
  const groups = data ? groupsOf(data) : []
  return (
    <Section
      title="Path of the payment"
      note="Solid: passed · outlined: possible next · hatched: banks are closed"
      end={button}
      line="bottom"
      style={{ paddingBottom: 10 }}
    >
      {error !== undefined && !data && <Notice title="The path could not be read." error={error} />}
      {!data && slow && <Skeleton rows={4} />}
      {data && (
        <Stack pad="0 16">
          <PathChart path={data} groups={groups} />
          {data.times.length > 0 && (
            <p className="meta">
              Dashed lines: {namesOf(data, false)} · dotted: {namesOf(data, true)}, in New York time
            </p>
          )}
          {showTable(() => (
            <PathTable path={data} groups={groups} />
          ))}
          {data.payments.map((one) => (
            <PathEntries
              key={one.transaction_uid}
              label={`Entries of ${one.transaction_uid === null ? 'the return' : one.type}`}
              caption={<EntriesCaption payment={one} />}
              entries={one.entries}
            />
          ))}
        </Stack>
      )}
    </Section>
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
    <Stack gap={8} style={{ paddingTop: 8 }}>
      {groups.map(({ key, title, rows }) => (
        <div key={key}>
          {title !== null && <p className="data">{title}</p>}
          <Table headers={HEADS}>
            {rows.map((row) => (
              <TableRow key={`${row.kind} ${row.state} ${row.from}`} row={row} />
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
    </Stack>
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
      <td>{cause ? <CauseLink cause={cause} /> : '–'}</td>
    </tr>
  )
}
