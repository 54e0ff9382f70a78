import type { EndpointName } from '../../../api/contract/endpoints.ts'
import { EmptyList } from '../../components/list/ListScreen.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'

interface EmptyPaymentsProps {
  readonly title: string
  readonly says: string
  readonly endpoint: EndpointName
}

export function EmptyPayments({ title, says, endpoint }: EmptyPaymentsProps) {
  return (
    <EmptyList title={title} text={says} endpoint={endpoint}>
      <li>
        Send the example from your app. The snippet that sets <code>$TOKEN</code> is on{' '}
        <ScreenLink screen="connect">Connect</ScreenLink>
      </li>
      <li>
        Simulate an incoming payment without writing code: <ScreenLink screen="inject">Inject</ScreenLink>
      </li>
      <li>
        Run a scenario that ends with money in an account: <ScreenLink screen="scenarios">Scenarios</ScreenLink>
      </li>
    </EmptyList>
  )
}
