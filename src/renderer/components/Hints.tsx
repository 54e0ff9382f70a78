import { Lightbulb } from 'lucide-react'
import { Row } from '../ui/Layout.tsx'
import { Text } from '../ui/Text.tsx'

/** One hint on a request. */
export const HintLine = ({ children }: { children: React.ReactNode }) => (
  <Row as="p" gap={8} text="data" line="bottom" align="start" className="wrap" style={HINT}>
    {children}
  </Row>
)

const HINT = { padding: '7px 16px', boxShadow: 'inset 3px 0 var(--wait)' }

interface HintsProps {
  readonly hints: readonly { readonly at: string; readonly text: string }[]
  /** What can be done about the hint on this field. */
  readonly actionOf?: (at: string) => React.ReactNode
}

/** Hints on the fields of a request, such as fields that the API ignores. */
export function Hints({ hints, actionOf }: HintsProps) {
  return hints.map(({ at, text }) => (
    <HintLine key={at}>
      <Lightbulb className="wait" size={13} strokeWidth={1.6} style={{ marginTop: 1 }} aria-label="Hint" />
      <Text>{text}</Text>
      {actionOf?.(at)}
    </HintLine>
  ))
}
