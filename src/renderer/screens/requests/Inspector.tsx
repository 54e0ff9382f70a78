import { Menu } from '@base-ui/react/menu'
import { Tabs } from '@base-ui/react/tabs'
import { ChevronDown, Lightbulb, RotateCcw, X, Zap } from 'lucide-react'
import { useState } from 'react'
import { ControlError, type Exchange, type ExchangeDetail } from '../../../api/contract/control.ts'
import { Refusal } from '../../components/Refusal.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { StatusCode } from '../../components/StatusCode.tsx'
import { isDropped, useFeed } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { useQuery } from '../../data/use-query.ts'
import { meaningOfFaults } from '../../format/faults.ts'
import { formatCount, formatMilliseconds } from '../../format/numbers.ts'
import { formatCurl, formatFetch, formatHttp } from '../../format/request.ts'
import { formatDateTime } from '../../format/time.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { copyText } from '../../ui/copy.ts'
import { JsonView } from '../../ui/JsonView.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { Property } from '../../ui/Property.tsx'
import { Text } from '../../ui/Text.tsx'
import { Stages } from './Stages.tsx'

/** One request and its answer in full. */
export function Inspector({ uid, close }: { uid: string; close: () => void }) {
  const summary = useFeed(({ exchanges }) => exchanges.find((exchange) => exchange.uid === uid))
  const { data, error, slow } = useQuery('exchanges.get', { uid })
  const exchange = data ?? summary
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keys.
    <section className="inspector" aria-label="Request" tabIndex={0}>
      {exchange && <Heading exchange={exchange} close={close} />}
      {data ? (
        <InFull exchange={data} />
      ) : error === undefined ? (
        slow && <Skeleton />
      ) : (
        <Unread uid={uid} error={error} close={close} />
      )}
    </section>
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
      <button type="button" className="btn" data-small onClick={close}>
        Close
      </button>
    </Notice>
  )
}

function Heading({ exchange, close }: { exchange: Exchange; close: () => void }) {
  const { method, path, at, ms, trace_id, uid } = exchange
  return (
    <>
      <div className="what">
        <h2>
          {method} <Text>{path}</Text>
        </h2>
        <span style={{ lineHeight: '20px' }}>
          <StatusCode exchange={exchange} />
        </span>
        <span className="end">
          <button type="button" className="btn" data-bare data-icon aria-label="Close the request" onClick={close}>
            <X size={14} aria-hidden="true" />
          </button>
        </span>
      </div>
      <p className="meta facts wrap">
        <span title={at}>{formatDateTime(Date.parse(at))} ET</span> · {formatMilliseconds(ms)} ms · request{' '}
        <span className="mono">{uid}</span> · trace{' '}
        {trace_id === null ? 'none' : <Text className="mono">{trace_id}</Text>}
      </p>
    </>
  )
}

function InFull({ exchange }: { exchange: ExchangeDetail }) {
  const { refusal, hinted, fault } = exchange
  return (
    <>
      <Actions exchange={exchange} />
      {fault !== undefined && (
        <p className="hint">
          <Zap className="wait" size={13} strokeWidth={1.6} aria-hidden="true" />
          <span>
            It met with a fault: <span className="mono">{fault}</span>. {meaningOfFaults(fault)}
          </span>
        </p>
      )}
      <Stages refusedAt={refusal?.stage ?? null} exchange={exchange} />
      {refusal && <Refusal refusal={refusal} endpoint={exchange.endpoint} />}
      {hinted.map(({ at, text }) => (
        <p key={at} className="hint">
          <Lightbulb className="wait" size={13} strokeWidth={1.6} aria-label="Hint" />
          <Text>{text}</Text>
        </p>
      ))}
      <Parts exchange={exchange} />
    </>
  )
}

const forms = { curl: formatCurl, fetch: formatFetch, HTTP: formatHttp } as const

function Actions({ exchange }: { exchange: ExchangeDetail }) {
  const api = useFeed((feed) => feed.world?.api ?? '')
  const filters = useRoute((view) => view.params)
  const [said, setSaid] = useState('')
  return (
    <div className="acts">
      <ScreenLink
        screen="requests"
        record={exchange.uid}
        params={{ ...filters, replay: ['own'] }}
        className="btn"
        likeliest
      >
        <RotateCcw size={12} strokeWidth={1.8} aria-hidden="true" />
        Replay…
      </ScreenLink>
      <ScreenLink screen="scenarios" params={{ record: [String(exchange.seq_before)] }} className="btn">
        Save as scenario…
      </ScreenLink>
      <CopyButton text={() => formatCurl(api, exchange)} what="request as curl" label="Copy as curl" />
      <Menu.Root>
        <Menu.Trigger className="btn">
          Copy as…
          <ChevronDown size={12} aria-hidden="true" />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner className="over" sideOffset={4} align="start">
            <Menu.Popup className="raised menu">
              {Object.entries(forms).map(([name, write]) => (
                <Menu.Item
                  key={name}
                  className="item"
                  onClick={async () =>
                    setSaid((await copyText(write(api, exchange))) ? `copied as ${name}` : 'copying failed')
                  }
                >
                  {name}
                </Menu.Item>
              ))}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      <span className="meta end" role="status" style={{ lineHeight: '24px' }}>
        {said}
      </span>
    </div>
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
    <Tabs.Root
      value={part}
      onValueChange={choose}
      style={{ display: 'flex', flexDirection: 'column', flex: '1 0 auto' }}
    >
      <div className="tabs">
        <Tabs.List aria-label="Parts of the request">
          <Tabs.Tab value="body">{query !== '' && request.body === '' ? 'Query' : 'Body'}</Tabs.Tab>
          <Tabs.Tab value="headers">Headers {formatCount(request.headers.length + response.headers.length)}</Tabs.Tab>
          <Tabs.Tab value="answer">Answer {isDropped(exchange) ? 'cut' : exchange.status}</Tabs.Tab>
        </Tabs.List>
        <span className="end row">
          {part === 'answer' ? (
            <CopyButton text={response.body} what="answer" />
          ) : part === 'body' ? (
            <CopyButton text={request.body === '' ? query : request.body} what="body" />
          ) : null}
        </span>
      </div>
      <Tabs.Panel value="body" className="panel">
        {empty ? (
          <p className="cap data faint">The request had no query and no body.</p>
        ) : (
          <JsonView
            body={request.body}
            contentType={typeOf(request.headers)}
            query={query}
            extra={refusal?.extra ?? null}
            hints={hinted}
          />
        )}
      </Tabs.Panel>
      <Tabs.Panel value="headers" className="panel">
        <Headers title="Sent by the caller" headers={request.headers} />
        <Headers title="Answered" headers={response.headers} />
      </Tabs.Panel>
      <Tabs.Panel value="answer" className="panel">
        <JsonView body={response.body} contentType={typeOf(response.headers)} />
      </Tabs.Panel>
    </Tabs.Root>
  )
}

function Headers({ title, headers }: { title: string; headers: readonly (readonly [string, string])[] }) {
  return (
    <>
      <div className="cap">
        <h2>{title}</h2>
      </div>
      <dl className="props">
        {headers.map(([name, value]) => (
          <Property key={name} name={name}>
            <Text className="mono">{value}</Text>
          </Property>
        ))}
      </dl>
    </>
  )
}
