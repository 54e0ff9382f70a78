import type { EndpointName } from '../../../api/contract/endpoints.ts'
import { endpoints } from '../../../api/contract/endpoints.ts'
import { useApiAccess, useProgram } from '../../data/use-program.ts'
import { formatCurl, formatCurlRequest } from '../../format/request.ts'
import { createExample, type ExampleValues } from '../../forms/example.ts'
import { exampleValuesFrom, useSampleRecords } from '../../forms/sample-records.ts'
import { toSentRequest } from '../../forms/send.ts'
import { shapeOf } from '../../forms/shape.ts'
import { formatJson } from '../../forms/values.ts'
import { CodeBlock, renderCodeLines } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ExampleHead } from '../../ui/EmptyState.tsx'
import styles from './Example.module.css'

const NO_PREFERENCE = {}

/**
 * A curl command that creates a record of the list, with uids of this Program if it has the records. The copy signs in first.
 */
export function Example({ of }: { of: EndpointName }) {
  const access = useApiAccess()
  const facts = useSampleRecords(useProgram()?.uid, NO_PREFERENCE)
  const { method, path, ...declared } = endpoints[of]
  // The body needs the records, so there is nothing to copy until they are read.
  if (facts === null) return <ExampleHead />
  const { uid, ...rest } = exampleValuesFrom(facts)
  let hasGaps = false
  const filling: ExampleValues = {
    ...rest,
    uid: (field, parent) => {
      const found = uid?.(field, parent)
      if (found === undefined) hasGaps = true
      return found
    },
  }
  const body = 'body' in declared ? formatJson(createExample(shapeOf(declared.body), filling)) : ''
  const sent = toSentRequest({ method, path, body })
  return (
    <>
      <ExampleHead>
        <span className="end">
          <CopyButton text={() => formatCurl(access, sent)} what="example" label="Copy" />
        </span>
      </ExampleHead>
      {hasGaps && <p className={styles.missing}>Replace the example uids: some of these records do not exist yet.</p>}
      <CodeBlock>{renderCodeLines(formatCurlRequest(sent).trimEnd())}</CodeBlock>
    </>
  )
}
