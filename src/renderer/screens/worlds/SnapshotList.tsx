import { useState } from 'react'
import type { MethodOutput } from '../../../api/contract/control/methods.ts'
import { markChanged } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { formatCount } from '../../format/numbers.ts'
import { Row } from '../../ui/Box.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { Table } from '../../ui/Table.tsx'
import { Text } from '../../ui/Text.tsx'
import { Instant } from './parts.tsx'

interface SnapshotListProps {
  readonly snapshots: MethodOutput<'snapshots.list'>['snapshots']
  readonly restore: (name: string) => Promise<void>
  readonly compare: (name: string) => void
  readonly onError: (title: string, error: unknown) => void
}

const HEADERS = [
  { label: 'Name', width: '36%' },
  { label: 'Simulated time, ET' },
  { label: 'Commit', right: true },
  { label: 'Records', right: true },
  { label: 'Actions', unseen: true },
]

export function SnapshotList({ snapshots, restore, compare, onError }: SnapshotListProps) {
  const [restoring, setRestoring] = useState<string | null>(null)
  const restoreOnce = async (name: string) => {
    if (restoring !== null) return
    setRestoring(name)
    await restore(name)
    setRestoring(null)
  }
  const remove = async (name: string) => {
    try {
      await sandbox['snapshots.delete']({ name })
    } catch (error) {
      onError(`${name} could not be deleted.`, error)
    }
    markChanged('snapshots')
  }
  return (
    <Table headers={HEADERS} controls stacks>
      {snapshots.map(({ name, at, seq, records, trouble }) => (
        <tr key={name}>
          <th scope="row" className="cut" title={name}>
            <Text>{name}</Text>
          </th>
          {trouble === undefined ? (
            <>
              <td>{at && <Instant at={at} />}</td>
              <td data-right="" data-label="commit" className="mono">
                {seq === undefined ? '–' : formatCount(seq)}
              </td>
              <td data-right="" data-label="records">
                {records === undefined ? '–' : formatCount(records)}
              </td>
            </>
          ) : (
            <td colSpan={3} className="bad wrap">
              <Glyph name="broken" /> cannot be read: <Text>{trouble}</Text>
            </td>
          )}
          <td>
            <Row wraps gap={4}>
              {trouble === undefined && (
                <>
                  <Button aria-disabled={restoring !== null} onClick={() => void restoreOnce(name)}>
                    {restoring === name ? 'Restoring…' : 'Restore'} <span className="unseen">{name}</span>
                  </Button>
                  <Button onClick={() => compare(name)}>
                    Compare <span className="unseen">{name}</span>
                  </Button>
                </>
              )}
              <Confirm label="Delete…" title={`Delete “${name}”?`} action="Delete" onConfirm={() => void remove(name)}>
                A deleted snapshot cannot be restored. The current world does not change.
              </Confirm>
            </Row>
          </td>
        </tr>
      ))}
    </Table>
  )
}
