import type { MethodOutput } from '../../../api/contract/control/methods.ts'
import type { Operation } from '../../../api/contract/control/operations.ts'
import { isOwnRequest } from '../../../api/contract/control/own-requests.ts'
import { Method } from '../../components/Method.tsx'
import { RecordLink, ScreenLink } from '../../components/ScreenLink.tsx'
import { StatusCode } from '../../components/Status.tsx'
import { isCollection } from '../../data/collections.ts'
import { useFeed } from '../../data/feed.ts'
import { useQuery } from '../../data/sandbox.ts'
import { useProgram, useTotal } from '../../data/use-program.ts'
import { formatShortInstant, newYork, plural } from '../../format/text.ts'
import { ScreenBar, Section } from '../../ui/Layout.tsx'
import { EmptyLine, Loaded } from '../../ui/Notice.tsx'
import { RowTable, type TableColumn } from '../../ui/Table.tsx'
import { Text, Time } from '../../ui/Text.tsx'
import { Doors } from './Doors.tsx'
import { Money } from './Money.tsx'
import { Needs } from './Needs.tsx'
import styles from './Now.module.css'

/** What waits for the user, the money, and what the latest requests did; until an app has called, three ways to begin. */
export function Now() {
  const program_uid = useProgram()?.uid
  const customers = useTotal('customers')
  const isCalled = useFeed((feed) => feed.exchanges.some((exchange) => !isOwnRequest(exchange)))
  const isEmpty = customers === 0
  return (
    <>
      <ScreenBar>
        <h1>Now</h1>
        <span className="soft">What waits for you, where the money is, and what the latest requests did.</span>
      </ScreenBar>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it. */}
      <section className={styles.page} tabIndex={0} aria-label="Now" data-empty={isEmpty ? '' : undefined}>
        {program_uid !== undefined && customers !== undefined && (
          <>
            {(isEmpty || !isCalled) && <Doors />}
            <Needs program_uid={program_uid} isQuiet={isEmpty} />
            {!isEmpty && <Money program_uid={program_uid} />}
            <Flow program_uid={program_uid} />
          </>
        )}
      </section>
    </>
  )
}

type Flow = NonNullable<MethodOutput<'now.read'>['flow']>[number]

const columns: readonly TableColumn<Flow>[] = [
  {
    label: 'Time',
    width: 92,
    titleOf: ({ exchange }) => exchange.at,
    cell: ({ exchange }) => newYork(Date.parse(exchange.at)).time,
  },
  { label: 'Method', width: 62, className: 'mono', cell: ({ exchange }) => <Method name={exchange.method} /> },
  {
    label: 'Path',
    width: '30%',
    className: 'mono',
    titleOf: ({ exchange }) => exchange.path,
    cell: ({ exchange: { uid, path } }) => (
      <ScreenLink screen="requests" record={uid}>
        <Text>{path}</Text>
      </ScreenLink>
    ),
  },
  { label: 'Status', width: 96, right: true, cell: ({ exchange }) => <StatusCode exchange={exchange} /> },
  {
    label: 'Set off',
    className: 'soft',
    titleOf: ({ exchange }) => exchange.did,
    cell: (flow) => <SetOff flow={flow} />,
  },
]

/** The records as they are now; of a request that changed none, why. */
function SetOff({ flow: { exchange, records, tasks, deliveries } }: { flow: Flow }) {
  const also = [tasks > 0 && plural(tasks, 'task'), deliveries > 0 && plural(deliveries, 'webhook')].filter(Boolean)
  if (records.length === 0 && also.length === 0) return <Text>{exchange.did}</Text>
  return (
    <>
      {records.map(({ collection, uid, says }, at) => (
        <span key={uid}>
          {at > 0 && ' · '}
          {isCollection(collection) && (
            <RecordLink collection={collection} uid={uid}>
              {says}
            </RecordLink>
          )}
        </span>
      ))}
      {also.length > 0 && ` · ${also.join(', ')}`}
    </>
  )
}

const operationColumns: readonly TableColumn<Operation>[] = [
  {
    label: 'Time',
    width: 172,
    titleOf: ({ at }) => at,
    cell: ({ at }) => <Time at={at} format={formatShortInstant} />,
  },
  { label: 'What happened', width: '40%', cell: ({ says }) => <Text>{says}</Text> },
  { label: 'Did', className: 'soft', titleOf: ({ did }) => did, cell: ({ did }) => <Text>{did}</Text> },
]

/** What made the world as it is, before an app calls. */
function LatestOperations() {
  const seq = useFeed((feed) => feed.seq)
  const { data } = useQuery('operations.list', { limit: 20 }, ['history'], { beat: seq, pauses: 4, keeps: true })
  return (
    data && (
      <RowTable lines columns={operationColumns} rows={data.operations} keyOf={({ operation }) => String(operation)} />
    )
  )
}

const FLOW = ['exchanges', 'customers', 'transfers', 'transactions', 'synthetic_accounts', 'virtual_reference_numbers']

function Flow({ program_uid }: { program_uid: string }) {
  const query = useQuery('now.read', { program_uid, parts: ['flow'] }, FLOW)
  const hasRequests = (query.data?.flow?.length ?? 0) > 0
  return (
    <Section
      title="Flow"
      note={hasRequests ? 'the newest request first, with what it set off' : undefined}
      end={hasRequests && <ScreenLink screen="requests">All requests</ScreenLink>}
      className={styles.flow}
    >
      <Loaded query={query} failure="The latest requests could not be read." rows={6}>
        {({ flow }) =>
          hasRequests ? (
            <RowTable lines columns={columns} rows={flow!} keyOf={({ exchange }) => exchange.uid} />
          ) : (
            <>
              <EmptyLine>
                No request yet. Each appears here as soon as it is answered, with what it did or why it was refused.
              </EmptyLine>
              <LatestOperations />
            </>
          )
        }
      </Loaded>
    </Section>
  )
}
