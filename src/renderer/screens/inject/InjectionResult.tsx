import type { ExchangeDetail } from '../../../api/contract/control/exchanges.ts'
import { SendResult } from '../../components/SendResult.tsx'
import { formatCount } from '../../format/numbers.ts'
import type { Injection } from '../../forms/injections.ts'
import { findCreatedRecord } from '../../forms/send.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Actions, Caption } from '../../ui/Layout.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './InjectionForm.module.css'
import type { Run } from './use-injection.ts'

interface InjectionResultProps {
  readonly injection: Injection
  readonly exchange: ExchangeDetail | undefined
  readonly run: Run | null
  readonly failure: unknown
  /** Opens the next injection for the created record. */
  readonly onNext: (next: NonNullable<Injection['next']>, uid: string) => void
}

/** The response to the injection, and the usual next injection. */
export function InjectionResult({ injection, exchange, run, failure, onNext }: InjectionResultProps) {
  const created = exchange && findCreatedRecord(exchange)
  return (
    <section aria-label="Result">
      <Caption className={styles.caption} role="status">
        <h2>Result</h2>
        {run && run.of > 1 && run.state !== 'running' && (
          <span className="meta">
            {formatCount(run.done)} injected{run.refused > 0 ? `, ${formatCount(run.refused)} of them refused` : ''}
            {run.state === 'canceled' ? `, ${formatCount(run.of - run.done)} not sent` : ''}; last response:
          </span>
        )}
      </Caption>
      {failure !== undefined && <Notice title="The request could not be sent." error={failure} />}
      {exchange ? (
        <SendResult exchange={exchange} />
      ) : (
        failure === undefined && (
          <Caption as="p" className={cx(styles.caption, 'data faint')}>
            No result yet. Ctrl+Enter injects from any field.
          </Caption>
        )
      )}
      {injection.next && created && (
        <Actions as="p">
          <Button onClick={() => onNext(injection.next!, created.uid)}>Next: {injection.next.label}</Button>
        </Actions>
      )}
    </section>
  )
}
