import { Check } from 'lucide-react'
import { type Exchange, Stage } from '../../../api/contract/control/exchanges.ts'
import { formatCount } from '../../format/numbers.ts'
import { Glyph } from '../../ui/Glyph.tsx'
import styles from './Stages.module.css'

/** The checks that a request goes through, in order, with the one that refused it. */
export function Stages({ refusedAt, exchange }: { refusedAt: Stage | null; exchange: Exchange }) {
  const stages = Stage.options
  const end = refusedAt === null ? stages.length : stages.indexOf(refusedAt)
  const changed = exchange.seq_after > exchange.seq_before
  return (
    <div className={styles.stages} data-stages>
      <ol style={{ display: 'contents' }}>
        {stages.map((stage, at) => (
          <li
            key={stage}
            data-refused={at === end ? '' : undefined}
            data-unreached={at > end ? '' : undefined}
            aria-label={`${stage}: ${at < end ? 'passed' : at === end ? 'refused' : 'not reached'}`}
          >
            {at < end ? (
              <Check size={11} strokeWidth={2} aria-hidden="true" />
            ) : (
              <Glyph name={at === end ? 'broken' : 'not-begun'} size={9} />
            )}
            {stage}
          </li>
        ))}
      </ol>
      <span className="end nowrap">{changed ? `commit ${formatCount(exchange.seq_after)}` : 'no changes'}</span>
    </div>
  )
}
