import type { MethodOutput } from '../../../api/contract/control/methods.ts'
import { RecordLink, ScreenLink } from '../../components/ScreenLink.tsx'
import { useQuery } from '../../data/sandbox.ts'
import { formatAmount, plural } from '../../format/text.ts'
import { Section } from '../../ui/Layout.tsx'
import { Loaded } from '../../ui/Notice.tsx'
import { RowTable, type TableColumn } from '../../ui/Table.tsx'
import { Amount } from '../../ui/Text.tsx'
import styles from './Now.module.css'

type Money = NonNullable<MethodOutput<'now.read'>['money']>
type CustomerMoney = Money['customers'][number]
type Rail = Money['rails'][number]

const WATCHED = ['transactions', 'customers', 'synthetic_accounts', 'clock']
/** It is computed from all payments. */
const PACE = { every_ms: 1_000, pauses: 10 }

/** The balances of the Customers, and what settled by rail; each over 30 days. */
export function Money({ program_uid }: { program_uid: string }) {
  const query = useQuery('now.read', { program_uid, parts: ['money'] }, WATCHED, PACE)
  return (
    <Section
      title="Money"
      note="settled, with the last 30 days"
      end={<ScreenLink screen="accounts">Ledger</ScreenLink>}
      className={styles.money}
    >
      <Loaded query={query} failure="The money could not be read." rows={8}>
        {({ money }) => money && <Tables money={money} />}
      </Loaded>
    </Section>
  )
}

const customerColumns: readonly TableColumn<CustomerMoney>[] = [
  {
    label: 'Customer',
    names: true,
    titleOf: ({ name }) => name,
    cell: ({ uid, name }) => (
      <RecordLink collection="customers" uid={uid}>
        {name}
      </RecordLink>
    ),
  },
  { label: 'Balance', width: 128, right: true, cell: ({ balance }) => <Amount value={balance} /> },
  { label: '30 days', width: 100, cell: ({ days }) => <Curve days={days} /> },
  { label: 'Arriving', width: 112, right: true, cell: ({ arriving }) => <Amount value={arriving} pending /> },
  { label: 'Leaving', width: 112, right: true, cell: ({ leaving }) => <Amount value={leaving} pending /> },
]

/** As numbers amounts are only drawn, never added. */
const largest = (amounts: readonly string[]) => Math.max(0.01, ...amounts.map(Number))

const railColumns = (money: Money): readonly TableColumn<Rail>[] => {
  const most = (rail: Rail) => largest([...rail.in, ...rail.out])
  return [
    { label: 'Rail', names: true, cell: ({ rail }) => rail.replaceAll('_', ' ') },
    { label: 'In', width: 128, right: true, cell: ({ total_in }) => <Amount value={total_in} /> },
    { label: 'Each day', width: 160, cell: (rail) => <Bars rail={rail} most={most(rail)} days={money.days} /> },
    { label: 'Out', width: 128, right: true, cell: ({ total_out }) => <Amount value={total_out} /> },
  ]
}

const Tables = ({ money }: { money: Money }) => (
  <>
    <RowTable
      lines
      columns={customerColumns}
      rows={money.customers}
      keyOf={({ uid }) => uid}
      last={
        money.customers_total > money.customers.length && (
          <tr>
            <td colSpan={customerColumns.length}>
              <ScreenLink screen="customers">
                {plural(money.customers_total - money.customers.length, 'more Customer')}
              </ScreenLink>
            </td>
          </tr>
        )
      }
    />
    <RowTable
      lines
      columns={railColumns(money)}
      rows={money.rails}
      keyOf={({ rail }) => rail}
      none="Nothing has settled in the last 30 days."
    />
  </>
)

const HEIGHT = 20
const STEP = 5

function Curve({ days }: { days: readonly string[] }) {
  const numbers = days.map(Number)
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)]
  const y = (amount: number) =>
    high === low ? HEIGHT / 2 : HEIGHT - 2 - ((amount - low) / (high - low)) * (HEIGHT - 4)
  const points = numbers.map((amount, day) => `${day * 4},${y(amount).toFixed(1)}`)
  return (
    <svg
      className={styles.chart}
      viewBox={`0 0 ${(days.length - 1) * 4} ${HEIGHT}`}
      height={HEIGHT}
      preserveAspectRatio="none"
      role="img"
      aria-label={`30 days ago ${formatAmount(days[0]!)}, now ${formatAmount(days.at(-1)!)}`}
    >
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="var(--accent)"
        strokeWidth="1.4"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}

/** What came in above the line, what went out below it. */
function Bars({ rail, most, days }: { rail: Rail; most: number; days: readonly string[] }) {
  const middle = HEIGHT / 2
  const heightOf = (amount: string) =>
    Number(amount) === 0 ? 0 : Math.max(1.5, (Number(amount) / most) * (middle - 1))
  return (
    <svg
      width={days.length * STEP}
      height={HEIGHT}
      style={{ display: 'block' }}
      role="img"
      aria-label={`${rail.rail} in and out per day`}
    >
      <line x2={days.length * STEP} y1={middle} y2={middle} stroke="var(--line-strong)" />
      {days.map((day, at) => {
        const [up, down] = [heightOf(rail.in[at]!), heightOf(rail.out[at]!)]
        return (
          up + down > 0 && (
            <g key={day} transform={`translate(${at * STEP} 0)`}>
              <title>{`${day}: in ${formatAmount(rail.in[at]!)}, out ${formatAmount(rail.out[at]!)}`}</title>
              <rect width={STEP - 2} y={middle - up} height={up} fill="var(--accent)" />
              <rect width={STEP - 2} y={middle} height={down} fill="var(--ink-3)" />
            </g>
          )
        )
      })}
    </svg>
  )
}
