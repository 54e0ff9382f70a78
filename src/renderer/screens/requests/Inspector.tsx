import { Lightbulb, type LucideIcon, Undo2, X, Zap } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Exchange, ExchangeDetail } from '../../../api/contract/control/exchanges.ts'
import { type EndpointName, endpoints } from '../../../api/contract/endpoints.ts'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { requestActions } from '../../actions/window.ts'
import { ContentTabs, Stages } from '../../components/exchange/ExchangeContent.tsx'
import { Fork } from '../../components/Fork.tsx'
import { HintLine, Hints } from '../../components/Hints.tsx'
import { Refusal } from '../../components/Refusal.tsx'
import { ButtonLink, LineLink } from '../../components/ScreenLink.tsx'
import { StatusCode } from '../../components/Status.tsx'
import { useFeed } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { useQuery } from '../../data/sandbox.ts'
import { isMissing } from '../../data/worlds.ts'
import { formatUndoneBy } from '../../format/commits.ts'
import { explainFaults } from '../../format/faults.ts'
import { formatCount, formatInstant, formatMilliseconds, formatRealInstant } from '../../format/text.ts'
import { type Correction, describeCorrection, labelCorrection } from '../../forms/corrections.ts'
import { formatPath } from '../../forms/values.ts'
import { Button, CopyButton } from '../../ui/Button.tsx'
import { Actions, DetailPane, Row } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { Text, Time } from '../../ui/Text.tsx'
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
      <Stages exchange={exchange} />
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

const Sign = ({ icon: Icon, children }: { readonly icon: LucideIcon; readonly children: React.ReactNode }) => (
  <HintLine>
    <Icon className="wait" size={13} strokeWidth={1.6} aria-hidden="true" />
    <span>{children}</span>
  </HintLine>
)

const RequestActions = ({ exchange: { uid, refusal, seq_before } }: { exchange: ExchangeDetail }) => (
  <Actions>
    {requestActions(uid).map((action, at) => (
      <ActionButton key={action.id} primary={at === 0 && refusal === null} action={action} />
    ))}
    <ButtonLink screen="scenarios" params={{ record: [String(seq_before)] }}>
      Save as scenario…
    </ButtonLink>
  </Actions>
)
