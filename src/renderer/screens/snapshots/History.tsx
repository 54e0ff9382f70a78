import { useEffect, useMemo, useState } from 'react'
import type { CommitSummary } from '../../../api/contract/control/history.ts'
import { RecordLink } from '../../components/RecordLink.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { isCollection } from '../../data/collections.ts'
import { useFeed } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { commitsAfter, formatCause, formatChanges, isCurrentCommit } from '../../format/commits.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { formatLongDay, formatShortInstant, newYork } from '../../format/time.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { type Column, DataTable, type GroupRow } from '../../ui/DataTable.tsx'
import { EmptyText } from '../../ui/EmptyState.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { GlyphText } from '../../ui/GlyphText.tsx'
import { Caption, Footer, Pane, TableArea } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import styles from './History.module.css'

/** Every commit that is kept, the newest first: any of them can be gone back to, also those left behind. */

const PAGE = 200

function useCommits() {
  const [pages, setPages] = useState<{ commits: readonly CommitSummary[]; more: boolean } | null>(null)
  const [error, setError] = useState<unknown>(undefined)
  const [asking, setAsking] = useState(0)
  const everything = useFeed(({ versions }) => versions['*'] ?? 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a rewind, and whoever asks, reads from the newest on.
  useEffect(() => {
    let late = false
    sandbox['world.commits']({ limit: PAGE }).then(
      (page) => {
        if (late) return
        setPages(page)
        setError(undefined)
      },
      (thrown: unknown) => !late && setError(thrown),
    )
    return () => {
      late = true
    }
  }, [everything, asking])
  const older = async () => {
    const last = pages?.commits.at(-1)
    if (!last) return
    try {
      const page = await sandbox['world.commits']({ limit: PAGE, before: last.seq })
      setPages((was) => was && { commits: [...was.commits, ...page.commits], more: page.more })
    } catch (thrown) {
      setError(thrown)
    }
  }
  return { pages, error, again: () => setAsking(asking + 1), older }
}

export function History({ rewind }: { rewind: (seq: number) => Promise<void> }) {
  const seq = useFeed((feed) => feed.seq)
  const { pages, error, again, older } = useCommits()
  const [selected, setSelected] = useState<number | null>(null)
  const [busy, setBusy] = useState(false)
  const rows = useMemo(() => rowsOf(pages?.commits ?? []), [pages])
  const chosen = pages?.commits.find((commit) => commit.seq === selected)
  const newest = pages?.commits[0]?.seq ?? seq
  const go = async () => {
    if (!chosen || busy) return
    setBusy(true)
    await rewind(chosen.seq)
    setBusy(false)
  }
  return (
    <Pane className={styles.pane} aria-label="Back to an earlier moment">
      <Caption className={styles.caption}>
        <h2>The world as it was after a commit</h2>
        <span className="meta">going back is a commit, too, and can be undone</span>
        {seq > newest && (
          <Button className="end" small onClick={again}>
            {formatCount(seq - newest)} new, show
          </Button>
        )}
      </Caption>
      {error !== undefined && <Notice title="The history could not be read." error={error} />}
      {!pages ? (
        error === undefined && <Skeleton />
      ) : (
        <TableArea className={styles.table}>
          <DataTable
            label="Commits"
            columns={columns}
            rows={rows}
            idOf={idOf}
            selected={chosen ? String(chosen.seq) : null}
            onSelect={(commit) => setSelected(commit.seq)}
            onOpen={() => document.querySelector<HTMLElement>('[data-rewind]')?.focus()}
            least={560}
            empty={<EmptyText>Nothing has been done to this world yet.</EmptyText>}
          />
        </TableArea>
      )}
      <section className={cx(styles.commit, 'data')} aria-label="The selected commit">
        {chosen ? (
          <Whole commit={chosen} />
        ) : (
          'Select a commit to read all that it changed, and to go back to after it.'
        )}
      </section>
      <Footer className={styles.footer}>
        {chosen ? (
          <>
            <Button data-rewind primary aria-disabled={busy} onClick={() => void go()}>
              {busy ? 'Going back…' : `Go back to after commit ${formatCount(chosen.seq)}`}
            </Button>
            <span>
              {chosen.left
                ? 'of a line that was left behind'
                : isCurrentCommit(chosen, pages?.commits ?? [])
                  ? 'the world is there: nothing would change'
                  : `${plural(commitsAfter(chosen, pages?.commits ?? []).length, 'later commit')} would be left behind`}
            </span>
          </>
        ) : (
          <span>
            {plural(pages?.commits.length ?? 0, 'commit')} listed{pages?.more ? ', and older ones' : ''}
          </span>
        )}
        {pages?.more && (
          <Button className="end" small onClick={() => void older()}>
            Older
          </Button>
        )}
      </Footer>
    </Pane>
  )
}

/** What its row has no room for. */
function Whole({ commit }: { commit: CommitSummary }) {
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
      {formatChanges(commit.records) || 'it changed no record'}
    </>
  )
}

const idOf = ({ seq }: CommitSummary) => String(seq)

function rowsOf(commits: readonly CommitSummary[]): (CommitSummary | GroupRow)[] {
  let day = ''
  return commits.flatMap((commit) => {
    const of = formatLongDay(Date.parse(commit.at))
    if (of === day) return [commit]
    day = of
    return [{ group: `${of} ${commit.seq}`, title: of }, commit]
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
    header: 'By',
    width: 'minmax(180px, 1fr)',
    cell: (row) => {
      const words = formatCause(row)
      const { exchange } = row.cause
      const moved = row.moved
        ? `, ${formatShortInstant(Date.parse(row.moved.from))} → ${formatShortInstant(Date.parse(row.moved.to))}`
        : ''
      return (
        <span title={`${words}${moved}`}>
          {row.left && (
            <GlyphText signal="soft">
              <Glyph name="stopped" /> left behind:
            </GlyphText>
          )}{' '}
          {exchange === undefined ? (
            words
          ) : (
            <ScreenLink screen="requests" record={exchange}>
              {words}
            </ScreenLink>
          )}
          <span className="soft">{moved}</span>
        </span>
      )
    },
  },
  {
    id: 'what',
    header: 'What changed',
    width: 'minmax(200px, 1.4fr)',
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
