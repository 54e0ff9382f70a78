import { Redo2, Undo2 } from 'lucide-react'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { stackActions } from '../../actions/world.ts'
import { useShowingSteps } from '../../data/undo.ts'
import { Row } from '../../ui/Layout.tsx'
import { Text } from '../../ui/Text.tsx'

/** The newest operation with what it did, and its Undo: also the result of an advance, on every screen. */
export function UndoNewest() {
  const data = useShowingSteps()
  const [undo, redo] = stackActions(data)
  const step = data?.undo
  const others = (step?.operations ?? 1) - 1
  const did = step && `${step.did || 'no record changed'}${others > 0 ? `, and ${others} more` : ''}`
  return (
    <Row as="span" gap={4} grow>
      {step && undo && (
        <ActionButton
          action={{ ...undo, detail: `Undo ${step.says} (${did})` }}
          bare
          style={{ minWidth: 0, justifyContent: 'flex-start' }}
        >
          <Undo2 size={13} strokeWidth={1.8} aria-hidden="true" />
          <span className="cut">
            <b className="live">
              Undo <Text>{step.says}</Text>
            </b>{' '}
            (<Text>{did ?? ''}</Text>)
          </span>
        </ActionButton>
      )}
      {data?.redo && redo && (
        <ActionButton action={{ ...redo, icon: Redo2, label: `Redo ${data.redo.says}` }} bare iconOnly />
      )}
    </Row>
  )
}
