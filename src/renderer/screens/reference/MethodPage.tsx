import { type MethodName, methods } from '../../../api/contract/control/methods.ts'
import { exampleOf } from '../../forms/example.ts'
import { shapeOf } from '../../forms/shape.ts'
import { printed } from '../../forms/values.ts'
import { JsonView } from '../../ui/JsonView.tsx'
import { PaneIntro } from '../../ui/Layout.tsx'
import { Fields, Part } from './Tables.tsx'

/** A method of the control API: what the operator can do, and so can a script. */
export function MethodPage({ name }: { name: MethodName }) {
  const { summary, input, output, ...more } = methods[name]
  const asked = shapeOf(input)
  return (
    <>
      <PaneIntro as="header">
        <h2 className="mono">POST /control/{name}</h2>
        <p>{summary}.</p>
        <p className="meta">
          Control API · header x-control-key · answers 200 with the answer itself, or 4xx with the error body
          {'isAction' in more && ' · operator action: it is logged, and a replay repeats it'}
        </p>
      </PaneIntro>
      <Part title="Input">
        <Fields shape={asked} of="the input" always="required" />
      </Part>
      <Part title="Example of an input">
        <JsonView body={printed(exampleOf(asked) ?? {})} />
      </Part>
      <Part title="Answer">
        <Fields shape={shapeOf(output, 'output')} of="the answer" always="always there" />
      </Part>
    </>
  )
}
