import styles from './CodeBlock.module.css'
import { cx } from './cx.ts'

/** Numbered lines of code: each child is a line. */
export const CodeBlock = ({ className, ...pre }: React.ComponentProps<'pre'>) => (
  <pre className={cx(styles.code, className)} {...pre} />
)

/** Lines of plain text as code. */
export const renderCodeLines = (text: string) =>
  text.split('\n').map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text stay in their order.
    <span key={at}>{line}</span>
  ))

export const codeStyles = { name: styles.name, value: styles.value, comment: styles.comment }
