import { cx } from './cx.ts'
import styles from './Folded.module.css'
import { useFold } from './use-fold.ts'

interface FoldedProps {
  /** Under which this browser remembers whether it is unfolded. */
  readonly name: string
  /** One line that says what is hidden, and why. */
  readonly summary: React.ReactNode
  readonly children: React.ReactNode
}

/** Content that is hidden behind one line. */
export const Folded = ({ name, summary, children }: FoldedProps) => (
  <details className={cx('data faint', styles.folded)} {...useFold(name)}>
    <summary>{summary}</summary>
    {children}
  </details>
)

interface DisclosureProps extends React.ComponentProps<'details'> {
  readonly summary: React.ReactNode
}

/** A part of a page that can be folded. */
export const Disclosure = ({ summary, children, ...details }: DisclosureProps) => (
  <details className={styles.part} {...details}>
    <summary>{summary}</summary>
    {children}
  </details>
)
