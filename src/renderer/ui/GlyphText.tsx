import { cx } from './cx.ts'
import styles from './GlyphText.module.css'

export type Signal = 'wait' | 'bad' | 'soft' | undefined

interface GlyphTextProps extends React.ComponentProps<'span'> {
  readonly signal?: Signal
  /** Long words may break, where there is no room beside them. */
  readonly breaks?: boolean
}

/** A glyph, then its word, in the colour of what it signals. */
export function GlyphText({ signal, breaks, className, ...span }: GlyphTextProps) {
  return (
    <span
      className={cx(styles.text, className)}
      data-signal={signal}
      data-breaks={breaks ? '' : undefined}
      data-glyph-text=""
      {...span}
    />
  )
}
