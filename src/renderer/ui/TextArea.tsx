import { cx } from './cx.ts'
import styles from './TextArea.module.css'

interface TextAreaProps extends React.ComponentProps<'textarea'> {
  /** For sentences instead of code. */
  readonly prose?: boolean
}

export function TextArea({ prose = false, className, ...area }: TextAreaProps) {
  return <textarea className={cx('mono', styles.area, className)} data-words={prose ? '' : undefined} {...area} />
}
