import { useEffect } from 'react'
import { RecordPane } from '../../components/list/ListDetails.tsx'
import { eventName } from '../../components/webhooks/deliveries.tsx'
import { EventDetails } from '../../components/webhooks/EventDetails.tsx'
import { useQuery } from '../../data/use-query.ts'

/** The event that is selected in the list. */
export function EventPane({ uid, close }: { uid: string; close: () => void }) {
  const query = useQuery('events.get', { uid }, ['webhook_events', 'webhook_deliveries', 'webhook_attempts'])
  useEscape(close)
  return (
    <RecordPane
      uid={uid}
      close={close}
      query={query}
      label="Event"
      name="Event"
      collection="webhook_events"
      title={(event) => (event ? <span className="mono">{eventName(event)}</span> : 'Event')}
      openTitle="Open the page of this event"
      closeLabel="Close the event"
    >
      {(event) => <EventDetails event={event} />}
    </RecordPane>
  )
}

/** Keys in these are not for the pane. */
const OTHERS = 'input, textarea, select, [role=menu], [role=dialog]'

function useEscape(close: () => void) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (event.target instanceof Element && event.target.closest(OTHERS)) return
      close()
    }
    // Before the shortcuts of the window, which mark the key as used.
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [close])
}
