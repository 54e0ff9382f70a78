import { useState } from 'react'
import { errorText } from '../../format/errors.ts'
import { readSeq } from './SaveBar.tsx'

/** An action of the operator, with the commits before and after it for Undo, and its error. */
export function useUndoableAction() {
  const [error, setError] = useState<string>()
  const [done, setDone] = useState<{ readonly before: number; readonly seq: number }>()
  const [isBusy, setBusy] = useState(false)
  const run = async (action: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      const before = await readSeq()
      await action()
      setDone({ before, seq: await readSeq() })
    } catch (thrown) {
      setError(errorText(thrown))
    } finally {
      setBusy(false)
    }
  }
  return { run, isBusy, done, error, setError }
}
