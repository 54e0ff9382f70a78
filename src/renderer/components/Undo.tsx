import { Redo2, Undo2 } from 'lucide-react'
import { useFeed } from '../data/feed.ts'
import { sandbox, useAction, useQuery } from '../data/sandbox.ts'
import { formatReplacement } from '../format/commits.ts'
import { errorText, plural } from '../format/text.ts'
import { Button } from '../ui/Button.tsx'
import { Row } from '../ui/Layout.tsx'
import { LineLink } from './ScreenLink.tsx'

interface UndoProps {
  /** Null if nothing was changed. */
  readonly operation: number | null
  /** What is undone, e.g. "the advance". */
  readonly what: string
  /** The history itself shows what was undone. */
  readonly isInHistory?: boolean
}

/** Undoes an operation, and redoes it. The sandbox knows whether it is undone, so it is the same in each window and after a reload. */
export function Undo({ operation, what, isInHistory = false }: UndoProps) {
  const seq = useFeed((feed) => feed.seq)
  const isOffline = useFeed((feed) => feed.connection !== 'live')
  const input = operation === null ? null : { operation }
  const { data } = useQuery('operations.preview', input, [], { beat: seq, pauses: 9, keeps: true })
  const { run, isBusy, error } = useAction((name: 'undo' | 'redo') => sandbox[`operations.${name}`](input ?? {}))
  if (!data || operation === null) return null
  const { undone_by } = data
  const name = undone_by ? 'redo' : 'undo'
  const step = data[name]
  const others = (step?.operations ?? 1) - 1
  const undoing = undone_by && formatReplacement(undone_by.seq, undone_by)
  return (
    <Row as="span" wraps gap={8} data-undo>
      {step && (
        <Button
          icon={undone_by ? Redo2 : Undo2}
          small
          aria-disabled={isBusy}
          whyNot={isOffline ? 'No connection.' : undefined}
          onClick={() => void run(name)}
        >
          {undone_by ? 'Redo' : 'Undo'} <span className="unseen">{what}</span>
        </Button>
      )}
      <span role="status">
        {undone_by && (
          <>
            Undone by {undoing}.{' '}
            {!isInHistory && (
              <LineLink pane="operations" commit={operation}>
                See what was undone
              </LineLink>
            )}
          </>
        )}
      </span>
      {undone_by && undone_by.cause.undo === undefined && (
        <Undo operation={undone_by.seq} what={undoing ?? ''} isInHistory={isInHistory} />
      )}
      {step && others > 0 && (
        <span className="meta">
          {plural(others, 'other operation')} will be {name === 'undo' ? 'undone' : 'redone'}, too
          {step.requests > 0 && `, ${plural(step.requests, 'request')} among them`}
        </span>
      )}
      {error !== undefined && (
        <span role="alert" className="bad wrap">
          {errorText(error)}
        </span>
      )}
    </Row>
  )
}
