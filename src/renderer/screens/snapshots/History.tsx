import { useEffect, useMemo, useState } from 'react'
import type { CommitSummary } from '../../../api/contract/control.ts'
import { RecordLink } from '../../components/RecordLink.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { isCollection } from '../../data/collections.ts'
import { useFeed } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { commitsAfter, formatCause, formatChanges, isCurrentCommit } from '../../format/commits.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { formatLongDay, formatShortInstant, newYork } from '../../format/time.ts'
import { type Column, DataTable, type GroupRow } from '../../ui/DataTable.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'

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
    <section className="pane earlier" aria-label="Back to an earlier moment">
      <div className="cap">
        <h2>The world as it was after a commit</h2>
        <span className="meta">going back is a commit, too, and can be undone</span>
        {seq > newest && (
          <button type="button" className="btn end" data-small onClick={again}>
            {formatCount(seq - newest)} new, show
          </button>
        )}
      </div>
      {error !== undefined && <Notice title="The history could not be read." error={error} />}
      {!pages ? (
        error === undefined && <Skeleton />
      ) : (
        <div className="table">
          <DataTable
            label="Commits"
            columns={columns}
            rows={rows}
            idOf={idOf}
            selected={chosen ? String(chosen.seq) : null}
            onSelect={(commit) => setSelected(commit.seq)}
            onOpen={() => document.querySelector<HTMLElement>('[data-rewind]')?.focus()}
            least={560}
            empty={<p className="soft nothing">Nothing has been done to this world yet.</p>}
          />
        </div>
      )}
      <section className="onecommit data" aria-label="The selected commit">
        {chosen ? (
          <Whole commit={chosen} />
        ) : (
          'Select a commit to read all that it changed, and to go back to after it.'
        )}
      </section>
      <div className="foot">
        {chosen ? (
          <>
            <button
              type="button"
              className="btn"
              data-rewind
              data-likeliest
              aria-disabled={busy}
              onClick={() => void go()}
            >
              {busy ? 'Going back…' : `Go back to after commit ${formatCount(chosen.seq)}`}
            </button>
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
          <button type="button" className="btn end" data-small onClick={() => void older()}>
            Older
          </button>
        )}
      </div>
    </section>
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
    meta: { width: '92px' },
    cell: ({ row: { original } }) => <span className="mono">{formatCount(original.seq)}</span>,
  },
  {
    id: 'at',
    header: 'Time, ET',
    meta: { width: '80px' },
    cell: ({ row: { original } }) => (
      <time dateTime={original.at} title={original.at}>
        {newYork(Date.parse(original.at)).time}
      </time>
    ),
  },
  {
    id: 'cause',
    header: 'By',
    meta: { width: 'minmax(180px, 1fr)' },
    cell: ({ row: { original } }) => {
      const words = formatCause(original)
      const { exchange } = original.cause
      const moved = original.moved
        ? `, ${formatShortInstant(Date.parse(original.moved.from))} → ${formatShortInstant(Date.parse(original.moved.to))}`
        : ''
      return (
        <span title={`${words}${moved}`}>
          {original.left && (
            <span className="st" data-signal="soft">
              <Glyph name="stopped" /> left behind:
            </span>
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
    meta: { width: 'minmax(200px, 1.4fr)' },
    cell: ({ row: { original } }) => {
      const [first] = original.about
      const counts = formatChanges(original.records)
      return (
        <span title={[...original.about.map(({ says }) => says), counts].join('\n')}>
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
