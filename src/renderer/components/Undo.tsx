import { Redo2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useFeed } from '../data/feed.ts'
import { sandbox } from '../data/sandbox.ts'
import { errorText } from '../format/errors.ts'
import { formatCount, plural } from '../format/numbers.ts'
import { Button } from '../ui/Button.tsx'

interface UndoProps {
  /** The commit to rewind to. */
  readonly before: number
  /** What is undone, e.g. "the advance". */
  readonly what: string
  /** The commit to undo. Later commits are undone as well; the number of these is shown. */
  readonly seq?: number
  readonly onUndone?: () => void
}

/** Undoes a change by rewinding to the commit before it, and redoes it by rewinding again. */
export function Undo({ before, what, seq: undoneSeq, onUndone }: UndoProps) {
  const seq = useFeed((feed) => feed.seq)
  const isOffline = useFeed((feed) => feed.connection !== 'live')
  const [isBusy, setBusy] = useState(false)
  /** The commit of the rewind; null if not undone. */
  const [rewindSeq, setRewindSeq] = useState<number | null>(null)
  const [error, setError] = useState<string | null>(null)
  const rewind = async (to: number) => {
    if (isBusy || isOffline) return
    setBusy(true)
    setError(null)
    try {
      const { seq: newSeq } = await sandbox['world.rewind']({ seq: to })
      setRewindSeq(rewindSeq === null ? newSeq : null)
      if (rewindSeq === null) onUndone?.()
    } catch (thrown) {
      setError(errorText(thrown))
    } finally {
      setBusy(false)
    }
  }
  // Requests of other clients between the two commits are undone as well.
  const between = useFeed(({ exchanges }) => {
    if (undoneSeq === undefined || undoneSeq <= before + 1) return 0
    return exchanges.filter((it) => it.seq_after > it.seq_before && it.seq_after > before && it.seq_after <= undoneSeq)
      .length
  })
  const later = rewindSeq === null ? (undoneSeq === undefined ? 0 : seq - undoneSeq) : seq - rewindSeq
  const Icon = rewindSeq === null ? Undo2 : Redo2
  return (
    <span className="row" data-undo>
      <Button
        small
        aria-disabled={isBusy || isOffline}
        title={isOffline ? 'No connection.' : undefined}
        onClick={() => void rewind(rewindSeq === null ? before : rewindSeq - 1)}
      >
        <Icon size={12} strokeWidth={1.8} aria-hidden="true" />
        {rewindSeq === null ? 'Undo' : 'Redo'} <span className="unseen">{what}</span>
      </Button>
      <span role="status">{rewindSeq !== null && `Undone by rewinding to commit ${formatCount(before)}.`}</span>
      {later > 0 && <span className="meta">{plural(later, 'later commit')} will be undone, too</span>}
      {rewindSeq === null && between > 0 && (
        <span className="meta">including {plural(between, 'request')} sent meanwhile</span>
      )}
      {error !== null && (
        <span role="alert" className="bad wrap">
          {error}
        </span>
      )}
    </span>
  )
}
