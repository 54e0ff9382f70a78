import styles from './Table.module.css'

interface TableProps {
  readonly headers: readonly {
    readonly label: string
    readonly width?: number | string | undefined
    /** Right-aligned, for numbers; the cells need `data-right`, too. */
    readonly right?: boolean
  }[]
  /** Rows; text wraps within its cell. */
  readonly children: React.ReactNode
}

/** A short table in a page, without selection. */
export function Table({ headers, children }: TableProps) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {headers.map(({ label, width, right }) => (
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
