import { ownName, rowOf } from '../../../api/contract/collections.ts'
import { isMessage } from '../../../api/contract/messages.ts'
import type { CombinedTransfer } from '../../../api/contract/resources/combined-transfers.ts'
import { type Fields, type RecordNames, textField } from '../../components/fields/use-record.ts'
import type { CollectionName } from '../../data/collections.ts'
import { truncate } from '../../format/text.ts'

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
