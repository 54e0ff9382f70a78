import { z } from 'zod'
import { CalendarDate, Money } from './primitives.ts'

/** Balances of Synthetic and Custodial Accounts; null for an account that has no balance of its own. */

export const netBalances = {
  net_usd_balance: Money.nullable().meta({ description: 'Settled' }),
  net_usd_pending_balance: Money.nullable().meta({ description: 'Sum of pending payments' }),
  net_usd_available_balance: Money.nullable().meta({ description: 'Settled, less pending withdrawals' }),
  net_usd_closing_balance: Money.nullable(),
  net_usd_closing_balance_as_of: CalendarDate.nullable().optional(),
}

export const AssetBalance = z.object({
  asset_quantity: z.string(),
  asset_type: z.string(),
  current_usd_value: Money,
  debit: z.boolean(),
})
