import type { Job } from './feed.ts'

const names: Readonly<Record<string, string>> = {
  'world.rewind': 'Rewinding',
  'snapshots.restore': 'Restoring a snapshot',
  'exchanges.replay': 'Replaying',
  'bundles.export': 'Exporting a bundle',
  'bundles.import': 'Importing a bundle',
  'snapshots.keep': 'Saving a snapshot',
  'snapshots.compare': 'Comparing two worlds',
}

export const jobName = ({ name }: Job): string => names[name] ?? name
