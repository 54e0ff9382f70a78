import styles from './Banner.module.css'

interface BannerProps {
  /** Asks the user a question instead of reporting an error. */
  readonly isQuestion?: boolean
  readonly children: React.ReactNode
}

/** One line under the clock bar, on every screen. */
export function Banner({ isQuestion = false, children }: BannerProps) {
  return (
    <div className={styles.banner} data-signal={isQuestion ? 'wait' : undefined} role="alert">
      {children}
    </div>
  )
}
