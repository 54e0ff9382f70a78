import { Fragment, useState } from 'react'
import type {
  FlowSums,
  CustomerMap as MapData,
  MapFlow,
  MapNode,
} from '../../../../api/contract/control/customer-map.ts'
import type { Period } from '../../../../api/contract/control/period.ts'
import type { Fields } from '../../../components/fields/use-record.ts'
import { RangeFilter } from '../../../components/list/FilterBar.tsx'
import { Periods, useMovingPeriod } from '../../../components/Periods.tsx'
import { ScreenLink } from '../../../components/ScreenLink.tsx'
import { useTableToggle } from '../../../components/use-table-toggle.tsx'
import { areaCollections } from '../../../data/collections.ts'
import { daysOf } from '../../../data/days.ts'
import { isPeriod, type MapTime } from '../../../data/flow.ts'
import { type Route, useRoute } from '../../../data/route.ts'
import { useQuery } from '../../../data/sandbox.ts'
import { formatTsv } from '../../../format/csv.ts'
import { formatAmount, formatCount, formatInstant, formatInstantSince } from '../../../format/text.ts'
import { Button, CopyButton } from '../../../ui/Button.tsx'
import { Caption, Row, Section, Stack } from '../../../ui/Layout.tsx'
import { EmptyState, Notice, Skeleton } from '../../../ui/Notice.tsx'
import { RowTable, type TableColumn } from '../../../ui/Table.tsx'
import { Amount, Text } from '../../../ui/Text.tsx'
import { Band } from './Band.tsx'
import styles from './CustomerMap.module.css'
import type { Part } from './layout.ts'
import { MapChart } from './MapChart.tsx'
import { countTransactions, formatTransactions, isSome, nodeName, PARTS, partTitles } from './words.ts'

const WATCHED = ['transactions', 'synthetic_accounts', areaCollections.vrns, 'clock']

/** Where the money of a Customer came from and went, in a time that the address names. */
export function CustomerMap({ uid, fields }: { uid: string; fields: Fields }) {
  const params = useRoute((view) => view.params)
  const time = timeOf(params)
  const [chosen, setChosen] = useState<string | null>(null)
  const { button, showTable } = useTableToggle()
  useMovingPeriod()
  const { data, error, slow } = useQuery('customers.map', { customer_uid: uid, ...time }, WATCHED, {
    keeps: true,
  })
  const isEmpty = data?.flows.length === 0
  return (
    <section aria-label="Map" className={styles.map}>
      <Caption className={styles.caption}>
        <span className="meta">{data && describeTime(data)}</span>
        <span className={`end row ${styles.tools}`}>
          <MapTimes time={time} />
          {button}
        </span>
      </Caption>
      {error !== undefined && <Notice title="The map could not be read." error={error} />}
      {!data && slow && <Skeleton />}
      {isEmpty && (time.period === 'all' ? <NothingYet uid={uid} fields={fields} /> : <NothingThen />)}
      {data && !isEmpty && <MapLegend />}
      {data && !isEmpty && (
        <div className={styles.columns}>
          <MapChart customer_uid={uid} map={data} time={time} chosen={chosen} onChoose={setChosen} />
          <div className={styles.side}>
            <MapDetail map={data} chosen={chosen} />
          </div>
        </div>
      )}
      {showTable(() => data && <MapTable map={data} />)}
    </section>
  )
}

/** The days of the address, else its period, else all. */
function timeOf(params: Route['params']): MapTime {
  const { from, to } = daysOf(params)
  if (from !== undefined || to !== undefined) return { ...(from ? { from } : {}), ...(to ? { until: to } : {}) }
  const period = params.period?.[0]
  return { period: isPeriod(period) ? period : 'all' }
}

function describeTime({ from, until }: MapData): string {
  const end = Date.parse(until)
  return from === null
    ? `since the beginning, to ${formatInstant(end)}`
    : `${formatInstantSince(Date.parse(from), end)} to ${formatInstant(end)}`
}

function MapTimes({ time }: { time: MapTime }) {
  const { params, adjust } = useRoute()
  const choose = (period: Period) => {
    const { from: _, to: __, period: ___, ...others } = params
    adjust({ params: period === 'all' ? others : { ...others, period: [period] } })
  }
  return (
    <>
      <Periods value={time.period ?? null} onChange={choose} />
      <RangeFilter title="Days" params={['from', 'to']} kind="date" />
    </>
  )
}

function NothingThen() {
  const { params, adjust } = useRoute()
  const { from: _, to: __, period: ___, ...others } = params
  return (
    <Caption as="p" className="data soft">
      No payment settled in this time, and none is pending at its end.
      <Button small onClick={() => adjust({ params: others })}>
        Show all
      </Button>
    </Caption>
  )
}

function NothingYet({ uid, fields }: { uid: string; fields: Fields }) {
  const hasAccounts = Array.isArray(fields.pool_uids) && fields.pool_uids.length > 0
  return (
    <EmptyState
      title="No money has moved yet"
      text="Each payment appears here as a flow: from who sent it, through a VRN if it named one, to an account, and on to who received it."
    >
      {hasAccounts ? (
        <>
          <li>
            Simulate an incoming payment:{' '}
            <ScreenLink screen="inject" params={{ kind: ['wire'], customer: [uid] }}>
              Incoming wire
            </ScreenLink>{' '}
            or{' '}
            <ScreenLink screen="inject" params={{ kind: ['ach-credit'], customer: [uid] }}>
              Incoming ACH credit
            </ScreenLink>
          </li>
          <li>Send a transfer from your app, or with Transfer… on the tab Record, and advance the clock.</li>
        </>
      ) : (
        <li>
          This Customer has no accounts yet. Onboard it to a Product:{' '}
          <ScreenLink screen="inject" params={{ kind: ['onboard'], customer: [uid] }}>
            Inject
          </ScreenLink>
        </li>
      )}
      <li>
        Run a scenario that ends with money in an account: <ScreenLink screen="scenarios">Scenarios</ScreenLink>
      </li>
    </EmptyState>
  )
}

const texts: Readonly<Record<Part, string>> = {
  settled: 'settled',
  returned: 'settled, then returned',
  return_pending: 'settled, return pending',
  pending: 'pending at the end of the time',
}

const MapLegend = () => (
  <Row as="section" wraps gap="4 20" text="meta" tone="faint" style={{ padding: '8px 16px 4px' }} aria-label="Legend">
    {PARTS.map((part) => (
      <span key={part} className="row">
        <svg width="28" height="12" aria-hidden="true">
          <Band part={part} path="M0.5 0.5h27v11h-27z" />
        </svg>
        {texts[part]}
      </span>
    ))}
    <span>Thickness: square root of the amount, at least 2 px</span>
  </Row>
)

interface MapDetailProps {
  readonly map: MapData
  /** The key of a flow or of a node in its column. */
  readonly chosen: string | null
}

/** The flow or node that is chosen on the map, else the whole. */
function MapDetail({ map, chosen }: MapDetailProps) {
  const flow = map.flows.find(({ from, to }) => `${from} → ${to}` === chosen)
  const id = chosen?.slice(chosen.indexOf(': ') + 2)
  const node = flow ? undefined : map.nodes.find((one) => one.id === id)
  return (
    <Stack as="section" gap={8} pad="8 16" aria-label="Details of the map" data-map-detail>
      {flow ? <FlowDetail map={map} flow={flow} /> : node ? <NodeDetail node={node} /> : <Totals map={map} />}
    </Stack>
  )
}

function FlowDetail({ map: { nodes }, flow }: { map: MapData; flow: MapFlow }) {
  const nameOf = (id: string) => nodeName(nodes.find((node) => node.id === id)!)
  return (
    <>
      <h2 className="wrap">
        <Text>{nameOf(flow.from)}</Text> → <Text>{nameOf(flow.to)}</Text>
      </h2>
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
      <h2 className="wrap">
        <Text>{nodeName(node)}</Text>
      </h2>
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

const Totals = ({ map: { totals } }: { map: MapData }) => (
  <>
    <h2>All flows, USD</h2>
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
function MapTable({ map: { nodes, flows } }: { map: MapData }) {
  const nameOf = (id: string) => nodeName(nodes.find((node) => node.id === id)!)
  return (
    <>
      <Section
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
      <Section title="Accounts, USD">
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
