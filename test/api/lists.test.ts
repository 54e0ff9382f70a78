import { expect, it } from 'vitest'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import type { ErrorKey } from '../../src/api/contract/errors.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import { expectRefusal } from '../support/client.ts'
import { startSandbox } from '../support/sandbox.ts'
import { table } from '../support/table.ts'

/**
 * What every list refuses. A row has a value that its enumerations and flags do not have, the fields that are an amount
 * or a count, those that are a date, and orders that it does not have. What each filter finds is tested with its resource.
 */
const LISTS = table(`
  /customers                           | status=closed kyc_status=under_review customer_type=sub_ledger locked=perhaps include_initiated=1 | | | uid_asc created_at_asc
  /pools                               | | | |
  /products                            | | | |
  /customer_products                   | | | |
  /custodial_accounts                  | type=savings liability=maybe | | |
  /synthetic_account_types             | | | |
  /synthetic_accounts                  | status=open synthetic_account_category=card liability=maybe | | | status_asc
  /transfers                           | status=ended | | | created_at_up usd_transfer_amount_asc
  /transactions                        | status=nonsense type=cash has_return=perhaps include_zero=some show_expired=perhaps show_denied_auths=perhaps | id_after id_before settled_index_after settled_index_before | created_at_after created_at_before settled_at_after settled_at_before initial_action_at_after initial_action_at_before | uid_asc
  /transaction_events                  | type=nonsense | | | uid_asc
  /synthetic_line_items                | status=nonsense | | | uid_asc
  /custodial_line_items                | status=nonsense | us_dollar_amount_max us_dollar_amount_min | | uid_asc
  /virtual_reference_numbers           | status=locked instant_payment_rail_registration_status=done | | |
  /returns                             | status=lost requestor_type=operator | | created_at_after created_at_before |
  /combined_transfers                  | status=settled | | created_at_after created_at_before |
  /custodial_account_closing_balances  | | | net_usd_closing_balance_as_of net_usd_closing_balance_before net_usd_closing_balance_after |
  /synthetic_account_closing_balances  | | | net_usd_closing_balance_as_of net_usd_closing_balance_before net_usd_closing_balance_after |
`).map(([path = '', ...cells]) => {
  const [values = [], counts = [], dates = [], orders = []] = cells.map((cell) => cell.split(' ').filter(Boolean))
  return { path, values, counts, dates, orders }
})
const withAny = (of: 'values' | 'counts' | 'dates' | 'orders') => LISTS.filter((list) => list[of].length > 0)

it('the table has every list of the API', () => {
  const lists = Object.values<Endpoint>(endpoints).filter(({ method, path }) => method === 'GET' && !path.includes('{'))
  expect(LISTS.map(({ path }) => path).sort()).toEqual(lists.map(({ path }) => path).sort())
})

/** Sends each query; the refusal must be this one, and name the parameter. */
async function expectEachRefused(path: string, queries: readonly string[], key: ErrorKey) {
  const api = (await startSandbox()).client()
  for (const query of queries)
    expectRefusal(await api.get(`${path}?${query}`), key, new RegExp(`^${query.split(/[=[]/)[0]}\\b`))
}

it.each(LISTS)('7: a negative limit is 400/1005: $path', ({ path }) =>
  expectEachRefused(path, ['limit=-1', 'limit=-1000'], 'invalidLimit'),
)

it.each(LISTS)('7: a limit or offset that is not an integer is 400/1007: $path', ({ path }) => {
  const limits = ['limit=many', 'limit=', 'limit=1.5', 'limit=1e3', 'limit=1&limit=2']
  return expectEachRefused(path, [...limits, 'offset=-1', 'offset=x', 'offset=0.5'], 'invalidArgument')
})

it.each(withAny('values'))('4.3: "Allowed values": an unknown one is 400/1007: $path', ({ path, values }) => {
  const empty = values.map((value) => value.replace(/=.*/, '='))
  return expectEachRefused(path, [...values, ...empty], 'invalidArgument')
})

it.each(withAny('counts'))('a filter of amounts or counts takes nothing else: $path', ({ path, counts }) =>
  expectEachRefused(
    path,
    counts.flatMap((name) => [`${name}=much`, `${name}=1.5.0`]),
    'invalidArgument',
  ),
)

it.each(withAny('dates'))('a filter of dates takes nothing else: 400/1002: $path', ({ path, dates }) =>
  expectEachRefused(
    path,
    dates.flatMap((name) => [`${name}=yesterday`, `${name}=2026-13-01`]),
    'unparseableDate',
  ),
)

it.each(withAny('orders'))('4.3: an unknown sort is 400/1006: $path', ({ path, orders }) => {
  const unknown = ['', 'created_at', 'asc_created_at', '__proto___asc', ...orders]
  return expectEachRefused(
    path,
    unknown.map((sort) => `sort=${sort}`),
    'invalidSort',
  )
})
