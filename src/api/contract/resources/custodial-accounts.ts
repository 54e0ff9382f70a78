import { z } from 'zod'
import { AssetBalance, netBalances } from '../terms/balances.ts'
import { balanceRules, fromOwn } from '../terms/derived.ts'
import { endpoint } from '../terms/endpoint.ts'
import { anyOf, envelope, flag, indexed, list } from '../terms/list.ts'
import { Timestamp, Uid } from '../terms/primitives.ts'

/** `dda` mirrors the account at the custodian. The two cash accounts are its contra accounts, one for each direction. */
const CustodialAccountType = z.enum(['dda', 'dda_cash_external', 'dda_cash_received'])
export type CustodialAccountType = z.infer<typeof CustodialAccountType>

const CustodialAccountStatus = z.enum(['active', 'archived'])

/** A list does not show the whole account number and the company ids. Many fields of cash accounts are null. */
const CustodialAccountSummary = z
  .object({
    uid: Uid,
    external_uid: z.string().optional(),
    customer_uid: Uid,
    pool_uid: Uid,
    type: CustodialAccountType,
    liability: z.boolean(),
    name: z.string().nullable(),
    primary_account: z.boolean(),
    status: CustodialAccountStatus.nullable(),
    account_errors: z.array(
      z.object({ error_code: z.string(), error_name: z.string(), error_description: z.string() }).nullable(),
    ),
    ...netBalances,
    asset_balances: z.array(AssetBalance).nullable(),
    routing_number: z.string().nullable(),
    account_number_masked: z.string().nullable(),
    opened_at: Timestamp,
    closed_at: Timestamp.nullable(),
  })
  .meta({ id: 'CustodialAccountSummary' })

export const CustodialAccount = CustodialAccountSummary.extend({
  account_number: z.string().nullable(),
  company_ids: z.array(z.string()).optional(),
}).meta({ id: 'CustodialAccount' })
export type CustodialAccount = z.infer<typeof CustodialAccount>

/** Computed when it is shown. */
export const derivedFields = {
  asset_balances: fromOwn('One asset, US dollars: the settled balance', 'net_usd_balance'),
  account_number_masked: fromOwn('The last four digits of account_number', 'account_number'),
}
type Kept = Omit<CustodialAccount, keyof typeof derivedFields>

export const custodialAccountList = list<Kept>()({
  rules: {
    ...derivedFields,
    ...balanceRules('custodial_account_uid', 'custodial_line_items', 'custodial_account_closing_balances'),
  },
  filters: {
    customer_uid: indexed('customer_uid'),
    external_uid: anyOf((account) => account.external_uid),
    liability: flag((account) => account.liability),
    type: anyOf((account) => account.type, CustodialAccountType),
  },
})

export const custodialAccountEndpoints = {
  listCustodialAccounts: endpoint({
    method: 'GET',
    path: '/custodial_accounts',
    group: 'Custodial Accounts',
    summary: 'List Custodial Accounts, active and archived',
    description: 'Lists the accounts at the custodian bank, active and archived, with their balances.',
    query: custodialAccountList.query,
    status: 200,
    response: envelope(CustodialAccountSummary),
    errors: ['invalidLimit'],
  }),
  getCustodialAccount: endpoint({
    method: 'GET',
    path: '/custodial_accounts/{uid}',
    group: 'Custodial Accounts',
    summary: 'Get one Custodial Account',
    description: 'Returns an account at the custodian bank, with its numbers and company ids.',
    status: 200,
    response: CustodialAccount,
    errors: ['unknownRecord'],
  }),
}
