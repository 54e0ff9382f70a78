import { useMemo } from 'react'
import type { Exchange } from '../../../api/contract/control.ts'
import type { Customer } from '../../../api/contract/resources/customers.ts'
import { Go } from '../../components/Go.tsx'
import { Status } from '../../components/Status.tsx'
import { StatusCode } from '../../components/StatusCode.tsx'
import { Text } from '../../components/Text.tsx'
import { RecordLink } from '../../components/Uid.tsx'
import { count, shortMoment } from '../../format.ts'
import { useFeed } from '../../stores/feed.ts'
import { useQuery } from '../../use-query.ts'
import { nameOf } from './names.ts'
import type { Summary } from './use-customers.ts'

/** Beside a Customer: what will happen to it, who belongs to it, and the requests that spoke of it. */
export function Related({ customer }: { customer: Customer }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keys.
    <aside aria-label="What belongs to it" tabIndex={0}>
      <Next uid={customer.uid} />
      <Relatives customer={customer} />
      <Requests uid={customer.uid} />
    </aside>
  )
}

function Next({ uid }: { uid: string }) {
  const all = useFeed((feed) => feed.tasks)
  const tasks = useMemo(() => all.filter(({ record }) => record === uid), [all, uid])
  return (
    <>
      <Cap title="What happens next" />
      <ul className="related">
        {tasks.length === 0 && (
          <li style={{ gridTemplateColumns: '1fr' }} className="soft">
            Nothing is due for this Customer.
          </li>
        )}
        {tasks.map((task) => (
          <li key={task.uid} style={{ gridTemplateColumns: '112px minmax(0, 1fr)' }}>
            <time dateTime={task.due_at} title={task.due_at}>
              {shortMoment(Date.parse(task.due_at))}
            </time>
            <Text>{task.failed ?? task.why}</Text>
          </li>
        ))}
      </ul>
    </>
  )
}

const MOST = 50

function Relatives({ customer }: { customer: Customer }) {
  const { primary_customer_uid: primary, secondary_customer_uids, program_uid } = customer
  const uids = primary === null ? (secondary_customer_uids ?? []) : [primary]
  const { data } = useQuery(
    'records.list',
    uids.length === 0
      ? null
      : { collection: 'customers', program_uid, include_initiated: true, uid: uids.slice(0, MOST), limit: MOST },
    ['customers'],
  )
  if (uids.length === 0) return null
  return (
    <>
      <Cap title={primary === null ? `Secondary Customers ${count(uids.length)}` : 'Primary Customer'} />
      <ul className="related">
        {((data?.data ?? []) as unknown as Summary[]).map((relative) => (
          <li key={relative.uid} style={{ gridTemplateColumns: 'minmax(0, 1fr) auto' }}>
            <span className="cut">
              <RecordLink collection="customers" uid={relative.uid}>
                {nameOf(relative) ?? relative.uid}
              </RecordLink>
            </span>
            <Status word={relative.status} />
          </li>
        ))}
      </ul>
    </>
  )
}

const LATEST = 20

/** Requests that name the Customer in their path or in what they did. */
function Requests({ uid }: { uid: string }) {
  const exchanges = useFeed((feed) => feed.exchanges)
  const found = useMemo(
    () => exchanges.filter(({ path, did }) => path.includes(uid) || did.includes(uid)),
    [exchanges, uid],
  )
  return (
    <>
      <Cap title="Requests that name it">
        <Go className="end data" screen="requests" params={{ q: [uid] }}>
          All {count(found.length)}
        </Go>
      </Cap>
      <ul className="related">
        {found.length === 0 && (
          <li style={{ gridTemplateColumns: '1fr' }} className="soft">
            None is in the log.
          </li>
        )}
        {found.slice(0, LATEST).map((exchange) => (
          <RequestLine key={exchange.uid} exchange={exchange} />
        ))}
      </ul>
    </>
  )
}

function RequestLine({ exchange }: { exchange: Exchange }) {
  return (
    <li style={{ gridTemplateColumns: '112px minmax(0, 1fr) auto' }}>
      <time dateTime={exchange.at} title={exchange.at}>
        {shortMoment(Date.parse(exchange.at))}
      </time>
      <Go className="mono cut" screen="requests" record={exchange.uid} title={exchange.path}>
        {exchange.method} <Text>{exchange.path}</Text>
      </Go>
      <StatusCode exchange={exchange} />
    </li>
  )
}

function Cap({ title, children }: { title: string; children?: React.ReactNode }) {
  return (
    <div className="cap">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
