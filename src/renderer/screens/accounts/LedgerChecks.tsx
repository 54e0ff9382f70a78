import { Check, Scale, X } from 'lucide-react'
import type { BookDifference, Close, TrialBalance } from '../../../api/contract/control/ledger.ts'
import { Uid } from '../../components/RecordLink.tsx'
import { useQuery } from '../../data/use-query.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { formatShortInstant, newYork } from '../../format/time.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { Caption } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './LedgerChecks.module.css'

interface LedgerChecksProps {
  readonly program_uid: string
  /** Undefined for all Pools of the Program. */
  readonly pool_uid: string | undefined
  readonly at: string | undefined
  readonly who: string
  readonly onScope: (all: boolean) => void
}

const WATCHED = ['synthetic_line_items', 'custodial_line_items', 'custodial_account_closing_balances', 'pools']

const COMPARISON = 'general accounts against the DDA at each daily close'

/** Compares both books at each daily close, and sums each book from its line items alone. */
export function LedgerChecks({ program_uid, pool_uid, at, who, onScope }: LedgerChecksProps) {
  const scope = { program_uid, ...(pool_uid === undefined ? {} : { pool_uid }), ...(at === undefined ? {} : { at }) }
  const reconciled = useQuery('ledger.reconciliation', { ...scope, days: 5 }, WATCHED)
  const trial = useQuery('ledger.trial_balance', scope, WATCHED)
  return (
    <div className={styles.checks}>
      <section aria-label="Reconciliation">
        <Caption className={styles.caption}>
          <Scale size={13} strokeWidth={1.6} aria-hidden="true" />
          <h2>Reconciliation</h2>
          <span className="meta cut" title={`${who.slice(0, 255)}: ${COMPARISON}`}>
            <Text>{who}</Text>: {COMPARISON}
          </span>
          <span className="end row">
            <Chip pressed={pool_uid !== undefined} onClick={() => onScope(false)}>
              this Pool
            </Chip>
            <Chip pressed={pool_uid === undefined} onClick={() => onScope(true)}>
              all Pools
            </Chip>
          </span>
        </Caption>
        {reconciled.data ? (
          <Reconciliation closes={reconciled.data.closes} differences={reconciled.data.differences} at={at} />
        ) : reconciled.error !== undefined ? (
          <Notice title="The books could not be compared." error={reconciled.error} />
        ) : (
          reconciled.slow && <Skeleton rows={3} />
        )}
      </section>
      <section aria-label="Trial balance">
        <Caption className={styles.caption}>
          <h2>Trial balance</h2>
          <span className="meta cut">
            {pool_uid === undefined ? 'all Pools' : 'this Pool'}, settled, summed from line items
          </span>
        </Caption>
        {trial.data ? (
          <TrialBalanceTable books={trial.data.books} />
        ) : trial.error !== undefined ? (
          <Notice title="The trial balance could not be computed." error={trial.error} />
        ) : (
          trial.slow && <Skeleton rows={3} />
        )}
      </section>
    </div>
  )
}

function formatClose({ day, at }: Close, asOf: string | undefined): string {
  if (day === null) return asOf === undefined ? 'now' : formatShortInstant(Date.parse(at))
  const { weekday, day: date, month } = newYork(Date.parse(at) - 1)
  return `${weekday} ${date} ${month}`
}

interface ReconciliationProps {
  readonly closes: readonly Close[]
  readonly differences: readonly BookDifference[]
  readonly at: string | undefined
}

function Reconciliation({ closes, differences, at }: ReconciliationProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keys.
    <section className={styles.sums} tabIndex={0} aria-label="Sums of both books">
      <table>
        <thead>
          <tr>
            <th scope="col">Book</th>
            {closes.map((close) => (
              <th key={close.at} scope="col" title={close.at}>
                {formatClose(close, at)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Synthetic</th>
            {closes.map((close) => (
              <td key={close.at}>
                <Amount value={close.synthetic} />
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row">Custodial</th>
            {closes.map((close) => (
              <td key={close.at}>
                <Amount value={close.custodial} />
              </td>
            ))}
          </tr>
          <tr data-sum>
            <th scope="row">Difference</th>
            {closes.map((close) => (
              <td key={close.at}>
                <Verdict isOk={close.pools_apart === 0} note={plural(close.pools_apart, 'Pool')} />{' '}
                <Amount value={close.difference} />
              </td>
            ))}
          </tr>
        </tbody>
      </table>
      {differences.length > 0 && (
        <ul className={styles.differences}>
          {differences.map(({ transaction_uid, at: when, synthetic, custodial, difference }) => (
            <li key={transaction_uid} className="data">
              <span className="bad">
                <X size={12} strokeWidth={2} aria-hidden="true" /> <Amount value={difference} movement />
              </span>{' '}
              comes from <Uid opens="transactions">{transaction_uid}</Uid> of {formatShortInstant(Date.parse(when))}:
              synthetic <Amount value={synthetic} />, custodial <Amount value={custodial} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** A check mark where the books agree, a cross with a note where they do not. */
function Verdict({ isOk, note }: { isOk: boolean; note: string }) {
  return isOk ? (
    <Check size={12} strokeWidth={2} role="img" aria-label="agrees" />
  ) : (
    <span className="bad">
      <X size={12} strokeWidth={2} role="img" aria-label="differs" /> {note}
    </span>
  )
}

const ACCOUNT_KINDS = { synthetic: 'counterparties, general', custodial: 'cash, dda' } as const

function TrialBalanceTable({ books }: { books: readonly TrialBalance[] }) {
  const lines = books.reduce((sum, book) => sum + book.lines, 0)
  const isBalanced = books.every(({ total }) => total === '0.00')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keys.
    <section className={styles.sums} tabIndex={0} aria-label="Debits and credits of both books">
      <table>
        <thead>
          <tr>
            <th scope="col">Book</th>
            <th scope="col" data-words>
              Accounts
            </th>
            <th scope="col">Debit</th>
            <th scope="col">Credit</th>
          </tr>
        </thead>
        <tbody>
          {books.map(({ book, accounts, debits, credits }) => (
            <tr key={book}>
              <th scope="row">{book === 'synthetic' ? 'Synthetic' : 'Custodial'}</th>
              <td data-words className="soft">
                {formatCount(accounts)}: {ACCOUNT_KINDS[book]}
              </td>
              <td>
                <Amount value={debits.replace('-', '')} />
              </td>
              <td>
                <Amount value={credits} />
              </td>
            </tr>
          ))}
          <tr data-sum>
            <th scope="row">Both</th>
            <td data-words>{plural(lines, 'line item')}</td>
            <td className={isBalanced ? undefined : 'bad'}>{isBalanced ? 'balanced' : 'not balanced'}</td>
            <td>
              <Verdict isOk={isBalanced} note="" />{' '}
              <Amount value={books.find(({ total }) => total !== '0.00')?.total ?? '0.00'} />
            </td>
          </tr>
        </tbody>
      </table>
    </section>
  )
}
