import { cx } from '../../ui/cx.ts'
import { Text } from '../../ui/Text.tsx'
import styles from './RequestHeading.module.css'

interface RequestHeadingProps {
  readonly method: string
  readonly path: string
  /** Below the heading. */
  readonly facts: React.ReactNode
  /** Beside the heading. */
  readonly children: React.ReactNode
}

/** Method and path of a request at the top of the inspector. */
export function RequestHeading({ method, path, facts, children }: RequestHeadingProps) {
  return (
    <>
      <div className={styles.heading}>
        <h2>
          {method} <Text>{path}</Text>
        </h2>
        {children}
      </div>
      <p className={cx('meta wrap', styles.facts)}>{facts}</p>
    </>
  )
}
