import type { Exchange } from '../../api/contract/control/exchanges.ts'
import { isDropped, isRefused } from '../data/feed.ts'
import { Glyph } from '../ui/Glyph.tsx'
import { GlyphText } from '../ui/GlyphText.tsx'

/** An HTTP status. Errors and dropped connections have a glyph. */
export function StatusCode({ exchange }: { exchange: Pick<Exchange, 'status' | 'fault'> }) {
  if (isDropped(exchange))
    return (
      <GlyphText signal="bad" title="The connection was dropped">
        <Glyph name="stopped" />
        <b>dropped</b>
      </GlyphText>
    )
  if (!isRefused(exchange)) return <>{exchange.status}</>
  return (
    <GlyphText signal="bad">
      <Glyph name="broken" />
      <b>{exchange.status}</b>
      <span className="unseen">refused</span>
    </GlyphText>
  )
}
