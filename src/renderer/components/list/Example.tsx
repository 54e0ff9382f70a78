import { type EndpointName, endpoints } from '../../../api/contract/endpoints.ts'
import { shapeOf } from '../../../api/contract/shape.ts'
import type { Endpoint } from '../../../api/contract/terms/endpoint.ts'
import { fillExample, namesIn } from '../../../api/contract/terms/examples.ts'
import { useApiAccess, useProgram } from '../../data/use-program.ts'
import { formatCurl, formatCurlRequest } from '../../format/request.ts'
import { createExample } from '../../forms/example.ts'
import { toSentRequest } from '../../forms/send.ts'
import { useExamples } from '../../forms/use-examples.ts'
import { formatJson } from '../../forms/values.ts'
import { CopyButton } from '../../ui/Button.tsx'
import { CodeBlock, renderCodeLines } from '../../ui/CodeBlock.tsx'
import { ExampleHead } from '../../ui/Notice.tsx'

/**
 * A curl command that creates a record of the list, with uids of this Program if it has the records. The copy signs in first.
 */
export function Example({ of }: { of: EndpointName }) {
  const access = useApiAccess()
  const examples = useExamples(useProgram()?.uid)
  const { method, path, body: schema } = endpoints[of] as Endpoint
  // The body needs the records, so there is nothing to copy until they are read.
  if (examples === null) return <ExampleHead />
  const example = schema && createExample(shapeOf(schema))
  const hasGaps = namesIn(example).some((name) => examples.missing.has(name))
  const body = schema ? formatJson(fillExample(example, examples.values)) : ''
  const sent = toSentRequest({ method, path, body })
  return (
    <>
      <ExampleHead>
        <span className="end">
          <CopyButton text={() => formatCurl(access, sent)} what="example" label="Copy" />
        </span>
      </ExampleHead>
      {hasGaps && (
        <p className="data" style={{ padding: '0 16px' }}>
          Replace the example uids: some of these records do not exist yet.
        </p>
      )}
      <CodeBlock>{renderCodeLines(formatCurlRequest(sent).trimEnd())}</CodeBlock>
    </>
  )
}
