import { useState } from 'react'
import type { Period } from '../../../api/contract/control/period.ts'
import type { Pulse as PulseData } from '../../../api/contract/control/pulse.ts'
import { endpoints } from '../../../api/contract/endpoints.ts'
import { Periods, useMovingPeriod } from '../../components/Periods.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { useTableToggle } from '../../components/use-table-toggle.tsx'
import { NONE } from '../../data/exchange-filter.ts'
import { useQuery } from '../../data/sandbox.ts'
import { formatCount, formatShortInstant, plural } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Caption, Section } from '../../ui/Layout.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { RowTable, type TableColumn } from '../../ui/Table.tsx'
import { Amount, Time } from '../../ui/Text.tsx'
import { PulseChart } from './PulseChart.tsx'

/** Payments settle by commits of transactions; requests arrive without commits, too. */
const WATCHED = ['transactions', 'exchanges', 'clock']
/** It is computed from the whole request log and all payments. Another period shows the previous figures until its own arrive. */
const PACE = { every_ms: 1_000, pauses: 10, keeps: true }

/** Requests, refusals and money by rail over simulated time, and the errors by code and endpoint. */
export function Pulse({ program_uid }: { program_uid: string }) {
  const [period, setPeriod] = useState<Period>('all')
  const { button, showTable } = useTableToggle()
  useMovingPeriod()
  const { data: shown, error } = useQuery('world.pulse', { program_uid, period }, WATCHED, PACE)
  const isEmpty = !shown || (shown.rails.length === 0 && shown.requests.every(({ total }) => total === 0))
  if (error === undefined && isEmpty && period === 'all') return null
  return (
    <Section
      title="Pulse"
      note={shown && `${formatShortInstant(Date.parse(shown.from))} to ${formatShortInstant(Date.parse(shown.until))}`}
      end={
        <span className="row">
          <Periods value={period} onChange={setPeriod} />
          {button}
        </span>
      }
      line="top"
    >
      {error !== undefined && !shown && <Notice title="The pulse could not be read." error={error} />}
      {shown && (
        <>
          <PulseChart pulse={shown} />
          {showTable(() => (
            <StepTable pulse={shown} />
          ))}
          <Errors pulse={shown} isAll={period === 'all'} />
        </>
      )}
    </Section>
  )
}

type Step = PulseData['requests'][number] & { readonly amounts: readonly string[] }

const stepColumns: readonly TableColumn<Step>[] = [
  { label: 'From', width: 150, cell: ({ at }) => <Time at={at} format={formatShortInstant} /> },
  { label: 'Requests', width: 90, right: true, cell: ({ total }) => formatCount(total) },
  { label: 'Refused', width: 90, right: true, cell: ({ refused }) => formatCount(refused) },
]

/** The steps in which something happened. */
function StepTable({ pulse: { requests, rails } }: { pulse: PulseData }) {
  const steps = requests.map((step, i): Step => ({ ...step, amounts: rails.map((rail) => rail.steps[i] ?? '0.00') }))
  const railColumns = rails.map(({ rail }, i): TableColumn<Step> => {
    return { label: rail, right: true, cell: ({ amounts }) => <Amount value={amounts[i]} /> }
  })
  return (
    <RowTable
      columns={[...stepColumns, ...railColumns]}
      rows={steps.filter(({ total, amounts }) => total > 0 || amounts.some((amount) => amount !== '0.00'))}
      keyOf={({ at }) => at}
    />
  )
}

type ErrorGroup = PulseData['errors'][number]
const MAX_ERRORS = 8

/** Each group leads to its requests. */
function Errors({ pulse: { errors, from }, isAll }: { pulse: PulseData; isAll: boolean }) {
  const [isWhole, setWhole] = useState(false)
  if (errors.length === 0) return null
  const paramsOf = ({ status, code, endpoint }: ErrorGroup) => ({
    refused: ['yes'],
    status: [String(status)],
    code: [String(code ?? NONE)],
    endpoint: [endpoint ?? NONE],
    ...(isAll ? {} : { since: [from] }),
  })
  const columns: readonly TableColumn<ErrorGroup>[] = [
    {
      label: 'Refused',
      width: 116,
      right: true,
      cell: (group) => (
        <ScreenLink screen="requests" params={paramsOf(group)}>
          {plural(group.requests, 'request')}
        </ScreenLink>
      ),
    },
    { label: 'Status', width: 64, right: true, className: 'bad', cell: ({ status }) => status },
    { label: 'Code', width: 72, cell: ({ code }) => code ?? <span className="faint">–</span> },
    { label: 'Endpoint', className: 'mono', cell: ({ endpoint }) => describeEndpoint(endpoint) },
  ]
  return (
    <div style={{ paddingBottom: 8 }}>
      <RowTable
        columns={columns}
        rows={isWhole ? errors : errors.slice(0, MAX_ERRORS)}
        keyOf={({ status, code, endpoint }) => `${status} ${code} ${endpoint}`}
      />
      {!isWhole && errors.length > MAX_ERRORS && (
        <Caption as="p">
          <Button small onClick={() => setWhole(true)}>
            All {formatCount(errors.length)} groups
          </Button>
        </Caption>
      )}
    </div>
  )
}

function describeEndpoint(name: string | null): string {
  if (name === null || !Object.hasOwn(endpoints, name)) return name ?? 'no such endpoint'
  const { method, path } = endpoints[name as keyof typeof endpoints]
  return `${method.toUpperCase()} ${path}`
}
