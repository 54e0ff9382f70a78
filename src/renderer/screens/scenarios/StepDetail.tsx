import type { Check, StepResult } from '../../../api/contract/scenario-results.ts'
import { formatInstant } from '../../format/time.ts'
import { Glyph } from '../../ui/Glyph.tsx'
import { JsonView } from '../../ui/JsonView.tsx'
import { Property } from '../../ui/Property.tsx'
import { Text } from '../../ui/Text.tsx'
import type { StepState } from './step-state.ts'

const whyNone: Readonly<Record<StepState, string>> = {
  waiting: 'It has not been run yet.',
  next: 'It comes next.',
  running: 'It is running.',
  passed: '',
  failed: '',
  'not run': 'It was not run: a step before it failed.',
}

/** What came of a step: each expectation with what there was, what was sent, what came back. */
export function StepDetail({ result, state }: { result: StepResult | undefined; state: StepState }) {
  if (!result) return <p className="detail cap data soft">{whyNone[state]}</p>
  const { trouble, checks, sent, answer, captured, from, to } = result
  const names = Object.entries(captured)
  return (
    <div className="detail">
      {trouble !== null && (
        <p className="notice">
          <b>It could not be done.</b> <Text>{trouble}</Text>
        </p>
      )}
      {checks.length > 0 && <Checks checks={checks} />}
      {(sent || answer) && (
        <div className="two">
          <section aria-label="Sent">
            <div className="cap">
              <h3>Sent</h3>
              {sent && (
                <span className="mono cut" title={`${sent.method} ${sent.path}`}>
                  {sent.method} <Text>{sent.path}</Text>
                </span>
              )}
            </div>
            {sent && sent.body !== '' ? <JsonView body={sent.body} /> : <p className="cap data faint">No body.</p>}
          </section>
          <section aria-label="Came back">
            <div className="cap">
              <h3>Came back</h3>
              {answer && (
                <span className="mono">{answer.status === 0 ? 'the connection was dropped' : answer.status}</span>
              )}
            </div>
            {answer && answer.body !== '' ? (
              <JsonView body={answer.body} />
            ) : (
              <p className="cap data faint">No body.</p>
            )}
          </section>
        </div>
      )}
      {(names.length > 0 || from !== to) && (
        <dl className="props">
          {names.map(([name, value]) => (
            <Property key={name} name={`$${name}`}>
              <Text className="mono">{asText(value)}</Text>
            </Property>
          ))}
          {from !== to && (
            <Property name="simulated time">
              {formatInstant(Date.parse(from))} to {formatInstant(Date.parse(to))}
            </Property>
          )}
        </dl>
      )}
    </div>
  )
}

function Checks({ checks }: { checks: readonly Check[] }) {
  return (
    <table className="checks">
      <thead>
        <tr>
          <th scope="col">Expectation</th>
          <th scope="col">Expected</th>
          <th scope="col">Actual</th>
        </tr>
      </thead>
      <tbody>
        {checks.map(({ what, expected, actual, ok, place }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an expectation is known by its place.
          <tr key={at} data-unmet={ok ? undefined : ''}>
            <th scope="row" title={`line ${place.line}`}>
              <span className="st" data-signal={ok ? undefined : 'bad'}>
                <Glyph name={ok ? 'done' : 'broken'} />
                <span className="unseen">{ok ? 'met: ' : 'not met: '}</span>
              </span>{' '}
              <Text>{what}</Text>
            </th>
            <td>
              <pre>{asText(expected)}</pre>
            </td>
            <td>{actual === undefined ? <span className="faint">there is none</span> : <pre>{asText(actual)}</pre>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Quotes stay: `"10.00"` is not `10.00`. */
const asText = (value: unknown): string => JSON.stringify(value, null, 2) ?? 'nothing'
