import { useState } from 'react'
import type { MethodOutput } from '../../../api/contract/control.ts'
import { markChanged } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { formatCount } from '../../format/numbers.ts'
import { formatLongDay, newYork } from '../../format/time.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { Text } from '../../ui/Text.tsx'

export type Kept = MethodOutput<'snapshots.list'>['snapshots'][number]

interface KeptWorldsProps {
  readonly snapshots: readonly Kept[]
  readonly restore: (name: string) => Promise<void>
  readonly compare: (name: string) => void
  readonly failed: (title: string, error: unknown) => void
}

export function SnapshotList({ snapshots, restore, compare, failed }: KeptWorldsProps) {
  const [busy, setBusy] = useState<string | null>(null)
  const forget = async (name: string) => {
    try {
      await sandbox['snapshots.delete']({ name })
    } catch (error) {
      failed(`${name} could not be deleted.`, error)
    }
    markChanged('snapshots')
  }
  return (
    <table className="keptworlds">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Simulated time, ET</th>
          <th scope="col" data-right="">
            Commit
          </th>
          <th scope="col" data-right="">
            Records
          </th>
          <th scope="col">
            <span className="unseen">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {snapshots.map(({ name, at, seq, records, trouble }) => (
          <tr key={name}>
            <th scope="row" className="cut" title={name}>
              <Text>{name}</Text>
            </th>
            {trouble === undefined ? (
              <>
                <td>
                  {at && (
                    <time dateTime={at}>{`${formatLongDay(Date.parse(at))} ${newYork(Date.parse(at)).time}`}</time>
                  )}
                </td>
                <td data-right="" className="mono">
                  {seq === undefined ? '–' : formatCount(seq)}
                </td>
                <td data-right="">{records === undefined ? '–' : formatCount(records)}</td>
              </>
            ) : (
              <td colSpan={3} className="bad wrap">
                <Glyph name="broken" /> cannot be read: <Text>{trouble}</Text>
              </td>
            )}
            <td>
              <span className="row worldacts">
                {trouble === undefined && (
                  <>
                    <button
                      type="button"
                      className="btn"
                      aria-disabled={busy !== null}
                      onClick={async () => {
                        if (busy !== null) return
                        setBusy(name)
                        await restore(name)
                        setBusy(null)
                      }}
                    >
                      {busy === name ? 'Restoring…' : 'Restore'} <span className="unseen">{name}</span>
                    </button>
                    <button type="button" className="btn" onClick={() => compare(name)}>
                      Compare <span className="unseen">{name}</span>
                    </button>
                  </>
                )}
                <Confirm label="Delete…" title={`Delete “${name}”?`} act="Delete" onConfirm={() => void forget(name)}>
                  A kept world that is deleted cannot be had back. The present world stays as it is.
                </Confirm>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
