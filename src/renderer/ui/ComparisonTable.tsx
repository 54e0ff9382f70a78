import styles from './ComparisonTable.module.css'
import { cx } from './cx.ts'

interface ComparisonTableProps {
  readonly heads: readonly React.ReactNode[]
  readonly className?: string | undefined
  /** Rows; one with `data-unmet` is marked. */
  readonly children: React.ReactNode
}

/** What was expected and what was found, row by row. */
export function ComparisonTable({ heads, className, children }: ComparisonTableProps) {
  return (
    <table className={cx(styles.table, className)}>
      <thead>
        <tr>
          {heads.map((head, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is known by its place.
            <th key={at} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}
