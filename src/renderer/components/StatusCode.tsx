import type { Exchange } from '../../api/contract/control/exchanges.ts'
import { isDropped, isRefused } from '../data/feed.ts'
import { Glyph } from '../ui/Glyph.tsx'
import { GlyphText } from '../ui/GlyphText.tsx'

/** 200 is plain; a refusal has a cross before it, an answer that never arrived a circle that is struck out. */
export function StatusCode({ exchange }: { exchange: Pick<Exchange, 'status' | 'fault'> }) {
  if (isDropped(exchange))
    return (
      <GlyphText signal="bad" title="The connection was dropped">
        <Glyph name="stopped" />
        <b>cut</b>
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
