import { exampleOf, type MethodName, methods } from '../../../api/contract/control/methods.ts'
import { shapeOf } from '../../forms/shape.ts'
import { formatJson } from '../../forms/values.ts'
import { JsonView } from '../../ui/JsonView.tsx'
import { PaneIntro } from '../../ui/Layout.tsx'
import { Fields, Part } from './Tables.tsx'

/** One method of the control API. */
export function MethodPage({ name }: { name: MethodName }) {
  const { summary, input, output, ...more } = methods[name]
  const inputShape = shapeOf(input)
  return (
    <>
      <PaneIntro as="header">
        <h2 className="mono">POST /control/{name}</h2>
        <p>{summary}.</p>
        <p className="meta">
          Control API · header x-control-key · returns 200 with the output, or 4xx with the error body
          {'isAction' in more && ' · operator action: it is logged, and a replay repeats it'}
        </p>
      </PaneIntro>
      <Part title="Input">
        <Fields shape={inputShape} of="the input" required="required" />
      </Part>
      <Part title="Example input">
        <JsonView body={formatJson(exampleOf(name))} />
      </Part>
      <Part title="Output">
        <Fields shape={shapeOf(output, 'output')} of="the output" required="always present" />
      </Part>
    </>
  )
}
