import { Lightbulb } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { Text } from '../ui/Text.tsx'
import styles from './Corrections.module.css'
import { type Correction, describeCorrection, labelCorrection } from './corrections.ts'

interface CorrectionsProps {
  readonly corrections: readonly Correction[]
  readonly apply: (correction: Correction) => void
}

/** The unknown names and values of a request that is edited; a click corrects each. */
export function Corrections({ corrections, apply }: CorrectionsProps) {
  if (corrections.length === 0) return null
  return (
    <ul className={styles.list} aria-label="Corrections">
      {corrections.slice(0, MAX_SHOWN).map((one) => (
        <li key={JSON.stringify(one)}>
          <Lightbulb className="wait" size={13} strokeWidth={1.6} aria-hidden="true" />
          <Text>{describeCorrection(one)}</Text>
          <Button small onClick={() => apply(one)}>
            {labelCorrection(one)}
          </Button>
        </li>
      ))}
      {corrections.length > MAX_SHOWN && <li className="meta">and {corrections.length - MAX_SHOWN} more</li>}
    </ul>
  )
}

const MAX_SHOWN = 20
