import { Check, Scale, X } from 'lucide-react'
import type { BookDifference, Close, TrialBalance } from '../../../api/contract/control/ledger.ts'
import { Uid } from '../../components/ScreenLink.tsx'
import { capitalize } from '../../components/Unavailable.tsx'
import { useQuery } from '../../data/sandbox.ts'
import { formatCount, formatShortInstant, newYork, plural } from '../../format/text.ts'
import { Chip } from '../../ui/Button.tsx'
import { Caption, Panes, Row } from '../../ui/Layout.tsx'
import { Loaded } from '../../ui/Notice.tsx'
import { RowTable, type TableColumn } from '../../ui/Table.tsx'
import { Amount, Text } from '../../ui/Text.tsx'
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
    <Panes columns="minmax(0, 1fr) clamp(424px, 32vw, 720px)" style={BELOW}>
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
        <Loaded query={reconciled} failure="The books could not be compared." rows={3}>
          {({ closes, differences }) => <Reconciliation closes={closes} differences={differences} at={at} />}
        </Loaded>
      </section>
      <section aria-label="Trial balance">
        <Caption className={styles.caption}>
          <h2>Trial balance</h2>
          <span className="meta cut">
            {pool_uid === undefined ? 'all Pools' : 'this Pool'}, settled, summed from line items
          </span>
        </Caption>
        <Loaded query={trial} failure="The trial balance could not be computed." rows={3}>
          {({ books }) => <TrialBalanceTable books={books} />}
        </Loaded>
      </section>
    </Panes>
  )
}

/** Below the accounts and the pane of one, over their whole width. */
const BELOW = { gridColumn: '1 / -1', borderTop: '1px solid var(--line-strong)', borderLeft: 0 }

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

const SUM_ROWS = ['synthetic', 'custodial', 'difference'] as const
type SumRow = (typeof SUM_ROWS)[number]

function Reconciliation({ closes, differences, at }: ReconciliationProps) {
  return (
    <Sums label="Sums of both books">
      <RowTable
        figures
        columns={[
          { label: 'Book', names: true, cell: (row) => capitalize(row) },
          ...closes.map((close) => ({
            label: formatClose(close, at),
            title: close.at,
            right: true,
            cell: (row: SumRow) => (
              <>
                {row === 'difference' && (
                  <Verdict isOk={close.pools_apart === 0} note={plural(close.pools_apart, 'Pool')} />
                )}{' '}
                <Amount value={close[row]} />
              </>
            ),
          })),
        ]}
        rows={SUM_ROWS}
        keyOf={(row) => row}
        attributesOf={(row) => ({ 'data-sum': row === 'difference' ? '' : undefined })}
      />
      {differences.length > 0 && (
        <ul>
          {differences.map(({ transaction_uid, at: when, synthetic, custodial, difference }) => (
            <Row key={transaction_uid} as="li" pad="4 16" text="data" line="top" style={{ display: 'block' }}>
              <span className="bad">
                <X size={12} strokeWidth={2} aria-hidden="true" /> <Amount value={difference} movement />
              </span>{' '}
              comes from <Uid opens="transactions">{transaction_uid}</Uid> of {formatShortInstant(Date.parse(when))}:
              synthetic <Amount value={synthetic} />, custodial <Amount value={custodial} />
            </Row>
          ))}
        </ul>
      )}
    </Sums>
  )
}

/** Amounts of both books, below each other. */
const Sums = ({ label, children }: { readonly label: string; readonly children: React.ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keys.
  <section className={styles.sums} tabIndex={0} aria-label={label}>
    {children}
  </section>
)

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

const trialColumns: readonly TableColumn<TrialBalance>[] = [
  { label: 'Book', names: true, cell: ({ book }) => capitalize(book) },
  {
    label: 'Accounts',
    cell: ({ book, accounts }) => (
      <span className="soft">
        {formatCount(accounts)}: {ACCOUNT_KINDS[book]}
      </span>
    ),
  },
  { label: 'Debit', right: true, cell: ({ debits }) => <Amount value={debits.replace('-', '')} /> },
  { label: 'Credit', right: true, cell: ({ credits }) => <Amount value={credits} /> },
]

function TrialBalanceTable({ books }: { books: readonly TrialBalance[] }) {
  const lines = books.reduce((sum, book) => sum + book.lines, 0)
  const isBalanced = books.every(({ total }) => total === '0.00')
  return (
    <Sums label="Debits and credits of both books">
      <RowTable
        figures
        columns={trialColumns}
        rows={books}
        keyOf={({ book }) => book}
        last={
          <tr data-sum>
            <th scope="row">Both</th>
            <td>{plural(lines, 'line item')}</td>
            <td data-right className={isBalanced ? undefined : 'bad'}>
              {isBalanced ? 'balanced' : 'not balanced'}
            </td>
            <td data-right>
              <Verdict isOk={isBalanced} note="" />{' '}
              <Amount value={books.find(({ total }) => total !== '0.00')?.total ?? '0.00'} />
            </td>
          </tr>
        }
      />
    </Sums>
  )
}
