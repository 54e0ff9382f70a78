import type { Check, StepResult } from '../../../api/contract/scenario-results.ts'
import { formatInstant } from '../../format/time.ts'
import { ComparisonTable } from '../../ui/ComparisonTable.tsx'
import { cx } from '../../ui/cx.ts'
import { Glyph } from '../../ui/Glyph.tsx'
import { GlyphText } from '../../ui/GlyphText.tsx'
import { JsonView } from '../../ui/JsonView.tsx'
import { Caption, Columns } from '../../ui/Layout.tsx'
import { NoticeLine } from '../../ui/Notice.tsx'
import { Property, PropertyList } from '../../ui/Property.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './StepDetail.module.css'
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
  if (!result)
    return (
      <Caption as="p" className={cx(styles.detail, 'data soft')}>
        {whyNone[state]}
      </Caption>
    )
  const { trouble, checks, sent, answer, captured, from, to } = result
  const names = Object.entries(captured)
  return (
    <div className={styles.detail} data-step-detail>
      {trouble !== null && (
        <NoticeLine>
          <b>It could not be done.</b> <Text>{trouble}</Text>
        </NoticeLine>
      )}
      {checks.length > 0 && <Checks checks={checks} />}
      {(sent || answer) && (
        <Columns className={styles.exchange}>
          <section aria-label="Sent">
            <Caption>
              <h3>Sent</h3>
              {sent && (
                <span className="mono cut" title={`${sent.method} ${sent.path}`}>
                  {sent.method} <Text>{sent.path}</Text>
                </span>
              )}
            </Caption>
            {sent && sent.body !== '' ? (
              <JsonView body={sent.body} />
            ) : (
              <Caption as="p" className="data faint">
                No body.
              </Caption>
            )}
          </section>
          <section aria-label="Came back">
            <Caption>
              <h3>Came back</h3>
              {answer && (
                <span className="mono">{answer.status === 0 ? 'the connection was dropped' : answer.status}</span>
              )}
            </Caption>
            {answer && answer.body !== '' ? (
              <JsonView body={answer.body} />
            ) : (
              <Caption as="p" className="data faint">
                No body.
              </Caption>
            )}
          </section>
        </Columns>
      )}
      {(names.length > 0 || from !== to) && (
        <PropertyList className={styles.values}>
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
        </PropertyList>
      )}
    </div>
  )
}

function Checks({ checks }: { checks: readonly Check[] }) {
  return (
    <ComparisonTable heads={['Expectation', 'Expected', 'Actual']}>
      {checks.map(({ what, expected, actual, ok, place }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an expectation is known by its place.
        <tr key={at} data-unmet={ok ? undefined : ''}>
          <th scope="row" title={`line ${place.line}`}>
            <GlyphText signal={ok ? undefined : 'bad'}>
              <Glyph name={ok ? 'done' : 'broken'} />
              <span className="unseen">{ok ? 'met: ' : 'not met: '}</span>
            </GlyphText>{' '}
            <Text>{what}</Text>
          </th>
          <td>
            <pre>{asText(expected)}</pre>
          </td>
          <td>{actual === undefined ? <span className="faint">there is none</span> : <pre>{asText(actual)}</pre>}</td>
        </tr>
      ))}
    </ComparisonTable>
  )
}

/** Quotes stay: `"10.00"` is not `10.00`. */
const asText = (value: unknown): string => JSON.stringify(value, null, 2) ?? 'nothing'
