import { Eye, SkipForward, X } from 'lucide-react'
import { useId } from 'react'
import { advance, advanceProgress, cancelAdvance, useAdvance } from '../../data/advance.ts'
import { useFeed } from '../../data/feed.ts'
import { useNow } from '../../data/use-now.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { formatDuration, formatLongDay, formatShortInstant, newYork } from '../../format/time.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Select, TextInput } from '../../ui/Field.tsx'
import { Meter } from '../../ui/Meter.tsx'
import styles from './AdvanceForm.module.css'
import { type Asked, type Goal, type How, hows } from './advance-goal.ts'
import { dayName, foreseen } from './agenda.ts'
import { shortWhy } from './task-kinds.ts'

/** How long it is to the next thing due, and what that is. */
export function Countdown() {
  const next = useFeed((feed) => feed.clock?.next)
  const now = useNow()
  const tasks = useFeed((feed) => feed.tasks)
  if (!next) {
    const again = tasks
      .filter(({ recurring, held, failed }) => recurring && !held && failed === null)
      .toSorted((a, b) => a.due_at.localeCompare(b.due_at))[0]
    return (
      <div className={styles.countdown}>
        <span className="sum">Nothing is due</span>
        <span className="meta cut">
          {again
            ? `but what recurs: ${again.kind} ${formatShortInstant(Date.parse(again.due_at))}`
            : 'and nothing recurs'}
        </span>
      </div>
    )
  }
  const at = Date.parse(next.at)
  return (
    <div className={styles.countdown} title={next.what}>
      <span className="sum">{at <= now ? 'now' : formatDuration(at - now)}</span>
      <span className="meta cut">
        to the next due, {formatShortInstant(at)}: {shortWhy(next.message)}
      </span>
    </div>
  )
}

interface MoveClockProps {
  readonly asked: Asked
  readonly ask: (change: Partial<Asked>) => void
  readonly goal: Goal | string
  readonly preview: boolean
  readonly setPreview: (on: boolean) => void
}

export function AdvanceForm({ asked, ask, goal, preview, setPreview }: MoveClockProps) {
  const tasks = useFeed((feed) => feed.tasks)
  const lost = useFeed((feed) => feed.connection !== 'live')
  const error = useAdvance((state) => state.error)
  const id = useId()
  const wrong = typeof goal === 'string' ? goal : null
  const set = (change: Partial<Asked>) => {
    useAdvance.setState({ error: null })
    ask(change)
  }
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    if (typeof goal === 'string' || lost) return
    setPreview(false)
    void advance(goal.input, goal.words)
  }
  const input = (name: 'duration' | 'date' | 'time' | 'business_days', label: string, type: string, width: number) => (
    <TextInput
      style={{ width }}
      type={type}
      aria-label={label}
      value={asked[name]}
      step={name === 'time' ? 1 : undefined}
      inputMode={name === 'business_days' ? 'numeric' : undefined}
      invalid={wrong !== null}
      aria-invalid={wrong !== null}
      aria-describedby={`${id}told`}
      onChange={(event) => set({ [name]: event.target.value })}
    />
  )
  return (
    <form
      className={styles.form}
      aria-label="Advance the clock"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        setPreview(!preview)
      }}
    >
      <div className={cx('row', styles.fields)}>
        <Select aria-label="Advance by" value={asked.how} onChange={(event) => set({ how: event.target.value as How })}>
          {Object.entries(hows).map(([how, words]) => (
            <option key={how} value={how}>
              {words}
            </option>
          ))}
        </Select>
        {asked.how === 'duration' && input('duration', 'Duration, in ISO 8601', 'text', 96)}
        {asked.how === 'business_days' && input('business_days', 'Business days', 'text', 56)}
        {asked.how === 'moment' && (
          <>
            {input('date', 'Date in New York', 'date', 128)}
            {input('time', 'Time in New York', 'time', 136)}
          </>
        )}
      </div>
      <p id={`${id}told`} className={cx('data wrap', styles.text)}>
        {wrong !== null ? (
          <span className="bad">{wrong}</span>
        ) : (
          <>
            {typeof goal !== 'string' && goal.to !== null && (
              <b>
                To {formatLongDay(goal.to)} {newYork(goal.to).time} ET.{' '}
              </b>
            )}
            {typeof goal !== 'string' && <span className="soft">{foreseen(tasks, goal.to)}</span>}
          </>
        )}
        {error !== null && (
          <span className="bad" role="alert">
            {' '}
            {error}
          </span>
        )}
      </p>
      <div className="row">
        <Button
          type="submit"
          primary
          aria-disabled={wrong !== null || lost}
          title={wrong ?? (lost ? 'There is no connection.' : undefined)}
        >
          <SkipForward size={12} strokeWidth={1.8} aria-hidden="true" />
          Advance
        </Button>
        <Button
          aria-pressed={preview}
          aria-disabled={wrong !== null}
          onClick={() => wrong === null && setPreview(!preview)}
        >
          <Eye size={12} strokeWidth={1.6} aria-hidden="true" />
          {preview ? 'End preview' : 'Preview'}
        </Button>
        <span className={cx('meta', styles.shortcut)}>
          <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </span>
      </div>
    </form>
  )
}

/** In the place of the form while time moves. */
export function Moving() {
  const progress = useFeed((feed) => feed.progress)
  const goal = useAdvance((state) => state.goal)
  const ran = progress?.ran ?? 0
  const left = progress?.left ?? null
  const now = useNow()
  const [from, to] = [Date.parse(progress?.from ?? ''), Date.parse(progress?.to ?? '')]
  const far = progress ? advanceProgress(progress, now) : { value: null, max: 1 }
  return (
    <section className={styles.form} aria-label="An advance is under way">
      <p className="data">
        <b>{goal ?? 'Advance'}</b>
        {progress && <span className="soft"> from {formatShortInstant(from)}</span>}
        {progress?.to && (
          <span className="soft">
            {' '}
            to {dayName(to, from)} {newYork(to).time.slice(0, 5)}
          </span>
        )}
      </p>
      <Meter {...far} label="How far the advance is" />
      <p className={cx('data', styles.text)} role="status">
        {plural(ran, 'task')} ran{left === null ? '' : `, ${formatCount(left)} more are known to come`}. It can be
        stopped between two of them.
      </p>
      <div className="row">
        <Button data-stop onClick={cancelAdvance}>
          <X size={12} strokeWidth={1.8} aria-hidden="true" />
          Cancel
        </Button>
      </div>
    </section>
  )
}
