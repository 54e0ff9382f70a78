import { Redo2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useFeed } from '../data/feed.ts'
import { sandbox } from '../data/sandbox.ts'
import { errorText } from '../format/errors.ts'
import { formatCount, plural } from '../format/numbers.ts'
import { Button } from '../ui/Button.tsx'

interface UndoProps {
  /** The commit after which the world was as it should be again. */
  readonly before: number
  /** What is taken back, as in "the advance". */
  readonly what: string
  /** The commit with which it was done: what came after it goes as well, and that is said. */
  readonly did?: number
  readonly onUndone?: () => void
}

/** Takes back what was done to the world by rewinding to the commit before it; and brings it back in the same way. */
export function Undo({ before, what, did, onUndone }: UndoProps) {
  const seq = useFeed((feed) => feed.seq)
  const lost = useFeed((feed) => feed.connection !== 'live')
  const [doing, setDoing] = useState(false)
  /** The commit that took it back. */
  const [undone, setUndone] = useState<number | null>(null)
  const [error, setError] = useState<string | null>(null)
  const rewind = async (to: number) => {
    if (doing || lost) return
    setDoing(true)
    setError(null)
    try {
      const { seq: rewound } = await sandbox['world.rewind']({ seq: to })
      setUndone(undone === null ? rewound : null)
      if (undone === null) onUndone?.()
    } catch (thrown) {
      setError(errorText(thrown))
    } finally {
      setDoing(false)
    }
  }
  // Others go on meanwhile: a request that came between the commit before and this one's is not part of it.
  const between = useFeed(({ exchanges }) => {
    if (did === undefined || did <= before + 1) return 0
    return exchanges.filter((it) => it.seq_after > it.seq_before && it.seq_after > before && it.seq_after <= did).length
  })
  const later = undone === null ? (did === undefined ? 0 : seq - did) : seq - undone
  const Sign = undone === null ? Undo2 : Redo2
  return (
    <span className="row" data-undo>
      <Button
        small
        aria-disabled={doing || lost}
        title={lost ? 'There is no connection.' : undefined}
        onClick={() => void rewind(undone === null ? before : undone - 1)}
      >
        <Sign size={12} strokeWidth={1.8} aria-hidden="true" />
        {undone === null ? 'Undo' : 'Bring back'} <span className="unseen">{what}</span>
      </Button>
      <span role="status">{undone !== null && `Undone by rewinding to commit ${formatCount(before)}.`}</span>
      {later > 0 && <span className="meta">{plural(later, 'later commit')} would go, too</span>}
      {undone === null && between > 0 && (
        <span className="meta">and what {plural(between, 'request')} did meanwhile</span>
      )}
      {error !== null && (
        <span role="alert" className="bad wrap">
          {error}
        </span>
      )}
    </span>
  )
}
