import { Glyph } from '../ui/Glyph.tsx'
import styles from './Banner.module.css'

interface BannerProps {
  readonly title: string
  /** Asks the user a question instead of reporting an error. */
  readonly isQuestion?: boolean
  readonly buttons?: React.ReactNode
  readonly children: React.ReactNode
}

/** One line under the clock bar, on every screen. */
export const Banner = ({ title, isQuestion = false, buttons, children }: BannerProps) => (
  <div className={styles.banner} data-signal={isQuestion ? 'wait' : undefined} role="alert">
    <span className={`row ${isQuestion ? 'wait' : 'bad'}`}>
      <Glyph name={isQuestion ? 'decide' : 'broken'} /> {title}
    </span>
    <span className="grow wrap">{children}</span>
    {buttons}
  </div>
)
