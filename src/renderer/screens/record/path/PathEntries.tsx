import { ArrowUpRight } from 'lucide-react'
import type { PathPayment } from '../../../../api/contract/control/payments.ts'
import { RecordLink } from '../../../components/RecordLink.tsx'
import { ScreenLink } from '../../../components/ScreenLink.tsx'
import { truncate } from '../../../format/text.ts'
import { Amount } from '../../../ui/Amount.tsx'
import { Row, Stack } from '../../../ui/Box.tsx'
import styles from './PathEntries.module.css'

type Entries = PathPayment['entries']

const BOOKS = ['synthetic', 'custodial'] as const

interface PathEntriesProps {
  /** For example "posted", or when the entries would post. */
  readonly caption: React.ReactNode
  readonly label: string
  readonly entries: Entries
}

/** From source to destination through both books: each entry is solid once it is posted, and outlined before. */
export function PathEntries({ caption, label, entries }: PathEntriesProps) {
  return (
    <Stack as="section" gap={4} style={{ padding: '8px 0 2px' }} aria-label={label}>
      <p className={`meta ${styles.caption}`}>{caption}</p>
      {BOOKS.map((book) => {
        const [source, destination] = entries.filter((entry) => entry.book === book).toSorted(bySign)
        return (
          <div key={book} className={styles.book} data-book={book}>
            <span className="meta">{book === 'synthetic' ? 'Synthetic book' : 'Custodial book'}</span>
            {source && destination ? (
              <>
                <Node entry={source} side="from" />
                <Arrow isPosted={source.line_item_uid !== null} />
                <Node entry={destination} side="to" />
              </>
            ) : (
              <span className={`soft data ${styles.none}`}>
                no entries: the money stays inside one Custodial Account
              </span>
            )}
          </div>
        )
      })}
    </Stack>
  )
}

const bySign = (a: Entries[number], b: Entries[number]) =>
  Number(b.amount.startsWith('-')) - Number(a.amount.startsWith('-'))

const NODE = {
  justifyContent: 'space-between',
  border: '1px dashed var(--edge)',
  borderRadius: 'var(--radius)',
} as const
const POSTED = { ...NODE, border: '1px solid var(--ink-2)' }

function Node({ entry: { book, account, amount, line_item_uid }, side }: { entry: Entries[number]; side: string }) {
  const value = <Amount value={amount} movement />
  return (
    <Row
      as="span"
      gap={12}
      pad="0 8"
      least={28}
      text="data"
      fill={line_item_uid === null ? undefined : 'paper'}
      style={line_item_uid === null ? NODE : POSTED}
      data-posted={line_item_uid === null ? undefined : ''}
    >
      <span className="row" data-tight>
        <span className="unseen">{side} </span>
        {account.outside && <ArrowUpRight size={12} strokeWidth={1.8} aria-label="outside" />}
        <RecordLink collection={`${book}_accounts`} uid={account.uid} title={account.name}>
          {truncate(account.name)}
        </RecordLink>
      </span>
      {line_item_uid === null ? (
        value
      ) : (
        <ScreenLink collection={`${book}_line_items`} record={line_item_uid} title={`line item ${line_item_uid}`}>
          {value}
        </ScreenLink>
      )}
    </Row>
  )
}

const Arrow = ({ isPosted }: { isPosted: boolean }) => (
  <svg className={styles.arrow} viewBox="0 0 40 10" width="40" height="10" aria-hidden="true">
    <path
      d="M0 5H33"
      fill="none"
      stroke={isPosted ? 'var(--ink-2)' : 'var(--ink-3)'}
      strokeDasharray={isPosted ? undefined : '3 3'}
    />
    <path d="M33 1 39 5 33 9z" fill="var(--ink-2)" />
  </svg>
)
