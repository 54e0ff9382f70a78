import { Eye, Pause, Play, Search, Unplug } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { ActionButton } from '../actions/ActionButton.tsx'
import { advanceAction, cancelAdvanceAction, toggleClock } from '../actions/clock.ts'
import { leaveLook } from '../actions/world.ts'
import { advanceProgress, useAdvance } from '../data/advance.ts'
import { useFeed, useNow } from '../data/feed.ts'
import { openPalette } from '../data/overlays.ts'
import { formatCount, formatInstantSince, formatLongDay, formatUtc, newYork } from '../format/text.ts'
import { Button, ButtonGroup } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { Row } from '../ui/Layout.tsx'
import { Meter } from '../ui/Meter.tsx'
import { MODIFIER_KEY } from '../ui/modifier-key.ts'
import { useKeepFocus } from '../ui/use-keep-focus.ts'
import styles from './ClockBar.module.css'
import { Popover } from './late.tsx'

/** The simulated time, the mode of the clock and its controls. During an advance its progress replaces the controls. */
export function ClockBar() {
  const clock = useFeed((feed) => feed.clock)
  const isLost = useFeed((feed) => feed.connection === 'lost')
  const progress = useFeed((feed) => feed.progress)
  const goal = useAdvance((state) => state.goal)
  const ended = useAdvance((state) => state.ended)
  const look = useFeed((feed) => feed.world?.look)
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
      <Mode mode={isLost ? 'unknown' : look ? 'look' : advancing ? 'advancing' : (clock?.mode ?? 'frozen')} />
      <Now />
      {look ? <Look {...look} /> : advancing ? <AdvanceStatus goal={goal} /> : <ClockControls />}
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
  look: [Eye, 'Read-only'],
  unknown: [Unplug, 'Unknown'],
} as const

function Mode({ mode }: { mode: keyof typeof modes }) {
  const [Icon, label] = modes[mode]
  const isUnknown = mode === 'unknown'
  const isOutline = isUnknown || mode === 'look'
  return (
    <span className={styles.mode} data-mode={mode} title={isUnknown ? 'No connection.' : undefined}>
      <Icon size={11} fill={isOutline ? 'none' : 'currentColor'} strokeWidth={1.5} aria-hidden="true" />
      {label}
    </span>
  )
}

function Now() {
  const isKnown = useFeed((feed) => feed.clock !== null)
  const now = useNow()
  if (!isKnown) return <span className={styles.now} />
  return (
    <time className={styles.now} data-now dateTime={formatUtc(now)} title={formatUtc(now)}>
      {formatLongDay(now)} <span>{newYork(now).time} ET</span>
    </time>
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
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would add a border and a legend. */}
      <div className={cx('row', styles.advance)} role="group" aria-label="Advance">
        <ButtonGroup>
          <ActionButton action={hour}>{hour.label}</ActionButton>
          <ActionButton action={businessDay}>{businessDay.label}</ActionButton>
          <ActionButton action={advanceAction('next')} />
          <Custom />
        </ButtonGroup>
      </div>
      <Suspense fallback={<span className="grow" />}>
        <UndoNewest />
      </Suspense>
    </>
  )
}

/** Instead of what changes the time: nothing can be changed. */
function Look({ of, commit }: { of: string | null; commit: number }) {
  const what = `${of ?? 'The root world'} as of commit ${formatCount(commit)}: nothing here can be changed.`
  return (
    <>
      <span className="data soft cut" title={what}>
        {what}
      </span>
      <ActionButton action={leaveLook()!} primary />
    </>
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

/** Loaded with the popover, and after the first paint. */
const CustomAdvance = lazy(async () => ({ default: (await import('./line/CustomAdvance.tsx')).CustomAdvance }))
const UndoNewest = lazy(async () => ({ default: (await import('./line/UndoNewest.tsx')).UndoNewest }))

function Custom() {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      trigger={<Button>Custom…</Button>}
      title="Advance the clock"
      align="end"
      open={open}
      onOpenChange={setOpen}
    >
      <Suspense fallback={null}>
        <CustomAdvance close={() => setOpen(false)} />
      </Suspense>
    </Popover>
  )
}
