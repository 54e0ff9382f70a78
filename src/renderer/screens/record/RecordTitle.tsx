import { type AccountRef, BALANCES, Balance, questionOf } from '../../components/Balances.tsx'
import {
  ALL_COLLECTIONS,
  type Fields,
  type LoadedRecordProps,
  type RecordNames,
  type Related,
  textField,
} from '../../components/fields/use-record.ts'
import { LockedMark } from '../../components/list/parts.tsx'
import { ReturnedLine } from '../../components/Returned.tsx'
import { Status } from '../../components/Status.tsx'
import { Why } from '../../components/Why.tsx'
import type { CollectionName } from '../../data/collections.ts'
import { useQuery } from '../../data/use-query.ts'
import { formatAmount } from '../../format/numbers.ts'
import { truncate } from '../../format/text.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Row, Stack } from '../../ui/Box.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './RecordTitle.module.css'
import { titleOf } from './title.ts'

const LOW_LINE = { lineHeight: '20px' }

interface RecordTitleProps extends LoadedRecordProps {
  readonly names: RecordNames
  readonly related: Related | undefined
}

/** The kind of the record, its amount or name, its parties, its status, and the balances of the account it belongs to. */
export function RecordTitle({ collection, uid, fields, names, related }: RecordTitleProps) {
  const { caption, amount, name, rest } = titleOf(collection, fields, names)
  const status = textField(fields, 'status')
  const holder = findHolder(collection, uid, fields)
  return (
    <Row wraps gap="8 16" pad="12 16" line="bottom" align="end" className={styles.title}>
      <Stack as="span" style={{ flex: '1 1 200px' }}>
        <span className="meta cut" style={LOW_LINE} title={caption}>
          <Text>{caption}</Text>
        </span>
        {amount ? (
          <span className="wrap" title={rest}>
            <b className="sum">
              <Why
                collection={collection}
                uid={uid}
                field={amount.field}
                question={`Why is ${amount.field} ${formatAmount(amount.value)}?`}
              >
                <Amount value={amount.value} movement={amount.movement ?? false} />
              </Why>
            </b>{' '}
            <span className="soft">USD</span>{' '}
            {rest && !holder && (
              <span className="soft" data-between>
                <Text>{rest}</Text>
              </span>
            )}
          </span>
        ) : (
          <b className="sum cut" title={truncate(name ?? uid)}>
            <Text className="cut">{name ?? uid}</Text>
          </b>
        )}
        <ReturnedLine of={related?.payment_return} fields={fields} />
      </Stack>
      <Row wraps gap="8 16" align="end" className="end">
        {status !== null && (
          <Stack as="span" style={{ justifyItems: 'start', font: '500 var(--t-data)' }} data-standing>
            <Why collection={collection} uid={uid} field="status" question={`Why is status ${status}?`}>
              <Status word={status} />
            </Why>
            {typeof fields.locked_at === 'string' ? (
              <LockedMark at={fields.locked_at}>
                <span className="meta wait" style={LOW_LINE}>
                  locked
                </span>
              </LockedMark>
            ) : (
              <span className="meta" style={LOW_LINE}>
                {statusNotes[status] ?? 'status'}
              </span>
            )}
          </Stack>
        )}
        {holder ? (
          <Balances {...holder} />
        ) : (
          <Why
            main
            collection={collection}
            uid={uid}
            {...mainQuestion(amount?.field ?? (status === null ? null : 'status'), fields)}
          />
        )}
      </Row>
      {rest && holder && (
        // Three balances leave no room for the parties on the line of the amount.
        <span
          className="meta soft cut"
          style={{ ...LOW_LINE, flex: '1 0 100%', marginTop: -8, minWidth: 0 }}
          data-between
          data-below
          title={rest}
        >
          <Text>{rest}</Text>
        </span>
      )}
    </Row>
  )
}

function mainQuestion(field: string | null, fields: Fields): { question: string; field?: string } {
  const value = field === null ? null : textField(fields, field)
  if (field === null || value === null) return { question: 'Why is this record in this state?' }
  return { field, question: `Why is ${field} ${field === 'status' ? value : formatAmount(value)}?` }
}

/** For statuses that wait for someone: for whom. */
const statusNotes: Readonly<Record<string, string>> = {
  authorization_pending: 'waiting for the Client’s decision',
  manual_review: 'waiting for a compliance officer',
  under_review: 'waiting for a compliance officer',
  initiated: 'waiting for onboarding',
  pending_archival: 'its balance is being paid out',
}

/** The account whose balances are shown next to the record: itself, or the Customer's side of a payment. */
function findHolder(collection: CollectionName, uid: string, fields: Fields): AccountRef | null {
  if (collection === 'synthetic_accounts' || collection === 'custodial_accounts')
    return textField(fields, 'net_usd_balance') === null ? null : { collection, uid }
  const own =
    collection !== 'transactions'
      ? null
      : textField(fields, `${fields.net_asset === 'positive' ? 'destination' : 'source'}_synthetic_account_uid`)
  return own === null ? null : { collection: 'synthetic_accounts', uid: own }
}

const BALANCE = { minWidth: 64, font: '500 13px / 24px var(--sans)' }

function Balances(account: AccountRef) {
  const { data } = useQuery('records.get', { ...account }, ALL_COLLECTIONS)
  const available = (data && textField(data, 'net_usd_available_balance')) ?? '0.00'
  return (
    <>
      <Row as="dl" gap={16} style={{ textAlign: 'right' }}>
        {BALANCES.map(([name, field]) => (
          <div key={field}>
            <dt className="meta" style={LOW_LINE}>
              {name}
            </dt>
            <dd style={BALANCE}>
              <Balance of={account} name={name} value={data && textField(data, field)} />
            </dd>
          </div>
        ))}
      </Row>
      <Why main {...questionOf(account, 'available', available)} />
    </>
  )
}
