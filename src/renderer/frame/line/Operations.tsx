import { useMemo, useState } from 'react'
import { formatCause } from '../../../api/contract/control/causes.ts'
import type { CommitSummary } from '../../../api/contract/control/history.ts'
import type { MethodOutput } from '../../../api/contract/control/methods.ts'
import type { Operation } from '../../../api/contract/control/operations.ts'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { rewindTo } from '../../actions/world.ts'
import { Fork } from '../../components/Fork.tsx'
import { AnyRecordLink, RecordLink, ScreenLink } from '../../components/ScreenLink.tsx'
import { Undo } from '../../components/Undo.tsx'
import { isCollection } from '../../data/collections.ts'
import { useFeed } from '../../data/feed.ts'
import { useLine } from '../../data/line.ts'
import { sandbox, useQuery } from '../../data/sandbox.ts'
import { formatChanges } from '../../format/commits.ts'
import { formatCount, formatLongDay, formatShortInstant, formatTimeOfDay } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { type Column, DataTable, type GroupRow } from '../../ui/DataTable.tsx'
import { TableArea } from '../../ui/Layout.tsx'
import { EmptyText, Notice, Skeleton } from '../../ui/Notice.tsx'
import { Glyph, GlyphText, Time } from '../../ui/Text.tsx'
import { Detail } from './Detail.tsx'

/** The operations, newest first; the selected one unfolds to its commits. A rewind can go to any of these, also to those that are undone. */

const PAGE = 100
const MAX_COMMITS = 1_000
const NONE: readonly Operation[] = []

/** An operation, or one of its commits. */
interface HistoryRow extends Pick<CommitSummary, 'seq' | 'at' | 'cause' | 'goes_on_from' | 'about'> {
  readonly id: string
  /** An operation is known by its first commit; selecting it selects its last one, which a rewind goes to. */
  readonly number: number
  readonly undone_by: number | null
  readonly moved: string
  readonly says: string
  readonly did: string
  /** A commit of the operation above it. */
  readonly isPart: boolean
}

type Operations = Pick<MethodOutput<'operations.list'>, 'operations' | 'next'>

/** The newest operations, and the older ones that were asked for. */
function useOperations() {
  const seq = useFeed((feed) => feed.seq)
  const newest = useQuery('operations.list', { limit: PAGE }, ['history'], { beat: seq, pauses: 4, keeps: true })
  const [read, setRead] = useState<{ after: unknown; pages: Operations; error?: unknown }>()
  const older = read?.after === newest.data ? read : undefined
  const pages = older?.pages ?? newest.data
  const readOlder = async () => {
    if (!pages?.next) return
    const after = newest.data
    try {
      const { operations, next } = await sandbox['operations.list']({ limit: PAGE, before: pages.next })
      setRead({ after, pages: { operations: [...pages.operations, ...operations], next } })
    } catch (error) {
      setRead({ after, pages, error })
    }
  }
  return { pages, error: older?.error ?? newest.error, readOlder }
}

/** The selected commit; it may be older than those that are listed. `isMissing`: there is none of that number. */
function useSelected() {
  const seq = useLine((line) => line.commit)
  const { data } = useQuery('world.commits', seq === null ? null : { limit: 1, before: seq + 1 }, ['history'])
  const [found] = seq === null ? [] : (data?.commits ?? [])
  const commit = found?.seq === seq ? found : undefined
  return { seq, commit, isMissing: data !== undefined && seq !== null && !commit }
}

/** Of an operation with several. */
function useCommitsOf(operation: Operation | undefined): readonly (HistoryRow | GroupRow)[] {
  const isUnfolded = operation !== undefined && operation.commits > 1
  const input = isUnfolded ? { limit: MAX_COMMITS, before: operation.last + 1 } : null
  const { data } = useQuery('world.commits', input, ['history'])
  return useMemo(() => {
    if (!isUnfolded || !data) return []
    const parts = data.commits.filter((one) => one.operation === operation.operation).map(rowOfCommit)
    return parts.at(-1)?.seq === operation.operation ? parts : [...parts, NOT_LISTED]
  }, [isUnfolded, data, operation?.operation])
}

const NOT_LISTED: GroupRow = { group: 'not listed', title: 'older commits of it are not listed' }

export function Operations() {
  const seq = useFeed((feed) => feed.seq)
  const { pages, error, readOlder } = useOperations()
  const operations = pages?.operations ?? NONE
  const named = useSelected()
  const selected = named.commit
  const opened = operations.find(({ operation }) => operation === selected?.operation)
  const parts = useCommitsOf(opened)
  const rows = useMemo(() => toRows(operations, opened, parts), [operations, opened, parts])
  const newest = operations[0]?.last ?? seq
  const whole = opened?.last === selected?.seq ? opened : undefined
  return (
    <>
      {error !== undefined && <Notice title="The history could not be read." error={error} />}
      {named.isMissing && (
        <Notice title={`This world has no commit ${formatCount(named.seq ?? 0)}.`}>
          Its newest one is {formatCount(newest)}. The commit may belong to another world, or to one that was replaced.
        </Notice>
      )}
      {!pages ? (
        error === undefined && <Skeleton />
      ) : (
        <TableArea>
          <DataTable
            label="Operations"
            columns={columns}
            rows={rows}
            idOf={idOf}
            selected={selected ? (whole ? `o${whole.operation}` : `c${selected.seq}`) : null}
            onSelect={({ seq: commit }) => useLine.setState({ commit })}
            onOpen={() => document.querySelector<HTMLElement>('[data-rewind]')?.focus()}
            minWidth={560}
            empty={<EmptyText>No operations yet. Each change of the world is listed here.</EmptyText>}
          />
        </TableArea>
      )}
      <Detail aria-label="Selected commit">
        {selected ? (
          <>
            <ActionButton
              data-rewind
              action={{ ...rewindTo(selected.seq), label: `Rewind to commit ${formatCount(selected.seq)}` }}
            />
            {selected.cause.undo === undefined && (
              <Undo
                key={selected.operation}
                operation={selected.operation}
                what={`operation ${selected.operation}`}
                isInHistory
              />
            )}
            <Fork commit={selected.seq} />
            <span className="grow soft" style={{ flexBasis: 240 }}>
              <Did {...(whole ? rowOfOperation(whole) : rowOfCommit(selected))} />
            </span>
          </>
        ) : (
          <span className="soft">
            Select an operation to see its commits, to undo it, or to rewind to it. A rewind can be undone, too.
          </span>
        )}
        {pages?.next && (
          <Button className="end" small onClick={() => void readOlder()}>
            Load older
          </Button>
        )}
      </Detail>
    </>
  )
}

/** All that the selected operation or commit did; its row shows only the first record. */
function Did(row: HistoryRow) {
  return (
    <>
      <b>{row.says}</b>
      {row.about.map(({ collection, uid, says }) => (
        <span key={uid}>
          {' · '}
          <AnyRecordLink collection={collection} uid={uid}>
            {says}
          </AnyRecordLink>
        </span>
      ))}
      {' · '}
      {row.did || 'no record changed'}
    </>
  )
}

const idOf = ({ id }: HistoryRow) => id

/** With the commits of the opened one. */
function toRows(
  operations: readonly Operation[],
  opened: Operation | undefined,
  parts: readonly (HistoryRow | GroupRow)[],
) {
  let day = ''
  return operations.flatMap((operation): (HistoryRow | GroupRow)[] => {
    const rows = [rowOfOperation(operation), ...(operation === opened ? parts : [])]
    const title = formatLongDay(Date.parse(operation.at))
    if (title === day) return rows
    day = title
    return [{ group: `${title} ${operation.operation}`, title }, ...rows]
  })
}

const rowOfOperation = (operation: Operation): HistoryRow => ({
  ...operation,
  id: `o${operation.operation}`,
  number: operation.operation,
  seq: operation.last,
  moved: operation.at === operation.until ? '' : formatSpan(operation.at, operation.until),
  did: operation.did,
  isPart: false,
})

const rowOfCommit = (commit: CommitSummary): HistoryRow => ({
  ...commit,
  says: formatCause(commit),
  id: `c${commit.seq}`,
  number: commit.seq,
  undone_by: commit.left_by,
  moved: commit.moved ? formatSpan(commit.moved.from, commit.moved.to) : '',
  did: formatChanges(commit.records),
  isPart: true,
})

const formatSpan = (from: string, to: string) =>
  `, ${formatShortInstant(Date.parse(from))} → ${formatShortInstant(Date.parse(to))}`

const columns: readonly Column<HistoryRow>[] = [
  {
    id: 'operation',
    header: 'Operation',
    width: '92px',
    cell: ({ number, isPart }) => (
      <span className={cx('mono', isPart && 'faint')} style={isPart ? { paddingLeft: 12 } : undefined}>
        {formatCount(number)}
      </span>
    ),
  },
  {
    id: 'at',
    header: 'Time, ET',
    width: '80px',
    cell: ({ at }) => <Time at={at} format={formatTimeOfDay} />,
  },
  {
    id: 'cause',
    header: 'Cause',
    width: 'minmax(180px, 1fr)',
    cell: (row) => {
      const cause = row.says
      const { exchange } = row.cause
      return (
        <span title={`${cause}${row.moved}`}>
          {row.undone_by !== null && (
            <GlyphText signal="soft" title={`undone by commit ${formatCount(row.undone_by)}`}>
              <Glyph name="stopped" /> undone:
            </GlyphText>
          )}{' '}
          {exchange === undefined ? (
            cause
          ) : (
            <ScreenLink screen="requests" record={exchange}>
              {cause}
            </ScreenLink>
          )}
          <span className="soft">{row.moved}</span>
        </span>
      )
    },
  },
  {
    id: 'what',
    header: 'Changes',
    width: 'minmax(200px, 1fr)',
    cell: ({ about, did }) => {
      const [first] = about
      return (
        <span title={[...about.map(({ says }) => says), did].join('\n')}>
          {first && isCollection(first.collection) && (
            <RecordLink collection={first.collection} uid={first.uid} inTable>
              {first.says}
            </RecordLink>
          )}
          <span className="faint">{first ? ` · ${did}` : did}</span>
        </span>
      )
    },
  },
]
