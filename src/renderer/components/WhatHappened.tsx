import { useState } from 'react'
import type { RecordOperation } from '../../api/contract/control/operations.ts'
import { useQuery } from '../data/sandbox.ts'
import { formatAmount, formatCount, formatInstant, plural, truncate } from '../format/text.ts'
import { Button } from '../ui/Button.tsx'
import { Caption, Row, Section, Stack } from '../ui/Layout.tsx'
import { EmptyLine, Loaded } from '../ui/Notice.tsx'
import { BreakableText, RowTime, Text } from '../ui/Text.tsx'
import { Fork } from './Fork.tsx'
import { ALL_COLLECTIONS, type RecordProps } from './fields/use-record.ts'
import { RecordLink, ScreenLink } from './ScreenLink.tsx'
import { Status, StatusCode, statusGlyphs } from './Status.tsx'
import { TIMESTAMP } from './Value.tsx'
import { EventState, eventName, useWebhooks } from './webhooks/deliveries.tsx'

const FIRST_PAGE = 12
const MOST = 1_000

/** What happened to a record, newest first: one entry for each operation, with its request or tasks, its changes and its webhook events. */
export function WhatHappened(record: RecordProps) {
  const { uid } = record
  const [limit, setLimit] = useState(FIRST_PAGE)
  const query = useQuery('records.operations', { ...record, limit }, ALL_COLLECTIONS, { keeps: true })
  return (
    <Section
      title="What happened"
      note="newest first"
      end={
        <>
          <ScreenLink screen="requests" params={{ q: [uid] }}>
            Requests
          </ScreenLink>
          {' · '}
          <ScreenLink screen="webhooks" params={{ record_uid: [uid] }}>
            Events
          </ScreenLink>
        </>
      }
    >
      <Loaded query={query} failure="What happened could not be read." rows={3}>
        {({ operations, more }) => (
          <>
            {operations.length === 0 && <EmptyLine>Nothing that the history of the current branch has.</EmptyLine>}
            <ol>
              {operations.map((one, at) => (
                <Operation key={one.last ?? one.exchange?.uid} operation={one} above={operations[at - 1]} />
              ))}
            </ol>
            {more && limit < MOST && (
              <Caption as="p">
                <Button small onClick={() => setLimit(limit < 100 ? 100 : MOST)}>
                  Show older
                </Button>
              </Caption>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}

const ENTRY = { columns: '76px minmax(0, 1fr) auto', gap: '2 8', pad: '6 16' } as const

function Operation({ operation: one, above }: { operation: RecordOperation; above: RecordOperation | undefined }) {
  const { at, says, cause, last, exchange, events, partial } = one
  const { byUid } = useWebhooks()
  return (
    <Stack as="li" text="data" line="top" {...ENTRY}>
      <div>
        <RowTime at={at} above={above?.at} />
      </div>
      <div>
        {cause.exchange ? (
          <Row as="span" wraps gap="0 8">
            <ScreenLink screen="requests" record={cause.exchange} title={cause.name}>
              <Text>{says}</Text>
            </ScreenLink>
            {exchange && <StatusCode exchange={exchange} />}
          </Row>
        ) : (
          <Text>{says}</Text>
        )}
        <Changes operation={one} />
        {partial && <p className="faint">and earlier changes of this operation</p>}
        {events.map((event) => (
          <Row as="span" key={event.uid} gap={8} least={24}>
            <RecordLink collection="webhook_events" uid={event.uid}>
              {eventName(event)}
            </RecordLink>
            <EventState deliveries={event.deliveries.toReversed()} webhooks={byUid} />
          </Row>
        ))}
      </div>
      {last !== null && (
        <Row as="span" gap={2} align="start" text="meta" title={`commit ${formatCount(last)}`}>
          <span className="mono">{formatCount(last)}</span>
          <Fork commit={last} iconOnly />
        </Row>
      )}
    </Stack>
  )
}

type Change = Omit<RecordOperation['fields'][number], 'via'> & { readonly via?: readonly string[] }

/** Fields whose changes are always shown; the others are behind a disclosure. */
const PROMINENT = /status$|locked_at|^(net_usd_(available_)?balance|due_at|held|failed)$/

function Changes({ operation: { what, fields } }: { operation: RecordOperation }) {
  const prominent = fields.filter(({ field }) => PROMINENT.test(field)).slice(0, 3)
  const first = what !== 'changed' ? [] : prominent.length > 0 ? prominent : fields.slice(0, 1)
  const status = fields.find(({ field }) => field === 'status')
  const rest = fields.filter((one) => !first.includes(one))
  return (
    <>
      {(what === 'made' || what === 'removed') && (
        <Row as="span" wraps gap="0 6">
          {what === 'made' ? 'created' : what}
          {what === 'made' && status && <States {...status} />}
        </Row>
      )}
      {first.map((change) => (
        <FieldChange key={change.field} {...change} />
      ))}
      {rest.length > 0 && (
        <details>
          <summary className="soft">
            {first.length > 0 ? `and ${plural(rest.length, 'field')} more` : plural(rest.length, 'field')}
          </summary>
          {rest.map((change) => (
            <FieldChange key={change.field} {...change} />
          ))}
        </details>
      )}
    </>
  )
}

const isStatus = (value: unknown): value is string => typeof value === 'string' && value in statusGlyphs
/** The old and the new value wrap to the next line together, if they fit there. A long status breaks instead. */
const TOGETHER = { display: 'inline-block', maxWidth: '100%', verticalAlign: 'top' } as const

/** `status queued → pending → settled`, or only the new value if there was none before. */
export const FieldChange = (change: Change) => (
  <div>
    <span className="faint">
      <BreakableText>{change.field}</BreakableText>
    </span>{' '}
    <span style={isStatus(change.from) || isStatus(change.to) ? undefined : TOGETHER}>
      <States {...change} />
    </span>
  </div>
)

const States = ({ from, via = [], to }: Change) =>
  [...(from === null ? [] : [from]), ...via, to].map((value, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a state can come twice.
    <span key={at}>
      {at > 0 && ' → '}
      <ChangedValue value={value} />
    </span>
  ))

function ChangedValue({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <span className="faint">null</span>
  if (typeof value !== 'string') return <span className="mono">{JSON.stringify(value)}</span>
  if (isStatus(value)) return <Status word={value} breaks />
  if (TIMESTAMP.test(value))
    return (
      <time className="nowrap" dateTime={value}>
        {formatInstant(Date.parse(value))}
      </time>
    )
  return <Text className="wrap">{formatAmount(truncate(value))}</Text>
}
