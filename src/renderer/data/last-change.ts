import { create } from 'zustand'

/** The last change in each place of the window, for its Undo when the user comes back. After a reload the history has it. */

const useChanges = create<Readonly<Record<string, unknown>>>()(() => ({}))

/** `place`: what the change is about, e.g. `settings <uid>`. */
export function useLastChange<T extends { readonly operation: number | null }>(
  place: string,
): [T | null, (change: T | null) => void] {
  const change = useChanges((changes) => changes[place])
  return [(change as T | undefined) ?? null, (to) => useChanges.setState({ [place]: to })]
}
