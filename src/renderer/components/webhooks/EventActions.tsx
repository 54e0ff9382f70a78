import { ChevronDown, RotateCcw } from 'lucide-react'
import type { EventWithDeliveries, Webhook } from '../../../api/contract/resources/webhooks.ts'
import { sandbox } from '../../data/sandbox.ts'
import { useAction } from '../../data/use-action.ts'
import { Button, ButtonGroup } from '../../ui/Button.tsx'
import { Actions } from '../../ui/Layout.tsx'
import { Menu, MenuItem } from '../../ui/Menu.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { ResendSince } from './ResendSince.tsx'
import { webhookName } from './use-webhooks.ts'

interface EventActionsProps {
  readonly event: EventWithDeliveries
  /** Of the Program of the event. */
  readonly webhooks: readonly Webhook[]
}

/** Resend, hold and release an event. */
export function EventActions({ event, webhooks }: EventActionsProps) {
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
              trigger={
                <Button iconOnly aria-label="Resend to one webhook" title="Resend to one webhook…">
                  <ChevronDown size={12} aria-hidden="true" />
                </Button>
              }
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
