import { ArrowUpRight } from 'lucide-react'
import type { PathPayment } from '../../../../api/contract/control/payments.ts'
import { RecordLink } from '../../../components/RecordLink.tsx'
import { ScreenLink } from '../../../components/ScreenLink.tsx'
import { truncate } from '../../../format/text.ts'
import { Amount } from '../../../ui/Amount.tsx'
import { Stack } from '../../../ui/Box.tsx'
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

function Node({ entry: { book, account, amount, line_item_uid }, side }: { entry: Entries[number]; side: string }) {
  const value = <Amount value={amount} movement />
  return (
    <span className={styles.node} data-posted={line_item_uid === null ? undefined : ''}>
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
    </span>
  )
}

const Arrow = ({ isPosted }: { isPosted: boolean }) => (
  <svg
    className={styles.arrow}
    viewBox="0 0 40 10"
    width="40"
    height="10"
    aria-hidden="true"
    data-posted={isPosted ? '' : undefined}
  >
    <path d="M0 5H33" />
    <path d="M33 1 39 5 33 9z" />
  </svg>
)
