import type { EndpointName } from '../../../api/contract/endpoints.ts'
import { EmptyList } from '../../components/list/ListScreen.tsx'
import { Go } from '../../components/ScreenLink.tsx'

interface NoPaymentsProps {
  readonly title: string
  readonly says: string
  readonly endpoint: EndpointName
}

export function NoPayments({ title, says, endpoint }: NoPaymentsProps) {
  return (
    <EmptyList title={title} says={says} endpoint={endpoint}>
      <li>
        Send the example from your app, after the snippet that fills in <code>$TOKEN</code>:{' '}
        <Go screen="connect">Connect</Go>
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
