import { RecordLink } from '../../components/RecordLink.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { Status } from '../../components/Status.tsx'
import { type CollectionName, collections } from '../../data/collections.ts'
import { recordAmount, recordName, recordStatus } from '../../data/records.ts'
import { useProgram } from '../../data/use-program.ts'
import { useQuery } from '../../data/use-query.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Caption, Pane, PaneIntro } from '../../ui/Layout.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { RecordList } from './RecordList.tsx'

interface Waiting {
  readonly title: string
  readonly collection: CollectionName
  readonly status: readonly string[]
  readonly moves: string
}

const waiting: readonly Waiting[] = [
  {
    title: 'Payments that wait for the Client',
    collection: 'transactions',
    status: ['authorization_pending'],
    moves: 'approve, deny',
  },
  {
    title: 'Payments on their way',
    collection: 'transactions',
    status: ['queued', 'pending'],
    moves: 'settle, fail, cash a check',
  },
  {
    title: 'Customers in review',
    collection: 'customers',
    status: ['manual_review', 'under_review'],
    moves: 'decide KYC, ask for documents, end the review',
  },
  {
    title: 'Settled payments',
    collection: 'transactions',
    status: ['settled'],
    moves: 'return by any code, notification of change',
  },
]

/** Moves are made on the page of their record: here is which records have some. */
export function Decisions() {
  return (
    <Pane aria-label="By hand" tabIndex={0}>
      <PaneIntro>
        <h2>What a bank, a network or a compliance officer decides</h2>
        <p className="data soft">
          It is a move of one record, and is made on its page: the legal ones are buttons there, the others say why not.
          Also there: lock a Customer, put it under review, register a VRN. All states and their moves:{' '}
          <ScreenLink screen="reference" record="states">
            States
          </ScreenLink>
        </p>
      </PaneIntro>
      {waiting.map((one) => (
        <Records key={one.title} {...one} />
      ))}
    </Pane>
  )
}

const MOST = 8

function Records({ title, collection, status, moves }: Waiting) {
  const program_uid = useProgram()?.uid
  const { data, error } = useQuery(
    'records.list',
    program_uid === undefined ? null : { collection, program_uid, status, limit: MOST },
    [collection],
  )
  return (
    <RecordList figures aria-label={title}>
      <Caption>
        <h2>{title}</h2>
        <span className="meta">{moves}</span>
        <span className="meta end">{data ? data.total_count : ''}</span>
      </Caption>
      {error !== undefined && <Notice title="They could not be read." error={error} />}
      <ul>
        {data?.data.map((record) => (
          <li key={String(record.uid)}>
            <span className="cut grow">
              <RecordLink collection={collection} uid={String(record.uid)}>
                {recordName(record)}
              </RecordLink>
            </span>
            <span>
              <Status word={recordStatus(record) ?? ''} />
            </span>
            <Amount value={recordAmount(record)} />
          </li>
        ))}
        {data?.data.length === 0 && <li className="faint">No {collections[collection].many} like that now.</li>}
        {data && data.total_count > MOST && (
          <li>
            <ScreenLink collection={collection}>All {collections[collection].many}</ScreenLink>
          </li>
        )}
      </ul>
    </RecordList>
  )
}
