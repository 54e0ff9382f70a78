import { formatCause } from '../../api/contract/control/causes.ts'
import type { Exchange } from '../../api/contract/control/exchanges.ts'
import { formatCount, newYork } from './text.ts'

/** Commits and suggested snapshot names as text. */

/** The simulated time as a snapshot name, `Fri 20 Nov 2026 09.04`; with a number if the name exists. */
export function suggestSnapshotName(now: number, taken: readonly string[]): string {
  const { weekday, day, month, year, time } = newYork(now)
  const name = `${weekday} ${day} ${month} ${year} ${time.slice(0, 5).replace(':', '.')}`
  if (!taken.includes(name)) return name
  let n = 2
  while (taken.includes(`${name} ${n}`)) n++
  return `${name} ${n}`
}

/** What went back before a request or an operation: `commit 12: operator rewound the world`. */
export const formatReplacement = (seq: number, by: Parameters<typeof formatCause>[0]): string =>
  `commit ${formatCount(seq)}: ${formatCause(by)}`

/** The same, as the request log has it. */
export const formatUndoneBy = ({ seq, name }: NonNullable<Exchange['undone_by']>): string =>
  formatReplacement(seq, { cause: { door: 'operator', name }, goes_on_from: null })

/** 2 transactions, 1 task */
export const formatChanges = (records: Readonly<Record<string, number>>): string =>
  Object.entries(records)
    .sort(([, a], [, b]) => b - a)
    .map(([name, n]) => `${formatCount(n)} ${name.replaceAll('_', ' ').replace(n === 1 ? /s$/ : /$^/, '')}`)
    .join(', ')
