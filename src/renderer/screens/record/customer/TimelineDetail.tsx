import { useMemo } from 'react'
import { ALL_COLLECTIONS, type Fields, useRelated } from '../../../components/fields/use-record.ts'
import { RecordLink, ScreenLink } from '../../../components/ScreenLink.tsx'
import { signalOfGlyph, statusGlyphs } from '../../../components/Status.tsx'
import { Value } from '../../../components/Value.tsx'
import { Why } from '../../../components/Why.tsx'
import { useNow } from '../../../data/feed.ts'
import { useQuery } from '../../../data/sandbox.ts'
import { formatShortInstant } from '../../../format/text.ts'
import { Line, Row, Section } from '../../../ui/Layout.tsx'
import { EmptyLine } from '../../../ui/Notice.tsx'
import { Amount, Glyph, Property, PropertyList, Text } from '../../../ui/Text.tsx'
import { Scheduled } from '../Actions.tsx'
import styles from './TimelineDetail.module.css'
import { type TimelineRow, targetOf } from './timeline-rows.ts'

interface TimelineDetailProps {
  readonly uid: string
  readonly fields: Fields
  /** Undefined while they are loading, so that "nothing" is not shown too early. */
  readonly rows: readonly TimelineRow[] | undefined
}

/** Next to the timeline: the Customer's current fields, balances, scheduled tasks and problems. */
export function TimelineDetail({ uid, fields, rows }: TimelineDetailProps) {
  const tasks = useRelated('customers', uid).related?.tasks
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
    <aside className={styles.detail} aria-label="Current state" tabIndex={0}>
      <CurrentFields fields={fields} />
      <Money uid={uid} fields={fields} />
      <Scheduled collection="customers" uid={uid} fields={fields} tasks={tasks} />
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
    <Section title="Now" note={formatShortInstant(now)}>
      <PropertyList className={styles.properties}>
        {CURRENT_FIELDS.map((path) => {
          const name = path.split('.').at(-1)!
          const value = of(path)
          return (
            <Property key={path} name={name}>
              {name === 'pool_uids' && (value as string[]).length > 0 ? (
                (value as string[]).map((pool) => (
                  <span key={pool} className="mono">
                    <RecordLink collection="pools" uid={pool}>
                      {pool}
                    </RecordLink>
                  </span>
                ))
              ) : (
                <span className={name === 'external_uid' && typeof value === 'string' ? 'mono' : undefined}>
                  <Value name={name} value={value} />
                </span>
              )}
            </Property>
          )
        })}
      </PropertyList>
    </Section>
  )
}

function Money({ uid, fields }: { uid: string; fields: Fields }) {
  const total = String(fields.total_balance ?? '0.00')
  const ofCustomer = { program_uid: fields.program_uid as string, customer_uid: uid }
  const { data } = useQuery(
    'records.list',
    { collection: 'synthetic_accounts', ...ofCustomer, liability: true, limit: 100 },
    ALL_COLLECTIONS,
  )
  return (
    <Section title="Money" end={<span className="meta">settled</span>}>
      <dl>
        {(data?.data ?? []).map((account) => (
          <Line as="div" key={String(account.uid)}>
            <Row as="dt" grow>
              <RecordLink collection="synthetic_accounts" uid={String(account.uid)}>
                {String(account.name)}
              </RecordLink>
            </Row>
            <dd>
              <Amount value={account.net_usd_balance as string | null} />
            </dd>
          </Line>
        ))}
        <Line as="div" style={{ fontWeight: 600, borderTop: '1px solid var(--ink-3)' }}>
          <dt className="grow">total_balance</dt>
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
        </Line>
      </dl>
    </Section>
  )
}

const isFailure = (status: string) => signalOfGlyph(statusGlyphs[status] ?? 'under-way', status) === 'bad'
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
    <Section title="Needs attention">
      {found.length === 0 && <EmptyLine>Nothing was refused, failed or returned.</EmptyLine>}
      <ul>
        {found.slice(0, MAX_PROBLEMS).map((row) => (
          <Line key={row.id} gap={6} align="baseline" tone="bad">
            <Glyph name="broken" />
            <ProblemLink row={row} />
          </Line>
        ))}
        {found.length > MAX_PROBLEMS && <Line tone="soft">and {found.length - MAX_PROBLEMS} more in the timeline</Line>}
      </ul>
    </Section>
  )
}

function describeProblem({ kind, exchange, to, payment, name }: TimelineRow['entry']): string | null {
  if (kind === 'request' && exchange && exchange.status >= 400)
    return `request refused, ${exchange.code ?? exchange.status}: ${exchange.did}`
  if (kind === 'state' && to !== null && isFailure(to)) return `${name ?? ''}: ${to}`
  return payment && /return|reversal/.test(payment.type) ? `${payment.type}: ${payment.description}` : null
}

function ProblemLink({ row: { entry } }: { row: TimelineRow }) {
  const text = describeProblem(entry) ?? ''
  return (
    <ScreenLink className="bad wrap" title={text} {...targetOf(entry)}>
      <Text>{text}</Text>
    </ScreenLink>
  )
}
