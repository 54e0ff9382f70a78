import { type Body, dollars } from './calls.ts'
import type { ReadList } from './compare-world.ts'
import { businessDay, instantOf } from './model/calendar.ts'
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
    (await compareClosings(model, 'synthetic', read)) ??
    compareClosings(model, 'custodial', read)
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

/**
 * The closing balances of a book, from its lines: of each account one for each day after which its balance is another, with what had
 * settled strictly before the close.
 */
async function compareClosings({ state }: Model, book: 'synthetic' | 'custodial', read: ReadList) {
  const account = `${book}_account_uid`
  const rowOf = (of: string, day: string, balance: string) => `${of} on ${day}: ${balance}`
  // Accounts of counterparties have lines, and no balance.
  const lists = book === 'synthetic' ? ['', '?liability=false'] : ['']
  const accounts = (await Promise.all(lists.map((query) => read(`/${book}_accounts${query}`)))).flat()
  const balances = new Map(
    accounts.filter((one) => one.net_usd_balance !== null).map(({ uid }) => [uid as string, dollars(0)]),
  )
  const lastOfDay = new Map<string, Body>()
  for (const line of (await read(`/${book}_line_items`)).toSorted((a, b) => a.settled_index - b.settled_index))
    lastOfDay.set(`${line[account]} ${businessDay(Date.parse(line.settled_at), '20:00')}`, line)
  const expected: string[] = []
  for (const [of, { [account]: uid, running_us_dollar_balance: balance }] of lastOfDay) {
    const day = of.slice(-'2026-08-14'.length)
    if (instantOf(day, '20:00') > state.now || !balances.has(uid) || balances.get(uid) === balance) continue
    balances.set(uid, balance)
    expected.push(rowOf(uid, day, balance))
  }
  const found = (await read(`/${book}_account_closing_balances`)).map((row) =>
    rowOf(row[account], row.net_usd_closing_balance_as_of, row.net_usd_closing_balance),
  )
  return String(found.toSorted()) === String(expected.toSorted())
    ? undefined
    : `GET /${book}_account_closing_balances has ${found.join()}; expected were ${expected.join()}`
}

const centsOf = (text: string) => Math.round(Number(text) * 100)
