import type { ScenarioInfo } from '../../../api/contract/control.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'

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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keys.
    <section className="pane" aria-label="About scenarios" tabIndex={0}>
      <div className="empty" data-stacked>
        <div>
          <h2>A scenario is a test you can read</h2>
          <p>
            Requests, moves, jumps of the clock, and what must be true after each. The same file is stepped through here
            and run by <code>sandbank run</code> in CI.
          </p>
          <ul>
            {first && (
              <li className="row">
                <span className="grow">
                  <b>From the library</b>
                  <br />
                  Choose one of the list and press Run, or take it step by step.
                </span>
                <button type="button" className="btn" onClick={() => select(first)}>
                  Open the first
                </button>
              </li>
            )}
            <li className="row">
              <span className="grow">
                <b>Record</b>
                <br />
                Use your app as usual; what was done becomes a file, and its uids become names.
              </span>
              <button type="button" className="btn" onClick={record}>
                Record…
              </button>
            </li>
            <li className="row">
              <span className="grow">
                <b>From somebody else’s record</b>
                <br />
                Import a HAR file, curl lines or a bundle into this world, then record it.
              </span>
              <ScreenLink screen="requests" params={{ replay: ['import'] }} className="btn">
                Import…
              </ScreenLink>
            </li>
          </ul>
        </div>
        <div>
          <div className="cap">
            <h2>One worked example</h2>
          </div>
          <pre className="code">
            {EXAMPLE.split('\n').map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its number.
              <span key={at}>{line}</span>
            ))}
          </pre>
        </div>
      </div>
    </section>
  )
}
