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
        Send the example from your app, after the snippet that fills in <code>$TOKEN</code>:{' '}
        <ScreenLink screen="connect">Connect</ScreenLink>
      </li>
      <li>
        Let a payment arrive without a line of code: <ScreenLink screen="inject">Inject</ScreenLink>
      </li>
      <li>
        Or run a scenario that ends with money in an account: <ScreenLink screen="scenarios">Scenarios</ScreenLink>
      </li>
    </EmptyList>
  )
}
