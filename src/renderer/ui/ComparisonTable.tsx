import styles from './ComparisonTable.module.css'
import { cx } from './cx.ts'

interface ComparisonTableProps {
  readonly headers: readonly React.ReactNode[]
  readonly className?: string | undefined
  /** Rows; one with `data-unmet` is marked. */
  readonly children: React.ReactNode
}

/** Compares expected and actual values, row by row. */
export function ComparisonTable({ headers, className, children }: ComparisonTableProps) {
  return (
    <table className={cx(styles.table, className)}>
      <thead>
        <tr>
          {headers.map((header, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns are identified by their index.
            <th key={at} scope="col">
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}
