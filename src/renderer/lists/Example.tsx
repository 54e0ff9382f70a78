import type { EndpointName } from '../../api/contract/endpoints.ts'
import { endpoints } from '../../api/contract/endpoints.ts'
import { asCurl } from '../as-text.ts'
import { CopyButton } from '../components/CopyButton.tsx'
import { exampleOf } from '../components/form/example.ts'
import { fillingOf, useFacts } from '../components/form/facts.ts'
import { unsent } from '../components/form/send.ts'
import { shapeOf } from '../components/form/shape.ts'
import { printed } from '../components/form/values.ts'
import { useFeed } from '../stores/feed.ts'
import { useProgram } from '../use-program.ts'

const NOTHING_WISHED = {}

/** The call that makes the first record of a list, with the uids of this Program where it has them. */
export function Example({ of }: { of: EndpointName }) {
  const api = useFeed((feed) => feed.world?.api ?? '')
  const facts = useFacts(useProgram()?.uid, NOTHING_WISHED)
  const { method, path, ...declared } = endpoints[of]
  const body = facts && 'body' in declared ? printed(exampleOf(shapeOf(declared.body), fillingOf(facts))) : ''
  const text = asCurl(api, unsent({ method, path, body }))
  return (
    <>
      <div className="cap">
        <h2>One worked example</h2>
        <span className="end">
          <CopyButton text={text} what="example" label="Copy" />
        </span>
      </div>
      <pre className="code">
        {text
          .trimEnd()
          .split('\n')
          .map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text stay in their order.
            <span key={at}>{line}</span>
          ))}
      </pre>
    </>
  )
}
