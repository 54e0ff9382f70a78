import { X } from 'lucide-react'
import { useEffect } from 'react'
import { ControlError } from '../../../api/contract/control/client.ts'
import { ButtonLink } from '../../components/ScreenLink.tsx'
import { eventName } from '../../components/webhooks/deliveries.tsx'
import { EventDetails } from '../../components/webhooks/EventDetails.tsx'
import { useQuery } from '../../data/use-query.ts'
import { Button } from '../../ui/Button.tsx'
import { Caption, DetailPane } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'

/** The event that is selected in the list. */
export function EventPane({ uid, close }: { uid: string; close: () => void }) {
  const { data, error, slow } = useQuery('events.get', { uid }, [
    'webhook_events',
    'webhook_deliveries',
    'webhook_attempts',
  ])
  useEscape(close)
  const isGone = error instanceof ControlError && error.body.status === 404
  return (
    <DetailPane aria-label="Event" tabIndex={0}>
      <Caption>
        <h2 className="cut">{data && !isGone ? <span className="mono">{eventName(data)}</span> : 'Event'}</h2>
        <span className="end row" data-tight>
          <ButtonLink collection="webhook_events" record={uid} title="Open the page of this event">
            Open
          </ButtonLink>
          <Button bare iconOnly aria-label="Close the event" onClick={close}>
            <X size={14} aria-hidden="true" />
          </Button>
        </span>
      </Caption>
      {error !== undefined ? (
        <Notice
          title={isGone ? `Event ${uid} does not exist any more.` : `Event ${uid} could not be loaded.`}
          error={isGone ? undefined : error}
        />
      ) : data ? (
        <EventDetails event={data} />
      ) : (
        slow && <Skeleton />
      )}
    </DetailPane>
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
