import { Stack } from './Box.tsx'
import { cx } from './cx.ts'
import styles from './EmptyState.module.css'
import { Caption } from './Layout.tsx'

interface EmptyStateProps {
  readonly title: string
  /** A sentence of explanation. */
  readonly text?: React.ReactNode
  /** Two to four ways to start, each a list item. */
  readonly children: React.ReactNode
  /** An example, on the right or below. */
  readonly example?: React.ReactNode
  readonly stacked?: boolean
  /** The label of the list. */
  readonly listLabel?: string
  readonly className?: string | undefined
}

/** Shown on an empty screen: explanation, ways to start, an example. */
export function EmptyState({ title, text, children, example, stacked = false, listLabel, className }: EmptyStateProps) {
  return (
    <Stack
      columns={stacked ? undefined : 'minmax(0, 5fr) minmax(0, 6fr)'}
      narrows
      line="bottom"
      className={cx(styles.empty, className)}
      data-empty=""
      data-stacked={stacked ? '' : undefined}
    >
      <div>
        <h2>{title}</h2>
        {text !== undefined && <p>{text}</p>}
        <ul aria-label={listLabel}>{children}</ul>
      </div>
      {example !== undefined && <div>{example}</div>}
    </Stack>
  )
}

interface WayProps {
  readonly title: string
  readonly text: string
  /** The button. */
  readonly children: React.ReactNode
}

/** One of the ways to start, with a button. */
export const Way = ({ title, text, children }: WayProps) => (
  <li className="row">
    <span className="grow">
      <b>{title}</b>
      <br />
      {text}
    </span>
    <Stack style={{ flex: 'none', minWidth: 104 }}>{children}</Stack>
  </li>
)

/** The heading of the example. */
export const ExampleHead = ({ children }: { children?: React.ReactNode }) => (
  <Caption className={styles.example}>
    <h2>Example</h2>
    {children}
  </Caption>
)

/** A sentence in the place of rows. */
export const EmptyText = (props: React.ComponentProps<'p'>) => <p className={cx('soft', styles.text)} {...props} />

/** The same in a narrow column, directly below its heading. */
export const EmptyLine = (props: React.ComponentProps<'p'>) => <p className={cx('data soft', styles.line)} {...props} />
