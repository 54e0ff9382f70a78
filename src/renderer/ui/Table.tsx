import styles from './Table.module.css'

interface TableProps {
  readonly heads: readonly {
    readonly label: string
    readonly width?: number | string | undefined
    /** Figures, right-aligned; their cells have `data-right`, too. */
    readonly right?: boolean
  }[]
  /** Rows. Text breaks within its cell. */
  readonly children: React.ReactNode
}

/** A short table in a page: as high as its rows, without selection and sorting. */
export function Table({ heads, children }: TableProps) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {heads.map(({ label, width, right }) => (
            <th key={label} data-right={right ? '' : undefined} style={width === undefined ? undefined : { width }}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}
