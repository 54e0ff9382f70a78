import type { WorldChanges } from '../../../api/contract/control/changes.ts'
import { collections, isCollection } from '../../data/collections.ts'
import { formatCount, formatShortInstant } from '../../format/text.ts'
import { Line, Section } from '../../ui/Layout.tsx'
import { EmptyLine } from '../../ui/Notice.tsx'
import { RowTable, type TableColumn } from '../../ui/Table.tsx'
import { Amount, Text, Time } from '../../ui/Text.tsx'
import { RecordLink } from '../ScreenLink.tsx'
import { Status } from '../Status.tsx'

type ChangedRecord = WorldChanges['records'][number]
type ChangedBalances = WorldChanges['balances'][number]

/** What has changed in a world: balances with the difference, records with their states before and after, events, tasks. */
export function Changes({ clock, balances, records, events, tasks, total_count }: WorldChanges) {
  return (
    <>
      {clock.before !== clock.after && (
        <Line as="p">
          Clock <Time className="soft" at={clock.before} format={formatShortInstant} /> →{' '}
          <Time at={clock.after} format={formatShortInstant} />
        </Line>
      )}
      {Object.values(total_count).every((count) => count === 0) && (
        <EmptyLine>No balance, record, event or task would change.</EmptyLine>
      )}
      <Part title="Balances" shown={balances} total={total_count.balances}>
        <RowTable columns={columns} rows={balances} keyOf={({ synthetic_account_uid }) => synthetic_account_uid} />
      </Part>
      <Part title="Records" shown={records} total={total_count.records}>
        {records.map((record) => (
          <RecordLine key={`${record.collection} ${record.uid}`} {...record} />
        ))}
      </Part>
      <Part title="Events" shown={events} total={total_count.events}>
        {events.map(({ uid, topic, event_type, sent_to }) => (
          <Line key={uid}>
            <code>{`${topic}.${event_type}`}</code>
            <span className="cut soft">{sent_to.length > 0 ? `to ${sent_to.join(', ')}` : 'no webhook gets it'}</span>
          </Line>
        ))}
      </Part>
      <Part title="Scheduled" shown={tasks} total={total_count.tasks}>
        {tasks.map(({ uid, due_at, why }) => (
          <Line key={uid}>
            <Time className="soft nowrap" at={due_at} format={formatShortInstant} />
            <Text>{why}</Text>
          </Line>
        ))}
      </Part>
    </>
  )
}

interface PartProps {
  readonly title: string
  readonly shown: readonly unknown[]
  readonly total: number
  readonly children: React.ReactNode
}

const Part = ({ title, shown: { length }, total, children }: PartProps) =>
  length > 0 && (
    <Section title={title} note={total > length ? `the first ${length} of ${formatCount(total)}` : length} line="top">
      {title === 'Balances' ? children : <ul>{children}</ul>}
    </Section>
  )

const balanceColumn = (name: 'settled' | 'available' | 'pending', label: string): TableColumn<ChangedBalances> => ({
  label,
  right: true,
  width: '24%',
  cell: ({ [name]: { after, difference } }) =>
    Number(difference) === 0 ? (
      <span className="faint">
        <Amount value={after} />
      </span>
    ) : (
      <>
        <Amount value={after} />{' '}
        <b>
          <Amount value={difference} movement />
        </b>
      </>
    ),
})

const columns: readonly TableColumn<ChangedBalances>[] = [
  {
    label: 'Account',
    names: true,
    cell: ({ synthetic_account_uid, customer, name }) => (
      <RecordLink collection="synthetic_accounts" uid={synthetic_account_uid}>
        {customer === name ? name : `${customer}, ${name}`}
      </RecordLink>
    ),
  },
  balanceColumn('settled', 'Settled'),
  balanceColumn('pending', 'Pending'),
  balanceColumn('available', 'Available'),
]

function RecordLine({ collection, uid, name, amount, what, status, fields }: ChangedRecord) {
  const { before, after } = status
  return (
    <Line>
      <span className="cut grow">
        <span className="soft">{isCollection(collection) ? collections[collection].one : collection}</span>{' '}
        {isCollection(collection) && what !== 'created' ? (
          <RecordLink collection={collection} uid={uid}>
            {name}
          </RecordLink>
        ) : (
          <Text>{name}</Text>
        )}
      </span>
      {amount !== null && <Amount value={amount} />}
      <span className="row nowrap">
        {what === 'created' && <span className="soft">new</span>}
        {before !== null && before !== after && (
          <>
            <Status word={before} /> →
          </>
        )}
        {after === null
          ? what === 'removed' && 'removed'
          : (before !== after || what === 'created') && <Status word={after} />}
        {before === after && what === 'changed' && (
          <span className="soft">{fields.map(({ field }) => field).join(', ')} changed</span>
        )}
      </span>
    </Line>
  )
}
