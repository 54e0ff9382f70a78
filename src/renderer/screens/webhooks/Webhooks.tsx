import { useMemo } from 'react'
import { DeliveryStatus, type WebhookEvent } from '../../../api/contract/resources/webhooks.ts'
import { webhookEventNames, webhookTopics } from '../../../api/contract/webhooks.ts'
import { timeColumn, uidColumn } from '../../components/list/columns.tsx'
import type { OwnDetails } from '../../components/list/ListDetails.tsx'
import { ListScreen } from '../../components/list/ListScreen.tsx'
import type { ListContext, RecordList } from '../../components/list/model.ts'
import { NamedRecord } from '../../components/list/parts.tsx'
import { Status } from '../../components/Status.tsx'
import {
  type DeliverySummary,
  describeDeliveries,
  EventState,
  eventName,
  latestDeliveries,
  ONLY_KEPT,
  useWebhooks,
  type WebhooksByUid,
  webhookName,
} from '../../components/webhooks/deliveries.tsx'
import { EventDetails } from '../../components/webhooks/EventDetails.tsx'
import { collections, isCollection } from '../../data/collections.ts'
import { type ListSource, type LiveRecords, useRecords } from '../../data/live-list.ts'
import { useRoute } from '../../data/route.ts'
import { sandbox, useAction } from '../../data/sandbox.ts'
import { useProgram } from '../../data/use-program.ts'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { GlyphText } from '../../ui/Text.tsx'
import {
  AddButton,
  ListenButton,
  NEW,
  NoEvents,
  NoWebhooks,
  openForm,
  Subscriptions,
  WebhookDialog,
} from './Subscriptions.tsx'

const add = () => openForm(NEW)

const EVENT: OwnDetails = {
  title: eventName,
  Content: EventDetails,
}

/** The webhooks, and the events of the shown Program with their deliveries. */
export function Webhooks() {
  const program_uid = useProgram()?.uid
  const { webhooks, isKnown, error } = useWebhooks()
  const listening = useAction(() =>
    sandbox['webhooks.create']({ url: null, ...(program_uid === undefined ? {} : { program_uid }) }),
  )
  const own = webhooks.filter((webhook) => webhook.program_uid === program_uid)
  const isListening = own.some(({ url }) => url === null)
  return (
    <>
      <ListScreen
        list={events}
        empty={
          !isKnown ? <Skeleton /> : own.length === 0 ? <NoWebhooks add={add} listen={listening.run} /> : events.empty
        }
        actions={
          own.length > 0 && (
            <>
              {!isListening && <ListenButton listen={listening.run} />}
              <AddButton add={add} />
            </>
          )
        }
        above={
          <>
            {listening.error !== undefined && <Notice title="The webhook was not added." error={listening.error} />}
            {error !== undefined && <Notice title="The webhooks could not be loaded." error={error} />}
            {webhooks.length > 0 && <Subscriptions webhooks={webhooks} />}
          </>
        }
        own={EVENT}
      />
      <WebhookDialog webhooks={webhooks} />
    </>
  )
}

/** The list of events, with the deliveries of each, which are a collection of their own. */

type EventRow = Pick<WebhookEvent, 'uid' | 'created_at' | 'topic' | 'event_type' | 'collection' | 'record_uid'>

const deliverySource: ListSource<DeliverySummary> = {
  collection: 'webhook_deliveries',
  fields: ['event_uid', 'webhook_uid', 'status', 'next_attempt_at'],
}

interface Context extends ListContext {
  /** Newest first; undefined while they may not be read yet. */
  readonly deliveriesOf: (event_uid: string) => readonly DeliverySummary[] | undefined
  readonly deliveries: LiveRecords<DeliverySummary>
  readonly webhooks: WebhooksByUid
}

const NONE: readonly DeliverySummary[] = []

function useContext(program_uid: string | undefined): Context {
  const webhooks = useWebhooks().byUid
  const deliveries = useRecords(deliverySource, program_uid)
  return useMemo(() => {
    const { rows, total } = deliveries
    const byEvent = new Map<string, DeliverySummary[]>()
    for (const delivery of rows) {
      const known = byEvent.get(delivery.event_uid)
      if (known) known.push(delivery)
      else byEvent.set(delivery.event_uid, [delivery])
    }
    const isWhole = total !== undefined && rows.length >= total
    return { webhooks, deliveries, deliveriesOf: (uid) => byEvent.get(uid) ?? (isWhole ? NONE : undefined) }
  }, [deliveries, webhooks])
}

/** The filters that only links set: the events of one record, or those that were for one webhook. */
function useOnly(_program_uid: string | undefined, events: LiveRecords<EventRow>, { deliveries, webhooks }: Context) {
  const record = useRoute(({ params }) => params.record_uid?.[0])
  const webhook = useRoute(({ params }) => params.webhook_uid?.[0])
  return useMemo(() => {
    if (record !== undefined) {
      const uids = events.rows.filter(({ record_uid }) => record_uid === record).map(({ uid }) => uid)
      return { param: 'record_uid', title: 'Record', text: record, uids: known(events, uids) }
    }
    if (webhook === undefined) return null
    const uids = deliveries.rows.filter(({ webhook_uid }) => webhook_uid === webhook).map((row) => row.event_uid)
    return {
      param: 'webhook_uid',
      title: 'Webhook',
      text: webhookName(webhooks.get(webhook)),
      uids: known(deliveries, uids),
    }
  }, [record, webhook, events, deliveries, webhooks])
}

const known = ({ total }: { readonly total: number | undefined }, uids: readonly string[]) =>
  total === undefined ? undefined : new Set(uids)

const TEST = 'test'

const events: RecordList<EventRow, Context> = {
  collection: 'webhook_events',
  title: 'Webhooks',
  placeholder: 'event, record, event_id',
  columns: [
    timeColumn('Time'),
    {
      id: 'event',
      header: 'Event',
      width: 'minmax(140px, 3fr)',
      text: eventName,
      reads: ['topic', 'event_type'],
      cell: (row) => (
        <span className="mono" title={eventName(row)}>
          {eventName(row)}
        </span>
      ),
      filterBy: (row) => ['event', eventName(row)],
    },
    {
      id: 'record',
      header: 'Record',
      width: 'minmax(130px, 3fr)',
      text: ({ record_uid }) => record_uid,
      reads: ['collection', 'record_uid'],
      cell: ({ collection, record_uid }) =>
        record_uid === null || !isCollection(collection) ? (
          <span className="faint">–</span>
        ) : (
          <span className="mono" title={`${collections[collection].one} ${record_uid}`}>
            <NamedRecord collection={collection} uid={record_uid} />
          </span>
        ),
      filterBy: ({ record_uid }) => (record_uid === null ? undefined : ['record_uid', record_uid]),
    },
    {
      id: 'deliveries',
      header: 'Deliveries',
      width: 'minmax(170px, 3fr)',
      cell: ({ uid }, { deliveriesOf, webhooks }) => {
        const deliveries = deliveriesOf(uid)
        return deliveries && <EventState deliveries={deliveries} webhooks={webhooks} />
      },
      text: ({ uid }, { deliveriesOf, webhooks }) => {
        const deliveries = deliveriesOf(uid)
        return deliveries && describeDeliveries(deliveries, webhooks)
      },
    },
    { ...uidColumn, header: 'event_id', width: '158px' },
  ],
  filters: [
    { name: 'topic', options: [...webhookTopics, TEST], of: ({ topic }) => topic, inApi: true },
    { name: 'event', options: [...webhookEventNames, `${TEST}.${TEST}`], of: eventName },
    {
      name: 'status',
      options: [...DeliveryStatus.options, ONLY_KEPT],
      of: ({ uid }, { deliveriesOf }) => {
        const deliveries = deliveriesOf(uid) ?? []
        return deliveries.length === 0 ? ONLY_KEPT : latestDeliveries(deliveries).map(({ status }) => status)
      },
      show: (word) =>
        word === ONLY_KEPT ? (
          <GlyphText glyph="not-begun" signal="soft">
            <span>{word}</span>
          </GlyphText>
        ) : (
          <Status word={word} />
        ),
    },
  ],
  useContext,
  useOnly,
  empty: <NoEvents />,
}
