import { RecordLink, ScreenLink } from '../../components/ScreenLink.tsx'
import { Status } from '../../components/Status.tsx'
import { type CollectionName, collections } from '../../data/collections.ts'
import { recordAmount, recordName, recordStatus } from '../../data/records.ts'
import { useQuery } from '../../data/sandbox.ts'
import { useProgram } from '../../data/use-program.ts'
import { Pane, PaneIntro, Row, Section, Stack } from '../../ui/Layout.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Amount } from '../../ui/Text.tsx'

interface DecisionGroup {
  readonly title: string
  readonly collection: CollectionName
  readonly status: readonly string[]
  readonly decisions: string
}

const groups: readonly DecisionGroup[] = [
  {
    title: 'Payments to be authorized by the Client',
    collection: 'transactions',
    status: ['authorization_pending'],
    decisions: 'approve, deny',
  },
  {
    title: 'Queued and pending payments',
    collection: 'transactions',
    status: ['queued', 'pending'],
    decisions: 'settle, fail, cash a check',
  },
  {
    title: 'Customers in review',
    collection: 'customers',
    status: ['manual_review', 'under_review'],
    decisions: 'approve or reject KYC, request documents, end the review',
  },
  {
    title: 'Settled payments',
    collection: 'transactions',
    status: ['settled'],
    decisions: 'return with any code, notification of change',
  },
]

/** The records that await a decision. Decisions are made on the page of the record. */
export function Decisions() {
  return (
    <Pane aria-label="Operator decisions" tabIndex={0}>
      <PaneIntro>
        <h2>Decisions of a bank, a network or a compliance officer</h2>
        <p className="data soft">
          Each decision is about one record and is a button on its page. If it is not possible now, the button says why.
          You can also lock a Customer, put it under review, or register a VRN there. See also{' '}
          <ScreenLink screen="reference" record="states">
            all states and decisions
          </ScreenLink>
          .
        </p>
      </PaneIntro>
      {groups.map((one) => (
        <Records key={one.title} {...one} />
      ))}
    </Pane>
  )
}

const MAX_RECORDS = 8
const LINE = { gap: 12, pad: '0 16', least: 28, line: 'top', text: 'data', style: { alignContent: 'center' } } as const

function Records({ title, collection, status, decisions }: DecisionGroup) {
  const program_uid = useProgram()?.uid
  const { data, error } = useQuery(
    'records.list',
    program_uid === undefined ? null : { collection, program_uid, status, limit: MAX_RECORDS },
    [collection],
  )
  return (
    <Section
      title={title}
      note={decisions}
      end={data ? <span className="meta">{data.total_count}</span> : ''}
      line="top"
    >
      {error !== undefined && <Notice title="The records could not be read." error={error} />}
      <ul>
        {data?.data.map((record) => (
          <Stack as="li" key={String(record.uid)} {...LINE} align="center" columns="minmax(0, 1fr) 172px 96px">
            <span className="cut grow">
              <RecordLink collection={collection} uid={String(record.uid)}>
                {recordName(record)}
              </RecordLink>
            </span>
            <span>
              <Status word={recordStatus(record) ?? ''} />
            </span>
            <Amount value={recordAmount(record)} />
          </Stack>
        ))}
        {data && data.total_count === 0 && (
          <Row as="li" {...LINE} tone="faint">
            No {collections[collection].many} in this state.
          </Row>
        )}
        {data && data.total_count > MAX_RECORDS && (
          <Row as="li" {...LINE}>
            <ScreenLink collection={collection}>All {collections[collection].many}</ScreenLink>
          </Row>
        )}
      </ul>
    </Section>
  )
}
