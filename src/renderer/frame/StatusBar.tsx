import { HardDrive, Plug, Scale } from 'lucide-react'
import { ScreenLink } from '../components/ScreenLink.tsx'
import { type RequestCount, useFeed, type World } from '../data/feed.ts'
import { useMessages } from '../data/messages.ts'
import { useRealSeconds } from '../data/use-now.ts'
import { formatCount, plural } from '../format/numbers.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import { cx } from '../ui/cx.ts'
import { Glyph } from '../ui/Glyph.tsx'
import { FaultIndicator } from './FaultIndicator.tsx'
import { JobProgress } from './JobProgress.tsx'
import { RecordingIndicator } from './RecordingIndicator.tsx'
import styles from './StatusBar.module.css'
import { useLedgerCheck } from './use-ledger-check.ts'

export function StatusBar() {
  const message = useMessages(({ result }) => result)
  const world = useFeed((feed) => feed.world)
  const seq = useFeed((feed) => feed.seq)
  const job = useFeed((feed) => feed.job)
  return (
    <footer className={styles.bar}>
      {world && (
        <>
          <span className="row">
            <Plug size={12} strokeWidth={1.6} aria-hidden="true" />
            <span className="mono cut" title={world.api} data-api-address>
              {world.api}
            </span>
            <CopyButton text={world.api} what="address of the API" small />
          </span>
          <span className={styles.separator} />
          {/* Replaces the chart, so that no button moves while the user is about to click it. */}
          {job ? <JobProgress job={job} /> : <RequestChart />}
          <FaultIndicator />
          <RecordingIndicator />
          <span className="end" role="status">
            {message}
          </span>
          <LedgerStatus />
          <span className={styles.separator} />
          <span>
            commit <span className="mono">{formatCount(seq)}</span>
          </span>
          <span className={styles.separator} />
          <span className="row" title={world.data ?? whyNotSaved(world)}>
            <HardDrive size={12} strokeWidth={1.6} aria-hidden="true" />
            {world.data === null ? 'not saved' : 'saved'}
          </span>
        </>
      )}
    </footer>
  )
}

const whyNotSaved = ({ name }: World) =>
  name === null
    ? 'Started with --ephemeral: the world is lost when the sandbox stops.'
    : 'Only the root world is saved: this one is lost when the sandbox stops. Worlds can write it into a data folder.'

function LedgerStatus() {
  const check = useLedgerCheck()
  if (check === 'unknown') return <span className="row faint">checking the ledger</span>
  if (check === 'unanswered')
    return (
      <span className="row wait">
        <Glyph name="held" /> The ledger could not be checked
      </span>
    )
  if (check.balanced)
    return (
      <span className="row">
        <Scale size={12} strokeWidth={1.6} aria-hidden="true" />
        Both books balance
      </span>
    )
  const [first = '', ...others] = check.problems
  return (
    <span className={cx('row bad', styles.problem)} role="alert" title={check.problems.join('\n')}>
      <Glyph name="broken" />
      <span className="cut">
        The books do not balance: {first}
        {others.length > 0 ? ` and ${plural(others.length, 'more problem')}` : ''}
      </span>
      <ScreenLink screen="accounts">Ledger</ScreenLink>
    </span>
  )
}

const SECONDS = 30
const MAX_HEIGHT = 10

/** A bar for each of the last 30 seconds. Seconds with an error response have another colour and a gap. */
function RequestChart() {
  const beats = useFeed((feed) => feed.requestCounts)
  const hasRequests = useFeed((feed) => feed.exchanges.length > 0)
  const second = useRealSeconds(beats.length > 0)
  const recent = beats.filter((beat) => beat.second > second - SECONDS)
  const bars = Array.from({ length: SECONDS }, (_, i): RequestCount => {
    const at = second - SECONDS + 1 + i
    return recent.find((beat) => beat.second === at) ?? { second: at, requests: 0, refused: 0 }
  })
  const most = Math.max(4, ...recent.map(({ requests }) => requests))
  const requests = recent.reduce((sum, beat) => sum + beat.requests, 0)
  const refused = recent.reduce((sum, beat) => sum + beat.refused, 0)
  return (
    <span className="row">
      <span className={styles.pulse} aria-hidden="true">
        {bars.map((bar) => (
          <i
            key={bar.second}
            data-refused={bar.refused > 0 ? '' : undefined}
            style={{ height: bar.requests === 0 ? 0 : Math.max(2, Math.round((bar.requests / most) * MAX_HEIGHT)) }}
          />
        ))}
      </span>
      {requests > 0
        ? `${plural(requests, 'request')} in ${SECONDS} s${refused > 0 ? `, ${formatCount(refused)} refused` : ''}`
        : !hasRequests
          ? 'no request yet'
          : beats.length > 0
            ? `no request in ${SECONDS} s`
            : 'no request since this window opened'}
    </span>
  )
}
