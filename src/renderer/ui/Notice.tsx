import { errorSentence } from '../format/errors.ts'
import { cx } from './cx.ts'
import styles from './Notice.module.css'

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
