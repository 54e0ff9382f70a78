import styles from './Table.module.css'

interface TableHeader {
  readonly label: string
  readonly width?: number | string | undefined
  /** Right-aligned, for numbers; the cells need `data-right`, too. */
  readonly right?: boolean
  /** Only for screen readers. */
  readonly unseen?: boolean
  readonly title?: string | undefined
}

interface TableProps {
  readonly headers: readonly TableHeader[]
  /** Rows of one line, 28 px high: what is too long is cut. */
  readonly lines?: boolean
  /** Rows with buttons and inputs. */
  readonly controls?: boolean
  /** Figures, right-aligned and close to each other; a row with `data-sum` is the sum of those above. */
  readonly figures?: boolean
  /** On a phone the cells of a row stand below each other. */
  readonly stacks?: boolean
  /** `--cell`: the padding of a cell. */
  readonly style?: React.CSSProperties
  /** Rows; text wraps within its cell. */
  readonly children: React.ReactNode
}

/** A short table in a page, without selection. */
export function Table({ headers, lines, controls, figures, stacks, style, children }: TableProps) {
  return (
    <table
      className={styles.table}
      style={style}
      data-lines={lines ? '' : undefined}
      data-controls={controls ? '' : undefined}
      data-figures={figures ? '' : undefined}
      data-stacks={stacks ? '' : undefined}
    >
      <thead>
        <tr>
          {headers.map(({ label, width, right, unseen, title }) => (
            <th
              key={label}
              scope="col"
              title={title}
              data-right={right ? '' : undefined}
              style={width === undefined ? undefined : { width }}
            >
              {unseen ? <span className="unseen">{label}</span> : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

/** A column of a table whose rows are data. */
export interface TableColumn<T> extends TableHeader {
  readonly cell: (row: T, above: T | undefined) => React.ReactNode
  /** It names the row. */
  readonly names?: boolean
  /** Of each of its cells. */
  readonly className?: string
  readonly titleOf?: (row: T) => string
}

interface RowTableProps<T> extends Omit<TableProps, 'headers' | 'children'> {
  readonly columns: readonly TableColumn<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => React.Key
  readonly attributesOf?: (row: T) => { readonly [name: `data-${string}`]: string | undefined }
  /** A further row. */
  readonly last?: React.ReactNode
  /** In the place of rows. */
  readonly none?: React.ReactNode
}

/** The same for a list of values: a column says what it shows of each. */
export const RowTable = <T,>({ columns, rows, keyOf, attributesOf, last, none, ...table }: RowTableProps<T>) => (
  <Table headers={columns} {...table}>
    {rows.map((row, at) => (
      <tr key={keyOf(row)} {...attributesOf?.(row)}>
        {columns.map(({ label, right, names, className, titleOf, cell }) => {
          const Cell = names ? 'th' : 'td'
          return (
            <Cell
              key={label}
              scope={names ? 'row' : undefined}
              data-right={right ? '' : undefined}
              className={className}
              title={titleOf?.(row)}
            >
              {cell(row, rows[at - 1])}
            </Cell>
          )
        })}
      </tr>
    ))}
    {last}
    {rows.length === 0 && none && (
      <tr>
        <td colSpan={columns.length} className="soft">
          {none}
        </td>
      </tr>
    )}
  </Table>
)

/** A table that scrolls sideways in a narrow window. */
export const ScrolledTable = ({ label, ...table }: TableProps & { readonly label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it.
  <section className={styles.scrolled} aria-label={label} tabIndex={0}>
    <Table {...table} />
  </section>
)
