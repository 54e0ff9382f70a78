import styles from './CodeBlock.module.css'
import { cx } from './cx.ts'

/** Code with line numbers; each child is a line. */
export const CodeBlock = ({ className, ...pre }: React.ComponentProps<'pre'>) => (
  <pre className={cx(styles.code, className)} {...pre} />
)

/** The lines of a text, as children of a `CodeBlock`. */
export const renderCodeLines = (text: string) =>
  text.split('\n').map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by their number.
    <span key={at}>{line}</span>
  ))

export const codeStyles = { name: styles.name, value: styles.value, comment: styles.comment, error: styles.error }
