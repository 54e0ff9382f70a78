import styles from './Folded.module.css'

interface FoldedProps {
  /** One line that says what is hidden, and why. */
  readonly summary: React.ReactNode
  readonly children: React.ReactNode
}

/** Content that is hidden behind one line. */
export const Folded = ({ summary, children }: FoldedProps) => (
  <details className={styles.folded}>
    <summary>{summary}</summary>
    {children}
  </details>
)
