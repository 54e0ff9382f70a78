import { useEffect } from 'react'
import { type ErrorKey, errors } from '../../../api/contract/errors.ts'
import { type MachineName, machines } from '../../../api/contract/machines.ts'
import { achReturnCodes, instantPaymentRejections, nocCodes } from '../../../api/contract/network-codes.ts'
import { ProgramSettings } from '../../../api/contract/resources/programs.ts'
import { rulesBySection } from '../../../api/contract/rules.ts'
import { MAX_LIMIT } from '../../../api/contract/terms/list.ts'
import { triggers } from '../../../api/contract/triggers.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { useFeed } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { useProgram } from '../../data/use-program.ts'
import { formatAmount, formatCount } from '../../format/numbers.ts'
import { rowsOf, shapeOf } from '../../forms/shape.ts'
import { printed, valueAt } from '../../forms/values.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { JsonView } from '../../ui/JsonView.tsx'
import { PaneIntro } from '../../ui/Layout.tsx'
import { NoticeLine } from '../../ui/Notice.tsx'
import { PropertyList } from '../../ui/Property.tsx'
import { scrollToTop } from '../../ui/scroll.ts'
import styles from './AboutPages.module.css'
import { endpointsWith } from './pages.ts'
import { Drawn, ErrorRows, Part, RefTable } from './Tables.tsx'

const ERROR = {
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

export function OverviewPage() {
  const api = useFeed((feed) => feed.world?.api ?? '')
  return (
    <>
      <PaneIntro as="header">
        <h2>The API of this sandbox</h2>
        <p className="soft">
          Everything here is printed from the contract that also serves it. What is not in it is ignored, and the
          request's hints say so.
        </p>
      </PaneIntro>
      <PropertyList className={styles.facts}>
        <dt>Base URL</dt>
        <dd>
          <code>{api}</code> <CopyButton text={api} what="base URL" small />
        </dd>
        <dt>Token</dt>
        <dd>
          Sign a refresh token with HS512 and the key of the Program, exchange it at{' '}
          <ScreenLink screen="reference" record="createAccessToken">
            POST /auth
          </ScreenLink>
          , and send the whole value, which begins with <code className="nowrap">auth-</code>, as the header{' '}
          <code>Authorization</code>. Ready snippets: <ScreenLink screen="connect">Connect</ScreenLink>
        </dd>
        <dt>x-trace-id</dt>
        <dd>A header of every request, new for each: a UUID for instance. The answer echoes it.</dd>
        <dt>Bodies</dt>
        <dd>
          JSON, or a form: lists as <code>name[]=a&amp;name[]=b</code>, objects as{' '}
          <code>details[address][city]=Ames</code>
        </dd>
        <dt>Lists</dt>
        <dd>
          <code>total_count</code>, <code>count</code>, <code>limit</code>, <code>offset</code> and <code>data</code>,
          newest first unless <code>sort</code> says otherwise
        </dd>
        <dt>Amounts</dt>
        <dd>US dollars as text with two decimals; what has more than two is refused, never rounded</dd>
        <dt>Times</dt>
        <dd>UTC to the millisecond, by the simulated clock</dd>
        <dt>Documents</dt>
        <dd>
          <code>{api}/openapi.json</code> for client generators; the control API has its own at{' '}
          <code className="nowrap">/control/openapi.json</code>
        </dd>
      </PropertyList>
      <Part title="A refusal" about="the first error wins; extra names the field">
        <JsonView body={printed(ERROR)} />
      </Part>
    </>
  )
}

/** The operator's settings that are limits. What is said of a group of them is said of each. */
function settingRows() {
  const rows = rowsOf(shapeOf(ProgramSettings))
  const saidOf = (path: string) => rows.find((row) => row.path === path)?.shape.schema.description
  return rows
    .filter(({ path, shape }) => /limits|minutes|hours/.test(path) && shape.kind !== 'object')
    .map(({ path }) => ({ path, about: saidOf(path) ?? saidOf(path.split('.').slice(0, -1).join('.')) }))
}

export function LimitsPage() {
  const program = useProgram()
  const { tooManyRequests, bodyTooLarge, duplicateTraceId } = errors
  return (
    <>
      <PaneIntro as="header">
        <h2>Rates and limits</h2>
        <p className="soft">
          There is no rate limit unless the operator sets one in <ScreenLink screen="faults">Faults</ScreenLink>; then{' '}
          {tooManyRequests.status}/{tooManyRequests.code} with the header Retry-After.
        </p>
      </PaneIntro>
      <RefTable label="Limits of any request" heads={['Limit', 'Value', 'Beyond it']} widths={['30%', '26%', '44%']}>
        <tr>
          <th scope="row">Size of a body</th>
          <td>1 MB</td>
          <td>
            {bodyTooLarge.status}/{bodyTooLarge.code}: {bodyTooLarge.detail}
          </td>
        </tr>
        <tr>
          <th scope="row">Items of a list</th>
          <td>100, at most {formatCount(MAX_LIMIT)}</td>
          <td>
            a larger limit is taken as {formatCount(MAX_LIMIT)} and echoed as such; below 0:{' '}
            {errors.invalidLimit.status}/{errors.invalidLimit.code}
          </td>
        </tr>
        <tr>
          <th scope="row">Life of an x-trace-id</th>
          <td>7 days of simulated time</td>
          <td>
            {duplicateTraceId.status}/{duplicateTraceId.code}: {duplicateTraceId.detail}
          </td>
        </tr>
        <tr>
          <th scope="row">Life of an access token</th>
          <td>8 hours of simulated time</td>
          <td>
            {errors.unauthorized.status}/{errors.unauthorized.code}: {errors.unauthorized.detail}
          </td>
        </tr>
      </RefTable>
      <Part title="Of this Program" about={<ScreenLink screen="settings">Program settings</ScreenLink>}>
        <RefTable
          label="Limits of this Program"
          heads={['Setting', 'Now', 'What it is']}
          figures={1}
          widths={['46%', '15%', '39%']}
        >
          {settingRows().map(({ path, about }) => (
            <tr key={path}>
              <th scope="row">
                <code>{path}</code>
              </th>
              <td data-value>{valueNow(program, path)}</td>
              <td>{about}</td>
            </tr>
          ))}
        </RefTable>
      </Part>
    </>
  )
}

function valueNow(program: unknown, path: string): string {
  const value = valueAt(program, path.split('.'))
  if (value === null) return 'no limit'
  if (typeof value === 'number') return formatCount(value)
  return value === undefined ? '–' : formatAmount(String(value))
}

/** More endpoints than these are folded away. */
const FEW = 4

export function ErrorsPage() {
  const asked = useRoute((view) => view.params.code?.[0])
  const keys = Object.keys(errors) as ErrorKey[]
  const named = keys.find((key) => String(errors[key].code) === asked)
  useEffect(() => {
    if (named) scrollToTop(document.querySelector(`[data-key="${named}"]`), 80)
  }, [named])
  return (
    <>
      <PaneIntro as="header">
        <h2>Error codes</h2>
        <p className="soft">
          Every refusal has a status, a code, a title and a detail; extra says which field or requirement. Endpoints
          that declare an error are named with it.
        </p>
        {asked && !named && <NoticeLine>There is no code {asked}.</NoticeLine>}
      </PaneIntro>
      <ErrorRows keys={keys} lit={named}>
        {(key) => {
          const names = endpointsWith(key)
          const links = names.map((name) => (
            <span key={name}>
              <ScreenLink screen="reference" record={name}>
                {name}
              </ScreenLink>{' '}
            </span>
          ))
          if (names.length <= FEW) return names.length > 0 && <span className="hint">{links}</span>
          return (
            <details className="hint">
              <summary>{names.length} endpoints declare it</summary>
              {links}
            </details>
          )
        }}
      </ErrorRows>
    </>
  )
}

export function RulesPage() {
  const asked = useRoute((view) => view.params.section?.[0])
  useEffect(() => {
    if (asked) scrollToTop(document.querySelector('main tr[aria-current]'), 80)
  }, [asked])
  return (
    <>
      <PaneIntro as="header">
        <h2>Rules by section</h2>
        <p className="soft">
          What the window names as the cause of a change, with the section of the specification that asks for it.
        </p>
      </PaneIntro>
      <RefTable label="Rules" heads={['Section', 'Rule']} widths={['96px', 'auto']}>
        {rulesBySection.map(({ rule, section }) => (
          <tr key={rule} aria-current={section === asked ? true : undefined}>
            <th scope="row">{section}</th>
            <td>{rule}</td>
          </tr>
        ))}
      </RefTable>
    </>
  )
}

export function StatesPage() {
  return (
    <>
      <PaneIntro as="header">
        <h2>States and moves</h2>
        <p className="soft">
          A record changes its state by these moves and no others. Requests, time and the operator make them; a record's
          page draws where it stands. A move from more than two states stands in its table alone.
        </p>
      </PaneIntro>
      {(Object.keys(machines) as MachineName[]).map((name) => (
        <Part key={name} title={machines[name].resource}>
          <Drawn name={name} />
        </Part>
      ))}
    </>
  )
}

export function TriggersPage() {
  return (
    <>
      <PaneIntro as="header">
        <h2>Outcomes that data forces</h2>
        <p className="soft">
          Nothing here happens by chance: an outcome comes by data of the request, or by an operator's move.{' '}
          <ScreenLink screen="inject">Inject</ScreenLink> has a form for each.
        </p>
      </PaneIntro>
      <RefTable label="Triggers" heads={['When', 'Then']} widths={['50%', '50%']}>
        {triggers.map(({ when, outcome }) => (
          <tr key={when}>
            <th scope="row">{when}</th>
            <td>{outcome}</td>
          </tr>
        ))}
      </RefTable>
    </>
  )
}

export function CodesPage() {
  return (
    <>
      <PaneIntro as="header">
        <h2>Codes of the networks</h2>
        <p className="soft">What other banks and the networks answer, as it stands on Transactions.</p>
      </PaneIntro>
      <Part title="ACH returns" about="who sends one, and until when">
        <RefTable
          label="ACH returns"
          heads={['Code', 'Reason', 'Of', 'Within']}
          widths={['64px', 'auto', '160px', '140px']}
        >
          {Object.entries(achReturnCodes).map(([code, { reason, hits, frame }]) => (
            <tr key={code}>
              <th scope="row">{code}</th>
              <td>{reason}</td>
              <td>{hits === 'both' ? 'debits and credits' : `${hits}s`}</td>
              <td>{frame}</td>
            </tr>
          ))}
        </RefTable>
      </Part>
      <Plain title="Notifications of change" codes={nocCodes} />
      <Plain title="Rejections of instant payments" codes={instantPaymentRejections} />
    </>
  )
}

function Plain({ title, codes }: { title: string; codes: Readonly<Record<string, string>> }) {
  return (
    <Part title={title}>
      <RefTable label={title} heads={['Code', 'Reason']} widths={['88px', 'auto']}>
        {Object.entries(codes)
          .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
          .map(([code, reason]) => (
            <tr key={code}>
              <th scope="row">{code}</th>
              <td>{reason}</td>
            </tr>
          ))}
      </RefTable>
    </Part>
  )
}
