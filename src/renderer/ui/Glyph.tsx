import { cx } from './cx.ts'
import styles from './Glyph.module.css'

/** Status symbols that differ by shape, not only by color. Drawn on a 10 × 10 grid, in the text color. */

export type GlyphName =
  | 'not-begun'
  | 'under-way'
  | 'done'
  | 'decide'
  | 'held'
  | 'broken'
  | 'stopped'
  | 'closed'
  | 'repeats'

const paths: Readonly<Record<GlyphName, React.ReactNode>> = {
  'not-begun': <circle cx="5" cy="5" r="3.9" />,
  'under-way': (
    <>
      <circle cx="5" cy="5" r="3.9" />
      <path d="M5 1a4 4 0 0 0 0 8z" fill="currentColor" stroke="none" />
    </>
  ),
  done: <circle cx="5" cy="5" r="4.6" fill="currentColor" stroke="none" />,
  decide: <path d="M5 .9 9.1 5 5 9.1.9 5zM5 3.4v1.9M5 6.2v.9" />,
  held: <path d="M2 1h2.2v8H2zM5.8 1H8v8H5.8z" fill="currentColor" stroke="none" />,
  broken: <path d="m1.6 1.6 6.8 6.8M8.4 1.6 1.6 8.4" strokeWidth="1.8" />,
  stopped: (
    <>
      <circle cx="5" cy="5" r="3.9" />
      <path d="m2.3 7.7 5.4-5.4" />
    </>
  ),
  closed: <path d="M1 1h8v8H1z" fill="currentColor" stroke="none" />,
  repeats: <path d="M8.6 5a3.6 3.6 0 1 1-1-2.5M7.9.6v2.1H5.8" strokeWidth="1.3" />,
}

export function Glyph({ name, size = 10, ...place }: { name: GlyphName; size?: number; x?: number; y?: number }) {
  return (
    <svg
      {...place}
      width={size}
      height={size}
      viewBox="0 0 10 10"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      aria-hidden="true"
      data-shape={name}
    >
      {paths[name]}
    </svg>
  )
}

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
