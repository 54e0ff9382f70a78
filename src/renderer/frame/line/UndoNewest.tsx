import { Redo2, Undo2 } from 'lucide-react'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { stackActions } from '../../actions/world.ts'
import { useShowingSteps } from '../../data/undo.ts'
import { Row, Stack } from '../../ui/Layout.tsx'
import { Text } from '../../ui/Text.tsx'

/** One below the other, so that both can be read in a narrow window. */
const LINES = { minWidth: 0, textAlign: 'left' } as const

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
          data-undo-newest
          style={{ minWidth: 0, height: 36, justifyContent: 'flex-start' }}
        >
          <Undo2 size={13} strokeWidth={1.8} aria-hidden="true" />
          <Stack as="span" text="meta" style={LINES}>
            <b className="live cut">
              Undo <Text>{step.says}</Text>
            </b>
            <span className="unseen"> </span>
            <span className="cut">
              (<Text>{did ?? ''}</Text>)
            </span>
          </Stack>
        </ActionButton>
      )}
      {data?.redo && redo && (
        <ActionButton action={{ ...redo, icon: Redo2, label: `Redo ${data.redo.says}` }} bare iconOnly />
      )}
    </Row>
  )
}
