import { ChevronDown, Pause, Play, Search, Unplug } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { AdvanceInput } from '../../api/contract/control/clock.ts'
import type { Task } from '../../api/contract/resources/tasks.ts'
import { ActionButton } from '../actions/ActionButton.tsx'
import { perform } from '../actions/action.ts'
import { advanceAction, advanceInput, cancelAdvanceAction, paceAction, paces, toggleClock } from '../actions/clock.ts'
import { DayScale, firstOf, type Mark } from '../components/DayScale.tsx'
import { DAY_COUNT, type Day, describeDays, positionOnScale, splitIntoDays } from '../components/day-scale.ts'
import { ScreenLink } from '../components/ScreenLink.tsx'
import { glyphOfTask, signalOfTask } from '../components/Status.tsx'
import { advance, advanceProgress, useAdvance } from '../data/advance.ts'
import { useFeed, useNow } from '../data/feed.ts'
import { openPalette } from '../data/overlays.ts'
import { useRoute } from '../data/route.ts'
import { submitting, useQuery } from '../data/sandbox.ts'
import {
  formatCount,
  formatInstantSince,
  formatIsoDate,
  formatLongDay,
  formatShortInstant,
  formatUtc,
  newYork,
  startOfDay,
} from '../format/text.ts'
import { Button, ButtonGroup, PlainButton } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { OneField } from '../ui/Field.tsx'
import { Caption, Row, Stack } from '../ui/Layout.tsx'
import { Meter } from '../ui/Meter.tsx'
import { MODIFIER_KEY } from '../ui/modifier-key.ts'
import { Glyph, GlyphText, Text, Time } from '../ui/Text.tsx'
import { useKeepFocus } from '../ui/use-keep-focus.ts'
import styles from './ClockBar.module.css'
import { Popover, RadioMenu } from './late.tsx'

/** The simulated time, the mode of the clock and its controls. During an advance its progress replaces the controls. */
export function ClockBar() {
  const clock = useFeed((feed) => feed.clock)
  const isLost = useFeed((feed) => feed.connection === 'lost')
  const progress = useFeed((feed) => feed.progress)
  const goal = useAdvance((state) => state.goal)
  const ended = useAdvance((state) => state.ended)
  const advancing = progress !== null || goal !== null
  const header = useKeepFocus<HTMLElement>(advancing)
  return (
    <Row
      as="header"
      gap={8}
      pad="0 12"
      className={styles.clock}
      ref={header}
      data-unknown={clock === null && !advancing ? '' : undefined}
    >
      <Mode mode={isLost ? 'unknown' : advancing ? 'advancing' : (clock?.mode ?? 'frozen')} />
      <Now />
      <span className={styles.separator} />
      {advancing ? <AdvanceStatus goal={goal} /> : <ClockControls />}
      <Button icon={Search} className={cx(styles.jump, 'end')} onClick={openPalette}>
        <span className="unseen">Jump to anything</span>
        <kbd>{MODIFIER_KEY} K</kbd>
      </Button>
      <span className="unseen" role="status">
        {ended}
      </span>
    </Row>
  )
}

const modes = {
  running: [Play, 'Running'],
  frozen: [Pause, 'Frozen'],
  advancing: [Play, 'Advancing'],
  unknown: [Unplug, 'Unknown'],
} as const

function Mode({ mode }: { mode: keyof typeof modes }) {
  const [Icon, label] = modes[mode]
  const isUnknown = mode === 'unknown'
  return (
    <span className={styles.mode} data-mode={mode} title={isUnknown ? 'No connection.' : undefined}>
      <Icon size={11} fill={isUnknown ? 'none' : 'currentColor'} strokeWidth={1.5} aria-hidden="true" />
      {label}
    </span>
  )
}

function Now() {
  const isKnown = useFeed((feed) => feed.clock !== null)
  const now = useNow()
  if (!isKnown) return <span className={styles.now} />
  return (
    <>
      <time className={styles.now} data-now dateTime={formatUtc(now)} title={formatUtc(now)}>
        {formatLongDay(now)} <span>{newYork(now).time} ET</span>
      </time>
      <span className={styles.utc}>{formatUtc(now)}</span>
    </>
  )
}

function ClockControls() {
  useFeed((feed) => feed.clock)
  useFeed((feed) => feed.connection)
  const toggle = toggleClock()
  const [hour, businessDay] = [advanceAction('hour'), advanceAction('businessDay')]
  return (
    <>
      <ActionButton className={styles.toggle} action={toggle}>
        <toggle.icon size={12} fill="currentColor" strokeWidth={1.5} aria-hidden="true" />
        {toggle.label}
      </ActionButton>
      <PaceMenu />
      <span className={styles.separator} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would add a border and a legend. */}
      <div className={cx('row', styles.advance)} role="group" aria-label="Advance">
        <span className="meta">Advance</span>
        <ButtonGroup>
          <ActionButton action={hour}>{hour.label}</ActionButton>
          <ActionButton action={businessDay}>{businessDay.label}</ActionButton>
          <ActionButton action={advanceAction('next')} />
          <CustomAdvance />
        </ButtonGroup>
      </div>
    </>
  )
}

function PaceMenu() {
  const pace = useFeed((feed) => feed.clock?.pace)
  return (
    <RadioMenu
      trigger={
        <Button bare>
          Pace: {pace}
          <ChevronDown size={12} aria-hidden="true" />
        </Button>
      }
      value={pace}
      onChange={(value) => void perform(paceAction(value))}
      options={paces.map((value) => {
        const { blocked, detail } = paceAction(value)
        return {
          value,
          isOff: blocked !== null,
          label: (
            <>
              {value}
              <span className="meta">{blocked ?? detail}</span>
            </>
          ),
        }
      })}
    />
  )
}

function AdvanceStatus({ goal }: { goal: string | null }) {
  const progress = useFeed((feed) => feed.progress)
  const now = useNow()
  const ran = progress?.ran ?? 0
  const left = progress?.left ?? null
  const to = progress?.to ? ` to ${formatInstantSince(Date.parse(progress.to), now)}` : ''
  return (
    <>
      <span className="data cut" title={`${goal ?? 'Advance'}${to}`}>
        <b>{goal ?? 'Advance'}</b>
        {to}
      </span>
      <Meter
        {...(progress ? advanceProgress(progress, now) : { value: null, max: 1 })}
        label="Progress of the advance"
      />
      <span className="data nowrap">
        {formatCount(ran)}
        {left === null ? '' : ` of ${formatCount(ran + left)}`} tasks
      </span>
      <ActionButton action={cancelAdvanceAction()} data-stop />
    </>
  )
}

/** Loaded with the popover. */
const LastAdvance = lazy(async () => ({ default: (await import('./LastAdvance.tsx')).LastAdvance }))

/** Advances by a duration, to a time, or until nothing is due. The sandbox reads the text; its error is shown here. */
function CustomAdvance() {
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('1 day')
  const [error, setError] = useState<string | null>(null)
  const now = useNow(60_000)

  const run = async (input: AdvanceInput, goal: string) => {
    const refusal = await advance(input, goal, { showsError: false, showsGoal: false })
    setError(refusal)
    if (refusal === null) setOpen(false)
  }
  return (
    <Popover
      trigger={<Button>Custom…</Button>}
      title="Advance the clock"
      align="end"
      open={open}
      onOpenChange={(isOpen) => {
        setOpen(isOpen)
        setError(null)
      }}
    >
      <Stack as="form" gap={8} pad={12} onSubmit={submitting(() => run({ text }, text.trim()))}>
        <OneField
          label="A duration or a time in New York"
          mono
          value={text}
          error={error}
          onChange={(to) => {
            setText(to)
            setError(null)
          }}
          note={
            <>
              For example <code>8 business days</code>, <code>monday 9:00</code>, <code>PT36H</code> or{' '}
              <code>{formatUtc(now + DAY_MS)}</code>.
            </>
          }
        >
          <Button type="submit" primary>
            Advance
          </Button>
        </OneField>
        <span className="row">
          <Button onClick={() => void run(advanceInput('idle'), advanceAction('idle').label!)}>
            Until nothing is due
          </Button>
          <span className="meta">except the daily close</span>
          <ScreenLink screen="time" className="data end">
            Time
          </ScreenLink>
        </span>
        <Suspense fallback={null}>
          <LastAdvance />
        </Suspense>
      </Stack>
    </Popover>
  )
}

const DAY_MS = 86_400_000

const describeTask = ({ kind, why, due_at, failed }: Task) =>
  `${formatShortInstant(Date.parse(due_at))} ${kind}: ${failed ?? why}`

/**
 * The next days with a shape for each scheduled task. Days on which banks are closed are narrower and hatched. The Time screen has
 * the same days, larger.
 */
export function ScheduleStrip() {
  const isDoubled = useRoute((view) => view.screen === 'time')
  const isKnown = useFeed((feed) => feed.clock !== null)
  const tasks = useFeed((feed) => feed.tasks)
  const goal = useFeed((feed) => feed.progress?.to)
  const now = useNow(60_000)
  const { data } = useQuery('calendar.read', isKnown ? { from: formatIsoDate(now), days: DAY_COUNT } : null)
  const days = useMemo(() => {
    const holidays = data?.holidays.map(({ date, name }) => [date, name] as const)
    return splitIntoDays(now, new Map(holidays))
  }, [now, data])
  const marks = useMemo(
    () =>
      tasks.map((task): Mark => {
        const at = Math.max(now, Date.parse(task.due_at))
        return { at, shape: glyphOfTask(task), label: '', title: describeTask(task), ran: false }
      }),
    [tasks, now],
  )
  const label = useMemo(() => describeStrip(days, tasks), [tasks, days])
  return (
    <Row
      as="section"
      line="both"
      fill="well"
      align="stretch"
      className={styles.strip}
      aria-label="Scheduled"
      data-doubled={isDoubled ? '' : undefined}
    >
      <ScheduledTasks now={now} />
      <DayScale days={isKnown ? days : NO_DAYS} marks={marks} label={label} goal={goal ? Date.parse(goal) : null} />
    </Row>
  )
}

const NO_DAYS: readonly Day[] = []

function describeStrip(days: readonly Day[], tasks: readonly Task[]): string {
  const shown = tasks.filter(({ due_at }) => positionOnScale(days, Date.parse(due_at)) !== undefined)
  const list = firstOf(shown.map(describeTask))
  return `Schedule of ${describeDays(days)}. ${list.length === 0 ? 'No task is due' : `Due: ${list.join('; ')}`}.`
}

const MAX_LISTED = 12

/** How many tasks are scheduled and when the next one is due; a click lists them. */
function ScheduledTasks({ now }: { now: number }) {
  const clock = useFeed((feed) => feed.clock)
  const tasks = useFeed((feed) => feed.tasks)
  const next = clock?.next
  const nextDue = next ? `next ${formatNext(Date.parse(next.at), now)}` : ''
  if (tasks.length === 0)
    return (
      <span className={styles.due}>
        <b>{clock === null ? '' : '0 due'}</b>
      </span>
    )
  return (
    <Popover
      trigger={
        <PlainButton className={styles.due}>
          <b>{formatCount(clock?.due ?? 0)} due</b> {nextDue}
        </PlainButton>
      }
      title="Scheduled"
    >
      <ul>
        {tasks.slice(0, MAX_LISTED).map((task) => (
          <Stack
            key={task.uid}
            as="li"
            columns="112px minmax(0, 1fr)"
            gap={8}
            pad="4 12"
            least={28}
            text="data"
            line="bottom"
            align="start"
          >
            <Time at={task.due_at} format={formatShortInstant} />
            <span>
              <GlyphText signal={signalOfTask(glyphOfTask(task))}>
                <Glyph name={glyphOfTask(task)} />
                {task.kind}
              </GlyphText>
              <br />
              <Text className="meta">{task.failed ?? task.why}</Text>
            </span>
          </Stack>
        ))}
      </ul>
      <Caption as="p" className="meta">
        {tasks.length > MAX_LISTED && `and ${formatCount(tasks.length - MAX_LISTED)} more`}
        <ScreenLink screen="time" className="data end">
          Agenda
        </ScreenLink>
      </Caption>
    </Popover>
  )
}

const WEEK_MS = 6 * 86_400_000

/** As short as is unambiguous: today 16:30, Tue 08:30, 4 Dec. */
function formatNext(at: number, now: number): string {
  const { weekday, day, month, year, time } = newYork(at)
  if (startOfDay(at) === startOfDay(now)) return `today ${time.slice(0, 5)}`
  if (at - now < WEEK_MS) return `${weekday} ${time.slice(0, 5)}`
  return year === newYork(now).year ? `${day} ${month}` : `${month} ${year}`
}
