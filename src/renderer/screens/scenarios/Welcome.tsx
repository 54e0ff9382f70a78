import type { ScenarioInfo } from '../../../api/contract/control/scenarios.ts'
import { ButtonLink } from '../../components/ScreenLink.tsx'
import { Button } from '../../ui/Button.tsx'
import { CodeBlock, renderCodeLines } from '../../ui/CodeBlock.tsx'
import { EmptyState, ExampleHead, Way } from '../../ui/EmptyState.tsx'
import { Pane } from '../../ui/Layout.tsx'

const EXAMPLE = `name: A Customer is created
teaches: The smallest test is one request with expectations for its response.

steps:
  - name: Create a Customer
    request: POST /customers
    body: { email: ada@example.test }
    expect:
      status: 201
      body: { status: initiated }
    capture: { customer: uid }

  - expect:
      states: { customers/$customer: initiated }
      ledger: balanced`

interface WelcomeProps {
  readonly record: () => void
  readonly first: ScenarioInfo | undefined
  readonly select: (info: ScenarioInfo) => void
}

/** Shown until a scenario is selected: what scenarios are, and three ways to start. */
export function Welcome({ record, first, select }: WelcomeProps) {
  return (
    <Pane aria-label="About scenarios" tabIndex={0}>
      <EmptyState
        stacked
        title="A scenario is a test you can read"
        text={
          <>
            Requests, decisions and clock advances, each with expectations. Step through a file here, and run the same
            file in CI with <code>sandbank run</code>.
          </>
        }
        example={
          <>
            <ExampleHead />
            <CodeBlock>{renderCodeLines(EXAMPLE)}</CodeBlock>
          </>
        }
      >
        {first && (
          <Way title="From the library" text="Choose a scenario from the list, then run it or step through it.">
            <Button onClick={() => select(first)}>Open the first</Button>
          </Way>
        )}
        <Way title="Record" text="Use your app as usual: its requests become a file, and uids become variables.">
          <Button onClick={record}>Record…</Button>
        </Way>
        <Way title="From a recording" text="Import a HAR file, curl lines or a bundle into this world, then record it.">
          <ButtonLink screen="requests" params={{ replay: ['import'] }}>
            Import…
          </ButtonLink>
        </Way>
      </EmptyState>
    </Pane>
  )
}
