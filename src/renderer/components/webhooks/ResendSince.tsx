import { useEffect, useId, useRef, useState } from 'react'
import type { EventWithDeliveries, Webhook } from '../../../api/contract/resources/webhooks.ts'
import { sandbox } from '../../data/sandbox.ts'
import { errorSentence } from '../../format/errors.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/Field.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { Popover, PopoverBody } from '../../ui/Popover.tsx'
import styles from './ResendSince.module.css'
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

function ResendForm({ event, targets, close }: ResendSinceProps & { close: () => void }) {
  const id = useId()
  const [to, setTo] = useState(SAME)
  const { events, error } = useEventsSince(event)
  const { run, resend, cancel } = useResend()
  const isRunning = run?.state === 'running'
  const chosen = events?.filter(({ deliveries }) => to !== SAME || deliveries.some(isFor(targets))) ?? []
  const skipped = (events?.length ?? 0) - chosen.length
  return (
    <PopoverBody>
      <label htmlFor={id} className="data soft">
        To
      </label>
      <Select
        id={id}
        className={styles.to}
        value={to}
        disabled={isRunning}
        onChange={({ target }) => setTo(target.value)}
      >
        <option value={SAME}>the webhooks that each event was for</option>
        {targets.map((webhook) => (
          <option key={webhook.uid} value={webhook.uid}>
            {webhookName(webhook)}
          </option>
        ))}
      </Select>
      <p className="data soft" role="status">
        {error !== undefined && <span className="bad">{errorSentence(error)}</span>}
        {!events && error === undefined && 'Counting…'}
        {events && run === null && describeChosen(chosen.length, skipped)}
        {run !== null && describeRun(run)}
      </p>
      {isRunning && <Meter value={run.done} max={run.of} label="Resent" />}
      <span className="row">
        {isRunning ? (
          <Button onClick={cancel}>Cancel</Button>
        ) : run?.state === 'done' ? (
          <Button onClick={close}>Close</Button>
        ) : (
          <Button
            primary
            aria-disabled={chosen.length === 0 || undefined}
            onClick={() => {
              const uids = chosen.map(({ uid }) => uid)
              if (uids.length > 0) void resend(uids, to === SAME ? undefined : to)
            }}
          >
            Resend {events ? plural(chosen.length, 'event') : ''}
          </Button>
        )}
      </span>
    </PopoverBody>
  )
}

const isFor =
  (targets: readonly Webhook[]) =>
  ({ webhook_uid }: { readonly webhook_uid: string }) =>
    targets.some(({ uid }) => uid === webhook_uid)

function describeChosen(count: number, skipped: number): string {
  const rest = skipped === 0 ? '' : ` ${plural(skipped, 'event')} for no webhook with an address: not sent.`
  if (count === 0) return `Nothing to resend.${rest}`
  return `${plural(count, 'event')}, oldest first, each with its event_id.${rest} Test events are left out.`
}

interface Run {
  readonly done: number
  readonly of: number
  readonly state: 'running' | 'done' | 'canceled' | 'failed'
  readonly error?: unknown
}

function describeRun({ done, of, state, error }: Run): string {
  const count = `${formatCount(done)} of ${plural(of, 'event')} resent`
  if (state === 'failed') return `${count}. The next one failed: ${errorSentence(error)}`
  return state === 'canceled' ? `Canceled: ${count}.` : `${count}.`
}

/** Resends one event after the other, so that receivers get them in this order. */
function useResend() {
  const [run, setRun] = useState<Run | null>(null)
  const isCanceled = useRef(false)
  useEffect(() => {
    isCanceled.current = false
    return () => {
      isCanceled.current = true
    }
  }, [])
  const resend = async (uids: readonly string[], webhook_uid: string | undefined) => {
    isCanceled.current = false
    const of = uids.length
    for (const [done, uid] of uids.entries()) {
      if (isCanceled.current) return setRun({ done, of, state: 'canceled' })
      setRun({ done, of, state: 'running' })
      try {
        await sandbox['events.resend']({ uid, ...(webhook_uid === undefined ? {} : { webhook_uid }) })
      } catch (error) {
        return setRun({ done, of, state: 'failed', error })
      }
    }
    setRun({ done: of, of, state: 'done' })
  }
  const cancel = () => {
    isCanceled.current = true
  }
  return { run, resend, cancel }
}

const PAGE = 1_000

/** The event and all newer ones of its Program, oldest first, without test events. */
function useEventsSince({ uid, program_uid }: EventWithDeliveries) {
  const [found, setFound] = useState<{ events?: readonly EventWithDeliveries[]; error?: unknown }>({})
  useEffect(() => {
    let isOver = false
    readEventsSince(uid, program_uid).then(
      (events) => isOver || setFound({ events }),
      (error: unknown) => isOver || setFound({ error }),
    )
    return () => {
      isOver = true
    }
  }, [uid, program_uid])
  return { events: found.events, error: found.error }
}

async function readEventsSince(uid: string, program_uid: string): Promise<readonly EventWithDeliveries[]> {
  // Pages overlap when an event arrives between them.
  const found = new Map<string, EventWithDeliveries>()
  for (let offset = 0; ; offset += PAGE) {
    const { data } = await sandbox['events.list']({ program_uid, limit: PAGE, offset })
    for (const event of data) {
      found.set(event.uid, event)
      if (event.uid === uid) return [...found.values()].filter(({ record_uid }) => record_uid !== null).reverse()
    }
    if (data.length < PAGE) return []
  }
}
