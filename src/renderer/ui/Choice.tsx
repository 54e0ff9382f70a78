import { useId } from 'react'
import checkbox from './Checkbox.module.css'
import styles from './Choice.module.css'
import { cx } from './cx.ts'

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
            className={checkbox.box}
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
