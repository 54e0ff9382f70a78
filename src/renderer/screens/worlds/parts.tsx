import { formatLongDay, newYork } from '../../format/time.ts'
import { Select } from '../../ui/Field.tsx'

/** A simulated instant in New York. */
export const Instant = ({ at }: { at: string }) => (
  <time dateTime={at}>{`${formatLongDay(Date.parse(at))} ${newYork(Date.parse(at)).time}`}</time>
)

/** The value of a select, and the name in the address, of the world that has no name. */
export const UNNAMED = ''

interface WorldSelectProps {
  readonly label: string
  readonly names: readonly string[]
  /** How the world without a name is called. */
  readonly unnamed: string
  readonly value: string
  readonly onChange: (name: string) => void
}

/** One that was dropped meanwhile stays selected, so that its side says so. */
export function WorldSelect({ label, names, unnamed, value, onChange }: WorldSelectProps) {
  const listed = value === UNNAMED || names.includes(value) ? names : [...names, value]
  return (
    <Select
      style={{ maxWidth: 254 }}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value={UNNAMED}>{unnamed}</option>
      {listed.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </Select>
  )
}
