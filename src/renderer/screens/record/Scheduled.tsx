import { useState } from 'react'
import type { Task } from '../../../api/contract/resources/tasks.ts'
import type { Fields } from '../../components/fields/use-record.ts'
import { RecordLink } from '../../components/RecordLink.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { advance } from '../../data/advance.ts'
import { type CollectionName, collections } from '../../data/collections.ts'
import { useFeed } from '../../data/feed.ts'
import { taskReason } from '../../data/records.ts'
import { sandbox } from '../../data/sandbox.ts'
import { useCustomerTasks } from '../../data/use-customer-tasks.ts'
import { useNow } from '../../data/use-now.ts'
import { errorText } from '../../format/errors.ts'
import { plural } from '../../format/numbers.ts'
import { formatDateTime, formatDuration, formatInstant, formatShortInstant } from '../../format/time.ts'
import { Button, ButtonGroup } from '../../ui/Button.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { GlyphText } from '../../ui/GlyphText.tsx'
import { Caption } from '../../ui/Layout.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './Scheduled.module.css'

interface ScheduledProps {
  readonly collection: CollectionName
  readonly uid: string
  readonly fields: Fields
}

/** The tasks scheduled for the record, with a countdown in simulated time to the first one. */
export function Scheduled({ collection, uid, fields }: ScheduledProps) {
  const known = useTasksOf(collection, uid, fields)
  const tasks = known ?? []
  const more = tasks.length - MAX_SHOWN
  const [first] = tasks.filter(({ held, failed }) => !held && failed === null)
  return (
    <section aria-label="Scheduled">
      <Caption>
        <h2>Scheduled</h2>
      </Caption>
      {first && <Countdown task={first} startedAt={findStart(fields)} />}
      <ul className={styles.tasks}>
        {known?.length === 0 && <li className="soft">Nothing scheduled for this {collections[collection].one}.</li>}
        {tasks.slice(0, MAX_SHOWN).map((task) => (
          <ScheduledTask key={task.uid} task={task} here={uid} />
        ))}
        {more > 0 && (
          <li>
            <ScreenLink screen="time">{plural(more, 'more task')}</ScreenLink>
          </li>
        )}
      </ul>
    </section>
  )
}

const MAX_SHOWN = 10

/** Includes the tasks of its Transaction, which a Transfer and a Return follow, and of the payments of a Customer. */
function useTasksOf(collection: CollectionName, uid: string, fields: Fields): readonly Task[] | undefined {
  const all = useFeed((feed) => feed.tasks)
  const ofCustomer = useCustomerTasks(collection === 'customers' ? uid : null)
  if (collection === 'customers') return ofCustomer?.map(({ task }) => task)
  const subjects = new Set([uid, fields.return_transaction_uid, ...((fields.transaction_uids as string[]) ?? [])])
  return all
    .filter((task) => subjects.has(task.record) || (collection === 'tasks' && task.uid === uid))
    .sort((a, b) => (a.due_at < b.due_at ? -1 : 1))
}

/** The start of the countdown's meter: the last known change of the record. */
function findStart(fields: Fields): number | null {
  const at = ['created_at', 'initial_action_at'].map((name) => Date.parse(String(fields[name]))).filter(Number.isFinite)
  return at.length === 0 ? null : Math.max(...at)
}

function Countdown({ task, startedAt }: { task: Task; startedAt: number | null }) {
  const { due_at } = task
  const now = useNow()
  const isFrozen = useFeed((feed) => feed.clock?.mode === 'frozen' && feed.progress === null)
  const due = Date.parse(due_at)
  return (
    <div className={styles.countdown} data-frozen={isFrozen ? '' : undefined}>
      <span className="meta wrap">
        <Text>{taskReason(task)}</Text>
        {due > now && ' in'}
      </span>
      <b className="sum" role="timer">
        {due <= now ? 'now' : formatDuration(due - now)}
      </b>
      {startedAt !== null && startedAt < due && (
        <div className={styles.meter}>
          <Meter
            value={Math.min(due, Math.max(startedAt, now)) - startedAt}
            max={due - startedAt}
            label="Elapsed time"
          />
        </div>
      )}
      <span className="row meta">
        {isFrozen && (
          <GlyphText signal="wait">
            <Glyph name="held" /> paused: the clock is frozen
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
  const [result, setResult] = useState<{ text: string; failed: boolean } | null>(null)
  const act = async (work: () => Promise<string>) => {
    if (busy) return
    setBusy(true)
    setResult(null)
    try {
      setResult({ text: await work(), failed: false })
    } catch (error) {
      setResult({ text: errorText(error), failed: true })
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
              <Glyph name="held" /> held, due {formatDateTime(due)}
            </GlyphText>
          ) : failed !== null ? (
            <GlyphText className="wrap" signal="bad">
              <Glyph name="broken" /> <Text className="wrap">{failed}</Text>
            </GlyphText>
          ) : (
            <span title={formatInstant(due)}>
              {formatDateTime(due)}
              {recurring ? ', repeats' : ''}
              {record !== null && record !== here && uid !== here && (
                <>
                  : <Text>{taskReason(task)}</Text>
                </>
              )}
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
              return held ? 'Released.' : 'Held.'
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
            Advance to this
          </Button>
        )}
      </ButtonGroup>
      <span role="status" className={`wrap ${result?.failed ? 'bad' : 'soft'}`} hidden={result === null}>
        {result?.text}
      </span>
    </li>
  )
}
