import { cx } from '../ui/cx.ts'
import styles from './Banner.module.css'

interface BannerProps {
  /** Nothing broke: an answer is expected of the user. */
  readonly waits?: boolean
  readonly children: React.ReactNode
}

/** One line under the clock bar, on every screen. */
export function Banner({ waits = false, children }: BannerProps) {
  return (
    <div className={cx(styles.banner, 'tabular')} data-signal={waits ? 'wait' : undefined} role="alert">
      {children}
    </div>
  )
}
