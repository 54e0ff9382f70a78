import { type CollectionName, rowOf, type ShownRecord } from '../contract/collections.ts'
import type { Hint } from '../contract/control/exchanges.ts'
import type { EndpointName, Endpoints } from '../contract/endpoints.ts'
import { ApiError } from '../contract/errors.ts'
import { isOfProfile } from '../contract/hosted.ts'
import type { Input, Output } from '../contract/terms/endpoint.ts'
import { type List, type Page, paginate, type Query } from '../contract/terms/list.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import * as archival from '../domain/resources/archival.ts'
import * as authorization from '../domain/resources/authorization.ts'
import * as combinedTransfers from '../domain/resources/combined-transfers.ts'
import * as customerData from '../domain/resources/customer-data.ts'
import * as customerProducts from '../domain/resources/customer-products.ts'
import * as customers from '../domain/resources/customers.ts'
import * as mockTransactions from '../domain/resources/mock-transactions.ts'
import { requireRecord } from '../domain/resources/require-record.ts'
import * as returns from '../domain/resources/returns.ts'
import { showRecord } from '../domain/resources/show.ts'
import * as syntheticAccounts from '../domain/resources/synthetic-accounts.ts'
import * as transfers from '../domain/resources/transfers.ts'
import * as vrns from '../domain/resources/virtual-reference-numbers.ts'
import type { AddDerived } from '../domain/rules/derived.ts'
import { refuseAsHosted } from '../domain/rules/hosted.ts'
import type { Records, Tx } from '../store/tx.ts'
import type { ProgramRecord, RecordOf } from '../store/world.ts'

/** `add` is the `addDerived` of the response cache. `route.ts` handles POST /auth: jose is asynchronous. */
type Handlers = {
  readonly [K in Exclude<EndpointName, 'createAccessToken'>]: (
    tx: Tx,
    input: Input<Endpoints[K]>,
    add: AddDerived,
  ) => Output<Endpoints[K]>
}

type AllRecords = { readonly [N in CollectionName]: Records<RecordOf[N]> }

/** A page of a collection. `refuse` throws when the Program does not have the feature. */
const list =
  <N extends CollectionName>(name: N, refuse: (tx: Tx) => void = () => {}) =>
  (tx: Tx, { query }: { query: Query }, add: AddDerived): Page<ShownRecord<N>> => {
    refuse(tx)
    const records: Records<RecordOf[N]> = (tx as AllRecords)[name]
    const page = paginate(rowOf(name).list as unknown as List<RecordOf[N]>, records, query, tx.program)
    return { ...page, data: page.data.map((record) => showRecord(tx, name, record, add)) }
  }

/** One record of a collection whose error for an unknown uid is 1019. */
const get =
  <N extends CollectionName>(name: N) =>
  (tx: Tx, { params }: { params: { readonly uid: Uid } }, add: AddDerived): ShownRecord<N> =>
    showRecord(tx, name, requireRecord<RecordOf[N]>((tx as AllRecords)[name], params.uid, rowOf(name).one), add)

/** One line per endpoint: the operation behind it. */
export const handlers: Handlers = {
  listCustomers: list('customers'),
  createCustomer: (tx, { body }) => customers.show(tx, customers.create(tx, body)),
  getCustomer: (tx, { params }, add) => customers.show(tx, customers.find(tx, params.uid), add),
  updateCustomer: (tx, { params, body }) => customers.show(tx, customerData.update(tx, params.uid, body)),

  archiveCustomer: (tx, { params, body }) => customers.show(tx, archival.archive(tx, params.uid, body)),

  listPools: list('pools'),
  getPool: get('pools'),

  listProducts: list('products'),
  getProduct: get('products'),

  listCustomerProducts: list('customer_products'),
  onboardCustomer: (tx, { body }) => customerProducts.show(tx, customerProducts.onboard(tx, body)),
  getCustomerProduct: get('customer_products'),

  listCustodialAccounts: list('custodial_accounts'),
  getCustodialAccount: get('custodial_accounts'),

  listSyntheticAccountTypes: list('synthetic_account_types'),
  getSyntheticAccountType: get('synthetic_account_types'),
  listSyntheticAccounts: list('synthetic_accounts'),
  createSyntheticAccount: (tx, { body }) => syntheticAccounts.show(tx, syntheticAccounts.create(tx, body)),
  getSyntheticAccount: (tx, { params }) => syntheticAccounts.show(tx, syntheticAccounts.find(tx, params.uid)),
  updateSyntheticAccount: (tx, { params, body }) =>
    syntheticAccounts.show(tx, syntheticAccounts.update(tx, params.uid, body)),
  archiveSyntheticAccount: (tx, { params }) => syntheticAccounts.archive(tx, params.uid),

  listTransfers: list('transfers'),
  createTransfer: (tx, { body }) => transfers.show(tx, transfers.initiate(tx, body)),
  getTransfer: (tx, { params }, add) => transfers.show(tx, transfers.find(tx, params.uid), add),
  cancelTransfer: (tx, { params, body }) => transfers.show(tx, transfers.cancel(tx, params.uid, body)),

  listTransactions: list('transactions'),
  getTransaction: get('transactions'),
  authorizeTransaction: (tx, { params, body }) => authorization.authorize(tx, params.uid, body),
  listTransactionEvents: list('transaction_events'),
  getTransactionEvent: get('transaction_events'),
  listSyntheticLineItems: list('synthetic_line_items'),
  getSyntheticLineItem: get('synthetic_line_items'),
  listCustodialLineItems: list('custodial_line_items'),
  getCustodialLineItem: get('custodial_line_items'),

  listVirtualReferenceNumbers: list('virtual_reference_numbers'),
  createVirtualReferenceNumber: (tx, { body }) => vrns.show(tx, vrns.create(tx, body)),
  getVirtualReferenceNumber: (tx, { params }) => vrns.show(tx, vrns.find(tx, params.uid)),
  updateVirtualReferenceNumber: (tx, { params, body }) => vrns.show(tx, vrns.update(tx, params.uid, body)),
  archiveVirtualReferenceNumber: (tx, { params }) => vrns.archive(tx, params.uid),
  lockVirtualReferenceNumber: (tx, { params, body }) => vrns.show(tx, vrns.lock(tx, params.uid, body)),
  unlockVirtualReferenceNumber: (tx, { params }) => vrns.show(tx, vrns.unlock(tx, params.uid)),

  listReturns: list('returns', returns.refuseDisabled),
  createReturn: (tx, { body }) => returns.create(tx, body),
  getReturn: (tx, { params }) => returns.find(tx, params.uid),

  listCombinedTransfers: list('combined_transfers', combinedTransfers.refuseDisabled),
  createCombinedTransfer: (tx, { body }) => combinedTransfers.show(tx, combinedTransfers.create(tx, body)),
  getCombinedTransfer: (tx, { params }) => combinedTransfers.show(tx, combinedTransfers.find(tx, params.uid)),

  createMockTransaction: (tx, { body }) => mockTransactions.create(tx, body),

  listCustodialAccountClosingBalances: list('custodial_account_closing_balances'),
  getCustodialAccountClosingBalance: get('custodial_account_closing_balances'),
  listSyntheticAccountClosingBalances: list('synthetic_account_closing_balances'),
  getSyntheticAccountClosingBalance: get('synthetic_account_closing_balances'),
}

export interface RulesInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** Runs the operation behind an endpoint. */
export function runRules(tx: Tx, name: EndpointName, input: RulesInput, add: AddDerived): unknown {
  // TypeScript cannot relate an endpoint's name to its handler here; both come from `endpoints`.
  const all = handlers as unknown as Record<string, (tx: Tx, input: RulesInput, add: AddDerived) => unknown>
  refuseAsHosted(tx, name, input.body)
  const value = all[name]!(tx, input, add)
  refuseHints(tx.program, tx.hints)
  return value
}

/** Assumed (invented): what a strict Program does not know it refuses with 400/1007. */
export function refuseHints({ strict }: ProgramRecord, hints: readonly Hint[]) {
  const faults = hints.filter((hint) => !isOfProfile(hint))
  if (!strict || faults.length === 0) return
  const extra = faults.map(({ at, text }) => `${at}: ${text}`).join('; ')
  throw new ApiError('invalidArgument', extra, undefined, undefined, { setting: 'strict' })
}
