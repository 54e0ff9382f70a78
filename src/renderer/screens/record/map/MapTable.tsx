import type { CustomerMap, FlowSums, MapFlow, MapNode } from '../../../../api/contract/control/customer-map.ts'
import { formatTsv } from '../../../format/csv.ts'
import { formatAmount, formatCount } from '../../../format/numbers.ts'
import { Amount } from '../../../ui/Amount.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Section } from '../../../ui/Section.tsx'
import { RowTable, type TableColumn } from '../../../ui/Table.tsx'
import { Text } from '../../../ui/Text.tsx'
import { countTransactions, isSome, nodeName, PARTS, partTitles } from './words.ts'

type NameOf = (id: string) => string

const amountColumn = <T,>(label: string, of: (row: T) => string | null): TableColumn<T> => ({
  label,
  width: 104,
  right: true,
  cell: (row) => <Amount value={of(row)} />,
})

const flowColumns = (nameOf: NameOf): TableColumn<MapFlow>[] => [
  { label: 'From', cell: ({ from }) => <Text>{nameOf(from)}</Text> },
  { label: 'To', cell: ({ to }) => <Text>{nameOf(to)}</Text> },
  ...PARTS.map((part) => amountColumn<MapFlow>(partTitles[part], (flow) => flow[part].us_dollar_amount)),
  { label: 'Transactions', width: 88, right: true, cell: (flow) => formatCount(countTransactions(flow)) },
  { label: 'By rail', cell: ({ rails }) => railsOf(rails, formatAmount) },
]

const accountColumns: readonly TableColumn<MapNode>[] = [
  { label: 'Account', cell: (node) => <Text>{nodeName(node)}</Text> },
  { label: 'Status', width: 88, cell: ({ status }) => status ?? '–' },
  amountColumn('In, settled', (node) => node.in.settled.us_dollar_amount),
  amountColumn('Out, settled', ({ out }) => out.settled.us_dollar_amount),
  amountColumn('Balance', ({ balance }) => balance),
]

/** The figures of the map. */
export function MapTable({ map: { nodes, flows } }: { map: CustomerMap }) {
  const nameOf = (id: string) => nodeName(nodes.find((node) => node.id === id)!)
  return (
    <>
      <Section
        level={3}
        title="Flows, USD"
        end={
          <CopyButton
            text={() => copyFlows(flows, nameOf)}
            what="flows as tab-separated text"
            label="Copy table"
            small
          />
        }
      >
        <RowTable
          columns={flowColumns(nameOf)}
          rows={flows}
          keyOf={({ from, to }) => `${from} ${to}`}
          attributesOf={() => ({ 'data-flow-row': '' })}
        />
      </Section>
      <Section level={3} title="Accounts, USD">
        <RowTable
          columns={accountColumns}
          rows={nodes.filter(({ role }) => role === 'account')}
          keyOf={({ id }) => id}
          attributesOf={() => ({ 'data-account-row': '' })}
        />
      </Section>
    </>
  )
}

/** Of each rail what settled, or else what is pending or went back. */
const railsOf = (rails: MapFlow['rails'], format: (amount: string) => string) =>
  rails
    .map(({ rail, ...sums }) => {
      const shown = PARTS.find((part) => isSome(sums[part])) ?? 'settled'
      return `${rail} ${format(sums[shown].us_dollar_amount)}${shown === 'settled' ? '' : ` ${partTitles[shown]}`}`
    })
    .join(', ')

const amountsOf = (sums: FlowSums) => PARTS.map((part) => sums[part].us_dollar_amount)

const copyFlows = (flows: readonly MapFlow[], nameOf: NameOf) =>
  formatTsv([
    ['from', 'to', ...PARTS.map((part) => partTitles[part]), 'transactions', 'by rail'],
    ...flows.map((flow) => [
      ...[nameOf(flow.from), nameOf(flow.to), ...amountsOf(flow)],
      ...[countTransactions(flow), railsOf(flow.rails, (amount) => amount)],
    ]),
  ])
