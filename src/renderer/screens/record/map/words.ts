import type { CustomerMap, FlowSums, MapFlow, MapNode } from '../../../../api/contract/control/customer-map.ts'
import { escapeControls, formatAmount, formatCount, plural, truncate } from '../../../format/text.ts'
import type { Column, Part } from './layout.ts'

/** The map of a Customer in words, for screen readers and for its details. */

export const columnTitles: Readonly<Record<Column, string>> = {
  senders: 'From',
  'vrns in': 'VRNs',
  accounts: 'Accounts',
  'vrns out': 'VRNs',
  receivers: 'To',
}

export const partTitles: Readonly<Record<Part, string>> = {
  settled: 'settled',
  returned: 'returned',
  return_pending: 'return pending',
  pending: 'pending',
}
export const PARTS = Object.keys(partTitles) as Part[]

const others: Readonly<Record<MapNode['role'], string>> = {
  account: 'other accounts',
  vrn: 'other VRNs',
  party: 'other parties',
}

export const nodeName = ({ others: count, role, name }: MapNode): string =>
  count === 0 ? escapeControls(truncate(name)) : `${formatCount(count)} ${others[role]}`

/** The sums that a node has in its column; an account has a balance instead. */
export const sumsIn = ({ in: ins, out }: MapNode, column: Column): FlowSums =>
  column === 'senders' || column === 'vrns out' ? out : ins

export const isSome = ({ payments }: FlowSums['settled']) => payments > 0

/** `settled 20.00 in 2 payments, returned 5.00 in 1 payment` */
const describeSums = (sums: FlowSums): string =>
  PARTS.filter((part) => isSome(sums[part]))
    .map((part) => {
      const { us_dollar_amount, payments } = sums[part]
      return `${partTitles[part]} ${formatAmount(us_dollar_amount)} in ${plural(payments, 'payment')}`
    })
    .join(', ') || 'nothing'

export const describeReturns = ({ returned, return_pending }: FlowSums): string =>
  describeSums({ settled: NONE, pending: NONE, returned, return_pending })
const NONE = { us_dollar_amount: '0.00', payments: 0 } as FlowSums['settled']

export const describeFlow = (flow: MapFlow, from: MapNode, to: MapNode): string =>
  `From ${nodeName(from)} to ${nodeName(to)}: ${describeSums(flow)}. By ${flow.rails.map(({ rail }) => rail).join(', ')}.`

export function describeNode(node: MapNode, column: Column): string {
  const balance = node.balance === null ? '' : `balance ${formatAmount(node.balance)}. `
  const { in: ins, out } = node
  return column === 'accounts'
    ? `${nodeName(node)}: ${balance}In: ${describeSums(ins)}. Out: ${describeSums(out)}.`
    : `${nodeName(node)}: ${describeSums(sumsIn(node, column))}.`
}

export const describeMap = ({ flows, totals }: CustomerMap): string =>
  `${plural(flows.length, 'flow')}. In: ${describeSums(totals.in)}. Out: ${describeSums(totals.out)}. Between accounts: ${describeSums(totals.between)}.`

export const countTransactions = (sums: FlowSums): number => PARTS.reduce((sum, part) => sum + sums[part].payments, 0)

export const formatTransactions = (sums: FlowSums): string => {
  const count = countTransactions(sums)
  return count === 1 ? 'its Transaction' : `its ${formatCount(count)} Transactions`
}
