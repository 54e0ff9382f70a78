import { useState } from 'react'
import type { Task } from '../../../api/contract/resources/tasks.ts'
import { RecordLink } from '../../components/RecordLink.tsx'
import { advance } from '../../data/advance.ts'
import { type CollectionName, collections } from '../../data/collections.ts'
import { useFeed } from '../../data/feed.ts'
import { taskReason } from '../../data/records.ts'
import { sandbox } from '../../data/sandbox.ts'
import { useNow } from '../../data/use-now.ts'
import { errorText } from '../../format/errors.ts'
import { formatDateTime, formatDuration, formatInstant, formatShortInstant } from '../../format/time.ts'
import { Button, ButtonGroup } from '../../ui/Button.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { GlyphText } from '../../ui/GlyphText.tsx'
import { Caption } from '../../ui/Layout.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './Scheduled.module.css'
import type { Fields } from './use-record.ts'

interface ScheduledProps {
  readonly collection: CollectionName
  readonly uid: string
  readonly fields: Fields
}

/** What will happen to it by itself, and when: told by the clock that may stand still. */
export function Scheduled({ collection, uid, fields }: ScheduledProps) {
  const tasks = useTasksOf(collection, uid, fields)
  const [first] = tasks.filter(({ held, failed }) => !held && failed === null)
  return (
    <section aria-label="What happens next">
      <Caption>
        <h2>What happens next</h2>
      </Caption>
      {first && <Countdown task={first} began={findStart(fields)} />}
      <ul className={styles.tasks}>
        {tasks.length === 0 && <li className="soft">Nothing is due for this {collections[collection].one}.</li>}
        {tasks.map((task) => (
          <ScheduledTask key={task.uid} task={task} here={uid} />
        ))}
      </ul>
    </section>
  )
}

/** A Transfer and a Return follow their Transaction: what is due for it is due for them. */
function useTasksOf(collection: CollectionName, uid: string, fields: Fields): readonly Task[] {
  const all = useFeed((feed) => feed.tasks)
  const subjects = new Set([uid, fields.return_transaction_uid, ...((fields.transaction_uids as string[]) ?? [])])
  return all
    .filter((task) => subjects.has(task.record) || (collection === 'tasks' && task.uid === uid))
    .sort((a, b) => (a.due_at < b.due_at ? -1 : 1))
}

/** Since when it waits: from the last thing that is known to have happened to it. */
function findStart(fields: Fields): number | null {
  const at = ['created_at', 'initial_action_at'].map((name) => Date.parse(String(fields[name]))).filter(Number.isFinite)
  return at.length === 0 ? null : Math.max(...at)
}

function Countdown({ task, began }: { task: Task; began: number | null }) {
  const { due_at } = task
  const now = useNow()
  const frozen = useFeed((feed) => feed.clock?.mode === 'frozen' && feed.progress === null)
  const due = Date.parse(due_at)
  return (
    <div className={styles.countdown} data-frozen={frozen ? '' : undefined}>
      <span className="meta wrap">
        <Text>{taskReason(task)}</Text>
        {due > now && ' in'}
      </span>
      <b className="sum" role="timer">
        {due <= now ? 'now' : formatDuration(due - now)}
      </b>
      {began !== null && began < due && (
        <div className={styles.meter}>
          <Meter value={Math.min(due, Math.max(began, now)) - began} max={due - began} label="How much has passed" />
        </div>
      )}
      <span className="row meta">
        {frozen && (
          <GlyphText signal="wait">
            <Glyph name="held" /> clock frozen: standing still
          </GlyphText>
        )}
        <time className="end" dateTime={due_at} title={due_at}>
          by {formatDateTime(due)}
        </time>
      </span>
    </div>
  )
}

function ScheduledTask({ task, here }: { task: Task; here: string }) {
  const { uid, kind, due_at, held, failed, record, recurring } = task
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState<{ text: string; failed: boolean } | null>(null)
  const act = async (work: () => Promise<string>) => {
    if (busy) return
    setBusy(true)
    setSaid(null)
    try {
      setSaid({ text: await work(), failed: false })
    } catch (error) {
      setSaid({ text: errorText(error), failed: true })
    } finally {
      setBusy(false)
    }
  }
  const due = Date.parse(due_at)
  return (
    <li>
      <span>
        {uid === here ? (
          kind
        ) : (
          <RecordLink collection="tasks" uid={uid}>
            {kind}
          </RecordLink>
        )}
        <small>
          {held ? (
            <GlyphText signal="wait">
              <Glyph name="held" /> held back, due {formatDateTime(due)}
            </GlyphText>
          ) : failed !== null ? (
            <GlyphText className="wrap" signal="bad">
              <Glyph name="broken" /> <Text className="wrap">{failed}</Text>
            </GlyphText>
          ) : (
            <span title={formatInstant(due)}>
              {formatDateTime(due)}
              {recurring ? ', repeats' : ''}
              {record !== null && record !== here && uid !== here ? ', of its Transaction' : ''}
            </span>
          )}
        </small>
      </span>
      <ButtonGroup>
        <Button
          aria-disabled={busy}
          onClick={() => void act(async () => `${(await sandbox['tasks.run']({ uid })).outcome}.`)}
        >
          Run now
        </Button>
        <Button
          aria-disabled={busy}
          onClick={() =>
            void act(async () => {
              await sandbox[held ? 'tasks.release' : 'tasks.hold']({ uid })
              return held ? 'Let go.' : 'Held back.'
            })
          }
        >
          {held ? 'Release' : 'Hold'}
        </Button>
        {!held && failed === null && (
          <Button
            title={`Advance the clock to ${formatInstant(due)}`}
            onClick={() => void advance({ to: due_at }, `to ${formatShortInstant(due)}`)}
          >
            Go there
          </Button>
        )}
      </ButtonGroup>
      <span role="status" className={`wrap ${said?.failed ? 'bad' : 'soft'}`} hidden={said === null}>
        {said?.text}
      </span>
    </li>
  )
}
