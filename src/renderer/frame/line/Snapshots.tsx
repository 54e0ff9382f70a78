import { GitCompareArrows, RotateCcw, Save, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { SnapshotName } from '../../../api/contract/control/snapshots.ts'
import { call, perform } from '../../actions/action.ts'
import { describeRestore } from '../../actions/world.ts'
import { markChanged, useNow } from '../../data/feed.ts'
import { announce } from '../../data/messages.ts'
import { useRoute } from '../../data/route.ts'
import { sandbox, submitting, useAction, useQuery } from '../../data/sandbox.ts'
import { suggestSnapshotName } from '../../format/commits.ts'
import { errorText, formatCount, formatLongDay, formatTimeOfDay } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { OneField } from '../../ui/Field.tsx'
import { Pane, Row, Stack } from '../../ui/Layout.tsx'
import { EmptyText, Notice, Skeleton } from '../../ui/Notice.tsx'
import { Confirm } from '../../ui/Popover.tsx'
import { Table } from '../../ui/Table.tsx'
import { Glyph, Text, Time } from '../../ui/Text.tsx'

/** Saves whole worlds under a name, restores, compares and deletes them. */
export function Snapshots() {
  const { data, error, slow } = useQuery('snapshots.list', {}, ['snapshots'])
  const snapshots = data?.snapshots ?? []
  return (
    <Pane aria-label="Saved snapshots">
      <SaveSnapshot taken={snapshots.map(({ name }) => name)} />
      {error !== undefined && <Notice title="The snapshots could not be listed." error={error} />}
      {!data ? (
        slow && <Skeleton />
      ) : snapshots.length === 0 ? (
        <EmptyText>
          No snapshots yet. Save one before a test: you can restore it as often as you like, and compare it with the
          world after the test.
        </EmptyText>
      ) : (
        <Table headers={HEADERS} controls stacks>
          {snapshots.map(({ name, at, seq, records, trouble }) => (
            <tr key={name}>
              <th scope="row" className="cut" title={name}>
                <Text>{name}</Text>
              </th>
              {trouble === undefined ? (
                <>
                  <td>{at && <Time at={at} format={(ms) => `${formatLongDay(ms)} ${formatTimeOfDay(ms)}`} />}</td>
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
                <SnapshotButtons name={name} isReadable={trouble === undefined} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Pane>
  )
}

/** Saves the world under a name. If the name is taken, the form says first that the snapshot will be replaced. */
function SaveSnapshot({ taken }: { taken: readonly string[] }) {
  const now = useNow(60_000)
  /** Null: the suggested name. */
  const [typed, setTyped] = useState<string | null>(null)
  const name = typed ?? suggestSnapshotName(now, taken)
  const nameError = SnapshotName.safeParse(name).error?.issues[0]?.message ?? null
  const isTaken = taken.includes(name)
  const save = useAction(async () => {
    await sandbox['snapshots.keep']({ name })
    setTyped(null)
    announce(`Saved snapshot ${name}.`)
    markChanged('snapshots')
  })
  return (
    <Stack
      as="form"
      gap={4}
      style={{ padding: '12px 16px 4px', maxWidth: 520 }}
      onSubmit={submitting(() => nameError === null && save.run())}
      aria-label="Save a snapshot"
    >
      <OneField
        label="Save snapshot as"
        value={name}
        error={nameError ?? (save.error === undefined ? null : errorText(save.error))}
        note={isTaken && `Replaces the snapshot “${name}”. This cannot be undone.`}
        onChange={(to) => {
          setTyped(to)
          save.reset()
        }}
      >
        {/* `Save` and `Replace` have the same width, so that the name beside them does not move. */}
        <Button
          icon={Save}
          type="submit"
          primary
          style={{ minWidth: 84 }}
          aria-disabled={nameError !== null || save.isBusy}
        >
          {isTaken ? 'Replace' : 'Save'}
        </Button>
      </OneField>
    </Stack>
  )
}

const HEADERS = [
  { label: 'Name', width: '36%' },
  { label: 'Simulated time, ET' },
  { label: 'Commit', right: true },
  { label: 'Records', right: true },
  { label: 'Actions', unseen: true },
]

function SnapshotButtons({ name, isReadable }: { name: string; isReadable: boolean }) {
  const restore = () =>
    perform({
      id: 'restore',
      icon: RotateCcw,
      title: 'Restore',
      failed: 'The world was not changed.',
      run: () => call(sandbox['snapshots.restore']({ name }), (done) => `Restored ${name}. ${describeRestore(done)}`),
    })
  const remove = () =>
    perform({
      id: 'delete snapshot',
      icon: Trash2,
      title: 'Delete',
      failed: `${name} could not be deleted.`,
      run: () => call(sandbox['snapshots.delete']({ name }).finally(() => markChanged('snapshots'))),
    })
  return (
    <Row wraps gap={4}>
      {isReadable && (
        <>
          <Button onClick={() => void restore()}>
            Restore <span className="unseen">{name}</span>
          </Button>
          <Button
            icon={GitCompareArrows}
            onClick={() => useRoute.getState().go({ screen: 'compare', params: { of: ['snapshots'], a: [name] } })}
          >
            Compare <span className="unseen">{name}</span>
          </Button>
        </>
      )}
      <Confirm label="Delete…" title={`Delete “${name}”?`} action="Delete" onConfirm={() => void remove()}>
        A deleted snapshot cannot be restored. The current world does not change.
      </Confirm>
    </Row>
  )
}
