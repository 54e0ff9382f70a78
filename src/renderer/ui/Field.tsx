import { cx } from './cx.ts'
import styles from './Field.module.css'

/** The frame around an input: the border, the focus ring, and what stands before and after the input. */
interface FrameProps {
  readonly invalid?: boolean | undefined
  /** Figures, right-aligned. */
  readonly numeric?: boolean | undefined
  /** Of the frame. */
  readonly className?: string | undefined
  readonly style?: React.CSSProperties | undefined
}

function Frame({ invalid, numeric, className, style, children }: FrameProps & { readonly children: React.ReactNode }) {
  return (
    <span
      className={cx(styles.field, className)}
      data-field=""
      data-wrong={invalid ? '' : undefined}
      data-number={numeric ? '' : undefined}
      style={style}
    >
      {children}
    </span>
  )
}

type Own<E extends 'input' | 'select'> = Omit<React.ComponentProps<E>, 'className' | 'style'>

interface TextInputProps extends FrameProps, Own<'input'> {
  readonly mono?: boolean | undefined
  readonly before?: React.ReactNode
  readonly after?: React.ReactNode
}

export function TextInput({ mono, before, after, invalid, numeric, className, style, ...input }: TextInputProps) {
  return (
    <Frame invalid={invalid} numeric={numeric} className={className} style={style}>
      {before}
      <input
        className={mono ? 'mono' : undefined}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={invalid || undefined}
        {...input}
      />
      {after}
    </Frame>
  )
}

export function Select({
  invalid,
  className,
  style,
  children,
  ...select
}: Omit<FrameProps, 'numeric'> & Own<'select'>) {
  return (
    <Frame invalid={invalid} className={className} style={style}>
      <select aria-invalid={invalid || undefined} {...select}>
        {children}
      </select>
    </Frame>
  )
}

/** The frame alone, for inputs that a library draws. */
export const FieldFrame = Frame
