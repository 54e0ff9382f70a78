import { useState } from 'react'
import type { MethodOutput } from '../../../api/contract/control/methods.ts'
import { type AdvanceName, advanceAction, advanceInput } from '../../actions/clock.ts'
import { useQuery } from '../../data/sandbox.ts'
import { type Call, callOf } from '../../data/trying.ts'
import { Choice } from '../../ui/Field.tsx'
import { Row } from '../../ui/Layout.tsx'
import { Loaded, Notice } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import { Refusal } from '../Refusal.tsx'
import { StatusCode } from '../Status.tsx'
import { Changes } from './Changes.tsx'

type Then = 'alone' | Exclude<AdvanceName, 'hour'>
const thens = ['alone', 'next', 'businessDay', 'idle'] as const satisfies readonly Then[]

/** An advance after it shows what follows from it. */
export function Tried({ calls }: { readonly calls: readonly Call[] }) {
  const [then, setThen] = useState<Then>('alone')
  const further = then === 'alone' ? [] : [callOf('clock.advance', advanceInput(then))]
  const query = useQuery('worlds.try', { calls: [...calls, ...further] }, [], { keeps: true })
  return (
    <>
      <Row pad="8 16" line="bottom">
        <Choice
          legend="And then"
          inline
          options={thens.map((value) => ({
            value,
            label: value === 'alone' ? 'nothing else' : advanceAction(value).label!.toLowerCase(),
          }))}
          value={then}
          onChange={setThen}
        />
      </Row>
      <div role="status" aria-label="What it would do">
        <Loaded query={query} failure="It could not be tried." rows={6}>
          {({ answers, changes }) => (
            <>
              {answers.map((answer, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: calls are known by their place.
                <Answer key={at} {...answer} />
              ))}
              <Changes {...changes} />
            </>
          )}
        </Loaded>
      </div>
    </>
  )
}

/** What a request is answered, or why a call is refused: the changes say the rest. */
function Answer({ method, output, refused }: MethodOutput<'worlds.try'>['answers'][number]) {
  const [error] = refused?.errors ?? []
  if (error)
    return (
      <Notice title="It would be refused.">
        <Text>{error.extra ?? error.detail}</Text>
      </Notice>
    )
  if (method !== 'exchanges.send') return null
  const exchange = output as MethodOutput<'exchanges.send'>
  return (
    <>
      <Row as="p" gap={8} pad="6 16" line="bottom" text="data">
        <StatusCode exchange={exchange} /> <Text>{exchange.did}</Text>
      </Row>
      {exchange.refusal && <Refusal refusal={exchange.refusal} endpoint={exchange.endpoint} />}
    </>
  )
}
