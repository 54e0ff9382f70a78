import styles from './Table.module.css'

interface TableHeader {
  readonly label: string
  readonly width?: number | string | undefined
  /** Right-aligned, for numbers; the cells need `data-right`, too. */
  readonly right?: boolean
  /** Only for screen readers. */
  readonly unseen?: boolean
}

interface TableProps {
  readonly headers: readonly TableHeader[]
  /** Rows of one line, 28 px high: what is too long is cut. */
  readonly lines?: boolean
  /** Rows with buttons and inputs. */
  readonly controls?: boolean
  /** On a phone the cells of a row stand below each other. */
  readonly stacks?: boolean
  /** `--cell`: the padding of a cell. */
  readonly style?: React.CSSProperties
  /** Rows; text wraps within its cell. */
  readonly children: React.ReactNode
}

/** A short table in a page, without selection. */
export function Table({ headers, lines, controls, stacks, style, children }: TableProps) {
  return (
    <table
      className={styles.table}
      style={style}
      data-lines={lines ? '' : undefined}
      data-controls={controls ? '' : undefined}
      data-stacks={stacks ? '' : undefined}
    >
      <thead>
        <tr>
          {headers.map(({ label, width, right, unseen }) => (
            <th
              key={label}
              scope="col"
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

/** A table that scrolls sideways in a narrow window. */
export const ScrolledTable = ({ label, ...table }: TableProps & { readonly label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it.
  <section className={styles.scrolled} aria-label={label} tabIndex={0}>
    <Table {...table} />
  </section>
)
