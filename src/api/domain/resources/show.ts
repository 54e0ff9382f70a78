import type { CollectionName, ShownRecord } from '../../contract/collections.ts'
import { type Description, formatMessage, formatTask, messageBody, type Outcome } from '../../contract/messages.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import type { ReadTx } from '../../store/tx.ts'
import type { RecordOf, StoredRecord, TaskRecord } from '../../store/world.ts'
import { type AddDerived, addDerived } from '../rules/derived.ts'
import * as combinedTransfers from './combined-transfers.ts'
import * as custodialAccounts from './custodial-accounts.ts'
import * as customerProducts from './customer-products.ts'
import * as customers from './customers.ts'
import * as syntheticAccounts from './synthetic-accounts.ts'
import * as transactions from './transactions.ts'
import * as transfers from './transfers.ts'
import * as vrns from './virtual-reference-numbers.ts'
import * as webhooks from './webhooks.ts'

/** How stored records become records as the API and the operator see them. */

type Show<N extends CollectionName> = (
  tx: ReadTx,
  record: RecordOf[N],
  add?: AddDerived,
  outcomes?: Outcomes,
) => ShownRecord<N>
/** What the tasks will do, by their uids (`time/foresee.ts`). Without it nothing is said of it. */
export type Outcomes = ReadonlyMap<Uid, Outcome>

/** The collections whose records lack fields of their schema, as those are derived when a record is shown. */
type Derived = { [N in CollectionName]: RecordOf[N] extends ShownRecord<N> ? never : N }[CollectionName]

/** `outcome`: what it will do, if that is known. */
export const showTask = ({ subject_uid, why, made: _, ...task }: TaskRecord, outcome: Outcome | null = null) => ({
  ...task,
  record: subject_uid,
  why: formatTask({ message: why, outcome }),
  message: messageBody(why),
  outcome: outcome && messageBody(outcome),
})

/** A record whose description is stored as a message. */
const showDescription = <R extends StoredRecord & { readonly description: Description }>(
  _tx: ReadTx,
  record: R,
  add: AddDerived = addDerived,
) => add(record, { description: formatMessage(record.description) })

const derivedRecords: { readonly [N in Derived]: Show<N> } = {
  combined_transfers: combinedTransfers.show,
  custodial_accounts: custodialAccounts.show,
  customer_products: customerProducts.show,
  custodial_line_items: showDescription,
  customers: customers.show,
  pools: (_tx, pool, add = addDerived) => add(pool, { name: formatMessage(pool.name) }),
  synthetic_accounts: syntheticAccounts.show,
  synthetic_line_items: showDescription,
  tasks: (_tx, task, _add, outcomes) => showTask(task, outcomes?.get(task.uid)),
  transaction_events: showDescription,
  transactions: transactions.show,
  transfers: transfers.show,
  virtual_reference_numbers: vrns.show,
  webhook_deliveries: webhooks.showDelivery,
}

/** With derived fields, and not yet without private ones: these the schema of the collection removes. */
export function showRecord<N extends CollectionName>(
  tx: ReadTx,
  name: N,
  record: RecordOf[N],
  add: AddDerived = addDerived,
  outcomes?: Outcomes,
): ShownRecord<N> {
  const show = (derivedRecords as Partial<Readonly<Record<CollectionName, Show<N>>>>)[name]
  return show ? show(tx, record, add, outcomes) : (record as unknown as ShownRecord<N>)
}
