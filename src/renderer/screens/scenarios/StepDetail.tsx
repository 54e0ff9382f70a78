import type { Check, RequestResult, StepResult } from '../../../api/contract/scenario-results.ts'
import { Messages } from '../../components/Messages.tsx'
import { formatInstant } from '../../format/time.ts'
import { GlyphText } from '../../ui/GlyphText.tsx'
import { Caption } from '../../ui/Layout.tsx'
import { NoticeLine } from '../../ui/Notice.tsx'
import { Property, PropertyList } from '../../ui/Property.tsx'
import { Table } from '../../ui/Table.tsx'
import { Text } from '../../ui/Text.tsx'
import type { StepState } from './step-state.ts'

const noResult: Readonly<Record<StepState, string>> = {
  'not run': 'Not run yet.',
  next: 'Runs next.',
  running: 'Running.',
  passed: '',
  failed: '',
  skipped: 'Skipped: an earlier step failed.',
}

const END = { borderBottom: '1px solid var(--line-strong)' }

/** The result of a step: its expectations with expected and actual values, its request and its response. */
export function StepDetail({ result, state }: { result: StepResult | undefined; state: StepState }) {
  if (!result)
    return (
      <Caption as="p" className="data soft" style={END}>
        {noResult[state]}
      </Caption>
    )
  const { trouble, checks, sent, answer, requests = [], captured, from, to } = result
  const names = Object.entries(captured)
  return (
    <div style={{ ...END, '--caption': '28px' }} data-step-detail>
      {trouble !== null && (
        <NoticeLine>
          <b>{checks.some(({ ok }) => !ok) ? 'An expectation failed.' : 'The step could not be executed.'}</b>{' '}
          <Text>{trouble}</Text>
        </NoticeLine>
      )}
      {checks.length > 0 && <Checks checks={checks} />}
      {(sent || answer) && <Exchange sent={sent} answer={answer} />}
      {requests.map((request, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a request has no id, only its position.
        <RequestDetail key={at} request={request} />
      ))}
      {(names.length > 0 || from !== to) && (
        <PropertyList style={{ padding: '0 16px 8px', '--name': '128px' }}>
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

/** One of the requests that were sent at once. */
function RequestDetail({ request: { title, ok, trouble, checks, sent, answer } }: { request: RequestResult }) {
  return (
    <section aria-label={title}>
      <Caption>
        <GlyphText glyph={ok ? 'done' : 'broken'} signal={ok ? undefined : 'bad'}>
          {ok ? 'passed' : 'failed'}
        </GlyphText>
        <span className="mono cut" title={title}>
          <Text>{title}</Text>
        </span>
      </Caption>
      {trouble !== null && (
        <NoticeLine>
          <b>The request could not be sent.</b> <Text>{trouble}</Text>
        </NoticeLine>
      )}
      {checks.length > 0 && <Checks checks={checks} />}
      <Exchange sent={sent} answer={answer} />
    </section>
  )
}

const Exchange = ({ sent, answer }: Pick<StepResult, 'sent' | 'answer'>) => (
  <Messages
    messages={[
      { title: 'Request', head: sent ? `${sent.method} ${sent.path}` : undefined, body: sent?.body, none: 'No body.' },
      {
        title: 'Response',
        head: answer ? (answer.status === 0 ? 'connection dropped' : String(answer.status)) : undefined,
        body: answer?.body,
        none: 'No body.',
      },
    ]}
  />
)

const HEADS = [{ label: 'Expectation', width: '34%' }, { label: 'Expected' }, { label: 'Actual' }]

function Checks({ checks }: { checks: readonly Check[] }) {
  return (
    <Table headers={HEADS} style={{ '--cell': '5px 8px 4px' }}>
      {checks.map(({ what, expected, actual, ok, place }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an expectation has no id, only its position.
        <tr key={at} data-unmet={ok ? undefined : ''}>
          <th scope="row" title={`line ${place.line}`}>
            <GlyphText glyph={ok ? 'done' : 'broken'} signal={ok ? undefined : 'bad'}>
              <span className="unseen">{ok ? 'met: ' : 'not met: '}</span>
            </GlyphText>{' '}
            <Text>{what}</Text>
          </th>
          <td>
            <pre>{asText(expected)}</pre>
          </td>
          <td>{actual === undefined ? <span className="faint">absent</span> : <pre>{asText(actual)}</pre>}</td>
        </tr>
      ))}
    </Table>
  )
}

/** Keeps the quotes: `"10.00"` and `10.00` differ. */
const asText = (value: unknown): string => JSON.stringify(value, null, 2) ?? 'absent'
