import { useId } from 'react'
import { Button } from '../ui/Button.tsx'
import { Folded } from '../ui/Folded.tsx'
import { Row } from '../ui/Layout.tsx'
import { Text } from '../ui/Text.tsx'

interface UnavailableProps {
  /** Under which this browser remembers whether it is unfolded. */
  readonly name: string
  readonly choices: readonly { readonly name: string; readonly label: string; readonly reason: string }[]
}

/** What is not possible now, behind one line that says why: disabled buttons by reason. */
export function Unavailable({ name: fold, choices }: UnavailableProps) {
  const prefix = useId()
  const reasons = [...new Set(choices.map(({ reason }) => reason))]
  if (reasons.length === 0) return null
  const summary = `Not now: ${choices.map(({ name }) => name).join(', ')}. ${capitalize(reasons[0]!)}`
  return (
    <Folded
      name={fold}
      summary={
        <span className="cut" title={summary}>
          {summary}
        </span>
      }
    >
      {reasons.map((reason, at) => (
        <div key={reason}>
          <Row as="span" wraps gap={4}>
            {choices
              .filter((choice) => choice.reason === reason)
              .map(({ name, label }) => (
                <Button key={name} small aria-disabled="true" aria-describedby={`${prefix}${at}`} title={reason}>
                  {label}
                </Button>
              ))}
          </Row>
          <Text className="wrap">{reason}</Text>
          <span id={`${prefix}${at}`} className="unseen">
            not now: {reason}
          </span>
        </div>
      ))}
    </Folded>
  )
}

export const capitalize = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
