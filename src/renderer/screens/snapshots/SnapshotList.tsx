import { useState } from 'react'
import type { MethodOutput } from '../../../api/contract/control/methods.ts'
import { markChanged } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { formatCount } from '../../format/numbers.ts'
import { formatLongDay, newYork } from '../../format/time.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { cx } from '../../ui/cx.ts'
import { Glyph } from '../../ui/Glyph.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './SnapshotList.module.css'

export type Snapshot = MethodOutput<'snapshots.list'>['snapshots'][number]

interface SnapshotListProps {
  readonly snapshots: readonly Snapshot[]
  readonly restore: (name: string) => Promise<void>
  readonly compare: (name: string) => void
  readonly onError: (title: string, error: unknown) => void
}

export function SnapshotList({ snapshots, restore, compare, onError }: SnapshotListProps) {
  const [restoring, setRestoring] = useState<string | null>(null)
  const remove = async (name: string) => {
    try {
      await sandbox['snapshots.delete']({ name })
    } catch (error) {
      onError(`${name} could not be deleted.`, error)
    }
    markChanged('snapshots')
  }
  return (
    <table className={styles.table}>
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
              <span className={cx('row', styles.actions)}>
                {trouble === undefined && (
                  <>
                    <Button
                      aria-disabled={restoring !== null}
                      onClick={async () => {
                        if (restoring !== null) return
                        setRestoring(name)
                        await restore(name)
                        setRestoring(null)
                      }}
                    >
                      {restoring === name ? 'Restoring…' : 'Restore'} <span className="unseen">{name}</span>
                    </Button>
                    <Button onClick={() => compare(name)}>
                      Compare <span className="unseen">{name}</span>
                    </Button>
                  </>
                )}
                <Confirm
                  label="Delete…"
                  title={`Delete “${name}”?`}
                  action="Delete"
                  onConfirm={() => void remove(name)}
                >
                  A deleted snapshot cannot be restored. The current world does not change.
                </Confirm>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
