import type { ExchangeDetail } from '../../api/contract/control/exchanges.ts'
import { collections } from '../data/collections.ts'
import { useFeed, useNow } from '../data/feed.ts'
import { recordAmount, recordName, recordStatus, taskReason } from '../data/records.ts'
import { useQuery } from '../data/sandbox.ts'
import { formatDateTime, formatMilliseconds, formatStopwatch } from '../format/text.ts'
import { findCreatedRecord, type RecordRef } from '../forms/send.ts'
import { Row, Stack } from '../ui/Layout.tsx'
import { Amount, Text, Time } from '../ui/Text.tsx'
import { ContentTabs, Stages } from './exchange/ExchangeContent.tsx'
import { ALL_COLLECTIONS } from './fields/use-record.ts'
import { Hints } from './Hints.tsx'
import { Refusal } from './Refusal.tsx'
import { ReturnedLine } from './Returned.tsx'
import { RecordLink, ScreenLink } from './ScreenLink.tsx'
import styles from './SendResult.module.css'
import { Status, StatusCode } from './Status.tsx'

const ANSWER = { font: '500 12px / 16px var(--mono)' }

/** The result of a request: the record that it created with its scheduled tasks, or the error; then all of it. */
export function SendResult({ exchange }: { exchange: ExchangeDetail }) {
  const { refusal, hinted, endpoint } = exchange
  const record = findCreatedRecord(exchange)
  return (
    <>
      <Row as="p" gap={8} pad="6 16" line="bottom" align="baseline" style={ANSWER} data-answer-line>
        <StatusCode exchange={exchange} />
        <span className="cut">
          <ScreenLink screen="requests" record={exchange.uid} title="Open in Requests">
            {exchange.method} <Text>{exchange.path}</Text>
          </ScreenLink>
        </span>
        <span className="meta end nowrap">{formatMilliseconds(exchange.ms)} ms</span>
      </Row>
      {refusal && <Stages exchange={exchange} />}
      {refusal && <Refusal refusal={refusal} endpoint={endpoint} />}
      {record && <CreatedRecord {...record} />}
      <Hints hints={hinted} />
      <ContentTabs key={exchange.uid} exchange={exchange} isAnswer />
    </>
  )
}

/** The record in its current state, which may differ from the response. */
export function CreatedRecord({ collection, uid }: RecordRef) {
  const { data } = useQuery('records.get', { collection, uid }, [collection, 'transactions'])
  // What a new product of a Customer leads to is scheduled for the Customer.
  const customer =
    collection === 'customers' ? uid : collection === 'customer_products' ? data?.customer_uid : undefined
  const subject = customer === undefined ? { collection, uid } : { collection: 'customers', uid: String(customer) }
  const related = useQuery('records.related', data ? subject : null, ALL_COLLECTIONS).data
  const isFrozen = useFeed((feed) => feed.clock?.mode === 'frozen')
  const now = useNow()
  if (!data) return null
  const scheduled = related?.tasks.filter(({ recurring }) => customer !== undefined || !recurring) ?? []
  const status = recordStatus(data)
  const amount = recordAmount(data)
  return (
    <Stack as="section" gap={4} pad="8 16" text="data" line="bottom" aria-label="The record">
      <Row gap={8} align="baseline" className={styles.record}>
        {status !== null && <Status word={status} />}
        <span className="cut grow" title={recordName(data)}>
          {collections[collection].one}{' '}
          <RecordLink collection={collection} uid={uid}>
            {recordName(data)}
          </RecordLink>
        </span>
        {amount !== null && <Amount value={amount} />}
      </Row>
      <ReturnedLine of={related?.payment_return} fields={data} />
      <ul>
        {customer !== undefined && related && scheduled.length === 0 && (
          <Scheduled tone="soft">Nothing scheduled for this record.</Scheduled>
        )}
        {scheduled.map((task) => (
          <Scheduled key={task.uid}>
            <Time className="soft nowrap" at={task.due_at} format={formatDateTime} />
            <span>
              <Text>{taskReason(task)}</Text>
              <span className="meta"> in {formatStopwatch(Math.max(0, Date.parse(task.due_at) - now))}</span>
            </span>
          </Scheduled>
        ))}
        {scheduled.length > 0 && isFrozen && (
          <Scheduled tone="soft">The clock is frozen. Advance it or let it run.</Scheduled>
        )}
      </ul>
    </Stack>
  )
}

const Scheduled = (box: React.ComponentProps<typeof Row>) => <Row as="li" wraps gap="0 12" pad="2 0" {...box} />
