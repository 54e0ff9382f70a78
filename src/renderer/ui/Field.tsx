import { cx } from './cx.ts'
import styles from './Field.module.css'

/** The frame around an input: border, focus ring, and what is shown before and after the input. */
interface FrameProps {
  readonly invalid?: boolean | undefined
  /** Right-aligned, for numbers. */
  readonly numeric?: boolean | undefined
  /** For the frame. */
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

type NativeProps<E extends 'input' | 'select'> = Omit<React.ComponentProps<E>, 'className' | 'style'>

interface TextInputProps extends FrameProps, NativeProps<'input'> {
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

interface SelectProps<T extends string>
  extends Omit<FrameProps, 'numeric'>,
    Omit<NativeProps<'select'>, 'value' | 'onChange' | 'children'> {
  readonly value: T
  /** Values, or values with their labels. */
  readonly options: readonly (T | readonly [value: T, label: string])[]
  readonly onChange: (value: T) => void
}

export function Select<T extends string>(props: SelectProps<T>) {
  const { invalid, className, style, options, onChange, ...select } = props
  return (
    <Frame invalid={invalid} className={className} style={style}>
      <select aria-invalid={invalid || undefined} onChange={({ target }) => onChange(target.value as T)} {...select}>
        {options.map((option) => {
          const [value, label] = typeof option === 'string' ? [option, option] : option
          return (
            <option key={value} value={value}>
              {label}
            </option>
          )
        })}
      </select>
    </Frame>
  )
}

/** Only the frame, for inputs of a library. */
export const FieldFrame = Frame
