import { Check } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type ExchangeDetail, Stage } from '../../../api/contract/control/exchanges.ts'
import { locateJsonError } from '../../../api/contract/terms/json-error.ts'
import { isDropped } from '../../data/feed.ts'
import { useApiAccess } from '../../data/use-program.ts'
import { type ApiAccess, formatCurl, formatFetch, formatHttp } from '../../format/request.ts'
import { formatCount } from '../../format/text.ts'
import { CopyButton } from '../../ui/Button.tsx'
import { JsonView } from '../../ui/CodeBlock.tsx'
import { Caption, Row, Section } from '../../ui/Layout.tsx'
import { TabBar, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { Glyph, Property, PropertyList, Text } from '../../ui/Text.tsx'
import styles from './ExchangeContent.module.css'

/** What a request was and what it was answered: in the log, and below each form that sends one. */

/** The checks that a request goes through, in order, with the one that refused it. */
export function Stages({ exchange }: { exchange: ExchangeDetail }) {
  const stages = Stage.options
  const refusedAt = exchange.refusal?.stage ?? null
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

const copyFormats = {
  curl: formatCurl,
  fetch: ({ base_url }: ApiAccess, exchange: ExchangeDetail) => formatFetch(base_url, exchange),
  HTTP: ({ base_url }: ApiAccess, exchange: ExchangeDetail) => formatHttp(base_url, exchange),
} as const

const typeOf = (headers: ExchangeDetail['response']['headers']) =>
  headers.find(([name]) => name === 'content-type')?.[1]

/** The chosen tab stays open when the user selects another request. */
let lastTab = 'body'

interface ContentTabsProps {
  readonly exchange: ExchangeDetail
  /** Below the form that sent it: the response is shown first, and there is no space for the formats to copy. */
  readonly isAnswer?: boolean
}

/** The request and the response in full, with the refused fields marked. */
export function ContentTabs({ exchange, isAnswer = false }: ContentTabsProps) {
  const { request, response, path, refusal, hinted } = exchange
  const access = useApiAccess(exchange.program_uid)
  const fields = refusal?.fields?.filter((field) => !field.startsWith('{')) ?? []
  const header = refusal && refusal.stage !== 'schema' && refusal.stage !== 'rules' ? fields[0] : undefined
  const [tab, setTab] = useState(isAnswer ? 'response' : header === undefined ? lastTab : 'headers')
  const isBodyRefused = refusal?.stage === 'body'
  const errorPlace = useMemo(
    () => (isBodyRefused ? locateJsonError(request.body) : undefined),
    [isBodyRefused, request.body],
  )
  const query = path.includes('?') ? path.slice(path.indexOf('?') + 1) : ''
  const wrong = header === undefined ? fields : []
  const isEmpty = request.body === '' && query === '' && wrong.length === 0
  const chooseTab = (to: string) => {
    if (!isAnswer) lastTab = to
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
          {!isAnswer && <span className="meta">copy as</span>}
          {Object.entries(isAnswer ? {} : copyFormats).map(([name, format]) => (
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
