import { z } from 'zod'
import { endpoint } from '../terms/endpoint.ts'
import { after, anyOf, before, envelope, indexed, list, sameMoment } from '../terms/list.ts'
import { CalendarDate, Money, Uid } from '../terms/primitives.ts'

/**
 * The balance of an account at the close of a business day. The platform's interface has these four endpoints; the
 * specification's list does not.
 */

const balance = { net_usd_closing_balance: Money, net_usd_closing_balance_as_of: CalendarDate }

export const CustodialAccountClosingBalance = z
  .object({
    uid: Uid,
    custodial_account_uid: Uid,
    custodial_account_external_uid: z.string().optional(),
    ...balance,
  })
  .meta({ id: 'CustodialAccountClosingBalance' })
export type CustodialAccountClosingBalance = z.infer<typeof CustodialAccountClosingBalance>

export const SyntheticAccountClosingBalance = z
  .object({
    uid: Uid,
    synthetic_account_uid: Uid,
    synthetic_account_external_uid: z.string().optional(),
    ...balance,
  })
  .meta({ id: 'SyntheticAccountClosingBalance' })
export type SyntheticAccountClosingBalance = z.infer<typeof SyntheticAccountClosingBalance>

const asOf = (row: { net_usd_closing_balance_as_of: string }) => row.net_usd_closing_balance_as_of
const days = {
  net_usd_closing_balance_as_of: sameMoment(asOf),
  net_usd_closing_balance_before: before(asOf),
  net_usd_closing_balance_after: after(asOf),
}

export const custodialClosingBalanceList = list<CustodialAccountClosingBalance>()({
  filters: {
    custodial_account_uid: indexed('custodial_account_uid'),
    custodial_account_external_uid: anyOf((row) => row.custodial_account_external_uid),
    ...days,
  },
})

export const syntheticClosingBalanceList = list<SyntheticAccountClosingBalance>()({
  filters: {
    synthetic_account_uid: indexed('synthetic_account_uid'),
    synthetic_account_external_uid: anyOf((row) => row.synthetic_account_external_uid),
    ...days,
  },
})

export const closingBalanceEndpoints = {
  listCustodialAccountClosingBalances: endpoint({
    method: 'GET',
    path: '/custodial_account_closing_balances',
    group: 'Closing Balances',
    summary: 'List the closing balances of Custodial Accounts',
    description: 'Lists the balances of Custodial Accounts at the end of each business day.',
    query: custodialClosingBalanceList.query,
    status: 200,
    response: envelope(CustodialAccountClosingBalance),
    errors: ['invalidLimit', 'unparseableDate'],
  }),
  getCustodialAccountClosingBalance: endpoint({
    method: 'GET',
    path: '/custodial_account_closing_balances/{uid}',
    group: 'Closing Balances',
    summary: 'Get one closing balance of a Custodial Account',
    description: 'Returns the balance of a Custodial Account at the end of a business day.',
    status: 200,
    response: CustodialAccountClosingBalance,
    errors: ['unknownRecord'],
  }),
  listSyntheticAccountClosingBalances: endpoint({
    method: 'GET',
    path: '/synthetic_account_closing_balances',
    group: 'Closing Balances',
    summary: 'List the closing balances of Synthetic Accounts',
    description: 'Lists the balances of Synthetic Accounts at the end of each business day.',
    query: syntheticClosingBalanceList.query,
    status: 200,
    response: envelope(SyntheticAccountClosingBalance),
    errors: ['invalidLimit', 'unparseableDate'],
  }),
  getSyntheticAccountClosingBalance: endpoint({
    method: 'GET',
    path: '/synthetic_account_closing_balances/{uid}',
    group: 'Closing Balances',
    summary: 'Get one closing balance of a Synthetic Account',
    description: 'Returns the balance of a Synthetic Account at the end of a business day.',
    status: 200,
    response: SyntheticAccountClosingBalance,
    errors: ['unknownRecord'],
  }),
}
