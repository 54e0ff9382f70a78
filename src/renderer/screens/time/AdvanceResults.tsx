import { Fragment, useState } from 'react'
import type { FiredTask } from '../../../api/contract/control/clock.ts'
import { RecordLink } from '../../components/RecordLink.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { signalOfTask } from '../../components/task-glyph.ts'
import { Undo } from '../../components/Undo.tsx'
import { type AdvanceResult, useAdvance } from '../../data/advance.ts'
import { type ClockJump, useFeed } from '../../data/feed.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { dayStart, formatShortInstant, newYork } from '../../format/time.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyText } from '../../ui/EmptyState.tsx'
import { Select } from '../../ui/Field.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { Caption, Footer, Pane } from '../../ui/Layout.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './AdvanceResults.module.css'
import { dayName } from './agenda.ts'
import { collectionOf, isBad, isRepeated, shapeOfOutcome } from './task-kinds.ts'
import type { Named } from './use-record-names.ts'

/** What the advances of this session did: of the one under way, of the last, and of those before it. */

interface HappenedProps {
  readonly shown: AdvanceResult | null
  readonly choose: (key: string) => void
  readonly named: ReadonlyMap<string, Named>
  readonly className?: string | undefined
}

/** Jumps of the clock that other hands made: their tasks are in the history alone. */
export const others = (jumps: readonly ClockJump[], past: readonly AdvanceResult[]): readonly ClockJump[] =>
  jumps.filter((jump) => !past.some(({ from, to }) => from === jump.from && to === jump.to))

export function AdvanceResults({ shown, choose, named, className }: HappenedProps) {
  const past = useAdvance((state) => state.results)
  const jumps = useFeed((feed) => feed.jumps)
  const foreign = others(jumps, past)
  return (
    <section className={cx(styles.results, className)} aria-label="What happened">
      <Caption>
        <h2>What happened</h2>
        {shown && (
          <CopyButton text={() => JSON.stringify(shown.fired, null, 2)} what="tasks as JSON" label="As JSON" small />
        )}
      </Caption>
      {past.length + foreign.length > 1 && (
        <Caption>
          <Select
            className={cx('grow', styles.select)}
            aria-label="Advance"
            value={shown ? String(shown.id) : ''}
            onChange={(event) => choose(event.target.value)}
          >
            {past.map(({ id, goal, to, fired }) => (
              <option key={id} value={String(id)}>
                {`${goal}, to ${formatShortInstant(Date.parse(to))}: ${plural(fired.length, 'task')}`}
              </option>
            ))}
          </Select>
        </Caption>
      )}
      {shown ? <One advanced={shown} named={named} /> : <Nothing />}
      {foreign.length > 0 && (
        <div className={styles.others}>
          <h3>By other hands</h3>
          <ul>
            {foreign.slice(0, 5).map(({ from, to, ran }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two jumps may be the same in all.
              <li key={at} className="data">
                {formatShortInstant(Date.parse(from))} → {formatShortInstant(Date.parse(to))}, {plural(ran, 'task')}
              </li>
            ))}
          </ul>
          <ScreenLink screen="snapshots" params={{ pane: ['history'] }} className="data">
            What they did is in the history
          </ScreenLink>
        </div>
      )}
    </section>
  )
}

function Nothing() {
  return (
    <EmptyText>
      No advance yet in this session. What runs on the way, and what comes of it, is listed here and can be undone.
    </EmptyText>
  )
}

/** Tasks as they run, before their outcomes are told. */
export function RunningNow({ className }: { className?: string | undefined }) {
  const ran = useFeed((feed) => feed.taskRuns)
  const before = useAdvance((state) => state.before)
  const running = useAdvance((state) => state.running)
  const from = useFeed((feed) => feed.progress?.from)
  const here = ran.filter(({ seq, at }) => (running ? seq > before : from !== undefined && at >= from))
  const total = useFeed((feed) => feed.progress?.ran ?? 0)
  return (
    <section className={cx(styles.results, className)} aria-label="What happens now">
      <Caption>
        <h2>Ran so far</h2>
        <span className="meta">{formatCount(total)}, newest first</span>
      </Caption>
      <Pane className={styles.tasks} tabIndex={0} aria-label="Tasks that ran">
        <ol className={styles.list}>
          {here.slice(0, 60).map(({ seq, at, task }, i) => {
            const of = dayName(Date.parse(at))
            return (
              <Fragment key={seq}>
                {of !== (here[i - 1] && dayName(Date.parse(here[i - 1]!.at))) && <li className={styles.day}>{of}</li>}
                <li>
                  <time dateTime={at}>{newYork(Date.parse(at)).time}</time>
                  <Glyph name={isRepeated(task) ? 'repeats' : 'done'} />
                  <span className="cut">
                    <Text>{task}</Text>
                  </span>
                </li>
              </Fragment>
            )
          })}
        </ol>
      </Pane>
    </section>
  )
}

const endings = {
  reached: '',
  canceled: 'It was canceled on the way. ',
  broke: 'The clock froze on the way, as it was told to. ',
  lost: 'The connection was lost on the way: how it ended is in the history. ',
} as const

const PAGE = 200

/** With its year, where the other end is in another one. */
function yearly(at: string, other: string): string {
  const [here, there] = [newYork(Date.parse(at)), newYork(Date.parse(other))]
  return here.year === there.year
    ? formatShortInstant(Date.parse(at))
    : `${here.day} ${here.month} ${here.year} ${here.time.slice(0, 5)}`
}

function One({ advanced, named }: { advanced: AdvanceResult; named: ReadonlyMap<string, Named> }) {
  const { id, goal, from, to, before, seq, fired, ended } = advanced
  const [most, setMost] = useState(PAGE)
  const newest = fired.toReversed()
  const bad = fired.filter(isBad)
  return (
    <>
      <div className={styles.outcome}>
        <p className="data wrap">
          <b>{goal}</b>: {yearly(from, to)} → {ended === 'lost' ? 'not known' : yearly(to, from)}.{' '}
          <span className={ended === 'reached' ? undefined : 'wait'}>{endings[ended]}</span>
          {plural(fired.length, 'task')} ran.
        </p>
        <span className="data">
          <Undo key={id} before={before} what="the advance" did={ended === 'lost' ? before : seq} />
        </span>
      </div>
      <Pane className={styles.tasks} tabIndex={0} aria-label="Tasks that ran">
        <ol className={styles.list}>
          {newest.slice(0, most).map((one, at) => (
            <Line
              // biome-ignore lint/suspicious/noArrayIndexKey: what happened stays in its place.
              key={at}
              fired={one}
              day={day(newest[at - 1]) === day(one) ? null : dayName(Date.parse(one.at))}
              named={one.record === null ? undefined : named.get(one.record)}
            />
          ))}
        </ol>
        {fired.length > most && (
          <Button className={styles.more} onClick={() => setMost(most + PAGE)}>
            Show {formatCount(Math.min(PAGE, fired.length - most))} more of {formatCount(fired.length)}
          </Button>
        )}
      </Pane>
      <Footer>
        {bad.length === 0 ? (
          <span>nothing failed and nothing came back</span>
        ) : (
          <span className="row bad">
            <Glyph name="broken" /> {plural(bad.length, 'outcome')} to look at
          </span>
        )}
      </Footer>
    </>
  )
}

const day = (fired: FiredTask | undefined) => (fired ? dayStart(Date.parse(fired.at)) : null)

function Line({ fired, day: begins, named }: { fired: FiredTask; day: string | null; named: Named | undefined }) {
  const { at, task, record, outcome } = fired
  const shape = shapeOfOutcome(fired)
  const collection = collectionOf(task)
  return (
    <>
      {begins !== null && <li className={styles.day}>{begins}</li>}
      <li data-signal={signalOfTask(shape)}>
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
                  {named?.name ?? record}
                </RecordLink>
              )}
            </span>
            {named?.amount != null && (
              <span className="end">
                <Amount value={named.amount} movement />
              </span>
            )}
          </span>
          <small className="wrap">
            {record === null || !collection ? '' : `${task}: `}
            <Text>{outcome}</Text>
          </small>
        </span>
      </li>
    </>
  )
}
