import { useQuery } from '../../data/sandbox.ts'
import { useProgram } from '../../data/use-program.ts'
import { formatCount, formatShortInstant } from '../../format/text.ts'
import { Row, Section, Stack } from '../../ui/Layout.tsx'
import { Time } from '../../ui/Text.tsx'
import { RecordLink, ScreenLink } from '../ScreenLink.tsx'
import { EventState, eventName, useWebhooks } from './deliveries.tsx'

const MAX_SHOWN = 20
const EVENT = { columns: 'minmax(0, 1fr) auto', gap: '2 12', pad: '4 16', align: 'center' } as const

interface RecordEventsProps {
  readonly uid: string
  /** The Program of the record, if the record names it. */
  readonly program_uid: unknown
}

/** The webhook events that tell of a record, newest first; nothing if there are none. */
export function RecordEvents({ uid, program_uid }: RecordEventsProps) {
  const shown = useProgram()?.uid
  const program = typeof program_uid === 'string' ? program_uid : shown
  const { byUid } = useWebhooks()
  const { data } = useQuery(
    'events.list',
    program === undefined ? null : { program_uid: program, record_uid: uid, wanted: true, limit: MAX_SHOWN },
    ['webhook_events', 'webhook_deliveries', 'webhook_attempts'],
  )
  if (!data || data.total_count === 0) return null
  return (
    <Section
      title="Webhook events"
      end={
        <ScreenLink screen="webhooks" params={{ record_uid: [uid] }}>
          All {formatCount(data.total_count)}
        </ScreenLink>
      }
    >
      <ul>
        {data.data.map((event) => (
          <Stack as="li" key={event.uid} text="data" line="top" {...EVENT}>
            <span className="mono cut">
              <RecordLink collection="webhook_events" uid={event.uid} title={eventName(event)}>
                {eventName(event)}
              </RecordLink>
            </span>
            <Time className="meta" at={event.created_at} format={formatShortInstant} />
            <Row as="span" style={{ gridColumn: '1 / -1' }}>
              <EventState deliveries={event.deliveries.toReversed()} webhooks={byUid} />
            </Row>
          </Stack>
        ))}
      </ul>
    </Section>
  )
}
