import { Redo2, Undo2 } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { CommitSummary } from '../../api/contract/control/history.ts'
import { useFeed } from '../data/feed.ts'
import { sandbox } from '../data/sandbox.ts'
import { useAction } from '../data/use-action.ts'
import { formatReplacement } from '../format/commits.ts'
import { errorText } from '../format/errors.ts'
import { formatCount, plural } from '../format/numbers.ts'
import { Row } from '../ui/Box.tsx'
import { Button } from '../ui/Button.tsx'
import { ScreenLink } from './ScreenLink.tsx'

interface UndoProps {
  /** The commit to rewind to. */
  readonly before: number
  /** What is undone, e.g. "the advance". */
  readonly what: string
  /** The last commit to undo. Later commits are undone as well; the number of these is shown. */
  readonly seq: number
}

/** Undoes a change by rewinding to the commit before it, and redoes it by rewinding again. */
export function Undo({ before, what, seq: undoneSeq }: UndoProps) {
  const seq = useFeed((feed) => feed.seq)
  const isOffline = useFeed((feed) => feed.connection !== 'live')
  const { state, refresh } = useUndoState(before, undoneSeq)
  // Requests of other clients between the two commits are undone as well.
  const between = useFeed(({ exchanges }) => {
    if (undoneSeq <= before + 1) return 0
    return exchanges.filter((it) => it.seq_after > it.seq_before && it.seq_after > before && it.seq_after <= undoneSeq)
      .length
  })
  const { run, isBusy, error } = useAction(async (seq: number) => {
    await sandbox['world.rewind']({ seq })
    await refresh()
  })
  if (!state) return null
  const { undoneBy } = state
  const later = state.later + Math.max(0, seq - state.newest)
  const Icon = undoneBy ? Redo2 : Undo2
  return (
    <Row as="span" wraps gap={8} data-undo>
      <Button
        icon={Icon}
        small
        aria-disabled={isBusy}
        whyNot={isOffline ? 'No connection.' : undefined}
        onClick={() => void run(undoneBy ? undoneBy.seq - 1 : before)}
      >
        {undoneBy ? 'Redo' : 'Undo'} <span className="unseen">{what}</span>
      </Button>
      <span role="status">
        {undoneBy && (
          <>
            {describeUndone(undoneBy)}{' '}
            <ScreenLink screen="snapshots" params={{ pane: ['history'] }}>
              See what was undone
            </ScreenLink>
          </>
        )}
      </span>
      {later > 0 && <span className="meta">{plural(later, 'later commit')} will be undone, too</span>}
      {!undoneBy && between > 0 && <span className="meta">including {plural(between, 'request')} sent meanwhile</span>}
      {error !== undefined && (
        <span role="alert" className="bad wrap">
          {errorText(error)}
        </span>
      )}
    </Row>
  )
}

const describeUndone = ({ seq, cause, goes_on_from }: NonNullable<UndoState['undoneBy']>) =>
  cause.name === 'world.rewind' && goes_on_from !== null
    ? `Undone by rewinding to commit ${formatCount(goes_on_from)}.`
    : `Undone by ${formatReplacement({ seq, name: cause.name })}.`

/** Whether a change is part of the current world. The sandbox knows, so it is the same in each window and after a reload. */

interface UndoState {
  /** The rewind, restore, reset or import that undid it; null if the change is part of the current world. */
  readonly undoneBy: CommitSummary | null
  /** The newest commit when this was read, and the commits that undoing or redoing undoes as well. */
  readonly newest: number
  readonly later: number
}

/** More later commits are counted by their numbers alone. */
const COUNTED = 100

/** `seq`: the last commit of the change, which begins after the commit `before`. Null if there is nothing to undo. */
async function readUndoState(before: number, seq: number): Promise<UndoState | null> {
  const [[first], newest] = await Promise.all([readCommits(1, before + 1), readCommits(COUNTED)])
  if (first?.seq !== before + 1) return null
  const [undoneBy = null] = first.left_by === null ? [] : await readCommits(1, first.left_by)
  const after = undoneBy?.seq ?? seq
  const last = newest[0]?.seq ?? after
  const later =
    newest.length === COUNTED && newest.at(-1)!.seq > after
      ? last - after
      : newest.filter((commit) => commit.seq > after && !commit.left && commit.goes_on_from === null).length
  return { undoneBy, newest: last, later }
}

/** The newest commits up to one. */
const readCommits = async (limit: number, upTo?: number): Promise<readonly CommitSummary[]> =>
  (await sandbox['world.commits']({ limit, ...(upTo === undefined ? {} : { before: upTo + 1 }) })).commits

/** Undefined until it is known; null if there is nothing to undo. */
function useUndoState(before: number, seq: number) {
  const version = useFeed(({ versions }) => versions['*'] ?? 0)
  const [state, setState] = useState<UndoState | null>()
  const reading = useRef(0)
  const refresh = useCallback(async () => {
    const own = ++reading.current
    const read = await readUndoState(before, seq)
    if (own === reading.current) setState(read)
  }, [before, seq])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a rewind by any client increases the version.
  useEffect(() => {
    // Without a connection the last known state stays; it is read again after reconnecting.
    refresh().catch(() => {})
    return () => void reading.current++
  }, [refresh, version])
  return { state, refresh }
}
