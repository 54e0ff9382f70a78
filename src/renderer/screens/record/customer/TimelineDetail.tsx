import { useMemo } from 'react'
import { ALL_COLLECTIONS, type Fields } from '../../../components/fields/use-record.ts'
import { RecordLink } from '../../../components/RecordLink.tsx'
import { ScreenLink } from '../../../components/ScreenLink.tsx'
import { Value } from '../../../components/Value.tsx'
import { Why } from '../../../components/Why.tsx'
import { useCustomerTasks } from '../../../data/use-customer-tasks.ts'
import { useNow } from '../../../data/use-now.ts'
import { useQuery } from '../../../data/use-query.ts'
import { formatDateTime, formatShortInstant } from '../../../format/time.ts'
import { Amount } from '../../../ui/Amount.tsx'
import { EmptyLine } from '../../../ui/EmptyState.tsx'
import { Glyph } from '../../../ui/Glyph.tsx'
import { Caption } from '../../../ui/Layout.tsx'
import { Property, PropertyList } from '../../../ui/Property.tsx'
import { Text } from '../../../ui/Text.tsx'
import styles from './TimelineDetail.module.css'
import type { TimelineRow } from './timeline-rows.ts'

interface TimelineDetailProps {
  readonly uid: string
  readonly fields: Fields
  /** Undefined while they are loading, so that "nothing" is not shown too early. */
  readonly rows: readonly TimelineRow[] | undefined
}

/** Next to the timeline: the Customer's current fields, balances, scheduled tasks and problems. */
export function TimelineDetail({ uid, fields, rows }: TimelineDetailProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
    <aside className={styles.detail} aria-label="Current state" tabIndex={0}>
      <CurrentFields fields={fields} />
      <Money uid={uid} fields={fields} />
      <Scheduled uid={uid} />
      {rows && <NeedsAttention rows={rows} />}
    </aside>
  )
}

const CURRENT_FIELDS = [
  'status',
  'kyc_status',
  'customer_type',
  'details.business_name',
  'external_uid',
  'email',
  'details.ssn_last_four',
  'activated_at',
  'pii_confirmed_at',
  'locked_at',
  'pool_uids',
]

function CurrentFields({ fields }: { fields: Fields }) {
  const now = useNow(60_000)
  const of = (path: string) => path.split('.').reduce<unknown>((at, name) => (at as Fields | undefined)?.[name], fields)
  return (
    <>
      <Caption className={styles.caption}>
        <h2>Now</h2>
        <span className="meta">{formatShortInstant(now)}</span>
      </Caption>
      <PropertyList className={styles.properties}>
        {CURRENT_FIELDS.map((path) => {
          const name = path.split('.').at(-1)!
          return (
            <Property key={path} name={name}>
              {name === 'pool_uids' && (of(path) as string[]).length > 0 ? (
                (of(path) as string[]).map((pool) => (
                  <span key={pool} className="mono">
                    <RecordLink collection="pools" uid={pool}>
                      {pool}
                    </RecordLink>
                  </span>
                ))
              ) : name === 'external_uid' && typeof of(path) === 'string' ? (
                <span className="mono">
                  <Value name={name} value={of(path)} />
                </span>
              ) : (
                <Value name={name} value={of(path)} />
              )}
            </Property>
          )
        })}
      </PropertyList>
    </>
  )
}

function Money({ uid, fields }: { uid: string; fields: Fields }) {
  const total = String(fields.total_balance ?? '0.00')
  const { data } = useQuery(
    'records.list',
    {
      collection: 'synthetic_accounts',
      program_uid: fields.program_uid as string,
      customer_uid: uid,
      liability: true,
      limit: 100,
    },
    ALL_COLLECTIONS,
  )
  return (
    <>
      <Caption className={styles.caption}>
        <h2>Money</h2>
        <span className="meta end">settled</span>
      </Caption>
      <dl className={styles.balances}>
        {(data?.data ?? []).map((account) => (
          <div key={String(account.uid)}>
            <dt>
              <RecordLink collection="synthetic_accounts" uid={String(account.uid)}>
                {String(account.name)}
              </RecordLink>
            </dt>
            <dd>
              <Amount value={account.net_usd_balance as string | null} />
            </dd>
          </div>
        ))}
        <div data-total>
          <dt>total_balance</dt>
          <dd>
            <Why
              main
              collection="customers"
              uid={uid}
              field="total_balance"
              question={`Why is total_balance ${total}?`}
            >
              <Amount value={total} />
            </Why>
          </dd>
        </div>
      </dl>
    </>
  )
}

/** The tasks of the Customer and of its payments. */
function Scheduled({ uid }: { uid: string }) {
  const scheduled = useCustomerTasks(uid)
  return (
    <>
      <Caption className={styles.caption}>
        <h2>Scheduled</h2>
      </Caption>
      {scheduled?.length === 0 && <EmptyLine>Nothing scheduled for this Customer.</EmptyLine>}
      <ul className={styles.next}>
        {scheduled?.map(({ task, payment }) => (
          <li key={task.uid}>
            <time dateTime={task.due_at} title={task.due_at}>
              {formatDateTime(Date.parse(task.due_at))}
            </time>
            {payment ? (
              <span className="row" style={{ gap: 6 }} title={task.why}>
                <span className={payment.status === 'authorization_pending' ? 'wait' : undefined}>
                  <Glyph name={payment.status === 'authorization_pending' ? 'decide' : 'under-way'} />
                </span>
                <RecordLink collection="transactions" uid={String(payment.uid)}>
                  {String(payment.type)}
                </RecordLink>
              </span>
            ) : (
              <Text>{task.why}</Text>
            )}
            {payment && (
              <Amount
                value={`${payment.net_asset === 'negative' ? '-' : ''}${payment.us_dollar_amount}`}
                movement={payment.net_asset !== 'neutral'}
                pending
              />
            )}
            {payment && <span className="faint">{task.kind}</span>}
          </li>
        ))}
      </ul>
    </>
  )
}

const FAILED_STATUSES = new Set([
  'failed',
  'rejected',
  'denied',
  'documents_rejected',
  'canceled',
  'client_denied',
  'authorization_denied',
])
const MAX_PROBLEMS = 8

/** Requests that were refused, and payments and states that failed or were returned. */
function NeedsAttention({ rows }: { rows: readonly TimelineRow[] }) {
  const found = useMemo(() => {
    const seen = new Set<string>()
    // A returned payment may have two rows, one when it is created and one when it moves money: list it once.
    const isNew = (key: string) => !seen.has(key) && seen.add(key)
    return rows.filter(({ id, entry }) => describeProblem(entry) !== null && isNew(entry.payment?.uid ?? id))
  }, [rows])
  return (
    <>
      <Caption className={styles.caption}>
        <h2>Needs attention</h2>
      </Caption>
      {found.length === 0 && <EmptyLine>Nothing was refused, failed or returned.</EmptyLine>}
      <ul className={styles.problems}>
        {found.slice(0, MAX_PROBLEMS).map((row) => (
          <li key={row.id} className="bad">
            <Glyph name="broken" />
            <ProblemLink row={row} />
          </li>
        ))}
        {found.length > MAX_PROBLEMS && (
          <li className="soft">and {found.length - MAX_PROBLEMS} more in the timeline</li>
        )}
      </ul>
    </>
  )
}

function describeProblem({ kind, exchange, to, payment, name }: TimelineRow['entry']): string | null {
  if (kind === 'request' && exchange && exchange.status >= 400)
    return `request refused, ${exchange.code ?? exchange.status}: ${exchange.did}`
  if (kind === 'state' && to !== null && FAILED_STATUSES.has(to)) return `${name ?? ''}: ${to}`
  return payment && /return|reversal/.test(payment.type) ? `${payment.type}: ${payment.description}` : null
}

function ProblemLink({ row: { entry } }: { row: TimelineRow }) {
  const text = describeProblem(entry) ?? ''
  const target = entry.exchange
    ? { screen: 'requests' as const, record: entry.exchange.uid }
    : entry.payment
      ? { collection: 'transactions' as const, record: entry.payment.uid }
      : { collection: entry.collection as 'transactions', record: entry.uid }
  return (
    <ScreenLink className="bad wrap" title={text} {...target}>
      <Text>{text}</Text>
    </ScreenLink>
  )
}
