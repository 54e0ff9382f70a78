import { useId } from 'react'
import { TextInput } from './Field.tsx'

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
