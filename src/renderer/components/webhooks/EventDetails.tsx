import { ChevronDown, RotateCcw } from 'lucide-react'
import { useId, useState } from 'react'
import type {
  EventWithDeliveries,
  FailureKind,
  Webhook,
  WebhookDelivery,
} from '../../../api/contract/resources/webhooks.ts'
import { buildEventBody } from '../../../api/contract/webhook-body.ts'
import { collections, isCollection } from '../../data/collections.ts'
import { sandbox, useAction, useQuery } from '../../data/sandbox.ts'
import { errorSentence, formatCount, formatInstant, newYork, plural } from '../../format/text.ts'
import { formatJson } from '../../forms/values.ts'
import { Button, ButtonGroup, CopyButton } from '../../ui/Button.tsx'
import { JsonView } from '../../ui/CodeBlock.tsx'
import { Select } from '../../ui/Field.tsx'
import { Actions, Caption, Section, Stack } from '../../ui/Layout.tsx'
import { Menu, MenuItem } from '../../ui/Menu.tsx'
import { EmptyLine, Loaded, Notice } from '../../ui/Notice.tsx'
import { Popover, PopoverBody } from '../../ui/Popover.tsx'
import { Table } from '../../ui/Table.tsx'
import { Property, PropertyList, Text, Time } from '../../ui/Text.tsx'
import { RecordLink, Uid } from '../ScreenLink.tsx'
import { DeliveryState, ONLY_KEPT_HINT, useWebhooks, webhookName } from './deliveries.tsx'

const FACTS = { '--name': '88px', padding: '0 16px 8px' } as React.CSSProperties

/** An event of webhooks: what can be done with it, its deliveries with their attempts, and its body. */
export function EventDetails({ uid }: { uid: string }) {
  const query = useQuery('events.get', { uid }, ['webhook_events', 'webhook_deliveries', 'webhook_attempts'])
  return (
    <Loaded query={query} failure="The deliveries could not be read." rows={8}>
      {(event) => <LoadedEvent event={event} />}
    </Loaded>
  )
}

function LoadedEvent({ event }: { event: EventWithDeliveries }) {
  const { webhooks, byUid } = useWebhooks()
  const ofProgram = webhooks.filter(({ program_uid }) => program_uid === event.program_uid)
  const newestFirst = event.deliveries.toReversed()
  return (
    <>
      <PropertyList style={FACTS}>
        <Property name="event_id">
          <Uid>{event.uid}</Uid>
        </Property>
        <Property name="time">
          <Time at={event.created_at} format={formatInstant} />
        </Property>
        <Property name="record">
          <EventRecord event={event} />
        </Property>
      </PropertyList>
      <EventActions key={event.uid} event={event} webhooks={ofProgram} />
      <Section
        title="Deliveries"
        note={newestFirst.length > 1 ? `${formatCount(newestFirst.length)}, newest first` : undefined}
      >
        {newestFirst.length === 0 && <EmptyLine>{ONLY_KEPT_HINT}</EmptyLine>}
        {newestFirst.map((delivery) => (
          <Delivery key={delivery.uid} delivery={delivery} webhook={byUid.get(delivery.webhook_uid)} />
        ))}
      </Section>
      <EventBody key={`body ${event.uid}`} event={event} webhooks={ofProgram} />
    </>
  )
}

function EventRecord({ event: { collection, record_uid } }: { event: EventWithDeliveries }) {
  if (record_uid === null || !isCollection(collection)) return <span className="soft">none: it is a test event</span>
  return (
    <span className="row">
      <span className="soft">{collections[collection].one}</span>
      <Uid opens={collection}>{record_uid}</Uid>
    </span>
  )
}

const HEADS = [
  { label: 'Attempt', width: 60 },
  { label: 'Time', width: 76 },
  { label: 'Result' },
  { label: 'ms', width: 52, right: true },
]

function Delivery({ delivery, webhook }: { delivery: WebhookDelivery; webhook: Webhook | undefined }) {
  const { attempts, failure, status } = delivery
  const to = webhookName(webhook)
  return (
    <div data-delivery={status}>
      <Caption className="data">
        <DeliveryState delivery={delivery} webhook={webhook} />
        <span className="cut" title={to}>
          {webhook ? (
            <RecordLink collection="webhooks" uid={webhook.uid}>
              {to}
            </RecordLink>
          ) : (
            <span className="soft">to {to}</span>
          )}
        </span>
      </Caption>
      {failure !== null && <p className="meta hint">{onPurpose[failure]}</p>}
      {attempts.length > 0 && (
        <Table headers={HEADS}>
          {attempts.map(({ at, ms, ...outcome }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: attempts are numbered, and only added.
            <tr key={index}>
              <td>{index + 1}</td>
              <td title={at}>
                <time dateTime={at}>{newYork(Date.parse(at)).time}</time>
              </td>
              <td>
                <Outcome {...outcome} />
              </td>
              <td data-right="">{formatCount(ms)}</td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  )
}

const onPurpose: Readonly<Record<FailureKind, string>> = {
  hold: 'Held on purpose, until it is released.',
  drop: 'Dropped on purpose: it is never sent.',
  duplicate: 'Sent twice on purpose.',
  delay: 'Delayed on purpose.',
  reorder: 'Sent after the next event on purpose.',
  corrupt_signature: 'Signed wrongly on purpose.',
}

type Attempt = WebhookDelivery['attempts'][number]

function describeHealth({ status, error }: NonNullable<Attempt['health']>): string {
  return `After it, /health ${status === null ? `could not be asked: ${error ?? 'no answer'}` : `answered ${status}`}.`
}

function Outcome({ status, error, answer, sent_before, signature_corrupted, health }: Omit<Attempt, 'at' | 'ms'>) {
  const isAccepted = status !== null && status >= 200 && status < 300
  return (
    <>
      <span className={isAccepted ? undefined : 'bad'}>
        {status === null ? <Text>{error ?? 'no answer'}</Text> : `${status} ${isAccepted ? 'accepted' : 'refused'}`}
      </span>
      {signature_corrupted && <span className="meta hint">Its signature was wrong on purpose.</span>}
      {health && <span className="meta hint">{describeHealth(health)}</span>}
      {sent_before && <span className="meta hint">Sent before a rewind with this result, and not again.</span>}
      {answer !== null && answer !== '' && (
        <code className="soft" style={{ display: 'block', marginTop: 2, whiteSpace: 'pre-wrap' }}>
          <Text>{answer}</Text>
        </code>
      )}
    </>
  )
}

function describeFormat({ url }: Webhook, wasFor: boolean): string {
  if (url === null) return 'as the webhook without an address has it'
  return `${wasFor ? 'as sent to' : 'as it would be sent to'} ${url}`
}

type Format = Pick<Webhook, 'envelope' | 'event_id_in'>
const DEFAULT_FORMAT: Format = { envelope: 'details', event_id_in: 'body' }

/** The body as a webhook sends it, or would. */
function EventBody({ event, webhooks }: { event: EventWithDeliveries; webhooks: readonly Webhook[] }) {
  const wasFor = ({ uid }: Webhook) => event.deliveries.some(({ webhook_uid }) => webhook_uid === uid)
  // An event without deliveries is there because of a webhook without an address.
  const rank = (webhook: Webhook) => (wasFor(webhook) ? 0 : webhook.url === null ? 1 : 2)
  const choices = webhooks.toSorted((a, b) => rank(a) - rank(b))
  const [chosen, setChosen] = useState<string | null>(null)
  const webhook = choices.find(({ uid }) => uid === chosen) ?? choices[0]
  const format = webhook ?? DEFAULT_FORMAT
  const body = buildEventBody(format, event)
  const text = formatJson(body)
  const isSent = webhook !== undefined && wasFor(webhook)
  return (
    <section aria-label="Body">
      <Caption>
        <h2>Body</h2>
        {choices.length > 1 ? (
          <Select
            style={{ minWidth: 0, flex: '0 1 360px' }}
            aria-label="Webhook whose body is shown"
            value={webhook?.uid ?? ''}
            onChange={setChosen}
            options={choices.map((choice) => [choice.uid, describeFormat(choice, wasFor(choice))])}
          />
        ) : (
          <span className="meta">{isSent ? 'as it is sent' : 'as it would be sent'}</span>
        )}
        <span className="end">
          <CopyButton text={text} what="body" label="Copy" small />
        </span>
      </Caption>
      <Stack as="p" gap={2} text="data" tone="soft" className="wrap" style={{ padding: '0 16px 6px' }}>
        <span className="mono">
          POST <Text>{webhook?.url ? `${webhook.url.replace(/\/$/, '')}/${event.topic}` : `…/${event.topic}`}</Text>
        </span>
        {format.event_id_in !== 'body' && (
          <span className="mono">
            X-Event-Id: <Text>{event.uid}</Text>
          </span>
        )}
      </Stack>
      {webhook?.pgp_public_key && <p className="meta hint">The details are sent encrypted, as a PGP message.</p>}
      <JsonView body={text} contentType="application/json" />
    </section>
  )
}

interface EventActionsProps {
  readonly event: EventWithDeliveries
  /** Of the Program of the event. */
  readonly webhooks: readonly Webhook[]
}

/** Resend, hold and release an event. */
function EventActions({ event, webhooks }: EventActionsProps) {
  const { uid, deliveries } = event
  const { run, result, error } = useAction(async (work: () => Promise<unknown>, done: string) => {
    await work()
    return done
  })
  const targets = webhooks.filter(({ url }) => url !== null)
  const reached = targets.filter((webhook) => deliveries.some(({ webhook_uid }) => webhook_uid === webhook.uid))
  const isHeld = deliveries.some(({ status }) => status === 'held')
  const isUnderWay = deliveries.some(({ status }) => status === 'due' || status === 'waiting')
  const others = targets.length > reached.length || targets.length > 1
  return (
    <>
      <Actions>
        <ButtonGroup>
          <Button
            icon={RotateCcw}
            whyNot={reached.length === 0 ? 'It was for no webhook that has an address now.' : undefined}
            onClick={() => void run(() => sandbox['events.resend']({ uid }), 'Sent once more')}
          >
            Resend
          </Button>
          {others && (
            <Menu
              trigger={<Button icon={ChevronDown} aria-label="Resend to one webhook" title="Resend to one webhook…" />}
            >
              {targets.map((webhook) => (
                <MenuItem
                  key={webhook.uid}
                  onClick={() =>
                    void run(() => sandbox['events.resend']({ uid, webhook_uid: webhook.uid }), 'Sent once more')
                  }
                >
                  to {webhookName(webhook)}
                </MenuItem>
              ))}
            </Menu>
          )}
        </ButtonGroup>
        {isHeld ? (
          <Button onClick={() => void run(() => sandbox['events.release']({ uid }), 'Released')}>Release</Button>
        ) : (
          <Button
            whyNot={isUnderWay ? undefined : 'Nothing to hold: no delivery of it is due or waiting.'}
            onClick={() => void run(() => sandbox['events.hold']({ uid }), 'Held until it is released')}
          >
            Hold
          </Button>
        )}
        {event.record_uid !== null && targets.length > 0 && <ResendSince event={event} targets={targets} />}
        <span className="meta end" role="status" style={{ lineHeight: '24px' }}>
          {result}
        </span>
      </Actions>
      {error !== undefined && <Notice title="The event was not changed." error={error} />}
    </>
  )
}

interface ResendSinceProps {
  readonly event: EventWithDeliveries
  /** The webhooks of the Program that have an address. */
  readonly targets: readonly Webhook[]
}

/** Resends an event and all newer ones, oldest first, after it has said how many these are. */
function ResendSince(props: ResendSinceProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      title="Resend this event and all newer ones"
      trigger={<Button>Resend since this one…</Button>}
      open={isOpen}
      onOpenChange={setOpen}
    >
      {isOpen && <ResendForm {...props} close={() => setOpen(false)} />}
    </Popover>
  )
}

const SAME = ''
/** More events are not looked at to say how many are for no webhook. */
const MAX_EVENTS = 1_000

function ResendForm({ event: { uid, program_uid }, targets, close }: ResendSinceProps & { close: () => void }) {
  const id = useId()
  const [to, setTo] = useState(SAME)
  const { data, error } = useQuery('events.list', {
    program_uid,
    since: uid,
    ...(to === SAME ? { wanted: true } : { wanted_by: to }),
    limit: MAX_EVENTS,
  })
  const resend = useAction(async (count: number) => {
    await sandbox['events.resend']({ uid, and_newer: true, ...(to === SAME ? {} : { webhook_uid: to }) })
    return `${plural(count, 'event')} resent.`
  })
  const isFor = ({ deliveries }: EventWithDeliveries) =>
    to !== SAME || deliveries.some(({ webhook_uid }) => targets.some((target) => target.uid === webhook_uid))
  const skipped = data?.data.filter((event) => !isFor(event)).length ?? 0
  const count = (data?.total_count ?? 0) - skipped
  const failure = resend.error ?? error
  return (
    <PopoverBody>
      <label htmlFor={id} className="data soft">
        To
      </label>
      <Select
        id={id}
        style={{ width: '100%', minWidth: 0 }}
        value={to}
        disabled={resend.isBusy}
        onChange={setTo}
        options={[
          [SAME, 'the webhooks that each event was for'],
          ...targets.map((webhook) => [webhook.uid, webhookName(webhook)] as const),
        ]}
      />
      <p className={`data ${failure === undefined ? 'soft' : 'bad'}`} role="status">
        {failure !== undefined
          ? errorSentence(failure)
          : (resend.result ?? (data ? describeChosen(count, skipped) : 'Counting…'))}
      </p>
      <span className="row">
        {resend.result !== undefined ? (
          <Button onClick={close}>Close</Button>
        ) : (
          <Button
            primary
            aria-disabled={count === 0 || resend.isBusy || undefined}
            onClick={() => count > 0 && void resend.run(count)}
          >
            Resend {data ? plural(count, 'event') : ''}
          </Button>
        )}
      </span>
    </PopoverBody>
  )
}

function describeChosen(count: number, skipped: number): string {
  const rest = skipped === 0 ? '' : ` ${plural(skipped, 'event')} for no webhook with an address: not sent.`
  if (count === 0) return `Nothing to resend.${rest}`
  return `${plural(count, 'event')}, oldest first, each with its event_id.${rest} Test events are left out.`
}
