import { Zap } from 'lucide-react'
import { useId, useMemo, useRef, useState } from 'react'
import type { MethodInput } from '../../../api/contract/control/methods.ts'
import { OutsideTransaction } from '../../../api/contract/resources/outside-transactions.ts'
import { examples as texts } from '../../../api/contract/terms/examples.ts'
import { CreatedRecord } from '../../components/SendResult.tsx'
import { sandbox } from '../../data/sandbox.ts'
import { failureTitle } from '../../format/errors.ts'
import { BodyText } from '../../forms/BodyText.tsx'
import { findFieldErrors } from '../../forms/field-errors.ts'
import { fillBody, findMissing } from '../../forms/injections.ts'
import { SchemaForm } from '../../forms/SchemaForm.tsx'
import { shapeOf } from '../../forms/shape.ts'
import { useBody } from '../../forms/use-body.ts'
import { type Examples, useCustomerExamples } from '../../forms/use-examples.ts'
import type { JsonObject } from '../../forms/values.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Actions, Caption, Pane, PaneIntro } from '../../ui/Layout.tsx'
import { Notice, NoticeLine } from '../../ui/Notice.tsx'
import { Splitter, usePaneSize } from '../../ui/Splitter.tsx'
import styles from './InjectionForm.module.css'

const LEADS = ['movement', 'customer_uid', 'us_dollar_amount', 'synthetic_account_uid', 'counterparty_name']

/** Injects movements that no request can create, with the control method `transactions.inject`. */
export function OutsideForm({ examples: initial, program_uid }: { examples: Examples; program_uid: string }) {
  const id = useId()
  const pane = useRef<HTMLElement>(null)
  const body = useBody(createBody(initial))
  const examples = useCustomerExamples(program_uid, initial, body, createBody)
  const problems = useMemo(() => findFieldErrors(OutsideTransaction, body.value), [body.value])
  const { created, failure, isBusy, inject } = useOutsideInjection()
  const missing = findMissing(EXAMPLE, examples)
  const isInvalid = problems.size > 0 || body.error !== null
  const submit = () => {
    if (isInvalid) pane.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    else if (!isBusy) void inject(body.value as MethodInput<'transactions.inject'>)
  }
  const side = usePaneSize('inject-body', '--side')
  return (
    <Pane className={styles.injection} aria-label="Injection" ref={pane} style={side.style}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <PaneIntro as="header">
          <h2>A movement outside the application</h2>
          <p className="data soft">
            The custodian reports a card purchase, a direct deposit, interest or a fee. The Transaction is pending at
            once and is never refused for insufficient funds. Clients cannot create it: this calls the control method{' '}
            <code>transactions.inject</code>.
          </p>
        </PaneIntro>
        {missing !== null && (
          <NoticeLine isWarning>
            <b>Records are missing.</b> {missing.text}
          </NoticeLine>
        )}
        <div className={styles.fields}>
          <SchemaForm
            id={id}
            shape={shapeOf(OutsideTransaction)}
            value={body.value}
            onChange={body.setValue}
            problems={problems}
            examples={examples.values}
            leads={LEADS}
          />
        </div>
        <Actions className={styles.actions}>
          <Button type="submit" primary className={styles.inject} aria-disabled={isBusy || isInvalid || undefined}>
            <Zap size={12} strokeWidth={1.8} aria-hidden="true" />
            {created ? 'Inject again' : 'Inject'}
          </Button>
        </Actions>
      </form>
      <Splitter label="Width of the body" sizes="after" min={320} onResize={side.onResize} />
      <div className={styles.side}>
        <Caption className={styles.caption}>
          <h2>Input</h2>
          <span className="meta">in sync with the form</span>
        </Caption>
        <BodyText body={body} problems={problems} onSend={submit} />
        <section aria-label="Result">
          <Caption className={styles.caption} role="status">
            <h2>Result</h2>
          </Caption>
          {failure !== undefined && <Notice title={failureTitle('The movement', failure)} error={failure} />}
          {created && <CreatedRecord collection="transactions" uid={created.uid} />}
          {!created && failure === undefined && (
            <Caption as="p" className={cx(styles.caption, 'data faint')}>
              No result yet. Ctrl+Enter injects from the input.
            </Caption>
          )}
        </section>
      </div>
    </Pane>
  )
}

const EXAMPLE: JsonObject = {
  movement: 'card_purchase',
  customer_uid: texts.customers,
  us_dollar_amount: '21.89',
  synthetic_account_uid: texts.synthetic_accounts,
  counterparty_name: 'Bayline Hotels',
}
const createBody = (of: Examples) => fillBody(EXAMPLE, of)

function useOutsideInjection() {
  const [created, setCreated] = useState<{ readonly uid: string } | null>(null)
  const [failure, setFailure] = useState<unknown>(undefined)
  const [isBusy, setBusy] = useState(false)
  const inject = async (input: MethodInput<'transactions.inject'>) => {
    setBusy(true)
    try {
      const { uid } = await sandbox['transactions.inject'](input)
      setCreated({ uid: String(uid) })
      setFailure(undefined)
    } catch (error) {
      setFailure(error)
    }
    setBusy(false)
  }
  return { created, failure, isBusy, inject }
}
