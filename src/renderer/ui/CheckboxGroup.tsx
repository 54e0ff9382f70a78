import { Checkbox } from './Checkbox.tsx'
import styles from './CheckboxGroup.module.css'

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
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has its own border and legend.
    <div role="group" aria-labelledby={labelledBy} className={styles.group}>
      {options.length === 0 && <span className="faint">none</span>}
      {options.map((option) => (
        <label key={option.value}>
          <Checkbox checked={value.includes(option.value)} onChange={() => toggle(option.value)} />
          {option.label}
        </label>
      ))}
    </div>
  )
}
