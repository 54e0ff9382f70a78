import { useId } from 'react'
import styles from './Choice.module.css'
import { cx } from './cx.ts'

export interface Option<T extends string> {
  readonly value: T
  readonly label: React.ReactNode
  /** What choosing it means, in a sentence. */
  readonly hint?: React.ReactNode
  /** Why it cannot be chosen. */
  readonly whyNot?: string | undefined
}

interface ChoiceProps<T extends string> {
  readonly legend: string
  readonly options: readonly Option<T>[]
  readonly value: T
  readonly onChange: (value: T) => void
  /** Beside each other, without hints. */
  readonly inline?: boolean
  readonly className?: string | undefined
}

/** One of a few, all of them in sight. The browser's own radio buttons: arrows move, one stop of the Tab key. */
export function Choice<T extends string>({
  legend,
  options,
  value,
  onChange,
  inline = false,
  className,
}: ChoiceProps<T>) {
  const name = useId()
  return (
    <fieldset className={cx(styles.choice, className)} data-inline={inline ? '' : undefined}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          data-barred={option.whyNot ? '' : undefined}
          title={inline ? option.whyNot : undefined}
        >
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            disabled={option.whyNot !== undefined}
            onChange={() => onChange(option.value)}
          />
          <span>
            {option.label}
            {!inline && (option.whyNot ?? option.hint) && <span className="hint">{option.whyNot ?? option.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
