import { useState } from 'react'
import type { CustomerMap as MapData } from '../../../../api/contract/control/customer-map.ts'
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
import { formatInstant, formatInstantSince } from '../../../format/text.ts'
import { Button } from '../../../ui/Button.tsx'
import { Caption, Row } from '../../../ui/Layout.tsx'
import { EmptyState, Notice, Skeleton } from '../../../ui/Notice.tsx'
import { Band } from './Band.tsx'
import styles from './CustomerMap.module.css'
import type { Part } from './layout.ts'
import { MapChart } from './MapChart.tsx'
import { MapDetail, MapTable } from './MapDetail.tsx'
import { PARTS } from './words.ts'

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
