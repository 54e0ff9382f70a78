import { lazy, Suspense } from 'react'
import type { EndpointName } from '../../../api/contract/endpoints.ts'
import { EmptyState } from '../../ui/Notice.tsx'
import { PlayScenario } from '../PlayScenario.tsx'
import { ConnectLink, ScreenLink } from '../ScreenLink.tsx'

/** Loaded on demand: only empty lists need the examples of the contract. */
const Example = lazy(async () => ({ default: (await import('./Example.tsx')).Example }))

interface EmptyListProps {
  readonly title: string
  readonly text: string
  /** The endpoint that creates one. */
  readonly endpoint: EndpointName
  /** Two to four ways to start, each a list item. */
  readonly children: React.ReactNode
}

export const EmptyList = ({ endpoint, ...state }: EmptyListProps) => (
  <EmptyState
    {...state}
    example={
      <Suspense>
        <Example of={endpoint} />
      </Suspense>
    }
  />
)

export const SendExample = () => (
  <li>
    Send the example from your app. The snippet that sets <code>$TOKEN</code> is in <ConnectLink />
  </li>
)

export const OnboardCustomer = () => (
  <li>
    Onboard a Customer without writing code:{' '}
    <ScreenLink screen="inject" params={{ kind: ['onboard'] }}>
      Inject
    </ScreenLink>
  </li>
)

export const RunScenario = () => (
  <li>
    Play a scenario here that ends with money in an account:
    <PlayScenario />
  </li>
)

/** An empty list of payments. */
export const EmptyPayments = (state: Omit<EmptyListProps, 'children'>) => (
  <EmptyList {...state}>
    <SendExample />
    <li>
      Simulate an incoming payment without writing code: <ScreenLink screen="inject">Inject</ScreenLink>
    </li>
    <RunScenario />
  </EmptyList>
)
