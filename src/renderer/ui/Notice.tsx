import { errorSentence } from '../format/errors.ts'
import { cx } from './cx.ts'
import styles from './Notice.module.css'

interface NoticeProps {
  readonly title: string
  readonly error?: unknown
  readonly children?: React.ReactNode
}

/** What went wrong, where it went wrong: what was tried, the rule or code, the next step. */
export function Notice({ title, error, children }: NoticeProps) {
  return (
    <div className={styles.notice} data-notice="" role="alert">
      <b>{title}</b> {error === undefined ? null : errorSentence(error)} {children}
    </div>
  )
}

interface NoticeLineProps extends React.ComponentProps<'p'> {
  readonly waits?: boolean
}

/** The same bar beside other words. `waits`: nothing broke, something is expected of the user. */
export const NoticeLine = ({ waits = false, className, ...line }: NoticeLineProps) => (
  <p className={cx(styles.notice, className)} data-notice="" data-signal={waits ? 'wait' : undefined} {...line} />
)

/** A remark below something. */
export const Note = (props: React.ComponentProps<'p'>) => <p className={styles.note} {...props} />

/** Stands where rows will be, once waiting has become noticeable. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div className={styles.skeleton} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have no identity.
        <i key={at} style={{ width: `${88 - ((at * 17) % 40)}%` }} />
      ))}
    </div>
  )
}
