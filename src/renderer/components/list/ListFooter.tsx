import { formatCount } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Footer } from '../../ui/Layout.tsx'
import styles from './ListFooter.module.css'

interface ListFooterProps {
  readonly count: string
  readonly order: string
  /** The number of new rows that are not shown yet. */
  readonly waiting: number
  readonly onShowNew: () => void
  readonly children: React.ReactNode
}

/** The line below a list. */
export const ListFooter = ({ count, order, waiting, onShowNew, children }: ListFooterProps) => (
  <Footer className={styles.footer}>
    <span className={cx('cut', styles.text)} title={`${count}, ${order}`}>
      <span>{count}</span>
      {count !== '' && ' · '}
      <span>{order}</span>
    </span>
    {children}
    {waiting > 0 && (
      <Button small onClick={onShowNew}>
        {formatCount(waiting)} new, show
      </Button>
    )}
  </Footer>
)
