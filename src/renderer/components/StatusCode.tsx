import type { Exchange } from '../../api/contract/control/exchanges.ts'
import { isDropped, isRefused } from '../data/feed.ts'
import { GlyphText } from '../ui/GlyphText.tsx'

/** An HTTP status. Errors and dropped connections have a glyph. */
export function StatusCode({ exchange }: { exchange: Pick<Exchange, 'status' | 'fault'> }) {
  if (isDropped(exchange))
    return (
      <GlyphText glyph="stopped" signal="bad" title="The connection was dropped">
        <b>dropped</b>
      </GlyphText>
    )
  if (!isRefused(exchange)) return <>{exchange.status}</>
  return (
    <GlyphText glyph="broken" signal="bad">
      <b>{exchange.status}</b>
      <span className="unseen">refused</span>
    </GlyphText>
  )
}
