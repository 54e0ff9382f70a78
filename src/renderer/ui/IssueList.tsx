import { cx } from './cx.ts'
import styles from './IssueList.module.css'

interface IssueListProps extends React.ComponentProps<'section'> {
  /** Scrolls by itself when it is long. */
  readonly scrolls?: boolean
  /** Nothing is wrong after all: without the bar at its left. */
  readonly plain?: boolean
}

/** What is wrong with an input, or could not be done: a heading and a list. */
export const IssueList = ({ scrolls = false, plain = false, className, ...section }: IssueListProps) => (
  <section
    className={cx(styles.issues, className)}
    data-scrolls={scrolls ? '' : undefined}
    data-plain={plain ? '' : undefined}
    {...section}
  />
)
