import type { CombinedTransfer } from '../../../api/contract/resources/combined-transfers.ts'
import { type CollectionName, collections } from '../../data/collections.ts'
import { type CustomerNameFields, customerName } from '../../data/customer-name.ts'
import { findRail } from '../../data/rails.ts'
import { shortDescription, truncate } from '../../format/text.ts'
import { type Fields, type Names, textOf } from './use-record.ts'

/** The line a record is known by: what it is, its sum or its name, and between whom. */

export interface Title {
  readonly caption: string
  readonly amount?: { readonly field: string; readonly value: string; readonly movement?: boolean }
  readonly name?: string
  readonly rest?: string
}

const PAIRS: Partial<Readonly<Record<CollectionName, readonly [from: string, to: string]>>> = {
  transactions: ['source_synthetic_account_uid', 'destination_synthetic_account_uid'],
  transfers: ['source_synthetic_account_uid', 'destination_synthetic_account_uid'],
  transaction_events: ['source_custodial_account_uid', 'destination_custodial_account_uid'],
}

/** Who stands behind the account outside, where the payment says so. */
function counterpartyOf({ wire, ach, instant_payment }: Fields): string | undefined {
  const of = (rail: unknown) => textOf((rail ?? {}) as Fields, 'counterparty_name')
  const name = of(wire) ?? of(ach) ?? of(instant_payment)
  return name === null ? undefined : truncate(name)
}

const AMOUNTS = ['us_dollar_amount', 'usd_transfer_amount', 'net_usd_closing_balance'] as const

export function titleOf(collection: CollectionName, fields: Fields, names: Names): Title {
  const { one } = collections[collection]
  const text = (name: string) => textOf(fields, name)
  const named = (field: string) => {
    const uid = text(field)
    return uid === null ? null : truncate(names.get(uid)?.name ?? `${uid.slice(0, 4)}…`)
  }
  const words = (value: string | null) => value?.replaceAll('_', ' ') ?? ''
  if (collection === 'customers') {
    const name = customerName(fields as unknown as CustomerNameFields) ?? text('uid') ?? ''
    const value = text('total_balance')
    const caption = `${text('customer_type') ?? ''} Customer, total_balance`
    return value === null ? { caption, name } : { caption, amount: { field: 'total_balance', value } }
  }
  if (collection === 'combined_transfers') {
    const { transfer, synthetic_account: made } = fields as unknown as CombinedTransfer
    // The side that the request leaves open is the account that is made.
    const side = (own: string | null | undefined) =>
      truncate(own == null ? (made.name ?? '–') : (names.get(own)?.name ?? own))
    return {
      caption: `${one}: a counterparty and a Transfer in one call`,
      amount: { field: 'transfer.usd_transfer_amount', value: transfer.usd_transfer_amount },
      rest: `from ${side(transfer.source_synthetic_account_uid)} to ${side(transfer.destination_synthetic_account_uid)}`,
    }
  }
  const field = collection.endsWith('_accounts') ? undefined : AMOUNTS.find((name) => text(name) !== null)
  if (field !== undefined) {
    const isLine = collection.endsWith('_line_items')
    const [from, to] = PAIRS[collection] ?? []
    const outside = collection === 'transactions' ? counterpartyOf(fields) : undefined
    const side = (which: string, isOutside: boolean) => (isOutside && outside) || (named(which) ?? '–')
    const between =
      from !== undefined && to !== undefined
        ? [`from ${side(from, fields.net_asset === 'positive')}`, `to ${side(to, fields.net_asset === 'negative')}`]
        : []
    const at = isLine ? named(`${collection.split('_')[0]}_account_uid`) : null
    const vrn = named('virtual_reference_number_uid')
    return {
      caption: [
        [words(collection === 'transfers' ? findRail(fields) : text('type')), one].filter(Boolean).join(' '),
        ...(vrn === null ? [] : [`on VRN ${vrn}`]),
        // What the line below says in its own words is not said twice.
        ...(isOwn(text('description')) ? [text('description')!] : []),
      ].join(' · '),
      amount: { field, value: text(field)!, movement: isLine },
      rest: [...between, ...(at === null ? [] : [`on ${at}`]), ...asOf(text('net_usd_closing_balance_as_of'))].join(
        ' ',
      ),
    }
  }
  const by = {
    synthetic_accounts: () => ({ caption: `${text('synthetic_account_category')} ${one}`, name: text('name') }),
    custodial_accounts: () => ({ caption: `${text('type')} ${one}`, name: text('name') ?? text('type') }),
    virtual_reference_numbers: () => ({
      caption: `${one}${text('name') === null ? '' : ` ${text('virtual_reference_number')}`}`,
      name: text('name') ?? text('virtual_reference_number'),
    }),
    customer_products: () => ({ caption: `${one} of ${named('customer_uid')}`, name: text('product_name') }),
    kyc_evaluations: () => ({
      caption: `${one}, ${fields.billable ? 'billable' : 'not billable'}`,
      name: named('customer_uid'),
    }),
    returns: () => ({
      caption: `${one} of ${named('original_transaction_uid')}`,
      name: text('return_reason') ?? named('original_transaction_uid'),
    }),
    tasks: () => ({ caption: `${text('kind')}, a ${one} of the clock`, name: text('why') }),
  } as const satisfies Partial<Record<CollectionName, () => { caption: string; name: string | null }>>
  const { caption, name } = (by as Partial<Record<CollectionName, () => { caption: string; name: string | null }>>)[
    collection
  ]?.() ?? { caption: one, name: text('name') }
  return { caption, name: name ?? text('uid') ?? '' }
}

const isOwn = (description: string | null) => description !== null && shortDescription(description) === description

const asOf = (date: string | null) => (date === null ? [] : [`as of ${date}`])
