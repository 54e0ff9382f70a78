import { create } from 'zustand'
import { errorText } from '../format/text.ts'

/** What the frame shows on every screen: a result in the status bar, and under the clock bar what failed last. */
interface Messages {
  readonly result: string
  readonly failure: { readonly title: string; readonly error: string } | null
}

export const useMessages = create<Messages>()(() => ({ result: '', failure: null }))

export const announce = (result: string) => useMessages.setState({ result })

/** Shows why it fails; a success removes the failure of before. */
export const showFailure = (work: Promise<unknown>, title = CLOCK_UNCHANGED) =>
  work.then(
    () => useMessages.setState({ failure: null }),
    (error: unknown) => useMessages.setState({ failure: { title, error: errorText(error) } }),
  )

const CLOCK_UNCHANGED = 'The clock did not change.'
