import { useMemo, useState } from 'react'
import type { FiredTask } from '../../../api/contract/control/clock.ts'
import { groupByDay } from '../../components/list/day-rows.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { Undo } from '../../components/Undo.tsx'
import { type AdvanceResult, isResultOf, useAdvance, useAdvanceResults } from '../../data/advance.ts'
import { type ClockJump, useFeed } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { formatCount, formatShortInstant, newYork, plural } from '../../format/text.ts'
import { CopyButton } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Select } from '../../ui/Field.tsx'
import { Caption, Footer, Row, Section, Stack } from '../../ui/Layout.tsx'
import { Glyph, Text } from '../../ui/Text.tsx'
import { type TaskRow, TaskTable } from './Agenda.tsx'
import { collectionOf, glyphOfOutcome, isBadOutcome, isRepeating, NO_NAMES, type RecordNames } from './agenda.ts'
import styles from './Time.module.css'

/** The tasks that ran in the advances of this session: the running one, the last one, and earlier ones. */

interface AdvanceResultsProps {
  readonly shown: AdvanceResult | null
  /** Its tasks, without the folded ones. */
  readonly listed: readonly FiredTask[]
  readonly onSelect: (id: string) => void
  readonly names: RecordNames
  readonly className?: string | undefined
}

/** The advances of other clients, and earlier ones. Only the history has their tasks. */
const otherJumps = (jumps: readonly ClockJump[], results: readonly AdvanceResult[]): readonly ClockJump[] =>
  jumps.filter((jump) => !results.some((result) => isResultOf(result, jump)))

export function AdvanceResults({ shown, listed, onSelect, names, className }: AdvanceResultsProps) {
  const results = useAdvanceResults()
  const jumps = useFeed((feed) => feed.jumps)
  const others = otherJumps(jumps, results)
  if (!shown && others.length === 0) return null
  return (
    <Section
      title="Result"
      end={
        shown && (
          <CopyButton text={() => JSON.stringify(shown.fired, null, 2)} what="tasks as JSON" label="As JSON" small />
        )
      }
      className={className}
      data-takes-no-focus
    >
      {results.length > 1 && (
        <Caption>
          <Select
            className="grow"
            aria-label="Advance"
            value={shown ? String(shown.id) : ''}
            onChange={onSelect}
            options={results.map(({ id, goal, to, fired }) => [
              String(id),
              `${goal}, to ${formatShortInstant(Date.parse(to))}: ${plural(fired.length, 'task')}`,
            ])}
          />
        </Caption>
      )}
      {shown && <Outcomes key={shown.id} result={shown} listed={listed} names={names} />}
      {others.length > 0 && (
        <div style={{ padding: '8px 16px', borderTop: '1px solid var(--line)' }}>
          <h3>Other advances</h3>
          <ul>
            {others.slice(0, 3).map(({ seq, operation, from, to, ran }) => (
              <li key={seq} className="data">
                {formatShortInstant(Date.parse(from))} → {formatShortInstant(Date.parse(to))}
                {ran !== null && `, ${plural(ran, 'task')}`}{' '}
                <Undo operation={operation} what={`the advance to ${formatShortInstant(Date.parse(to))}`} />
              </li>
            ))}
          </ul>
          <ScreenLink screen="snapshots" params={{ pane: ['history'] }} className="data">
            See the history for what they did
          </ScreenLink>
        </div>
      )}
    </Section>
  )
}

/** The tasks of the running advance. Their outcomes arrive when it ends. */
export function RunningNow({ className }: { className?: string | undefined }) {
  const taskRuns = useFeed((feed) => feed.taskRuns)
  const firstSeq = useAdvance((state) => state.before)
  const isRunning = useAdvance((state) => state.running)
  const from = useFeed((feed) => feed.progress?.from)
  const total = useFeed((feed) => feed.progress?.ran ?? 0)
  const tasks = useMemo(
    () =>
      taskRuns
        .filter(({ seq, at }) => (isRunning ? seq > firstSeq : from !== undefined && at >= from))
        .map(
          ({ seq, at, task }): TaskRow => ({
            uid: String(seq),
            at,
            kind: task,
            glyph: isRepeating(task) ? 'repeats' : 'done',
            record: null,
            text: '',
          }),
        ),
    [taskRuns, isRunning, firstSeq, from],
  )
  return (
    <Section
      title="Ran so far"
      note={`${tasks.length < total ? `${formatCount(tasks.length)} of ` : ''}${formatCount(total)}, newest first`}
      className={className}
      aria-label="Running tasks"
      data-takes-no-focus
    >
      <RanTasks tasks={tasks} />
    </Section>
  )
}

interface RanTasksProps {
  readonly tasks: readonly TaskRow[]
  /** Of the records, as soon as the outcomes are known. */
  readonly names?: RecordNames
}

/** Tasks that ran, newest first. Enter opens the record of the selected one, and its whole outcome is below them. */
function RanTasks({ tasks, names }: RanTasksProps) {
  const [selected, setSelected] = useState<string | null>(null)
  const go = useRoute((view) => view.go)
  const rows = useMemo(() => groupByDay(tasks, timeOf), [tasks])
  const task = tasks.find(({ uid }) => uid === selected)
  return (
    <>
      <TaskTable
        label="Tasks that ran"
        rows={rows}
        names={names ?? NO_NAMES}
        says={names && 'Outcome'}
        selected={selected}
        onSelect={({ uid }) => setSelected(uid)}
        onOpen={({ kind, record }) => {
          const collection = collectionOf(kind)
          if (collection && record !== null) go({ collection, record })
        }}
      />
      {names && tasks.length > 0 && (
        <Stack
          as="section"
          pad="6 16"
          fill="well"
          text="data"
          className={styles.selected}
          aria-label="Outcome of the selected task"
        >
          {task ? (
            <p className={cx('wrap', task.isBad && 'bad')}>
              <Text>{task.text}</Text>
            </p>
          ) : (
            <p className="soft">Select a task to read its whole outcome.</p>
          )}
        </Stack>
      )}
    </>
  )
}

const timeOf = ({ at }: TaskRow) => at

const endingTexts = {
  reached: '',
  canceled: 'Canceled before its end. ',
  broke: 'Stopped early: the clock froze on its break condition. ',
  lost: 'The connection was lost: see the history for how it ended. ',
} as const

/** An end of the advance, with the year if the other end is in another year. */
function formatEnd(at: string, other: string): string {
  const [here, there] = [newYork(Date.parse(at)), newYork(Date.parse(other))]
  return here.year === there.year
    ? formatShortInstant(Date.parse(at))
    : `${here.day} ${here.month} ${here.year} ${here.time.slice(0, 5)}`
}

interface OutcomesProps extends Pick<AdvanceResultsProps, 'listed' | 'names'> {
  readonly result: AdvanceResult
}

function Outcomes({ result, listed, names }: OutcomesProps) {
  const { goal, from, to, operation, fired, ended } = result
  const tasks = useMemo(() => {
    const shown = new Set(listed)
    // A row is the same one whether the folded ones are shown or not.
    return fired.flatMap((task, at) => (shown.has(task) ? [rowOf(task, at)] : [])).toReversed()
  }, [fired, listed])
  const folded = fired.length - listed.length
  const bad = fired.filter(isBadOutcome)
  return (
    <>
      <Stack gap={6} line="bottom" style={{ padding: '0 16px 8px' }}>
        <p className="data wrap">
          <b>{goal}</b>: {formatEnd(from, to)} → {ended === 'lost' ? 'unknown' : formatEnd(to, from)}.{' '}
          <span className={ended === 'reached' ? undefined : 'wait'}>{endingTexts[ended]}</span>
          {plural(fired.length, 'task')} ran.
        </p>
        <Row as="span" wraps text="data">
          <Undo operation={operation} what="the advance" />
        </Row>
      </Stack>
      <RanTasks tasks={tasks} names={names} />
      <Footer>
        {folded > 0 && <span>{plural(folded, 'recurring task')} hidden</span>}
        {bad.length === 0 ? (
          <span>no failures, no returns</span>
        ) : (
          <span className="row bad">
            <Glyph name="broken" /> {plural(bad.length, 'outcome')} {bad.length === 1 ? 'needs' : 'need'} attention
          </span>
        )}
      </Footer>
    </>
  )
}

const rowOf = (fired: FiredTask, index: number): TaskRow => ({
  uid: String(index),
  at: fired.at,
  kind: fired.task,
  glyph: glyphOfOutcome(fired),
  record: fired.record,
  text: fired.outcome,
  isBad: isBadOutcome(fired),
})
