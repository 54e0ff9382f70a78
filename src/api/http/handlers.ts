import type { EndpointName, Endpoints } from '../contract/endpoints.ts'
import { custodialClosingBalanceList, syntheticClosingBalanceList } from '../contract/resources/closing-balances.ts'
import { combinedTransferList } from '../contract/resources/combined-transfers.ts'
import { custodialAccountList } from '../contract/resources/custodial-accounts.ts'
import { customerProductList } from '../contract/resources/customer-products.ts'
import { customerList } from '../contract/resources/customers.ts'
import { poolList } from '../contract/resources/pools.ts'
import { productList } from '../contract/resources/products.ts'
import { returnList } from '../contract/resources/returns.ts'
import { syntheticAccountList, syntheticAccountTypeList } from '../contract/resources/synthetic-accounts.ts'
import {
  custodialLineItemList,
  syntheticLineItemList,
  transactionEventList,
  transactionList,
} from '../contract/resources/transactions.ts'
import { transferList } from '../contract/resources/transfers.ts'
import { virtualReferenceNumberList } from '../contract/resources/virtual-reference-numbers.ts'
import type { Input, Output } from '../contract/terms/endpoint.ts'
import { type List, type Page, paginate, type Query } from '../contract/terms/list.ts'
import * as archival from '../domain/resources/archival.ts'
import * as authorization from '../domain/resources/authorization.ts'
import * as combinedTransfers from '../domain/resources/combined-transfers.ts'
import * as custodialAccounts from '../domain/resources/custodial-accounts.ts'
import * as customerData from '../domain/resources/customer-data.ts'
import * as customerProducts from '../domain/resources/customer-products.ts'
import * as customers from '../domain/resources/customers.ts'
import * as mockTransactions from '../domain/resources/mock-transactions.ts'
import { requireRecord } from '../domain/resources/require-record.ts'
import * as returns from '../domain/resources/returns.ts'
import * as syntheticAccounts from '../domain/resources/synthetic-accounts.ts'
import * as transactions from '../domain/resources/transactions.ts'
import * as transfers from '../domain/resources/transfers.ts'
import * as vrns from '../domain/resources/virtual-reference-numbers.ts'
import type { AddDerived } from '../domain/rules/derived.ts'
import type { Records, Tx } from '../store/store.ts'
import type { StoredRecord } from '../store/world.ts'

/** `add` is the `addDerived` of the response cache. `route.ts` handles POST /auth: jose is asynchronous. */
type Handlers = {
  readonly [K in Exclude<EndpointName, 'createAccessToken'>]: (
    tx: Tx,
    input: Input<Endpoints[K]>,
    add: AddDerived,
  ) => Output<Endpoints[K]>
}

const listRecords =
  <R extends StoredRecord & T, T, S>(
    spec: List<T>,
    source: (tx: Tx) => Records<R>,
    show: (tx: Tx, record: R, add: AddDerived) => S,
  ) =>
  (tx: Tx, { query }: { query: Query }, add: AddDerived): Page<S> => {
    const found = paginate(spec as unknown as List<R>, source(tx), query)
    return { ...found, data: found.data.map((record) => show(tx, record, add)) }
  }

const unchanged = <R>(_tx: Tx, record: R) => record

/** One line per endpoint: the operation behind it. */
export const handlers: Handlers = {
  listCustomers: listRecords(customerList, (tx) => tx.customers, customers.show),
  createCustomer: (tx, { body }) => customers.show(tx, customers.create(tx, body)),
  getCustomer: (tx, { params }, add) => customers.show(tx, customers.find(tx, params.uid), add),
  updateCustomer: (tx, { params, body }) => customers.show(tx, customerData.update(tx, params.uid, body)),

  archiveCustomer: (tx, { params, body }) => customers.show(tx, archival.archive(tx, params.uid, body)),

  listPools: listRecords(poolList, (tx) => tx.pools, unchanged),
  getPool: (tx, { params }) => requireRecord(tx.pools, params.uid, 'Pool'),

  listProducts: listRecords(productList, (tx) => tx.products, unchanged),
  getProduct: (tx, { params }) => requireRecord(tx.products, params.uid, 'Product'),

  listCustomerProducts: listRecords(customerProductList, (tx) => tx.customer_products, customerProducts.show),
  onboardCustomer: (tx, { body }) => customerProducts.show(tx, customerProducts.onboard(tx, body)),
  getCustomerProduct: (tx, { params }) =>
    customerProducts.show(tx, requireRecord(tx.customer_products, params.uid, 'Customer Product')),

  listCustodialAccounts: listRecords(custodialAccountList, (tx) => tx.custodial_accounts, custodialAccounts.show),
  getCustodialAccount: (tx, { params }) =>
    custodialAccounts.show(tx, requireRecord(tx.custodial_accounts, params.uid, 'Custodial Account')),

  listSyntheticAccountTypes: listRecords(syntheticAccountTypeList, (tx) => tx.synthetic_account_types, unchanged),
  getSyntheticAccountType: (tx, { params }) =>
    requireRecord(tx.synthetic_account_types, params.uid, 'Synthetic Account Type'),
  listSyntheticAccounts: listRecords(syntheticAccountList, (tx) => tx.synthetic_accounts, syntheticAccounts.show),
  createSyntheticAccount: (tx, { body }) => syntheticAccounts.show(tx, syntheticAccounts.create(tx, body)),
  getSyntheticAccount: (tx, { params }) => syntheticAccounts.show(tx, syntheticAccounts.find(tx, params.uid)),
  updateSyntheticAccount: (tx, { params, body }) =>
    syntheticAccounts.show(tx, syntheticAccounts.update(tx, params.uid, body)),
  archiveSyntheticAccount: (tx, { params }) => syntheticAccounts.archive(tx, params.uid),

  listTransfers: listRecords(transferList, (tx) => tx.transfers, transfers.show),
  createTransfer: (tx, { body }) => transfers.show(tx, transfers.initiate(tx, body)),
  getTransfer: (tx, { params }, add) => transfers.show(tx, transfers.find(tx, params.uid), add),
  cancelTransfer: (tx, { params, body }) => transfers.show(tx, transfers.cancel(tx, params.uid, body)),

  listTransactions: listRecords(transactionList, (tx) => tx.transactions, transactions.show),
  getTransaction: (tx, { params }, add) => transactions.show(tx, transactions.find(tx, params.uid), add),
  authorizeTransaction: (tx, { params, body }) => authorization.authorize(tx, params.uid, body),
  listTransactionEvents: listRecords(transactionEventList, (tx) => tx.transaction_events, unchanged),
  getTransactionEvent: (tx, { params }) => requireRecord(tx.transaction_events, params.uid, 'Transaction Event'),
  listSyntheticLineItems: listRecords(syntheticLineItemList, (tx) => tx.synthetic_line_items, unchanged),
  getSyntheticLineItem: (tx, { params }) => requireRecord(tx.synthetic_line_items, params.uid, 'Synthetic Line Item'),
  listCustodialLineItems: listRecords(custodialLineItemList, (tx) => tx.custodial_line_items, unchanged),
  getCustodialLineItem: (tx, { params }) => requireRecord(tx.custodial_line_items, params.uid, 'Custodial Line Item'),

  listVirtualReferenceNumbers: listRecords(virtualReferenceNumberList, (tx) => tx.virtual_reference_numbers, vrns.show),
  createVirtualReferenceNumber: (tx, { body }) => vrns.show(tx, vrns.create(tx, body)),
  getVirtualReferenceNumber: (tx, { params }) => vrns.show(tx, vrns.find(tx, params.uid)),
  updateVirtualReferenceNumber: (tx, { params, body }) => vrns.show(tx, vrns.update(tx, params.uid, body)),
  archiveVirtualReferenceNumber: (tx, { params }) => vrns.archive(tx, params.uid),
  lockVirtualReferenceNumber: (tx, { params, body }) => vrns.show(tx, vrns.lock(tx, params.uid, body)),
  unlockVirtualReferenceNumber: (tx, { params }) => vrns.show(tx, vrns.unlock(tx, params.uid)),

  listReturns: listRecords(returnList, returns.all, unchanged),
  createReturn: (tx, { body }) => returns.create(tx, body),
  getReturn: (tx, { params }) => returns.find(tx, params.uid),

  listCombinedTransfers: listRecords(combinedTransferList, combinedTransfers.all, combinedTransfers.show),
  createCombinedTransfer: (tx, { body }) => combinedTransfers.show(tx, combinedTransfers.create(tx, body)),
  getCombinedTransfer: (tx, { params }) => combinedTransfers.show(tx, combinedTransfers.find(tx, params.uid)),

  createMockTransaction: (tx, { body }) => mockTransactions.create(tx, body),

  listCustodialAccountClosingBalances: listRecords(
    custodialClosingBalanceList,
    (tx) => tx.custodial_account_closing_balances,
    unchanged,
  ),
  getCustodialAccountClosingBalance: (tx, { params }) =>
    requireRecord(tx.custodial_account_closing_balances, params.uid, 'closing balance'),
  listSyntheticAccountClosingBalances: listRecords(
    syntheticClosingBalanceList,
    (tx) => tx.synthetic_account_closing_balances,
    unchanged,
  ),
  getSyntheticAccountClosingBalance: (tx, { params }) =>
    requireRecord(tx.synthetic_account_closing_balances, params.uid, 'closing balance'),
}
