import { useRef, useState } from 'react'

interface Outcome<T> {
  readonly isBusy: boolean
  /** What the last run answered. */
  readonly result: T | undefined
  /** Why the last run failed. */
  readonly error: unknown
}

interface Action<A extends readonly unknown[], T> extends Outcome<T> {
  /** Does nothing while a run is under way. */
  readonly run: (...given: A) => Promise<void>
  /** Forgets the last result and error. */
  readonly reset: () => void
}

const NONE = { isBusy: false, result: undefined, error: undefined }

/** What a button or a form does: one run at a time, with its result or its error. */
export function useAction<A extends readonly unknown[], T>(work: (...given: A) => Promise<T>): Action<A, T> {
  const [outcome, setOutcome] = useState<Outcome<T>>(NONE)
  const isBusy = useRef(false)
  const run = async (...given: A) => {
    if (isBusy.current) return
    isBusy.current = true
    setOutcome({ ...NONE, isBusy: true })
    try {
      const result = await work(...given)
      setOutcome({ ...NONE, result })
    } catch (error) {
      setOutcome({ ...NONE, error })
    } finally {
      isBusy.current = false
    }
  }
  return { ...outcome, run, reset: () => setOutcome(NONE) }
}

/** Of a form that is sent by its button and, from any field, by Ctrl+Enter. A part of the form may have handled the key already. */
export const sendingForm = (run: () => unknown) => ({
  onSubmit: submitting(run),
  onKeyDown: (event: React.KeyboardEvent) => {
    if (event.defaultPrevented || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void run()
  },
})

/** For `onSubmit` of a form. */
export const submitting = (run: () => unknown) => (event: React.SyntheticEvent) => {
  event.preventDefault()
  void run()
}
