import { ChevronDown, RotateCcw, X, Zap } from 'lucide-react'
import { useState } from 'react'
import { ControlError } from '../../../api/contract/control/client.ts'
import type { Exchange, ExchangeDetail } from '../../../api/contract/control/exchanges.ts'
import { HintLine, Hints } from '../../components/Hints.tsx'
import { Refusal } from '../../components/Refusal.tsx'
import { ButtonLink } from '../../components/ScreenLink.tsx'
import { StatusCode } from '../../components/StatusCode.tsx'
import { isDropped, useFeed } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { useQuery } from '../../data/use-query.ts'
import { meaningOfFaults } from '../../format/faults.ts'
import { formatCount, formatMilliseconds } from '../../format/numbers.ts'
import { formatCurl, formatFetch, formatHttp } from '../../format/request.ts'
import { formatDateTime } from '../../format/time.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { copyText } from '../../ui/copy.ts'
import { JsonView } from '../../ui/JsonView.tsx'
import { Actions, Caption, DetailPane } from '../../ui/Layout.tsx'
import { Menu, MenuItem } from '../../ui/Menu.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { Property, PropertyList } from '../../ui/Property.tsx'
import { TabBar, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './Inspector.module.css'
import { RequestHeading } from './RequestHeading.tsx'
import { Stages } from './Stages.tsx'

/** One request and its answer in full. */
export function Inspector({ uid, close }: { uid: string; close: () => void }) {
  const summary = useFeed(({ exchanges }) => exchanges.find((exchange) => exchange.uid === uid))
  const { data, error, slow } = useQuery('exchanges.get', { uid })
  const exchange = data ?? summary
  return (
    <DetailPane id="request" aria-label="Request" tabIndex={0}>
      {exchange && <Heading exchange={exchange} close={close} />}
      {data ? (
        <InFull exchange={data} />
      ) : error === undefined ? (
        slow && <Skeleton />
      ) : (
        <Unread uid={uid} error={error} close={close} />
      )}
    </DetailPane>
  )
}

function Unread({ uid, error, close }: { uid: string; error: unknown; close: () => void }) {
  const length = useFeed((feed) => feed.world?.log_length)
  const unknown = error instanceof ControlError && error.body.status === 404
  return (
    <Notice
      title={unknown ? `The log has no request ${uid}.` : `The request ${uid} could not be read.`}
      error={unknown ? undefined : error}
    >
      {unknown && length !== undefined && `It keeps the newest ${formatCount(length)}. `}
      <Button small onClick={close}>
        Close
      </Button>
    </Notice>
  )
}

function Heading({ exchange, close }: { exchange: Exchange; close: () => void }) {
  const { method, path, at, ms, trace_id, uid } = exchange
  return (
    <RequestHeading
      method={method}
      path={path}
      facts={
        <>
          <span title={at}>{formatDateTime(Date.parse(at))} ET</span> · {formatMilliseconds(ms)} ms · request{' '}
          <span className="mono">{uid}</span> · trace{' '}
          {trace_id === null ? 'none' : <Text className="mono">{trace_id}</Text>}
        </>
      }
    >
      <span style={{ lineHeight: '20px' }}>
        <StatusCode exchange={exchange} />
      </span>
      <span className="end">
        <Button bare iconOnly aria-label="Close the request" onClick={close}>
          <X size={14} aria-hidden="true" />
        </Button>
      </span>
    </RequestHeading>
  )
}

function InFull({ exchange }: { exchange: ExchangeDetail }) {
  const { refusal, hinted, fault } = exchange
  return (
    <>
      <RequestActions exchange={exchange} />
      {fault !== undefined && (
        <HintLine>
          <Zap className="wait" size={13} strokeWidth={1.6} aria-hidden="true" />
          <span>
            It met with a fault: <span className="mono">{fault}</span>. {meaningOfFaults(fault)}
          </span>
        </HintLine>
      )}
      <Stages refusedAt={refusal?.stage ?? null} exchange={exchange} />
      {refusal && <Refusal refusal={refusal} endpoint={exchange.endpoint} />}
      <Hints hints={hinted} />
      <Parts exchange={exchange} />
    </>
  )
}

const forms = { curl: formatCurl, fetch: formatFetch, HTTP: formatHttp } as const

function RequestActions({ exchange }: { exchange: ExchangeDetail }) {
  const api = useFeed((feed) => feed.world?.api ?? '')
  const filters = useRoute((view) => view.params)
  const [said, setSaid] = useState('')
  return (
    <Actions>
      <ButtonLink screen="requests" record={exchange.uid} params={{ ...filters, replay: ['own'] }} primary>
        <RotateCcw size={12} strokeWidth={1.8} aria-hidden="true" />
        Replay…
      </ButtonLink>
      <ButtonLink screen="scenarios" params={{ record: [String(exchange.seq_before)] }}>
        Save as scenario…
      </ButtonLink>
      <CopyButton text={() => formatCurl(api, exchange)} what="request as curl" label="Copy as curl" />
      <Menu
        trigger={
          <Button>
            Copy as…
            <ChevronDown size={12} aria-hidden="true" />
          </Button>
        }
      >
        {Object.entries(forms).map(([name, write]) => (
          <MenuItem
            key={name}
            onClick={async () =>
              setSaid((await copyText(write(api, exchange))) ? `copied as ${name}` : 'copying failed')
            }
          >
            {name}
          </MenuItem>
        ))}
      </Menu>
      <span className="meta end" role="status" style={{ lineHeight: '24px' }}>
        {said}
      </span>
    </Actions>
  )
}

/** Kept from one request to the next: whoever reads answers goes on reading answers. */
let lastPart = 'body'

function Parts({ exchange }: { exchange: ExchangeDetail }) {
  const [part, setPart] = useState(lastPart)
  const { request, response, path, refusal, hinted } = exchange
  const typeOf = (headers: readonly (readonly [string, string])[]) =>
    headers.find(([name]) => name === 'content-type')?.[1]
  const query = path.includes('?') ? path.slice(path.indexOf('?') + 1) : ''
  const empty = request.body === '' && query === ''
  const choose = (to: string) => {
    lastPart = to
    setPart(to)
  }
  return (
    <Tabs value={part} onValueChange={choose} style={{ display: 'flex', flexDirection: 'column', flex: '1 0 auto' }}>
      <TabBar
        label="Parts of the request"
        tabs={[
          { value: 'body', label: query !== '' && request.body === '' ? 'Query' : 'Body' },
          { value: 'headers', label: `Headers ${formatCount(request.headers.length + response.headers.length)}` },
          { value: 'answer', label: `Answer ${isDropped(exchange) ? 'cut' : exchange.status}` },
        ]}
      >
        <span className="end row">
          {part === 'answer' ? (
            <CopyButton text={response.body} what="answer" />
          ) : part === 'body' ? (
            <CopyButton text={request.body === '' ? query : request.body} what="body" />
          ) : null}
        </span>
      </TabBar>
      <TabPanel value="body" className={styles.panel}>
        {empty ? (
          <Caption as="p" className="data faint">
            The request had no query and no body.
          </Caption>
        ) : (
          <JsonView
            body={request.body}
            contentType={typeOf(request.headers)}
            query={query}
            extra={refusal?.extra ?? null}
            hints={hinted}
          />
        )}
      </TabPanel>
      <TabPanel value="headers" className={styles.panel}>
        <Headers title="Sent by the caller" headers={request.headers} />
        <Headers title="Answered" headers={response.headers} />
      </TabPanel>
      <TabPanel value="answer" className={styles.panel}>
        <JsonView body={response.body} contentType={typeOf(response.headers)} />
      </TabPanel>
    </Tabs>
  )
}

function Headers({ title, headers }: { title: string; headers: readonly (readonly [string, string])[] }) {
  return (
    <>
      <Caption>
        <h2>{title}</h2>
      </Caption>
      <PropertyList className={styles.headers}>
        {headers.map(([name, value]) => (
          <Property key={name} name={name}>
            <Text className="mono">{value}</Text>
          </Property>
        ))}
      </PropertyList>
    </>
  )
}
