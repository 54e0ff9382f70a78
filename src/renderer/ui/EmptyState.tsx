import { cx } from './cx.ts'
import styles from './EmptyState.module.css'
import { Caption } from './Layout.tsx'

interface EmptyStateProps {
  readonly title: string
  /** What this is, in a sentence. */
  readonly text?: React.ReactNode
  /** Two to four ways to begin, each a list item. */
  readonly children: React.ReactNode
  /** One worked example, beside or below. */
  readonly example?: React.ReactNode
  readonly stacked?: boolean
  /** Of the list of ways to begin. */
  readonly listLabel?: string
  readonly className?: string | undefined
}

/** Instead of an empty screen: what this is, how to begin, one worked example. */
export function EmptyState({ title, text, children, example, stacked = false, listLabel, className }: EmptyStateProps) {
  return (
    <div className={cx(styles.empty, className)} data-empty="" data-stacked={stacked ? '' : undefined}>
      <div>
        <h2>{title}</h2>
        {text !== undefined && <p>{text}</p>}
        <ul aria-label={listLabel}>{children}</ul>
      </div>
      {example !== undefined && <div>{example}</div>}
    </div>
  )
}

/** Above the worked example, on the line of the title beside it. */
export const ExampleHead = ({ children }: { children?: React.ReactNode }) => (
  <Caption className={styles.example}>
    <h2>One worked example</h2>
    {children}
  </Caption>
)

/** A sentence in the place of rows that are not there. */
export const EmptyText = (props: React.ComponentProps<'p'>) => <p className={cx('soft', styles.text)} {...props} />

/** The same in a narrow column, right below its heading. */
export const EmptyLine = (props: React.ComponentProps<'p'>) => <p className={styles.line} {...props} />
