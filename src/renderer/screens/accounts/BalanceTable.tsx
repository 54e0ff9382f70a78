import { useMemo, useState } from 'react'
import type { BalanceStep, Balances } from '../../../api/contract/control/ledger.ts'
import { formatInstant } from '../../format/time.ts'
import { Amount } from '../../ui/Amount.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'

interface StepRow extends BalanceStep {
  readonly id: string
  readonly isScheduled: boolean
}

const columns: readonly Column<StepRow>[] = [
  {
    id: 'at',
    header: 'From',
    width: 'minmax(150px, 1fr)',
    cell: (row) => <span title={row.at}>{formatInstant(Date.parse(row.at))}</span>,
  },
  {
    id: 'scheduled',
    header: '',
    width: '84px',
    cell: (row) => <span className="soft">{row.isScheduled ? 'scheduled' : ''}</span>,
  },
  {
    id: 'settled',
    header: 'Settled',
    width: '122px',
    right: true,
    cell: (row) => <Amount value={row.settled} />,
  },
  {
    id: 'pending',
    header: 'Pending',
    width: '122px',
    right: true,
    cell: (row) => <Amount value={row.pending ?? undefined} movement pending />,
  },
  {
    id: 'available',
    header: 'Available',
    width: '122px',
    right: true,
    cell: (row) => <Amount value={row.available ?? undefined} />,
  },
]

/** The text alternative of the chart: one row per change of the balance. */
export function BalanceTable({ balances }: { balances: Balances }) {
  const [selected, setSelected] = useState<string | null>(null)
  const rows = useMemo(() => {
    const { steps, scheduled } = balances
    const toRow = (step: BalanceStep, index: number, isScheduled: boolean): StepRow => ({
      ...step,
      id: `${isScheduled} ${index}`,
      isScheduled,
    })
    return [
      ...scheduled.map((step, index) => toRow(step, index, true)).reverse(),
      ...steps.map((step, index) => toRow(step, index, false)).reverse(),
    ]
  }, [balances])
  return (
    <DataTable
      label="Balance over time, newest first"
      columns={columns}
      rows={rows}
      idOf={idOf}
      selected={selected}
      onSelect={({ id }) => setSelected(id)}
      minWidth={560}
    />
  )
}
const idOf = ({ id }: StepRow) => id
