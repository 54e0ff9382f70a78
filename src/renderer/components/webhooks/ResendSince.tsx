import { useId, useState } from 'react'
import type { EventWithDeliveries, Webhook } from '../../../api/contract/resources/webhooks.ts'
import { sandbox } from '../../data/sandbox.ts'
import { useAction } from '../../data/use-action.ts'
import { useQuery } from '../../data/use-query.ts'
import { errorSentence } from '../../format/errors.ts'
import { plural } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/Field.tsx'
import { Popover, PopoverBody } from '../../ui/Popover.tsx'
import { webhookName } from './use-webhooks.ts'

interface ResendSinceProps {
  readonly event: EventWithDeliveries
  /** The webhooks of the Program that have an address. */
  readonly targets: readonly Webhook[]
}

/** Resends an event and all newer ones, oldest first, after it has said how many these are. */
export function ResendSince(props: ResendSinceProps) {
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
  const { data, error } = useQuery('events.list', { program_uid, since: uid, limit: MAX_EVENTS })
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
        onChange={({ target }) => setTo(target.value)}
      >
        <option value={SAME}>the webhooks that each event was for</option>
        {targets.map((webhook) => (
          <option key={webhook.uid} value={webhook.uid}>
            {webhookName(webhook)}
          </option>
        ))}
      </Select>
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
