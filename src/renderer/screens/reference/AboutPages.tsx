import { useEffect } from 'react'
import { findEndpointsWithError } from '../../../api/contract/describe/relations.ts'
import { type ErrorKey, errors } from '../../../api/contract/errors.ts'
import { type MachineName, machines } from '../../../api/contract/machines.ts'
import { achReturnCodes, instantPaymentRejections, nocCodes } from '../../../api/contract/network-codes.ts'
import { ProgramSettings } from '../../../api/contract/resources/programs.ts'
import { rulesBySection } from '../../../api/contract/rules.ts'
import { flattenShape, shapeOf } from '../../../api/contract/shape.ts'
import { MAX_LIMIT } from '../../../api/contract/terms/list.ts'
import { triggers } from '../../../api/contract/triggers.ts'
import { webhookEventNames } from '../../../api/contract/webhooks.ts'
import { Reach } from '../../actions/TryIt.tsx'
import { ConnectLink, ScreenLink } from '../../components/ScreenLink.tsx'
import { useFeed } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { useProgram } from '../../data/use-program.ts'
import { formatAmount, formatCount } from '../../format/text.ts'
import { formatJson, valueAt } from '../../forms/values.ts'
import { CopyButton } from '../../ui/Button.tsx'
import { JsonView } from '../../ui/CodeBlock.tsx'
import { PaneIntro } from '../../ui/Layout.tsx'
import { NoticeLine } from '../../ui/Notice.tsx'
import { scrollToTop } from '../../ui/scroll.ts'
import { Property, PropertyList, Prose } from '../../ui/Text.tsx'
import { ErrorRows, Part, RefTable, RowTable, StateMachine } from './Tables.tsx'

interface AboutPage {
  readonly title: string
  readonly intro: React.ReactNode
  readonly Content: () => React.ReactNode
}

/** The pages about the API as a whole, by their address. */
export const aboutPages: Readonly<Record<string, AboutPage>> = {
  overview: {
    title: 'The API of this sandbox',
    intro:
      'Generated from the contract that the server itself uses. Fields and parameters that it does not define are ignored, and the hints of a request name them.',
    Content: Overview,
  },
  limits: {
    title: 'Limits',
    intro: (
      <>
        There is no rate limit unless the operator sets one in <ScreenLink screen="faults">Faults</ScreenLink>. Above
        it, a request gets {formatError('tooManyRequests')} with the header Retry-After.
      </>
    ),
    Content: Limits,
  },
  errors: {
    title: 'Error codes',
    intro:
      'Every error has a status, a code, a title and a detail; extra names the field or the requirement. Below each error are the endpoints that declare it.',
    Content: ErrorCodes,
  },
  rules: {
    title: 'Rules by section',
    intro:
      'The rules that this window names as the cause of a change, with the section of the specification that defines them.',
    Content: Rules,
  },
  states: {
    title: 'States and transitions',
    intro:
      'A record changes its state only by these transitions. Requests, tasks and the operator trigger them. The page of a record highlights its current state. A transition from more than two states is only in the table.',
    Content: () =>
      (Object.keys(machines) as MachineName[]).map((name) => (
        <Part key={name} title={machines[name].resource}>
          <StateMachine name={name} />
        </Part>
      )),
  },
  triggers: {
    title: 'Outcomes you can force',
    intro: (
      <>
        No outcome is random: it is forced by the data of a request or by an operator decision.{' '}
        <ScreenLink screen="inject">Inject</ScreenLink> has a form for each of these.
      </>
    ),
    Content: () => (
      <RowTable
        label="Forced outcomes"
        heads={{ When: '50%', Then: '50%' }}
        rows={triggers.map(({ when, outcome }) => [when, outcome])}
      />
    ),
  },
  events: {
    title: 'Events',
    intro: 'What webhooks are sent for. A list of all events of this world is in Webhooks.',
    Content: () => (
      <RowTable
        label="Events"
        heads={{ Event: '50%', Steps: '50%' }}
        rows={webhookEventNames.map((name) => [
          <code key={name}>{name}</code>,
          <Reach key={name} goal={`event=${name}`} />,
        ])}
      />
    ),
  },
  codes: {
    title: 'Network codes',
    intro: 'The codes that other banks and the networks return, as Transactions show them.',
    Content: NetworkCodes,
  },
}

export function AboutPage({ page: { title, intro, Content } }: { page: AboutPage }) {
  return (
    <>
      <PaneIntro as="header">
        <h2>{title}</h2>
        <p className="soft">{intro}</p>
      </PaneIntro>
      <Content />
    </>
  )
}

const EXAMPLE_ERROR = {
  errors: [
    {
      code: errors.missingParameter.code,
      title: errors.missingParameter.title,
      detail: errors.missingParameter.detail,
      occurred_at: '2026-11-20T14:04:18.000Z',
      extra: 'customer_uid is missing',
    },
  ],
  status: errors.missingParameter.status,
}

const FACTS = [
  [
    'x-trace-id',
    'A header that every request needs, with a new value each time, e.g. a UUID. The response repeats it.',
  ],
  ['Bodies', 'JSON, or a form: lists as `name[]=a&name[]=b`, objects as `details[address][city]=Ames`'],
  ['Lists', '`total_count`, `count`, `limit`, `offset` and `data`, newest first unless `sort` is set'],
  ['Amounts', 'US dollars as text with two decimals. An amount with more decimals is refused, never rounded.'],
  ['Times', 'UTC in milliseconds, by the simulated clock'],
] as const

function Overview() {
  const api = useFeed((feed) => feed.world?.api ?? '')
  return (
    <>
      <PropertyList style={{ '--name': '112px', padding: '0 16px 8px' }}>
        <Property name="Base URL">
          <code>{api}</code>{' '}
          <span style={{ display: 'inline-block', marginBlock: -5, verticalAlign: 'middle' }}>
            <CopyButton text={api} what="base URL" small />
          </span>
        </Property>
        <Property name="Token">
          <span className="soft">
            Sign a refresh token with HS512 and the HMAC key of the Program, exchange it at{' '}
            <ScreenLink screen="reference" record="createAccessToken">
              POST /auth
            </ScreenLink>
            , and send the whole token, which begins with <code className="nowrap">auth-</code>, in the header{' '}
            <code>Authorization</code>. Code to copy: <ConnectLink />
          </span>
        </Property>
        {FACTS.map(([name, text]) => (
          <Property key={name} name={name}>
            <Prose>{text}</Prose>
          </Property>
        ))}
        <Property name="OpenAPI">
          <code>{api}/openapi.json</code> for client generators; the control API has its own at{' '}
          <code className="nowrap">/control/openapi.json</code>
        </Property>
      </PropertyList>
      <Part title="Error response" about="only the first error is returned; extra names the field">
        <JsonView body={formatJson(EXAMPLE_ERROR)} />
      </Part>
    </>
  )
}

function formatError(key: ErrorKey): string {
  return `${errors[key].status}/${errors[key].code}`
}

const describeError = (key: ErrorKey) => `${formatError(key)}: ${errors[key].detail}`

function Limits() {
  const program = useProgram()
  return (
    <>
      <RowTable
        label="Limits of any request"
        heads={{ Limit: '30%', Value: '26%', Response: '44%' }}
        rows={[
          ['Size of a request body', '1 MB', describeError('bodyTooLarge')],
          [
            'Items in a list',
            `100 by default, at most ${formatCount(MAX_LIMIT)}`,
            `a larger limit is reduced to ${formatCount(MAX_LIMIT)}, and the response says so; below 0: ${formatError('invalidLimit')}`,
          ],
          [
            'Lifetime of an x-trace-id',
            '7 days of simulated time',
            `if it is sent again: ${describeError('duplicateTraceId')}`,
          ],
          ['Lifetime of an access token', '8 hours of simulated time', describeError('unauthorized')],
        ]}
      />
      <Part title="This Program" about={<ScreenLink screen="settings">Program settings</ScreenLink>}>
        <RefTable
          label="Limits of this Program"
          heads={{ Setting: '46%', Value: '15%', Description: '39%' }}
          figures="Value"
        >
          {listLimitSettings().map(({ path, description }) => (
            <tr key={path}>
              <th scope="row">
                <code>{path}</code>
              </th>
              <td data-right="">{formatLimit(valueAt(program, path.split('.')))}</td>
              <td>{description}</td>
            </tr>
          ))}
        </RefTable>
      </Part>
    </>
  )
}

/** The Program settings that are limits. One without a description has the description of its group. */
function listLimitSettings() {
  const rows = flattenShape(shapeOf(ProgramSettings))
  const descriptionAt = (path: string) => rows.find((row) => row.path === path)?.shape.schema.description
  return rows
    .filter(({ path, shape }) => /limits|minutes|hours/.test(path) && shape.kind !== 'object')
    .map(({ path }) => ({
      path,
      description: descriptionAt(path) ?? descriptionAt(path.split('.').slice(0, -1).join('.')),
    }))
}

function formatLimit(value: unknown): string {
  if (value === null) return 'no limit'
  if (typeof value === 'number') return formatCount(value)
  return value === undefined ? '–' : formatAmount(String(value))
}

/** Scrolls to the row that the address names. */
function useScrollTo(selector: string, name: string | undefined) {
  useEffect(() => {
    if (name !== undefined) scrollToTop(document.querySelector(selector), 80)
  }, [selector, name])
}

function ErrorCodes() {
  const code = useRoute((view) => view.params.code?.[0])
  const keys = Object.keys(errors) as ErrorKey[]
  const highlighted = keys.find((key) => String(errors[key].code) === code)
  useScrollTo('main tr[aria-current]', highlighted)
  return (
    <>
      {code && !highlighted && <NoticeLine>There is no error code {code}.</NoticeLine>}
      <ErrorRows keys={keys} highlighted={highlighted}>
        {(key) => <EndpointLinks errorKey={key} />}
      </ErrorRows>
    </>
  )
}

/** A longer list of endpoints is folded. */
const MAX_SHOWN_ENDPOINTS = 4

function EndpointLinks({ errorKey }: { errorKey: ErrorKey }) {
  const names = findEndpointsWithError(errorKey)
  const links = names.map((name) => (
    <span key={name}>
      <ScreenLink screen="reference" record={name}>
        {name}
      </ScreenLink>{' '}
    </span>
  ))
  if (names.length <= MAX_SHOWN_ENDPOINTS) return names.length > 0 && <span className="hint">{links}</span>
  return (
    <details className="hint">
      <summary>Declared by {names.length} endpoints</summary>
      {links}
    </details>
  )
}

function Rules() {
  const highlighted = useRoute((view) => view.params.section?.[0])
  useScrollTo('main tr[aria-current]', highlighted)
  return (
    <RowTable
      label="Rules"
      heads={{ Section: '96px', Rule: 'auto' }}
      rows={rulesBySection.map(({ rule, section }) => [section, rule])}
      current={highlighted}
    />
  )
}

const codeLists = [
  ['Notifications of change', nocCodes],
  ['Instant payment rejections', instantPaymentRejections],
] as const

function NetworkCodes() {
  return (
    <>
      <Part title="ACH returns" about="what each applies to, and the time limit">
        <RowTable
          label="ACH return codes"
          heads={{ Code: '64px', Reason: 'auto', 'Applies to': '160px', Within: '140px' }}
          rows={Object.entries(achReturnCodes).map(([code, { reason, hits, frame }]) => [
            code,
            reason,
            hits === 'both' ? 'debits and credits' : `${hits}s`,
            frame,
          ])}
        />
      </Part>
      {codeLists.map(([title, codes]) => (
        <Part key={title} title={title}>
          <RowTable
            label={`Codes: ${title}`}
            heads={{ Code: '88px', Reason: 'auto' }}
            rows={Object.entries(codes).sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))}
          />
        </Part>
      ))}
    </>
  )
}
