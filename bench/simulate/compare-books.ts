import { type Body, dollars } from './calls.ts'
import type { ReadList } from './compare-world.ts'
import { instantOf } from './model/calendar.ts'
import type { Model } from './model/model.ts'
import type { Payment } from './model/state.ts'

/**
 * Both books, from their lines alone: each settled payment moves its amount once in the synthetic book, and in the custodial book if it
 * crosses the border of its Pool.
 */
export async function compareBooks(model: Model, read: ReadList): Promise<string | undefined> {
  const settled = model.state.payments
    .filter(({ status, cents }) => status === 'settled' && cents > 0)
    .sort((a, b) => a.settledIndex! - b.settledIndex!)
  const outside = settled.filter(({ rail }) => rail !== 'book')
  return (
    (await compareSynthetic(model, settled, read)) ??
    (await compareCustodial(model, outside, read)) ??
    compareEvents(outside, await read('/transaction_events')) ??
    compareClosings(model, settled, await read('/synthetic_account_closing_balances'))
  )
}

/** The lines of a book in their order. Each is numbered, and shows the sum of its account so far. */
function findProblemOfLines(lines: readonly Body[], expected: readonly string[], account: string): string | undefined {
  const sums = new Map<string, number>()
  for (const [i, line] of lines.toSorted((a, b) => a.settled_index - b.settled_index).entries()) {
    const uid: string = line[account]
    const sum = (sums.get(uid) ?? 0) + centsOf(line.us_dollar_amount)
    sums.set(uid, sum)
    const found = `${line.transaction_uid} ${line.settled_at} ${line.us_dollar_amount}`
    if (!expected[i]?.startsWith(found)) return `${found} should be ${expected[i] ?? 'nothing'}`
    if (line.settled_index !== i + 1) return `${found} has the number ${line.settled_index} and should have ${i + 1}`
    if (line.running_us_dollar_balance !== dollars(sum))
      return `${found} shows ${line.running_us_dollar_balance}; the lines of its account sum to ${dollars(sum)}`
    // Of the custodian's accounts the model knows only how many lines a payment has.
    const of = expected[i].slice(found.length + 1)
    if (of !== '' && of !== uid) return `${found} is of ${uid} and should be of ${of}`
  }
  return expected.length > lines.length ? `${expected[lines.length]} is missing` : undefined
}

const lineOf = ({ uid, settledAt }: Payment, cents: number) =>
  `${uid} ${new Date(settledAt!).toISOString()} ${dollars(cents)}`

async function compareSynthetic({ state }: Model, settled: readonly Payment[], read: ReadList) {
  const expected = settled.flatMap((payment) => [
    `${lineOf(payment, -payment.cents)} ${state.accounts[payment.source]!.uid}`,
    `${lineOf(payment, payment.cents)} ${state.accounts[payment.destination]!.uid}`,
  ])
  const problem = findProblemOfLines(await read('/synthetic_line_items'), expected, 'synthetic_account_uid')
  return problem && `GET /synthetic_line_items: ${problem}`
}

/** The dda of a Pool mirrors it. */
async function compareCustodial(model: Model, outside: readonly Payment[], read: ReadList) {
  const expected = outside.flatMap((payment) => [lineOf(payment, -payment.cents), lineOf(payment, payment.cents)])
  const problem = findProblemOfLines(await read('/custodial_line_items'), expected, 'custodial_account_uid')
  if (problem) return `GET /custodial_line_items: ${problem}`
  for (const account of await read('/custodial_accounts')) {
    const customer = model.state.customers.findIndex(({ pool }) => pool === account.pool_uid)
    if (account.type !== 'dda' || customer < 0) continue
    const { settled, pending, available } = model.balances(model.generalAccountsOf(customer))
    const shown = [account.net_usd_balance, account.net_usd_pending_balance, account.net_usd_available_balance]
    const wanted = [settled, pending, available].map(dollars)
    if (String(shown) !== String(wanted))
      return `GET /custodial_accounts: ${account.uid} shows ${shown} and should show ${wanted}`
  }
  return undefined
}

function compareEvents(outside: readonly Payment[], events: readonly Body[]): string | undefined {
  const found = events.flatMap(({ transaction_uids }) => transaction_uids).toSorted()
  const expected = outside.map(({ uid }) => uid).toSorted()
  return String(found) === String(expected)
    ? undefined
    : `GET /transaction_events has those of ${found.join()}; expected were those of ${expected.join()}`
}

/** A closing balance is what settled strictly before the close of its day. */
function compareClosings({ state }: Model, settled: readonly Payment[], closings: readonly Body[]) {
  for (const closing of closings) {
    const { synthetic_account_uid, net_usd_closing_balance: shown, net_usd_closing_balance_as_of: day } = closing
    const close = instantOf(day, '20:00')
    const of = state.accounts.findIndex(({ uid }) => uid === synthetic_account_uid)
    const sum = settled
      .filter(({ settledAt }) => settledAt! < close)
      .reduce((all, one) => all + (one.destination === of ? one.cents : 0) - (one.source === of ? one.cents : 0), 0)
    if (shown !== dollars(sum))
      return `The closing balance of ${synthetic_account_uid} on ${day} is ${shown}; ${dollars(sum)} had settled`
  }
  return undefined
}

const centsOf = (text: string) => Math.round(Number(text) * 100)
