import type { Cause } from '../../api/contract/control/history.ts'
import { BreakableText, Text } from '../ui/Text.tsx'
import { ScreenLink } from './ScreenLink.tsx'

interface CauseLinkProps {
  readonly cause: Cause
  /** Follows the name. */
  readonly children?: React.ReactNode
}

/** What led to a change: the request as a link, or the task or the action of the operator. */
export const CauseLink = ({ cause: { door, name, exchange }, children }: CauseLinkProps) =>
  exchange ? (
    <ScreenLink screen="requests" record={exchange}>
      <BreakableText>{name}</BreakableText>
      {children}
    </ScreenLink>
  ) : (
    <span>
      <span className="faint">{door === 'time' ? 'task: ' : 'operator: '}</span>
      <Text>{name}</Text>
      {children}
    </span>
  )
