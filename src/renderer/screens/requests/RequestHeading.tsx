import { cx } from '../../ui/cx.ts'
import { Text } from '../../ui/Text.tsx'
import styles from './RequestHeading.module.css'

interface RequestHeadingProps {
  readonly method: string
  readonly path: string
  /** The part of the path that the API refused. */
  readonly wrong?: string | undefined
  /** Below the heading. */
  readonly facts: React.ReactNode
  /** Beside the heading. */
  readonly children: React.ReactNode
}

/** Method and path of a request at the top of the inspector. */
export function RequestHeading({ method, path, wrong, facts, children }: RequestHeadingProps) {
  const at = wrong === undefined ? -1 : path.indexOf(wrong)
  return (
    <>
      <div className={styles.heading}>
        <h2>
          {method}{' '}
          {at < 0 ? (
            <Text>{path}</Text>
          ) : (
            <>
              <Text>{path.slice(0, at)}</Text>
              <mark className={styles.refused} title="The API refused this uid">
                <Text>{wrong!}</Text>
              </mark>
              <Text>{path.slice(at + wrong!.length)}</Text>
            </>
          )}
        </h2>
        {children}
      </div>
      <p className={cx('meta wrap', styles.facts)}>{facts}</p>
    </>
  )
}
