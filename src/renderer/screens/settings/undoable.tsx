import { operationOf } from '../../../api/contract/control/client.ts'
import { Undo } from '../../components/Undo.tsx'
import { markChanged, type Program, useFeed } from '../../data/feed.ts'
import { useLastChange } from '../../data/last-change.ts'
import { useAction } from '../../data/sandbox.ts'

interface Done {
  readonly operation: number | null
  /** What was done, in a sentence. */
  readonly text: string
}

/** An action of the operator in a place of the window. `work` returns the answer of the sandbox, `text` says what it did. */
export function useUndoableAction(place: string) {
  const [done, setDone] = useLastChange<Done>(place)
  const action = useAction(async (work: () => Promise<object>, text: string) =>
    setDone({ operation: operationOf(await work()), text }),
  )
  return { ...action, done }
}

/** What was done, with Undo. */
export const Undoable = ({ done: { operation, text }, what }: { done: Done; what: string }) => (
  <>
    <span role="status">{text}</span>
    <Undo key={operation} operation={operation} what={what} />
  </>
)

/** Shows a changed Program at once, without waiting for the notice of the change. */
export function showProgram(program: Program) {
  useFeed.setState(({ programs }) => ({
    programs: programs.some(({ uid }) => uid === program.uid)
      ? programs.map((one) => (one.uid === program.uid ? program : one))
      : [...programs, program],
  }))
  markChanged('programs')
}
