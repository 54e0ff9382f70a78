import type { CustodialAccount } from '../../contract/resources/custodial-accounts.ts'
import type { ReadTx } from '../../store/tx.ts'
import type { CustodialAccountRecord } from '../../store/world.ts'

export function show(_tx: ReadTx, record: CustodialAccountRecord): CustodialAccount {
  const { net_usd_balance } = record
  return {
    ...record,
    account_number_masked: record.account_number?.slice(-4) ?? null,
    asset_balances:
      net_usd_balance === null
        ? null
        : [{ asset_quantity: net_usd_balance, asset_type: 'USD', current_usd_value: net_usd_balance, debit: false }],
  }
}
