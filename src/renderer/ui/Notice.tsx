import { errorSentence } from '../format/text.ts'
import { cx } from './cx.ts'
import { Caption, Stack } from './Layout.tsx'
import styles from './Notice.module.css'
import { Text } from './Text.tsx'

interface NoticeProps {
  readonly title: string
  readonly error?: unknown
  readonly children?: React.ReactNode
}

/** An error in its place: what failed, the error, and what to do. */
export function Notice({ title, error, children }: NoticeProps) {
  return (
    <div className={cx('data soft', styles.notice)} data-notice="" role="alert">
      <b>{title}</b> {error === undefined ? null : errorSentence(error)} {children}
    </div>
  )
}

interface NoticeLineProps extends React.ComponentProps<'p'> {
  /** A warning or a fact instead of an error. */
  readonly is?: 'warning' | 'fact'
}

const NOTICE_SIGNALS = { warning: 'wait', fact: 'soft' } as const

/** The same as one paragraph. */
export const NoticeLine = ({ is, className, ...line }: NoticeLineProps) => (
  <p
    className={cx('data soft', styles.notice, className)}
    data-notice=""
    data-signal={is && NOTICE_SIGNALS[is]}
    {...line}
  />
)

/** A note below something. */
export const Note = (props: React.ComponentProps<'p'>) => <p className={cx('data soft', styles.note)} {...props} />

/** A placeholder for rows that are loading. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div className={styles.skeleton} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike.
        <i key={at} style={{ width: `${88 - ((at * 17) % 40)}%` }} />
      ))}
    </div>
  )
}

interface LoadedProps<T> {
  readonly query: { readonly data: T | undefined; readonly error: unknown; readonly slow: boolean }
  /** What could not be done. */
  readonly failure: string
  /** Of the placeholder. */
  readonly rows: number
  readonly children: (data: T) => React.ReactNode
}

/** What a query answered, or why there is no answer; a placeholder while it is slow. */
export function Loaded<T>({ query: { data, error, slow }, failure, rows, children }: LoadedProps<T>) {
  if (data !== undefined) return children(data)
  if (error !== undefined) return <Notice title={failure} error={error} />
  return slow && <Skeleton rows={rows} />
}

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

interface IssueListProps extends React.ComponentProps<'section'> {
  /** A long list scrolls. */
  readonly scrolls?: boolean
  /** Without the error bar, e.g. if there are no issues. */
  readonly plain?: boolean
}

/** A list of issues with a heading. */
export const IssueList = ({ scrolls = false, plain = false, className, ...section }: IssueListProps) => (
  <section
    className={cx('data', styles.issues, className)}
    data-scrolls={scrolls ? '' : undefined}
    data-plain={plain ? '' : undefined}
    {...section}
  />
)

interface LeftOutProps {
  readonly entries: readonly { readonly at: string; readonly why: string }[]
}

/** What could not be used, and why. */
export const LeftOut = ({ entries }: LeftOutProps) => (
  <ul>
    {entries.map(({ at, why }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
      <li key={index}>
        <Text className="mono">{at}</Text> <Text>{why}</Text>
      </li>
    ))}
  </ul>
)
