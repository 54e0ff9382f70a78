import { Fragment } from 'react'
import type { CustomerMap, FlowSums, MapFlow, MapNode } from '../../../../api/contract/control/customer-map.ts'
import { formatTsv } from '../../../format/csv.ts'
import { formatAmount, formatCount } from '../../../format/text.ts'
import { CopyButton } from '../../../ui/Button.tsx'
import { Row, Section, Stack } from '../../../ui/Layout.tsx'
import { RowTable, type TableColumn } from '../../../ui/Table.tsx'
import { Amount, Text } from '../../../ui/Text.tsx'
import type { Part } from './layout.ts'
import { countTransactions, formatTransactions, isSome, nodeName, PARTS, partTitles } from './words.ts'

interface MapDetailProps {
  readonly map: CustomerMap
  /** The key of a flow or of a node in its column. */
  readonly chosen: string | null
}

/** The flow or node that is chosen on the map, else the whole. */
export function MapDetail({ map, chosen }: MapDetailProps) {
  const flow = map.flows.find(({ from, to }) => `${from} → ${to}` === chosen)
  const id = chosen?.slice(chosen.indexOf(': ') + 2)
  const node = flow ? undefined : map.nodes.find((one) => one.id === id)
  return (
    <Stack as="section" gap={8} pad="8 16" aria-label="Details of the map" data-map-detail>
      {flow ? <FlowDetail map={map} flow={flow} /> : node ? <NodeDetail node={node} /> : <Totals map={map} />}
    </Stack>
  )
}

function FlowDetail({ map: { nodes }, flow }: { map: CustomerMap; flow: MapFlow }) {
  const nameOf = (id: string) => nodeName(nodes.find((node) => node.id === id)!)
  return (
    <>
      <h3 className="wrap">
        <Text>{nameOf(flow.from)}</Text> → <Text>{nameOf(flow.to)}</Text>
      </h3>
      <Sums groups={[{ title: null, sums: flow }]} />
      {flow.rails.length > 0 && (
        <Sums groups={flow.rails.map(({ rail, ...sums }) => ({ title: `by ${rail}`, sums }))} />
      )}
      <p className="meta">Enter or a click opens {formatTransactions(flow)}.</p>
    </>
  )
}

function NodeDetail({ node }: { node: MapNode }) {
  const { uid, role, category, status, balance, in: ins, out } = node
  const kind = role === 'vrn' ? 'VRN' : role === 'account' ? 'account' : (category ?? 'no account here')
  return (
    <>
      <h3 className="wrap">
        <Text>{nodeName(node)}</Text>
      </h3>
      <p className="meta">
        {kind}
        {status !== null && `, ${status}`}
      </p>
      {balance !== null && (
        <Row as="p" text="data">
          <span className="soft grow">balance</span> <Amount value={balance} />
        </Row>
      )}
      <Sums
        groups={[
          { title: role === 'party' ? 'received' : 'in', sums: ins },
          { title: role === 'party' ? 'sent' : 'out', sums: out },
        ]}
      />
      {uid !== null && <p className="meta">Enter or a click opens its record.</p>}
    </>
  )
}

const Totals = ({ map: { totals } }: { map: CustomerMap }) => (
  <>
    <h3>All flows, USD</h3>
    <Sums
      groups={[
        { title: 'in', sums: totals.in },
        { title: 'out', sums: totals.out },
        { title: 'between accounts', sums: totals.between },
      ]}
    />
    <p className="meta">Point at a flow, or reach it with Tab and the arrow keys, to see its figures.</p>
  </>
)

interface SumsProps {
  readonly groups: readonly { readonly title: string | null; readonly sums: FlowSums }[]
}

/** Groups in which nothing moved are left out. */
const Sums = ({ groups }: SumsProps) => (
  <table style={{ width: '100%', borderCollapse: 'collapse', font: 'var(--t-data)' }}>
    <tbody>
      {groups.map(({ title, sums }) => {
        const parts = PARTS.filter((part) => isSome(sums[part]))
        return (
          <Fragment key={title}>
            {title !== null && parts.length > 0 && (
              <tr>
                <th colSpan={3} scope="rowgroup" className="meta" style={TITLE}>
                  {title}
                </th>
              </tr>
            )}
            {parts.map((part) => (
              <SumRow key={part} part={part} sum={sums[part]} />
            ))}
          </Fragment>
        )
      })}
    </tbody>
  </table>
)

const TITLE = { padding: '6px 0 2px', fontWeight: 500, textAlign: 'left' } as const
const CELL = { height: 20, padding: 0, borderBottom: '1px solid var(--line)', whiteSpace: 'nowrap' } as const
const FIGURE = { ...CELL, paddingLeft: 8, textAlign: 'right' } as const

const SumRow = ({ part, sum }: { part: Part; sum: FlowSums['settled'] }) => (
  <tr data-part={part}>
    <td style={CELL} className={part === 'settled' ? undefined : part === 'returned' ? 'bad' : 'wait'}>
      {partTitles[part]}
    </td>
    <td style={FIGURE} title="Transactions">
      {formatCount(sum.payments)}
    </td>
    <td style={FIGURE}>
      <Amount value={sum.us_dollar_amount} />
    </td>
  </tr>
)

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
