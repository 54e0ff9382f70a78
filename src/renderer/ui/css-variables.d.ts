import 'react'

declare module 'react' {
  interface CSSProperties {
    /** A custom property, which the style sheet of a part reads. */
    [variable: `--${string}`]: string | undefined
  }
}
