import type { ScenarioInfo } from '../../../api/contract/control/scenarios.ts'
import { ButtonLink } from '../../components/ScreenLink.tsx'
import { Button } from '../../ui/Button.tsx'
import { CodeBlock, renderCodeLines } from '../../ui/CodeBlock.tsx'
import { EmptyState, ExampleHead } from '../../ui/EmptyState.tsx'
import { Pane } from '../../ui/Layout.tsx'
import styles from './Welcome.module.css'

const EXAMPLE = `name: A Customer is made
teaches: The least that is a test: one request, and what must be true of its answer.

steps:
  - name: It is made
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

/** What a scenario is, and how to begin. */
export function Welcome({ record, first, select }: WelcomeProps) {
  return (
    <Pane aria-label="About scenarios" tabIndex={0}>
      <EmptyState
        className={styles.welcome}
        stacked
        title="A scenario is a test you can read"
        text={
          <>
            Requests, moves, jumps of the clock, and what must be true after each. The same file is stepped through here
            and run by <code>sandbank run</code> in CI.
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
          <li className="row">
            <span className="grow">
              <b>From the library</b>
              <br />
              Choose one of the list and press Run, or take it step by step.
            </span>
            <Button onClick={() => select(first)}>Open the first</Button>
          </li>
        )}
        <li className="row">
          <span className="grow">
            <b>Record</b>
            <br />
            Use your app as usual; what was done becomes a file, and its uids become names.
          </span>
          <Button onClick={record}>Record…</Button>
        </li>
        <li className="row">
          <span className="grow">
            <b>From somebody else’s record</b>
            <br />
            Import a HAR file, curl lines or a bundle into this world, then record it.
          </span>
          <ButtonLink screen="requests" params={{ replay: ['import'] }}>
            Import…
          </ButtonLink>
        </li>
      </EmptyState>
    </Pane>
  )
}
