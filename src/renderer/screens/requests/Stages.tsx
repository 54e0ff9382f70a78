import { Check } from 'lucide-react'
import { type Exchange, Stage } from '../../../api/contract/control/exchanges.ts'
import { formatCount } from '../../format/numbers.ts'
import { Row } from '../../ui/Box.tsx'
import { Glyph } from '../../ui/Glyph.tsx'

/** The checks that a request goes through, in order, with the one that refused it. */
export function Stages({ refusedAt, exchange }: { refusedAt: Stage | null; exchange: Exchange }) {
  const stages = Stage.options
  const end = refusedAt === null ? stages.length : stages.indexOf(refusedAt)
  const changed = exchange.seq_after > exchange.seq_before
  return (
    <Row wraps gap="0 8" pad="4 16" least={28} line="bottom" fill="well" text="meta" tone="soft" data-stages>
      <ol style={{ display: 'contents' }}>
        {stages.map((stage, at) => (
          <Row
            as="li"
            key={stage}
            gap={4}
            className="nowrap"
            data-refused={at === end ? '' : undefined}
            data-unreached={at > end ? '' : undefined}
            tone={at === end ? 'bad' : at > end ? 'faint' : 'soft'}
            style={at === end ? { fontWeight: 600 } : undefined}
            aria-label={`${stage}: ${at < end ? 'passed' : at === end ? 'refused' : 'not reached'}`}
          >
            {at < end ? (
              <Check size={11} strokeWidth={2} aria-hidden="true" />
            ) : (
              <Glyph name={at === end ? 'broken' : 'not-begun'} size={9} />
            )}
            {stage}
          </Row>
        ))}
      </ol>
      <span className="end nowrap">{changed ? `commit ${formatCount(exchange.seq_after)}` : 'no changes'}</span>
    </Row>
  )
}
