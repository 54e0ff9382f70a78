import { DeliveryStatus, type WebhookEvent } from '../../../api/contract/resources/webhooks.ts'
import { webhookEventNames, webhookTopics } from '../../../api/contract/webhooks.ts'
import { timeColumn, uidColumn } from '../../components/list/columns.tsx'
import type { Filter, ListColumn } from '../../components/list/model.ts'
import { NamedRecord } from '../../components/list/parts.tsx'
import { Status } from '../../components/Status.tsx'
import {
  type DeliverySummary,
  describeDeliveries,
  EventState,
  eventName,
  latestDeliveries,
  ONLY_KEPT,
} from '../../components/webhooks/deliveries.tsx'
import type { WebhooksByUid } from '../../components/webhooks/use-webhooks.ts'
import { collections, isCollection } from '../../data/collections.ts'
import type { ListSource } from '../../data/live-list.ts'
import { Glyph } from '../../ui/Glyph.tsx'
import { GlyphText } from '../../ui/GlyphText.tsx'

/** The list of events: what it reads, its columns and its filters. */

export type EventRow = Pick<WebhookEvent, 'uid' | 'created_at' | 'topic' | 'event_type' | 'collection' | 'record_uid'>

export const eventSource: ListSource<EventRow> = {
  collection: 'webhook_events',
  fields: ['uid', 'created_at', 'topic', 'event_type', 'collection', 'record_uid'],
}

export const deliverySource: ListSource<DeliverySummary> = {
  collection: 'webhook_deliveries',
  fields: ['uid', 'event_uid', 'webhook_uid', 'status', 'next_attempt_at'],
}

/** The deliveries of an event, newest first; undefined while they may not be read yet. */
export type DeliveriesOf = (event_uid: string) => readonly DeliverySummary[] | undefined

const TEST = 'test'

export const eventColumns = (deliveriesOf: DeliveriesOf, webhooks: WebhooksByUid): readonly ListColumn<EventRow>[] => [
  timeColumn('Time', ({ created_at }) => created_at),
  {
    id: 'event',
    header: 'Event',
    width: 'minmax(168px, 3fr)',
    cell: (row) => (
      <span className="mono" title={eventName(row)}>
        {eventName(row)}
      </span>
    ),
    text: eventName,
    filterBy: (row) => ['event', eventName(row)],
  },
  {
    id: 'record',
    header: 'Record',
    width: 'minmax(150px, 3fr)',
    cell: ({ collection, record_uid }) =>
      record_uid === null || !isCollection(collection) ? (
        <span className="faint">–</span>
      ) : (
        <span className="mono" title={`${collections[collection].one} ${record_uid}`}>
          <NamedRecord collection={collection} uid={record_uid} />
        </span>
      ),
    text: ({ record_uid }) => record_uid,
    filterBy: ({ record_uid }) => (record_uid === null ? undefined : ['record_uid', record_uid]),
  },
  {
    id: 'deliveries',
    header: 'Deliveries',
    width: 'minmax(200px, 3fr)',
    cell: ({ uid }) => {
      const deliveries = deliveriesOf(uid)
      return deliveries && <EventState deliveries={deliveries} webhooks={webhooks} />
    },
    text: ({ uid }) => {
      const deliveries = deliveriesOf(uid)
      return deliveries && describeDeliveries(deliveries, webhooks)
    },
  },
  { ...uidColumn<EventRow>(), header: 'event_id', width: '158px' },
]

export const eventFilters = (deliveriesOf: DeliveriesOf): readonly Filter<EventRow>[] => [
  { name: 'topic', options: [...webhookTopics, TEST], of: ({ topic }) => topic, inApi: true },
  { name: 'event', options: [...webhookEventNames, `${TEST}.${TEST}`], of: eventName },
  {
    name: 'status',
    options: [...DeliveryStatus.options, ONLY_KEPT],
    of: ({ uid }) => {
      const deliveries = deliveriesOf(uid) ?? []
      return deliveries.length === 0 ? ONLY_KEPT : latestDeliveries(deliveries).map(({ status }) => status)
    },
    show: (word) =>
      word === ONLY_KEPT ? (
        <GlyphText signal="soft">
          <Glyph name="not-begun" />
          <span>{word}</span>
        </GlyphText>
      ) : (
        <Status word={word} />
      ),
  },
]
