import { X } from 'lucide-react'
import { cancelJob } from '../data/advance.ts'
import type { Job as Work } from '../data/feed.ts'
import { formatCount } from '../format/numbers.ts'
import { Button } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { Meter } from '../ui/Meter.tsx'
import styles from './JobProgress.module.css'

/** On every screen, while it lasts: what takes long, how far it is, and the way to stop it. Whoever began it. */
export function JobProgress({ working }: { working: Work }) {
  const { uid, name, done, of, can_stop } = working
  return (
    <section className={cx('row', styles.job)} aria-label={jobName(working)}>
      <b role="status">{jobName(working)}</b>
      <Meter value={can_stop && of !== null ? done : null} max={of ?? 1} label="How far it is" />
      <span>{can_stop ? formatProgress(working) : (lastStep[name] ?? 'At its end…')}</span>
      {can_stop && (
        <Button small data-stop onClick={() => cancelJob(uid)}>
          <X size={12} strokeWidth={1.8} aria-hidden="true" />
          Cancel
        </Button>
      )}
    </section>
  )
}

const REPLACING_WORLD = 'Putting it in the place of the present world…'

const names: Readonly<Record<string, string>> = {
  'world.rewind': 'Going back',
  'snapshots.restore': 'Restoring a kept world',
  'exchanges.replay': 'Replaying',
  'bundles.export': 'Exporting',
  'bundles.import': 'Opening a bundle',
  'snapshots.keep': 'Keeping this world',
  'snapshots.compare': 'Comparing two worlds',
}

const lastStep: Readonly<Record<string, string>> = {
  'world.rewind': REPLACING_WORLD,
  'snapshots.restore': REPLACING_WORLD,
  'bundles.export': 'Writing the file…',
  'bundles.import': REPLACING_WORLD,
}

export const jobName = ({ name }: Work): string => names[name] ?? name

function formatProgress({ name, done, of, unit }: Work): string {
  if (unit === 'bytes') return `${formatMegabytes(done)}${of === null ? '' : ` of ${formatMegabytes(of)}`} MB read`
  return `${formatCount(done)}${of === null ? '' : ` of ${formatCount(of)}`} ${progressUnit(name, unit)}`
}

function progressUnit(name: string, unit: Work['unit']): string {
  if (unit === 'commits') return name === 'bundles.import' ? 'commits checked' : 'commits read'
  if (unit === 'records') return name === 'snapshots.keep' ? 'records written' : 'records compared'
  return 'steps done'
}

const formatMegabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
