import { Circle, HardDrive, Plug, Scale, Zap } from 'lucide-react'
import { ActionButton } from '../actions/ActionButton.tsx'
import { cancelJob, clearFaultsAction } from '../actions/world.ts'
import { ScreenLink } from '../components/ScreenLink.tsx'
import { type Job, type RequestCount, useFeed, useRealSeconds, type World } from '../data/feed.ts'
import { jobName } from '../data/job-name.ts'
import { useMessages } from '../data/messages.ts'
import { openConnect } from '../data/overlays.ts'
import { endRecording, useRecording } from '../data/recording.ts'
import { useRoute } from '../data/route.ts'
import { useQuery } from '../data/sandbox.ts'
import { useProgram } from '../data/use-program.ts'
import { formatFault } from '../format/faults.ts'
import { formatCount, plural } from '../format/text.ts'
import { Button, CopyButton, PlainButton } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { Row } from '../ui/Layout.tsx'
import { Meter } from '../ui/Meter.tsx'
import { Glyph, Text } from '../ui/Text.tsx'
import { Popover } from './late.tsx'
import styles from './StatusBar.module.css'

export function StatusBar() {
  const message = useMessages(({ result }) => result)
  const world = useFeed((feed) => feed.world)
  const seq = useFeed((feed) => feed.seq)
  const job = useFeed((feed) => feed.job)
  const program = useProgram()
  return (
    <Row as="footer" gap={12} pad="0 16" line="top" text="meta" tone="soft" className={styles.bar}>
      {world && (
        <>
          <span className="row">
            <PlainButton
              className={cx('row', styles.address)}
              title={`${world.api}: key and code`}
              onClick={openConnect}
            >
              <Plug size={12} strokeWidth={1.6} aria-hidden="true" />
              <span className="unseen">Connect</span>
              <span className="mono cut" data-api-address>
                {world.api}
              </span>
            </PlainButton>
            <CopyButton text={world.api} what="address of the API" small />
          </span>
          {program?.behaves_as === 'hosted' && <span title={HOSTED}>hosted</span>}
          <span className={styles.separator} />
          {/* Replaces the chart, so that no button moves while the user is about to click it. */}
          {job ? <JobProgress job={job} /> : <RequestChart />}
          <FaultIndicator />
          <RecordingIndicator />
          <span className="end cut" role="status" title={message}>
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
    </Row>
  )
}

const HOSTED = 'This Program behaves as the platform’s hosted sandbox: what that does not offer is refused.'

const whyNotSaved = ({ name }: World) =>
  name === null
    ? 'Started with --ephemeral: the world is lost when the sandbox stops.'
    : 'Only the root world is saved: this one is lost when the sandbox stops. Worlds can write it into a data folder.'

/** Checks of a large world take a twentieth of its time at most, and none begins during an advance. */
const LEDGER = { every_ms: 2_000, pauses: 20 }

function LedgerStatus() {
  const waits = useFeed((feed) => feed.connection !== 'live' || feed.progress !== null)
  const lines = ['synthetic_line_items', 'custodial_line_items']
  const { data: check, error } = useQuery('ledger.check', {}, lines, { ...LEDGER, waits })
  if (error !== undefined)
    return (
      <span className="row wait">
        <Glyph name="held" /> The ledger could not be checked
      </span>
    )
  if (!check) return <span className="row faint">checking the ledger</span>
  if (check.balanced)
    return (
      <span className="row">
        <Scale size={12} strokeWidth={1.6} aria-hidden="true" />
        Both books balance
      </span>
    )
  const [first = '', ...others] = check.problems
  return (
    <span className="row bad" role="alert" title={check.problems.join('\n')}>
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

/** The progress of a job with a button to cancel it, shown on every screen, whichever client started the job. */
function JobProgress({ job }: { job: Job }) {
  const { name, done, of, can_stop } = job
  const cancel = cancelJob()
  return (
    <Row as="section" gap={8} tone="ink" aria-label={jobName(job)}>
      <b role="status">{jobName(job)}</b>
      <Meter value={can_stop && of !== null ? done : null} max={of ?? 1} label="Progress" />
      <span>{can_stop ? formatProgress(job) : (lastStep[name] ?? 'Finishing…')}</span>
      {cancel && <ActionButton action={cancel} small data-stop />}
    </Row>
  )
}

const REPLACING_WORLD = 'Replacing the current world…'

const lastStep: Readonly<Record<string, string>> = {
  'world.rewind': REPLACING_WORLD,
  'snapshots.restore': REPLACING_WORLD,
  'bundles.export': 'Writing the file…',
  'bundles.import': REPLACING_WORLD,
}

function formatProgress({ name, done, of, unit }: Job): string {
  if (unit === 'bytes') return `${formatMegabytes(done)}${of === null ? '' : ` of ${formatMegabytes(of)}`} MB read`
  return `${formatCount(done)}${of === null ? '' : ` of ${formatCount(of)}`} ${progressUnit(name, unit)}`
}

function progressUnit(name: string, unit: Job['unit']): string {
  if (unit === 'commits') return name === 'bundles.import' ? 'commits checked' : 'commits read'
  if (unit === 'records') return name === 'snapshots.keep' ? 'records written' : 'records compared'
  return 'steps done'
}

const formatMegabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

/** While a scenario is recorded: a link back to the recorder, on every screen but its own. */
function RecordingIndicator() {
  const mark = useRecording((recording) => recording.mark)
  const isOpen = useRoute(({ screen, params }) => screen === 'scenarios' && params.record !== undefined)
  if (mark === null || isOpen) return null
  return (
    <span className="row">
      <Circle className="live" size={10} fill="currentColor" aria-hidden="true" />
      recording since commit {formatCount(mark)}
      <ScreenLink screen="scenarios" params={{ record: [String(mark)] }}>
        Finish
      </ScreenLink>
      <Button small bare onClick={endRecording}>
        Stop
      </Button>
    </span>
  )
}

/** Shows on every screen that faults are active, so that an injected failure is not mistaken for a bug. */
function FaultIndicator() {
  const faults = useFeed((feed) => feed.faults)
  if (faults.length === 0) return null
  const list = faults.map(formatFault).join('; ')
  return (
    <Popover
      trigger={
        <PlainButton className={styles.indicator} title={list}>
          <Zap size={12} strokeWidth={1.8} aria-hidden="true" />
          {plural(faults.length, 'fault')} active
          <span className="unseen">{list}</span>
        </PlainButton>
      }
      title="Faults are active"
      side="top"
      hoverDelay={150}
    >
      <ul>
        {faults.map((fault, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: faults have no id; they are a list in order.
          <Row key={index} as="li" gap={8} pad="2 12" least={28} text="data" line="bottom">
            <Text className="wrap grow">{formatFault(fault)}</Text>
            <span className="faint">applied {formatCount(fault.met)}×</span>
          </Row>
        ))}
      </ul>
      <Row gap={8} pad={12}>
        <ActionButton action={clearFaultsAction()}>Clear all</ActionButton>
        <ScreenLink screen="faults" className="data">
          Faults
        </ScreenLink>
      </Row>
    </Popover>
  )
}
