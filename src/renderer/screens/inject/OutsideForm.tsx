import { useMemo, useRef } from 'react'
import { ControlError } from '../../../api/contract/control/client.ts'
import type { MethodInput } from '../../../api/contract/control/methods.ts'
import { OutsideMovement, OutsideTransaction, takes } from '../../../api/contract/resources/outside-transactions.ts'
import { shapeOf } from '../../../api/contract/shape.ts'
import { examples as texts } from '../../../api/contract/terms/examples.ts'
import { CreatedRecord } from '../../components/SendResult.tsx'
import { sandbox } from '../../data/sandbox.ts'
import { useAction } from '../../data/use-action.ts'
import { failureTitle } from '../../format/errors.ts'
import { findFieldErrors, findRefusedIn } from '../../forms/field-errors.ts'
import { fillBody } from '../../forms/injections.ts'
import { type Body, useBody } from '../../forms/use-body.ts'
import { type Examples, useCustomerExamples } from '../../forms/use-examples.ts'
import type { JsonObject } from '../../forms/values.ts'
import { Notice } from '../../ui/Notice.tsx'
import { InjectPane, Result } from './InjectPane.tsx'

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
