import { cx } from './cx.ts'
import styles from './IssueList.module.css'
import { Text } from './Text.tsx'

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
