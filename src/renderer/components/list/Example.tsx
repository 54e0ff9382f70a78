import type { EndpointName } from '../../../api/contract/endpoints.ts'
import { endpoints } from '../../../api/contract/endpoints.ts'
import { useFeed } from '../../data/feed.ts'
import { useProgram } from '../../data/use-program.ts'
import { formatCurl } from '../../format/request.ts'
import { exampleOf, type Filling } from '../../forms/example.ts'
import { fillingOf, useFacts } from '../../forms/facts.ts'
import { unsent } from '../../forms/send.ts'
import { shapeOf } from '../../forms/shape.ts'
import { printed } from '../../forms/values.ts'
import { CodeBlock, codeLines } from '../../ui/CodeBlock.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ExampleHead } from '../../ui/EmptyState.tsx'
import styles from './Example.module.css'

const NOTHING_WISHED = {}

/** The call that makes the first record of a list, with the uids of this Program where it has them. */
export function Example({ of }: { of: EndpointName }) {
  const api = useFeed((feed) => feed.world?.api ?? '')
  const facts = useFacts(useProgram()?.uid, NOTHING_WISHED)
  const { method, path, ...declared } = endpoints[of]
  // Without its body it would be another call: until that is known there is nothing to copy.
  if (facts === null) return <ExampleHead />
  const { uid, ...rest } = fillingOf(facts)
  let lacks = false
  const filling: Filling = {
    ...rest,
    uid: (field, parent) => {
      const found = uid?.(field, parent)
      if (found === undefined) lacks = true
      return found
    },
  }
  const body = 'body' in declared ? printed(exampleOf(shapeOf(declared.body), filling)) : ''
  const text = formatCurl(api, unsent({ method, path, body }))
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
      <CodeBlock>{codeLines(text.trimEnd())}</CodeBlock>
    </>
  )
}
