import { useState } from 'react'
import { useKeptChange } from '../../data/kept-changes.ts'
import { errorText } from '../../format/errors.ts'
import { readSeq } from './SaveBar.tsx'

/** An action of the operator in a place of the window, with the commits before and after it for Undo, and its error. */
export function useUndoableAction(place: string) {
  const [error, setError] = useState<string>()
  const [done, setDone] = useKeptChange(place)
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
