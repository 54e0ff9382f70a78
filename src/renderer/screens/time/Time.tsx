import { useMemo, useState } from 'react'
import type { FiredTask } from '../../../api/contract/control/clock.ts'
import { useAdvance } from '../../data/advance.ts'
import { useFeed } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { useNow } from '../../data/use-now.ts'
import { useQuery } from '../../data/use-query.ts'
import { dayStart, formatIsoDate } from '../../format/time.ts'
import { Chip } from '../../ui/Chip.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyText } from '../../ui/EmptyState.tsx'
import { Caption, Pane, ScreenBar, Split } from '../../ui/Layout.tsx'
import { Skeleton } from '../../ui/Notice.tsx'
import { useHeldFocus } from '../../ui/use-held-focus.ts'
import { AdvanceForm, Countdown, Moving } from './AdvanceForm.tsx'
import { AdvanceResults, RunningNow } from './AdvanceResults.tsx'
import { Agenda, useActs } from './Agenda.tsx'
import { type Asked, goalOf } from './advance-goal.ts'
import { agendaOf } from './agenda.ts'
import { ClockSettings } from './ClockSettings.tsx'
import { Lane, laneStart } from './Lane.tsx'
import styles from './Time.module.css'
import { useRecordNames } from './use-record-names.ts'

const CALENDAR_DAYS = 400
const DAY_MS = 86_400_000

/** Everything that will happen by itself, and the hands that let it happen. */
export function Time() {
  const clock = useFeed((feed) => feed.clock)
  const all = useFeed((feed) => feed.tasks)
  const progress = useFeed((feed) => feed.progress)
  const advancing = useAdvance((state) => state.goal !== null) || progress !== null
  const past = useAdvance((state) => state.results)
  const now = useNow()
  const hidden = useRoute((view) => view.params.recurring?.[0] === 'hidden')
  const filter = useRoute((view) => view.filter)
  const [selected, setSelected] = useState<string | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [preview, setPreview] = useState(false)
  const [change, setChange] = useState<Partial<Asked>>({})
  const acts = useActs()
  const side = useHeldFocus<HTMLDivElement>(advancing)

  const shown = past.find(({ id }) => String(id) === chosen) ?? past[0] ?? null
  const from = progress ? Date.parse(progress.from) : shown && shown.to === clock?.now ? Date.parse(shown.from) : null
  const start = laneStart(now, from)
  const { data } = useQuery(
    'calendar.read',
    clock ? { from: formatIsoDate(Math.min(start, now)), days: CALENDAR_DAYS } : null,
  )
  const holidays = useMemo(() => new Map(data?.holidays.map(({ date, name }) => [date, name])), [data])

  const asked: Asked = {
    how: 'duration',
    duration: 'P1D',
    date: formatIsoDate(now),
    time: '09:00',
    business_days: '1',
    ...change,
  }
  const next = clock?.next ? Date.parse(clock.next.at) : null
  const goal = goalOf(asked, { now, next, holidays, known_to: now + (CALENDAR_DAYS - 10) * DAY_MS })
  const looked = preview && typeof goal !== 'string' ? goal : null
  const to = progress ? (progress.to === null ? null : Date.parse(progress.to)) : (looked?.to ?? null)
  const days = looked && 'business_days' in looked.input ? looked.input.business_days : null

  const tasks = useMemo(() => (hidden ? all.filter(({ recurring }) => !recurring) : all), [all, hidden])
  const today = dayStart(now)
  // Within a day the sections stay as they are, unless what is due or the goal changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  const sections = useMemo(
    () => agendaOf({ tasks, now, goal: to, counting: days === null ? undefined : { from: now, days }, holidays }),
    [tasks, today, to, days, holidays],
  )
  const fired = useMemo(() => (advancing ? [] : (shown?.fired ?? [])), [advancing, shown])
  const refs = useMemo(
    () => [...all, ...fired.slice(-200).map(({ task, record }) => ({ kind: task, record }))],
    [all, fired],
  )
  const named = useRecordNames(refs)
  const recurring = all.filter((task) => task.recurring).length
  const failed = all.filter((task) => task.failed !== null).length
  const held = all.filter((task) => task.held).length
  return (
    <>
      <ScreenBar>
        <h1>Time</h1>
        <span className="soft cut">Everything that will happen by itself, in the order it will happen</span>
        <span className="end row">
          {failed > 0 && <span className="data bad nowrap">{failed} failed</span>}
          {held > 0 && <span className="data wait nowrap">{held} held</span>}
          <Chip pressed={!hidden} onClick={() => filter('recurring', hidden ? [] : ['hidden'])}>
            Recurring: {hidden ? 'hidden' : 'shown'}
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
          fired={from === null ? NOT_SHOWN : fired}
          holidays={holidays}
          named={named}
        />
      )}
      <Split className={styles.split}>
        <Pane className={styles.due} aria-label="Due">
          <Caption className={styles.caption}>
            <h2>Due</h2>
            <span className="meta">
              {clock?.due ?? 0}
              {recurring > 0 &&
                `, and ${recurring === 1 ? 'a recurring task' : `${recurring} recurring tasks`}${hidden ? ' (hidden)' : ''}`}
            </span>
            {looked && <span className="meta live">preview: nothing has moved yet</span>}
            <span className={cx('meta end', styles.wide)}>
              a task held back is skipped by an advance, and keeps its place
            </span>
          </Caption>
          {clock ? (
            <Agenda
              sections={sections}
              named={named}
              selected={selected}
              onSelect={setSelected}
              acts={acts}
              empty={<NothingDue />}
            />
          ) : (
            <Skeleton />
          )}
        </Pane>
        <div className={styles.side} ref={side}>
          <Countdown />
          {advancing ? (
            <Moving />
          ) : (
            <AdvanceForm
              asked={asked}
              ask={(more) => setChange({ date: formatIsoDate(now + DAY_MS), ...change, ...more })}
              goal={goal}
              preview={preview}
              setPreview={setPreview}
            />
          )}
          <ClockSettings />
          {advancing ? (
            <RunningNow className={styles.results} />
          ) : (
            <AdvanceResults className={styles.results} shown={shown} choose={setChosen} named={named} />
          )}
        </div>
      </Split>
    </>
  )
}

const NOT_SHOWN: readonly FiredTask[] = []

function NothingDue() {
  return (
    <EmptyText>
      Nothing is due. Make a payment or inject one, and what will happen to it is listed here: when, and why.
    </EmptyText>
  )
}
