import { Search, X } from 'lucide-react'
import { useId, useRef } from 'react'
import { Button } from './Button.tsx'
import { cx } from './cx.ts'
import styles from './Field.module.css'
import { Row, Stack } from './Layout.tsx'

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

interface TextAreaProps extends React.ComponentProps<'textarea'> {
  /** For sentences instead of code. */
  readonly prose?: boolean
}

export function TextArea({ prose = false, className, ...area }: TextAreaProps) {
  return <textarea className={cx('mono', styles.area, className)} data-words={prose ? '' : undefined} {...area} />
}

interface SearchFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly label: string
  readonly placeholder: string
  readonly width: number
  readonly className?: string | undefined
}

/** The key `/` focuses it (found by `data-search`). Escape clears it, and leaves it if it is empty. */
export function SearchField({ value, onChange, label, placeholder, width, className }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <TextInput
      ref={input}
      type="search"
      data-search=""
      className={className}
      style={{ width }}
      before={<Search size={13} strokeWidth={1.6} aria-hidden="true" />}
      after={
        value === '' ? <kbd>/</kbd> : <Button icon={X} bare small aria-label="Clear" onClick={() => onChange('')} />
      }
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        if (value === '') input.current?.blur()
        else onChange('')
      }}
    />
  )
}

interface OneFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly mono?: boolean
  readonly placeholder?: string
  /** Why the text cannot be used, or why the last attempt failed. */
  readonly error: string | null
  /** Below the field, unless there is an error. */
  readonly note?: React.ReactNode
  /** The button beside the field. */
  readonly children?: React.ReactNode
}

/** The content of a form with one field: its label, the field with the button beside it, and a note or an error. */
export function OneField({ label, value, onChange, mono, placeholder, error, note, children }: OneFieldProps) {
  const id = useId()
  return (
    <>
      <label htmlFor={id} className="data soft">
        {label}
      </label>
      <span className="row">
        <TextInput
          id={id}
          className="grow"
          mono={mono}
          value={value}
          placeholder={placeholder}
          invalid={error !== null}
          aria-describedby={`${id}note`}
          onChange={(event) => onChange(event.target.value)}
        />
        {children}
      </span>
      <div
        id={`${id}note`}
        className={`data wrap ${error === null ? 'faint' : 'bad'}`}
        style={{ minHeight: 16 }}
        role={error === null ? 'status' : 'alert'}
      >
        {error ?? note}
      </div>
    </>
  )
}

export interface Option<T extends string> {
  readonly value: T
  readonly label: React.ReactNode
  /** What the option means, in a sentence. */
  readonly hint?: React.ReactNode
  /** Why the option cannot be chosen. */
  readonly disabledReason?: string | undefined
}

interface ChoiceProps<T extends string> {
  readonly legend: string
  readonly options: readonly Option<T>[]
  readonly value: T
  readonly onChange: (value: T) => void
  /** Side by side, without hints. */
  readonly inline?: boolean
  /** In px, so that the options of several choices line up. */
  readonly legendWidth?: number
  readonly optionWidth?: number
  readonly className?: string | undefined
}

/** Chooses one of a few options, with native radio buttons: arrow keys move, one tab stop. */
export function Choice<T extends string>({
  legend,
  options,
  value,
  onChange,
  inline = false,
  legendWidth,
  optionWidth,
  className,
}: ChoiceProps<T>) {
  const name = useId()
  return (
    <fieldset className={cx(styles.choice, className)} data-inline={inline ? '' : undefined}>
      <legend style={{ width: legendWidth }}>{legend}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          style={{ minWidth: optionWidth }}
          data-barred={option.disabledReason ? '' : undefined}
          title={inline ? option.disabledReason : undefined}
        >
          <input
            type="radio"
            className={styles.box}
            name={name}
            checked={option.value === value}
            disabled={option.disabledReason !== undefined}
            onChange={() => onChange(option.value)}
          />
          <span>
            {option.label}
            {!inline && (option.disabledReason ?? option.hint) && (
              <span className="hint">{option.disabledReason ?? option.hint}</span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

type CheckboxProps = Omit<React.ComponentProps<'input'>, 'type'>

export const Checkbox = ({ className, ...input }: CheckboxProps) => (
  <input type="checkbox" className={cx(styles.box, className)} {...input} />
)

/** A checkbox followed by its label. */
export function LabelledCheckbox({ children, className, ...input }: CheckboxProps) {
  return (
    <Stack as="label" columns="14px minmax(0, 1fr)" gap={8} text="data" className={className}>
      <Checkbox {...input} />
      <span>{children}</span>
    </Stack>
  )
}

interface CheckboxGroupProps {
  readonly labelledBy: string
  readonly options: readonly { readonly value: string; readonly label: React.ReactNode }[]
  readonly value: readonly string[]
  /** In the order of the options. */
  readonly onChange: (value: string[]) => void
}

/** Chooses any number of a few options. */
export function CheckboxGroup({ labelledBy, options, value, onChange }: CheckboxGroupProps) {
  const toggle = (toggled: string) =>
    onChange(options.map((option) => option.value).filter((one) => value.includes(one) !== (one === toggled)))
  return (
    <Row role="group" aria-labelledby={labelledBy} wraps gap="0 16" align="stretch" style={MARGIN}>
      {options.length === 0 && <span className="faint">none</span>}
      {options.map((option) => (
        <Row key={option.value} as="label" gap={6}>
          <Checkbox checked={value.includes(option.value)} onChange={() => toggle(option.value)} />
          {option.label}
        </Row>
      ))}
    </Row>
  )
}

/** Around each checkbox, so that the rows of a group are as high as other inputs. */
const MARGIN = { '--box-margin': '5px 0' } as React.CSSProperties
