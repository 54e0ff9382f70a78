import { useMemo, useState } from 'react'
import type { BalanceStep, Balances } from '../../../api/contract/control/ledger.ts'
import { formatInstant } from '../../format/text.ts'
import { amountTrack } from '../../ui/amount-width.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Amount } from '../../ui/Text.tsx'

interface StepRow extends BalanceStep {
  readonly id: string
  readonly isScheduled: boolean
}

const FIGURES = [
  { id: 'settled', header: 'Settled', fit: { least: 88 } },
  { id: 'pending', header: 'Pending', fit: { least: 88, isMovement: true } },
  { id: 'available', header: 'Available', fit: { padding: 24, least: 96 } },
] as const

/** The columns of the amounts are as wide as these rows need. */
const columnsFor = (rows: readonly StepRow[]): readonly Column<StepRow>[] => [
  {
    id: 'at',
    header: 'From',
    width: 'minmax(176px, 1fr)',
    cell: (row) => <span title={row.at}>{formatInstant(Date.parse(row.at))}</span>,
  },
  {
    id: 'scheduled',
    header: '',
    width: '80px',
    cell: (row) => <span className="soft">{row.isScheduled ? 'scheduled' : ''}</span>,
  },
  ...FIGURES.map(({ id, header, fit }): Column<StepRow> => {
    const amounts = rows.map((row) => row[id])
    const isPending = id === 'pending'
    return {
      id,
      header,
      right: true,
      width: amountTrack(amounts, fit),
      cell: (row) => <Amount value={row[id] ?? undefined} movement={isPending} pending={isPending} />,
    }
  }),
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
  const columns = useMemo(() => columnsFor(rows), [rows])
  return (
    <DataTable
      label="Balance over time, newest first"
      columns={columns}
      rows={rows}
      idOf={idOf}
      selected={selected}
      onSelect={({ id }) => setSelected(id)}
    />
  )
}
const idOf = ({ id }: StepRow) => id
