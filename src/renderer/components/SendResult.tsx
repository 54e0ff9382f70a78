import type { ExchangeDetail } from '../../api/contract/control/exchanges.ts'
import { collections } from '../data/collections.ts'
import { useFeed } from '../data/feed.ts'
import { recordAmount, recordName, recordStatus, taskReason } from '../data/records.ts'
import { useCustomerTasks } from '../data/use-customer-tasks.ts'
import { useNow } from '../data/use-now.ts'
import { useQuery } from '../data/use-query.ts'
import { formatMilliseconds } from '../format/numbers.ts'
import { formatDateTime, formatStopwatch } from '../format/time.ts'
import { findCreatedRecord, type RecordRef } from '../forms/send.ts'
import { Amount } from '../ui/Amount.tsx'
import { JsonView } from '../ui/JsonView.tsx'
import { Property, PropertyList } from '../ui/Property.tsx'
import { Text } from '../ui/Text.tsx'
import { Hints } from './Hints.tsx'
import { RecordLink } from './RecordLink.tsx'
import { Refusal } from './Refusal.tsx'
import { ReturnedLine } from './Returned.tsx'
import { ScreenLink } from './ScreenLink.tsx'
import styles from './SendResult.module.css'
import { Status } from './Status.tsx'
import { StatusCode } from './StatusCode.tsx'

/** The result of a request: the response, the record that it created and its scheduled tasks; or the error. */
export function SendResult({ exchange }: { exchange: ExchangeDetail }) {
  const { refusal, hinted, response, endpoint } = exchange
  const record = findCreatedRecord(exchange)
  const type = response.headers.find(([name]) => name === 'content-type')?.[1]
  return (
    <>
      <p className={styles.line} data-answer-line>
        <StatusCode exchange={exchange} />
        <span className="cut">
          <ScreenLink screen="requests" record={exchange.uid} title="Open in Requests">
            {exchange.method} <Text>{exchange.path}</Text>
          </ScreenLink>
        </span>
        <span className="meta end nowrap">{formatMilliseconds(exchange.ms)} ms</span>
      </p>
      {refusal && <Refusal refusal={refusal} endpoint={endpoint} />}
      {record && <CreatedRecord {...record} />}
      <Hints hints={hinted} />
      {response.body !== '' && (
        <details className={styles.details} open={!record || refusal !== null}>
          <summary>Response</summary>
          <JsonView body={response.body} contentType={type} />
        </details>
      )}
      <details className={styles.details}>
        <summary>Headers {response.headers.length}</summary>
        <PropertyList className={styles.headers}>
          {response.headers.map(([name, value]) => (
            <Property key={name} name={name}>
              <Text className="mono">{value}</Text>
            </Property>
          ))}
        </PropertyList>
      </details>
    </>
  )
}

/** The record in its current state, which may differ from the response. */
export function CreatedRecord({ collection, uid }: RecordRef) {
  const { data } = useQuery('records.get', { collection, uid }, [collection, 'transactions'])
  const customer =
    collection === 'customers' ? uid : collection === 'customer_products' ? data?.customer_uid : undefined
  const ofCustomer = useCustomerTasks(customer === undefined ? null : String(customer))
  const tasks = useFeed((feed) => feed.tasks)
  const isFrozen = useFeed((feed) => feed.clock?.mode === 'frozen')
  const now = useNow()
  if (!data) return null
  // Tasks of a Transaction are shown for its Transfer or Return.
  const subjects = new Set([
    uid,
    data.return_transaction_uid,
    ...((data.transaction_uids as string[] | undefined) ?? []),
  ])
  const scheduled = [
    ...tasks.filter(({ record, recurring }) => customer === undefined && subjects.has(record) && !recurring),
    ...(ofCustomer ?? []).map(({ task }) => task),
  ]
  const status = recordStatus(data)
  const amount = recordAmount(data)
  return (
    <section className={styles.record} aria-label="The record">
      <div className="row">
        {status !== null && <Status word={status} />}
        <span className="cut grow" title={recordName(data)}>
          {collections[collection].one}{' '}
          <RecordLink collection={collection} uid={uid}>
            {recordName(data)}
          </RecordLink>
        </span>
        {amount !== null && <Amount value={amount} />}
      </div>
      <ReturnedLine collection={collection} uid={uid} fields={data} />
      <ul className={styles.scheduled}>
        {ofCustomer && scheduled.length === 0 && <li className="soft">Nothing scheduled for this record.</li>}
        {scheduled.map((task) => (
          <li key={task.uid}>
            <time dateTime={task.due_at} title={task.due_at}>
              {formatDateTime(Date.parse(task.due_at))}
            </time>
            <span>
              <Text>{taskReason(task)}</Text>
              <span className="meta"> in {formatStopwatch(Math.max(0, Date.parse(task.due_at) - now))}</span>
            </span>
          </li>
        ))}
        {scheduled.length > 0 && isFrozen && <li className="soft">The clock is frozen. Advance it or let it run.</li>}
      </ul>
    </section>
  )
}
