import type { EndpointName } from '../../../api/contract/endpoints.ts'
import { endpoints } from '../../../api/contract/endpoints.ts'
import { useFeed } from '../../data/feed.ts'
import { useProgram } from '../../data/use-program.ts'
import { formatCurl } from '../../format/request.ts'
import { createExample, type ExampleValues } from '../../forms/example.ts'
import { exampleValuesFrom, useSampleRecords } from '../../forms/sample-records.ts'
import { toSentRequest } from '../../forms/send.ts'
import { shapeOf } from '../../forms/shape.ts'
import { formatJson } from '../../forms/values.ts'
import { CodeBlock, renderCodeLines } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ExampleHead } from '../../ui/EmptyState.tsx'
import styles from './Example.module.css'

const NOTHING_WISHED = {}

/** The call that makes the first record of a list, with the uids of this Program where it has them. */
export function Example({ of }: { of: EndpointName }) {
  const api = useFeed((feed) => feed.world?.api ?? '')
  const facts = useSampleRecords(useProgram()?.uid, NOTHING_WISHED)
  const { method, path, ...declared } = endpoints[of]
  // Without its body it would be another call: until that is known there is nothing to copy.
  if (facts === null) return <ExampleHead />
  const { uid, ...rest } = exampleValuesFrom(facts)
  let lacks = false
  const filling: ExampleValues = {
    ...rest,
    uid: (field, parent) => {
      const found = uid?.(field, parent)
      if (found === undefined) lacks = true
      return found
    },
  }
  const body = 'body' in declared ? formatJson(createExample(shapeOf(declared.body), filling)) : ''
  const text = formatCurl(api, toSentRequest({ method, path, body }))
  return (
    <>
      <ExampleHead>
        <span className="end">
          <CopyButton text={text} what="example" label="Copy" />
        </span>
      </ExampleHead>
      {lacks && (
        <p className={styles.missing}>Put in uids of your own: not all the records that it names are there yet.</p>
      )}
      <CodeBlock>{renderCodeLines(text.trimEnd())}</CodeBlock>
    </>
  )
}
