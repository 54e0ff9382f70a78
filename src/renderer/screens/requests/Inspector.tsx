import { Check, Lightbulb, type LucideIcon, Undo2, X, Zap } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type Exchange, type ExchangeDetail, Stage } from '../../../api/contract/control/exchanges.ts'
import { type EndpointName, endpoints } from '../../../api/contract/endpoints.ts'
import { locateJsonError } from '../../../api/contract/terms/json-error.ts'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { requestActions } from '../../actions/window.ts'
import { Fork } from '../../components/Fork.tsx'
import { HintLine, Hints } from '../../components/Hints.tsx'
import { Refusal } from '../../components/Refusal.tsx'
import { ButtonLink, LineLink } from '../../components/ScreenLink.tsx'
import { StatusCode } from '../../components/Status.tsx'
import { isDropped, useFeed } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { useQuery } from '../../data/sandbox.ts'
import { useApiAccess } from '../../data/use-program.ts'
import { isMissing } from '../../data/worlds.ts'
import { formatUndoneBy } from '../../format/commits.ts'
import { explainFaults } from '../../format/faults.ts'
import { type ApiAccess, formatCurl, formatFetch, formatHttp } from '../../format/request.ts'
import { formatCount, formatInstant, formatMilliseconds, formatRealInstant } from '../../format/text.ts'
import { type Correction, describeCorrection, labelCorrection } from '../../forms/corrections.ts'
import { formatPath } from '../../forms/values.ts'
import { Button, CopyButton } from '../../ui/Button.tsx'
import { JsonView } from '../../ui/CodeBlock.tsx'
import { Actions, Caption, DetailPane, Row, Section } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { TabBar, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { Glyph, Property, PropertyList, Text, Time } from '../../ui/Text.tsx'
import styles from './Inspector.module.css'
import { Repairs } from './Repairs.tsx'
import { RequestHeading } from './RequestHeading.tsx'
import { type Editing, findCorrections, Resend } from './Resend.tsx'

/** One request with its response. */
export function Inspector({ uid, close }: { uid: string; close: () => void }) {
  const summary = useFeed(({ exchanges }) => exchanges.find((exchange) => exchange.uid === uid))
  const { data, error, slow } = useQuery('exchanges.get', { uid })
  const exchange = data ?? summary
  return (
    <DetailPane id="request" aria-label="Request" tabIndex={0}>
      {exchange && <Heading exchange={exchange} close={close} />}
      {data && <Details key={uid} exchange={data} />}
      {!data && error !== undefined && <LoadError uid={uid} error={error} close={close} />}
      {!data && error === undefined && slow && <Skeleton />}
    </DetailPane>
  )
}

function LoadError({ uid, error, close }: { uid: string; error: unknown; close: () => void }) {
  const length = useFeed((feed) => feed.world?.log_length)
  const isGone = isMissing(error)
  return (
    <Notice
      title={`Request ${uid} ${isGone ? 'is not in the log' : 'could not be loaded'}.`}
      error={isGone ? undefined : error}
    >
      {isGone && length !== undefined && `The log keeps the newest ${formatCount(length)} requests. `}
      <Button small onClick={close}>
        Close
      </Button>
    </Notice>
  )
}

function Heading({ exchange, close }: { exchange: Exchange | ExchangeDetail; close: () => void }) {
  const { method, path, at, received_at, ms, trace_id, uid } = exchange
  return (
    <RequestHeading
      method={method}
      path={path}
      wrong={findRefusedPart(exchange)}
      facts={
        <>
          <Row as="span" wraps gap="0 8">
            <Moment name="simulated" at={at} format={formatInstant} />
            {received_at === undefined ? (
              <span title="Logged by an older version, or the sandbox ended before it logged the request">
                real time unknown
              </span>
            ) : (
              <Moment name="real" at={received_at} format={formatRealInstant} />
            )}
          </Row>
          {formatMilliseconds(ms)} ms · request <span className="mono">{uid}</span> · trace{' '}
          {trace_id === null ? 'none' : <Text className="mono">{trace_id}</Text>}
        </>
      }
    >
      <span style={{ lineHeight: '20px' }}>
        <StatusCode exchange={exchange} />
      </span>
      <span className="end">
        <Button icon={X} bare aria-label="Close the request" onClick={close} />
      </span>
    </RequestHeading>
  )
}

/** What is copied is the instant in UTC. */
const Moment = ({ name, ...instant }: React.ComponentProps<typeof Time> & { readonly name: string }) => (
  <Row as="span" gap={4} className="nowrap">
    {name}
    <Time className="soft" {...instant} />
    <CopyButton text={instant.at} what={`${name} time`} small />
  </Row>
)

/** The uid in the path that the API refused. */
function findRefusedPart(exchange: Exchange | ExchangeDetail): string | undefined {
  const template = exchange.endpoint !== null && endpoints[exchange.endpoint as EndpointName]?.path
  const fields = ('refusal' in exchange && exchange.refusal?.fields) || []
  if (!template) return undefined
  const parts = exchange.path.split('?')[0]!.split('/')
  return parts[template.split('/').findIndex((part) => fields.includes(part))]
}

function Details({ exchange }: { exchange: ExchangeDetail }) {
  const { refusal, hinted, fault, undone_by } = exchange
  const [editing, setEditing] = useState<Editing | null>(null)
  const { params, adjust } = useRoute()
  const { edit: isEditing, ...others } = params
  const corrections = useMemo(() => findCorrections(exchange), [exchange])
  const close = () => {
    setEditing(null)
    adjust({ params: others })
  }
  if (editing || isEditing) return <Resend exchange={exchange} {...editing} close={close} />
  const correct = (correction: Correction) => (
    <Button small className="end" onClick={() => setEditing({ correction })}>
      {labelCorrection(correction)}
    </Button>
  )
  return (
    <>
      <RequestActions exchange={exchange} />
      {undone_by && (
        <Sign icon={Undo2}>
          Undone by{' '}
          <LineLink pane="operations" commit={undone_by.seq}>
            {formatUndoneBy(undone_by)}
          </LineLink>
          . The current world continues from before this request. To see the world after it:{' '}
          <Fork commit={exchange.seq_after} />
        </Sign>
      )}
      {fault !== undefined && (
        <Sign icon={Zap}>
          Fault applied: <span className="mono">{fault}</span>. {explainFaults(fault, refusal !== null)}
        </Sign>
      )}
      <Stages refusedAt={refusal?.stage ?? null} exchange={exchange} />
      {refusal && (
        <Refusal refusal={refusal} endpoint={exchange.endpoint}>
          <Repairs uid={exchange.uid} edit={(repaired) => setEditing({ repaired })} />
        </Refusal>
      )}
      <Hints
        hints={hinted}
        actionOf={(at) => {
          const found = corrections.find(
            ({ kind, path, nearest }) => kind === 'name' && nearest !== undefined && formatPath(path) === at,
          )
          return found && correct(found)
        }}
      />
      {corrections
        .filter(({ kind }) => kind !== 'name')
        .map((one) => (
          <HintLine key={JSON.stringify(one)}>
            <Lightbulb className="wait" size={13} strokeWidth={1.6} aria-label="Hint" />
            <Text>{describeCorrection(one)}</Text>
            {correct(one)}
          </HintLine>
        ))}
      <ContentTabs exchange={exchange} />
    </>
  )
}

/** The checks that a request goes through, in order, with the one that refused it. */
function Stages({ refusedAt, exchange }: { refusedAt: Stage | null; exchange: Exchange }) {
  const stages = Stage.options
  const end = refusedAt === null ? stages.length : stages.indexOf(refusedAt)
  const changed = exchange.seq_after > exchange.seq_before
  return (
    <Row wraps gap="0 8" pad="4 16" least={28} line="bottom" fill="well" text="meta" tone="soft" data-stages>
      <ol style={{ display: 'contents' }}>
        {stages.map((stage, at) => (
          <Row
            as="li"
            key={stage}
            gap={4}
            className="nowrap"
            data-refused={at === end ? '' : undefined}
            data-unreached={at > end ? '' : undefined}
            tone={at === end ? 'bad' : at > end ? 'faint' : 'soft'}
            style={at === end ? { fontWeight: 600 } : undefined}
            aria-label={`${stage}: ${at < end ? 'passed' : at === end ? 'refused' : 'not reached'}`}
          >
            {at < end ? (
              <Check size={11} strokeWidth={2} aria-hidden="true" />
            ) : (
              <Glyph name={at === end ? 'broken' : 'not-begun'} size={9} />
            )}
            {stage}
          </Row>
        ))}
      </ol>
      <span className="end nowrap">{changed ? `commit ${formatCount(exchange.seq_after)}` : 'no changes'}</span>
    </Row>
  )
}

const Sign = ({ icon: Icon, children }: { readonly icon: LucideIcon; readonly children: React.ReactNode }) => (
  <HintLine>
    <Icon className="wait" size={13} strokeWidth={1.6} aria-hidden="true" />
    <span>{children}</span>
  </HintLine>
)

const copyFormats = {
  curl: formatCurl,
  fetch: ({ base_url }: ApiAccess, exchange: ExchangeDetail) => formatFetch(base_url, exchange),
  HTTP: ({ base_url }: ApiAccess, exchange: ExchangeDetail) => formatHttp(base_url, exchange),
} as const

const RequestActions = ({ exchange: { uid, seq_before } }: { exchange: ExchangeDetail }) => (
  <Actions>
    {requestActions(uid).map((action, at) => (
      <ActionButton key={action.id} primary={at === 0} action={action} />
    ))}
    <ButtonLink screen="scenarios" params={{ record: [String(seq_before)] }}>
      Save as scenario…
    </ButtonLink>
  </Actions>
)

const typeOf = (headers: ExchangeDetail['response']['headers']) =>
  headers.find(([name]) => name === 'content-type')?.[1]

/** The chosen tab stays open when the user selects another request. */
let lastTab = 'body'

function ContentTabs({ exchange }: { exchange: ExchangeDetail }) {
  const { request, response, path, refusal, hinted } = exchange
  const access = useApiAccess(exchange.program_uid)
  const fields = refusal?.fields?.filter((field) => !field.startsWith('{')) ?? []
  const header = refusal && refusal.stage !== 'schema' && refusal.stage !== 'rules' ? fields[0] : undefined
  const [tab, setTab] = useState(header === undefined ? lastTab : 'headers')
  const isBodyRefused = refusal?.stage === 'body'
  const errorPlace = useMemo(
    () => (isBodyRefused ? locateJsonError(request.body) : undefined),
    [isBodyRefused, request.body],
  )
  const query = path.includes('?') ? path.slice(path.indexOf('?') + 1) : ''
  const wrong = header === undefined ? fields : []
  const isEmpty = request.body === '' && query === '' && wrong.length === 0
  const chooseTab = (to: string) => {
    lastTab = to
    setTab(to)
  }
  return (
    <Tabs value={tab} onValueChange={chooseTab} style={{ display: 'flex', flexDirection: 'column', flex: '1 0 auto' }}>
      <TabBar
        label="Request and response"
        tabs={[
          { value: 'body', label: query !== '' && request.body === '' ? 'Query' : 'Body' },
          { value: 'headers', label: `Headers ${formatCount(request.headers.length + response.headers.length)}` },
          { value: 'response', label: `Response ${isDropped(exchange) ? 'dropped' : exchange.status}` },
        ]}
      >
        <span className="end row" data-tight>
          <span className="meta">copy as</span>
          {Object.entries(copyFormats).map(([name, format]) => (
            <CopyButton
              key={name}
              text={() => format(access, exchange)}
              what={`request as ${name}`}
              label={name}
              small
            />
          ))}
          {tab === 'response' && <CopyButton text={response.body} what="response" />}
          {tab === 'body' && <CopyButton text={request.body === '' ? query : request.body} what="body" />}
        </span>
      </TabBar>
      <TabPanel value="body" className={styles.panel}>
        {isEmpty ? (
          <Caption as="p" className="data faint">
            The request has no query and no body.
          </Caption>
        ) : (
          <JsonView
            body={request.body}
            contentType={typeOf(request.headers)}
            query={query}
            extra={refusal?.fields ? null : (refusal?.extra ?? null)}
            hints={hinted}
            wrong={wrong}
            errorPlace={errorPlace}
          />
        )}
      </TabPanel>
      <TabPanel value="headers" className={styles.panel}>
        <Headers title="Request headers" headers={request.headers} wrong={header} />
        <Headers title="Response headers" headers={response.headers} />
      </TabPanel>
      <TabPanel value="response" className={styles.panel}>
        <JsonView body={response.body} contentType={typeOf(response.headers)} />
      </TabPanel>
    </Tabs>
  )
}

interface HeadersProps {
  readonly title: string
  readonly headers: readonly (readonly [string, string])[]
  /** The header that the API refused, or that is missing. */
  readonly wrong?: string | undefined
}

function Headers({ title, headers, wrong }: HeadersProps) {
  const isAbsent = wrong !== undefined && !headers.some(([name]) => name === wrong)
  const mark = (text: string) => (
    <b className="bad" data-wrong-header="">
      {text}
    </b>
  )
  return (
    <Section title={title}>
      <PropertyList style={{ padding: '0 16px 12px', '--name': '160px' } as React.CSSProperties}>
        {isAbsent && <Property name={wrong}>{mark('missing')}</Property>}
        {headers.map(([name, value]) => (
          <Property key={name} name={name}>
            <Text className="mono">{value}</Text>
            {name === wrong && <> {mark(value === '' ? 'empty' : 'refused')}</>}
          </Property>
        ))}
      </PropertyList>
    </Section>
  )
}
