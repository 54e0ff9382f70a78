import { Zap } from 'lucide-react'
import { useId, useMemo, useRef } from 'react'
import { ControlError } from '../../../api/contract/control/client.ts'
import type { MethodInput } from '../../../api/contract/control/methods.ts'
import { OutsideMovement, OutsideTransaction, takes } from '../../../api/contract/resources/outside-transactions.ts'
import { shapeOf } from '../../../api/contract/shape.ts'
import type { Schema } from '../../../api/contract/terms/endpoint.ts'
import { examples as texts } from '../../../api/contract/terms/examples.ts'
import { TryIt } from '../../actions/TryIt.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { CreatedRecord } from '../../components/SendResult.tsx'
import { sandbox, sendingForm, useAction } from '../../data/sandbox.ts'
import { type Call, callOf } from '../../data/trying.ts'
import { failureTitle } from '../../format/text.ts'
import { type Body, BodyText, useBody } from '../../forms/BodyText.tsx'
import { type FieldErrors, findFieldErrors, findRefusedIn } from '../../forms/field-errors.ts'
import { fillBody, findMissing } from '../../forms/injections.ts'
import { SchemaForm } from '../../forms/SchemaForm.tsx'
import { type Examples, useCustomerExamples } from '../../forms/use-examples.ts'
import type { JsonObject } from '../../forms/values.ts'
import { Button } from '../../ui/Button.tsx'
import { Actions, Caption, Column, PaneIntro, Panes, Splitter, Stack, usePaneSize } from '../../ui/Layout.tsx'
import { Notice, NoticeLine } from '../../ui/Notice.tsx'
import styles from './InjectPane.module.css'

interface InjectPaneProps {
  readonly ref: React.Ref<HTMLElement>
  readonly title: string
  readonly about: React.ReactNode
  /** The body before values of the world are filled in: what the world lacks for it is said. */
  readonly wanted: JsonObject
  readonly schema: Schema
  readonly body: Body
  readonly bodyTitle: string
  readonly problems: FieldErrors
  readonly examples: Examples
  readonly leads?: readonly string[] | undefined
  /** Between the introduction and the fields. */
  readonly notice?: React.ReactNode
  /** Above the fields of the body. */
  readonly extraField?: React.ReactNode
  /** Below the fields. */
  readonly warning?: React.ReactNode
  readonly submitLabel: string
  readonly isOff: boolean
  readonly submit: () => void
  readonly calls: () => readonly Call[]
  /** Beside the button. */
  readonly controls?: React.ReactNode
  /** The result, below the body. */
  readonly children: React.ReactNode
}

/** The form of one injection with its body as JSON, and its result. */
export function InjectPane(props: InjectPaneProps) {
  const { ref, title, about, wanted, schema, body, bodyTitle, problems, examples, leads, submit } = props
  const id = useId()
  const side = usePaneSize('inject-body', '--side')
  return (
    <Panes
      as="section"
      className={styles.injection}
      columns={COLUMNS}
      aria-label="Injection"
      ref={ref}
      style={side.style}
      data-pane=""
    >
      <Column as="form" {...sendingForm(submit)}>
        <PaneIntro as="header">
          <h2>{title}</h2>
          <p className="data soft">{about}</p>
        </PaneIntro>
        <MissingRecords wanted={wanted} examples={examples} />
        {props.notice}
        <Stack gap={6} style={{ flex: '1 0 auto', padding: '8px 16px 16px' }}>
          {props.extraField}
          <SchemaForm
            id={id}
            shape={shapeOf(schema)}
            value={body.value}
            onChange={body.setValue}
            problems={problems}
            examples={examples.values}
            customer={examples.customer}
            {...(leads ? { leads } : {})}
          />
        </Stack>
        {props.warning}
        <Actions className={styles.actions}>
          {/* As wide as its longest label, so that the fields beside it do not move. */}
          <Button icon={Zap} type="submit" primary style={{ minWidth: 108 }} aria-disabled={props.isOff || undefined}>
            {props.submitLabel}
          </Button>
          <TryIt what={props.submitLabel} calls={props.calls} />
          {props.controls}
        </Actions>
      </Column>
      <Splitter label="Width of the body" sizes="after" min={320} onResize={side.onResize} />
      <Column>
        <Caption style={WRAPS}>
          <h2>{bodyTitle}</h2>
          <span className="meta">in sync with the form</span>
        </Caption>
        <BodyText {...body} problems={problems} onSend={submit} />
        {props.children}
      </Column>
    </Panes>
  )
}

/** The fields, and the body with the result. */
const COLUMNS = 'minmax(0, 1fr) auto min(var(--side, clamp(448px, 31vw, 480px)), 60%)'
const WRAPS = { flexWrap: 'wrap' } as const

interface ResultProps {
  /** Beside the heading. */
  readonly note?: React.ReactNode
  /** Shown until there is a result. */
  readonly none: React.ReactNode
  readonly children: React.ReactNode
}

/** What the injection did. */
export const Result = ({ note, none, children }: ResultProps) => (
  <section aria-label="Result">
    <Caption style={WRAPS} role="status">
      <h2>Result</h2>
      {note}
    </Caption>
    {children}
    {none && (
      <Caption as="p" className="data faint" style={WRAPS}>
        {none}
      </Caption>
    )}
  </section>
)

/** What the world lacks for this injection. */
function MissingRecords({ wanted, examples }: Pick<InjectPaneProps, 'wanted' | 'examples'>) {
  const missing = findMissing(wanted, examples)
  if (missing === null) return null
  return (
    <NoticeLine is="warning">
      <b>Records are missing.</b> {missing.text}
      {missing.isAccount && (
        <>
          {' '}
          The scenario{' '}
          <ScreenLink screen="scenarios" record="a-funded-customer">
            A funded Customer
          </ScreenLink>{' '}
          creates one when you run it in the current world.
        </>
      )}
    </NoticeLine>
  )
}

/** Injects movements that no request can create, with the control method `transactions.inject`. */
export function OutsideForm({ examples: initial, program_uid }: { examples: Examples; program_uid: string }) {
  const pane = useRef<HTMLElement>(null)
  const body = useBody(createBody(initial))
  const examples = useCustomerExamples(program_uid, initial, body, createBody)
  const invalid = useMemo(() => findFieldErrors(OutsideTransaction, body.value), [body.value])
  const sent = useRef<JsonObject>(undefined)
  const { result, error, isBusy, run } = useAction((input: MethodInput<'transactions.inject'>) => {
    sent.current = input
    return sandbox['transactions.inject'](input)
  })
  const refusal = sent.current === body.value && error instanceof ControlError ? error.body.errors[0] : undefined
  const problems = new Map([...findRefusedIn(shapeOf(OutsideTransaction), refusal ?? null), ...invalid])
  const isInvalid = invalid.size > 0 || body.error !== null
  const submit = () => {
    if (isInvalid) pane.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    else void run(body.value as MethodInput<'transactions.inject'>)
  }
  return (
    <InjectPane
      ref={pane}
      title="A movement outside the application"
      about={
        <>
          The custodian reports a card purchase, a direct deposit, interest or a fee. The Transaction is pending at once
          and is never refused for insufficient funds; a card authorization can be declined, expire, or grow. Clients
          cannot create it: this calls the control method <code>transactions.inject</code>.
        </>
      }
      wanted={EXAMPLE}
      schema={OutsideTransaction}
      body={{ ...body, setValue: (next) => body.setValue(withoutMisfits(body, next)) }}
      problems={problems}
      examples={examples}
      submit={submit}
      calls={() => [callOf('transactions.inject', body.value as MethodInput<'transactions.inject'>)]}
      bodyTitle="Input"
      leads={LEADS}
      submitLabel={result ? 'Inject again' : 'Inject'}
      isOff={isBusy || isInvalid}
    >
      <Result none={!result && error === undefined && 'No result yet. Ctrl+Enter injects from any field.'}>
        {error !== undefined && <Notice title={failureTitle('The movement', error)} error={error} />}
        {result && <CreatedRecord collection="transactions" uid={String(result.uid)} />}
      </Result>
    </InjectPane>
  )
}

const LEADS = [
  ...['movement', 'customer_uid', 'us_dollar_amount', 'synthetic_account_uid', 'counterparty_name'],
  ...['outcome', 'settled_amount', 'transaction_uid', 'period'],
]
const EXAMPLE: JsonObject = {
  movement: 'card_purchase',
  customer_uid: texts.customers,
  us_dollar_amount: '21.89',
  synthetic_account_uid: texts.synthetic_accounts,
  counterparty_name: 'Bayline Hotels',
}

/** Another movement drops the fields that it does not take. */
function withoutMisfits({ value }: Body, next: JsonObject): JsonObject {
  const movement = OutsideMovement.safeParse(next.movement).data
  if (movement === undefined || movement === value.movement) return next
  return Object.fromEntries(Object.entries(next).filter(([field]) => takes(movement, field)))
}

const createBody = (of: Examples) => fillBody(EXAMPLE, of)
