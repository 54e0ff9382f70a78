import { ActionButton } from '../actions/ActionButton.tsx'
import { cancelJob } from '../actions/world.ts'
import type { Job } from '../data/feed.ts'
import { jobName } from '../data/job-name.ts'
import { formatCount } from '../format/numbers.ts'
import { Row } from '../ui/Box.tsx'
import { Meter } from '../ui/Meter.tsx'

/** The progress of a job with a button to cancel it, shown on every screen, whichever client started the job. */
export function JobProgress({ job }: { job: Job }) {
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
