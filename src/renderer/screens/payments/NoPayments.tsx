import { Go } from '../../components/Go.tsx'
import { EmptyList } from '../../lists/ListScreen.tsx'
import { useFeed } from '../../stores/feed.ts'

interface NoPaymentsProps {
  readonly title: string
  readonly says: string
  readonly path: string
  readonly body: string
}

export function NoPayments({ title, says, path, body }: NoPaymentsProps) {
  const api = useFeed((feed) => feed.world?.api ?? '')
  return (
    <EmptyList
      title={title}
      says={says}
      example={`curl -s -X POST "${api}/${path}" \\
  -H "Authorization: $TOKEN" \\
  -H "x-trace-id: $(openssl rand -hex 16)" \\
  -H "content-type: application/json" \\
  -d '${body}'
`}
    >
      <li>
        Send <code>POST /{path}</code> from your app: it shows here at once.
      </li>
      <li>
        Let a payment arrive without a line of code: <Go screen="inject">Inject</Go>
      </li>
      <li>
        Or run a scenario that ends with money in an account: <Go screen="scenarios">Scenarios</Go>
      </li>
    </EmptyList>
  )
}
