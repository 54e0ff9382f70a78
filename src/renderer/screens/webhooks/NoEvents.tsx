import { Ear, Plus } from 'lucide-react'
import { buildEventBody } from '../../../api/contract/webhook-body.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { formatJson } from '../../forms/values.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { EmptyState, ExampleHead, Way } from '../../ui/EmptyState.tsx'
import { JsonView } from '../../ui/JsonView.tsx'

const EXAMPLE = formatJson(
  buildEventBody(
    { envelope: 'details', event_id_in: 'body' },
    {
      uid: 'ZrdpchpWttoG4NGr',
      event_type: 'status_change',
      details: {
        customer_uid: 'rmkovSFAA8yzGURo',
        customer_external_uid: null,
        transaction_uid: 'viQKWYFWLydufpmM',
        transfer_uid: null,
        description: 'Wire credit from Mock Counterparty',
        old_status: 'pending',
        new_status: 'settled',
        settled_index: 1,
      },
    },
  ),
)

const example = (
  <>
    <ExampleHead>
      <span className="meta">transactions.status_change</span>
      <span className="end">
        <CopyButton text={EXAMPLE} what="example" label="Copy" />
      </span>
    </ExampleHead>
    <JsonView body={EXAMPLE} contentType="application/json" />
  </>
)

/** Without webhooks: how to get events. */
export const NoWebhooks = ({ add, listen }: { add: () => void; listen: () => void }) => (
  <EmptyState
    title="Webhooks tell your app what happens"
    text="The history has the events of all records, also without a webhook. A webhook sends them to your app, signed and with retries in simulated time."
    example={example}
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
  </EmptyState>
)

/** With webhooks, but before the first event. */
export const NoEvents = () => (
  <EmptyState
    title="No events yet"
    text="Each change of a record that a webhook has subscribed to appears here, with its deliveries."
    example={example}
  >
    <li>
      Make a payment arrive: <ScreenLink screen="inject">Inject</ScreenLink>
    </li>
    <li>
      Advance the clock, so that payments settle: <ScreenLink screen="time">Time</ScreenLink>
    </li>
    <li>Send requests with your app: each transfer is an event.</li>
  </EmptyState>
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
