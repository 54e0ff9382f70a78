import { useState } from 'react'
import { ListScreen } from '../../components/list/ListScreen.tsx'
import { useWebhooks } from '../../components/webhooks/use-webhooks.ts'
import { sandbox } from '../../data/sandbox.ts'
import { useProgram } from '../../data/use-program.ts'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { type EventRow, eventSource } from './columns.tsx'
import { EventPane } from './EventPane.tsx'
import { AddButton, ListenButton, NoEvents, NoWebhooks } from './NoEvents.tsx'
import { Subscriptions } from './Subscriptions.tsx'
import { useEventList, useOnly } from './use-events.ts'
import { NEW, openForm, WebhookDialog } from './WebhookDialog.tsx'

const createdAt = ({ created_at }: EventRow) => created_at

/** The webhooks, and the events of the shown Program with their deliveries. */
export function Webhooks() {
  const program_uid = useProgram()?.uid
  const { webhooks, byUid, isKnown, error } = useWebhooks()
  const [failure, setFailure] = useState<unknown>(undefined)
  const { columns, filters } = useEventList(program_uid, byUid)
  const only = useOnly(program_uid, byUid)
  const own = webhooks.filter((webhook) => webhook.program_uid === program_uid)
  const isListening = own.some(({ url }) => url === null)
  const add = () => openForm(NEW)
  const listen = () => {
    setFailure(undefined)
    sandbox['webhooks.create']({ url: null, ...(program_uid === undefined ? {} : { program_uid }) }).catch(setFailure)
  }
  return (
    <>
      <ListScreen
        source={eventSource}
        program_uid={program_uid}
        title="Webhooks"
        placeholder="event, record, event_id"
        columns={columns}
        timeOf={createdAt}
        filters={filters}
        only={only}
        minWidth={640}
        empty={!isKnown ? <Skeleton /> : own.length === 0 ? <NoWebhooks add={add} listen={listen} /> : <NoEvents />}
        actions={
          own.length > 0 && (
            <>
              {!isListening && <ListenButton listen={listen} />}
              <AddButton add={add} />
            </>
          )
        }
        above={
          <>
            {failure !== undefined && <Notice title="The webhook was not added." error={failure} />}
            {error !== undefined && <Notice title="The webhooks could not be loaded." error={error} />}
            {webhooks.length > 0 && <Subscriptions webhooks={webhooks} />}
          </>
        }
        pane={(uid, close) => <EventPane uid={uid} close={close} />}
      />
      <WebhookDialog webhooks={webhooks} />
    </>
  )
}
