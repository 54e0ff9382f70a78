import { Lightbulb } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { Row, Stack } from '../ui/Layout.tsx'
import { Text } from '../ui/Text.tsx'
import { type Correction, describeCorrection, labelCorrection } from './corrections.ts'

interface CorrectionsProps {
  readonly corrections: readonly Correction[]
  readonly apply: (correction: Correction) => void
}

/** The unknown names and values of a request that is edited; a click corrects each. */
export function Corrections({ corrections, apply }: CorrectionsProps) {
  if (corrections.length === 0) return null
  return (
    <Stack as="ul" gap={4} pad="8 16 0" aria-label="Corrections">
      {corrections.slice(0, MAX_SHOWN).map((one) => (
        <Row key={JSON.stringify(one)} as="li" wraps gap="4 8" text="data" className="wrap">
          <Lightbulb className="wait" size={13} strokeWidth={1.6} aria-hidden="true" />
          <Text>{describeCorrection(one)}</Text>
          <Button small onClick={() => apply(one)}>
            {labelCorrection(one)}
          </Button>
        </Row>
      ))}
      {corrections.length > MAX_SHOWN && <li className="meta">and {corrections.length - MAX_SHOWN} more</li>}
    </Stack>
  )
}

const MAX_SHOWN = 20
