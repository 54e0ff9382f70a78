import { Undo } from '../../components/Undo.tsx'
import { useKeptChange } from '../../data/kept-changes.ts'
import { sandbox } from '../../data/sandbox.ts'
import { useAction } from '../../data/use-action.ts'

interface Done {
  readonly before: number
  readonly seq: number
  /** What was done, in a sentence. */
  readonly text: string
}

const readSeq = async () => (await sandbox['world.describe']({})).seq

/** An action of the operator in a place of the window, with the commits before and after it for Undo. `work` says what it did. */
export function useUndoableAction(place: string) {
  const [done, setDone] = useKeptChange<Done>(place)
  const action = useAction(async (work: () => Promise<string>) => {
    const before = await readSeq()
    const text = await work()
    setDone({ before, seq: await readSeq(), text })
  })
  return { ...action, done }
}

/** What was done, with Undo. */
export const Undoable = ({ done: { before, seq, text }, what }: { done: Done; what: string }) => (
  <>
    <span role="status">{text}</span>
    <Undo key={seq} before={before} seq={seq} what={what} />
  </>
)
