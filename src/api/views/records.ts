import { KycEvaluation, Task } from '../contract/control.ts'
import { ApiError } from '../contract/errors.ts'
import {
  CustodialAccountClosingBalance,
  custodialClosingBalanceList,
  SyntheticAccountClosingBalance,
  syntheticClosingBalanceList,
} from '../contract/resources/closing-balances.ts'
import { CombinedTransfer, combinedTransferList } from '../contract/resources/combined-transfers.ts'
import { CustodialAccount, custodialAccountList } from '../contract/resources/custodial-accounts.ts'
import { CustomerProduct, customerProductList } from '../contract/resources/customer-products.ts'
import { Customer, customerList } from '../contract/resources/customers.ts'
import { Pool, poolList } from '../contract/resources/pools.ts'
import { Product, productList } from '../contract/resources/products.ts'
import { Program } from '../contract/resources/programs.ts'
import { Return, returnList } from '../contract/resources/returns.ts'
import {
  SyntheticAccount,
  SyntheticAccountType,
  syntheticAccountList,
  syntheticAccountTypeList,
} from '../contract/resources/synthetic-accounts.ts'
import {
  CustodialLineItem,
  custodialLineItemList,
  SyntheticLineItem,
  syntheticLineItemList,
  Transaction,
  TransactionEvent,
  transactionEventList,
  transactionList,
} from '../contract/resources/transactions.ts'
import { Transfer, transferList } from '../contract/resources/transfers.ts'
import { VirtualReferenceNumber, virtualReferenceNumberList } from '../contract/resources/virtual-reference-numbers.ts'
import type { Schema } from '../contract/terms/endpoint.ts'
import { hasPath, pickFields } from '../contract/terms/fields.ts'
import { anyOf, flag, type List, list } from '../contract/terms/list.ts'
import * as combinedTransfers from '../domain/resources/combined-transfers.ts'
import * as custodialAccounts from '../domain/resources/custodial-accounts.ts'
import * as customerProducts from '../domain/resources/customer-products.ts'
import * as customers from '../domain/resources/customers.ts'
import * as syntheticAccounts from '../domain/resources/synthetic-accounts.ts'
import * as transactions from '../domain/resources/transactions.ts'
import * as transfers from '../domain/resources/transfers.ts'
import * as vrns from '../domain/resources/virtual-reference-numbers.ts'
import type { Tx } from '../store/store.ts'
import type { CollectionName, KycEvaluationRecord, StoredRecord, TaskRecord } from '../store/world.ts'
import { showTask } from '../time/scheduler.ts'

/** How the operator sees the records of each collection: as the API shows them, and nothing that is private. */

interface Shown {
  readonly schema: Schema & { readonly shape: Readonly<Record<string, unknown>> }
  readonly list?: List<never>
  readonly show?: (tx: Tx, record: never) => object
}

/** What only the operator sees has lists of its own; the billable evaluations of a Program are counted by one. */
const kycEvaluationList = list<KycEvaluationRecord>()({
  filters: {
    uid: anyOf((it) => it.uid),
    customer_uid: anyOf((it) => it.customer_uid),
    billable: flag((it) => it.billable),
  },
})
const taskList = list<TaskRecord>()({
  filters: {
    uid: anyOf((task) => task.uid),
    kind: anyOf((task) => task.kind),
    record: anyOf((task) => task.subject_uid),
    recurring: flag((task) => task.recurring),
    held: flag((task) => task.held),
  },
})

/** How each collection is listed and shown. The schema drops what is private, as it does for the API. */
export const recordViews: { readonly [N in CollectionName]: Shown } = {
  programs: { schema: Program },
  customers: { schema: Customer, list: customerList, show: customers.show },
  products: { schema: Product, list: productList },
  synthetic_account_types: { schema: SyntheticAccountType, list: syntheticAccountTypeList },
  pools: { schema: Pool, list: poolList },
  customer_products: { schema: CustomerProduct, list: customerProductList, show: customerProducts.show },
  custodial_accounts: { schema: CustodialAccount, list: custodialAccountList, show: custodialAccounts.show },
  synthetic_accounts: { schema: SyntheticAccount, list: syntheticAccountList, show: syntheticAccounts.show },
  custodial_account_closing_balances: { schema: CustodialAccountClosingBalance, list: custodialClosingBalanceList },
  synthetic_account_closing_balances: { schema: SyntheticAccountClosingBalance, list: syntheticClosingBalanceList },
  kyc_evaluations: { schema: KycEvaluation, list: kycEvaluationList },
  transfers: { schema: Transfer, list: transferList, show: transfers.show },
  transactions: { schema: Transaction, list: transactionList, show: transactions.show },
  transaction_events: { schema: TransactionEvent, list: transactionEventList },
  synthetic_line_items: { schema: SyntheticLineItem, list: syntheticLineItemList },
  custodial_line_items: { schema: CustodialLineItem, list: custodialLineItemList },
  virtual_reference_numbers: { schema: VirtualReferenceNumber, list: virtualReferenceNumberList, show: vrns.show },
  returns: { schema: Return, list: returnList },
  combined_transfers: { schema: CombinedTransfer, list: combinedTransferList, show: combinedTransfers.show },
  tasks: { schema: Task, list: taskList, show: (_tx, task: TaskRecord) => showTask(task) },
}
export const byUid = list<StoredRecord>()({ filters: { uid: anyOf((record) => record.uid) } })

export function showRecord(tx: Tx, name: CollectionName, record: StoredRecord): Record<string, unknown> {
  const { schema, show: worded } = recordViews[name]
  return schema.parse(worded ? worded(tx, record as never) : record) as Record<string, unknown>
}

/** Only some fields of a record; what is nested in it stays nested. One that the collection does not have is refused. */
export function fieldPicker(name: CollectionName, fields: readonly string[]) {
  const { schema } = recordViews[name]
  const unknown = fields.find((field) => !hasPath(schema, field))
  if (unknown !== undefined)
    throw new ApiError(
      'invalidArgument',
      `fields: ${name} have no ${unknown}; they have ${Object.keys(schema.shape).join(', ')}`,
    )
  const paths = [...new Set(['uid', ...fields])].map((field) => field.split('.'))
  const asked = schemaOf(name, [...new Set(paths.map(([first = '']) => first))])
  return (record: StoredRecord, tx: Tx) => {
    const known = recordViews[name].show?.(tx, record as never) ?? record
    const whole = asked.parse(known) as Part
    const part: Part = {}
    for (const path of paths) take(whole, part, path)
    return part
  }
}

/** Made once for all pages of a list. Whoever asks for ever new fields has it made anew. */
const schemas = new Map<string, Schema>()
const MOST_SCHEMAS = 100

function schemaOf(name: CollectionName, fields: readonly string[]): Schema {
  const key = `${name} ${fields.join()}`
  const known = schemas.get(key)
  if (known) return known
  if (schemas.size >= MOST_SCHEMAS) schemas.clear()
  const made = pickFields(recordViews[name].schema, fields)
  schemas.set(key, made)
  return made
}

type Part = Record<string, unknown>

function take(from: Part, into: Part, [name = '', ...rest]: readonly string[]) {
  if (!Object.hasOwn(from, name)) return
  const value = from[name]
  if (rest.length === 0 || typeof value !== 'object' || value === null) into[name] = value
  else take(value as Part, (into[name] ??= {}) as Part, rest)
}

/** A record as it was at some commit: what is worked out, or private, is left out. */
export function visible(name: CollectionName, record: StoredRecord): Record<string, unknown> {
  const {
    account_number,
    hmac_key: _,
    ...rest
  } = record as StoredRecord & { account_number?: string; hmac_key?: string }
  const isOwn = (record as StoredRecord & { liability?: boolean }).liability === true
  const known = Object.keys(recordViews[name].schema.shape)
  return Object.fromEntries(
    Object.entries({ ...rest, ...(account_number !== undefined && isOwn ? { account_number } : {}) }).filter(
      ([field]) => known.includes(field),
    ),
  )
}
