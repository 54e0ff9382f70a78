import { Lightbulb } from 'lucide-react'
import { Text } from '../ui/Text.tsx'
import styles from './Hints.module.css'

/** One hint on a request. */
export const HintLine = ({ children }: { children: React.ReactNode }) => <p className={styles.hint}>{children}</p>

interface HintsProps {
  readonly hints: readonly { readonly at: string; readonly text: string }[]
  /** What can be done about the hint on this field. */
  readonly actionOf?: (at: string) => React.ReactNode
}

/** Hints on the fields of a request, such as fields that the API ignores. */
export function Hints({ hints, actionOf }: HintsProps) {
  return hints.map(({ at, text }) => (
    <HintLine key={at}>
      <Lightbulb className="wait" size={13} strokeWidth={1.6} aria-label="Hint" />
      <Text>{text}</Text>
      {actionOf?.(at)}
    </HintLine>
  ))
}
