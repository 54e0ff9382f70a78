import { Redo2, Undo2 } from 'lucide-react'
import { useFeed } from '../data/feed.ts'
import { sandbox } from '../data/sandbox.ts'
import { useAction } from '../data/use-action.ts'
import { formatReplacement } from '../format/commits.ts'
import { errorText } from '../format/errors.ts'
import { formatCount, plural } from '../format/numbers.ts'
import { Row } from '../ui/Box.tsx'
import { Button } from '../ui/Button.tsx'
import { ScreenLink } from './ScreenLink.tsx'
import { type UndoState, useUndoState } from './use-undo-state.ts'

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
