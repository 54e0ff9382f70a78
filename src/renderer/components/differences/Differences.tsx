import type { WorldChanges, WorldComparison } from '../../../api/contract/control/changes.ts'
import { type CollectionName, collections, isCollection } from '../../data/collections.ts'
import { formatAmount, plural } from '../../format/text.ts'
import { Caption, Section } from '../../ui/Layout.tsx'
import { Table } from '../../ui/Table.tsx'
import { Amount, Text } from '../../ui/Text.tsx'
import { AnyRecordLink } from '../ScreenLink.tsx'
import { Status } from '../Status.tsx'

/** One of two worlds that stand beside each other. */
export interface Side {
  readonly name: string
  readonly addressOf: (collection: CollectionName, uid: string) => string
}
type Sides = readonly [a: Side, b: Side]

type Record = WorldChanges['records'][number]

interface DifferencesProps {
  readonly changes: Pick<WorldChanges, 'sentences' | 'balances' | 'records'> & {
    readonly others?: WorldComparison['others']
    readonly total_count: {
      readonly sentences: number
      readonly balances: number
      readonly records: number
      readonly others?: number
    }
  }
  /** Without them it is one world, before and after. */
  readonly sides?: Sides | undefined
  /** Of a copy of the world: what it created is not in this one. */
  readonly isTried?: boolean
}

/** What differs, for worlds, snapshots, replays and tries: sentences, then balances, then records; bookkeeping is folded. */
export function Differences({ changes, sides, isTried = false }: DifferencesProps) {
  const { sentences, balances, records, others = [], total_count: count } = changes
  const bookkeeping = count.others ?? 0
  const isSame = count.balances + count.records === 0
  return (
    <>
      <div role="status" aria-label="In words" style={WORDS}>
        <ul>
          {sentences.map(({ says, collection, uid }) => (
            <li key={`${collection} ${uid} ${says}`} data-sentence>
              <Text className="wrap">{says}</Text>
            </li>
          ))}
        </ul>
        <More shown={sentences.length} count={count.sentences} what="sentence" />
        {isSame && (bookkeeping === 0 ? 'No differences.' : 'No difference in balances, payments or other records.')}
      </div>
      {balances.length > 0 && (
        <Section title="Balances">
          <Table headers={[{ label: 'Account', width: '34%' }, { label: 'Balance' }, ...headsOf(sides, true), DELTA]}>
            {balances.flatMap((one) =>
              KINDS.filter((kind) => one[kind].before !== one[kind].after).map((kind, at, kinds) => (
                <tr key={`${one.synthetic_account_uid} ${kind}`} data-balance>
                  {at === 0 && (
                    <th scope="row" rowSpan={kinds.length}>
                      <Text>{one.customer === one.name ? one.name : `${one.name} of ${one.customer}`}</Text>{' '}
                      <Links {...one} collection="synthetic_accounts" uid={one.synthetic_account_uid} sides={sides} />
                    </th>
                  )}
                  <td>{kind}</td>
                  {[one[kind].before, one[kind].after].map((amount, side) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: two amounts, in this order.
                    <td key={side} data-right="">
                      <Amount value={amount} />
                    </td>
                  ))}
                  <td data-right="">
                    <b>
                      <Amount value={one[kind].change} movement />
                    </b>
                  </td>
                </tr>
              )),
            )}
          </Table>
          <More shown={balances.length} count={count.balances} what="account" />
        </Section>
      )}
      {records.length > 0 && (
        <Section title="Payments and other records">
          <Records records={records} sides={sides} isTried={isTried} />
          <More shown={records.length} count={count.records} what="record" />
        </Section>
      )}
      {bookkeeping > 0 && (
        <details style={FOLDED}>
          <summary className="data">
            {plural(bookkeeping, 'other difference')}: line items, events, tasks, uids, counters
          </summary>
          <Records records={others} sides={sides} isTried={isTried} />
          <More shown={others.length} count={bookkeeping} what="record" />
        </details>
      )}
    </>
  )
}

const WORDS = { padding: '8px 16px' } as const
const FOLDED = { padding: '8px 16px' } as const
const KINDS = ['settled', 'available', 'pending'] as const
const DELTA = { label: 'Δ', right: true, width: 128 }

const headsOf = (sides: Sides | undefined, right = false) =>
  (sides?.map(({ name }) => name) ?? ['Before', 'After']).map((label) => ({
    label,
    right,
    ...(right && { width: 160 }),
  }))

const More = ({ shown, count, what }: { shown: number; count: number; what: string }) =>
  count > shown && (
    <Caption as="p" className="wait">
      and {plural(count - shown, `other ${what}`)}
    </Caption>
  )

interface RecordsProps {
  readonly records: readonly Record[]
  readonly sides: Sides | undefined
  readonly isTried: boolean
}

const Records = ({ records, sides, isTried }: RecordsProps) => (
  <Table headers={[{ label: 'Record', width: '34%' }, ...headsOf(sides)]}>
    {records.flatMap((record) => [
      <tr key={`${record.collection} ${record.uid}`} data-difference>
        <th scope="row">
          {isCollection(record.collection) ? collections[record.collection].one : record.collection}{' '}
          {record.name !== record.uid && <Text>{record.name}</Text>}
          {record.amount !== null && ` ${formatAmount(record.amount)}`}{' '}
          {!(isTried && record.what === 'created') && <Links {...record} sides={sides} />}
        </th>
        <SideCell status={record.status.before} isMissing={record.what === 'created'} />
        <SideCell status={record.status.after} isMissing={record.what === 'removed'} />
      </tr>,
      ...[...record.fields, ...record.folded]
        .filter(({ field }) => field !== 'status')
        .map(({ field, before, after }) => (
          <tr key={`${record.collection} ${record.uid} ${field}`} className="soft">
            <td className="mono wrap" style={INDENTED}>
              {field}
            </td>
            <td>
              <Text className="wrap">{formatValue(before)}</Text>
            </td>
            <td>
              <Text className="wrap">{formatValue(after)}</Text>
            </td>
          </tr>
        )),
    ])}
  </Table>
)

const INDENTED = { paddingLeft: 32 } as const

const SideCell = ({ status, isMissing }: { status: string | null; isMissing: boolean }) => (
  <td>{isMissing ? <span className="faint">not there</span> : status !== null && <Status word={status} />}</td>
)

interface LinksProps {
  readonly collection: string
  readonly uid: string
  readonly matched_uid: string | null
  readonly what?: Record['what']
  readonly sides: Sides | undefined
}

/** To the record, in each world that has it. */
function Links({ collection, uid, matched_uid, what, sides }: LinksProps) {
  if (!sides)
    return what === 'removed' ? (
      <Text className="mono faint">{uid}</Text>
    ) : (
      <span className="mono">
        <AnyRecordLink collection={collection} uid={uid}>
          {uid}
        </AnyRecordLink>
      </span>
    )
  return (
    <span className="meta">
      {sides.map(
        ({ name, addressOf }, side) =>
          isCollection(collection) &&
          what !== (side === 0 ? 'created' : 'removed') && (
            <a key={name} href={addressOf(collection, side === 0 ? (matched_uid ?? uid) : uid)} style={LINK}>
              <span className="unseen">Open {`${collections[collection].one} ${uid}`}</span> in {name}
            </a>
          ),
      )}
    </span>
  )
}

const LINK = { marginRight: 8 } as const

/** Text as it is, an amount as on a statement, everything else as JSON. */
const formatValue = (value: unknown): string =>
  value === null ? '–' : typeof value === 'string' ? formatAmount(value) : JSON.stringify(value)
