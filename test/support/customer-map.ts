import { expect } from 'vitest'
import type { CustomerMap, FlowSums } from '../../src/api/contract/control/customer-map.ts'
import { formatCents, toCents } from './cents.ts'

interface Account {
  readonly uid: string
  readonly net_usd_balance: string | null
  readonly net_usd_pending_balance: string | null
}

const settled = ({ settled, returned }: FlowSums) =>
  toCents(settled.us_dollar_amount) - toCents(returned.us_dollar_amount)
const pending = ({ pending, return_pending }: FlowSums) =>
  toCents(pending.us_dollar_amount) - toCents(return_pending.us_dollar_amount)

/** Over all time the flows of each account add up to its balance, and a VRN passes on what it receives. */
export function expectMapOfBooks({ nodes, flows }: CustomerMap, accounts: readonly Account[]) {
  const net = (id: string, count: (sums: FlowSums) => bigint) =>
    formatCents(
      flows.reduce(
        (sum, flow) => sum + (flow.to === id ? count(flow) : 0n) - (flow.from === id ? count(flow) : 0n),
        0n,
      ),
    )
  for (const { uid, net_usd_balance, net_usd_pending_balance } of accounts)
    expect({ uid, settled: net(uid, settled), pending: net(uid, pending) }).toEqual({
      uid,
      settled: net_usd_balance,
      pending: net_usd_pending_balance,
    })
  for (const { id, role, balance, in: ins, out } of nodes) {
    if (role !== 'vrn') expect([id, formatCents(settled(ins) - settled(out))]).toEqual([id, net(id, settled)])
    if (role === 'account') expect([id, balance]).toEqual([id, net(id, settled)])
    if (role === 'vrn') expect([id, net(id, settled), net(id, pending)]).toEqual([id, '0.00', '0.00'])
  }
}

/** With one node for all but the largest account, too, the balances add up. */
export function expectGroupedMap(whole: CustomerMap, grouped: CustomerMap) {
  const balance = ({ nodes }: CustomerMap) =>
    formatCents(nodes.reduce((sum, node) => sum + toCents(node.balance ?? '0.00'), 0n))
  expect(balance(grouped)).toBe(balance(whole))
  expect(grouped.totals.in).toEqual(whole.totals.in)
  expect(grouped.totals.out).toEqual(whole.totals.out)
  expect(grouped.totals.between).toEqual(whole.totals.between)
}
