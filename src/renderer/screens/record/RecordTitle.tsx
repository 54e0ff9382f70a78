import { ownName, rowOf } from '../../../api/contract/collections.ts'
import { isMessage } from '../../../api/contract/messages.ts'
import type { CombinedTransfer } from '../../../api/contract/resources/combined-transfers.ts'
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
import { RecordLink } from '../../components/ScreenLink.tsx'
import { Status } from '../../components/Status.tsx'
import { Why } from '../../components/Why.tsx'
import type { CollectionName } from '../../data/collections.ts'
import { recordName } from '../../data/records.ts'
import { useQuery } from '../../data/sandbox.ts'
import { formatAmount, truncate } from '../../format/text.ts'
import { Row, Stack } from '../../ui/Layout.tsx'
import { Amount, Text } from '../../ui/Text.tsx'
import styles from './RecordTitle.module.css'

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
  const isHolder = holder?.uid === uid
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
        {!isHolder && (
          <Why
            main
            collection={collection}
            uid={uid}
            {...mainQuestion(status === null ? (amount?.field ?? null) : 'status', fields)}
          />
        )}
        {holder && <Balances {...holder} isHolder={isHolder} />}
        {holder && isHolder && (
          <Why main {...questionOf(holder, 'available', textField(fields, 'net_usd_available_balance') ?? '0.00')} />
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

/** Of the account itself, or of another one, which is named. */
function Balances({ isHolder, ...account }: AccountRef & { isHolder: boolean }) {
  const { data } = useQuery('records.get', { ...account }, ALL_COLLECTIONS)
  return (
    <Stack as="span" style={{ justifyItems: 'end' }} title={data && `Balances of ${recordName(data)}`}>
      {!isHolder && data && (
        <span className="meta cut">
          <RecordLink {...account}>{recordName(data)}</RecordLink>
        </span>
      )}
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
    </Stack>
  )
}

/** What identifies a record to people: its kind, its amount or name, and its parties. */

interface Title {
  readonly caption: string
  readonly amount?: { readonly field: string; readonly value: string; readonly movement?: boolean }
  readonly name?: string
  readonly rest?: string
}

/** The name of the counterparty behind the external account, if the payment has one. */
function findCounterparty({ wire, ach, instant_payment }: Fields): string | undefined {
  const of = (rail: unknown) => textField((rail ?? {}) as Fields, 'counterparty_name')
  const name = of(wire) ?? of(ach) ?? of(instant_payment)
  return name === null ? undefined : truncate(name)
}

export function titleOf(collection: CollectionName, fields: Fields, names: RecordNames): Title {
  const { one, title, amount } = rowOf(collection)
  const text = (name: string) => textField(fields, name)
  const named = (field: string) => {
    const uid = text(field)
    return uid === null ? null : truncate(names.get(uid)?.name ?? `${uid.slice(0, 4)}…`)
  }
  const kind = title.kind?.(fields as never)?.replaceAll('_', ' ')
  if (collection === 'customers') {
    const name = ownName(collection, fields) ?? text('uid') ?? ''
    const value = text('total_balance')
    const caption = `${kind ?? ''} ${one}, total_balance`
    return value === null ? { caption, name } : { caption, amount: { field: 'total_balance', value } }
  }
  if (collection === 'combined_transfers') {
    const { transfer, synthetic_account: created } = fields as unknown as CombinedTransfer
    // The side that the request omits is the account that it creates.
    const side = (own: string | null | undefined) =>
      truncate(own == null ? (created.name ?? '–') : (names.get(own)?.name ?? own))
    return {
      caption: `${one}: a counterparty and a Transfer in one call`,
      amount: { field: 'transfer.usd_transfer_amount', value: transfer.usd_transfer_amount },
      rest: `from ${side(transfer.source_synthetic_account_uid)} to ${side(transfer.destination_synthetic_account_uid)}`,
    }
  }
  // An account shows its balances next to its name.
  const field = collection.endsWith('_accounts') ? undefined : amount
  if (field !== undefined && text(field) !== null) {
    const isLine = collection.endsWith('_line_items')
    const [from, to] = title.parties ?? []
    const outside = collection === 'transactions' ? findCounterparty(fields) : undefined
    const side = (which: string, isOutside: boolean) => (isOutside && outside) || (named(which) ?? '–')
    const between =
      from !== undefined && to !== undefined
        ? [`from ${side(from, fields.net_asset === 'positive')}`, `to ${side(to, fields.net_asset === 'negative')}`]
        : []
    const at = isLine ? named(`${collection.split('_')[0]}_account_uid`) : null
    const vrn = named('virtual_reference_number_uid')
    return {
      caption: [
        [kind, one].filter(Boolean).join(' '),
        ...(vrn === null ? [] : [`on VRN ${vrn}`]),
        // Omit a description that repeats the parties of the next line.
        ...(namesParties(fields.message) ? [] : [text('description') ?? '']).filter(Boolean),
      ].join(' · '),
      amount: { field, value: text(field)!, movement: isLine },
      rest: [...between, ...(at === null ? [] : [`on ${at}`]), ...asOf(text('net_usd_closing_balance_as_of'))].join(
        ' ',
      ),
    }
  }
  const of = title.of && named(title.of)
  const detail = title.detail?.(fields as never)
  const after = title.namedAfter && named(title.namedAfter.field)
  return {
    caption: [[kind, one, of && `of ${of}`].filter(Boolean).join(' '), ...(detail ? [detail] : [])].join(', '),
    name: ownName(collection, fields) ?? after ?? text('uid') ?? '',
  }
}

/** Whether the description of the payment only names its two parties. */
const namesParties = (message: unknown) =>
  isMessage(message) && ['transfer', 'received_credit', 'received_debit'].includes(message.code)

const asOf = (date: string | null) => (date === null ? [] : [`as of ${date}`])
