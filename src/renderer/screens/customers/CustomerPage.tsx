import { ChevronRight, Link } from 'lucide-react'
import { useMemo, useState } from 'react'
import { machines } from '../../../api/contract/machines.ts'
import { Customer } from '../../../api/contract/resources/customers.ts'
import { Amount } from '../../components/Amount.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Field, Value } from '../../components/Field.tsx'
import { Go } from '../../components/Go.tsx'
import { FaintBars, Notice } from '../../components/Notice.tsx'
import { type Layout, movesFrom, StateDiagram } from '../../components/StateDiagram.tsx'
import { Status } from '../../components/Status.tsx'
import { Text } from '../../components/Text.tsx'
import { Uid } from '../../components/Uid.tsx'
import { copy } from '../../copy.ts'
import { useQuery } from '../../use-query.ts'
import { nameOf } from './names.ts'
import { Related } from './Related.tsx'

/** One Customer: every field of the contract, where it stands, and what belongs to it. */
export function CustomerPage({ uid }: { uid: string }) {
  const { data, error, slow } = useQuery('records.get', { collection: 'customers', uid }, ['customers'])
  const customer = data as unknown as Customer | undefined
  return (
    <>
      <div className="bar">
        <Go className="soft" screen="customers">
          Customers
        </Go>
        <ChevronRight className="faint" size={14} aria-hidden="true" />
        <h1 className="row">
          <Text className="cut">{(customer && nameOf(customer)) ?? uid}</Text>
        </h1>
        <Uid>{uid}</Uid>
        <span className="end row">
          <CopyAddress />
          {data && (
            <CopyButton text={() => `${JSON.stringify(data, null, 2)}\n`} what="record as JSON" label="Copy as JSON" />
          )}
        </span>
      </div>
      {customer ? (
        <Page customer={customer} />
      ) : error === undefined ? (
        slow && <FaintBars />
      ) : (
        <Notice title={`There is no Customer to show at ${uid}.`} error={error}>
          <Go screen="customers">All Customers</Go>
        </Notice>
      )}
    </>
  )
}

function CopyAddress() {
  const [said, setSaid] = useState<string | null>(null)
  return (
    <button
      type="button"
      className="btn"
      onClick={async () => setSaid((await copy(location.href)) ? 'Address copied' : 'Copying failed')}
      onBlur={() => setSaid(null)}
    >
      <Link size={13} strokeWidth={1.6} aria-hidden="true" />
      <span aria-live="polite">{said ?? 'Copy address'}</span>
    </button>
  )
}

function Page({ customer }: { customer: Customer }) {
  const { details, ...fields } = customer
  return (
    <div className="page">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keys. */}
      <section tabIndex={0} aria-label="Record">
        <div className="title">
          <span>
            <span className="meta">{customer.customer_type} Customer, total_balance</span>
            <b className="sum">
              <Amount value={customer.total_balance} /> <span className="data faint">USD</span>
            </b>
          </span>
          <dl>
            <div>
              <dt>status</dt>
              <dd>
                <Status word={customer.status} />
              </dd>
            </div>
            <div>
              <dt>kyc_status</dt>
              <dd>
                <Value name="kyc_status" value={customer.kyc_status} />
              </dd>
            </div>
            <div>
              <dt>locked_at</dt>
              <dd>
                <Value name="locked_at" value={customer.locked_at} />
              </dd>
            </div>
          </dl>
        </div>
        <States customer={customer} />
        <div className="cap">
          <h2>Fields</h2>
          <span className="meta end">as the API answers</span>
        </div>
        <Fields of={fields} shape={FIELDS} />
        <div className="cap">
          <h2>details</h2>
        </div>
        <Fields of={details as Record<string, unknown>} shape={DETAILS} />
      </section>
      <Related customer={customer} />
    </div>
  )
}

const layout: Layout = {
  at: {
    initiated: [0, 0],
    queued: [1, 0],
    identity_verified: [2, 0],
    active: [3, 0],
    pending_archival: [4, 0],
    archived: [5, 0],
    rejected: [0, 1],
    manual_review: [1, 1],
    under_review: [3, 1],
  },
  widths: [84, 116, 128, 108, 128, 84],
}

function States({ customer: { status, kyc_status } }: { customer: Customer }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keys.
    <section className="states" tabIndex={0} aria-label="States">
      <div className="cap">
        <h2>States</h2>
        <span className="meta">lit: now; whole lines: can follow from here; dashed: other ways</span>
      </div>
      <StateDiagram machine={machines.customer} layout={layout} state={status} />
      <p className="moves">
        {sayMoves(movesFrom(machines.customer, status), `${status} is the end.`)}
        {kyc_status !== null && (
          <>
            <br />
            kyc_status {kyc_status}: {sayMoves(movesFrom(machines.kyc, kyc_status), 'no further move.')}
          </>
        )}
      </p>
    </section>
  )
}

function sayMoves(moves: readonly { event: string; to: string }[], none: string): React.ReactNode {
  if (moves.length === 0) return none
  return moves.map(({ event, to }, at) => (
    <span key={event}>
      {at > 0 && ' · '}
      <b>{event}</b> leads to {to}
    </span>
  ))
}

const FIELDS = Object.keys(Customer.shape).filter((name) => name !== 'details')
/** What is write-only is in no answer. */
const DETAILS = Object.entries(Customer.shape.details.shape)
  .filter(([, schema]) => !schema.meta()?.writeOnly)
  .map(([name]) => name)

/** Every field that the contract names, in its order: those that the answer leaves out too. */
function Fields({ of, shape }: { of: Record<string, unknown>; shape: readonly string[] }) {
  const flat = useMemo(() => shape.flatMap((name) => leaves(name, of[name])), [of, shape])
  const half = Math.ceil(flat.length / 2)
  return (
    <div className="fields">
      {[flat.slice(0, half), flat.slice(half)].map((part) => (
        <dl key={part[0]?.[0]} className="props">
          {part.map(([name, value]) => (
            <Field key={name} name={name}>
              <FieldValue name={name} value={value} />
            </Field>
          ))}
        </dl>
      ))}
    </div>
  )
}

function FieldValue({ name, value }: { name: string; value: unknown }) {
  if (name === 'total_balance') return <Amount value={value as string} />
  if (name === 'primary_customer_uid' && typeof value === 'string') return <Uid opens="customers">{value}</Uid>
  if (name === 'secondary_customer_uids' && Array.isArray(value) && value.length > 0)
    return value.map((uid: string) => (
      <div key={uid}>
        <Uid opens="customers">{uid}</Uid>
      </div>
    ))
  if (name === 'uid' || name.endsWith('_uid'))
    return typeof value === 'string' ? <Uid>{value}</Uid> : <Value name={name} value={value} />
  return <Value name={name} value={value} />
}

/** An object is shown by its own fields: `address.city`. */
function leaves(name: string, value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, value]]
  return Object.entries(value).flatMap(([inner, part]) => leaves(`${name}.${inner}`, part))
}
