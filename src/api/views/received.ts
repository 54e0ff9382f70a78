import type { MethodOutput } from '../contract/control/methods.ts'
import type { Money, Uid } from '../contract/terms/primitives.ts'
import { sum } from '../domain/rules/money.ts'
import type { ReadTx } from '../store/tx.ts'
import { pushTo } from './books.ts'

/** What VRNs have received: not stored, but the sum of the settled payments that name a VRN. */
export function receivedOnVrns(tx: ReadTx): MethodOutput<'records.received'>['received'] {
  const amounts = new Map<Uid, Money[]>()
  for (const payment of tx.transactions.newestFirst()) {
    const { virtual_reference_number_uid: uid, status, net_asset, us_dollar_amount } = payment
    if (uid && status === 'settled' && net_asset === 'positive') pushTo(amounts, uid, us_dollar_amount)
  }
  return [...amounts].map(([uid, all]) => ({ uid, payments: all.length, us_dollar_amount: sum(all) }))
}
