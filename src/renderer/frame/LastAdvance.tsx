import { Undo } from '../components/Undo.tsx'
import { useAdvanceResults } from '../data/advance.ts'
import { formatShortInstant } from '../format/text.ts'

/** The last advance of this window, with its Undo. */
export function LastAdvance() {
  const last = useAdvanceResults()[0]
  if (!last || last.ended === 'lost') return null
  return (
    <div className="data">
      <p className="meta">Last advance: to {formatShortInstant(Date.parse(last.to))}</p>
      <Undo key={last.id} what="the last advance" operation={last.operation} />
    </div>
  )
}
