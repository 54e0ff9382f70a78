import { Fragment, useState } from 'react'
import type { FiredTask } from '../../../api/contract/control/clock.ts'
import { RecordLink } from '../../components/RecordLink.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { signalOfTask } from '../../components/task-glyph.ts'
import { Undo } from '../../components/Undo.tsx'
import { type AdvanceResult, isResultOf, useAdvance, useAdvanceResults } from '../../data/advance.ts'
import { type ClockJump, useFeed } from '../../data/feed.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { formatShortInstant, newYork, startOfDay } from '../../format/time.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Row, Stack } from '../../ui/Box.tsx'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Select } from '../../ui/Field.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { Caption, Footer, Pane } from '../../ui/Layout.tsx'
import { Text } from '../../ui/Text.tsx'
import { dayName } from './agenda.ts'
import styles from './Time.module.css'
import { collectionOf, glyphOfOutcome, isBadOutcome, isRepeating } from './task-kinds.ts'
import type { RecordName } from './use-record-names.ts'

/** The tasks that ran in the advances of this session: the running one, the last one, and earlier ones. */

interface AdvanceResultsProps {
  readonly shown: AdvanceResult | null
  /** Its tasks, without the folded ones. */
  readonly listed: readonly FiredTask[]
  readonly onSelect: (id: string) => void
  readonly names: ReadonlyMap<string, RecordName>
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
    <section className={className} aria-label="Result">
      <Caption>
        <h2>Result</h2>
        {shown && (
          <span className="end">
            <CopyButton text={() => JSON.stringify(shown.fired, null, 2)} what="tasks as JSON" label="As JSON" small />
          </span>
        )}
      </Caption>
      {results.length > 1 && (
        <Caption>
          <Select
            className="grow"
            aria-label="Advance"
            value={shown ? String(shown.id) : ''}
            onChange={(event) => onSelect(event.target.value)}
          >
            {results.map(({ id, goal, to, fired }) => (
              <option key={id} value={String(id)}>
                {`${goal}, to ${formatShortInstant(Date.parse(to))}: ${plural(fired.length, 'task')}`}
              </option>
            ))}
          </Select>
        </Caption>
      )}
      {shown && <Outcomes result={shown} listed={listed} names={names} />}
      {others.length > 0 && (
        <div style={{ padding: '8px 16px', borderTop: '1px solid var(--line)' }}>
          <h3>Other advances</h3>
          <ul>
            {others.slice(0, 3).map(({ seq, before, from, to, ran }) => (
              <li key={seq} className="data">
                {formatShortInstant(Date.parse(from))} → {formatShortInstant(Date.parse(to))}
                {ran !== null && `, ${plural(ran, 'task')}`}{' '}
                {before !== null && (
                  <Undo before={before} seq={seq} what={`the advance to ${formatShortInstant(Date.parse(to))}`} />
                )}
              </li>
            ))}
          </ul>
          <ScreenLink screen="snapshots" params={{ pane: ['history'] }} className="data">
            See the history for what they did
          </ScreenLink>
        </div>
      )}
    </section>
  )
}

/** The tasks of the running advance. Their outcomes arrive when it ends. */
export function RunningNow({ className }: { className?: string | undefined }) {
  const taskRuns = useFeed((feed) => feed.taskRuns)
  const firstSeq = useAdvance((state) => state.before)
  const isRunning = useAdvance((state) => state.running)
  const from = useFeed((feed) => feed.progress?.from)
  const shown = taskRuns.filter(({ seq, at }) => (isRunning ? seq > firstSeq : from !== undefined && at >= from))
  const total = useFeed((feed) => feed.progress?.ran ?? 0)
  return (
    <section className={className} aria-label="Running tasks">
      <Caption>
        <h2>Ran so far</h2>
        <span className="meta">{formatCount(total)}, newest first</span>
      </Caption>
      <Pane className={styles.tasks} tabIndex={0} aria-label="Tasks that ran">
        <ol>
          {shown.slice(0, 60).map(({ seq, at, task }, i) => {
            const day = dayName(Date.parse(at))
            const before = shown[i - 1]
            return (
              <Fragment key={seq}>
                {day !== (before && dayName(Date.parse(before.at))) && <DayLine>{day}</DayLine>}
                <Stack as="li" {...LINE}>
                  <time dateTime={at}>{newYork(Date.parse(at)).time}</time>
                  <Glyph name={isRepeating(task) ? 'repeats' : 'done'} />
                  <span className="cut">
                    <Text>{task}</Text>
                  </span>
                </Stack>
              </Fragment>
            )
          })}
        </ol>
      </Pane>
    </section>
  )
}

/** The line of a task. */
const LINE = {
  columns: '60px 18px minmax(0, 1fr)',
  align: 'baseline',
  pad: '4 16',
  line: 'bottom',
  text: 'data',
} as const

/** The day of the tasks below it. */
const DayLine = ({ children }: { children: string }) => (
  <Row as="li" text="head" tone="soft" fill="well" line="bottom" style={{ padding: '3px 16px' }}>
    {children}
  </Row>
)

const endingTexts = {
  reached: '',
  canceled: 'Canceled before its end. ',
  broke: 'Stopped early: the clock froze on its break condition. ',
  lost: 'The connection was lost: see the history for how it ended. ',
} as const

const PAGE = 200

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
  const { id, goal, from, to, before, seq, fired, ended } = result
  const [limit, setLimit] = useState(PAGE)
  const newest = listed.toReversed()
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
          <Undo key={id} before={before} what="the advance" seq={ended === 'lost' ? before : seq} />
        </Row>
      </Stack>
      <Pane className={styles.tasks} tabIndex={0} aria-label="Tasks that ran">
        <ol>
          {newest.slice(0, limit).map((one, at) => (
            <Outcome
              // biome-ignore lint/suspicious/noArrayIndexKey: the list of outcomes does not change.
              key={at}
              fired={one}
              day={dayOf(newest[at - 1]) === dayOf(one) ? null : dayName(Date.parse(one.at))}
              name={one.record === null ? undefined : names.get(one.record)}
            />
          ))}
        </ol>
        {listed.length > limit && (
          <Button style={{ margin: '8px 16px' }} onClick={() => setLimit(limit + PAGE)}>
            Show {formatCount(Math.min(PAGE, listed.length - limit))} more of {formatCount(listed.length)}
          </Button>
        )}
      </Pane>
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

const dayOf = (fired: FiredTask | undefined) => (fired ? startOfDay(Date.parse(fired.at)) : null)

interface OutcomeProps {
  readonly fired: FiredTask
  /** Of the first task of a day. */
  readonly day: string | null
  readonly name: RecordName | undefined
}

function Outcome({ fired, day, name }: OutcomeProps) {
  const { at, task, record, outcome } = fired
  const shape = glyphOfOutcome(fired)
  const collection = collectionOf(task)
  return (
    <>
      {day !== null && <DayLine>{day}</DayLine>}
      <Stack as="li" {...LINE} className={styles.outcome} data-signal={signalOfTask(shape)}>
        <time dateTime={at} title={at}>
          {newYork(Date.parse(at)).time}
        </time>
        <Glyph name={shape} />
        <span className={styles.task}>
          <span className="row">
            <span className="cut">
              {record === null || !collection ? (
                <Text>{task}</Text>
              ) : (
                <RecordLink collection={collection} uid={record}>
                  {name?.name ?? record}
                </RecordLink>
              )}
            </span>
            {name?.amount != null && (
              <span className="end">
                <Amount value={name.amount} movement />
              </span>
            )}
          </span>
          <small className="wrap">
            {record === null || !collection ? '' : `${task}: `}
            <Text>{outcome}</Text>
          </small>
        </span>
      </Stack>
    </>
  )
}
