import { cx } from './cx.ts'
import styles from './IssueList.module.css'

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
