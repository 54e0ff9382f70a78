import { cx } from './cx.ts'
import { Glyph, type GlyphName } from './Glyph.tsx'
import styles from './GlyphText.module.css'

export type Signal = 'wait' | 'bad' | 'soft' | undefined

interface GlyphTextProps extends React.ComponentProps<'span'> {
  readonly signal?: Signal
  readonly glyph?: GlyphName
  /** Long words may break if space is short. */
  readonly breaks?: boolean
}

/** A glyph with its text, in the color of the signal. */
export function GlyphText({ signal, glyph, breaks, className, children, ...span }: GlyphTextProps) {
  return (
    <span
      className={cx(styles.text, signal, className)}
      data-signal={signal}
      data-breaks={breaks ? '' : undefined}
      data-glyph-text=""
      {...span}
    >
      {glyph && <Glyph name={glyph} />}
      {children}
    </span>
  )
}
