import { useMemo, useState } from 'react'
import type { CommitSummary } from '../../../api/contract/control/history.ts'
import type { MethodOutput } from '../../../api/contract/control/methods.ts'
import { Fork } from '../../components/Fork.tsx'
import { RecordLink } from '../../components/RecordLink.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { isCollection } from '../../data/collections.ts'
import { markChanged, useFeed } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { sandbox } from '../../data/sandbox.ts'
import { useAction } from '../../data/use-action.ts'
import { useQuery } from '../../data/use-query.ts'
import { commitsAfter, formatCause, formatChanges, isCurrentCommit } from '../../format/commits.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { formatLongDay, formatShortInstant, newYork } from '../../format/time.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import type { Column } from '../../ui/DataRow.tsx'
import { DataTable, type GroupRow } from '../../ui/DataTable.tsx'
import { EmptyText } from '../../ui/EmptyState.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { GlyphText } from '../../ui/GlyphText.tsx'
import { Caption, Footer, Pane, TableArea } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { Splitter, usePaneSize } from '../../ui/Splitter.tsx'
import styles from './History.module.css'

/** All stored commits, newest first. A rewind can go to any of them, also to those that an earlier rewind undid. */

const PAGE = 200
const NONE: readonly CommitSummary[] = []

type Commits = Pick<MethodOutput<'world.commits'>, 'commits' | 'more'>

/** The newest commits, and the older ones that were asked for. After a rewind and on request the newest ones are read again. */
function useCommits() {
  const newest = useQuery('world.commits', { limit: PAGE }, ['history'])
  const [read, setRead] = useState<{ after: unknown; pages: Commits; error?: unknown }>()
  const older = read?.after === newest.data ? read : undefined
  const pages = older?.pages ?? newest.data
  const readOlder = async () => {
    const last = pages?.commits.at(-1)
    if (!pages || !last) return
    const after = newest.data
    try {
      const { commits, more } = await sandbox['world.commits']({ limit: PAGE, before: last.seq })
      setRead({ after, pages: { commits: [...pages.commits, ...commits], more } })
    } catch (error) {
      setRead({ after, pages, error })
    }
  }
  return { pages, error: older?.error ?? newest.error, readOlder }
}

/** The commit that the address names, also one that is older than the list. `isMissing`: there is none of that number. */
function useNamedCommit(listed: readonly CommitSummary[]) {
  const text = useRoute(({ params }) => params.commit?.[0])
  const seq = text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
  const inList = listed.find((commit) => commit.seq === seq)
  const isOlder = seq !== null && !inList
  const { data } = useQuery('world.commits', isOlder ? { limit: 1, before: seq + 1 } : null, ['history'])
  const [found] = isOlder ? (data?.commits ?? []) : []
  const commit = inList ?? (found?.seq === seq ? found : undefined)
  return { seq, commit, isMissing: isOlder && data !== undefined && !commit }
}

export function History({ rewind }: { rewind: (seq: number) => Promise<void> }) {
  const seq = useFeed((feed) => feed.seq)
  const { pages, error, readOlder } = useCommits()
  const filter = useRoute((view) => view.filter)
  const rewinding = useAction(rewind)
  const detail = usePaneSize('commit', '--commit')
  const commits = pages?.commits ?? NONE
  const rows = useMemo(() => groupByDay(commits), [commits])
  const named = useNamedCommit(commits)
  const selected = named.commit
  const newest = commits[0]?.seq ?? seq
  return (
    <Pane aria-label="History" style={{ ...detail.style, overflow: 'hidden' }}>
      <Caption className={styles.caption}>
        <h2>Rewind to a commit</h2>
        <span className="meta">a rewind is a commit, too, and can be undone</span>
        {seq > newest && (
          <Button className="end" small onClick={() => markChanged('history')}>
            {formatCount(seq - newest)} new, show
          </Button>
        )}
      </Caption>
      {error !== undefined && <Notice title="The history could not be read." error={error} />}
      {named.isMissing && (
        <Notice title={`This world has no commit ${formatCount(named.seq ?? 0)}.`}>
          Its newest one is {formatCount(newest)}. The commit may belong to another world, or to one that was replaced.
        </Notice>
      )}
      {!pages ? (
        error === undefined && <Skeleton />
      ) : (
        <TableArea className={styles.table}>
          <DataTable
            label="Commits"
            columns={columns}
            rows={rows}
            idOf={idOf}
            selected={selected ? String(selected.seq) : null}
            onSelect={(commit) => filter('commit', [String(commit.seq)])}
            onOpen={() => document.querySelector<HTMLElement>('[data-rewind]')?.focus()}
            minWidth={560}
            empty={<EmptyText>No commits yet. Each change of the world is listed here.</EmptyText>}
          />
        </TableArea>
      )}
      <Splitter label="Height of the selected commit" sizes="after" stacked min={64} onResize={detail.onResize} />
      <section className={cx(styles.commit, 'data')} aria-label="Selected commit">
        {selected ? <CommitDetail commit={selected} /> : 'Select a commit to see all its changes and to rewind to it.'}
      </section>
      <Footer className={styles.footer}>
        {selected ? (
          <>
            <Button
              data-rewind
              primary
              aria-disabled={rewinding.isBusy}
              onClick={() => void rewinding.run(selected.seq)}
            >
              {rewinding.isBusy ? 'Rewinding…' : `Rewind to commit ${formatCount(selected.seq)}`}
            </Button>
            <span>{describeRewind(selected, commits)}</span>
            <Fork commit={selected.seq} />
          </>
        ) : (
          <span>
            {plural(commits.length, 'commit')} listed{pages?.more ? ', more available' : ''}
          </span>
        )}
        {pages?.more && (
          <Button className="end" small onClick={() => void readOlder()}>
            Load older
          </Button>
        )}
      </Footer>
    </Pane>
  )
}

/** What a rewind to this commit would do to later commits. */
function describeRewind(commit: CommitSummary, commits: readonly CommitSummary[]): string {
  if (commit.left_by !== null) return `undone by commit ${formatCount(commit.left_by)}; a rewind to it brings it back`
  if (isCurrentCommit(commit, commits)) return 'the world is at this commit: nothing would change'
  return `undoes ${plural(commitsAfter(commit, commits).length, 'later commit')}`
}

/** All that the selected commit did; its row shows only the first record. */
function CommitDetail({ commit }: { commit: CommitSummary }) {
  return (
    <>
      <b>{formatCause(commit)}</b>
      {commit.about.map(({ collection, uid, says }) => (
        <span key={uid}>
          {' · '}
          {isCollection(collection) ? (
            <RecordLink collection={collection} uid={uid}>
              {says}
            </RecordLink>
          ) : (
            says
          )}
        </span>
      ))}
      {' · '}
      {formatChanges(commit.records) || 'no record changed'}
    </>
  )
}

const idOf = ({ seq }: CommitSummary) => String(seq)

function groupByDay(commits: readonly CommitSummary[]): (CommitSummary | GroupRow)[] {
  let day = ''
  return commits.flatMap((commit) => {
    const title = formatLongDay(Date.parse(commit.at))
    if (title === day) return [commit]
    day = title
    return [{ group: `${title} ${commit.seq}`, title }, commit]
  })
}

const columns: readonly Column<CommitSummary>[] = [
  {
    id: 'seq',
    header: 'Commit',
    width: '92px',
    cell: (row) => <span className="mono">{formatCount(row.seq)}</span>,
  },
  {
    id: 'at',
    header: 'Time, ET',
    width: '80px',
    cell: (row) => (
      <time dateTime={row.at} title={row.at}>
        {newYork(Date.parse(row.at)).time}
      </time>
    ),
  },
  {
    id: 'cause',
    header: 'Cause',
    width: 'minmax(180px, 1fr)',
    cell: (row) => {
      const cause = formatCause(row)
      const { exchange } = row.cause
      const moved = row.moved
        ? `, ${formatShortInstant(Date.parse(row.moved.from))} → ${formatShortInstant(Date.parse(row.moved.to))}`
        : ''
      return (
        <span title={`${cause}${moved}`}>
          {row.left && (
            <GlyphText signal="soft" title={`undone by commit ${formatCount(row.left_by ?? 0)}`}>
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
          <span className="soft">{moved}</span>
        </span>
      )
    },
  },
  {
    id: 'what',
    header: 'Changes',
    width: 'minmax(200px, 1fr)',
    cell: (row) => {
      const [first] = row.about
      const counts = formatChanges(row.records)
      return (
        <span title={[...row.about.map(({ says }) => says), counts].join('\n')}>
          {first && isCollection(first.collection) ? (
            <RecordLink collection={first.collection} uid={first.uid} inTable>
              {first.says}
            </RecordLink>
          ) : null}
          <span className="faint">{first ? ` · ${counts}` : counts}</span>
        </span>
      )
    },
  },
]
