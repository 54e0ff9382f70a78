import type { OwnDetails } from '../../components/list/ListDetails.tsx'
import { ListScreen } from '../../components/list/ListScreen.tsx'
import { eventName } from '../../components/webhooks/deliveries.tsx'
import { EventDetails } from '../../components/webhooks/EventDetails.tsx'
import { useWebhooks } from '../../components/webhooks/use-webhooks.ts'
import { sandbox } from '../../data/sandbox.ts'
import { useAction } from '../../data/use-action.ts'
import { useProgram } from '../../data/use-program.ts'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { events } from './events.tsx'
import { AddButton, ListenButton, NoWebhooks } from './NoEvents.tsx'
import { Subscriptions } from './Subscriptions.tsx'
import { NEW, openForm, WebhookDialog } from './WebhookDialog.tsx'

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
