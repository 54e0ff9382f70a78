import type { ExchangeDetail } from '../../../api/contract/control/exchanges.ts'
import { SendResult } from '../../components/SendResult.tsx'
import { formatCount } from '../../format/numbers.ts'
import { findCreatedRecord } from '../../forms/send.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Actions, Caption } from '../../ui/Layout.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './InjectionForm.module.css'
import type { Kind } from './injections.ts'
import type { Run } from './use-injection.ts'

interface InjectionResultProps {
  readonly kind: Kind
  readonly exchange: ExchangeDetail | undefined
  readonly run: Run | null
  readonly failure: unknown
  /** With the uid of the record that was made. */
  readonly onNext: (next: NonNullable<Kind['next']>, made: string) => void
}

/** The answer to what was injected, and what can follow it. */
export function InjectionResult({ kind, exchange, run, failure, onNext }: InjectionResultProps) {
  const made = exchange && findCreatedRecord(exchange)
  return (
    <section aria-label="What came of it">
      <Caption className={styles.caption} role="status">
        <h2>What came of it</h2>
        {run && run.of > 1 && run.state !== 'running' && (
          <span className="meta">
            {formatCount(run.done)} injected{run.refused > 0 ? `, ${formatCount(run.refused)} of them refused` : ''}
            {run.state === 'canceled' ? `, ${formatCount(run.of - run.done)} not sent` : ''}; the last one:
          </span>
        )}
      </Caption>
      {failure !== undefined && <Notice title="It could not be sent." error={failure} />}
      {exchange ? (
        <SendResult exchange={exchange} />
      ) : (
        failure === undefined && (
          <Caption as="p" className={cx(styles.caption, 'data faint')}>
            Nothing yet. Ctrl and Enter send from any field.
          </Caption>
        )
      )}
      {kind.next && made && (
        <Actions as="p">
          <Button onClick={() => onNext(kind.next!, made.uid)}>Next: {kind.next.label}</Button>
        </Actions>
      )}
    </section>
  )
}
