import { Table } from './Table.tsx'

interface ComparisonTableProps {
  readonly headers: readonly React.ReactNode[]
  readonly className?: string | undefined
  /** Rows; one with `data-unmet` is marked. */
  readonly children: React.ReactNode
}

/** Compares expected and actual values, row by row. */
export const ComparisonTable = ({ headers, ...table }: ComparisonTableProps) => (
  <Table
    compares
    headers={headers.map((label, at) => ({ label, width: at === 0 ? '34%' : undefined }))}
    style={{ '--cell': '5px 8px 4px' }}
    {...table}
  />
)
