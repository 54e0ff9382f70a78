import type { OutcomeOf } from '../../contract/tasks.ts'
import type { Money } from '../../contract/terms/primitives.ts'
import { toMs, toTimestamp } from '../../store/clock.ts'
import type { Tx } from '../../store/tx.ts'
import { closeAfter, dateAt, isClose } from '../rules/calendar.ts'
import { ZERO } from '../rules/money.ts'

/**
 * Calculated once per business day.
 *
 * Assumed (invented): a business day closes at 20:00 in New York. An account whose balance has not changed since the last close
 * gets no new row: the latest row before a day is the one of that day.
 */

export function scheduleClose(tx: Tx) {
  tx.schedule({
    kind: 'close of day',
    due_at: toTimestamp(closeAfter(toMs(tx.now))),
    subject_uid: null,
    why: { code: 'business_day_closes', facts: {} },
    recurring: true,
  })
}

/** Schedules the next close of day, too. */
export function closeDay(tx: Tx): OutcomeOf<'close of day'> {
  scheduleClose(tx)
  // At another time, run by the operator, it closes nothing: there is one row for each business day.
  if (!isClose(toMs(tx.now))) return { code: 'no_close', facts: {} }
  const day = dateAt(toMs(tx.now))
  let rows = 0
  for (const account of [...tx.custodial_accounts.newestFirst()].reverse()) {
    const closing = closingOf(account, day)
    if (!closing) continue
    tx.custodial_account_closing_balances.put({
      uid: tx.uid(),
      program_uid: tx.program.uid,
      custodial_account_uid: account.uid,
      ...(account.external_uid === undefined ? {} : { custodial_account_external_uid: account.external_uid }),
      ...closing,
    })
    tx.custodial_accounts.put({ ...account, ...closing })
    rows++
  }
  for (const account of [...tx.synthetic_accounts.newestFirst()].reverse()) {
    const closing = closingOf(account, day)
    if (!closing) continue
    tx.synthetic_account_closing_balances.put({
      uid: tx.uid(),
      program_uid: tx.program.uid,
      synthetic_account_uid: account.uid,
      ...(account.external_uid ? { synthetic_account_external_uid: account.external_uid } : {}),
      ...closing,
    })
    tx.synthetic_accounts.put({ ...account, ...closing })
    rows++
  }
  return { code: 'closing_balances', facts: { balance_count: rows } }
}

function closingOf(account: { net_usd_balance: Money | null; net_usd_closing_balance: Money | null }, day: string) {
  const { net_usd_balance, net_usd_closing_balance } = account
  if (net_usd_balance === null || net_usd_balance === (net_usd_closing_balance ?? ZERO)) return undefined
  return { net_usd_closing_balance: net_usd_balance, net_usd_closing_balance_as_of: day }
}
