import { cx } from './cx.ts'
import styles from './Property.module.css'
import { BreakableText } from './Text.tsx'

/** Names with values. `--name` is the width of the names. */
export const PropertyList = ({ className, ...list }: React.ComponentProps<'dl'>) => (
  <dl className={cx('data', styles.list, className)} {...list} />
)

/** One property. */
export function Property({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt title={name}>
        <BreakableText>{name}</BreakableText>
      </dt>
      <dd>{children}</dd>
    </>
  )
}
