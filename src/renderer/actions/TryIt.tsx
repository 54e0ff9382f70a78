import { FlaskConical, Route } from 'lucide-react'
import { showTrial, type Trial } from '../data/trying.ts'
import { Button, type ButtonStyle } from '../ui/Button.tsx'

interface TryItProps extends ButtonStyle {
  /** The button beside it. */
  readonly what: string
  /** Null: the form shows what is missing. */
  readonly calls: () => Trial['calls'] | null
}

/** Beside each button that changes something: shows what it would do, in a copy of the world that is dropped. */
export const TryIt = ({ what, calls, ...button }: TryItProps) => (
  <Button
    {...button}
    icon={FlaskConical}
    title="Shows what it would do, in a copy of the world: nothing changes"
    aria-label={`Try it: ${what}`}
    onClick={() => {
      const found = calls()
      if (found) showTrial({ title: `Try it: ${what}`, calls: found })
    }}
  >
    Try it
  </Button>
)

/** Beside a state, an event or an error code: looks for the steps to this goal of the control method `reach`. */
export const Reach = ({ goal }: { readonly goal: string }) => (
  <Button
    icon={Route}
    small
    bare
    title="Looks for the steps that lead to it"
    aria-label={`Reach ${goal}`}
    onClick={() => showTrial({ title: `Reach ${goal}`, goal })}
  >
    Reach
  </Button>
)
