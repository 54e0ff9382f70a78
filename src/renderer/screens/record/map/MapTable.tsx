import type { CustomerMap, FlowSums, MapNode } from '../../../../api/contract/control/customer-map.ts'
import { formatTsv } from '../../../format/csv.ts'
import { formatAmount, formatCount } from '../../../format/numbers.ts'
import { Amount } from '../../../ui/Amount.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Caption } from '../../../ui/Layout.tsx'
import { Table } from '../../../ui/Table.tsx'
import { Text } from '../../../ui/Text.tsx'
import { countTransactions, isSome, nodeName, PARTS, partTitles } from './words.ts'

const AMOUNT = 104
const SUM_HEADS = PARTS.map((part) => ({ label: partTitles[part], width: AMOUNT, right: true }))
const FLOW_HEADS = [
  { label: 'From' },
  { label: 'To' },
  ...SUM_HEADS,
  { label: 'Transactions', width: 88, right: true },
  { label: 'By rail' },
]
const ACCOUNT_HEADS = [
  { label: 'Account' },
  { label: 'Status', width: 88 },
  { label: 'In, settled', width: AMOUNT, right: true },
  { label: 'Out, settled', width: AMOUNT, right: true },
  { label: 'Balance', width: AMOUNT, right: true },
]

/** The figures of the map. */
export function MapTable({ map }: { map: CustomerMap }) {
  const nodeOf = (id: string) => map.nodes.find((node) => node.id === id)!
  const accounts = map.nodes.filter(({ role }) => role === 'account')
  return (
    <>
      <Caption>
        <h3>Flows, USD</h3>
        <span className="end">
          <CopyButton text={() => copyFlows(map)} what="flows as tab-separated text" label="Copy table" small />
        </span>
      </Caption>
      <Table headers={FLOW_HEADS}>
        {map.flows.map((flow) => (
          <tr key={`${flow.from} ${flow.to}`} data-flow-row>
            <td>
              <Text>{nodeName(nodeOf(flow.from))}</Text>
            </td>
            <td>
              <Text>{nodeName(nodeOf(flow.to))}</Text>
            </td>
            {PARTS.map((part) => (
              <td key={part} data-right>
                <Amount value={flow[part].us_dollar_amount} />
              </td>
            ))}
            <td data-right>{formatCount(countTransactions(flow))}</td>
            <td>{railsOf(flow.rails, formatAmount)}</td>
          </tr>
        ))}
      </Table>
      <Caption>
        <h3>Accounts, USD</h3>
      </Caption>
      <Table headers={ACCOUNT_HEADS}>
        {accounts.map((node) => (
          <AccountRow key={node.id} node={node} />
        ))}
      </Table>
    </>
  )
}

const AccountRow = ({ node }: { node: MapNode }) => (
  <tr data-account-row>
    <td>
      <Text>{nodeName(node)}</Text>
    </td>
    <td>{node.status ?? '–'}</td>
    <td data-right>
      <Amount value={node.in.settled.us_dollar_amount} />
    </td>
    <td data-right>
      <Amount value={node.out.settled.us_dollar_amount} />
    </td>
    <td data-right>
      <Amount value={node.balance} />
    </td>
  </tr>
)

/** Of each rail what settled, or else what is pending or went back. */
const railsOf = (rails: CustomerMap['flows'][number]['rails'], format: (amount: string) => string) =>
  rails
    .map(({ rail, ...sums }) => {
      const shown = PARTS.find((part) => isSome(sums[part])) ?? 'settled'
      return `${rail} ${format(sums[shown].us_dollar_amount)}${shown === 'settled' ? '' : ` ${partTitles[shown]}`}`
    })
    .join(', ')

function copyFlows({ nodes, flows }: CustomerMap): string {
  const nameOf = (id: string) => nodeName(nodes.find((node) => node.id === id)!)
  const amounts = (sums: FlowSums) => PARTS.map((part) => sums[part].us_dollar_amount)
  return formatTsv([
    ['from', 'to', ...PARTS.map((part) => partTitles[part]), 'transactions', 'by rail'],
    ...flows.map((flow) => [
      ...[nameOf(flow.from), nameOf(flow.to), ...amounts(flow)],
      ...[countTransactions(flow), railsOf(flow.rails, (amount) => amount)],
    ]),
  ])
}
