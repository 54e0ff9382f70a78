import { Eye, SkipForward } from 'lucide-react'
import { useId, useState } from 'react'
import { machines } from '../../../api/contract/machines.ts'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { cancelAdvanceAction } from '../../actions/clock.ts'
import { AnyRecordLink } from '../../components/ScreenLink.tsx'
import { advance, advanceProgress, useAdvance } from '../../data/advance.ts'
import { collections, isCollection } from '../../data/collections.ts'
import { useFeed, useNow } from '../../data/feed.ts'
import { showFailure, useMessages } from '../../data/messages.ts'
import { sandbox, submitting } from '../../data/sandbox.ts'
import type { useAdvancePreview } from '../../data/use-advance-preview.ts'
import {
  errorText,
  formatCount,
  formatDuration,
  formatLongDay,
  formatShortInstant,
  newYork,
  plural,
} from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Choice, Select, TextInput } from '../../ui/Field.tsx'
import { Row, Stack } from '../../ui/Layout.tsx'
import { Meter } from '../../ui/Meter.tsx'
import { Glyph } from '../../ui/Text.tsx'
import { dayName, forecastTasks, formatReason } from './agenda.ts'
import styles from './Time.module.css'

/** The time until the next task, and what it is. */
export function Countdown() {
  const next = useFeed((feed) => feed.clock?.next)
  const now = useNow()
  const tasks = useFeed((feed) => feed.tasks)
  if (!next) {
    const recurring = tasks
      .filter((task) => task.recurring && !task.held && task.failed === null)
      .toSorted((a, b) => a.due_at.localeCompare(b.due_at))[0]
    return (
      <Stack pad="6 16" line="bottom">
        <span className="sum">Nothing scheduled</span>
        <span className="meta cut">
          {recurring && `except the daily close, ${formatShortInstant(Date.parse(recurring.due_at))}`}
        </span>
      </Stack>
    )
  }
  const at = Date.parse(next.at)
  return (
    <Stack pad="6 16" line="bottom" title={next.what}>
      <span className="sum">{at <= now ? 'now' : formatDuration(at - now)}</span>
      <span className="meta cut">
        until the next task, {formatShortInstant(at)}: {formatReason(next)}
      </span>
    </Stack>
  )
}

/** The form, and what takes its place during an advance. */
const BOX = {
  gap: 8,
  pad: '10 16',
  least: 134,
  line: 'bottom',
  style: { '--meter-width': '100%' },
} as const
/** The longest text at this width, so that the buttons below do not move. */
const THREE_LINES = { minHeight: 48 }

type Foreseen = ReturnType<typeof useAdvancePreview>

interface AdvanceFormProps {
  readonly fields: AdvanceFields
  readonly onChange: (change: Partial<AdvanceFields>) => void
  /** What the sandbox says about it. */
  readonly foreseen: Foreseen
  readonly preview: boolean
  readonly setPreview: (on: boolean) => void
}

export function AdvanceForm({ fields, onChange, foreseen, preview, setPreview }: AdvanceFormProps) {
  const isOffline = useFeed((feed) => feed.connection !== 'live')
  const id = useId()
  const error = findError(fields, foreseen)
  const change = (changed: Partial<AdvanceFields>) => {
    useMessages.setState({ failure: null })
    onChange(changed)
  }
  const submit = () => {
    if (error !== null || isOffline) return
    setPreview(false)
    const { text, label } = goalOf(fields)
    void advance({ text }, label)
  }
  const input = (name: 'duration' | 'date' | 'time' | 'business_days', label: string, type: string, width: number) => (
    <TextInput
      style={{ width }}
      type={type}
      aria-label={label}
      value={fields[name]}
      step={name === 'time' ? 1 : undefined}
      inputMode={name === 'business_days' ? 'numeric' : undefined}
      invalid={error !== null}
      aria-invalid={error !== null}
      aria-describedby={`${id}forecast`}
      onChange={(event) => change({ [name]: event.target.value })}
    />
  )
  return (
    <Stack
      as="form"
      {...BOX}
      aria-label="Advance the clock"
      onSubmit={submitting(submit)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        setPreview(!preview)
      }}
    >
      <Row wraps gap={8}>
        <Select
          aria-label="Advance by"
          value={fields.mode}
          options={Object.entries(advanceModes) as [AdvanceMode, string][]}
          onChange={(mode) => change({ mode })}
        />
        {fields.mode === 'duration' && input('duration', 'Duration', 'text', 96)}
        {fields.mode === 'business_days' && input('business_days', 'Business days', 'text', 56)}
        {fields.mode === 'moment' && (
          <>
            {input('date', 'Date in New York', 'date', 128)}
            {input('time', 'Time in New York', 'time', 136)}
          </>
        )}
      </Row>
      <Forecast id={`${id}forecast`} foreseen={foreseen} error={error} />
      <div className="row">
        <Button icon={SkipForward} type="submit" primary whyNot={error ?? (isOffline ? 'No connection.' : undefined)}>
          Advance
        </Button>
        <Button icon={Eye} aria-pressed={preview} whyNot={error ?? undefined} onClick={() => setPreview(!preview)}>
          {preview ? 'End preview' : 'Preview'}
        </Button>
        <span className={cx('meta', styles.wide)}>
          <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </span>
      </div>
    </Stack>
  )
}

function findError({ mode }: AdvanceFields, { data, error }: Foreseen): string | null {
  if (!data) return error === undefined ? null : errorText(error)
  if (mode === 'next' && data.runs === data.recurring) return 'Nothing is scheduled except the daily close.'
  return data.refused
}

/** What the advance would do, the error in its fields, and why the sandbox refused the last one. */
function Forecast({ id, foreseen, error }: { id: string; foreseen: Foreseen; error: string | null }) {
  const { data } = foreseen
  const to = data?.to ? Date.parse(data.to) : null
  const refusal = useMessages(({ failure }) => failure?.error ?? null)
  return (
    <p id={id} className="data wrap" style={THREE_LINES}>
      {error !== null ? (
        <span className="bad">{error}</span>
      ) : (
        <>
          {to !== null && (
            <b>
              To {formatLongDay(to)} {newYork(to).time} ET.{' '}
            </b>
          )}
          <span className="soft">{data && forecastTasks(data)}</span>
        </>
      )}
      {refusal !== null && (
        <span className="bad" role="alert">
          {' '}
          {refusal}
        </span>
      )}
    </p>
  )
}

/** Shown instead of the form during an advance. */
export function RunningAdvance() {
  const progress = useFeed((feed) => feed.progress)
  const goal = useAdvance((state) => state.goal)
  const ran = progress?.ran ?? 0
  const left = progress?.left ?? null
  const now = useNow()
  const [from, to] = [Date.parse(progress?.from ?? ''), Date.parse(progress?.to ?? '')]
  const meter = progress ? advanceProgress(progress, now) : { value: null, max: 1 }
  return (
    <Stack as="section" {...BOX} aria-label="Advance in progress">
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
      <Meter {...meter} label="Progress of the advance" />
      <p className="data" style={THREE_LINES} role="status">
        {plural(ran, 'task')} ran{left === null ? '' : `, ${formatCount(left)} more are scheduled`}. Cancel stops after
        the current task.
      </p>
      <div className="row">
        <ActionButton action={cancelAdvanceAction()} data-stop />
      </div>
    </Stack>
  )
}

/** How far the form advances the clock. */

const advanceModes = {
  duration: 'Duration',
  moment: 'Date and time',
  business_days: 'Business days',
  next: 'To next task',
  idle: 'Until idle',
} as const
type AdvanceMode = keyof typeof advanceModes

/** What the form holds, as text. */
export interface AdvanceFields {
  readonly mode: AdvanceMode
  readonly duration: string
  /** In New York: `2026-11-23` and `09:30`. */
  readonly date: string
  readonly time: string
  readonly business_days: string
}

interface Goal {
  /** For the sandbox. */
  readonly text: string
  /** For people. */
  readonly label: string
}

export function goalOf({ mode, duration, date, time, business_days }: AdvanceFields): Goal {
  switch (mode) {
    case 'duration':
      return { text: duration, label: duration }
    case 'moment':
      return { text: `${date}T${time}`, label: 'to a date' }
    case 'business_days':
      return { text: `${business_days} business days`, label: plural(Number(business_days), 'business day') }
    case 'next':
      return { text: 'next', label: 'to next task' }
    case 'idle':
      return { text: 'idle', label: 'until idle' }
  }
}

const settings = [
  ['mode', 'Clock', ['running', 'frozen']],
  ['pace', 'Pace', ['fast', 'real']],
] as const

/** The clock's mode, its pace, and the condition on which it freezes. */
export function ClockSettings() {
  const clock = useFeed((feed) => feed.clock)
  if (!clock) return null
  return (
    <Stack as="section" gap={6} pad="8 16" line="bottom" aria-label="Clock">
      <Row wraps gap="0 16">
        {settings.map(([name, legend, values]) => (
          <Choice
            key={name}
            legend={legend}
            inline
            legendWidth={76}
            optionWidth={72}
            className={styles.choice}
            options={values.map((value) => ({ value, label: value }))}
            value={clock[name]}
            onChange={(value) => void showFailure(sandbox['clock.set']({ [name]: value }))}
          />
        ))}
      </Row>
      {clock.break_on ? (
        <Row gap={6} align="baseline">
          <span className="wait">
            <Glyph name="held" />
          </span>
          <span className="data wrap">
            Freezes when {nameRecord(clock.break_on.collection)}{' '}
            {clock.break_on.uid !== undefined && (
              <AnyRecordLink {...clock.break_on} uid={clock.break_on.uid}>
                {clock.break_on.uid}
              </AnyRecordLink>
            )}{' '}
            reaches <code>{clock.break_on.status}</code>
          </span>
          <Button className="end" small onClick={() => void showFailure(sandbox['clock.set']({ break_on: null }))}>
            Clear <span className="unseen">the break condition</span>
          </Button>
        </Row>
      ) : (
        <BreakForm />
      )}
    </Stack>
  )
}

/** The statuses of each collection with a state machine: the clock can freeze on them. */
const statusesByCollection: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(machines).flatMap(([name, { states }]) => {
    const collection = `${name}s`
    return isCollection(collection) ? [[collection, states] as const] : []
  }),
)

const nameRecord = (collection: string) => `a ${isCollection(collection) ? collections[collection].one : collection}`

const PADDING = { padding: '0 2px 0 4px' }

function BreakForm() {
  const [collection, setCollection] = useState('transactions')
  const [status, setStatus] = useState('authorization_pending')
  const selectCollection = (to: string) => {
    setCollection(to)
    setStatus(statusesByCollection.get(to)![0]!)
  }
  return (
    <Stack
      as="form"
      columns="76px minmax(0, 1fr) auto"
      gap={6}
      align="center"
      onSubmit={submitting(() => showFailure(sandbox['clock.set']({ break_on: { collection, status } })))}
    >
      <span className="data soft">Freeze when</span>
      <Select
        style={{ ...PADDING, gridColumn: '2 / -1' }}
        aria-label="Collection"
        value={collection}
        onChange={selectCollection}
        options={[...statusesByCollection.keys()].map((name) => [name, nameRecord(name)])}
      />
      <span className="data soft">reaches</span>
      <Select
        style={PADDING}
        aria-label="Status"
        value={status}
        onChange={setStatus}
        options={statusesByCollection.get(collection)!}
      />
      <Button type="submit" small>
        Set
      </Button>
    </Stack>
  )
}
