import { Ear, Plus } from 'lucide-react'
import { useId, useMemo, useRef, useState } from 'react'
import { ControlError } from '../../../api/contract/control/client.ts'
import type { MethodInput } from '../../../api/contract/control/methods.ts'
import {
  CreateWebhook,
  type Webhook,
  WebhookChanges,
  webhookDefaults,
} from '../../../api/contract/resources/webhooks.ts'
import { shapeOf } from '../../../api/contract/shape.ts'
import type { Schema } from '../../../api/contract/terms/endpoint.ts'
import { buildEventBody } from '../../../api/contract/webhook-body.ts'
import {
  exampleDetails,
  type WebhookEventName,
  webhookEventNames,
  webhookEvents,
} from '../../../api/contract/webhooks.ts'
import { TryIt } from '../../actions/TryIt.tsx'
import { LineLink, RecordLink, ScreenLink } from '../../components/ScreenLink.tsx'
import { Status } from '../../components/Status.tsx'
import { webhookName } from '../../components/webhooks/deliveries.tsx'
import { useFeed } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { sandbox, submitting, useAction } from '../../data/sandbox.ts'
import { callOf } from '../../data/trying.ts'
import { useProgram } from '../../data/use-program.ts'
import { formatCount } from '../../format/text.ts'
import { type FieldErrors, findFieldErrors } from '../../forms/field-errors.ts'
import { SchemaForm } from '../../forms/SchemaForm.tsx'
import { formatJson, type JsonObject } from '../../forms/values.ts'
import { Button, CopyButton } from '../../ui/Button.tsx'
import { JsonView } from '../../ui/CodeBlock.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Caption, Column, Row } from '../../ui/Layout.tsx'
import { EmptyState, ExampleHead, Notice, Way } from '../../ui/Notice.tsx'
import { Confirm } from '../../ui/Popover.tsx'
import { Table } from '../../ui/Table.tsx'
import { Text } from '../../ui/Text.tsx'
import { useIsWide } from '../../ui/use-is-wide.ts'

/** The webhooks of all Programs, with what can be done with each. */
export function Subscriptions({ webhooks }: { webhooks: readonly Webhook[] }) {
  const programs = useFeed((feed) => feed.programs)
  const { run, result, error } = useAction(async (work: () => Promise<unknown>, done: string) => {
    await work()
    return done
  })
  const programName = (uid: string) => programs.find((program) => program.uid === uid)?.name ?? uid
  const isOneProgram = programs.length < 2
  const isRoomy = useIsWide(1201)
  const headers = [
    { label: 'Address', width: '32%' },
    { label: 'Topics' },
    { label: 'Status', width: 112 },
    ...(isOneProgram ? [] : [{ label: 'Program', width: '14%' }]),
    { label: 'Actions', width: isRoomy ? 344 : 196 },
  ]
  return (
    <Column
      as="section"
      aria-label="Registered webhooks"
      line="bottom"
      style={{ flex: 'none', maxHeight: '40%', borderColor: 'var(--line-strong)' }}
    >
      <Caption>
        <h2>
          {formatCount(webhooks.length)} {webhooks.length === 1 ? 'webhook' : 'webhooks'}
        </h2>
        <span className="meta" role="status">
          {result}
        </span>
      </Caption>
      {error !== undefined && <Notice title="The webhook was not changed." error={error} />}
      <Column scroll>
        <Table headers={headers}>
          {webhooks.map((webhook) => (
            <tr key={webhook.uid} data-webhook={webhook.uid}>
              <td>
                <Address webhook={webhook} />
              </td>
              <td>
                {webhook.topics === null ? (
                  <span className="soft">all</span>
                ) : (
                  <span className="mono">{webhook.topics.join(', ')}</span>
                )}
              </td>
              <td>
                <Status word={webhook.status} />
              </td>
              {!isOneProgram && (
                <td>
                  <Text>{programName(webhook.program_uid)}</Text>
                </td>
              )}
              <td>
                <RowActions webhook={webhook} run={run} />
              </td>
            </tr>
          ))}
        </Table>
      </Column>
    </Column>
  )
}

function Address({ webhook: { uid, url, status } }: { webhook: Webhook }) {
  return (
    <>
      <RecordLink collection="webhooks" uid={uid}>
        {url ?? 'no address'}
      </RecordLink>
      {url === null && <span className="meta hint">Listens here: its events are kept and sent nowhere.</span>}
      {status === 'unconfirmed' && (
        <span className="meta hint">No events are sent until its receiver has accepted a test event.</span>
      )}
    </>
  )
}

interface RowActionsProps {
  readonly webhook: Webhook
  /** Waits for a call, and says what was done or why not. */
  readonly run: (work: () => Promise<unknown>, done: string) => void
}

function RowActions({ webhook, run }: RowActionsProps) {
  const { uid, url, status, hmac_key } = webhook
  const name = webhookName(webhook)
  const isActive = status === 'active'
  const setStatus = (to: 'active' | 'paused') =>
    run(() => sandbox['webhooks.update']({ uid, status: to }), to === 'active' ? 'Activated.' : 'Paused.')
  return (
    <Row as="span" gap={4} wraps>
      {url !== null && (
        <Button small onClick={() => run(() => sandbox['webhooks.test']({ uid }), 'The test event is in the list.')}>
          Test <Of name={name} />
        </Button>
      )}
      <Button small onClick={() => setStatus(isActive ? 'paused' : 'active')}>
        {isActive ? 'Pause' : 'Activate'} <Of name={name} />
      </Button>
      <Button small onClick={() => useRoute.getState().filter('form', [uid])}>
        Edit… <Of name={name} />
      </Button>
      <CopyButton text={hmac_key} what="HMAC key" label="Key" small />
      <Confirm
        small
        label="Delete…"
        title="Delete this webhook?"
        action="Delete"
        onConfirm={() => run(() => sandbox['webhooks.delete']({ uid }), 'Deleted.')}
      >
        <Text>{url ?? 'The webhook without an address'}</Text>: its deliveries that are not finished fail. Its events
        stay.
      </Confirm>
    </Row>
  )
}

const Of = ({ name }: { name: string }) => <span className="unseen">{name}</span>

type StartProps = Pick<React.ComponentProps<typeof EmptyState>, 'title' | 'text' | 'children'>

/** Ways to start, then every event, with an example of the one that the user chooses. */
function Start({ title, text, children }: StartProps) {
  const [name, setName] = useState<WebhookEventName>('transactions.status_change')
  const event = { uid: EXAMPLE_ID, event_type: webhookEvents[name].event_type, details: exampleDetails(name) }
  const body = formatJson(buildEventBody({ envelope: 'details', event_id_in: 'body' }, event))
  return (
    <EmptyState
      title={title}
      text={text}
      example={
        <>
          <ExampleHead>
            <span className="meta">{name}</span>
            <span className="end">
              <CopyButton text={body} what="example" label="Copy" />
            </span>
          </ExampleHead>
          <JsonView body={body} contentType="application/json" />
        </>
      }
    >
      {children}
      {webhookEventNames.map((one) => (
        <li key={one} className="row">
          <span className="grow">
            <code>{one}</code>
            <br />
            {webhookEvents[one].when}
          </span>
          <Button small aria-pressed={one === name} aria-label={`Example of ${one}`} onClick={() => setName(one)}>
            Example
          </Button>
        </li>
      ))}
    </EmptyState>
  )
}
const EXAMPLE_ID = 'ZrdpchpWttoG4NGr'

/** Without webhooks: how to get events. */
export const NoWebhooks = ({ add, listen }: { add: () => void; listen: () => void }) => (
  <Start
    title="Webhooks tell your app what happens"
    text="The history has the events of all records, also without a webhook. A webhook sends them to your app, signed and with retries in simulated time."
  >
    <Way title="You have an endpoint" text="Give its address: it gets a signed POST for each event.">
      <AddButton add={add} />
    </Way>
    <Way
      title="You have none yet"
      text="Events are kept and sent nowhere, so you see here what would be sent. You can send them later."
    >
      <ListenButton listen={listen} />
    </Way>
  </Start>
)

/** With webhooks, but before the first event. */
export const NoEvents = () => (
  <Start
    title="No events yet"
    text="Each change of a record that a webhook has subscribed to appears here, with its deliveries."
  >
    <li>
      Make a payment arrive: <ScreenLink screen="inject">Inject</ScreenLink>
    </li>
    <li>
      Advance the clock, so that payments settle: <LineLink pane="line">line of time</LineLink>
    </li>
    <li>Send requests with your app: each transfer is an event.</li>
  </Start>
)

export const AddButton = ({ add }: { add: () => void }) => (
  <Button icon={Plus} primary onClick={add}>
    Add a webhook…
  </Button>
)

export const ListenButton = ({ listen }: { listen: () => void }) => (
  <Button icon={Ear} title="Add a webhook without an address: its events are kept and sent nowhere" onClick={listen}>
    Listen here
  </Button>
)

/** In the address parameter `form`: a new webhook. Otherwise it is the uid of the webhook to edit. */
export const NEW = 'new'

export const openForm = (which: string) => useRoute.getState().filter('form', [which])
const closeForm = () => useRoute.getState().filter('form', [])

/** The form that adds a webhook or changes one. Its fields are those of the contract. */
export function WebhookDialog({ webhooks }: { webhooks: readonly Webhook[] }) {
  const which = useRoute(({ params }) => params.form?.[0])
  const webhook = webhooks.find(({ uid }) => uid === which)
  const isOpen = which === NEW || webhook !== undefined
  return (
    <Dialog
      title={webhook ? 'Edit a webhook' : 'Add a webhook'}
      open={isOpen}
      onOpenChange={(open) => !open && closeForm()}
    >
      {isOpen && <WebhookForm key={which} webhook={webhook} />}
    </Dialog>
  )
}

/** Without the choice of a Program where there is only one. */
const forOneProgram = CreateWebhook.omit({ program_uid: true })

/** Pause and Activate set the status. */
const changeable = WebhookChanges.omit({ status: true })

/** The fields that differ from the defaults, without the HMAC key. */
function editableFields(webhook: Webhook): JsonObject {
  const defaults: JsonObject = { ...webhookDefaults, hmac_key: webhook.hmac_key }
  return Object.fromEntries(
    shapeOf(changeable).fields.flatMap(({ name }) => {
      const value = (webhook as JsonObject)[name]
      return value === undefined || isSame(value, defaults[name] ?? undefined) ? [] : [[name, value]]
    }),
  )
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Adds a webhook, or changes one: then only what differs is sent. */
function WebhookForm({ webhook }: { webhook: Webhook | undefined }) {
  const program_uid = useProgram()?.uid
  const isOneProgram = useFeed((feed) => feed.programs.length < 2)
  const ofProgram = program_uid === undefined ? {} : { program_uid }
  const schema: Schema = webhook ? changeable : isOneProgram ? forOneProgram : CreateWebhook
  const [value, setValue] = useState<JsonObject>(() =>
    webhook ? editableFields(webhook) : isOneProgram ? {} : ofProgram,
  )
  const changesOf = (fields: JsonObject) =>
    webhook && Object.entries(fields).filter(([name, part]) => !isSame(part, (webhook as JsonObject)[name]))
  const updating = (changes: [string, unknown][]) => ({ uid: webhook!.uid, ...Object.fromEntries(changes) })
  const creating = (fields: JsonObject) => ({ ...ofProgram, ...(fields as MethodInput<'webhooks.create'>) })
  const saving = useAction(async (fields: JsonObject) => {
    const changes = changesOf(fields)
    if (!changes) await sandbox['webhooks.create'](creating(fields))
    else if (changes.length > 0) await sandbox['webhooks.update'](updating(changes))
    closeForm()
  })
  const calls = () => {
    const changes = changesOf(value)
    return [changes ? callOf('webhooks.update', updating(changes)) : callOf('webhooks.create', creating(value))]
  }
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const shape = shapeOf(schema)
  const [isSubmitted, setSubmitted] = useState(false)
  const [sent, setSent] = useState<JsonObject | null>(null)
  const invalid = useMemo(() => findFieldErrors(schema, value), [schema, value])
  const refused = sent === value ? saving.error : undefined
  const refusedFields = findRefusedField(
    refused,
    shape.fields.map(({ name }) => name),
  )
  const submit = async () => {
    setSubmitted(true)
    if (invalid.size === 0) {
      setSent(value)
      await saving.run(value)
    }
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  return (
    <form
      ref={form}
      style={{ display: 'grid', '--names': '112px' } as React.CSSProperties}
      noValidate
      onSubmit={submitting(submit)}
    >
      <p className="data soft" style={{ padding: '10px 16px 4px' }}>
        {webhook ? (
          'Fields that are not sent stay as they are. The HMAC key is not shown.'
        ) : (
          <>
            Each event is sent as a signed POST to the address, a slash and its topic. No receiver yet? Set{' '}
            <code>url</code> to null: events are kept, and you can read and resend them later.
          </>
        )}
      </p>
      <Column scroll style={{ padding: '4px 16px 8px', maxHeight: 'min(560px, 100vh - 260px)' }}>
        <SchemaForm
          id={id}
          shape={shape}
          value={value}
          onChange={setValue}
          problems={new Map([...(isSubmitted ? invalid : []), ...refusedFields])}
          leads={webhook ? ['url', 'topics'] : ['program_uid', 'url', 'topics', 'hmac_key', 'confirm']}
        />
      </Column>
      {refused !== undefined && refusedFields.size === 0 && (
        <Notice title="The webhook was not saved." error={refused} />
      )}
      <Row gap={4} line="top" style={{ padding: '8px 16px 12px' }}>
        <Button type="submit" primary aria-disabled={saving.isBusy || undefined}>
          {webhook ? 'Save' : 'Add'}
        </Button>
        <TryIt what={webhook ? 'Save' : 'Add'} calls={calls} />
        <Button onClick={closeForm}>Cancel</Button>
      </Row>
    </form>
  )
}

/** The field that a refusal begins with, as in `url: …`. */
function findRefusedField(error: unknown, fields: readonly string[]): FieldErrors {
  const first = error instanceof ControlError ? error.body.errors[0] : undefined
  const [, field, reason] = /^(\w+)(?:[.[][\w.[\]]*)?: (.+)$/s.exec(first?.extra ?? '') ?? []
  return first && field && reason && fields.includes(field) ? new Map([[field, `${first.code}: ${reason}`]]) : new Map()
}
