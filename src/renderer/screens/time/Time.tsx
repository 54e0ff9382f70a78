import { useMemo, useState } from 'react'
import type { FiredTask } from '../../../api/contract/control/clock.ts'
import { useAdvance, useAdvanceResults } from '../../data/advance.ts'
import { useFeed, useNow } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { useQuery } from '../../data/sandbox.ts'
import { useAdvancePreview } from '../../data/use-advance-preview.ts'
import { formatIsoDate, startOfDay } from '../../format/text.ts'
import { Chip } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Caption, Pane, ScreenBar, Sidebar, Split, Splitter, TableArea, usePaneSize } from '../../ui/Layout.tsx'
import { EmptyText, Skeleton } from '../../ui/Notice.tsx'
import { useKeepFocus } from '../../ui/use-keep-focus.ts'
import { type AdvanceFields, AdvanceForm, ClockSettings, Countdown, goalOf, RunningAdvance } from './AdvanceForm.tsx'
import { AdvanceResults, RunningNow } from './AdvanceResults.tsx'
import { Agenda, useTaskActions } from './Agenda.tsx'
import { buildAgenda, isBadOutcome, isRepeating, useRecordNames } from './agenda.ts'
import { Lane, laneStart } from './Lane.tsx'
import styles from './Time.module.css'

const CALENDAR_DAYS = 400
const DAY_MS = 86_400_000

/** The scheduled tasks, and the clock that runs them. */
export function Time() {
  const clock = useFeed((feed) => feed.clock)
  const all = useFeed((feed) => feed.tasks)
  const progress = useFeed((feed) => feed.progress)
  const advancing = useAdvance((state) => state.goal !== null) || progress !== null
  const results = useAdvanceResults()
  const now = useNow()
  // The daily closes are folded until the user asks for them.
  const isRecurringShown = useRoute((view) => view.params.recurring?.[0] === 'shown')
  const filter = useRoute((view) => view.filter)
  const [selected, setSelected] = useState<string | null>(null)
  const [shownId, setShownId] = useState<string | null>(null)
  const [preview, setPreview] = useState(false)
  const [typed, setTyped] = useState<Partial<AdvanceFields>>({})
  const actions = useTaskActions()
  const sideSize = usePaneSize('time', '--sidebar')
  const resultSize = usePaneSize('time-result', '--result')
  const side = useKeepFocus<HTMLDivElement>(advancing)

  const shown = results.find(({ id }) => String(id) === shownId) ?? results[0] ?? null
  const from = progress ? Date.parse(progress.from) : shown && shown.to === clock?.now ? Date.parse(shown.from) : null
  const start = laneStart(now, from)
  const { data } = useQuery(
    'calendar.read',
    clock ? { from: formatIsoDate(Math.min(start, now)), days: CALENDAR_DAYS } : null,
  )
  const holidays = useMemo(() => new Map(data?.holidays.map(({ date, name }) => [date, name])), [data])

  const fields: AdvanceFields = {
    mode: 'duration',
    duration: '1 day',
    date: formatIsoDate(now),
    time: '09:00',
    business_days: '1',
    ...typed,
  }
  const goal = goalOf(fields)
  const foreseen = useAdvancePreview(advancing ? null : { text: goal.text })
  const previewed = preview ? (foreseen.data ?? null) : null
  const end = progress ? progress.to : (previewed?.to ?? null)
  const to = end === null ? null : Date.parse(end)
  const days = previewed && fields.mode === 'business_days' ? Number(fields.business_days) : null

  const tasks = useMemo(
    () => (isRecurringShown ? all : all.filter(({ recurring, failed }) => !recurring || failed !== null)),
    [all, isRecurringShown],
  )
  const today = startOfDay(now)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sections depend on the day of `now`, not on each tick.
  const sections = useMemo(
    () => buildAgenda({ tasks, now, goal: to, counting: days === null ? undefined : { from: now, days }, holidays }),
    [tasks, today, to, days, holidays],
  )
  const fired = useMemo(() => (advancing ? [] : (shown?.fired ?? [])), [advancing, shown])
  const listed = useMemo(
    () => (isRecurringShown ? fired : fired.filter((one) => !isRepeating(one.task) || isBadOutcome(one))),
    [fired, isRecurringShown],
  )
  const names = useRecordNames([...listed.toReversed(), ...tasks].map(({ record }) => record))
  const recurring = all.filter((task) => task.recurring).length
  const failed = all.filter((task) => task.failed !== null).length
  const held = all.filter((task) => task.held).length
  return (
    <>
      <ScreenBar>
        <h1>Time</h1>
        <span className="soft cut">Scheduled tasks in the order in which they will run</span>
        <span className="end row">
          {failed > 0 && <span className="data bad nowrap">{failed} failed</span>}
          {held > 0 && <span className="data wait nowrap">{held} held</span>}
          <Chip pressed={isRecurringShown} onClick={() => filter('recurring', isRecurringShown ? [] : ['shown'])}>
            Recurring: {isRecurringShown ? 'shown' : 'hidden'}
          </Chip>
        </span>
      </ScreenBar>
      {clock && (
        <Lane
          now={now}
          start={start}
          from={from}
          goal={to}
          tasks={tasks}
          fired={from === null ? NONE : listed}
          holidays={holidays}
          names={names}
        />
      )}
      <Split data-stacks style={sideSize.style}>
        <TableArea className={styles.main} style={resultSize.style}>
          {advancing ? (
            <RunningNow className={styles.results} />
          ) : (
            <AdvanceResults
              className={styles.results}
              shown={shown}
              listed={listed}
              onSelect={setShownId}
              names={names}
            />
          )}
          <Splitter label="Height of the result" sizes="before" stacked min={120} onResize={resultSize.onResize} />
          <Pane className={styles.due} aria-label="Scheduled">
            <Caption className={styles.caption}>
              <h2>Scheduled</h2>
              <span className="meta">
                {clock?.due ?? 0}
                {recurring > 0 && `, and ${recurring} recurring${isRecurringShown ? '' : ' (hidden)'}`}
              </span>
              {previewed && <span className="meta live">preview: the clock has not moved</span>}
              <span className={cx('meta end', styles.wide)}>advances skip held tasks</span>
            </Caption>
            {clock ? (
              <Agenda
                sections={sections}
                names={names}
                selected={selected}
                onSelect={setSelected}
                actions={actions}
                empty={<NothingScheduled />}
              />
            ) : (
              <Skeleton />
            )}
          </Pane>
        </TableArea>
        <Splitter label="Width of the clock settings" sizes="after" min={280} onResize={sideSize.onResize} />
        <Sidebar data-right ref={side}>
          <Countdown />
          {advancing ? (
            <RunningAdvance />
          ) : (
            <AdvanceForm
              fields={fields}
              onChange={(changed) => setTyped({ date: formatIsoDate(now + DAY_MS), ...typed, ...changed })}
              foreseen={foreseen}
              preview={preview}
              setPreview={setPreview}
            />
          )}
          <ClockSettings />
        </Sidebar>
      </Split>
    </>
  )
}

const NONE: readonly FiredTask[] = []

function NothingScheduled() {
  return (
    <EmptyText>
      Nothing scheduled. Create or inject a payment: its tasks are listed here, with their times and reasons.
    </EmptyText>
  )
}
