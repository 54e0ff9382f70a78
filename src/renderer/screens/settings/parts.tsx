import { useId } from 'react'
import { Text } from '../../ui/Text.tsx'

interface CellProps {
  readonly label: string
  readonly value: string
  readonly set: (to: string) => void
  readonly means: string
}

/** One line of text of something that is offered. */
export function Cell({ label, value, set, means }: CellProps) {
  const id = useId()
  return (
    <div className="setting">
      <label htmlFor={id}>{label}</label>
      <span className="field">
        <input id={id} value={value} autoComplete="off" onChange={(event) => set(event.target.value)} />
      </span>
      <p>{means}</p>
    </div>
  )
}

interface TicksProps {
  readonly label: string
  readonly of: readonly string[]
  readonly chosen: readonly string[]
  readonly set: (to: readonly string[]) => void
  readonly means: string
  readonly say?: (one: string) => string
}

/** Any of a few. */
export function Ticks({ label, of, chosen, set, means, say = (one) => one }: TicksProps) {
  const id = useId()
  return (
    <div className="setting">
      <span id={id}>{label}</span>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a border and a legend of its own. */}
      <div role="group" aria-labelledby={id} className="several">
        {of.length === 0 && <span className="faint">none</span>}
        {of.map((one) => (
          <label key={one}>
            <input
              type="checkbox"
              checked={chosen.includes(one)}
              onChange={(event) =>
                set(event.target.checked ? [...chosen, one] : chosen.filter((other) => other !== one))
              }
            />
            <Text>{say(one)}</Text>
          </label>
        ))}
      </div>
      <p>{means}</p>
    </div>
  )
}
