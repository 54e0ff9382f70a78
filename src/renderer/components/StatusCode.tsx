import type { Exchange } from '../../api/contract/control.ts'
import { isCut, isRefused } from '../data/feed.ts'
import { Shape } from '../ui/Glyph.tsx'

/** 200 is plain; a refusal has a cross before it, an answer that never arrived a circle that is struck out. */
export function StatusCode({ exchange }: { exchange: Pick<Exchange, 'status' | 'fault'> }) {
  if (isCut(exchange))
    return (
      <span className="st" data-signal="bad" title="The connection was dropped">
        <Shape name="stopped" />
        <b>cut</b>
      </span>
    )
  if (!isRefused(exchange)) return <>{exchange.status}</>
  return (
    <span className="st" data-signal="bad">
      <Shape name="broken" />
      <b>{exchange.status}</b>
      <span className="unseen">refused</span>
    </span>
  )
}
